"""The standings, on the screen and on paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from base.text import alphabetical
from tournaments.queries.crosstable import Crosstable, CrosstableRow, crosstable
from tournaments.queries.on_demand import OnDemand
from tournaments.queries.standings import StandingsTable
from web.context import section_context
from web.views.public.cells import crosstable_rows
from web.views.public.finding import find_key, search_of
from web.views.public.parts import (
    UPWARDS,
    WHOLE,
    Keyed,
    keyed,
    pairing_number,
    part_number,
    part_of,
    worked_out,
)
from web.views.public.visits import (
    Visit,
    about_round,
    any_text,
    one_of,
    poll_query,
    visitor_page,
)
from web.words.completeness import missing_sentence
from web.words.ties import order_words

STRIP_ROUNDS, STRIP_COLUMNS = 15, 8
"""With more rounds or more columns of tie-breaks, a list of standings has no strip of rounds. The crosstable has it."""
SHORT_STRIP = 9
THREE_DIGITS = 100
FEW_COLUMNS, SOME_COLUMNS = 3, 5


@dataclass(frozen=True, slots=True)
class Layout:
    """What a list of standings has room for. strip: the rounds as a strip. css: the classes of the table. frame: the
    table may be wider than the page, so it scrolls in a frame of its own.
    """

    strip: bool
    css: str
    frame: bool


def standings_layout(rounds: int, columns: int, players: int) -> Layout:
    """Return the layout for this number of rounds, of columns of tie-breaks, and of players."""
    if columns > STRIP_COLUMNS:
        return Layout(strip=False, css="most", frame=True)
    size = "few" if columns <= FEW_COLUMNS else "some" if columns <= SOME_COLUMNS else "many"
    length = " long" if rounds > SHORT_STRIP else ""
    length += " hundreds" if players >= THREE_DIGITS else ""
    return Layout(strip=0 < rounds <= STRIP_ROUNDS, css=f"{size}{length}", frame=False)


@dataclass(frozen=True, slots=True)
class PaperLayout:
    """What a sheet of standings has room for. strip: the rounds as a strip, with the opponents’ places if `places`.
    wide: the sheet is in landscape format. dense: in small type, with the names of the tie-breaks below the list.
    """

    strip: bool
    places: bool
    wide: bool
    dense: bool


def paper_layout(rounds: int, columns: int) -> PaperLayout:
    """Return the layout of a sheet for this number of rounds and of columns of tie-breaks."""
    strip = 0 < rounds <= STRIP_ROUNDS and columns <= STRIP_COLUMNS
    wide = columns > SOME_COLUMNS if not strip else columns > FEW_COLUMNS or rounds > SHORT_STRIP
    places = strip and wide and rounds <= SHORT_STRIP and columns <= SOME_COLUMNS
    return PaperLayout(strip, places, wide, dense=columns > STRIP_COLUMNS)


MOST_TIE_BREAKS = 60
SORTS = (*sorted(UPWARDS), "rating", "games", "points", *(f"t{at}" for at in range(MOST_TIE_BREAKS)))


@visitor_page(
    polled=True,
    sort=one_of(*SORTS, *(f"-{column}" for column in SORTS)),
    part=part_number,
    player=pairing_number,
    q=any_text,
)
def standings(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Show the standings after a round; without a number as they are now.

    A long list is put in order here (?sort=rating, ?sort=-rating), a short one by static/js/sort.js.
    """
    found, all_rows = table_of(visit, number)
    table = found.standings
    # All rounds together are not the standings after the last one while some of them are still to be played.
    shown = None if table.state.spread else table.after_round or None
    context: dict[str, Any] = section_context(request, visit.section, "standings", shown)
    search = search_of(request)
    layout = standings_layout(len(found.rounds), len(table.columns), len(table.rows))
    sort = request.GET.get("sort", "") if len(all_rows) > WHOLE else ""
    ordered = all_rows
    if sort:
        ordered = OnDemand(in_order(table, sort), all_rows.__getitem__)
    part = part_of(request, ordered, *(["sort"] if sort else []), number_of=number_of)
    shown_rows = crosstable_rows(replace(found, rows=tuple(row for row, _key in part.rows)))
    keys = [key for _row, key in part.rows]
    context |= {"table": table, "state": missing_sentence(table.state), "order": order_words(visit.section)}
    context |= {"rows": [(*row, key) for row, key in zip(shown_rows, keys, strict=True)], "search": search}
    context |= {"layout": layout, "rounds": found.rounds, "part": part, "sort": sort or "place"}
    if table.state.open or not (number or table.final):
        context["poll"] = poll_query(visit.section, table.after_round, part.shown)
    return about_round(render(request, "public/standings.html", context), table.after_round)


def number_of(row: CrosstableRow) -> int | None:
    """Return the pairing number of the player of a row."""
    return row.standing.tpn


def table_of(visit: Visit, number: int | None) -> tuple[Crosstable, Sequence[Keyed[CrosstableRow]]]:
    """Return the crosstable after a round and its rows, each with its key."""

    def make() -> tuple[Crosstable, Sequence[Keyed[CrosstableRow]]]:
        found = crosstable(visit.section, number)
        return found, keyed(found.rows, lambda row: find_key(row.standing.name, row.standing.place))

    return worked_out(visit, ("crosstable", number), make, lambda found: len(found[1]))


def in_order(table: StandingsTable, sort: str) -> list[int]:
    """Return where the rows are, by a column of SORTS, `-` for the other direction. Rows without a value are last;
    equal ones are in the order of the places.
    """
    column = sort.removeprefix("-")
    values = _values(table, column)
    missing = [at for at, value in enumerate(values) if value in (None, "")]
    others = [at for at, value in enumerate(values) if value not in (None, "")]
    downwards = (column in UPWARDS) == sort.startswith("-")
    return [*sorted(others, key=values.__getitem__, reverse=downwards), *missing]


def _values(table: StandingsTable, column: str) -> list[Any]:
    """Return the values of a column of SORTS."""
    if column[1:].isdigit():
        at = int(column[1:])
        return [values[at] if at < len(values) else None for values in table.column("values")]
    if column == "name":
        return list(map(alphabetical, table.column("shown_name")))
    if column == "rating":
        return [rating or None for rating in table.column("rating")]
    return table.column({"number": "tpn", "federation": "player.federation"}.get(column, column))
