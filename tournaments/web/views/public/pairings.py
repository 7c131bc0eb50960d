"""The pairings of a round by board, with the results entered so far, and by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Round
from tournaments.queries.current import current_of, unfinished_rounds
from tournaments.queries.pairings import name_list, round_board_list
from tournaments.web.context import section_context
from tournaments.web.views.public.finding import by_name, find_key, keep_found, search_of
from tournaments.web.views.public.visits import Visit, about_round, any_text, poll_query, visitor_page


@visitor_page(polled=True, q=any_text)
def pairings(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Show a round by board; without a number the latest round."""
    shown = latest_round(visit) if number is None else number
    context: dict[str, Any] = section_context(request, visit.section, "pairings", shown)
    context["search"] = search_of(request)
    if shown is None:
        return about_round(render(request, "public/no_round.html", context), None)
    view = round_board_list(visit.section, shown, include_drafts=visit.staff)
    rows = [(row, find_key(row.board, row.white.name, row.black.name)) for row in view.boards]
    context |= {
        "round": view,
        "boards": keep_found(rows, context["search"]),
        "byes": keep_found([(row, find_key(row.side.name)) for row in view.byes], context["search"]),
        "out": keep_found(
            [(row, find_key(row.side.name)) for row in view.out if not row.withdrawn], context["search"]
        ),
        "poll": poll_query(visit.section, shown, search=context["search"]),
        "numbered": number is not None,
    }
    return about_round(render(request, "public/pairings.html", context), shown)


@visitor_page(q=any_text)
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
    context |= {"round": listed.round, "rows": keep_found(rows, context["search"])}
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
