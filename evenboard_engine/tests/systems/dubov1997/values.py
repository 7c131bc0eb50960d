"""The input and the output of the reference of 1997: a player's figures, one round, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

OTHER = {"w": "b", "b": "w"}


@dataclass(frozen=True)
class Person:
    """A player who is present, as in S1. colours: of the games, oldest first."""

    no: int
    rating: int
    score: Fraction
    colours: str = ""
    aro: Fraction = Fraction(0)
    met: frozenset[int] = frozenset()
    rises: int = 0
    rose_last: bool = False
    had_point: bool = False

    @cached_property
    def d(self) -> int:
        return self.colours.count("w") - self.colours.count("b")

    @cached_property
    def due(self) -> str:
        if self.d:
            return "w" if self.d < 0 else "b"
        return OTHER[self.colours[-1]] if self.colours else ""

    def barred_from(self, colour: str) -> bool:
        after = self.d + (1 if colour == "w" else -1)
        return abs(after) > 2 or self.colours[-2:] == 2 * colour


@dataclass(frozen=True)
class Case:
    """The input of one round. first: the colour of the upper player of the first pair of round 1."""

    round: int
    rounds: int
    persons: tuple[Person, ...]
    first: str = "w"
    forbidden: frozenset[frozenset[int]] = frozenset()


@dataclass(frozen=True)
class Paired:
    """White and Black by boards, and the bye."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None


@dataclass(frozen=True)
class Stuck:
    """The procedure cannot finish: where, who is unpaired, the offer, and everything that was paired until then."""

    where: str
    unpaired: tuple[int, ...]
    offer: Paired | None
    made: tuple[tuple[int, int], ...] = ()
