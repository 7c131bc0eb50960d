"""Cheapest matchings by kind and the first set across, compared with plain enumeration and the other solver."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenboard_engine import InternalError
from evenboard_engine.matching import (
    Kinds,
    NestedMatching,
    across,
    bits,
    cheapest_by_kind,
    cheapest_by_lower_end,
    cheapest_perfect_matching,
    first_across,
    lower_ends,
    started_by_kind,
)
from evenboard_engine.matching.kind_costs import costs_of_table
from evenboard_engine.matching.proof import prove_cheapest_by_kind
from evenboard_engine.tests.seeds import for_seeds


def perfect_matchings(adjacency: Sequence[int], free: int) -> list[list[tuple[int, int]]]:
    """Return all perfect matchings as lists of edges."""
    if not free:
        return [[]]
    v = (free & -free).bit_length() - 1
    rest = free & ~(1 << v)
    return [
        [(v, w), *others]
        for w in bits(adjacency[v] & rest)
        for others in perfect_matchings(adjacency, rest & ~(1 << w))
    ]


def cost_of(kinds: Kinds, edges: Sequence[tuple[int, int]]) -> int:
    return sum(kinds.cost[kinds.kind[v]][kinds.kind[w]] for v, w in edges)


def random_kinds(rng: Random, size: int) -> Kinds:
    """Return random edges, inside clubs or between them, so that all kinds of odd sets occur."""
    count = rng.randint(1, 5)
    highest = rng.choice((0, 1, 2, 5, 50, 10**30))
    cost = [[0] * count for _ in range(count)]
    for i in range(count):
        for j in range(i + 1):
            cost[i][j] = cost[j][i] = rng.randint(0, highest)
    club = [rng.randrange(3) for _ in range(size)]
    same, other = rng.choice(((0.6, 0.6), (0.3, 0.3), (0.9, 0.1), (0.05, 0.7)))
    adjacency = [0] * size
    for v in range(size):
        for w in range(v):
            if rng.random() < (same if club[v] == club[w] else other):
                adjacency[v] |= 1 << w
                adjacency[w] |= 1 << v
    return Kinds(adjacency, [rng.randrange(count) for _ in range(size)], cost, [0] * count)


@for_seeds(500)
def test_matching_by_kind_is_a_cheapest_one_and_describes_all_of_them(seed: int) -> None:
    rng = Random(seed)
    kinds = random_kinds(rng, 2 * rng.randint(0, 4))
    everyone = (1 << len(kinds.kind)) - 1
    every = perfect_matchings(kinds.adjacency, everyone)
    best = cheapest_by_kind(kinds)
    if best is None:
        assert every == []
        return
    least = min(cost_of(kinds, edges) for edges in every)
    assert best.cost == least
    assert cost_of(kinds, [(v, w) for v, w in enumerate(best.mate) if v < w]) == least
    for edges in every:
        tight = all(best.edges[v] >> w & 1 for v, w in edges)
        apart = all(sum((mask >> v ^ mask >> w) & 1 for v, w in edges) == 1 for mask in best.odd_sets)
        assert (tight and apart) == (cost_of(kinds, edges) == least)


def dictionary(kinds: Kinds) -> list[dict[int, int]]:
    return [
        {w: kinds.cost[kinds.kind[v]][kinds.kind[w]] for w in bits(mask)}
        for v, mask in enumerate(kinds.adjacency)
    ]


@given(st.integers(0, 10**9), st.integers(5, 25))
@settings(derandomize=True, deadline=None, max_examples=100, database=None)
def test_both_solvers_find_the_same_cost(seed: int, half: int) -> None:
    kinds = random_kinds(Random(seed), 2 * half)
    best, mate = cheapest_by_kind(kinds), cheapest_perfect_matching(dictionary(kinds))
    assert (best is None) == (mate is None)
    if best is not None and mate is not None:
        assert best.cost == cost_of(kinds, [(v, w) for v, w in enumerate(mate) if v < w])
        assert all(best.edges[v] >> w & 1 for v, w in enumerate(mate))


def test_starting_prices_do_not_change_the_cost() -> None:
    for seed in range(300):
        rng = Random(seed)
        kinds = random_kinds(rng, 2 * rng.randint(1, 8))
        other = kinds._replace(prices=[-2 * rng.randint(0, 3) for _ in kinds.prices])
        best, again = cheapest_by_kind(kinds), cheapest_by_kind(other)
        assert (best and best.cost) == (again and again.cost)


def test_a_start_by_kind_is_a_cheapest_matching_with_prices_that_no_edge_undercuts() -> None:
    for seed in range(200):
        rng = Random(seed)
        kinds = random_kinds(rng, 2 * rng.randint(1, 8))
        best, start = cheapest_by_kind(kinds), started_by_kind(kinds)
        assert (best is None) == (start is None)
        if best is not None and start is not None:
            mate, prices = start
            assert best.cost == cost_of(kinds, [(v, w) for v, w in enumerate(mate) if v < w])
            for v, row in enumerate(dictionary(kinds)):
                assert mate[v] in row
                assert mate[mate[v]] == v
                assert all(prices[v] + prices[w] <= 2 * cost for w, cost in row.items())


@for_seeds(300, in_a_case=300)
def test_lower_ends_of_a_cheapest_matching_are_worth_least(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all cheapest matchings of a graph, one is found by the worth of the lower ends of some edges."""
    rng = Random(seed)
    kinds = clubs_of_odd_size(rng)[0] if seed % 2 else random_kinds(rng, 2 * rng.randint(2, 6))
    size = len(kinds.kind)
    best = cheapest_by_kind(kinds)
    if best is None:
        return
    some = sorted(rng.sample(range(size), size * rng.choice((1, 2, 3)) // 3))
    worth = {v: 3 * i + rng.randrange(3) for i, v in enumerate(some)}

    def total(edges: Sequence[tuple[int, int]]) -> int:
        return sum(worth[min(edge)] for edge in edges if worth.keys() >= set(edge))

    every = perfect_matchings(kinds.adjacency, (1 << size) - 1)
    least = min(total(edges) for edges in every if cost_of(kinds, edges) == best.cost)
    for few in (False, True):
        monkeypatch.setattr(lower_ends, "is_sparse", lambda _rows, few=few: few)
        mate = cheapest_by_lower_end(best.edges, worth, best.odd_sets, 1 << 10)
        assert mate is not None
        edges = [(v, w) for v, w in enumerate(mate) if v < w]
        assert cost_of(kinds, edges) == best.cost
        assert total(edges) == least


def across_costs_most(kinds: Kinds, near: int) -> Kinds:
    """Return the graph with separate kinds for the near side, and a cost across above the sum of all other costs."""
    count = len(kinds.cost)
    dear = 1 + sum(map(sum, kinds.cost)) * len(kinds.kind)
    cost = [
        [kinds.cost[i % count][j % count] + dear * (i // count != j // count) for j in range(2 * count)]
        for i in range(2 * count)
    ]
    kind = [kind + count * (near >> v & 1) for v, kind in enumerate(kinds.kind)]
    return Kinds(kinds.adjacency, kind, cost, [0] * 2 * count)


@pytest.fixture(
    params=[(-1, 600, 0), (24, 600, 0), (24, 0, 0), (-1, 0, 3600)],
    ids=["member by member", "sparse: at once", "sparse: its tight edges", "few edges: at once"],
)
def sparse(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choose the method that is used for such small graphs."""
    for name, value in zip(("SPARSE", "SMALL", "FEW_EDGES"), request.param, strict=True):
        monkeypatch.setattr(across, name, value)


def first_of_all(kinds: Kinds, near: int) -> list[int] | None:
    """Return the first set across of all cheapest matchings; None without a perfect one."""
    every = perfect_matchings(kinds.adjacency, (1 << len(kinds.kind)) - 1)
    least = min((cost_of(kinds, edges) for edges in every), default=0)
    sets = [
        sorted(w if near >> v & 1 else v for v, w in edges if (near >> v ^ near >> w) & 1)
        for edges in every
        if cost_of(kinds, edges) == least
    ]
    return min(sets, default=None)


@pytest.mark.usefixtures("sparse")
@for_seeds(500)
def test_first_set_across_is_the_first_of_all_cheapest_matchings(seed: int) -> None:
    rng = Random(seed)
    plain = random_kinds(rng, 2 * rng.randint(1, 5))
    near = rng.getrandbits(len(plain.kind))
    kinds = across_costs_most(plain, near)
    assert first_across(kinds, near) == first_of_all(kinds, near)


def test_ring_of_kinds_needs_odd_sets_inside_odd_sets() -> None:
    """Triangles of triangles, with low costs inside and high costs between: the proof needs nested odd sets."""
    adjacency = [(1 << 18) - 1 ^ 1 << v for v in range(18)]
    kind = [v // 3 for v in range(18)]
    cost = [[0 if i == j else 2 if i // 3 == j // 3 else 7 for j in range(6)] for i in range(6)]
    best = cheapest_by_kind(Kinds(adjacency, kind, cost, [0] * 6))
    assert best is not None
    assert best.cost == 2 + 2 + 7
    assert sorted(mask.bit_count() for mask in best.odd_sets)[-2:] == [9, 9]


@for_seeds(100)
def test_nested_matching_goes_back_and_says_which_edges_a_cheapest_matching_can_have(seed: int) -> None:
    """Each tight edge is forced in turn: its two ends lose all other edges, and then get them back."""
    rng = Random(seed)
    kinds = random_kinds(rng, 8) if seed % 2 else clubs_of_odd_size(rng)[0]
    best = cheapest_by_kind(kinds)
    if best is None:
        return
    size = len(best.mate)
    every = perfect_matchings(kinds.adjacency, (1 << size) - 1)
    possible = {edge for edges in every if cost_of(kinds, edges) == best.cost for edge in edges}
    rows = list(best.edges)
    nested = NestedMatching(rows, best.mate, best.odd_sets)
    state = nested.state()
    for v, w in [(one, two) for one in range(size) for two in bits(best.edges[one]) if one < two]:
        both = 1 << v | 1 << w
        rows[:] = (row & ~both for row in best.edges)
        rows[v], rows[w] = 1 << w, 1 << v
        nested.restore(state)
        assert all(map(nested.repair, (v, w))) is ((v, w) in possible)


TRIANGLES = [0b000110, 0b000101, 0b001011, 0b110100, 0b101000, 0b011000]  # joined by the edge 2-3
MATE = [1, 0, 3, 2, 5, 4]


def test_proof_by_kind_passes() -> None:
    prove_cheapest_by_kind(TRIANGLES, costs_of_table([[1]]), MATE, {(0, 1): 63}, [])
    table = costs_of_table([[0, 1], [1, 0]])
    prove_cheapest_by_kind(TRIANGLES, table, MATE, {(0, 1): 7, (1, 1): 56}, [(1, 7), (1, 56)])


@pytest.mark.parametrize(
    ("mate", "groups", "odd_sets", "code"),
    [
        (MATE, {(0, 0): 63}, [], "matching_not_proved_cheapest"),
        (MATE, {(0, 2): 63}, [(1, 7)], "edge_cheaper_than_its_price"),
        (MATE, {(0, 1): 63}, [(-1, 7)], "odd_set_of_negative_weight"),
        ([1, 0, -1, -1, 5, 4], {(0, 1): 63}, [], "matching_not_perfect"),
        ([1, 2, 0, 4, 5, 3], {(0, 1): 63}, [], "matching_not_perfect"),
        ([3, 4, 5, 0, 1, 2], {(0, 1): 63}, [], "matching_not_perfect"),
    ],
)
def test_wrong_answer_does_not_pass_the_proof_by_kind(
    mate: list[int], groups: dict[tuple[int, int], int], odd_sets: list[tuple[int, int]], code: str
) -> None:
    with pytest.raises(InternalError) as refused:
        prove_cheapest_by_kind(TRIANGLES, costs_of_table([[1]]), mate, groups, odd_sets)
    assert refused.value.code == code


@pytest.mark.usefixtures("sparse")
@for_seeds(600)
def test_first_set_across_with_odd_sets_of_positive_weight(seed: int) -> None:
    """Clubs of odd size with few edges between them: tight edges alone often allow more than cheapest matchings do."""
    kinds, near = clubs_of_odd_size(Random(seed))
    assert first_across(kinds, near) == first_of_all(kinds, near)


def clubs_of_odd_size(rng: Random) -> tuple[Kinds, int]:
    """Return clubs: edges inside cost little, between clubs more, across most; some members of each club are near."""
    sizes = rng.choice(((3, 3), (5, 3), (5, 5), (3, 3, 3, 3), (5, 5, 1, 1), (7, 5)))
    club = [i for i, size in enumerate(sizes) for _ in range(size)]
    order = rng.sample(range(len(club)), len(club))
    club = [club[v] for v in order]
    size = len(club)
    adjacency = [0] * size
    for v in range(size):
        for w in range(v):
            if rng.random() < (0.8 if club[v] == club[w] else 0.3):
                adjacency[v] |= 1 << w
                adjacency[w] |= 1 << v
    near = rng.getrandbits(size)
    kind = [2 * of + (near >> v & 1) for v, of in enumerate(club)]
    kinds = 2 * len(sizes)
    cost = [[(i // 2 != j // 2) + 100 * (i % 2 != j % 2) for j in range(kinds)] for i in range(kinds)]
    return Kinds(adjacency, kind, cost, [0] * kinds), near
