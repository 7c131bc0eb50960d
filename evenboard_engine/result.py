"""The output values of the engine, and the published order of boards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .trace import Reason, RoundTrace


class Pair(NamedTuple):
    """white, black: player ids. colours: the rule that decided them, as the system names it."""

    white: int
    black: int
    colours: str


@dataclass(frozen=True, slots=True)
class RoundPairing:
    """A complete round.

    round: its number. pairs: in the order of the boards (GHR 3.6), board 1 first. bye: id of the player who gets the
    pairing-allocated bye, or None. brackets: what the system noted of each bracket, from the highest score down; its
    own explanation reads it. trace: the steps with all reasons, if the caller asked for them (docs/explanation.md).
    """

    round: int
    pairs: tuple[Pair, ...]
    bye: int | None
    brackets: tuple[Any, ...] = ()
    trace: RoundTrace | None = None


class Offer(NamedTuple):
    """A complete round that the arbiter may take over where the procedure cannot finish.

    reasons: how it was made. broken: the limitations that it does not keep, with the players.
    """

    pairing: RoundPairing
    reasons: tuple[Reason, ...] = ()
    broken: tuple[Reason, ...] = ()


class RelaxationKind(StrEnum):
    """The rule that a relaxation breaks."""

    REMATCH = "C1"
    SECOND_BYE = "C2"
    SAME_COLOUR = "C3"
    FORBIDDEN = "forbidden"


class Relaxation(NamedTuple):
    """A rule to break for two players, or for the bye.

    players: ids. The two who would meet, the higher in the initial ranking first; or the one who gets the bye.
    """

    kind: RelaxationKind
    players: tuple[int, ...]


# The published order of boards (General Handling Rules, C.04.2, 3.6, edition 2026).


def board_order(
    pairs: Iterable[Pair], place_of: Mapping[int, int], score: Sequence[int] | Mapping[int, int]
) -> tuple[Pair, ...]:
    """Return the pairs in order: score of the higher ranked player, sum of both scores, pairing number of that player.

    place_of: place in the initial ranking of each player id. score: tenths by place. The higher ranked player has more
    points or, with equal points, the better place in the initial ranking.
    """

    def key(pair: Pair) -> tuple[int, int, int]:
        one, other = place_of[pair.white], place_of[pair.black]
        mine, theirs = score[one], score[other]
        if mine == theirs:
            return -mine, -2 * mine, min(one, other)
        return -max(mine, theirs), -mine - theirs, one if mine > theirs else other

    return tuple(sorted(pairs, key=key))
