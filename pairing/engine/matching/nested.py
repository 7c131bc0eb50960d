"""Perfect matchings of which exactly one edge leaves each of some nested odd sets, kept while edges go.

Source: J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices (1965): an odd set is shrunk to one node. The
node can be matched by those of its vertices without whom the others of the set can be matched among each other, which
is asked of each set in turn, the inner ones first.
"""

from __future__ import annotations

from collections.abc import Sequence

from .cardinality import Matching, Rows, bits


class NestedMatching:
    """Such a matching of the edges in `rows`, which may become fewer (symmetric) from one call of `repair` to the next.

    mate: one such matching, of all edges. odd_sets: masks, nested or apart.
    """

    def __init__(self, rows: Rows, mate: Sequence[int], odd_sets: Sequence[int]) -> None:
        everyone = _Region((1 << len(mate)) - 1, rows, None)
        regions = [everyone]
        for mask in sorted(odd_sets, key=int.bit_count, reverse=True):
            around = next(region for region in reversed(regions) if region.mask & mask == mask)
            regions.append(_Region(mask, rows, around))
        self._home = [everyone] * len(mate)
        for region in regions:
            for v in bits(region.mask):
                self._home[v] = region
        for v, w in enumerate(mate):
            if v < w:
                self._join(v, w)
        for region in regions[1:]:
            region.is_stale = True

    def _join(self, v: int, w: int) -> None:
        one, other = self._home[v], self._home[w]
        while not one.mask >> w & 1:
            v, one = one.outside()
        while other is not one:
            w, other = other.outside()
        one.matching.join(v, w)

    def repair(self, v: int) -> bool:
        """Whether there still is such a matching after edges of v have gone; if not, the former one is kept."""
        node, region = v, self._home[v]
        former = []
        while True:
            matching = region.matching
            former.append((region, matching.mate[:], matching.exposed, region.spare, region.is_stale))
            if not region.repair(node):
                for one, mate, exposed, spare, is_stale in former:
                    one.matching.mate, one.matching.exposed = mate, exposed
                    one.spare, one.is_stale = spare, is_stale
                return False
            if region.around is None or region.is_held(region.around):
                return True
            node, region = region.name, region.around


class _Region:
    """An odd set, or everybody: a graph of its vertices and of the odd sets inside it, each known by its lowest vertex.

    spare: mask of the vertices of an odd set that may be the one matched outside; there may be fewer when it is stale.
    """

    def __init__(self, mask: int, rows: Rows, around: _Region | None) -> None:
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
        """The node that stands for this odd set, and the region that it is a node of."""
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

    def reach(self) -> int:
        """Whom the vertices that may be matched outside have edges with there."""
        reach = 0
        for v in bits(self.find_spare()):
            reach |= self._edges[v]
        return reach & ~self.mask

    def repair(self, node: int) -> bool:
        """Match anew where it takes that, after edges of a node have gone; False: it is not possible any more."""
        self._rows.clear()
        matching = self.matching
        partner = matching.mate[node]
        if partner >= 0 and not self[node] >> partner & 1:
            matching.part(node)
            spared = 1 if self.around is not None else 0
            for exposed in bits(matching.exposed):
                if matching.mate[exposed] < 0 and not matching.augment(exposed, self):
                    spared -= 1
                    if spared < 0:
                        return False
        self.is_stale = True
        return True

    def is_held(self, around: _Region) -> bool:
        """Whether the vertex left over is matched outside by an edge that is still there: then all is well outside."""
        partner = around.matching.mate[self.name]
        if partner < 0:
            return False
        inner = around._inside.get(partner)
        return bool(self._edges[self.left_over()] >> (partner if inner is None else inner.left_over()) & 1)

    def left_over(self) -> int:
        """The vertex of an odd set that the matching as it stands leaves for one outside."""
        node = self.matching.exposed.bit_length() - 1
        inner = self._inside.get(node)
        return node if inner is None else inner.left_over()

    def find_spare(self) -> int:
        """The spare vertices of an odd set, by a search if edges have gone since the last one."""
        if self.is_stale:
            self._rows.clear()
            self.spare = 0
            for node in bits(self.matching.dispensable(self)):
                inner = self._inside.get(node)
                self.spare |= 1 << node if inner is None else inner.find_spare()
            self.is_stale = False
        return self.spare
