"""Crosstable, ARO list and players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from pairing.engine import Colour
from tournaments.models import Participant
from tournaments.queries.all_rounds import all_rounds as rounds_of
from tournaments.queries.aro_list import AroGroup, AroList, AroRow, aro_list
from tournaments.queries.entries import PlayerRow, player_list
from tournaments.queries.results_table import results_table
from tournaments.text import folded
from tournaments.web.charts import Mark, SpreadRow, aro_spread
from tournaments.web.context import section_context
from tournaments.web.views.public.cells import crosstable_rows, number_rows
from tournaments.web.views.public.finding import by_name, find_key, search_of
from tournaments.web.views.public.parts import Keyed, part_number, part_of, worked_out
from tournaments.web.views.public.standings import table_of
from tournaments.web.views.public.visits import Visit, any_text, one_of, visitor_page
from tournaments.web.words.completeness import missing_sentence
from tournaments.web.words.systems import aro_list_sentences
from tournaments.web.words.values import points_text


@visitor_page(part=part_number)
def crosstable(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show each player's rounds in one line; where everybody meets everybody, the results against each number."""
    if visit.section.fixed_rounds:
        return _results_table(request, visit)
    table, keyed = table_of(visit, None)
    part = part_of(request, keyed)
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


@visitor_page(by=one_of("name"), part=part_number, q=any_text)
def aro(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Show the ARO list before a round; without a number before the next or running round.

    By score group and ascending ARO, or by name (?by=name).
    """
    order = "name" if request.GET.get("by") == "name" else ""
    listed, rows = aro_rows(visit, number, order)
    context: dict[str, Any] = section_context(request, visit.section, "aro", listed.before_round)
    part = part_of(request, rows, "by")
    groups = groupby(part.rows, key=lambda found: found[0][0])
    context |= {
        "list": listed,
        "state": missing_sentence(listed.state),
        "groups": [(group, [(row, key) for (_group, row), key in found]) for group, found in groups],
        "part": part,
        "order": order,
        "picture": "" if part.long else spread_picture(listed),
        "rule_sentences": aro_list_sentences(visit.section, listed.max_upfloats),
        "search": search_of(request),
    }
    return render(request, "public/aro.html", context)


def aro_rows(
    visit: Visit, number: int | None, order: str
) -> tuple[AroList, list[Keyed[tuple[AroGroup | None, AroRow]]]]:
    """Return the ARO list and its rows, each with its group and its key. order: "name"; then no row has a group."""

    def make() -> tuple[AroList, list[Keyed[tuple[AroGroup | None, AroRow]]]]:
        listed = aro_list(visit.section, number, include_drafts=visit.staff)
        parts = [(None, by_name(listed.rows))] if order else [(each, each.rows) for each in listed.groups]
        rows = [(group, row) for group, rows in parts for row in rows]
        return listed, [((group, row), find_key(row.name, row.tpn)) for group, row in rows]

    return worked_out(visit, ("aro", number, order), make, lambda found: len(found[1]))


def spread_picture(listed: AroList) -> str:
    """Draw the spread of ARO in each scoregroup as SVG. Returns "" before anybody has played."""
    rows = [
        SpreadRow(
            label=points_text(group.points),
            count=group.players,
            marks=tuple(
                Mark(round(row.aro), white=row.due is not None and row.due.colour is Colour.WHITE)
                for row in group.rows
                if row.games and not row.withdrawn
            ),
        )
        for group in listed.groups
        if group.players
    ]
    title = _(
        "ARO of every player, a line for each score group; squares above it are due White, below it Black"
    )
    return aro_spread(rows, title=title)


ORDERS: dict[str, Callable[[PlayerRow], Any]] = {
    "tpn": lambda row: (row.tpn is None, row.tpn or 0),
    "name": lambda row: (folded(row.name), row.name),
    "rating": lambda row: (-row.rating, row.tpn or 0),
}


@visitor_page(by=one_of(*ORDERS), part=part_number, q=any_text)
def players(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show all entries by pairing number, name or rating (?by=)."""
    order = request.GET.get("by", "")
    order = order if order in ORDERS else "tpn"

    def make() -> list[Keyed[PlayerRow]]:
        listed = [row for row in player_list(visit.section) if row.status != Participant.Status.EXPELLED]
        return [(row, _player_key(row)) for row in sorted(listed, key=ORDERS[order])]

    listed = worked_out(visit, ("players", order), make, len)
    context: dict[str, Any] = section_context(request, visit.section, "players", None)
    context |= {
        "part": part_of(request, listed, "by"),
        "order": order,
        "search": search_of(request),
        "active": sum(row.status == Participant.Status.ACTIVE for row, _key in listed),
        "withdrawn": sum(row.status == Participant.Status.WITHDRAWN for row, _key in listed),
    }
    return render(request, "public/players.html", context)


def _player_key(row: PlayerRow) -> str:
    return find_key(row.name, row.tpn, row.federation, row.club)
