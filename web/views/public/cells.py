"""What a player did in a round, as a cell of a crosstable or a line of a card."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from base.reader import READER
from base.text import isolated
from evenboard_engine import Colour, Outcome
from tournaments.queries.crosstable import Cell, Crosstable, CrosstableRow
from tournaments.queries.results_table import NumberRow, ResultsTable
from tournaments.queries.standings import StandingRow
from tournaments.queries.turns import Turn
from web.words.values import bye_words, points_text, result_words

SIGNS = {
    Outcome.WIN: "1",
    Outcome.DRAW: "½",
    Outcome.LOSS: "0",
    Outcome.FORFEIT_WIN: "+",
    Outcome.FORFEIT_LOSS: "–",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """before: the opponent's place, or "bye". colour: of a game that was played or is open. sign: 1 ½ 0 + –.
    words: the same in words. certain: the result is known.
    """

    round: int
    before: str
    colour: Colour | None
    sign: str
    words: str
    certain: bool


def sign_of(turn: Turn) -> str:
    """Return what the player scored, as tables show it; a dot while the game is open."""
    if turn.bye:
        return points_text(turn.gained)
    if turn.opponent is None:
        return "–"
    if turn.adjourned:
        return pgettext("short for adjourned", "adj.")
    return SIGNS[turn.outcome] if turn.outcome else "·"


def words_of(turn: Turn, opponent: str, *, free: bool = False) -> str:
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


def crosstable_rows(table: Crosstable) -> list[tuple[StandingRow, list[Mark]]]:
    """Return the rows of a crosstable, each with one mark for each round."""
    return [(row.standing, _marks(row)) for row in table.rows]


@dataclass(frozen=True, slots=True)
class NumberCell:
    """A cell of the table of all results. sign: what the player scored against one opponent, a game after the other.

    words: the same in words. own: the player's own column.
    """

    sign: str
    words: str
    own: bool = False


def number_rows(table: ResultsTable) -> list[tuple[NumberRow, list[NumberCell]]]:
    """Return the rows of the table of all results, each with a cell for each pairing number."""
    names = [row.name for row in table.rows]
    return [
        (row, [_number_cell(turns, name) for turns, name in zip(row.cells, names, strict=True)])
        for row in table.rows
    ]


def _number_cell(turns: tuple[Turn, ...] | None, opponent: str) -> NumberCell:
    if turns is None:
        return NumberCell("", "", own=True)
    words = (
        _("round %(round)s: %(words)s") % {"round": turn.round, "words": words_of(turn, opponent)}
        for turn in turns
    )
    return NumberCell(" ".join(map(sign_of, turns)), READER.listed(words))


def _marks(row: CrosstableRow) -> list[Mark]:
    return [_mark(cell) for cell in row.cells]


def _mark(cell: Cell) -> Mark:
    turn = cell.turn
    before = _("bye") if turn.bye else str(cell.place or "")
    return Mark(
        round=turn.round,
        before=before,
        colour=turn.colour if turn.played or turn.open else None,
        sign=sign_of(turn),
        words=words_of(turn, cell.opponent_name),
        certain=not (turn.open or turn.adjourned),
    )
