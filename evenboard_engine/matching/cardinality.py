"""Find matchings of maximum size, on adjacency bit masks.

Sources: J. Edmonds, Paths, trees, and flowers (1965); the Gallai-Edmonds decomposition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the set bits, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(positions: Iterable[int]) -> int:
    """Return the bit mask with these positions set; positions may repeat."""
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


class BitRows(Protocol):
    """Bit masks by vertex: a list, or an object that computes them on demand."""

    def __getitem__(self, v: int, /) -> int: ...


class Matching:
    """A matching that can grow, and be repaired after edges are removed.

    adjacency[v] is the bit mask of the vertices that v may be matched with (symmetric, without v itself). The list is
    not copied, and `forbid` changes it. mate[v] is v's partner, or -1. exposed is the mask of the vertices without a
    partner.
    """

    __slots__ = ("adjacency", "exposed", "mate")

    def __init__(self, adjacency: list[int]) -> None:
        self.adjacency = adjacency
        self.mate = [-1] * len(adjacency)
        self.exposed = (1 << len(adjacency)) - 1

    def copy(self) -> Matching:
        """Return an independent matching in the same state. Cost: linear."""
        other = Matching.__new__(Matching)
        other.adjacency, other.mate, other.exposed = self.adjacency[:], self.mate[:], self.exposed
        return other

    def join(self, v: int, w: int) -> None:
        """Match two exposed vertices."""
        self.mate[v], self.mate[w] = w, v
        self.exposed &= ~(1 << v | 1 << w)

    def part(self, v: int) -> None:
        """Expose v and its partner."""
        w = self.mate[v]
        self.mate[v] = self.mate[w] = -1
        self.exposed |= 1 << v | 1 << w

    def forbid(self, v: int, mask: int) -> None:
        """Remove the edges between v and the vertices of the mask, also from the matching."""
        mask &= self.adjacency[v]
        self.adjacency[v] ^= mask
        for w in bits(mask):
            self.adjacency[w] &= ~(1 << v)
        if self.mate[v] >= 0 and mask >> self.mate[v] & 1:
            self.part(v)

    def maximise(self) -> int:
        """Grow the matching to maximum size and return the number of exposed vertices."""
        self.decompose()
        return self.exposed.bit_count()

    def decompose(self) -> int:
        """Grow the matching to maximum size and return the mask of the dispensable vertices (see `dispensable`)."""
        choosiest_first = sorted(bits(self.exposed), key=lambda v: self.adjacency[v].bit_count())
        for v in choosiest_first:
            if self.mate[v] < 0:
                reachable = self.adjacency[v] & self.exposed
                if reachable:
                    self.join(v, (reachable & -reachable).bit_length() - 1)
        mask = barred = 0
        for v in bits(self.exposed):
            if self.mate[v] < 0:
                if not self.adjacency[v] & ~barred:  # often true, and a search would only find this
                    mask |= 1 << v
                    continue
                search = _Search(self, v, barred)
                if not search.run():
                    mask |= search.even
                    barred |= search.even | search.odd
        return mask

    def complete(self) -> bool:
        """Grow towards a perfect matching and tell whether it is one. Stops at the first vertex that stays exposed."""
        return all(self.mate[v] >= 0 or _Search(self, v).run() for v in bits(self.exposed))

    def augment(self, v: int, rows: BitRows) -> bool:
        """Match the exposed v by an augmenting path on these rows (symmetric; they include the matching's edges)."""
        return _Search(self, v, rows=rows).run()

    def dispensable(self, rows: BitRows | None = None) -> int:
        """Return the mask of the vertices that some matching of maximum size exposes (Gallai-Edmonds set D).

        This matching must have maximum size. rows: the edges, if not those of `adjacency`.
        """
        mask = barred = 0
        for v in bits(self.exposed):
            search = _Search(self, v, barred, rows)
            search.run()
            mask |= search.even
            barred |= search.even | search.odd
        return mask


class EdgesLeft:
    """The edges between the vertices that are left, computed on demand."""

    __slots__ = ("_home", "_left", "_rows")

    def __init__(self, rows: BitRows, left: int, home: Sequence[int] | None = None) -> None:
        self._rows, self._left, self._home = rows, left, home

    def __getitem__(self, v: int) -> int:
        row = self._rows[v] & self._left
        return row if self._home is None else row & self._home[v]


def matched_with(rows: BitRows, mate: Sequence[int], pairs: Mapping[int, int]) -> list[int] | None:
    """Return partners after some players have been paired; None if the others cannot all be matched.

    rows: the edges that are left between the others.
    """
    matching = Matching([])
    matching.mate, matching.exposed = list(mate), 0
    for pair in pairs.items():
        for one in pair:
            if matching.mate[one] >= 0:
                matching.part(one)
        matching.join(*pair)
    able = all(matching.mate[one] >= 0 or matching.augment(one, rows) for one in bits(matching.exposed))
    return matching.mate if able else None


class _Search:
    """One search for an augmenting path from an exposed root; if it finds a path, it augments the matching.

    barred: the vertices reached by earlier searches that found no path (Hungarian trees: J. Edmonds, 1965). No later
    search can use them, so they are left out. even: mask of the vertices at even distance from the root, including all
    vertices in blossoms.
    """

    __slots__ = ("adjacency", "base", "even", "group", "matching", "mate", "odd", "parent", "queue", "root")

    def __init__(self, matching: Matching, root: int, barred: int = 0, rows: BitRows | None = None) -> None:
        self.matching, self.root = matching, root
        self.adjacency: BitRows = matching.adjacency if rows is None else rows
        self.mate = matching.mate
        self.base = list(range(len(self.mate)))
        self.group: dict[int, int] = {}
        self.parent = [-1] * len(self.mate)
        self.even = 1 << root
        self.odd = barred
        self.queue = [root]

    def run(self) -> bool:
        exposed = self.matching.exposed & ~self.even
        if self._ends(self.root, exposed):
            return True
        for v in self.queue:
            while outside := self.adjacency[v] & ~self.even & ~self.odd:
                w = (outside & -outside).bit_length() - 1
                partner = self.mate[w]
                self.parent[w] = v
                if self._ends(partner, exposed):
                    return True
                self.odd |= 1 << w
                self.even |= 1 << partner
                self.queue.append(partner)
            while blossom := self.adjacency[v] & self.even & ~self._group(v):
                for fresh in bits(self._contract(v, (blossom & -blossom).bit_length() - 1)):
                    if self._ends(fresh, exposed):
                        return True
                    self.queue.append(fresh)
        return False

    def _ends(self, v: int, exposed: int) -> bool:
        """If v, which has just become even, is adjacent to an exposed vertex, augment along this path."""
        ends = self.adjacency[v] & exposed
        if ends:
            end = (ends & -ends).bit_length() - 1
            self.parent[end] = v
            self._augment(end)
        return bool(ends)

    def _group(self, v: int) -> int:
        base = self.base[v]
        return self.group.get(base, 1 << base)

    def _contract(self, v: int, w: int) -> int:
        """Shrink the odd cycle (blossom) through the adjacent even vertices v and w.

        Returns the mask of the vertices that become even by this.
        """
        root = self._common_base(v, w)
        mask = 0
        for start, child in ((v, w), (w, v)):
            x, link = start, child
            while self.base[x] != root:
                odd = self.mate[x]
                mask |= self._group(x) | self._group(odd)
                self.parent[x] = link
                link, x = odd, self.parent[odd]
        old = self._group(root)
        for x in bits(mask & ~old):
            self.base[x] = root
        mask |= old
        fresh = mask & ~self.even
        self.group[root] = mask
        self.even |= mask
        return fresh

    def _common_base(self, v: int, w: int) -> int:
        path = set()
        x = self.base[v]
        while True:
            path.add(x)
            if x == self.root:
                break
            x = self.base[self.parent[self.mate[x]]]
        x = self.base[w]
        while x not in path:
            x = self.base[self.parent[self.mate[x]]]
        return x

    def _augment(self, end: int) -> None:
        self.matching.exposed &= ~(1 << end | 1 << self.root)
        while end >= 0:
            v = self.parent[end]
            following = self.mate[v]
            self.mate[v], self.mate[end] = end, v
            end = following
