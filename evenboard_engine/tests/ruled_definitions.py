"""Points by decision of the arbiter, written from decision 83 alone, in fractions of a point."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol, TypeVar

from evenboard_engine import Tournament

BYES = {"F": "full-point bye", "H": "half-point bye", "Z": "zero-point bye"}


def bonuses_of(tournament: Tournament, player: int) -> list[tuple[int, Fraction]]:
    """Return the rounds and the points of bonuses and penalties."""
    return [
        (ruling.round, Fraction(ruling.points, 10))
        for ruling in tournament.rulings
        if ruling.player == player and ruling.of is None
    ]


class Round(Protocol):
    """What happened to a player in a round, by the outcome or the bye, and its points."""

    what: str
    points: Fraction


AnyRound = TypeVar("AnyRound", bound=Round)


def decided(
    tournament: Tournament, player: int, at: int, round_of: Callable[[Tournament, int, int], AnyRound]
) -> AnyRound:
    """Return the round with the points that the arbiter decided for its result, if any."""
    one = round_of(tournament, player, at)
    for ruling in sorted(tournament.rulings, key=lambda ruling: ruling.round):
        mine = ruling.player == player and ruling.round in (0, at)
        if mine and ruling.of and BYES.get(ruling.of.value, ruling.of.value) == one.what:
            one.points = Fraction(ruling.points, 10)
    return one
