"""A part of the conditions for title norms in FIDE's Title Regulations (B.01, in force from 1 January 2024).

Only what follows from the games, ratings, titles and federations of one tournament is checked. `NOT_CHECKED` in
`web/words/statistics.py` lists what is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evenboard_engine.history import rounded_half_up
from evenboard_engine.tiebreaks.ratings import rating_difference, share_of

LEAST_GAMES = 9
LEAST_SCORE = 35
LEAST_FEDERATIONS = 2
LEAST_TITLED = 3
UNRATED = 1400
WITHOUT_FEDERATION = "FID"
TITLEHOLDERS = frozenset({"GM", "IM", "WGM", "FM", "WIM", "WFM"})
"""CM and WCM are not counted (1.4.5a)."""


@dataclass(frozen=True, slots=True)
class Norm:
    """A norm: what it asks for (0.5, 1.4.5 to 1.4.8). titles: those of the opponents that count for it."""

    title: str
    performance: int
    average: int
    floor: int
    titles: tuple[str, ...]
    women: bool = False


NORMS = (
    Norm("GM", 2600, 2380, 2200, ("GM",)),
    Norm("IM", 2450, 2230, 2050, ("GM", "IM")),
    Norm("WGM", 2400, 2180, 2000, ("GM", "IM", "WGM"), women=True),
    Norm("WIM", 2250, 2030, 1850, ("GM", "IM", "WGM", "WIM"), women=True),
)
_NOT_BELOW = {"GM": (), "IM": ("GM",), "WGM": ("GM", "IM"), "WIM": ("GM", "IM", "WGM")}
"""The norms that are still open to a player who has a title. A player with any other title may make all of them."""


class Code(StrEnum):
    """A condition, in the order in which a page shows them."""

    GAMES = "games"
    SCORE = "score"
    FEDERATIONS = "federations"
    OWN = "own"
    ONE = "one"
    TITLED = "titled"
    TITLES = "titles"
    AVERAGE = "average"
    PERFORMANCE = "performance"


ARTICLES = {
    Code.GAMES: "1.4.1",
    Code.SCORE: "1.4.8b",
    Code.FEDERATIONS: "1.4.3",
    Code.OWN: "1.4.4",
    Code.ONE: "1.4.4",
    Code.TITLED: "1.4.5a",
    Code.TITLES: "1.4.5b-e",
    Code.AVERAGE: "1.4.8a",
    Code.PERFORMANCE: "1.4.8",
}


@dataclass(frozen=True, slots=True)
class NormGame:
    """A game over the board that was sent for rating. rating: the opponent's, 0 for an unrated one."""

    federation: str
    title: str
    rating: int
    half_wins: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player. games: all that count. unplayed: rounds with a forfeit win or a pairing-allocated bye.

    rounds: of the tournament.
    """

    title: str
    federation: str
    woman: bool
    games: tuple[NormGame, ...]
    unplayed: int
    rounds: int


@dataclass(frozen=True, slots=True)
class NormCondition:
    """A condition with its figures. most: the bound is the largest value, otherwise the smallest. excused: an exception
    of the regulations applies, so the condition is met with any value.
    """

    code: Code
    value: int
    bound: int
    most: bool = False
    excused: bool = False

    @property
    def met(self) -> bool:
        return self.excused or (self.value <= self.bound if self.most else self.value >= self.bound)


@dataclass(frozen=True, slots=True)
class NormCheck:
    """A norm and its conditions. raised: the rating of the opponent that was raised to the floor, None if none was."""

    norm: Norm
    conditions: tuple[NormCondition, ...]
    raised: int | None

    @property
    def met(self) -> bool:
        return all(condition.met for condition in self.conditions)

    @property
    def missed(self) -> tuple[NormCondition, ...]:
        return tuple(condition for condition in self.conditions if not condition.met)

    def value(self, code: Code) -> int:
        return next(condition.value for condition in self.conditions if condition.code is code)


def norms_open_to(candidate: Candidate) -> tuple[Norm, ...]:
    """Return the norms for titles that the player does not have yet."""
    higher = _NOT_BELOW.get(candidate.title)
    return tuple(
        norm
        for norm in NORMS
        if (candidate.woman or not norm.women) and (higher is None or norm.title in higher)
    )


def check_norm(norm: Norm, candidate: Candidate) -> NormCheck:
    """Check a norm with all games of the player. Without a game, nothing is met."""
    games = [game for game in candidate.games if game.federation]  # 1.4.2a: of no federation of FIDE
    average, raised = _average(norm, games)
    half_wins = sum(game.half_wins for game in games)
    share = share_of(half_wins, len(games)) if games else 0
    performance = average + rating_difference(share) if games else 0
    conditions = (
        NormCondition(Code.GAMES, len(games), LEAST_GAMES, excused=_is_excused(candidate, len(games))),
        NormCondition(Code.SCORE, share_floor(half_wins, len(games)), LEAST_SCORE),
        *_of_federations(candidate, games),
        *_of_titles(norm, games),
        NormCondition(Code.AVERAGE, average, norm.average),
        NormCondition(Code.PERFORMANCE, performance, norm.performance),
    )
    return NormCheck(norm, conditions, raised)


def share_floor(half_wins: int, games: int) -> int:
    """Return the score in whole hundredths, rounded down: 34.9 % is less than 35 %."""
    return 50 * half_wins // games if games else 0


def required_half_wins(norm: Norm, average: int, games: int) -> int | None:
    """Return the lowest score for the norm against opponents of this average, in halves of a point (1.4.8); None if no
    score is enough.
    """
    return next(
        (
            half_wins
            for half_wins in range(2 * games + 1)
            if share_floor(half_wins, games) >= LEAST_SCORE
            and average + rating_difference(share_of(half_wins, games)) >= norm.performance
        ),
        None,
    )


def _is_excused(candidate: Candidate, games: int) -> bool:
    """Return whether one game may be missing: in 9 rounds, by a forfeit win or a pairing-allocated bye (1.4.1c)."""
    return candidate.rounds == LEAST_GAMES and games == LEAST_GAMES - 1 and candidate.unplayed == 1


def _of_federations(candidate: Candidate, games: Sequence[NormGame]) -> Iterator[NormCondition]:
    """Yield what is asked of the federations. FID is no federation, so it is not counted (1.4.2a)."""
    count = Counter(game.federation for game in games if game.federation != WITHOUT_FEDERATION)
    own = count.get(candidate.federation, 0)
    yield NormCondition(Code.FEDERATIONS, len(count.keys() - {candidate.federation}), LEAST_FEDERATIONS)
    yield NormCondition(Code.OWN, own, 3 * len(games) // 5, most=True)
    yield NormCondition(Code.ONE, max(count.values(), default=0), 2 * len(games) // 3, most=True)


def _of_titles(norm: Norm, games: Sequence[NormGame]) -> Iterator[NormCondition]:
    """Yield what is asked of the titles. Least numbers are rounded up (1.4.4)."""
    titled = _count(games, TITLEHOLDERS.__contains__)
    yield NormCondition(Code.TITLED, titled, -(-len(games) // 2))
    higher = _count(games, norm.titles.__contains__)
    yield NormCondition(Code.TITLES, higher, max(LEAST_TITLED, -(-len(games) // 3)))


def _count(games: Sequence[NormGame], counts: Callable[[str], bool]) -> int:
    return sum(counts(game.title) for game in games)


def _average(norm: Norm, games: Sequence[NormGame]) -> tuple[int, int | None]:
    """Return the average rating of the opponents, and the rating that was raised (1.4.6, 1.4.7)."""
    ratings = sorted(game.rating or UNRATED for game in games)
    raised = None
    if ratings and ratings[0] < norm.floor:
        raised, ratings[0] = ratings[0], norm.floor
    return rounded_half_up(sum(ratings), len(ratings)), raised
