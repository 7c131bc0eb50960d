"""Registrations that have changed since the page was opened: both values, and the same decision with one press."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.http import HttpResponse
from django.shortcuts import render

from registrations.actions.moving import Outcome
from registrations.machine import MOVES, Hand, State
from registrations.models import EventRegistration, Registration
from registrations.queries.queue import QueueFilter
from registrations.queries.shown import differences, pack, unpack
from registrations.web.staff.access import DECISION_WORDS, DECISIONS
from registrations.web.staff.shown_words import differing
from web.requests import PersonRequest

CHANGED = "registration_changed"
LISTED = 50
"""Registrations that one page shows with both values."""
SENT = ("do", "reason", "to")


def without_changed(outcome: Outcome) -> tuple[Outcome, list[int]]:
    """Return the outcome without registrations that have changed since they were seen, and the keys of these."""
    stale = [one.pk for one, error in outcome.left if error.code == CHANGED]
    return Outcome(outcome.moved, [each for each in outcome.left if each[0].pk not in stale]), stale


def ask_again(
    request: PersonRequest,
    form: EventRegistration,
    wanted: QueueFilter,
    stale: Sequence[int],
    seen: Mapping[int, int],
) -> HttpResponse:
    """Show what the page showed and what it is now, with a form that decides about these registrations again.

    stale: their keys. seen: the revisions that the page showed.
    """
    asked, event = request.POST.get("do", ""), form.event
    since = {key: seen[key] for key in stale[:LISTED]}
    found = differences(event, unpack(request.POST.get("seen", "")), since)
    changed = [differing(each, possible=may_still(asked, each.row.one)) for each in found]
    context = {
        "event": event,
        "decision": DECISION_WORDS[asked],
        "changed": changed,
        "more": max(0, len(stale) - LISTED),
        "possible": any(each.possible for each in changed),
        "sent": [
            *((name, request.POST[name]) for name in SENT if request.POST.get(name)),
            ("seen", pack([each.row for each in found], event.start)),
            *wanted.pairs(),
        ],
        "back": wanted.address(),
    }
    return render(request, "registrations/staff/changed.html", context, status=409)


def may_still(asked: str, one: Registration) -> bool:
    """Return whether a decision can still be made about the registration as it is now."""
    if asked not in DECISIONS:
        return one.is_live
    rule = MOVES.get((State(one.state), DECISIONS[asked]))
    return rule is not None and Hand.ORGANISER in rule.hands


def repeated(request: PersonRequest, names: Iterable[str]) -> list[tuple[str, str]]:
    """Return what a form sent under these names, for hidden fields that send it again."""
    return [(name, value[:500]) for name in names for value in request.POST.getlist(name)[:40]]
