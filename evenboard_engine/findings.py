"""What a check finds: differences of a published round from the rules, and concerns about a round paired by hand.

The levels of concerns are those that FIDE uses to endorse tournament programs: 1 informs the arbiter, 2 asks for an
acknowledgement, 3 asks whether to continue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Generic, Protocol, TypeVar

from .model import Colour


@dataclass(frozen=True, slots=True)
class Published:
    """A round as in a file. pairs: White and Black. colourless: the first player of each pair without colours."""

    round: int
    pairs: tuple[tuple[int, int], ...]
    byes: tuple[int, ...] = ()
    colourless: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class RoundDifference:
    """One difference between a published round and the rules. All players are ids.

    code: stable. The Dubov System has `bye`, `several_byes`, `no_legal_round`, `rest_unchecked`, `rematch`,
    `forbidden_pair`, `same_absolute_preference`, `upfloaters`, `preferences`, `shifters`, `transposition`, `colours`.
    rule: the rule that decides. article: its number in the tournament's edition; "" for a forbidden pair, which is
    treated like C1 (reading D17) but is not a rule of FIDE.
    found, expected: players in the file and by the rules; for `transposition` and `colours` one pair each.
    values: what the criterion counts for found and expected; None if it counts nothing.
    score: of the residents, in tenths; None if the difference is not about a bracket.
    criterion: the name of the criterion, such as C1, if the rule is one or refers to one; else "".
    by_number: a colour that the pairing number decides, which GHR 2.4 counts without players who were never paired.
    lent: players with virtual points in the scores that the difference names, and these points, in tenths.
    """

    round: int
    code: str
    rule: StrEnum
    article: str
    found: tuple[int, ...] = ()
    expected: tuple[int, ...] = ()
    values: tuple[object, object] | None = None
    score: int | None = None
    criterion: str = field(default="", compare=False)
    by_number: bool = field(default=False, compare=False)
    lent: tuple[tuple[int, int], ...] = field(default=(), compare=False)


R = TypeVar("R", bound=StrEnum)


class DifferenceMaker(Generic[R]):
    """Makes the differences of a published round. article_of: the number of a rule in the tournament's edition."""

    def __init__(self, published: Published, article_of: Callable[[R], str]) -> None:
        self.published, self.article_of = published, article_of

    def difference(
        self,
        code: str,
        rule: R,
        found: tuple[int, ...] = (),
        expected: tuple[int, ...] = (),
        values: tuple[object, object] | None = None,
        score: int | None = None,
        *,
        by_number: bool = False,
    ) -> RoundDifference:
        """Return a difference of this round, with the article of its rule."""
        number = "" if code == "forbidden_pair" else self.article_of(rule)
        about = self.published.round, code, rule, number, found, expected, values, score
        return RoundDifference(*about, by_number=by_number)


class Level(IntEnum):
    SHOW = 1
    ACKNOWLEDGE = 2
    PROCEED = 3


@dataclass(frozen=True, slots=True)
class HandMadeDraft:
    """The part of a round that is paired so far. pairs: White and Black. bye: who has the pairing-allocated bye."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None


@dataclass(frozen=True, slots=True)
class Concern:
    """One thing to tell the arbiter.

    players: ids, in the order in which the sentence names them; the player concerned comes first.
    code: stable. The Dubov System has `rematch`, `forbidden`, `absolute_clash`, `third_colour`, `colour_difference`,
    `both_opposite`, `colours`, `float`, `upfloat_again`, `maximum_upfloater`, `downfloat_again`, `bye_had`,
    `bye_forfeit_win`, `bye_points_unplayed`, `bye_score`.
    articles: of the system's rules in the tournament's edition, or with the name of another regulation; () if no rule
    of FIDE applies. rounds: the earlier rounds in which it happened. colour: that the player has here or is due.
    points: tenths, in the order of `players`. lent: the virtual points in them. count: how many colours or upfloats.
    """

    code: str
    level: Level
    players: tuple[int, ...]
    articles: tuple[str, ...] = ()
    rounds: tuple[int, ...] = ()
    colour: Colour | None = None
    points: tuple[int, ...] = ()
    count: int = 0
    lent: tuple[int, ...] = ()


class Judge(Protocol):
    """Says what is wrong or unusual in a round that is paired by hand, by the rules of a pairing system."""

    def pair(self, white: int, black: int) -> Iterable[Concern]:
        """Judge a pair."""

    def bye(self, player: int) -> Iterable[Concern]:
        """Judge the bye."""


def concerns_by(judge: Judge, draft: HandMadeDraft) -> tuple[Concern, ...]:
    """Return all concerns about a draft: board by board, the most serious of a board first, and the bye last."""
    found: list[Concern] = []
    for pair in draft.pairs:
        found += sorted(judge.pair(*pair), key=lambda concern: -concern.level)
    if draft.bye is not None:
        found += judge.bye(draft.bye)
    return tuple(found)
