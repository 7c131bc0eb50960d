"""S1 and T2: the pairs of a bracket (C.04.4.1, 2.2.5, 2.2.6 and 4.4, edition 2025)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

Met = Sequence[Collection[int]] | Mapping[int, Collection[int]]
Absolute = Sequence[int] | Mapping[int, int]


def first_transposition(
    s1: Sequence[int], g2: Sequence[int], met: Met, absolute: Absolute
) -> list[int] | None:
    """T2: the first transposition of G2 in the order of 4.4 that pairs legally with S1, place by place.

    s1 in its order, g2 in initial ranking order, of one size; met and absolute say by player who may not meet.
    None when no transposition is legal. The first in lexicographic order is the greedy one: each row takes the first
    player with whom the rest remains possible. As long as nobody is stuck, the first legal one who is free is that
    player, because the rows to come show that the rest was possible. Cost: close to linear.
    """
    return _Rows(s1, g2, met, absolute).solve()


class _Rows:
    """Rows are places of S1, columns places of G2. taken: column of each row, owner: row of each column, or -1."""

    def __init__(self, s1: Sequence[int], g2: Sequence[int], met: Met, absolute: Absolute) -> None:
        self.s1, self.g2, self.met, self.absolute = s1, g2, met, absolute
        self.size = len(s1)
        self.taken = [-1] * self.size
        self.owner = [-1] * self.size

    def solve(self) -> list[int] | None:
        stuck = self._greedy()
        if stuck < self.size:
            first = self._complete(stuck)
            if first is None:
                return None
            self._settle(first)
        g2 = self.g2
        return [g2[column] for column in self.taken]

    def _legal(self, row: int, column: int) -> bool:
        one, other = self.s1[row], self.g2[column]
        absolute = self.absolute[one]
        return other not in self.met[one] and not (absolute and self.absolute[other] == absolute)

    def _greedy(self) -> int:
        """Each row takes the first legal column that is free. Returns the first row that finds none."""
        size, g2, met, absolute, taken, owner = (
            self.size,
            self.g2,
            self.met,
            self.absolute,
            self.taken,
            self.owner,
        )
        following = list(range(1, size + 2))  # of column c - 1, so that 0 leads to the first free one
        for row, one in enumerate(self.s1):
            met_by_one, absolute_one = met[one], absolute[one]
            before, column = 0, following[0] - 1
            while column < size:
                other = g2[column]
                if other not in met_by_one and not (absolute_one and absolute[other] == absolute_one):
                    break
                before = column + 1
                column = following[before] - 1
            else:
                return row
            following[before] = following[column + 1]
            taken[row], owner[column] = column, row
        return size

    def _complete(self, stuck: int) -> int | None:
        """Find columns for all rows, along alternating paths. Returns the first row that had to change, or None."""
        first = stuck
        for row in range(stuck, self.size):
            changed = self._augment(row, settled=0)
            if changed is None:
                return None
            first = min(first, changed)
        return first

    def _augment(self, start: int, *, settled: int) -> int | None:
        """Give row `start` a column, moving others; rows before `settled` keep theirs, columns they own are theirs.

        Returns the first row that changed, or None when it cannot be done.
        """
        free = [column for column in range(self.size) if self.owner[column] < 0]
        held = sorted(
            (column for column in range(self.size) if self.owner[column] >= settled), key=self._owner_of
        )
        held.reverse()
        came_from: dict[int, int] = {}
        queue = [start]
        for row in queue:
            for column in free:
                if self._legal(row, column):
                    return self._apply(start, row, column, came_from)
            rest = []
            for column in held:
                if self._legal(row, column):
                    came_from[self.owner[column]] = row
                    queue.append(self.owner[column])
                else:
                    rest.append(column)
            held = rest
        return None

    def _owner_of(self, column: int) -> int:
        return self.owner[column]

    def _apply(self, start: int, row: int, column: int, came_from: Mapping[int, int]) -> int:
        first = row
        while True:
            first = min(first, row)
            left = self.taken[row]
            self.taken[row], self.owner[column] = column, row
            if row == start:
                return first
            row, column = came_from[row], left

    def _settle(self, first: int) -> None:
        """From row `first` on, each takes the first column with which the rest remains possible."""
        columns = sorted(self.taken[first:])
        for row in range(first, self.size):
            for column in columns:
                if self._legal(row, column) and self._take(row, column):
                    columns.remove(column)
                    break

    def _take(self, row: int, column: int) -> bool:
        """Let the row have the column if all rows after it can still be served."""
        rival, left = self.owner[column], self.taken[row]
        if rival == row:
            return True
        taken, owner = self.taken[:], self.owner[:]
        self.taken[row], self.owner[column], self.owner[left] = column, row, -1
        self.taken[rival] = -1
        if self._augment(rival, settled=row + 1) is not None:
            return True
        self.taken, self.owner = taken, owner
        return False
