"""Measure how long a round takes: in ordinary fields of growing size, and in fields that are made hard to pair.

    python -m bench.rounds [--players 300] [--seed 1]

Each field is played with random results; the slowest of its rounds counts, in processor time. Ratios compare a field
with the ordinary field of the same size in the same run, so they are valid on any machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from time import process_time

from evenboard_engine import (
    Bye,
    ByeKind,
    Colour,
    Game,
    NoLegalPairing,
    Player,
    Result,
    Tournament,
    pair_round,
)

Scorer = Callable[[Random, int, int, int], Result]
Field = tuple[str, frozenset[tuple[int, int]], Scorer, int]


def by_strength(rng: Random, white: int, black: int, size: int) -> Result:
    if rng.random() < 0.3:
        return Result.DRAW
    return Result.WHITE_WINS if rng.random() < 0.5 + (black - white) / size / 2 else Result.BLACK_WINS


def white_wins(_rng: Random, _white: int, _black: int, _size: int) -> Result:
    return Result.WHITE_WINS


def all_draw(_rng: Random, _white: int, _black: int, _size: int) -> Result:
    return Result.DRAW


def nearly_all_forfeit(rng: Random, _white: int, _black: int, _size: int) -> Result:
    return Result.WHITE_WINS_BY_FORFEIT if rng.random() < 0.9 else Result.DRAW


def fields(size: int, rng: Random) -> Iterator[Field]:
    everyone = range(1, size + 1)
    pairs = list(combinations(everyone, 2))
    yield "ordinary", frozenset(), by_strength, 9
    yield "ordinary, 15 rounds", frozenset(), by_strength, 15
    yield "White always wins", frozenset(), white_wins, 15
    yield "all draw", frozenset(), all_draw, 15
    yield "nearly all forfeit", frozenset(), nearly_all_forfeit, 12
    yield (
        "no pairs between the halves",
        frozenset((a, b) for a, b in pairs if a <= size // 2 < b),
        by_strength,
        12,
    )
    yield "no pairs between odd and even", frozenset((a, b) for a, b in pairs if (a + b) % 2), by_strength, 12
    yield (
        "no pairs within the last 5 %",
        frozenset((a, b) for a, b in pairs if a > size * 0.95),
        by_strength,
        12,
    )
    yield (
        "no pairs within the last third",
        frozenset((a, b) for a, b in pairs if a > size * 2 / 3),
        by_strength,
        12,
    )
    yield (
        "no pairs within the last 45 %",
        frozenset((a, b) for a, b in pairs if a > size * 0.55),
        by_strength,
        12,
    )
    yield (
        "no pairs within the first 45 %",
        frozenset((a, b) for a, b in pairs if b <= size * 0.45),
        by_strength,
        12,
    )
    yield "90 % of the pairs forbidden", frozenset(p for p in pairs if rng.random() < 0.9), by_strength, 12
    yield (
        "twenty possible opponents each, at random",
        frozenset(p for p in pairs if rng.random() < 1 - 20 / size),
        by_strength,
        9,
    )
    yield (
        "only pairs far apart in the ranking",
        frozenset((a, b) for a, b in pairs if b - a < 0.495 * size),
        by_strength,
        9,
    )
    clubs = [rng.randrange(20) for _ in range(size + 1)]
    yield (
        "twenty clubs, few pairs between them",
        frozenset((a, b) for a, b in pairs if rng.random() < (0.5 if clubs[a] == clubs[b] else 0.95)),
        by_strength,
        9,
    )
    yield (
        "groups of nine, all draw",
        frozenset((a, b) for a, b in pairs if a // 9 != b // 9 and rng.random() < 1 - 4 / size),
        all_draw,
        6,
    )


def slowest_round(size: int, field: Field, seed: int) -> tuple[float, int]:
    """Return the seconds of the slowest round and the number of rounds that could be paired."""
    _, forbidden, score, rounds = field
    rng = Random(seed)
    tournament = Tournament(
        rounds=rounds,
        round=1,
        players=tuple(Player(i, i, max(1000, 2600 - 5 * i)) for i in range(1, size + 1)),
        forbidden=forbidden,
        initial_colour=Colour.WHITE,
    )
    games: list[Game] = []
    byes: list[Bye] = []
    worst = 0.0
    for number in range(1, rounds + 1):
        before = Tournament(
            rounds=rounds,
            round=number,
            players=tournament.players,
            games=tuple(games),
            byes=tuple(byes),
            forbidden=forbidden,
            initial_colour=Colour.WHITE,
        )
        start = process_time()
        try:
            pairing = pair_round(before)
        except NoLegalPairing:
            return worst, number - 1
        worst = max(worst, process_time() - start)
        games += [
            Game(number, pair.white, pair.black, score(rng, pair.white, pair.black, size))
            for pair in pairing.pairs
        ]
        if pairing.bye is not None:
            byes.append(Bye(number, pairing.bye, ByeKind.ALLOCATED))
    return worst, rounds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ordinary: Field = ("ordinary", frozenset(), by_strength, 9)
    print(f"{'players':>36} {'slowest round':>14} {'per player':>12}")
    for size in (50, 100, 200, 400, 800, 1600):
        seconds, _ = slowest_round(size, ordinary, options.seed)
        print(f"{size:>36} {seconds * 1000:>11.1f} ms {seconds / size * 1e6:>9.1f} us")
    print()
    print(f"{'field of ' + str(options.players):>36} {'slowest round':>14} {'ratio':>8} rounds")
    base = None
    for field in fields(options.players, Random(options.seed)):
        seconds, rounds = slowest_round(options.players, field, options.seed)
        base = base or seconds
        print(f"{field[0]:>36} {seconds * 1000:>11.1f} ms {seconds / base:>8.1f} {rounds:>6}")


if __name__ == "__main__":
    main()
