"""The cockpit: the next step as one black button, and what else matters now. The page updates itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from base.reader import date_format
from tournaments.models import Section, WaitingOnDevice
from tournaments.queries.by_hand import hand_position
from tournaments.queries.cockpit import Cockpit, CockpitPhase, NextStep
from tournaments.queries.cockpit import cockpit as cockpit_of
from tournaments.queries.entries import numbered_entries
from tournaments.queries.last_steps import MENDABLE
from tournaments.queries.next_step_checks import NextStepCheck, late_mark, late_players
from tournaments.queries.pairing_numbers import last_draw
from tournaments.queries.rounds import RoundPairings
from tournaments.queries.waiting_on_devices import waiting_mark, waiting_on_devices
from tournaments.rights import Right
from web.context import section_context, section_url
from web.requests import PersonRequest
from web.words.ahead import changed_words
from web.words.by_hand import broken_rules
from web.words.last_steps import last_step_lines
from web.words.log import log_line_of
from web.words.next_step_checks import device_words, low_disk_notice, next_step_words
from web.words.prizes import prize_blocks
from web.words.published_lists import published_sentence

from .access import asks_for_part, section_page

LAST_CHANGES = 6
SHOWN_BOARDS = 12  # of those in play
SHOWN_MISSING = 8  # of those who are not checked in
SHOWN_APART = {"results_missing", "results_in_conflict", "check_in_missing", "draft_unpublished"}
"""Blockers that need no line of their own, because each of their boards and players has one with buttons."""


@dataclass(frozen=True, slots=True)
class CockpitStop:
    """A stop on the way through a round. state: done, now, later, or passed for one that was left out."""

    label: str
    fact: str
    state: str


@section_page("GET", "HEAD")
def cockpit(request: PersonRequest, section: Section) -> HttpResponse:
    """The cockpit. Asked by itself with what it shows: 204 while nothing has changed."""
    if asks_for_part(request):
        shown = _seen(section, waiting_on_devices(section), late_players(section))
        if request.GET.get("seen") == shown:
            return HttpResponse(status=204)
    return cockpit_page(request, section)


@section_page("GET", "HEAD")
def former_cockpit(request: PersonRequest, section: Section) -> HttpResponse:
    """Lead from the former address of the cockpit to the page. People have bookmarks and printed sheets with it."""
    query = request.META["QUERY_STRING"]
    address = section_url("cockpit", section)
    return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)


def _seen(section: Section, devices: Sequence[Sequence[WaitingOnDevice]], late: NextStepCheck | None) -> str:
    """Return what changes whenever the page shows something else."""
    prepared = f"-{section.prepared_rounds.count()}" if section.ahead else ""
    return f"{section.revision}{late_mark(late)}{waiting_mark(devices)}{prepared}"


def _late(section: Section, state: Cockpit) -> NextStepCheck | None:
    """Return how many players wait for an arbiter. The notices have it already where they say it."""
    if (state.next_round or 0) <= 1:
        return late_players(section)
    return next((matter for matter in state.notices if matter.code == "late_registrations"), None)


def cockpit_page(
    request: PersonRequest, section: Section, *, problem: str = "", status: int = 200
) -> HttpResponse:
    """The cockpit, with what was refused just now, if something was."""
    state = cockpit_of(section)
    devices = waiting_on_devices(section)
    current = state.current
    floor = state.floor
    notices = [
        next_step_words(matter, section, runs=Right.RUN in request.rights, left=state.left.get(matter.key))
        for matter in state.notices
        if not (state.last_steps and matter.code in MENDABLE)  # a step says it
    ]
    context = {
        **section_context(request, section, "cockpit", current.number if current else None),
        "cockpit": state,
        **(_drawn(section) if state.fixed_rounds and current is None and state.step is NextStep.PAIR else {}),
        "broken": broken_rules(hand_position(section, current.number))
        if current and current.is_draft and current.manual
        else (),
        "round": current,
        "floor": floor,
        "line": line(state),
        "changed_ahead": changed_words(state.ahead) if state.ahead else "",
        "blockers": [
            next_step_words(matter, section) for matter in state.blockers if matter.code not in SHOWN_APART
        ],
        "notices": [notice for notice in notices if not notice.left],
        "left_notices": [notice for notice in notices if notice.left],
        "changes": [log_line_of(row) for row in state.log[:LAST_CHANGES]],
        "to_pair": state.active - len(state.requested),
        "in_play": floor.in_play[:SHOWN_BOARDS] if floor else (),
        "more_in_play": len(floor.in_play) - SHOWN_BOARDS if floor else 0,
        "missing": state.presence.missing[:SHOWN_MISSING] if state.presence else (),
        "more_missing": len(state.presence.missing) - SHOWN_MISSING if state.presence else 0,
        "steps": last_step_lines(state.last_steps, section, request.rights) if state.last_steps else (),
        "prizes": prize_blocks(state.last_steps.prizes) if state.last_steps else (),
        "paired": state.next_round - 1 if state.next_round else current.number if current else 0,
        "published": _published(state),
        "disk": low_disk_notice(),
        "waiting_elsewhere": device_words(devices),
        "seen": _seen(section, devices, _late(section, state)),
        "problem": problem,
    }
    template = "staff/cockpit.html#live" if asks_for_part(request) else "staff/cockpit.html"
    answer = render(request, template, context, status=status)
    if problem:  # The address of the refused form is no page that could be loaded again.
        answer["HX-Push-Url"] = section_url("cockpit", section)
    return answer


def _drawn(section: Section) -> dict[str, object]:
    """Return the numbers that were drawn by lot, and the draw. Three queries."""
    return {"numbers": numbered_entries(section), "draw": last_draw(section)}


def _published(state: Cockpit) -> str:
    """Say when the list after the latest round was published; "" if none stands."""
    last = state.lists.last if state.lists else None
    return published_sentence(last) if last and not last.withdrawn else ""


def line(state: Cockpit) -> list[CockpitStop]:
    """The stops of the round that the cockpit is about: what is done, what is now, what comes."""
    current = state.current
    if current is None or state.about > current.number:
        check_in = [] if state.fixed_rounds else [_check_in(state)]
        labels = [*_before_round_1(state), *check_in, *_to_come()]
        if current is not None:
            labels.append(_after(state, state.about + 1))
        here = next(
            (place for place, (key, _label, _fact) in enumerate(labels) if key == _now_before(state)), 0
        )
    else:
        labels = [*_done(state), _after(state, current.number + 1)]
        names = [key for key, _label, _fact in labels]
        here = names.index(_now(state)) if _now(state) in names else len(labels)
    passed = _passed_over(state)
    return [
        CockpitStop(
            label,
            fact,
            "now" if place == here else "later" if place > here else "passed" if key in passed else "done",
        )
        for place, (key, label, fact) in enumerate(labels)
    ]


Label = tuple[str, str, str]
"""A stop: its key, its label, its fact."""


def _before_round_1(state: Cockpit) -> list[Label]:
    if state.current is not None:
        return []
    lot = bool({"no_initial_colour", "lots_missing"} & {matter.code for matter in state.blockers})
    what = _("Numbers") if state.fixed_rounds else _("Initial-colour")
    return [
        ("players", _("Players"), str(state.active)),
        ("lot", what, _("to be drawn") if lot else _("drawn")),
    ]


def _check_in(state: Cockpit) -> Label:
    asked = state.presence
    if asked is None or not asked.asked:
        return "check_in", _("Check-in"), _("not asked")
    if asked.open:
        fact = _("%(here)s of %(all)s") % {"here": asked.here, "all": asked.expected}
        return "check_in", _("Check-in"), fact
    return "check_in", _("Check-in"), clock(asked.last_at)


def _to_come() -> list[Label]:
    return [
        ("pair", _("Pair"), ""),
        ("check", _("Check"), ""),
        ("publish", _("Publish"), ""),
        ("results", _("Results"), ""),
    ]


def _done(state: Cockpit) -> list[Label]:
    current, floor = state.current, state.floor
    assert current is not None, "a round that is paired"
    assert floor is not None, "and its boards"
    results = _("%(entered)s of %(total)s") % {"entered": current.entered, "total": current.total}
    read = _("%(entered)s of %(total)s") % {"entered": floor.verified, "total": current.total}
    checked = clock(state.checked.at) if state.checked else ""
    return [
        *([_check_in(state)] if state.presence and state.presence.last_at else []),
        ("pair", _("Pair"), _paired_when(current)),
        ("check", _("Check"), checked),
        ("publish", _("Publish"), clock(current.published_at)),
        ("results", _("Results"), results if current.total else ""),
        ("verify", _("Verify"), read if floor.verifying else _("optional")),
        *_list_stop(state),
    ]


def _list_stop(state: Cockpit) -> list[Label]:
    """Return the stop at which an arbiter publishes the list; none where it is published by itself."""
    if not state.lists_by_hand:
        return []
    last = state.lists.last if state.lists else None
    return [("list", _("List"), clock(last.made_at) if last and not last.withdrawn else "")]


def _paired_when(current: RoundPairings) -> str:
    if _is_being_paired(current):
        return _("by hand") if current.total else _("nobody yet")
    return "" if current.from_file else clock(current.paired_at)


def _is_being_paired(current: RoundPairings) -> bool:
    return current.is_draft and current.manual_phase


def _after(state: Cockpit, number: int) -> Label:
    if state.phase is CockpitPhase.CLOSED:
        return "after", _("Close"), _("closed")
    if number > state.rounds:
        return "after", _("Close"), _("after the last round")
    start = state.next_start if number == state.next_round else None
    fact = date_format(start.day, "j M") + (f" {start.time:%H:%M}" if start.time else "") if start else ""
    return "after", _("Round %(number)s") % {"number": number}, fact


def _now_before(state: Cockpit) -> str:
    codes = {matter.code for matter in state.blockers}
    if "too_few_players" in codes:
        return "players"
    if {"no_initial_colour", "lots_missing"} & codes:
        return "lot"
    return "check_in" if state.presence and state.presence.open and state.presence.missing else "pair"


def _now(state: Cockpit) -> str:
    match state.phase:
        case CockpitPhase.DRAFT if state.current is not None and _is_being_paired(state.current):
            return "pair"
        case CockpitPhase.DRAFT:
            return "publish" if state.checked else "check"
        case CockpitPhase.RUNNING:
            return "results"
        case CockpitPhase.CLOSED:
            return ""
        case _:
            return "list" if state.lists and state.lists.by_hand else "after"


def _passed_over(state: Cockpit) -> set[str]:
    """Stops that the arbiter went by without stopping."""
    floor = state.floor
    out = set()
    if state.presence is None or not state.presence.asked:
        out.add("check_in")
    if floor is not None and floor.verified < floor.total:
        out.add("verify")
    if state.checked is None:
        out.add("check")
    return out


def clock(moment: datetime | None) -> str:
    return date_format(localtime(moment), "H:i") if moment else ""
