"""Pair an ordinary bracket without searching, and prove by counting that no candidate is better.

It has at most one floater, a resident. The number of players due each colour gives the least values of C12 and C13. A
candidate reaches them exactly if each of its pairs is of certain kinds. So the first candidate is the first
transposition on pairs of these kinds, with nobody exchanged. Where there is none, or what is below may bind, this
module gives up, and the exact method decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.matching.transposition import Met, first_transposition
from evenboard_engine.preference import Strength

from .exact import PairedBracket
from .field import DutchField
from .outlook import Outlook

SIDES = (WHITE_SIDE, BLACK_SIDE)
FREE = 0
KINDS = [
    (FREE, Strength.NONE),
    *((side, strength) for side in SIDES for strength in Strength if strength is not Strength.NONE),
]
"""The colour due and how strongly. A topscorer with an absolute preference is of the same kind as another player: two
who are due the same colour absolutely would cost C10 or C11."""
NUMBER = {kind: i for i, kind in enumerate(KINDS)}
NOBODY = -1
MOST_USUAL = 2


class FloaterCost(NamedTuple):
    """What the floater, and the pairs of the others, add to C9, C12, C13, C14 and C16 at least."""

    unplayed: int
    missed: int
    strong: int
    down_last: int
    down_before: int


def pair_quickly(
    field: DutchField, moved: list[int], residents: list[int], outlook: Outlook
) -> PairedBracket | None:
    """Return the best candidate; None if it needs the exact method."""
    if len(moved) > len(residents) or (field.topscorers and _unusual(field, [*moved, *residents])):
        return None
    if (len(moved) + len(residents)) % 2 == 0:
        return _Bracket(field, moved, residents).without_floater() if outlook.completes() else None
    able = outlook.able_to_float(residents)
    return _Bracket(field, moved, residents).with_floater(able, outlook) if able else None


def _unusual(field: DutchField, places: Sequence[int]) -> bool:
    """Return whether a colour that is due may cost C10 or C11, which only follows from pairing by hand."""
    return any(abs(field.colours[place].difference) > MOST_USUAL for place in places)


class _Bracket:
    """The players of a bracket by kind: the colour due, and how strongly.

    counts: of each kind. met: by place; NOBODY for the row that takes the floater.
    """

    def __init__(self, field: DutchField, moved: list[int], residents: list[int]) -> None:
        self.field, self.moved, self.residents = field, moved, residents
        self.kind = {place: NUMBER[field.colours[place].due] for place in (*moved, *residents)}
        self.counts = [0] * len(KINDS)
        for kind in self.kind.values():
            self.counts[kind] += 1

    def without_floater(self) -> PairedBracket | None:
        found = self._paired(NOBODY, self.counts, ())
        return found if isinstance(found, PairedBracket) else None

    def with_floater(self, able: Sequence[int], outlook: Outlook) -> PairedBracket | None:
        """Return the first of the best candidates with each kind of floater that costs least.

        A kind without a candidate here may have one with an exchange. This comes later, except if the opponents of its
        moved-down players come first.
        """
        cheapest: FloaterCost | None = None
        floaters: dict[int, list[int]] = {}
        pairs: dict[int, tuple[int, int]] = {}
        for place in able:
            kind = self.kind[place]
            if kind not in pairs:
                pairs[kind] = least_missed(self._counts_without(kind))
            cost = FloaterCost(
                self.field.unplayed(place) if outlook.floater_has_bye else 0,
                *pairs[kind],
                self.field.down(place, 0),
                self.field.down(place, 1),
            )
            if cheapest is None or cost < cheapest:
                cheapest, floaters = cost, {}
            if cost == cheapest:
                floaters.setdefault(kind, []).append(place)
        tried = [self._paired(kind, self._counts_without(kind), places) for kind, places in floaters.items()]
        found = [one for one in tried if isinstance(one, PairedBracket)]
        if not found:
            return None
        best = min(found, key=_order)
        opponents = [other for _, other in best.met_moved]
        if any(not isinstance(one, PairedBracket) and one < opponents for one in tried):
            return None
        return best

    def _counts_without(self, kind: int) -> list[int]:
        counts = self.counts.copy()
        counts[kind] -= 1
        return counts

    def _paired(
        self, floater: int, counts: Sequence[int], floaters: Sequence[int]
    ) -> PairedBracket | list[int]:
        """Return the first candidate on pairs of the right kinds in which one of these players floats, if anybody.

        floater: the kind. If there is none, return the opponents of moved-down players that no candidate goes below.
        """
        allowed = allowed_kinds(counts)
        opponents = self._opponents_of_moved(allowed)
        if len(opponents) < len(self.moved):
            return opponents
        taken = set(opponents)
        rest = [place for place in self.residents if place not in taken] if taken else self.residents
        pairs = len(rest) // 2
        s1, s2 = rest[:pairs], rest[pairs:]
        row_kind, column_kind = self.kind, self.kind
        met: Met = self.field.met
        rows: list[int] = s1
        if floater != NOBODY:
            # one row more, the last, takes the floater; its columns are of a kind of their own
            may_float = set(floaters)
            step = len(KINDS)
            column_kind = {place: self.kind[place] + step * (place in may_float) for place in s2}
            allowed = [[*kinds, *(kind + step for kind in kinds)] for kinds in allowed]
            allowed.append([floater + step])
            row_kind = {**{place: self.kind[place] for place in s1}, NOBODY: step}
            rows = [*s1, NOBODY]
            met = {**{place: met[place] for place in s1}, NOBODY: ()}
        found = first_transposition(rows, s2, met, row_kind, column_kind, allowed)
        if found is None:
            return opponents
        return PairedBracket(
            self.moved,
            self.residents,
            list(zip(self.moved, opponents, strict=True)),
            s1,
            found[:pairs],
            found[pairs:],
        )

    def _opponents_of_moved(self, allowed: Sequence[Sequence[int]]) -> list[int]:
        """Return the first opponent of each moved-down player that C15 and C17 and the kinds of pairs allow."""
        field, taken = self.field, set[int]()
        opponents: list[int] = []
        for one in self.moved:
            met, kinds = field.met[one], set(allowed[self.kind[one]])
            for other in self.residents:
                if (
                    other not in taken
                    and other not in met
                    and self.kind[other] in kinds
                    and not field.up(other, 0)
                    and not field.up(other, 1)
                ):
                    taken.add(other)
                    opponents.append(other)
                    break
            else:
                break
        return opponents


def _order(found: PairedBracket) -> tuple[list[int], list[int]]:
    """Return what orders candidates without an exchange: opponents of moved-down players, then the transposition."""
    return [other for _, other in found.met_moved], found.s2


def least_missed(counts: Sequence[int]) -> tuple[int, int]:
    """Return the least number of pairs in which both are due one colour, and of those that cost C13.

    counts: players of each kind, an even number in all. If more than half are due one colour, the others of this colour
    must meet each other. Such a pair costs no strong preference if one of the two has a mild one.
    """
    _, surplus, mild = _surplus(counts)
    return surplus, max(0, surplus - mild)


def _surplus(counts: Sequence[int]) -> tuple[int, int, int]:
    """Return the colour that more than half are due, how many more, and how many of these have a mild preference."""
    half = sum(counts) // 2
    for side in SIDES:
        due = sum(counts[i] for i, kind in enumerate(KINDS) if kind[0] == side)
        if due > half:
            return side, due - half, counts[NUMBER[side, Strength.MILD]]
    return FREE, 0, 0


def allowed_kinds(counts: Sequence[int]) -> list[list[int]]:
    """Return for each kind the kinds of opponents with which `least_missed` is reached.

    Without a surplus nobody meets a player who is due the same colour. With one, each pair has a player due that
    colour: then exactly as many pairs as needed have two. If there are enough mild ones, each such pair has one. If
    not, each mild one meets one who is not mild.
    """
    side, surplus, mild = _surplus(counts)
    allowed: list[list[int]] = []
    for one in KINDS:
        row = []
        for i, other in enumerate(KINDS):
            if one[0] == FREE or one[0] != other[0]:
                fits = not surplus or side in (one[0], other[0])
                if surplus > mild and fits:
                    fits = (side, Strength.MILD) not in (one, other)
            elif one[0] != side:
                fits = False
            else:
                milds = (one, other).count((side, Strength.MILD))
                fits = milds < 2 if surplus > mild else milds > 0
                fits = fits and not one[1] is other[1] is Strength.ABSOLUTE
            if fits:
                row.append(i)
        allowed.append(row)
    return allowed
