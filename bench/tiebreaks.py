"""Measure how long all tie-breaks of a field take, and compare them with their definitions and with their parts.

    python -m bench.tiebreaks [--players 1000 10000] [--tournaments 4000] [--workers 2]

Times are processor time for all mandatory tie-breaks, Koya, the Pairing Tiebreaker, those of US Chess and lots in the
standings of nine rounds.
The comparison is with the plain definitions in evenboard_engine/tests, and with the values that the parts make; half of
it is in round robins. Exits 1 if anything differs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from time import process_time

from bench.peers.histories import UNRULY, tournaments
from evenboard_engine import Tournament
from evenboard_engine.tests.tiebreak_comparison import CODES, differing
from evenboard_engine.tests.tiebreak_sums import ALL as WITH_PARTS
from evenboard_engine.tests.tiebreak_sums import wrong_parts
from evenboard_engine.tiebreaks import MANDATORY, read_list, standings

ROUNDS = 9
OTHERS = ("KS", "PT", "OTHER_MODMED", "OTHER_SOLKOFF", "OTHER_CUM", "OTHER_LOTS/7F3A")
ALL = read_list(",".join((*MANDATORY, *OTHERS)))
TIMES = 5


def main() -> int:
    """Measure, compare, and return the exit code."""
    parser = argparse.ArgumentParser(description="Measure and compare the tie-breaks.")
    parser.add_argument("--players", type=int, nargs="*", default=[1000, 10_000])
    parser.add_argument("--tournaments", type=int, default=4000)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    for size in arguments.players:
        shortest, median = measure(next(tournaments(size, ROUNDS, 1, wanted=(ROUNDS + 1,), habits=UNRULY)))
        print(
            f"{size} players, {len(ALL)} tie-breaks: {1000 * median:.0f} ms (shortest {1000 * shortest:.0f} ms)"
        )
    seeds = range(arguments.tournaments // 2)
    wrong = 0
    with ProcessPoolExecutor(arguments.workers) as workers:
        for compared, number, check in (
            ("definitions", len(CODES), differing),
            ("parts", len(WITH_PARTS), wrong_parts),
        ):
            found = wrong_tournaments(workers, check, seeds)
            print(
                f"{compared}: {2 * len(seeds)} tournaments, {number} tie-breaks: {found} tournaments differ"
            )
            wrong += found
    return 1 if wrong else 0


def wrong_tournaments(workers: Executor, check: Callable[..., list[str]], seeds: range) -> int:
    """Return in how many tournaments a check finds anything, and print it."""
    wrong = 0
    for fixed in (False, True):
        for seed, found in zip(
            seeds, workers.map(partial(check, fixed=fixed), seeds, chunksize=50), strict=True
        ):
            if found:
                wrong += 1
                print(f"seed {seed}, {'round robin' if fixed else 'Swiss'}: {', '.join(found)}")
    return wrong


def measure(tournament: Tournament) -> tuple[float, float]:
    """Return the shortest and the median time in seconds."""
    times = []
    for _ in range(TIMES):
        started = process_time()
        standings(tournament, ALL)
        times.append(process_time() - started)
    times.sort()
    return times[0], times[TIMES // 2]


if __name__ == "__main__":
    sys.exit(main())
