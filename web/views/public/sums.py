"""The values of a player in the standings as sums, and those of all players on paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from base.reader import READER
from base.text import isolated
from evenboard_engine.tiebreaks.parts import How, Separation, ValueParts, averaged
from evenboard_engine.words.sums import SumRow, SumsWords, SumTable
from tournaments.models import Round
from tournaments.queries.standings import StandingRow
from tournaments.queries.sums import PlayerSums, SectionSums, section_sums
from web.context import section_context
from web.views.public.visits import Visit, visitor_page
from web.words.completeness import missing_sentence
from web.words.ties import order_words

OF_POINTS = frozenset({"BH", "FB", "OTHER_MODMED", "OTHER_SOLKOFF"})
"""Sums of the points of the opponents, which the first table on the page of an opponent shows."""
WITH_POINTS = OF_POINTS | {"SB", "KS"}
"""Tie-breaks that look at the points of the opponents."""
UNPLAYED_COUNT = frozenset({"BH", "AOB", "SB"})
"""Tie-breaks in which a round without a game counts as article 16 says, also with Fore Buchholz."""


class Opened(NamedTuple):
    """A value as a table. anchor: where on the page of an opponent the number is that a round counts, "" if it is not
    there. named: where the name of an opponent leads to, "" for the top. of_unplayed: article 16 says how its rounds
    without a game count.
    """

    table: SumTable
    anchor: str
    named: str
    of_unplayed: bool


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The player in the line above or below. place: of the neighbour. sentence: what separates the two."""

    row: StandingRow
    sentence: str


@visitor_page()
def sums(request: HttpRequest, visit: Visit, number: int, tpn: int) -> HttpResponse:
    """Show each value of a player in the standings after a round, and what it is made of."""
    found = played_sums(visit, number)
    mine = found.of_number(tpn)
    if mine is None:
        raise Http404
    words = sums_words(found)
    shown = None if found.table.state.spread else number
    context: dict[str, Any] = section_context(request, visit.section, "standings", shown)
    context |= {"table": found.table, "state": missing_sentence(found.table.state)}
    context["capped"] = found.capped
    context |= {"row": mine.row, "people": found.people, "order": order_words(visit.section)}
    tables = [_table(found, words, value) for value in mine.values]
    context["tables"] = tables
    context["unplayed"] = any(opened.of_unplayed for opened in tables)
    context["neighbours"] = list(_neighbours(found, mine, words))
    context["placed"] = found.table.places.keys()
    return render(request, "public/sums.html", context)


def _table(found: SectionSums, words: SumsWords, value: ValueParts) -> Opened:
    """Return a value as a table. What is averaged and not in the list has its sums in the notes."""
    name = value.tie_break.name
    of_unplayed = name in UNPLAYED_COUNT and not found.fixed
    inside = averaged(value.tie_break)
    if inside is None:
        anchor = "#t0" if name in OF_POINTS else ""
        return Opened(words.table(value), anchor, "#t0" if name in WITH_POINTS else "", of_unplayed)
    for place, rule in enumerate(found.table.tie_breaks, start=1):
        if replace(rule, text=inside.text) == inside:
            return Opened(words.table(value), f"#t{place}", f"#t{place}", of_unplayed)
    return Opened(words.table(value, partial(found.sums.of_opponent, inside)), "", "", of_unplayed)


def played_sums(visit: Visit, number: int | None) -> SectionSums:
    """Return the standings after a published round, with their parts. Raises Round.DoesNotExist before round 1."""
    found = section_sums(visit.section, number)
    if not found.table.after_round:
        raise Round.DoesNotExist("before round 1 there are no values")
    return found


def sums_words(found: SectionSums) -> SumsWords:
    """Return the words for the values of a section."""
    return SumsWords(lambda key: isolated(found.people[key].name), READER, found.adjourned)


def _neighbours(found: SectionSums, mine: PlayerSums, words: SumsWords) -> Iterator[Neighbour]:
    rows = {row.participant_id: row for row in found.table.rows}
    for between, other in ((mine.above, _upper), (mine.below, _lower)):
        if between:
            yield Neighbour(rows[other(between)], words.separation(between, mine.row.participant_id))


def _upper(between: Separation) -> int:
    return between.above


def _lower(between: Separation) -> int:
    return between.below


def sums_on_paper(visit: Visit, number: int | None) -> dict[str, Any]:
    """Return the values of all players for paper: for each player the games, then a line for each tie-break."""
    found = played_sums(visit, number)
    words = sums_words(found)
    players: list[tuple[StandingRow, tuple[SumRow, ...], list[SumTable]]] = []
    for at in range(len(found.table.rows)):
        mine = found.of(at)
        opened = [value for value in mine.values[1:] if value.parts or value.value is not None]
        tables = [words.table(value) for value in opened if value.how is not How.OWN]
        players.append((mine.row, words.table(mine.values[0]).rows, tables))
    rounds = range(1, found.table.after_round + 1)
    places = found.table.places
    width = len(rounds) + 2
    return {"table": found.table, "players": players, "places": places, "rounds": rounds, "width": width}
