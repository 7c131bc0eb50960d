"""Crosstable, all rounds and players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from base.text import alphabetical
from tournaments.models import Participant
from tournaments.queries.all_rounds import all_rounds as rounds_of
from tournaments.queries.entries import PlayerRow, player_list
from tournaments.queries.results_table import results_table
from web.context import section_context
from web.views.public.cells import crosstable_rows, number_rows
from web.views.public.finding import find_key, search_of
from web.views.public.parts import Keyed, keyed, pairing_number, part_number, part_of, worked_out
from web.views.public.standings import number_of, table_of
from web.views.public.visits import Visit, any_text, one_of, visitor_page
from web.words.completeness import missing_sentence


@visitor_page(part=part_number, player=pairing_number)
def crosstable(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show each player's rounds in one line; where everybody meets everybody, the results against each number."""
    if visit.section.fixed_rounds:
        return _results_table(request, visit)
    table, all_rows = table_of(visit, None)
    part = part_of(request, all_rows, number_of=number_of)
    rows = crosstable_rows(replace(table, rows=tuple(row for row, _key in part.rows)))
    context: dict[str, Any] = section_context(request, visit.section, "standings", None)
    context |= {"table": table, "state": missing_sentence(table.state), "rows": rows, "part": part}
    return render(request, "public/crosstable.html", context)


def _results_table(request: HttpRequest, visit: Visit) -> HttpResponse:
    table = results_table(visit.section)
    context: dict[str, Any] = section_context(request, visit.section, "standings", None)
    context |= {"table": table, "state": missing_sentence(table.state), "rows": number_rows(table)}
    return render(request, "public/results_table.html", context)


@visitor_page()
def all_rounds(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show all rounds that the pairing numbers fix, and the rounds of each player."""
    found = rounds_of(visit.section, include_drafts=visit.staff)
    context: dict[str, Any] = section_context(request, visit.section, "rounds", None)
    context |= {"rounds": found.rounds, "players": found.players}
    return render(request, "public/all_rounds.html", context)


ORDERS: dict[str, Callable[[PlayerRow], Any]] = {
    "tpn": lambda row: (row.tpn is None, row.tpn or 0),
    "name": lambda row: (alphabetical(row.name), row.name),
    "rating": lambda row: (-row.rating, row.tpn or 0),
}


@visitor_page(by=one_of(*ORDERS), part=part_number, player=pairing_number, q=any_text)
def players(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show all entries by pairing number, name or rating (?by=)."""
    order = request.GET.get("by", "")
    order = order if order in ORDERS else "tpn"

    def make() -> Sequence[Keyed[PlayerRow]]:
        listed = [row for row in player_list(visit.section) if row.status != Participant.Status.EXPELLED]
        return keyed(sorted(listed, key=ORDERS[order]), _player_key)

    listed = worked_out(visit, ("players", order), make, len)
    context: dict[str, Any] = section_context(request, visit.section, "players", None)
    context |= {
        "part": part_of(request, listed, "by", number_of=lambda row: row.tpn),
        "order": order,
        "search": search_of(request),
        "active": sum(row.status == Participant.Status.ACTIVE for row, _key in listed),
        "withdrawn": sum(row.status == Participant.Status.WITHDRAWN for row, _key in listed),
    }
    return render(request, "public/players.html", context)


def _player_key(row: PlayerRow) -> str:
    return find_key(row.name, row.tpn, row.federation, row.club)
