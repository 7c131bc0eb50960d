"""Everything that a page shows, a program can read: each page has a route of the API, or a reason why it has none.

A new page needs a line below.
"""

from __future__ import annotations

from api.v1.urls import for_everybody
from tests.api.v1.test_rights import TABLE as ROUTES
from tests.web.test_access import TABLE as PAGES

LOGIN = "It is about the login of a person, or about the whole server: a token is for events."
FILE = "A large file: the page shows how far its import is, and asks about it."
FORM = "It is only a form: programs send the change itself."
PAPER = "It is a sheet of paper. Programs read what it prints."
ITSELF = "It is for programs already, and needs no token."
WORDS = "It explains in words, for people, what other routes give as values."
PERSON = "It is about one person, whom an organiser looks up by hand."
COPIES = "It is about copies on the server: programs save their own with copy/."
COMPARE = "It pairs again with other systems, for minutes: programs do that with the report file."
REHEARSAL = "A rehearsal is for people in a hall: programs use its event as any other."
PLAYER = "Only the player opens it, with the personal link."

SEEN: dict[str, str | tuple[str, ...]] = {
    # for everybody
    "home": ("public-events",),
    "event": ("public-event",),
    "section": ("public-section",),
    **dict.fromkeys(("pairings", "names", "results", "all-rounds"), ("public-round",)),
    "standings": ("public-standings",),
    **dict.fromkeys(("aro", "published"), ("public-list", "public-former-list")),
    **dict.fromkeys(("aro-edition", "published-edition"), ("public-edition",)),
    **dict.fromkeys(("crosstable", "statistics", "list-csv", "list-xlsx"), ("table",)),
    "players": ("public-entries",),
    **dict.fromkeys(("player", "seat"), ("games", "entry")),
    "fairness": ("public-fairness", "fairness"),
    **dict.fromkeys(("explained", "explained-board", "round-file", "round-engine"), ("public-explained",)),
    **dict.fromkeys(("work-out", "sums", "rules", "hall-map"), WORDS),
    **dict.fromkeys(("embed", "feed", "calendar", "event-calendar", "boards-pgn", "transmission"), ITSELF),
    **dict.fromkeys(("news", "event-news", "manifest", "worker", "robots", "healthz", "readyz"), ITSELF),
    **dict.fromkeys(("site-map", "site-map-part", "metrics"), ITSELF),
    **dict.fromkeys(("print", "round-paper"), PAPER),
    **dict.fromkeys(("sections", "overview"), ("event",)),
    **dict.fromkeys(
        ("screen", "named-screen", "hall-screens", "hall-screen", "screens"), ("screens", "screen")
    ),
    **dict.fromkeys(("manual", "manual-chapter", "manual-whole", "manual-index", "kept", "kept-of"), WORDS),
    # registrations
    **dict.fromkeys(("register", "registration-sent", "registration-again"), PLAYER),
    **dict.fromkeys(("own-registration", "open-registration", "new-address"), PLAYER),
    **dict.fromkeys(
        ("persons-page", "persons-page-choice", "link-for-player"),
        "A person decides about it. Nothing lists these pages, and programs join no events.",
    ),
    **dict.fromkeys(
        ("entry-list", "entry-list-file", "entry-list-workbook"), ("public-places", "public-registered")
    ),
    **dict.fromkeys(("registrations", "registration-desk", "desk-people", "pay-chosen"), ("registrations",)),
    **dict.fromkeys(("registrations-file", "registrations-workbook"), ("registrations",)),
    **dict.fromkeys(("not-ready", "not-ready-file", "not-ready-workbook"), ("registrations",)),
    "registration": ("registration",),
    "late-players": ("registrations",),
    "registration-settings": ("registration-settings", "registration-places"),
    "registration-mail": ("registration-mail-texts",),
    "upload-registrations": ("preview-registrations",),
    # people and the server
    **dict.fromkeys(("login", "login-code", "logout", "forgotten", "new-password", "allow-phone"), LOGIN),
    **dict.fromkeys(("password", "second-factor", "mail", "new-phone", "language", "result-keys"), LOGIN),
    **dict.fromkeys(("account", "own-programs", "sign-up", "invitation", "site"), LOGIN),
    **dict.fromkeys(("rating-lists", "rating-list-columns", "spare", "spare-log", "status"), LOGIN),
    **dict.fromkeys(("event-rating-lists", "event-rating-list-columns"), FILE),
    "people": ("roles", "invitations"),
    "programs": ("tokens",),
    "webhooks": ("webhooks", "webhook-messages"),
    **dict.fromkeys(("rehearse", "rehearsal", "rehearsal-report"), REHEARSAL),
    **dict.fromkeys(("personal-data", "personal-file"), PERSON),
    # a section
    **dict.fromkeys(("cockpit", "former-cockpit"), ("state",)),
    "close": ("closing",),
    "player-result": "Only the player opens it, with the link on the slip.",
    **dict.fromkeys(("enter-results", "board-result", "corrections", "correct"), ("games", "game")),
    "entries": ("entries",),
    **dict.fromkeys(("add-entry", "edit-entry", "leave", "chosen-entries", "decide-points"), ("entry",)),
    **dict.fromkeys(("import", "import-check"), ("preview-list",)),
    "byes": ("byes",),
    "forbidden-pairs": ("forbidden-pairs", "apart-rules", "apart-rule-preview"),
    "forbidden-pair": ("forbidden-pair",),
    "apart-rule": ("apart-rule",),
    **dict.fromkeys(("incidents", "incident", "board-incident"), ("incidents",)),
    **dict.fromkeys(("check-in", "absences", "absent"), ("presences",)),
    **dict.fromkeys(("by-hand",), ("by-hand",)),
    **dict.fromkeys(("why", "why-player"), ("explained",)),
    **dict.fromkeys(("compare", "fairness-compare", "fairness-file", "fairness-sheet"), COMPARE),
    **dict.fromkeys(("documents", "checklist", "csv", "xlsx", "rating-changes", "norms"), ("table",)),
    **dict.fromkeys(("report", "rating-report"), ("report",)),
    "older-format": ("older-report", "lost"),
    "archive": ("archive",),
    "event-archive": ("event-archive",),
    "prizes": ("prize-winners",),
    "edit-prizes": ("prizes",),
    "section-lists": ("rating-lists", "listed-players", "comparison"),
    **dict.fromkeys(("settings", "tie-breaks", "ratings", "schedule", "rating-periods"), ("section",)),
    **dict.fromkeys(("tie-values", "period-ratings", "lots", "equal-ratings"), ("entries",)),
    **dict.fromkeys(("log", "log-file"), ("log",)),
    "log-check": ("log-check",),
    **dict.fromkeys(("new-event", "edit-event"), ("event",)),
    "event-life": ("event",),
    **dict.fromkeys(
        ("delete-event", "deleted-events", "next-year"), "A person reads what the page asks, and decides."
    ),
    **dict.fromkeys(("new-section", "new-section-step", "copy-section"), FORM),
    "new-section-from-report": ("preview-section-report",),
    **dict.fromkeys(("fide-mode", "undo", "restore", "half-byes", "other-sites", "by-hand-end"), FORM),
    **dict.fromkeys(
        ("copies", "copy-now", "kept-copy", "event-copy", "load-copy", "load-copy-check"), COPIES
    ),
}


def test_each_page_has_a_route_or_a_reason():
    opened = {name for name, (opens, _sends) in PAGES.items() if opens}
    assert opened - SEEN.keys() == set()
    routes = {name for name, asked in ROUTES.items() if "GET" in asked or name.startswith("preview-")}
    routes |= {pattern.name for pattern in for_everybody}
    named = {name for found in SEEN.values() if not isinstance(found, str) for name in found}
    assert named - routes == set()
    assert SEEN.keys() - PAGES.keys() == set()
