"""Addresses that take what a button sends, and the page with the button: who types such an address gets that page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

PAGE_OF = {
    "logout": "home",
    **dict.fromkeys(("end-session", "report-waiting"), "account"),
    "notices": "pairings",
    "answer-invitation": "home",
    **dict.fromkeys(("site-rights", "site-login", "site-time"), "site"),
    **dict.fromkeys(
        ("rating-list-file", "rating-list-part", "rating-list-answer", "rating-list-origin"), "rating-lists"
    ),
    **dict.fromkeys(("event-rating-list-file", "event-rating-list-answer"), "event-rating-lists"),
    "invitation-login": "invitation",
    **dict.fromkeys(
        (
            *("remove-person", "make-login", "invite-by-link", "password-link", "revoke-invitation"),
            *("invite-again", "end-role", "own-boards"),
        ),
        "people",
    ),
    **dict.fromkeys(
        (
            "draw-colour",
            "pair",
            "publish",
            "unpublish",
            "unpair",
            "pair-again",
            "check-round",
            "forget-device",
        ),
        "cockpit",
    ),
    **dict.fromkeys(("pair-all", "publish-all", "publish-lists", "take-offer"), "cockpit"),
    "draw-lots": "lots",
    **dict.fromkeys(("record-result", "confirm-result", "mark-over", "settle", "by-hand-start"), "cockpit"),
    **dict.fromkeys(("withdraw", "readmit", "remove-entry", "move-entry", "half-byes"), "entries"),
    **dict.fromkeys(("open-check-in", "close-check-in", "check-in-player", "check-in-all"), "check-in"),
    **dict.fromkeys(("schedule", "reopen", "take-away", "bring-back"), "settings"),
    "rating-periods": "ratings",
    **dict.fromkeys(("press-screen", "remove-screen"), "hall-screens"),
    **dict.fromkeys(("countdown", "hall-message"), "screens"),
    **dict.fromkeys(("keep-copy", "open-copy", "copy-elsewhere"), "copies"),
    "cancel-bye": "byes",
    "undo-since": "log",
    "by-hand-begin": "by-hand",
    "allow-pair": "forbidden-pairs",
    **dict.fromkeys(("decide-registrations", "erase-registration"), "registrations:registrations"),
    "mark-at-desk": "registrations:registration-desk",
}
"""By name of the address."""
NEEDS = {
    "home": (),
    "account": (),
    "site": (),
    "rating-lists": (),
    "event-rating-lists": ("event",),
    "invitation": ("token",),
    "people": ("event",),
    "hall-screens": ("event",),
    "by-hand": ("event", "section", "number"),
    "registrations:registrations": ("event",),
    "registrations:registration-desk": ("event",),
}
"""The parts of the address of a page; of any other page, event and section."""


def page_of(name: str | None, parts: Mapping[str, Any]) -> str | None:
    """Return the address of the page with the button, or None for an address that belongs to no button."""
    page = PAGE_OF.get(name or "")
    if page is None:
        return None
    kept = {part: parts[part] for part in NEEDS.get(page, ("event", "section"))}
    named = page in ("home", "account") or ":" in page
    return reverse(page if named else f"tournaments:{page}", kwargs=kept)
