"""The standings, on the screen and on paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.queries.crosstable import crosstable
from tournaments.web.context import section_context
from tournaments.web.views.public.cells import crosstable_rows
from tournaments.web.views.public.finding import find_key, keep_found, search_of
from tournaments.web.views.public.visits import Visit, about_round, any_text, poll_query, visitor_page
from tournaments.web.words.completeness import missing_sentence
from tournaments.web.words.ties import order_words

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
    wide: the sheet is in landscape format.
    """

    strip: bool
    places: bool
    wide: bool


def paper_layout(rounds: int, columns: int) -> PaperLayout:
    """Return the layout of a sheet for this number of rounds and of columns of tie-breaks."""
    strip = 0 < rounds <= STRIP_ROUNDS and columns <= STRIP_COLUMNS
    wide = columns > SOME_COLUMNS if not strip else columns > FEW_COLUMNS or rounds > SHORT_STRIP
    return PaperLayout(strip, strip and wide and rounds <= SHORT_STRIP and columns <= SOME_COLUMNS, wide)


@visitor_page(polled=True, q=any_text)
def standings(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Show the standings after a round; without a number as they are now."""
    found = crosstable(visit.section, number)
    table = found.standings
    # All rounds together are not the standings after the last one while some of them are still to be played.
    shown = None if table.state.spread else table.after_round or None
    context: dict[str, Any] = section_context(request, visit.section, "standings", shown)
    search = search_of(request)
    layout = standings_layout(len(found.rounds), len(table.columns), len(table.rows))
    rows = [((row, marks), find_key(row.name, row.place)) for row, marks in crosstable_rows(found)]
    context |= {"table": table, "state": missing_sentence(table.state), "order": order_words(visit.section)}
    context |= {"rows": [(*row, key) for row, key in keep_found(rows, search)], "search": search}
    context |= {"layout": layout, "rounds": found.rounds}
    if table.state.open or not (number or table.final):
        context["poll"] = poll_query(visit.section, table.after_round, search=search)
    return about_round(render(request, "public/standings.html", context), table.after_round)
