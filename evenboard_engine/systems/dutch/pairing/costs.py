"""The criteria C6 to C21 of a bracket as costs of edges (C.04.3, article 2, edition of 1 February 2026).

A candidate, with a completion below it, is a perfect matching. Each criterion is one field of an integer, or one field
for each score; an earlier field outweighs all later ones. Each field is as wide as its greatest total over the whole
graph, so no field carries into another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .colours import DutchColourAllocator
from .field import DutchField

BYE = -1


class Criterion(NamedTuple):
    """A field of the costs. score: of the floaters or moved-down players that it counts; None if it counts all."""

    name: str
    score: int | None = None


class Layout:
    """Places of fields in one integer. fields: each with its greatest total, the most important first."""

    def __init__(self, fields: Iterable[tuple[Criterion, int]]) -> None:
        self.fields = list(fields)
        self.unit: dict[Criterion, int] = {}
        shift = 0
        for criterion, most in reversed(self.fields):
            self.unit[criterion] = 1 << shift
            shift += most.bit_length()
        self.width = shift

    def read(self, total: int) -> dict[Criterion, int]:
        """Return the fields of a total."""
        found = {}
        for criterion, most in self.fields:
            found[criterion] = total // self.unit[criterion] & (1 << most.bit_length()) - 1
        return found


class BracketCosts:
    """The costs of the edges of one bracket. moved, residents: in the order of 1.2. following: the next scoregroup.

    unplayed: C9 counts, because exactly one player floats. The bye is the place BYE, for players with `bye_score`.
    """

    def __init__(
        self,
        field: DutchField,
        colours: DutchColourAllocator,
        moved: Sequence[int],
        residents: Sequence[int],
        following: Sequence[int],
        *,
        vertices: int,
        bye_score: int | None,
        unplayed: bool,
    ) -> None:
        self.field, self.colours = field, colours
        self.moved, self.following = set(moved), set(following)
        self.bye_score, self.unplayed = bye_score, unplayed
        score = field.score
        upper = sorted({score[place] for place in moved}, reverse=True)
        here = [*upper, *sorted({score[place] for place in residents})]
        below = [*here, *sorted({score[place] for place in following})]
        edges = vertices // 2 + 1
        fields = [(Criterion("C6"), edges)]
        fields += [(Criterion("C7", points), edges) for points in here]
        fields.append((Criterion("C8"), edges))
        fields += [(Criterion("C8", points), edges) for points in below]
        fields.append((Criterion("C9"), edges * field.round))
        fields += [(Criterion(name), 2 * edges) for name in ("C10", "C11", "C12", "C13")]
        fields += [(Criterion(name), edges) for name in ("C14", "C15", "C16", "C17")]
        for name in ("C18", "C19", "C20", "C21"):
            fields += [(Criterion(name, points), edges) for points in upper]
        self.layout = Layout(fields)
        self._unit = self.layout.unit
        self._pairs: dict[tuple[object, object], int] = {}

    def pair(self, one: int, other: int) -> int:
        """Return the cost of a pair of the bracket. one: the higher of the two."""
        field, unit = self.field, self._unit
        cost = self._coloured(one, other)
        if one in self.moved:
            score = field.score[one]
            for before, (count, difference) in enumerate((("C15", "C19"), ("C17", "C21"))):
                if field.up(other, before):
                    cost += unit[Criterion(count)] + unit[Criterion(difference, score)]
        return cost

    def _coloured(self, one: int, other: int) -> int:
        field, unit = self.field, self._unit
        if field.topscorers:
            far, third = self.colours.topscorer_misses(one, other)
        else:
            key = field.colours[one], field.colours[other]
            if key in self._pairs:
                return self._pairs[key]
            far = third = 0
        missed, strong = field.missed(one, other)
        cost = (
            far * unit[Criterion("C10")]
            + third * unit[Criterion("C11")]
            + missed * unit[Criterion("C12")]
            + strong * unit[Criterion("C13")]
        )
        if not field.topscorers:
            self._pairs[key] = cost
        return cost

    def floater(self, one: int, opponent: int | None) -> int:
        """Return the cost of a floater of the bracket. opponent: place, BYE, or None for anybody below `following`."""
        field, unit = self.field, self._unit
        score = field.score[one]
        cost = unit[Criterion("C6")] + unit[Criterion("C7", score)]
        if opponent not in self.following:
            cost += unit[Criterion("C8")] + unit[Criterion("C8", score)]
        if self.unplayed and score == self.bye_score:
            cost += field.unplayed(one) * unit[Criterion("C9")]
        for before, (count, difference) in enumerate((("C14", "C18"), ("C16", "C20"))):
            if field.down(one, before):
                cost += unit[Criterion(difference, score) if one in self.moved else Criterion(count)]
        return cost

    def floater_below(self, one: int) -> int:
        """Return the cost of a player of the next scoregroup who floats there (C8)."""
        return self._unit[Criterion("C8")] + self._unit[Criterion("C8", self.field.score[one])]
