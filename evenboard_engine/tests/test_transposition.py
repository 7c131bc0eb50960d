"""T2 compared with all permutations of small subgroups."""

from __future__ import annotations

from itertools import permutations
from random import Random

from evenboard_engine.systems.dubov.pairing.transposition import first_transposition
from evenboard_engine.tests.seeds import for_seeds


def met_at_random(rng: Random, players: range, share: float) -> dict[int, set[int]]:
    met: dict[int, set[int]] = {player: set() for player in players}
    for one in players:
        for other in players[one + 1 :]:
            if rng.random() < share:
                met[one].add(other)
                met[other].add(one)
    return met


@for_seeds(600)
def test_transposition_is_the_first_legal_one(seed: int) -> None:
    rng = Random(seed)
    size = rng.randint(0, 6)
    met = met_at_random(rng, range(2 * size), rng.choice((0.2, 0.4, 0.6, 0.8)))
    absolute = {player: rng.choice((0, 0, 0, 1, 2)) for player in met}
    s1, g2 = rng.sample(range(size), size), range(size, 2 * size)

    def legal(one: int, other: int) -> bool:
        return other not in met[one] and not (absolute[one] and absolute[one] == absolute[other])

    first = next((list(t2) for t2 in permutations(g2) if all(map(legal, s1, t2))), None)
    assert first_transposition(s1, g2, met, absolute) == first


def test_last_player_of_a_long_order_is_paired_by_moving_all_others() -> None:
    """Each row may have its own column or the next one, the last row only the first: all others move by one."""
    size = 200
    met: dict[int, set[int]] = {player: set() for player in range(2 * size)}
    for row in range(size):
        keep = {size} if row == size - 1 else {size + row, size + row + 1}
        met[row] = set(range(size, 2 * size)) - keep
        for other in met[row]:
            met[other].add(row)
    answer = first_transposition(range(size), range(size, 2 * size), met, [0] * 2 * size)
    assert answer == [*range(size + 1, 2 * size), size]
