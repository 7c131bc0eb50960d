"""Crosstable, ARO list and players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from pairing.engine import Colour
from tournaments.models import Participant
from tournaments.queries.all_rounds import all_rounds as rounds_of
from tournaments.queries.aro_list import AroList, AroRow, aro_list
from tournaments.queries.crosstable import crosstable as whole_crosstable
from tournaments.queries.entries import PlayerRow, player_list
from tournaments.queries.results_table import results_table
from tournaments.text import folded
from tournaments.web.charts import Mark, SpreadRow, aro_spread
from tournaments.web.context import section_context
from tournaments.web.views.public.cells import crosstable_rows, number_rows
from tournaments.web.views.public.finding import by_name, find_key, keep_found, search_of
from tournaments.web.views.public.visits import Visit, any_text, one_of, visitor_page
from tournaments.web.words.completeness import missing_sentence
from tournaments.web.words.systems import aro_list_sentences
from tournaments.web.words.values import points_text


@visitor_page()
def crosstable(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show each player's rounds in one line; where everybody meets everybody, the results against each number."""
    if visit.section.fixed_rounds:
        return _results_table(request, visit)
    table = whole_crosstable(visit.section)
    context: dict[str, Any] = section_context(request, visit.section, "standings", None)
    context |= {"table": table, "state": missing_sentence(table.state), "rows": crosstable_rows(table)}
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


@visitor_page(by=one_of("name"), q=any_text)
def aro(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Show the ARO list before a round; without a number before the next or running round.

    By score group and ascending ARO, or by name (?by=name).
    """
    listed = aro_list(visit.section, number, include_drafts=visit.staff)
    context: dict[str, Any] = section_context(request, visit.section, "aro", listed.before_round)
    search = search_of(request)
    order = "name" if request.GET.get("by") == "name" else ""
    parts = [(None, by_name(listed.rows))] if order else [(group, group.rows) for group in listed.groups]
    found = [(group, _keep_aro_rows(rows, search)) for group, rows in parts]
    context |= {
        "list": listed,
        "state": missing_sentence(listed.state),
        "groups": [(group, rows) for group, rows in found if rows],
        "order": order,
        "picture": spread_picture(listed),
        "rule_sentences": aro_list_sentences(visit.section, listed.max_upfloats),
        "search": search,
    }
    return render(request, "public/aro.html", context)


def _keep_aro_rows(rows: Iterable[AroRow], search: str) -> list[tuple[AroRow, str]]:
    return keep_found([(row, find_key(row.name, row.tpn)) for row in rows], search)


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


ORDERS = {
    "tpn": lambda row: (row.tpn is None, row.tpn or 0),
    "name": lambda row: (folded(row.name), row.name),
    "rating": lambda row: (-row.rating, row.tpn or 0),
}


@visitor_page(by=one_of(*ORDERS), q=any_text)
def players(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show all entries by pairing number, name or rating (?by=)."""
    order = request.GET.get("by", "")
    order = order if order in ORDERS else "tpn"
    listed = [row for row in player_list(visit.section) if row.status != Participant.Status.EXPELLED]
    search = search_of(request)
    context: dict[str, Any] = section_context(request, visit.section, "players", None)
    context |= {
        "rows": keep_found([(row, _player_key(row)) for row in sorted(listed, key=ORDERS[order])], search),
        "order": order,
        "search": search,
        "active": sum(row.status == Participant.Status.ACTIVE for row in listed),
        "withdrawn": sum(row.status == Participant.Status.WITHDRAWN for row in listed),
    }
    return render(request, "public/players.html", context)


def _player_key(row: PlayerRow) -> str:
    return find_key(row.name, row.tpn, row.federation, row.club)
