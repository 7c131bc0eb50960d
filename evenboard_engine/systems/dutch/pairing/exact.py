"""Pair one bracket exactly: three cheapest perfect matchings, each proved (C.04.3, 3.1 to 4.4, edition of 2026).

The first has the criteria C6 to C21 and the order of moved-down players (4.4). The second adds the exchange (4.3) and
fixes S1, the third the transposition (4.2). In a large bracket, one matching has the criteria, and the order is asked
member by member. No costs are needed if all pairs that can be made fit together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from evenboard_engine.matching import (
    Cheapest,
    EdgesLeft,
    Kinds,
    Matching,
    bits,
    cheapest_by_kind,
    cheapest_by_lower_end,
    cheapest_perfect_matching,
    has_few_edges,
    mask_of,
    matched_with,
)
from evenboard_engine.matching.nested import NestedMatching
from evenboard_engine.preference import Strength
from evenboard_engine.systems.dutch.articles import DutchRule

from .colours import DutchColourAllocator
from .costs import BYE, BracketCosts, Criterion
from .field import DutchField
from .outlook import most_absolutes

SINGLE = -1
FAR = -1
MANY = 100
"""With fewer vertices it takes less time to match by the costs of single edges than by kinds."""
Order = Callable[[int, int], int]


class PairedBracket(NamedTuple):
    """A bracket with its pairs, all players as places.

    moved: the moved-down players, residents: the scoregroup, both in the order of 1.2. met_moved: (moved-down player,
    opponent), in the order of the moved-down players. s1, s2: players at the same place are paired (the remainder).
    floaters: in the order of 1.2. bye: the last floater has the bye. quality: C6 to C21; None if not computed.
    """

    moved: list[int]
    residents: list[int]
    met_moved: list[tuple[int, int]]
    s1: list[int]
    s2: list[int]
    floaters: list[int]
    quality: dict[Criterion, int] | None = None

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return [*self.met_moved, *zip(self.s1, self.s2, strict=True)]


def pair_exactly(
    field: DutchField,
    colours: DutchColourAllocator,
    moved: list[int],
    residents: list[int],
    below: Sequence[list[int]],
    bye_score: int | None,
    mates: dict[int, int] | None = None,
) -> PairedBracket | None:
    """Return the best candidate; None if there is none. below: the scoregroups below, from the highest.

    The graph ends where the players below can surely be paired whoever floats to them; else it has everybody.
    mates: who met whom in the matching of a bracket above, with which this one begins; changed to its own. If they are
    given, the quality is not computed where all pairs that can be made are made.
    """
    for graph in graphs_of(field, colours, moved, residents, below, bye_score):
        found = (mates is not None and graph.with_every_pair(mates)) or graph.solve()
        if found is not None:
            return found
    return None


def graphs_of(
    field: DutchField,
    colours: DutchColourAllocator,
    moved: list[int],
    residents: list[int],
    below: Sequence[list[int]],
    bye_score: int | None,
) -> Iterator[BracketGraph]:
    """Yield the graphs in which the best candidate is sought: the first one in which it is found has it.

    One with fewer players below comes first. A large bracket has one graph, by kinds, if these give all costs.
    """
    arguments = field, colours, moved, residents, below, bye_score
    for near in horizons(field, below):
        places = [*moved, *residents, *(place for group in below[:near] for place in group)]
        masks = field.graph(places)
        if len(places) >= MANY and not has_few_edges(masks):
            yield KindsOfBracket(*arguments, near=len(below))
            return
        yield BracketGraph(*arguments, near=near, masks=masks)


def quality_of(
    field: DutchField,
    colours: DutchColourAllocator,
    moved: list[int],
    residents: list[int],
    below: Sequence[list[int]],
    bye_score: int | None,
    pairs: Sequence[tuple[int, int]],
) -> dict[Criterion, int] | None:
    """Return C6 to C21 of the candidate with these legal pairs; None if the others cannot be paired (C4, C5)."""
    for graph in graphs_of(field, colours, moved, residents, below, bye_score):
        graph.force(pairs)
        found = graph.best()
        if found is not None:
            return found[1]
    return None


def horizons(field: DutchField, below: Sequence[list[int]]) -> tuple[int, ...]:
    """Return after how many scoregroups the graph may end: after one, if a sea can hold there, else after all."""
    sea = [place for group in below[1:] for place in group]
    return (1, len(below)) if sea and _degree(field, sea) >= len(sea) // 2 else (len(below),)


def _degree(field: DutchField, sea: Sequence[int]) -> int:
    """Return how many of the sea each of its players may meet at least."""
    return len(sea) - 1 - field.most_met - max(0, most_absolutes(field, sea) - 1)


class BracketGraph:
    """The graph of a bracket and what is below.

    near: so many scoregroups below have vertices of their own. masks: who may meet whom, of all these players.
    The others are a sea: a vertex that stays single has an opponent there. So its candidates include all that exist,
    and the best one is right if the sea can pair all who come (`_sea_holds`).
    """

    def __init__(
        self,
        field: DutchField,
        colours: DutchColourAllocator,
        moved: list[int],
        residents: list[int],
        below: Sequence[list[int]],
        bye_score: int | None,
        *,
        near: int,
        masks: list[int] | None = None,
    ) -> None:
        self.field, self.moved, self.residents = field, moved, residents
        self.size = len(moved) + len(residents)
        explicit = [place for group in below[:near] for place in group]
        self.sea = [place for group in below[near:] for place in group]
        self.places = [*moved, *residents, *explicit]
        self.bye_in_sea = bool(self.sea) and bye_score is not None and bye_score <= field.score[self.sea[0]]
        self.masks = masks or field.graph(self.places)
        among_moved = (1 << len(moved)) - 1
        for i in range(len(moved)):
            self.masks[i] &= ~among_moved
        if bye_score is not None and not self.bye_in_sea:
            self._add_bye(bye_score)
        self.optional = frozenset(self._with_sea()) if self.sea else frozenset()
        self._context = colours, below[0] if below else (), bye_score

    @cached_property
    def costs(self) -> BracketCosts:
        field, moved, residents = self.field, self.moved, self.residents
        colours, following, bye_score = self._context
        return BracketCosts(
            field,
            colours,
            moved,
            residents,
            following,
            vertices=len(self.places) + len(self.optional),
            bye_score=bye_score,
            unplayed=self.size % 2 == 1
            and any(field.score[one] == bye_score for one in (*moved, *residents)),
        )

    def _add_bye(self, bye_score: int) -> None:
        bye = len(self.places)
        barred, score = self.field.past.barred, self.field.score
        self.masks.append(0)
        for i, place in enumerate(self.places):
            if score[place] == bye_score and place not in barred:
                self.masks[i] |= 1 << bye
                self.masks[bye] |= 1 << i
        self.places.append(BYE)

    def _with_sea(self) -> list[int]:
        """Return the vertices that have a legal opponent in the sea."""
        meets = self.field.may_meet
        return [
            v
            for v, place in enumerate(self.places)
            if place != BYE and any(meets(place, other) for other in self.sea)
        ]

    def set_edges(self) -> None:
        """Compute the cost of each edge, and of each vertex that stays single, from C6 to C21."""
        costs = self.costs
        size, places = self.size, self.places
        end = size + len(costs.following)
        self.edge: list[dict[int, int]] = [{} for _ in places]
        for v, one in enumerate(places):
            far = costs.floater(one, None) if v < size else 0
            for w in bits(self.masks[v] >> v << v):
                if w < size:
                    cost = costs.pair(one, places[w])
                elif v < size:
                    cost = costs.floater(one, places[w]) if w < end else far
                else:
                    cost = costs.floater_below(one) if v < end <= w else 0
                self.edge[v][w] = self.edge[w][v] = cost
        self.single = [0] * len(places)
        for v in self.optional:
            self.single[v] = costs.floater(places[v], None) if v < size else costs.floater_below(places[v])

    # --- the three matchings

    def force(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Leave only these pairs of the bracket."""
        index = {place: v for v, place in enumerate(self.places)}
        mates = {index[one]: index[other] for pair in pairs for one, other in (pair, pair[::-1])}
        bracket = (1 << self.size) - 1
        self.masks = [mask & ~bracket for mask in self.masks]
        for v in range(self.size):
            self.masks[v] = 1 << mates[v] if v in mates else self.masks[v]
        for v in range(self.size, len(self.masks)):
            self.masks[v] |= mask_of(w for w in range(self.size) if self.masks[w] >> v & 1)
        self.optional -= mates.keys()

    def meet(self, one: int, other: int) -> None:
        """Leave only candidates in which these two players of the bracket meet."""
        v, w = self.places.index(one), self.places.index(other)
        self._allow(v, 1 << w)
        self._allow(w, 1 << v)
        self.optional -= {v, w}

    def release(self, one: int) -> None:
        """Leave only candidates in which this player of the bracket floats."""
        self._allow(self.places.index(one), -1 << self.size)

    def keep(self, one: int) -> None:
        """Leave only candidates in which this player of the bracket is paired in it."""
        v = self.places.index(one)
        self._allow(v, (1 << self.size) - 1)
        self.optional -= {v}

    def stay(self, met_moved: Sequence[tuple[int, int]], pairs: int) -> None:
        """Leave only candidates with these pairs of moved-down players and no exchange between S1 and S2.

        pairs: of the remainder.
        """
        met = [(self.places.index(one), self.places.index(other)) for one, other in met_moved]
        fixed = {v for pair in met for v in pair}
        for v, w in met:
            self._allow(v, 1 << w)
            self._allow(w, 1 << v)
        for v in range(len(self.moved)):
            if v not in fixed:
                self._allow(v, -1 << self.size)
        rest = [v for v in range(len(self.moved), self.size) if v not in fixed]
        below = -1 << self.size
        halves = mask_of(rest[:pairs]), mask_of(rest[pairs:])
        for v in rest:
            self._allow(v, below | halves[v in rest[:pairs]])
        self.optional -= fixed

    def _allow(self, v: int, allowed: int) -> None:
        for w in bits(self.masks[v] & ~allowed):
            self.masks[w] &= ~(1 << v)
        self.masks[v] &= allowed

    def best(self) -> tuple[list[int], dict[Criterion, int]] | None:
        """Return the partners of the best candidate up to the exchange, and C6 to C21.

        None if there is no candidate, or the sea may not hold.
        """
        mate = self._first()
        if mate is not None and self.costs.unplayed and self._floaters(mate) > 1:
            self.costs.unplayed = False
            mate = self._first()
        if mate is None or not self._sea_holds(mate):
            return None
        return mate, self.costs.layout.read(self._total(mate))

    def with_every_pair(self, mates: dict[int, int]) -> PairedBracket | None:
        """Return the candidate with every pair that can be made; None if they are many, or do not fit together.

        Each other candidate has more floaters (C6). A pair can be made if all others can still be matched.
        """
        masks, places, size = self.masks, self.places, self.size
        inner = [row & (1 << size) - 1 >> v << v for v, row in enumerate(masks[:size])]
        if self.sea or sum(map(int.bit_count, inner)) > size:
            return None
        matching = Matching(masks)
        index = {place: v for v, place in enumerate(places)}
        for v, one in enumerate(places):
            w = index.get(mates.get(one, one), v)
            if v < w and masks[v] >> w & 1:
                matching.join(v, w)
        exposed = matching.maximise()
        assert not exposed, "the brackets above leave a pairing of all others"
        pairs: dict[int, int] = {}
        taken = 0
        for v, w in ((v, w) for v, row in enumerate(inner) for w in bits(row)):
            both = 1 << v | 1 << w
            if matched_with(EdgesLeft(masks, ~both), matching.mate, {v: w}) is not None:
                if taken & both:
                    return None
                taken |= both
                pairs[v] = w
        mate = matched_with(EdgesLeft(masks, ~taken), matching.mate, pairs)
        if mate is None:
            return None
        mates.clear()
        mates.update((one, places[w]) for one, w in zip(places, mate, strict=True))
        made = [(places[v], places[w]) for v, w in pairs.items()]
        first = sum(v < len(self.moved) for v in pairs)
        s1, s2 = [one for one, _ in made[first:]], [other for _, other in made[first:]]
        floaters = [places[v] for v in range(size) if not taken >> v & 1]
        return PairedBracket(self.moved, self.residents, made[:first], s1, s2, floaters)

    def solve(self) -> PairedBracket | None:
        """Return the best candidate; None if there is none, or the sea may not hold."""
        found = self.best()
        return None if found is None else self.first(*found)

    def first(
        self, mate: list[int], quality: dict[Criterion, int], usual: Mapping[int, int] | None = None
    ) -> PairedBracket:
        """Return the first in the order of the candidates that are as good as the one that `best` found.

        usual: the opponents of S1 in a candidate with which this one is only compared. Then the rows behind the first
        that differs are of no account, and all rows if S1 is another one.
        """
        fixed = mate[: len(self.moved)]
        self._keep(fixed)
        paired = {w for w in fixed if 0 <= w < self.size}
        rest = [v for v in range(len(self.moved), self.size) if v not in paired]
        pairs = (self.size - self._floaters(mate)) // 2 - len(paired)
        s1 = self._exchange(rest, pairs) if pairs else []
        places = self.places
        index = {place: v for v, place in enumerate(places[: self.size])}
        if not pairs:
            opponents = []
        elif usual is not None and [places[v] for v in s1] != list(usual):
            opponents = [v for v in rest if v not in s1][: len(s1)]
        else:
            opponents = self._transposition(
                rest, s1, {index[one]: index[other] for one, other in (usual or {}).items()}
            )
        chosen = {*s1, *opponents, *paired}
        chosen.update(v for v, w in enumerate(fixed) if 0 <= w < self.size)
        return PairedBracket(
            self.moved,
            self.residents,
            [(places[v], places[w]) for v, w in enumerate(fixed) if 0 <= w < self.size],
            [places[v] for v in s1],
            [places[v] for v in opponents],
            [places[v] for v in range(self.size) if v not in chosen],
            quality,
        )

    def _matched(self, order: Order, width: int) -> list[int] | None:
        """Return a cheapest matching by C6 to C21 and then by an order. width: bits of the greatest total of it.

        order: of an edge, the lower vertex first; FAR for an opponent in the sea. An opponent there is a vertex of its
        own, which nobody else can meet.
        """
        costs: list[dict[int, int]] = [{} for _ in self.places]
        for v, row in enumerate(self.edge):
            for w, cost in row.items():
                if v < w:
                    costs[v][w] = costs[w][v] = (cost << width) + (order(v, w) if v < self.size else 0)
        count = len(self.places)
        for far, v in enumerate(sorted(self.optional), start=count):
            costs[v][far] = (self.single[v] << width) + (order(v, FAR) if v < self.size else 0)
            costs.append({v: costs[v][far]})
        mate = cheapest_perfect_matching(costs, optional=range(count, len(costs)))
        return mate and [w if w < count else SINGLE for w in mate[:count]]

    def _first(self) -> list[int] | None:
        """Match by C6 to C21, the set of moved-down players that is paired, and their opponents (4.4)."""
        self.set_edges()
        count, size = len(self.moved), self.size
        step = (size + 1).bit_length()
        opponents = step * count

        def order(v: int, w: int) -> int:
            if v >= count:
                return 0
            place = count - 1 - v
            if 0 <= w < size:
                return w + 1 << step * place
            return 1 << opponents + place

        return self._matched(order, opponents + count)

    def _floaters(self, mate: Sequence[int]) -> int:
        return sum(not 0 <= mate[v] < self.size for v in range(self.size))

    def _total(self, mate: Sequence[int]) -> int:
        return sum(
            self.single[v] if w == SINGLE else self.edge[v][w]
            for v, w in enumerate(mate)
            if w == SINGLE or v < w
        )

    def _sea_holds(self, mate: Sequence[int]) -> bool:
        """Return whether the sea can pair all who have an opponent there, by Dirac's condition.

        Every player of the sea may meet half as many of the sea as there are players and newcomers together. Then the
        rest can be paired whichever opponents the newcomers take. A newcomer with as many legal opponents as there are
        newcomers finds one.
        """
        if not self.sea:
            return True
        field, size = self.field, len(self.sea) - self.bye_in_sea
        coming = [v for v, w in enumerate(mate) if w == SINGLE]
        if 2 * (_degree(field, self.sea) - self.bye_in_sea) < size + len(coming):
            return False
        meets = field.may_meet
        needed = len(coming) + self.bye_in_sea
        return all(sum(meets(self.places[v], other) for other in self.sea) >= needed for v in coming)

    def _keep(self, mates: Sequence[int]) -> None:
        """Keep the pairs of the first vertices; those without an opponent in the bracket float."""
        for v, w in enumerate(mates):
            if 0 <= w < self.size:
                for one, other in ((v, w), (w, v)):
                    self._part(one, [third for third in self.edge[one] if third != other])
                self.optional -= {v, w}
            else:
                self._part(v, [third for third in self.edge[v] if third < self.size])

    def _part(self, v: int, others: Iterable[int]) -> None:
        for w in others:
            del self.edge[v][w], self.edge[w][v]

    def _exchange(self, rest: Sequence[int], pairs: int) -> list[int]:
        """Return S1 of the remainder after the first exchange that allows the best quality (4.3).

        It has the smaller number of each pair. Fields: how many numbers are exchanged, the sum of the numbers in S1,
        those moved down, those moved up.
        """
        order, width = self._order_of_exchange(rest, pairs)
        mate = self._matched(order, width)
        assert mate is not None, "the first matching is one"
        members = set(rest)
        return [v for v in rest if mate[v] in members and v < mate[v]]

    def _order_of_exchange(self, rest: Sequence[int], pairs: int) -> tuple[Order, int]:
        """Return the order of exchanges as a cost of edges, the lower end first, and the bits of its greatest total."""
        number = {v: i for i, v in enumerate(rest, start=1)}
        count = len(rest)
        up_width = count + pairs.bit_length() + 1
        up, down = 0, up_width
        total = down + pairs
        exchanged = total + (pairs * count).bit_length()

        def order(v: int, w: int) -> int:
            x = number.get(v)
            if x is None or w not in number:
                return 0
            if x <= pairs:
                return (x << total) + (1 << down + x - 1)
            return (1 << exchanged) + (x << total) + ((1 << count) - (1 << count - x) << up)

        return order, exchanged + pairs.bit_length()

    def _transposition(self, rest: Sequence[int], s1: Sequence[int], _usual: Mapping[int, int]) -> list[int]:
        """Return the opponents of S1: the first transposition of S2 that allows the best quality (4.2)."""
        row = {v: len(s1) - 1 - i for i, v in enumerate(s1)}
        rank = {v: i for i, v in enumerate((v for v in rest if v not in row), start=1)}
        step = (len(rest) + 1).bit_length()
        for v in rest:
            allowed = rank if v in row else row
            self._part(v, [w for w in self.edge[v] if w not in allowed and (v in row or w in rank)])
        self.optional -= row.keys()

        def order(v: int, w: int) -> int:
            if v in row and w in rank:
                return rank[w] << step * row[v]
            return rank[v] << step * row[w] if w in row and v in rank else 0

        mate = self._matched(order, step * len(s1))
        assert mate is not None, "the second matching is one"
        return [mate[v] for v in s1]


class KindsOfBracket(BracketGraph):
    """The graph of a large bracket and of everybody below, all of them vertices. It has a perfect matching.

    The kind of a player is all that C6 to C21 ask of him, so thousands of players are of few kinds, and one matching by
    kinds describes all best candidates. The first of them is found member by member: is there still one of them in
    which the next player meets the first of the opponents that are left?
    """

    rows: list[int]
    nested: NestedMatching
    found: Cheapest

    def set_edges(self) -> None:
        """Give each vertex its kind, and each two kinds the cost of their edges."""
        number: dict[object, int] = {}
        first: list[int] = []
        self.kind = []
        for v in range(len(self.places)):
            key = self._key(v)
            if key not in number:
                number[key] = len(first)
                first.append(v)
            self.kind.append(number[key])
        self.cost = [[self._cost(min(v, w), max(v, w)) for w in first] for v in first]

    def _key(self, v: int) -> object:
        """Return the kind of a vertex: what C6 to C21 ask of it, and no rank.

        A rank gives a colour only where both have the same last games and difference (5.2.4). Then C10 and C11 count
        the same, whoever gets it.
        """
        place = self.places[v]
        field = self.field
        if v >= self.size:
            following = v < self.size + len(self.costs.following)
            return BYE if place == BYE else following
        colours = field.colours[place]
        whole = field.topscorers and colours.due.strength is Strength.ABSOLUTE
        return (
            v < len(self.moved),
            field.score[place],
            colours if whole else colours.due,
            place in field.topscorers,
            field.floats[0][place],
            field.floats[1][place],
            field.unplayed(place) if self.costs.unplayed else 0,
        )

    def _cost(self, v: int, w: int) -> int:
        """Return the cost of an edge between the kinds of two vertices, the lower one first, which may be the same."""
        costs, places, size = self.costs, self.places, self.size
        end = size + len(costs.following)
        if w < size:
            return costs.pair(places[v], places[w])
        if v < size:
            return costs.floater(places[v], places[w])
        return costs.floater_below(places[v]) if v < end <= w else 0

    def best(self) -> tuple[list[int], dict[Criterion, int]] | None:
        found = self._cheapest(self.masks)
        if found and self.costs.unplayed and self._floaters(found.mate) > 1:
            self.costs.unplayed = False
            found = self._cheapest(self.masks)
        if found is None:
            return None
        self.found = found
        self.rows = found.edges
        self.nested = NestedMatching(self.rows, found.mate, found.odd_sets)
        return self._opponents_of_moved(found.mate), self.costs.layout.read(found.cost)

    def _cheapest(self, masks: list[int]) -> Cheapest | None:
        self.set_edges()
        return cheapest_by_kind(Kinds(masks, self.kind, self.cost, [0] * len(self.cost)))

    def _opponents_of_moved(self, mate: Sequence[int]) -> list[int]:
        """Return the partners, with those of moved-down players by 4.4: the first set, then the first opponents."""
        bracket = (1 << self.size) - 1
        paired = [v for v in range(len(self.moved)) if self._try(v, self.rows[v] & bracket)]
        fixed = list(mate)
        for v in range(len(self.moved)):
            fixed[v] = self.size
        for v in paired:
            fixed[v] = self._first_partner(v)
        return fixed

    def _keep(self, mates: Sequence[int]) -> None:
        """The edges are kept already."""

    def _try(self, v: int, allowed: int) -> bool:
        """Leave a vertex only these edges if a best candidate is left, else only its other edges."""
        others = self.rows[v] & ~allowed
        if not allowed:
            return False
        self._cut(v, allowed)
        if self.nested.repair(v):
            return True
        self._cut(v, others)
        self.nested.repair(v)
        return False

    def _cut(self, v: int, mask: int) -> None:
        rows, bit = self.rows, 1 << v
        for w in bits(rows[v] ^ mask):
            rows[w] ^= bit
        rows[v] = mask

    def _first_partner(self, v: int) -> int:
        """Return the lowest partner that a best candidate gives a vertex, and leave only this edge."""
        lowest = self.rows[v] & -self.rows[v]
        if self._try(v, lowest):
            return lowest.bit_length() - 1
        while (count := self.rows[v].bit_count()) > 1:
            half = list(bits(self.rows[v]))[: count // 2]
            self._try(v, mask_of(half))
        return self.rows[v].bit_length() - 1

    def _exchange(self, rest: Sequence[int], pairs: int) -> list[int]:
        """Return S1: as it is if a best candidate has it so, else with the first exchange, by their costs (4.3)."""
        rows, state = self.rows[:], self.nested.state()
        if self._separate(rest, rest[:pairs]):
            return list(rest[:pairs])
        order, width = self._order_of_exchange(rest, pairs)
        worth = {v: order(v, rest[-1]) for v in rest}
        mate = cheapest_by_lower_end(rows, worth, self.found.odd_sets, 2 << width)
        assert mate is not None, "the first matching is one"
        self.rows[:] = rows
        self.nested.restore(state)
        s1 = [v for v in rest if mate[v] in worth and v < mate[v]]
        self._separate(rest, s1)
        return s1

    def _separate(self, rest: Sequence[int], s1: Sequence[int]) -> bool:
        """Let S1 meet only S2, and S2 only S1 or players outside; False if no best candidate does so."""
        upper, members = mask_of(s1), mask_of(rest)
        of_s1, of_s2 = members & ~upper, upper | ~members
        self.rows[:] = [
            row & (of_s1 if upper >> v & 1 else of_s2 if members >> v & 1 else ~upper)
            for v, row in enumerate(self.rows)
        ]
        return self.nested.repair_all()

    def _transposition(self, rest: Sequence[int], s1: Sequence[int], usual: Mapping[int, int]) -> list[int]:
        opponents: list[int] = []
        for v in s1:
            if usual and self._try(v, self.rows[v] & 1 << usual.get(v, v)):
                opponents.append(usual[v])
                continue
            opponents.append(self._first_partner(v))
            if usual:
                break
        free = (v for v in rest if v not in s1 and v not in opponents)
        return [*opponents, *islice(free, len(s1) - len(opponents))]


# The order of candidates (4.1 to 4.5), as a key.


def key_of(
    moved: Sequence[int], residents: Sequence[int], pairs: Iterable[tuple[int, int]]
) -> list[tuple[DutchRule, tuple[int, ...]]]:
    """Return the key of a candidate: the smaller one comes first. Each part has the article that orders it.

    The parts are the moved-down players who are paired, their opponents, the exchange by its four rules, and the
    transposition. Of the ways to write pairs as S1 and S2 the one with the smaller numbers in S1 comes first.
    """
    mate = {one: other for pair in pairs for one, other in (pair, pair[::-1])}
    met_moved = [(place, mate[place]) for place in moved if place in mate]
    taken = {other for _, other in met_moved}
    rest = [place for place in residents if place not in taken]
    own = {place: i for i, place in enumerate(rest)}
    s1 = [place for place in rest if place in mate and own[place] < own[mate[place]]]
    return order_of(moved, residents, met_moved, s1, [mate[place] for place in s1])


def order_of(
    moved: Sequence[int],
    residents: Sequence[int],
    met_moved: Sequence[tuple[int, int]],
    s1: Sequence[int],
    s2: Sequence[int],
) -> list[tuple[DutchRule, tuple[int, ...]]]:
    """Return the same key of a candidate of which S1 and S2 are known."""
    number = {place: i for i, place in enumerate([*moved, *residents], start=1)}
    taken = {other for _, other in met_moved}
    rest = (place for place in residents if place not in taken)
    own = {place: i for i, place in enumerate(rest, start=1)}
    up = [own[place] for place in s1 if own[place] > len(s1)]
    down = sorted(set(range(1, len(s1) + 1)) - {own[place] for place in s1}, reverse=True)
    return [
        (DutchRule.MOVED_DOWN_SET, tuple(number[one] for one, _ in met_moved)),
        (DutchRule.TRANSPOSITION, tuple(number[other] for _, other in met_moved)),
        (DutchRule.FEWEST_EXCHANGED, (len(up),)),
        (DutchRule.LEAST_SUM, (sum(up) - sum(down),)),
        (DutchRule.MOVED_DOWN_FIRST, tuple(-one for one in down)),
        (DutchRule.MOVED_UP_FIRST, tuple(up)),
        (DutchRule.TRANSPOSITION, tuple(own[place] for place in s2)),
    ]
