"""Pair the rest of a score group in rows (articles 6.2, 6.3, 7.3 and 7.4; S9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evenboard_engine.errors import InternalError
from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.matching import Matching, bits

from .field import NO_COLOUR, Dubov1997Field


@dataclass(frozen=True, slots=True)
class RowsWork:
    """One time through S9. All players are seats.

    white, black: the columns of S9.1. moved: who changed columns (7.3, 7.4), in order. left, right: the columns in
    their final order (S9.4). pairs: the rows, or the one pair of two Whites (S9.5). stuck: None, or the first row for
    which there is no Black, from 0; then `looks` is the row whose White found an opponent among the Whites.
    """

    white: tuple[int, ...]
    black: tuple[int, ...]
    moved: tuple[int, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    stuck: int | None = None
    looks: int | None = None


def pair_rest(field: Dubov1997Field, seats: Iterable[int]) -> list[RowsWork]:
    """Pair all these players (S9). They must be wholly pairable."""
    rest = sorted(seats)
    works = []
    while rest:
        white, black = columns(field, rest)
        moved = moves(field, white, black)
        left, right = in_order(field, set(white) ^ set(moved), set(black) ^ set(moved))
        found = first_rows(field, left, right)
        common = tuple(white), tuple(black), tuple(moved), tuple(left), tuple(right)
        if not isinstance(found, int):
            works.append(RowsWork(*common, tuple(zip(left, found, strict=True))))
            break
        looks, other = _among_whites(field, left, found, rest)
        works.append(RowsWork(*common, ((left[looks], other),), found, looks))
        rest = [seat for seat in rest if seat not in (left[looks], other)]
    return works


def columns(field: Dubov1997Field, seats: Iterable[int]) -> tuple[list[int], list[int]]:
    """Return the columns of S9.1, in the order of 6.2: due White, due Black, the others to the shorter column."""
    white: list[int] = []
    black: list[int] = []
    others: list[int] = []
    for seat in seats:
        due = field.due[seat]
        (others if due == NO_COLOUR else white if due == WHITE_SIDE else black).append(seat)
    for seat in sorted(others, key=field.tpn.__getitem__):
        (white if len(white) <= len(black) else black).append(seat)
    return in_order(field, white, black)


def in_order(
    field: Dubov1997Field, white: Iterable[int], black: Iterable[int]
) -> tuple[list[int], list[int]]:
    """Return both columns in the order of 6.2."""
    aro, rating, tpn = field.aro, field.rating, field.tpn
    return (
        sorted(white, key=lambda seat: (aro[seat], rating[seat], tpn[seat])),
        sorted(black, key=lambda seat: (-rating[seat], -aro[seat], tpn[seat])),
    )


def served(field: Dubov1997Field, seats: Iterable[int]) -> list[int]:
    """Return players who came down in the order in which they are paired: White, Black, White, ... (8.1; S6.1)."""
    white, black = columns(field, seats)
    longest = max(len(white), len(black))
    return [column[at] for at in range(longest) for column in (white, black) if at < len(column)]


def moves(field: Dubov1997Field, white: Sequence[int], black: Sequence[int]) -> list[int]:
    """Return who leaves the longer column so that both are equally long (7.3, 7.4), in order."""
    count = abs(len(white) - len(black)) // 2
    if not count:
        return []
    to = BLACK_SIDE if len(white) > len(black) else WHITE_SIDE
    moved = [seat for seat in move_order(field, white, black) if not field.barred[seat] & to][:count]
    if len(moved) < count:
        raise InternalError("too_few_can_move")
    return moved


def move_order(field: Dubov1997Field, white: Sequence[int], black: Sequence[int]) -> list[int]:
    """Return those of the longer column who are due its colour in the order of 7.3 and 7.4, also whom 2.6 bars."""
    longer, due = (white, WHITE_SIDE) if len(white) > len(black) else (black, BLACK_SIDE)
    return sorted((seat for seat in longer if field.due[seat] == due), key=lambda seat: move_key(field, seat))


def move_key(field: Dubov1997Field, seat: int) -> tuple[int, int, int]:
    """Return the sort key of 7.3 for a player due White, of 7.4 for a player due Black."""
    sign = 1 if field.due[seat] == WHITE_SIDE else -1
    return sign * field.aro[seat], -sign * field.rating[seat], field.tpn[seat]


def first_rows(field: Dubov1997Field, left: Sequence[int], right: Sequence[int]) -> list[int] | int:
    """Return the Black of each row: the complete row pairing in which row 1 has its Black as high as possible, then
    row 2, and so on (6.2, 6.3; S9.4). If there is none, return the first row k for which the rows up to k cannot all
    have different possible Blacks.
    """
    may = _across(field, left, right)
    rows = _RowSearch(may)
    stuck = rows.fill()
    if stuck is not None:
        return stuck
    rows.raise_all()
    return [right[at] for at in rows.black_of]


def _across(field: Dubov1997Field, left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Return for each row which places of the right column are possible, as masks."""
    size = len(left)
    graph = field.graph([*left, *right])
    return [graph[row] >> size for row in range(size)]


class _RowSearch:
    """Rows that are filled and improved. black_of: the place of the Black, by row. row_of: the row, by place; -1 for
    none.
    """

    def __init__(self, may: Sequence[int]) -> None:
        self.may = may
        self.black_of = [-1] * len(may)
        self.row_of = [-1] * len(may)

    def fill(self) -> int | None:
        """Give each row a Black, the highest that is free, or by changing rows above. Returns the first row that
        cannot have one even so.
        """
        free = (1 << len(self.may)) - 1
        self.straight = True
        for row, may in enumerate(self.may):
            if may & free:
                at = (may & free & -(may & free)).bit_length() - 1
                self._put(row, at)
            else:
                self.straight = False
                at = self._reach(row, ~0, free)
                if at < 0:
                    return row
            free &= ~(1 << at)
        return None

    def raise_all(self) -> None:
        """Give row 1 its Black as high as possible, then row 2, and so on. If no row was changed, nothing is to do."""
        if self.straight:
            return
        open_places = (1 << len(self.may)) - 1
        for row, may in enumerate(self.may):
            own = self.black_of[row]
            for at in bits(may & open_places & (1 << own) - 1):
                holder = self.row_of[at]
                if self._reach(holder, open_places & ~(1 << at), 1 << own) >= 0:
                    self._put(row, at)
                    break
            open_places &= ~(1 << self.black_of[row])

    def _put(self, row: int, at: int) -> None:
        self.black_of[row], self.row_of[at] = at, row

    def _reach(self, row: int, places: int, goal: int) -> int:
        """Give this row one of these places, and the rows that must move others, so that one of `goal` is taken.

        Returns the place of `goal` that is taken; -1 if there is no way, and then nothing changes.
        """
        came_from: dict[int, int] = {}
        queue = [row]
        seen = 0
        for here in queue:
            fresh = self.may[here] & places & ~seen
            ends = fresh & goal
            if ends:
                end = (ends & -ends).bit_length() - 1
                came_from[end] = here
                self._shift(row, end, came_from)
                return end
            seen |= fresh
            for at in bits(fresh):
                came_from[at] = here
                queue.append(self.row_of[at])
        return -1

    def _shift(self, row: int, end: int, came_from: dict[int, int]) -> None:
        at = end
        while True:
            here = came_from[at]
            before = self.black_of[here]
            self._put(here, at)
            if here == row:
                return
            at = before


def _among_whites(
    field: Dubov1997Field, left: Sequence[int], stuck: int, rest: Sequence[int]
) -> tuple[int, int]:
    """Return the row whose White finds an opponent among the Whites, and this opponent (6.3; S9.5)."""
    group = _Group(field, rest)
    for looks in range(stuck, -1, -1):
        one = left[looks]
        possible = field.possible(one)
        for other in (*left[looks + 1 :], *reversed(left[:looks])):
            if possible >> other & 1 and group.pairable_without(one, other):
                return looks, other
    raise InternalError("no_opponent_among_the_whites")


class _Group:
    """A wholly pairable group. It tells whether it still is without two players."""

    def __init__(self, field: Dubov1997Field, seats: Sequence[int]) -> None:
        self.index = {seat: i for i, seat in enumerate(seats)}
        self.matching = Matching(field.graph(seats))
        if self.matching.maximise():
            raise InternalError("group_not_wholly_pairable")

    def pairable_without(self, one: int, other: int) -> bool:
        i, j = self.index[one], self.index[other]
        if self.matching.mate[i] == j:
            return True
        matching = self.matching.copy()
        alone = matching.mate[i]
        for v in (i, j):
            matching.forbid(v, matching.adjacency[v])
        return matching.augment(alone, matching.adjacency)
