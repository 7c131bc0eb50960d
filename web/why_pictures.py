"""The pictures of "Why this pairing?": S1 beside G2 with the pairs as lines, and the sides of all brackets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.safestring import SafeString

from evenboard_engine import Colour
from evenboard_engine.trace import BracketTrace, PairTrace, RoundTrace
from evenboard_engine.words.explanation import ExplanationColumn, Words
from tournaments.queries.explanation import RoundExplanation
from tournaments.queries.field import Side

from .float_chart import Arrow, float_chart
from .row_chart import Place, pair_lines, two_sides

ALL_ROWS = 12  # a bracket with more is cut around the pair in question
AROUND = 3  # rows before and after it
Address = Callable[[int], str]
"""Returns the page of a player, by key."""
DUE = {Colour.WHITE: "w", Colour.BLACK: "b"}


@dataclass(frozen=True, slots=True)
class Seat:
    """A player in a column. here: of the pair in question. url: of the page that explains the player's pairing."""

    side: Side
    aro: float
    colour: Colour
    here: bool
    url: str

    @property
    def surname(self) -> str:
        return self.side.name.partition(",")[0]


@dataclass(frozen=True, slots=True)
class Picture:
    """rows: of S1 and of G2 in its untouched order, who need not meet. above, below: how many rows are not shown."""

    rows: tuple[tuple[Seat, Seat], ...]
    lines: SafeString
    above: int
    below: int
    columns: tuple[ExplanationColumn, ExplanationColumn]


def match_picture(
    found: RoundExplanation,
    bracket: BracketTrace,
    words: Words,
    address: Address,
    picked: PairTrace | None = None,
    *,
    whole: bool = True,
) -> Picture:
    """A bracket, with a pair to stand out. whole: all its rows; else those around the pair. address: see `Seat.url`."""
    aro = {member.id: member.aro for member in (*bracket.g1, *bracket.g2)}
    white = {
        pair.black if found.colours_of_the_file(pair.white, pair.black) else pair.white
        for pair in bracket.pairs
    }
    column = {key: place for place, key in enumerate(bracket.order)}
    here = () if picked is None else (picked.first, picked.second)

    def seat(key: int) -> Seat:
        colour = Colour.WHITE if key in white else Colour.BLACK
        return Seat(found.field.side(key), aro[key], colour, key in here, address(key))

    count = len(bracket.pairs)
    at = None if picked is None else bracket.pairs.index(picked)
    shown = range(count)
    if at is not None and picked is not None and not whole and count > ALL_ROWS:
        place = column[picked.second]
        shown = range(max(0, min(at, place) - AROUND), min(count, max(at, place) + AROUND + 1))
    return Picture(
        rows=tuple((seat(bracket.pairs[row].first), seat(bracket.order[row])) for row in shown),
        lines=pair_lines([column[pair.second] for pair in bracket.pairs], picked=at, shown=shown),
        above=shown.start,
        below=count - shown.stop,
        columns=words.columns(bracket),
    )


def floats_picture(found: RoundExplanation, trace: RoundTrace, words: Words) -> SafeString:
    """The score groups with an arrow for each float; "" if the system has no floats of this kind, or the round none."""
    if not trace.floats:
        return SafeString("")
    levels = sorted({score for one in trace.floats for score in (one.from_score, one.to_score)}, reverse=True)
    row = {score: at for at, score in enumerate(levels)}
    arrows = [
        Arrow(
            row[one.from_score],
            row[one.to_score],
            str(found.field.side(one.player).tpn),
            str(found.field.side(one.opponent).tpn),
            not one.natural,
            str(one.cost) if one.cost else "",
        )
        for one in trace.floats
    ]
    return float_chart([words.points(score) for score in levels], arrows)


def sides_picture(bracket: BracketTrace) -> SafeString:
    """A square for each player of the bracket, above for S1 and below for G2, white or black as the colour due."""
    due = {member.id: DUE[member.due] for member in (*bracket.g1, *bracket.g2)}

    def place(key: int) -> Place:
        return Place("n" if bracket.unplayed else due[key], key in bracket.upfloaters)

    return two_sides([place(pair.first) for pair in bracket.pairs], [place(key) for key in bracket.order])
