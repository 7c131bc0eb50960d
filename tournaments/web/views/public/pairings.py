"""The pairings of a round by board, with the results entered so far, and by name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRefresh

from pairing.engine import ByeKind, Colour, Result
from tournaments.models import Round
from tournaments.queries.field import Side
from tournaments.queries.pairings import BoardRow, RoundView, name_list, round_board_list
from tournaments.web.context import section_context
from tournaments.web.views.public.finding import by_name, find_key, keep_found, search_of
from tournaments.web.views.public.visits import Visit, section_page


@dataclass(frozen=True, slots=True)
class MyGame:
    """The visitor's own round: a board and an opponent, or a bye, or neither."""

    me: Side
    board: int | None = None
    colour: Colour | None = None
    opponent: Side | None = None
    result: Result | None = None
    bye: ByeKind | None = None


@section_page
def pairings(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Show a round by board; without a number the latest round."""
    shown = latest_round(visit) if number is None else number
    answer = answer_to_open_page(request, visit, shown)
    if answer is not None:
        return answer
    context: dict[str, Any] = section_context(request, visit.section, "pairings", shown)
    context["search"] = search_of(request)
    if shown is None:
        return render(request, "public/no_round.html", context)
    view = round_board_list(visit.section, shown, include_drafts=visit.staff)
    rows = [(row, find_key(row.board, row.white.name, row.black.name)) for row in view.boards]
    context |= {
        "round": view,
        "boards": keep_found(rows, context["search"]),
        "byes": keep_found([(row, find_key(row.side.name)) for row in view.byes], context["search"]),
        "out": keep_found(
            [(row, find_key(row.side.name)) for row in view.out if not row.withdrawn], context["search"]
        ),
        "my_game": my_game(view, visit.me),
        "me": visit.me,
        "numbered": number is not None,
    }
    return render(request, "public/pairings.html#live" if request.htmx else "public/pairings.html", context)


@section_page
def names(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Show a round by name. A player who looks for a board first looks for a name."""
    shown = latest_round(visit) if number is None else number
    context: dict[str, Any] = section_context(request, visit.section, "names", shown)
    context["tabs"] = [replace(tab, current=tab.key == "pairings") for tab in context["tabs"]]
    context["search"] = search_of(request)
    if shown is None:
        return render(request, "public/no_round.html", context)
    listed = name_list(visit.section, shown, include_drafts=visit.staff)
    rows = [(row, find_key(row.name, row.board)) for row in by_name(listed.rows)]
    context |= {"round": listed.round, "rows": keep_found(rows, context["search"]), "me": visit.me}
    return render(request, "public/names.html", context)


def answer_to_open_page(request: HttpRequest, visit: Visit, shown: int | None) -> HttpResponse | None:
    """Answer an open page that asks for news. It sends what it shows: `seen` (the revision) and `round`.

    204 if nothing has changed; a reload if the page now shows another round. Returns None if the page needs its
    rows, or if the request is an ordinary one.
    """
    if not request.htmx or "seen" not in request.GET:
        return None
    if request.GET["seen"] == str(visit.section.revision):
        return HttpResponse(status=204)
    if request.GET.get("round") != str(shown or ""):
        return HttpResponseClientRefresh()
    return None


def latest_round(visit: Visit) -> int | None:
    """Return the number of the last round that the visitor may see. One query."""
    rounds = visit.section.played_rounds.all()
    if not visit.staff:
        rounds = rounds.exclude(state=Round.State.DRAFT)
    return rounds.aggregate(latest=Max("number"))["latest"]


def my_game(view: RoundView, me: int | None) -> MyGame | None:
    """Return the visitor's own line of the round, or None if the visitor is not known or is not in the round."""
    if me is None:
        return None
    for row in view.boards:
        if row.white.participant_id == me:
            return _at_board(row, row.white, Colour.WHITE, row.black)
        if row.black.participant_id == me:
            return _at_board(row, row.black, Colour.BLACK, row.white)
    for bye in view.byes:
        if bye.side.participant_id == me:
            return MyGame(me=bye.side, bye=bye.kind)
    for out in view.out:
        if out.side.participant_id == me:
            return MyGame(me=out.side)
    return None


def _at_board(row: BoardRow, me: Side, colour: Colour, opponent: Side) -> MyGame:
    return MyGame(me=me, board=row.board, colour=colour, opponent=opponent, result=row.result)
