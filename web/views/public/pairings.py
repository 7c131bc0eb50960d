"""The pairings of a round by board, with the results entered so far, and by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Round
from tournaments.queries.current import current_of, unfinished_rounds
from tournaments.queries.pairings import BoardRow, NameRow, RoundView, names_of, round_board_list
from web.context import section_context
from web.views.public.finding import by_name, find_key, keep_found, search_of
from web.views.public.parts import Keyed, keyed, pairing_number, part_number, part_of, worked_out
from web.views.public.visits import Visit, about_round, any_text, poll_query, visitor_page


@visitor_page(polled=True, part=part_number, q=any_text)
def pairings(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Show a round by board; without a number the latest round."""
    shown = latest_round(visit) if number is None else number
    context: dict[str, Any] = section_context(request, visit.section, "pairings", shown)
    context["search"] = search_of(request)
    if shown is None:
        return about_round(render(request, "public/no_round.html", context), None)
    view, boards = boards_of(visit, shown)
    part = part_of(request, boards)
    asks = number is None or view.is_published
    context |= {"round": view, "part": part}
    context["poll"] = poll_query(visit.section, shown, part.shown) if asks else ""
    context |= without_a_board(view, context["search"]) if part.is_last else {}
    return about_round(render(request, "public/pairings.html", context), shown)


def boards_of(
    visit: Visit, number: int, *, drafts: bool = True
) -> tuple[RoundView, Sequence[Keyed[BoardRow]]]:
    """Return a round and its boards, each with its key. drafts: also of a draft, if the visitor may see it."""

    drafts = visit.staff and drafts

    def make() -> tuple[RoundView, Sequence[Keyed[BoardRow]]]:
        view = round_board_list(visit.section, number, include_drafts=drafts)
        return view, keyed(view.boards, lambda row: find_key(row.board, row.white.name, row.black.name))

    return worked_out(visit, ("boards", number, drafts), make, lambda found: len(found[1]))


def without_a_board(view: RoundView, search: str) -> dict[str, Any]:
    """Return the players with a bye and those who are out, without those who have withdrawn."""
    out = [row for row in view.out if not row.withdrawn]
    return {
        "byes": keep_found([(row, find_key(row.side.name)) for row in view.byes], search),
        "out": keep_found([(row, find_key(row.side.name)) for row in out], search),
    }


@visitor_page(part=part_number, player=pairing_number, q=any_text)
def names(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Show a round by name. A player who looks for a board first looks for a name."""
    shown = latest_round(visit) if number is None else number
    context: dict[str, Any] = section_context(request, visit.section, "names", shown)
    context["tabs"] = [replace(tab, current=tab.key == "pairings") for tab in context["tabs"]]
    context["search"] = search_of(request)
    if shown is None:
        return render(request, "public/no_round.html", context)

    view, _boards = boards_of(visit, shown)

    def make() -> Sequence[Keyed[NameRow]]:
        return keyed(by_name(names_of(view).rows), lambda row: find_key(row.name, row.board))

    listed = worked_out(visit, ("names", shown), make, len)
    context |= {"round": view, "part": part_of(request, listed, number_of=lambda row: row.tpn)}
    return render(request, "public/names.html", context)


def latest_round(visit: Visit) -> int | None:
    """Return the number of the round that the visitor looks for, None without one. One query; two for fixed rounds."""
    rounds = visit.section.played_rounds.all()
    if not visit.staff:
        rounds = rounds.exclude(state=Round.State.DRAFT)
    if visit.section.fixed_rounds:
        current = current_of(visit.section, list(rounds.order_by("number")), unfinished_rounds(visit.section))
        return current.number if current else None
    latest: int | None = rounds.aggregate(latest=Max("number"))["latest"]
    return latest
