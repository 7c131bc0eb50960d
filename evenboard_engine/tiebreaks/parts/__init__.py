"""Each value of a tie-break as its parts: the rounds of the player, what each of them counts, and what was cut.

Here are the parts, with numbers in the usual unit: points, Elo, games. `sums.py` finds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from evenboard_engine.model import Colour
from evenboard_engine.tiebreaks.cards import RoundKind
from evenboard_engine.tiebreaks.codes import TieBreak


class How(StrEnum):
    """How the parts make the value.

    SUM: what the parts count is added up, without those cut. AVERAGE: of the same, not rounded; WHOLE_AVERAGE: rounded
    to a whole number, halves up. PERFORMANCE, PERFECT, WEIGHTED, PLACE, LOT: the fact says it. OWN: the player's own
    number. TYPED: somebody entered it. UNKNOWN: the program cannot compute it.
    """

    SUM = "sum"
    AVERAGE = "average"
    WHOLE_AVERAGE = "whole average"
    PERFORMANCE = "performance"
    PERFECT = "perfect"
    WEIGHTED = "weighted"
    PLACE = "place"
    LOT = "lot"
    OWN = "own"
    TYPED = "typed"
    UNKNOWN = "unknown"


class PartRole(StrEnum):
    """What stands for a round: the opponent, a dummy opponent (C.07, 16.4), the player's own result, or nothing."""

    OPPONENT = "opponent"
    DUMMY = "dummy"
    OWN = "own"
    LEFT_OUT = "left out"


class Why(StrEnum):
    """What limits the points of a dummy opponent, or why a round is left out."""

    OWN_SCORE = "own score"
    OPPONENT = "opponent"
    DRAWS = "draws"
    NOTHING = "nothing"
    FREE = "free"
    NOT_PLAYED = "not played"
    UNRATED = "unrated"
    TOO_FEW_POINTS = "too few points"
    NOT_TIED = "not tied"
    EARLY = "early"
    OPEN = "open"


class Cut(StrEnum):
    """Which cut took a part: of the lowest, of the highest, of a round that the player chose not to play (16.5), or of
    the first rounds."""

    LOWEST = "lowest"
    HIGHEST = "highest"
    BY_CHOICE = "by choice"
    FIRST = "first"


@dataclass(frozen=True, slots=True)
class RoundPart:
    """One round of the player.

    points: of the player in this round, in this tie-break: with Fore Buchholz the last round is a draw. worth: of the
    opponent or dummy: the points that count, the rating, or the value of another tie-break; for sums of own points the
    score after the round. counts: what the round adds, 0 if it is left out. why: why it is left out, or what limits the
    points of the dummy.
    scored: the opponent's own points if `worth` is not the same, because the rounds `drawn` of the opponent count as
    draws. place: of the opponent in a score group, and the size of the group.
    added: a bonus or (negative) a penalty of the arbiter that is in the score.
    """

    round: int
    kind: RoundKind
    opponent: int | None
    colour: Colour | None
    points: Fraction
    role: PartRole
    counts: Fraction = Fraction(0)
    worth: Fraction | None = None
    why: Why | None = None
    cut: Cut | None = None
    scored: Fraction | None = None
    drawn: tuple[int, ...] = ()
    place: tuple[int, int] | None = None
    added: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Performance:
    """A tournament performance: average + difference. share: scored / games in hundredths, rounded half up."""

    average: int
    scored: Fraction
    games: int
    share: int
    difference: int


@dataclass(frozen=True, slots=True)
class Perfect:
    """The lowest rating with `expected` points of at least those scored; with one less it has only `below`.

    lowest: the lowest rating of an opponent, which counts if nothing was scored: less 800.
    """

    scored: Fraction
    expected: Fraction
    below: Fraction
    lowest: int


@dataclass(frozen=True, slots=True)
class KoyaLimit:
    """Which opponents count in Koya: those with at least `least` points. most: that a player could score."""

    least: Fraction
    most: Fraction


@dataclass(frozen=True, slots=True)
class Median:
    """How many values the modified median leaves out, and what decides it: the player's points and half of the most."""

    low: int
    high: int
    points: Fraction
    half: Fraction


@dataclass(frozen=True, slots=True)
class Weights:
    """The Pairing Tiebreaker is the sum of the parts divided by the sum of the rounds that count."""

    total: Fraction
    rounds: int


@dataclass(frozen=True, slots=True)
class DrawnLot:
    """A lot: the text, its SHA-256 sum, and the place of the sum among those of all players."""

    text: str
    digest: str
    lot: int


@dataclass(frozen=True, slots=True)
class Meetings:
    """A row of a direct encounter. points: against each of the others met. least: their sum. most: if all missing games
    were won."""

    player: int
    points: Mapping[int, Fraction]
    least: Fraction
    most: Fraction


@dataclass(frozen=True, slots=True)
class Encounter:
    """A table of a direct encounter. all_met: points alone decide, in a round robin at any time.

    groups: how it divides the players, best first.
    """

    rows: tuple[Meetings, ...]
    all_met: bool
    groups: tuple[tuple[int, ...], ...]


Fact = Performance | Perfect | KoyaLimit | Median | Weights | DrawnLot | tuple[Encounter, ...]
"""The encounters of a player: of all who were tied, then of the smaller group in which they leave the player, ..."""


@dataclass(frozen=True, slots=True)
class ValueParts:
    """The value of a player by a tie-break. value: as in the standings, None if the tie-break says nothing.

    parts: one for each round in order; none where rounds do not matter. article: of C.07, "" for other tie-breaks.
    """

    tie_break: TieBreak
    player: int
    value: Fraction | None
    how: How
    article: str = ""
    parts: tuple[RoundPart, ...] = ()
    fact: Fact | None = None


@dataclass(frozen=True, slots=True)
class Separation:
    """What puts `above` before `below`: the first tie-break of the list in which they differ, or None if they are level
    in all. level: those before it."""

    above: int
    below: int
    tie_break: TieBreak | None
    level: tuple[TieBreak, ...]
    better: Fraction | None = None
    worse: Fraction | None = None
