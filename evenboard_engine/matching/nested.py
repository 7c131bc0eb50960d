"""Keep a perfect matching in which exactly one edge leaves each of some nested odd sets, while edges are removed.

Source: J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices (1965): an odd set is shrunk to one node. A
vertex of the set can be matched outside (it is spare) if the other vertices of the set can be matched among each other.
This is computed for each set, inner sets first.
"""

from __future__ import annotations

from collections.abc import Sequence

from .cardinality import BitRows, Matching, bits


class NestedMatching:
    """A perfect matching on the edges in `rows`; the caller may remove edges (symmetrically) between calls of `repair`.

    mate: a first such matching. odd_sets: masks; any two are nested or disjoint.
    """

    def __init__(self, rows: BitRows, mate: Sequence[int], odd_sets: Sequence[int]) -> None:
        everyone = _Region((1 << len(mate)) - 1, rows, None)
        regions = [everyone]
        for mask in sorted(odd_sets, key=int.bit_count, reverse=True):
            around = next(region for region in reversed(regions) if region.mask & mask == mask)
            regions.append(_Region(mask, rows, around))
        self._regions = regions
        self._home = [everyone] * len(mate)
        for region in regions:
            for v in bits(region.mask):
                self._home[v] = region
        for v, w in enumerate(mate):
            if v < w:
                self._join(v, w)
        for region in regions[1:]:
            region.is_stale = True

    def state(self) -> list[tuple[list[int], int]]:
        """Return what `restore` needs."""
        return [(region.matching.mate[:], region.matching.exposed) for region in self._regions]

    def restore(self, state: Sequence[tuple[Sequence[int], int]]) -> None:
        """Go back to a former matching. All its edges must be in the rows, which may have changed otherwise."""
        for region, (mate, exposed) in zip(self._regions, state, strict=True):
            region.restore(list(mate), exposed)

    def repair_all(self) -> bool:
        """Repair the matching after any edges were removed. False if there is none: then the caller must restore."""
        return all(region.match_again() for region in reversed(self._regions))

    def _join(self, v: int, w: int) -> None:
        one, other = self._home[v], self._home[w]
        while not one.mask >> w & 1:
            v, one = one.outside()
        while other is not one:
            w, other = other.outside()
        one.matching.join(v, w)

    def repair(self, v: int) -> bool:
        """Repair the matching after edges of v were removed; if there is none, keep the old one and return False."""
        node, region = v, self._home[v]
        former = []
        lost = True
        while True:
            matching = region.matching
            former.append((region, matching.mate[:], matching.exposed, region.spare, region.is_stale))
            if lost and not region.repair(node):
                for one, mate, exposed, spare, is_stale in former:
                    one.matching.mate, one.matching.exposed = mate, exposed
                    one.spare, one.is_stale = spare, is_stale
                return False
            region.is_stale = True
            if region.around is None:
                return True
            # Even if this edge is held, a set further out may be matched by a vertex that is no longer spare.
            lost = not region.is_held(region.around)
            node, region = region.name, region.around


class _Region:
    """An odd set, or the set of all vertices, as a graph.

    Its nodes are its vertices and the odd sets inside it; the name of an odd set is its lowest vertex. spare: mask of
    the vertices of an odd set that can be matched outside; if stale, some of them may no longer be spare.
    """

    def __init__(self, mask: int, rows: BitRows, around: _Region | None) -> None:
        self.mask, self.around = mask, around
        self.name = (mask & -mask).bit_length() - 1
        self.spare = 0
        self.is_stale = False
        self._inside: dict[int, _Region] = {}
        self._single = mask
        self._edges = rows
        self._rows: dict[int, int] = {}
        self.matching = Matching([0] * mask.bit_length())
        self.matching.exposed = mask
        if around is not None:
            around.shrink(self)

    def shrink(self, inner: _Region) -> None:
        self._inside[inner.name] = inner
        self._single &= ~inner.mask
        self.matching.exposed = self.matching.exposed & ~inner.mask | 1 << inner.name

    def outside(self) -> tuple[int, _Region]:
        """Return the node of this odd set, and the region around it."""
        assert self.around is not None
        return self.name, self.around

    def __getitem__(self, node: int) -> int:
        row = self._rows.get(node)
        if row is None:
            row = self._rows[node] = self._row(node)
        return row

    def _row(self, node: int) -> int:
        inner = self._inside.get(node)
        reach = self._edges[node] if inner is None else inner.reach()
        row = reach & self._single
        if reach & self.mask != row:
            for name, other in self._inside.items():
                if reach & other.find_spare():
                    row |= 1 << name
        return row

    def restore(self, mate: list[int], exposed: int) -> None:
        self.matching.mate, self.matching.exposed = mate, exposed
        self.spare, self.is_stale = 0, self.around is not None
        self._rows.clear()

    def reach(self) -> int:
        """Return the mask of the outside vertices that have an edge to a spare vertex."""
        reach = 0
        for v in bits(self.find_spare()):
            reach |= self._edges[v]
        return reach & ~self.mask

    def repair(self, node: int) -> bool:
        """Match again where necessary after edges of a node were removed; False if it is no longer possible."""
        self._rows.clear()
        matching = self.matching
        partner = matching.mate[node]
        if partner >= 0 and not self[node] >> partner & 1:
            matching.part(node)
            return self._complete()
        return True

    def match_again(self) -> bool:
        """Match again, inner sets first, after edges of any nodes were removed; False if it is impossible."""
        self._rows.clear()
        self.is_stale = self.around is not None
        matching = self.matching
        for node, partner in enumerate(matching.mate):
            if node < partner and not self[node] >> partner & 1:
                matching.part(node)
        return self._complete()

    def _complete(self) -> bool:
        """Match all nodes, of an odd set all but one; False if it is impossible."""
        matching = self.matching
        spared = 1 if self.around is not None else 0
        for exposed in bits(matching.exposed):
            if matching.mate[exposed] < 0 and not matching.augment(exposed, self):
                spared -= 1
                if spared < 0:
                    return False
        return True

    def is_held(self, around: _Region) -> bool:
        """Return whether the edge that matches the left-over vertex outside still exists."""
        partner = around.matching.mate[self.name]
        if partner < 0:
            return False
        inner = around._inside.get(partner)
        return bool(self._edges[self.left_over()] >> (partner if inner is None else inner.left_over()) & 1)

    def left_over(self) -> int:
        """Return the vertex of an odd set that the present matching leaves for a partner outside."""
        node = self.matching.exposed.bit_length() - 1
        inner = self._inside.get(node)
        return node if inner is None else inner.left_over()

    def find_spare(self) -> int:
        """Return the mask of the spare vertices; search again if edges were removed since the last search."""
        if self.is_stale:
            self._rows.clear()
            self.spare = 0
            for node in bits(self.matching.dispensable(self)):
                inner = self._inside.get(node)
                self.spare |= 1 << node if inner is None else inner.find_spare()
            self.is_stale = False
        return self.spare
