"""Measure the cost of an explanation: a round paired with and without its trace, in processor time.

python -m bench.trace [--players 1000] [--seed 1] [--hard]

"traced" is `pair_round(tournament, trace=True)`: everything is decided and proved. "read" also reads every item of the
trace once, because some items are only computed when they are read (`Late`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random
from time import process_time

from bench.rounds import by_strength, fields
from evenboard_engine import Bye, ByeKind, Colour, Game, NoLegalPairing, Player, Tournament, pair_round

REPEATS = 5


def seconds(task: Callable[[], object]) -> float:
    """Return the shortest of a few runs."""
    best = float("inf")
    for _ in range(REPEATS):
        start = process_time()
        task()
        best = min(best, process_time() - start)
    return best


def read_all(tournament: Tournament) -> int:
    """Pair with the trace, read all of it, and return the number of items read."""
    trace = pair_round(tournament, trace=True).trace
    assert trace is not None
    return sum(
        len(bracket.g1) + len(bracket.g2) + sum(1 + len(pair.passed) for pair in bracket.pairs)
        for bracket in trace.brackets
    )


def measured(tournament: Tournament) -> list[float]:
    """Return the seconds without trace, with trace, and with all of the trace read."""
    return [
        seconds(lambda: pair_round(tournament)),
        seconds(lambda: pair_round(tournament, trace=True)),
        seconds(lambda: read_all(tournament)),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hard", action="store_true", help="also fields that are made hard to pair")
    options = parser.parse_args()
    size = options.players
    heads = f"{'untraced':>11} {'traced':>11} {'ratio':>6} {'read':>10} {'ratio':>6}"
    print(f"{'field of ' + str(size):>36} {'round':>5} {heads}")
    for name, forbidden, score, rounds in fields(size, Random(options.seed)):
        rng = Random(options.seed)
        players = tuple(Player(i, i, max(1000, 2600 - 1600 * i // size)) for i in range(1, size + 1))
        games: list[Game] = []
        byes: list[Bye] = []
        total = [0.0, 0.0, 0.0]
        for number in range(1, rounds + 1):
            tournament = Tournament(
                rounds=rounds,
                round=number,
                players=players,
                games=tuple(games),
                byes=tuple(byes),
                forbidden=forbidden,
                initial_colour=Colour.WHITE,
            )
            try:
                times = measured(tournament)
            except NoLegalPairing:
                break
            total = [before + now for before, now in zip(total, times, strict=True)]
            if score is by_strength and not forbidden:
                print(f"{name:>36} {number:>5} {_line(*times)}")
            pairing = pair_round(tournament)
            games += [
                Game(number, p.white, p.black, score(rng, p.white, p.black, size)) for p in pairing.pairs
            ]
            if pairing.bye is not None:
                byes.append(Bye(number, pairing.bye, ByeKind.ALLOCATED))
        print(f"{name:>36} {'all':>5} {_line(*total)}")
        if not options.hard:
            break


def _line(plain: float, traced: float, read: float) -> str:
    return (
        f"{plain * 1000:>8.1f} ms {traced * 1000:>8.1f} ms {traced / plain:>6.2f}"
        f"{read * 1000:>8.1f} ms {read / plain:>6.2f}"
    )


if __name__ == "__main__":
    main()
