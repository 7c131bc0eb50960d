"""Matchings compared with plain enumeration on many kinds of small graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from evenboard_engine import InternalError
from evenboard_engine.matching import Matching, bits, cheapest_perfect_matching
from evenboard_engine.matching.proof import prove_cheapest
from evenboard_engine.tests.seeds import for_seeds


def largest(adjacency: Sequence[int], free: int, memo: dict[int, int]) -> int:
    """Return the size of a maximum matching of the free vertices, by trying all matchings."""
    if not free:
        return 0
    if free not in memo:
        v = (free & -free).bit_length() - 1
        rest = free & ~(1 << v)
        memo[free] = max(
            [largest(adjacency, rest, memo)]
            + [1 + largest(adjacency, rest & ~(1 << w), memo) for w in bits(adjacency[v] & rest)]
        )
    return memo[free]


def cheapest(
    costs: Sequence[Mapping[int, int]], free: int, optional: set[int], memo: dict[int, int | None]
) -> int | None:
    """Return the least cost of a matching that leaves only optional vertices single, by trying all matchings."""
    if not free:
        return 0
    if free not in memo:
        v = (free & -free).bit_length() - 1
        rest = free & ~(1 << v)
        tries = [cheapest(costs, rest, optional, memo)] if v in optional else []
        for w, cost in costs[v].items():
            if rest >> w & 1:
                below = cheapest(costs, rest & ~(1 << w), optional, memo)
                tries.append(None if below is None else below + cost)
        memo[free] = min((value for value in tries if value is not None), default=None)
    return memo[free]


def random_graph(rng: Random, size: int) -> list[int]:
    density = rng.random()
    adjacency = [0] * size
    for v in range(size):
        for w in range(v):
            if rng.random() < density:
                adjacency[v] |= 1 << w
                adjacency[w] |= 1 << v
    return adjacency


def random_costs(rng: Random, size: int) -> list[dict[int, int]]:
    highest = rng.choice([0, 1, 2, 5, 20, 10**30])
    costs: list[dict[int, int]] = [{} for _ in range(size)]
    for v, neighbours in enumerate(random_graph(rng, size)):
        for w in bits(neighbours & (1 << v) - 1):
            costs[v][w] = costs[w][v] = rng.randint(0, highest)
    return costs


@for_seeds(1500)
def test_matching_has_maximum_size(seed: int) -> None:
    rng = Random(seed)
    adjacency = random_graph(rng, rng.randint(0, 11))
    everyone = (1 << len(adjacency)) - 1
    size = largest(adjacency, everyone, {})
    matching = Matching(adjacency[:])
    assert matching.maximise() == len(adjacency) - 2 * size
    for v, w in enumerate(matching.mate):
        assert (w < 0) == bool(matching.exposed >> v & 1)
        assert w < 0 or (matching.mate[w] == v and adjacency[v] >> w & 1)
    assert set(bits(matching.dispensable())) == {
        v for v in range(len(adjacency)) if largest(adjacency, everyone & ~(1 << v), {}) == size
    }


@for_seeds(300)
def test_matching_is_repaired_after_edges_are_removed(seed: int) -> None:
    rng = Random(seed)
    adjacency = random_graph(rng, 2 * rng.randint(1, 5))
    matching = Matching(adjacency[:])
    matching.maximise()
    v, mask = rng.randrange(len(adjacency)), rng.getrandbits(len(adjacency))
    untouched = matching.copy()
    matching.forbid(v, mask)
    left = adjacency[:]
    for w in bits(mask & adjacency[v]):
        left[v] &= ~(1 << w)
        left[w] &= ~(1 << v)
    assert matching.adjacency == left
    assert matching.complete() == (2 * largest(left, (1 << len(left)) - 1, {}) == len(left))
    assert untouched.adjacency == adjacency


@for_seeds(1500)
def test_cheapest_perfect_matching_is_the_cheapest(seed: int) -> None:
    rng = Random(seed)
    costs = random_costs(rng, 2 * rng.randint(0, 6))
    expected = cheapest(costs, (1 << len(costs)) - 1, set(), {})
    mate = cheapest_perfect_matching(costs)
    assert (mate is None) == (expected is None)
    if mate is not None:
        assert all(mate[w] == v for v, w in enumerate(mate))
        assert sum(costs[v][w] for v, w in enumerate(mate)) == 2 * (expected or 0)


@for_seeds(1500)
def test_cheapest_matching_may_leave_optional_vertices_single(seed: int) -> None:
    rng = Random(seed)
    costs = random_costs(rng, rng.randint(0, 11))
    optional = {v for v in range(len(costs)) if rng.random() < 0.5}
    expected = cheapest(costs, (1 << len(costs)) - 1, optional, {})
    mate = cheapest_perfect_matching(costs, optional=optional)
    assert (mate is None) == (expected is None)
    if mate is not None:
        assert {v for v, w in enumerate(mate) if w < 0} <= optional
        assert sum(costs[v][w] for v, w in enumerate(mate) if w >= 0) == 2 * (expected or 0)


@for_seeds(300)
def test_starting_prices_do_not_change_the_cost(seed: int) -> None:
    rng = Random(seed)
    costs = random_costs(rng, 2 * rng.randint(1, 5))
    prices = [rng.randint(-3, 0) for _ in costs]
    mate, other = cheapest_perfect_matching(costs), cheapest_perfect_matching(costs, prices=prices)
    assert (mate is None) == (other is None)
    if mate is not None and other is not None:
        assert sum(costs[v][w] for v, w in enumerate(mate)) == sum(costs[v][w] for v, w in enumerate(other))


@pytest.mark.parametrize("seed", range(6))
def test_large_graph_with_long_costs_passes_its_proof(seed: int) -> None:
    rng = Random(seed)
    costs: list[dict[int, int]] = [{} for _ in range(90)]
    for v in range(90):
        for w in range(v):
            if rng.random() < 0.6:
                costs[v][w] = costs[w][v] = rng.choice([rng.randint(0, 3), rng.getrandbits(200)])
    mate = cheapest_perfect_matching(costs)
    assert mate is not None
    assert sorted(mate) == list(range(90))


SQUARE: list[dict[int, int]] = [
    {1: 1, 2: 5, 3: 5},
    {0: 1, 2: 5, 3: 5},
    {0: 5, 1: 5, 3: 1},
    {0: 5, 1: 5, 2: 1},
]


def test_proof_of_a_cheapest_matching_passes() -> None:
    prove_cheapest(SQUARE, [1, 0, 3, 2], [1, 1, 1, 1], [], ())


@pytest.mark.parametrize(
    ("mate", "prices", "odd_sets", "optional", "code"),
    [
        ([2, 3, 0, 1], [1, 1, 1, 1], [], (), "matching_not_proved_cheapest"),
        ([1, 0, 3, 2], [3, 1, 1, 1], [], (), "edge_cheaper_than_its_price"),
        ([1, 0, 3, 2], [1, 1, 1, 1], [(-1, (0, 1, 2))], (), "odd_set_of_negative_weight"),
        ([1, 0, 3, 2], [1, 1, 1, 1], [], (0,), "single_vertex_at_a_price"),
    ],
)
def test_wrong_answer_does_not_pass_the_proof(
    mate: list[int],
    prices: list[int],
    odd_sets: list[tuple[int, tuple[int, ...]]],
    optional: tuple[int, ...],
    code: str,
) -> None:
    with pytest.raises(InternalError) as refused:
        prove_cheapest(SQUARE, mate, prices, odd_sets, optional)
    assert refused.value.code == code
