"""Find the first transposition: the first columns, in lexicographic order, so that each row is a legal pair."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from .cardinality import bits

Met = Sequence[Collection[int]] | Mapping[int, Collection[int]]
Absolute = Sequence[int] | Mapping[int, int]


def first_transposition(
    s1: Sequence[int], g2: Sequence[int], met: Met, absolute: Absolute
) -> list[int] | None:
    """Return the first transposition of the second group of which each row is a legal pair with the first group.

    Returns None if no transposition is legal. s1, g2: in their order, of the same size. met, absolute: for each player,
    who must not be met, and the colour that two who meet must not both be due absolutely, 0 for none. The first
    transposition in lexicographic order is the greedy one: each row takes the first player with whom all later rows can
    still be paired. While every row finds somebody, the first free player who may be met is this player, because the
    finished rows prove it. Cost: close to linear.
    """
    return _LegalRows(s1, g2, met, absolute).solve()


class _LegalRows:
    """The pairs so far. A row is a player of S1, a column a player of G2, numbered in their order.

    taken: the column of each row, or -1. owner: the row of each column, or -1.
    """

    def __init__(self, s1: Sequence[int], g2: Sequence[int], met: Met, absolute: Absolute) -> None:
        self.s1, self.g2, self.met, self.absolute = s1, g2, met, absolute
        self.size = len(s1)
        self.taken = [-1] * self.size
        self.owner = [-1] * self.size

    def solve(self) -> list[int] | None:
        stuck = self._greedy()
        if stuck < self.size:
            columns, rows = self._may_meet(self.s1, self.g2), self._may_meet(self.g2, self.s1)
            repair = _Repair(columns, rows, self.taken, self.owner)
            first = repair.complete(stuck)
            if first is None:
                return None
            repair.settle(first)
        g2 = self.g2
        return [g2[column] for column in self.taken]

    def _greedy(self) -> int:
        """Let each row take the first legal column that is free. Returns the first row that finds none."""
        size, g2, met, absolute, taken, owner = (
            self.size,
            self.g2,
            self.met,
            self.absolute,
            self.taken,
            self.owner,
        )
        # entry 0: the first free column, plus 1; entry c + 1: the first free column after c, plus 1
        following = list(range(1, size + 2))
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

    def _may_meet(self, players: Sequence[int], others: Sequence[int]) -> list[int]:
        """Return for each of the players a mask of the others whom this player may meet, by their index."""
        place_of = {player: place for place, player in enumerate(others)}
        everyone = (1 << len(others)) - 1
        allowed = [everyone, everyone, everyone]
        for place, player in enumerate(others):
            if self.absolute[player]:
                allowed[self.absolute[player]] ^= 1 << place
        masks = []
        for player in players:
            mask = allowed[self.absolute[player]]
            for other in self.met[player]:
                if other in place_of:
                    mask &= ~(1 << place_of[other])
            masks.append(mask)
        return masks


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
