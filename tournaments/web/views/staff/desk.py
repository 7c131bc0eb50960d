"""The cockpit: where the section stands, the one next step, and what blocks it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.models import Tournament
from tournaments.queries.desk import Desk, Phase
from tournaments.queries.desk import desk as desk_of
from tournaments.web.context import section_context, section_url
from tournaments.web.log_words import say_row
from tournaments.web.matters import say

from .access import asks_for_part, section_page

LAST_CHANGES = 6
SHOWN_BOARDS = 12  # of those without a result


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop on the way through a round. state: done, now or later."""

    label: str
    fact: str
    state: str


@section_page("GET", "HEAD")
def desk(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The cockpit. Asked by itself with the revision it shows: 204 while nothing has changed."""
    if asks_for_part(request) and request.GET.get("seen") == str(tournament.revision):
        return HttpResponse(status=204)
    return desk_page(request, tournament)


def desk_page(
    request: HttpRequest, tournament: Tournament, *, problem: str = "", status: int = 200
) -> HttpResponse:
    """The cockpit, with what was refused just now, if something was."""
    state = desk_of(tournament)
    current = state.current
    context = {
        **section_context(request, tournament, "desk", current.number if current else None),
        "desk": state,
        "round": current,
        "line": line(state),
        "blockers": [
            say(matter, tournament) for matter in state.blockers if matter.code != "results_missing"
        ],
        "notices": [say(matter, tournament) for matter in state.notices],
        "changes": [say_row(row) for row in state.log[:LAST_CHANGES]],
        "to_pair": state.active - len(state.requested),
        "missing": state.missing[:SHOWN_BOARDS],
        "more_missing": len(state.missing) - SHOWN_BOARDS,
        "paired": current.number if current else 0,
        "problem": problem,
    }
    template = "staff/desk.html#live" if asks_for_part(request) else "staff/desk.html"
    answer = render(request, template, context, status=status)
    if problem:  # the address of what was refused is no page that could be loaded again
        answer["HX-Push-Url"] = section_url("desk", tournament)
    return answer


def line(state: Desk) -> list[Stop]:
    """The stops of the round that is on: what is done, what is now, what comes."""
    current = state.current
    if current is None:
        drawn = all(matter.code != "no_initial_colour" for matter in state.blockers)
        players = all(matter.code != "too_few_players" for matter in state.blockers)
        labels = [
            (_("Players"), str(state.active)),
            (_("Initial-colour"), _("drawn") if drawn else _("to be drawn")),
            (_("Pair"), _("round %(number)s") % {"number": 1}),
            (_("Publish"), ""),
            (_("Results"), ""),
        ]
        here = 0 if not players else 1 if not drawn else 2
    else:
        labels = [
            (_("Pair"), clock(current.paired_at)),
            (_("Check"), _("%(count)s boards") % {"count": current.total}),
            (_("Publish"), clock(current.published_at)),
            (
                _("Results"),
                _("%(entered)s of %(total)s") % {"entered": current.entered, "total": current.total},
            ),
            _after(state),
        ]
        here = {Phase.DRAFT: 1, Phase.RUNNING: 3, Phase.CLOSED: len(labels)}.get(state.phase, 4)
    return [
        Stop(label, fact, "done" if place < here else "now" if place == here else "later")
        for place, (label, fact) in enumerate(labels)
    ]


def _after(state: Desk) -> tuple[str, str]:
    if state.phase is Phase.CLOSED:
        return _("Close"), _("closed")
    if state.next_round is None:
        return _("Close"), _("after the last round")
    return _("Round %(number)s") % {"number": state.next_round}, ""


def clock(moment: datetime | None) -> str:
    return date_format(localtime(moment), "H:i") if moment else ""
