"""The standings on the screen and on paper, with the sums of their values; crosstable, all rounds and players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from base.reader import READER
from base.text import alphabetical, isolated
from evenboard_engine import Colour, Outcome
from evenboard_engine.tiebreaks.parts import How, ValueParts
from evenboard_engine.tiebreaks.parts.sums import averaged
from evenboard_engine.words.sums import SumRow, SumsWords, SumTable
from tournaments.models import Participant, Round, Section
from tournaments.queries.crosstables import (
    Crosstable,
    CrosstableCell,
    CrosstableRow,
    ResultsTable,
    ResultsTableRow,
    crosstable,
    results_table,
)
from tournaments.queries.entries import PlayerRow, player_list
from tournaments.queries.field import load_field
from tournaments.queries.player_rounds import PlayerRound, player_rounds_of
from tournaments.queries.rounds import all_rounds as rounds_of
from tournaments.queries.row_cache import LazyRows
from tournaments.queries.standings import PlayerSums, SectionSums, StandingRow, StandingsTable, section_sums
from web.context import section_context
from web.views.public.lists import (
    UPWARDS,
    WHOLE,
    Keyed,
    find_key,
    keyed,
    pairing_number,
    part_number,
    part_of,
    search_of,
    worked_out,
)
from web.views.public.public_page import Visit, about_round, any_text, one_of, poll_query, visitor_page
from web.words.standings import missing_sentence, order_words
from web.words.values import bye_words, points_text, result_words

# The standings, on the screen and on paper.

STRIP_ROUNDS, STRIP_COLUMNS = 15, 8
"""With more rounds or more columns of tie-breaks, a list of standings has no strip of rounds. The crosstable has it."""
SHORT_STRIP = 9
THREE_DIGITS = 100
FEW_COLUMNS, SOME_COLUMNS = 3, 5


@dataclass(frozen=True, slots=True)
class StandingsLayout:
    """What a list of standings has room for. strip: the rounds as a strip. css: the classes of the table. frame: the
    table may be wider than the page, so it scrolls in a frame of its own.
    """

    strip: bool
    css: str
    frame: bool


def standings_layout(rounds: int, columns: int, players: int) -> StandingsLayout:
    """Return the layout for this number of rounds, of columns of tie-breaks, and of players."""
    if columns > STRIP_COLUMNS:
        return StandingsLayout(strip=False, css="most", frame=True)
    size = "few" if columns <= FEW_COLUMNS else "some" if columns <= SOME_COLUMNS else "many"
    length = " long" if rounds > SHORT_STRIP else ""
    length += " hundreds" if players >= THREE_DIGITS else ""
    return StandingsLayout(strip=0 < rounds <= STRIP_ROUNDS, css=f"{size}{length}", frame=False)


@dataclass(frozen=True, slots=True)
class PaperLayout:
    """What a sheet of standings has room for. strip: the rounds as a strip, with the opponents’ places if `places`;
    `far`: places of three digits. wide: the sheet is in landscape format. dense: in small type, with the names of the
    tie-breaks below the list.
    """

    strip: bool
    places: bool
    wide: bool
    dense: bool
    far: bool = False


UPRIGHT = 186
"""Millimetres between the margins of an A4 sheet in portrait format."""
OTHER_CELLS, NAME, TIE_BREAK, GAMES = 50, 48, 11.5, 11
"""Millimetres for place, federation, rating, points and TPN together, for a name, a tie-break, and the games."""
ROUND, ROUND_WITH_PLACE, ROUND_WITH_FAR_PLACE, STRIP_EDGES = 4.4, 9.4, 11, 3


def paper_layout(rounds: int, columns: int, players: int) -> PaperLayout:
    """Return the layout of a sheet for this number of rounds, of columns of tie-breaks and of players: in portrait
    format where it fits, even without the strip of rounds, which the crosstable has.
    """
    strip = 0 < rounds <= STRIP_ROUNDS and columns <= STRIP_COLUMNS
    free = UPRIGHT - OTHER_CELLS - NAME - TIE_BREAK * columns
    if free < GAMES:
        return PaperLayout(strip, places=False, wide=True, dense=columns > STRIP_COLUMNS)
    strip = strip and ROUND * rounds + STRIP_EDGES <= free
    far = players >= THREE_DIGITS
    width = ROUND_WITH_FAR_PLACE if far else ROUND_WITH_PLACE
    places = strip and width * rounds + STRIP_EDGES <= free
    return PaperLayout(strip, places, wide=False, dense=False, far=places and far)


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

    A long list is put in order here (?sort=rating, ?sort=-rating), a short one by static/js/standings_sort.js.
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
        ordered = LazyRows(in_order(table, sort), all_rows.__getitem__)
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


# The values of a player in the standings as sums, and those of all players on paper.

OF_POINTS = frozenset({"BH", "FB", "OTHER_MODMED", "OTHER_SOLKOFF"})
"""Sums of the points of the opponents, which the first table on the page of an opponent shows."""
WITH_POINTS = OF_POINTS | {"SB", "KS"}
"""Tie-breaks that look at the points of the opponents."""
UNPLAYED_COUNT = frozenset({"BH", "AOB", "SB"})
"""Tie-breaks in which a round without a game counts as article 16 says, also with Fore Buchholz."""


class OpenedSum(NamedTuple):
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
    return render(request, "public/standings_sums.html", context)


def _table(found: SectionSums, words: SumsWords, value: ValueParts) -> OpenedSum:
    """Return a value as a table. What is averaged and not in the list has its sums in the notes."""
    name = value.tie_break.name
    of_unplayed = name in UNPLAYED_COUNT and not found.fixed
    inside = averaged(value.tie_break)
    if inside is None:
        anchor = "#t0" if name in OF_POINTS else ""
        return OpenedSum(words.table(value), anchor, "#t0" if name in WITH_POINTS else "", of_unplayed)
    for place, rule in enumerate(found.table.tie_breaks, start=1):
        if replace(rule, text=inside.text) == inside:
            return OpenedSum(words.table(value), f"#t{place}", f"#t{place}", of_unplayed)
    return OpenedSum(words.table(value, partial(found.sums.of_opponent, inside)), "", "", of_unplayed)


def played_sums(visit: Visit, number: int | None) -> SectionSums:
    """Return the standings after a published round, with their parts. Raises Round.DoesNotExist without a result."""
    found = section_sums(visit.section, number)
    if not found.table.begun:
        raise Round.DoesNotExist("before the first result there are no values")
    return found


def sums_words(found: SectionSums) -> SumsWords:
    return SumsWords(lambda key: isolated(found.people[key].name), READER, found.adjourned)


def _neighbours(found: SectionSums, mine: PlayerSums, words: SumsWords) -> Iterator[Neighbour]:
    rows = {row.participant_id: row for row in found.table.rows}
    for between in (mine.above, mine.below):
        if between:
            other = between.above if between is mine.above else between.below
            yield Neighbour(rows[other], words.separation(between, mine.row.participant_id))


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


# What a player did in a round, as a cell of a crosstable or a line of a card.

SIGNS = {
    Outcome.WIN: "1",
    Outcome.DRAW: "½",
    Outcome.LOSS: "0",
    Outcome.FORFEIT_WIN: "+",
    Outcome.FORFEIT_LOSS: "–",
}


@dataclass(frozen=True, slots=True)
class RoundMark:
    """before: the opponent's place, or "bye". colour: of a game that was played or is open. sign: 1 ½ 0 + –.
    words: the same in words. certain: the result is known.
    """

    round: int
    before: str
    colour: Colour | None
    sign: str
    words: str
    certain: bool
    board: int | None
    adjourned: bool


def sign_of(turn: PlayerRound) -> str:
    """Return what the player scored, as tables show it; a dot while the game is open."""
    if turn.bye:
        return points_text(turn.gained)
    if turn.opponent is None:
        return "–"
    if turn.adjourned:
        return pgettext("short for adjourned", "adj.")
    return SIGNS[turn.outcome] if turn.outcome else "·"


def words_of(turn: PlayerRound, opponent: str, *, free: bool = False) -> str:
    """Say the turn in words: White against Lindqvist, Åke: Draw; or half-point bye; or not paired. free: as for
    `bye_words`.
    """
    if turn.bye:
        return bye_words(turn.bye, free=free)
    if turn.opponent is None or turn.colour is None:
        return _("not paired")
    result = result_words(turn.result) if turn.result else _("no result")
    about = {"opponent": isolated(opponent), "result": result}
    if turn.colour is Colour.WHITE:
        return _("White against %(opponent)s: %(result)s") % about
    return _("Black against %(opponent)s: %(result)s") % about


def rounds_of_player(section: Section, entry: Participant) -> list[tuple[PlayerRound, str, str, str]]:
    """Return the rounds of a player, each with its sign, its words and the name of the opponent. Four queries."""
    field = load_field(section, include_drafts=True)
    found = []
    for turn in player_rounds_of(field)(entry.pk):
        opponent = field.participants[turn.opponent].shown_name if turn.opponent else ""
        words = words_of(turn, opponent, free=section.fixed_rounds)
        found.append((turn, sign_of(turn), words, opponent))
    return found


def crosstable_rows(table: Crosstable) -> list[tuple[StandingRow, list[RoundMark]]]:
    """Return the rows of a crosstable, each with one mark for each round."""
    return [(row.standing, _marks(row)) for row in table.rows]


class NumberGame(NamedTuple):
    """A game in the table of all results. sign: what the player scored. words: the same in words, with the round."""

    turn: PlayerRound
    sign: str
    words: str


@dataclass(frozen=True, slots=True)
class NumberCell:
    """A cell of the table of all results: the games against one opponent, in order. words: all of them. own: the
    player's own column.
    """

    games: tuple[NumberGame, ...] = ()
    words: str = ""
    own: bool = False

    @property
    def sign(self) -> str:
        return " ".join(game.sign for game in self.games)


def number_rows(table: ResultsTable) -> list[tuple[ResultsTableRow, list[NumberCell]]]:
    """Return the rows of the table of all results, each with a cell for each pairing number."""
    names = [row.name for row in table.rows]
    return [
        (row, [_number_cell(turns, name) for turns, name in zip(row.cells, names, strict=True)])
        for row in table.rows
    ]


def _number_cell(turns: tuple[PlayerRound, ...] | None, opponent: str) -> NumberCell:
    if turns is None:
        return NumberCell(own=True)
    games = tuple(
        NumberGame(
            turn,
            sign_of(turn),
            _("round %(round)s: %(words)s") % {"round": turn.round, "words": words_of(turn, opponent)},
        )
        for turn in turns
    )
    return NumberCell(games, READER.listed(game.words for game in games))


def _marks(row: CrosstableRow) -> list[RoundMark]:
    return [_mark(cell) for cell in row.cells]


def _mark(cell: CrosstableCell) -> RoundMark:
    turn = cell.turn
    before = _("bye") if turn.bye else str(cell.place or "")
    return RoundMark(
        round=turn.round,
        before=before,
        colour=turn.colour if turn.played or turn.open else None,
        sign=sign_of(turn),
        words=words_of(turn, cell.opponent_name),
        certain=not (turn.open or turn.adjourned),
        board=turn.board,
        adjourned=turn.adjourned,
    )


# Crosstable, all rounds and players.


@visitor_page(part=part_number, player=pairing_number)
def crosstable_page(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show each player's rounds in one line; where everybody meets everybody, the results against each number."""
    if visit.section.fixed_rounds:
        return _results_table(request, visit)
    table, all_rows = table_of(visit, None)
    part = part_of(request, all_rows, number_of=number_of)
    rows = crosstable_rows(replace(table, rows=tuple(row for row, _key in part.rows)))
    context: dict[str, Any] = section_context(request, visit.section, "crosstable", None)
    context |= {"table": table, "state": missing_sentence(table.state), "rows": rows, "part": part}
    return render(request, "public/crosstables.html", context)


def _results_table(request: HttpRequest, visit: Visit) -> HttpResponse:
    table = results_table(visit.section)
    context: dict[str, Any] = section_context(request, visit.section, "crosstable", None)
    context |= {"table": table, "state": missing_sentence(table.state), "rows": number_rows(table)}
    return render(request, "public/crosstables_results_table.html", context)


@visitor_page()
def all_rounds(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show all rounds that the pairing numbers fix, and the rounds of each player."""
    found = rounds_of(visit.section, include_drafts=visit.staff)
    context: dict[str, Any] = section_context(request, visit.section, "rounds", None)
    context |= {"rounds": found.rounds, "players": found.players}
    return render(request, "public/rounds_all.html", context)


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
    return render(request, "public/entries.html", context)


def _player_key(row: PlayerRow) -> str:
    return find_key(row.name, row.tpn, row.federation, row.club)
