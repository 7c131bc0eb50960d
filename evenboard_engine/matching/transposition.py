"""Find the first transposition: the first columns, in lexicographic order, so that each row is a legal pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from .cardinality import bits, mask_of

Met = Sequence[Collection[int]] | Mapping[int, Collection[int]]
Kind = Sequence[int] | Mapping[int, int]


def first_transposition(
    rows: Sequence[int],
    columns: Sequence[int],
    met: Met,
    row_kind: Kind,
    column_kind: Kind,
    allowed: Sequence[Collection[int]],
) -> list[int] | None:
    """Return for each row the player of its column: the first order of the columns in which each row is a legal pair.

    Returns None if no order is legal. rows, columns: players in their order, as many of both. met: for each row, which
    players it must not meet. allowed: for each kind of row, the kinds of columns that it may take.
    The first transposition in lexicographic order is the greedy one: each row takes the first player with whom all
    later rows can still be paired. While every row finds somebody, the first free player who may be met is this player,
    because the finished rows prove it. Cost: close to linear.
    """
    return _LegalRows(rows, columns, met, row_kind, column_kind, allowed).solve()


class _LegalRows:
    """The pairs so far. Rows and columns are numbered in their order.

    taken: the column of each row, or -1. owner: the row of each column, or -1.
    """

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        met: Met,
        row_kind: Kind,
        column_kind: Kind,
        allowed: Sequence[Collection[int]],
    ) -> None:
        self.rows, self.columns, self.met = rows, columns, met
        self.row_kinds = [row_kind[player] for player in rows]
        self.column_kinds = [column_kind[player] for player in columns]
        self.allowed = allowed
        self.taken = [-1] * len(rows)
        self.owner = [-1] * len(columns)

    def solve(self) -> list[int] | None:
        shares = _Shares(self.row_kinds, self.column_kinds, self.allowed)
        if not shares.suit_all:
            return None
        stuck = self._greedy(shares)
        if stuck < len(self.rows):
            repair = _Repair(*self._legal(), self.taken, self.owner)
            first = repair.complete(stuck)
            if first is None:
                return None
            repair.settle(first)
        return [self.columns[column] for column in self.taken]

    def _greedy(self, shares: _Shares) -> int:
        """Let each row take the first legal column that is free. Returns the first row that finds none.

        The free columns of each kind are a linked list: `head` has the first, `following` the next one.
        """
        columns, taken, owner = self.columns, self.taken, self.owner
        size = len(columns)
        head = dict.fromkeys(self.column_kinds, size)
        following = [size] * size
        for column in range(size - 1, -1, -1):
            kind = self.column_kinds[column]
            following[column] = head[kind]
            head[kind] = column
        for row, (one, row_kind) in enumerate(zip(self.rows, self.row_kinds, strict=True)):
            met, kinds = self.met[one], shares.allowed[row_kind]
            while True:
                best, before, of_kind = size, -1, -1
                for kind in kinds:
                    earlier, column = -1, head[kind]
                    while column < best and columns[column] in met:
                        earlier, column = column, following[column]
                    if column < best:
                        best, before, of_kind = column, earlier, kind
                if best == size:
                    return row
                if shares.take(row_kind, of_kind):
                    break
            if before < 0:
                head[of_kind] = following[best]
            else:
                following[before] = following[best]
            taken[row], owner[best] = best, row
        return len(self.rows)

    def _legal(self) -> tuple[list[int], list[int]]:
        """Return masks of the columns that each row may take, and of the rows that may take each column."""
        column_of = {player: column for column, player in enumerate(self.columns)}
        rows_of, columns_of = _masks_by_kind(self.row_kinds), _masks_by_kind(self.column_kinds)
        free: dict[int, int] = {}
        taken_by: dict[int, int] = {}
        for kind, members in rows_of.items():
            free[kind] = sum(columns_of.get(column_kind, 0) for column_kind in self.allowed[kind])
            for column_kind in self.allowed[kind]:
                taken_by[column_kind] = taken_by.get(column_kind, 0) | members
        legal = [free[kind] for kind in self.row_kinds]
        takers = [taken_by.get(kind, 0) for kind in self.column_kinds]
        for row, one in enumerate(self.rows):
            for other in self.met[one]:
                column = column_of.get(other)
                if column is not None:
                    legal[row] &= ~(1 << column)
                    takers[column] &= ~(1 << row)
        return legal, takers


class _Shares:
    """How many rows of each kind may take columns of each kind, so that all rows that are left have one.

    Only kinds count here, not who has met whom. allowed: for each kind of row, the kinds of columns that leave enough
    for all others; a kind that does not once never does later, because those who need it take as many as there are.
    free: columns of each kind that nobody needs. suit_all: whether there is a column for each row.
    """

    def __init__(
        self, row_kinds: Sequence[int], column_kinds: Sequence[int], allowed: Sequence[Collection[int]]
    ) -> None:
        rows, self.free = Counter(row_kinds), Counter(column_kinds)
        self.allowed = {kind: [other for other in allowed[kind] if other in self.free] for kind in rows}
        self.shares = {kind: dict.fromkeys(kinds, 0) for kind, kinds in self.allowed.items()}
        self.suit_all = all(self._share(kind, count) for kind, count in rows.items())

    def _share(self, kind: int, rows: int) -> bool:
        """Give so many rows of a kind columns. Others change theirs if they must."""
        while rows:
            moved = self._shift(kind, rows)
            if not moved:
                return False
            rows -= moved
        return True

    def take(self, row: int, column: int) -> bool:
        """Let a row of a kind take a column of a kind, if the others still suit all; else forbid it from now on."""
        mine = self.shares[row]
        if mine[column]:
            mine[column] -= 1
            return True
        left = next(kind for kind, count in mine.items() if count)
        theirs = next(shares for shares in self.shares.items() if shares[1].get(column))
        mine[left] -= 1
        self.free[left] += 1
        theirs[1][column] -= 1
        if self._shift(theirs[0], 1):
            return True
        mine[left] += 1
        self.free[left] -= 1
        theirs[1][column] += 1
        self.allowed[row].remove(column)
        return False

    def _shift(self, start: int, most: int) -> int:
        """Give at most so many rows of a kind columns along one alternating path. Returns how many got one."""
        came_from: dict[int, tuple[int, int]] = {}
        queue = [start]
        for kind in queue:
            for column in self.allowed[kind]:
                if self.free[column]:
                    return self._move(kind, column, came_from, most)
                for other, shares in self.shares.items():
                    if other != start and other not in came_from and shares.get(column):
                        came_from[other] = kind, column
                        queue.append(other)
        return 0

    def _move(self, end: int, column: int, came_from: Mapping[int, tuple[int, int]], most: int) -> int:
        path = [(end, column)]
        while path[-1][0] in came_from:
            path.append(came_from[path[-1][0]])
        given_up = [(kind, given) for (kind, _), (_, given) in pairwise(path)]
        count = min(most, self.free[column], *(self.shares[kind][given] for kind, given in given_up))
        self.free[column] -= count
        for kind, given in given_up:
            self.shares[kind][given] -= count
        for kind, got in path:
            self.shares[kind][got] += count
        return count


def _masks_by_kind(kinds: Sequence[int]) -> dict[int, int]:
    members: dict[int, list[int]] = {}
    for i, kind in enumerate(kinds):
        members.setdefault(kind, []).append(i)
    return {kind: mask_of(positions) for kind, positions in members.items()}


class _Repair:
    """Repairs a greedy choice in which a row found no column, then makes the choice again from the first change on.

    legal: masks of the columns that a row may take. takers: masks of the rows that may take a column. taken and owner
    are changed in place.
    """

    def __init__(
        self, legal: Sequence[int], takers: Sequence[int], taken: list[int], owner: list[int]
    ) -> None:
        self.legal, self.takers, self.taken, self.owner = legal, takers, taken, owner

    def complete(self, stuck: int) -> int | None:
        """Find columns for all rows, along alternating paths. Returns the first row that had to change, or None."""
        first = stuck
        free = sum(1 << column for column, row in enumerate(self.owner) if row < 0)
        for row in range(stuck, len(self.taken)):
            changed = self._augment(row, free)
            if changed is None:
                return None
            free &= ~(1 << changed[1])
            first = min(first, changed[0])
        return first

    def _augment(self, start: int, free: int) -> tuple[int, int] | None:
        """Give row `start` a column and move others. Returns the first changed row, and the column that was free."""
        unseen = (1 << len(self.owner)) - 1
        came_from: dict[int, int] = {}
        queue = [start]
        for row in queue:
            reached = self.legal[row] & unseen
            ends = reached & free
            if ends:
                end = (ends & -ends).bit_length() - 1
                return self._move(start, row, end, came_from), end
            unseen ^= reached
            for column in bits(reached):
                came_from[self.owner[column]] = row
                queue.append(self.owner[column])
        return None

    def _move(self, start: int, row: int, column: int, came_from: Mapping[int, int]) -> int:
        first = row
        while True:
            first = min(first, row)
            left = self.taken[row]
            self.taken[row], self.owner[column] = column, row
            if row == start:
                return first
            row, column = came_from[row], left

    def settle(self, first: int) -> None:
        """Let each row from `first` on take the first column with which all later rows can still have one."""
        later = (1 << len(self.taken)) - 1 >> first << first
        columns = sum(1 << column for column in self.taken[first:])
        for row in range(first, len(self.taken)):
            later ^= 1 << row
            better = self.legal[row] & columns & (1 << self.taken[row]) - 1
            if better:
                self._improve(row, better, later)
            columns ^= 1 << self.taken[row]

    def _improve(self, row: int, better: int, later: int) -> None:
        """Give the row the first of these columns whose owner can have another one, after the row leaves its own.

        The search begins at the column that the row leaves. layers: for each column found, the later rows that can take
        it and so leave their own.
        """
        wished = self.owner[(better & -better).bit_length() - 1]
        layers: list[tuple[int, int]] = []
        seen = 0
        queue = [self.taken[row]]
        for column in queue:
            fresh = self.takers[column] & later & ~seen
            seen |= fresh
            layers.append((fresh, column))
            if seen >> wished & 1:
                break
            queue += [self.taken[other] for other in bits(fresh)]
        for column in bits(better):
            rival = self.owner[column]
            if seen >> rival & 1:
                self._exchange(row, column, rival, layers)
                return

    def _exchange(self, row: int, column: int, rival: int, layers: Sequence[tuple[int, int]]) -> None:
        own = self.taken[row]
        self.taken[row], self.owner[column] = column, row
        while column != own:
            column = next(target for fresh, target in layers if fresh >> rival & 1)
            displaced = self.owner[column]
            self.taken[rival], self.owner[column] = column, rival
            rival = displaced
