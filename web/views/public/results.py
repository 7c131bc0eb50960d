"""The results of a round for everybody: by board, or the newest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Max, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Round
from tournaments.queries.pairings import BoardRow
from web.context import section_context
from web.views.public.finding import search_of
from web.views.public.pairings import boards_of, without_a_board
from web.views.public.parts import Keyed, part_number, part_of
from web.views.public.visits import Visit, about_round, any_text, one_of, poll_query, visitor_page

NEWEST = 5  # results at the head of the list while the round is played


@visitor_page(polled=True, by=one_of("newest"), part=part_number, q=any_text)
def results(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Results by board, or newest first (?by=newest); never of a draft.

    Without a number: the latest round that has a result. A round that is over therefore stays until the first
    result of the next one.
    """
    shown = latest_with_results(visit) if number is None else number
    context: dict[str, Any] = section_context(request, visit.section, "results", shown)
    context["search"] = search_of(request)
    if shown is None:
        return about_round(render(request, "public/no_round.html", context | {"of_results": True}), None)
    view, by_board = boards_of(visit, shown, drafts=False)
    order = "newest" if request.GET.get("by") == "newest" else ""
    newest = newest_first(view.boards)
    boards = _newest_keyed(newest, by_board) if order else by_board
    part = part_of(request, boards, "by")
    asks = number is None or view.is_published
    playing = view.missing > 0 and not order and not context["search"] and part.number == 1
    context |= {
        "round": view,
        "part": part,
        "byes": without_a_board(view, context["search"])["byes"] if part.is_last else [],
        "newest": newest[:NEWEST] if playing else [],
        "order": order,
        "poll": poll_query(visit.section, shown, part.shown) if asks else "",
        "later": _later_round(context["latest_round"], shown),
        "numbered": number is not None,
    }
    return about_round(render(request, "public/results.html", context), shown)


def _newest_keyed(newest: Iterable[BoardRow], boards: Sequence[Keyed[BoardRow]]) -> list[Keyed[BoardRow]]:
    """Return the newest results and then the open boards, each with its key."""
    keyed = {row.board: (row, key) for row, key in boards}
    return [*(keyed[row.board] for row in newest), *(each for each in boards if each[0].open)]


def latest_with_results(visit: Visit) -> int | None:
    """Number of the last published round with a result; without any result, of the last one. One query."""
    rounds = visit.section.played_rounds.exclude(state=Round.State.DRAFT)
    found = rounds.aggregate(latest=Max("number"), with_results=Max("number", filter=Q(games__result__gt="")))
    latest: int | None = found["with_results"] or found["latest"]
    return latest


def newest_first(boards: Iterable[BoardRow]) -> list[BoardRow]:
    """The boards with a result: those entered last come first, those without a time (imported) last, by board."""
    entered = [row for row in boards if not row.open]
    return sorted(entered, key=lambda row: (-row.entered_at.timestamp() if row.entered_at else 0, row.board))


def _later_round(latest: Round | None, shown: int) -> Round | None:
    """The latest round, if it comes after the one shown and is published."""
    return latest if latest is not None and latest.number > shown and not latest.is_draft else None
