"""Compare the Dubov or the Dutch engine with plain enumeration of the rule text on many random rounds.

    python -m bench.brute_force [--system dutch] --rounds 100000 [--seed 0] [--workers 2] [--players 4 14]

The rounds come from evenboard_engine/tests/random_rounds.py, of the Dutch System also from
evenboard_engine/tests/systems/dutch/dutch_rounds.py, beginning with the given seed, until there are enough. If any
round differs, prints the first ones and exits 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from evenboard_engine.tests import comparison, random_rounds
from evenboard_engine.tests.comparison import Comparison
from evenboard_engine.tests.systems.dutch import comparison as dutch_comparison
from evenboard_engine.tests.systems.dutch import dutch_rounds

SYSTEMS = {
    "dubov": (comparison.compare_seeds, random_rounds.SIZES),
    "dutch": (dutch_comparison.compare_seeds, dutch_rounds.SIZES),
}
SEEDS_A_TASK = 40
SHOWN = 5


def main() -> int:
    """Compare until there are enough rounds, and return the exit code."""
    arguments = _arguments()
    system = arguments.system
    sizes = (
        tuple(range(arguments.players[0], arguments.players[1] + 1))
        if arguments.players
        else SYSTEMS[system][1]
    )
    started = time.perf_counter()
    compared: list[Comparison] = []
    rounds, next_seed = 0, arguments.seed
    with ProcessPoolExecutor(arguments.workers) as workers:
        while rounds < arguments.rounds:
            tasks = [next_seed + SEEDS_A_TASK * number for number in range(4 * arguments.workers)]
            compared += workers.map(_compare, [system] * len(tasks), tasks, [sizes] * len(tasks))
            next_seed = tasks[-1] + SEEDS_A_TASK
            rounds = sum(part.rounds for part in compared)
            differ = sum(len(part.differences) for part in compared)
            _progress(f"{rounds} rounds, {differ} differ, {time.perf_counter() - started:.0f} s")
    _progress("")
    differences = [difference for part in compared for difference in part.differences]
    for difference in differences[:SHOWN]:
        print(difference)
    print(
        f"{rounds} rounds of {min(sizes)} to {max(sizes)} players (seeds {arguments.seed} to {next_seed - 1}) "
        f"in {time.perf_counter() - started:.0f} s on {arguments.workers} processes: {len(differences)} differ; "
        f"{sum(part.without_pairing for part in compared)} have no legal pairing"
    )
    return 1 if differences else 0


def _compare(system: str, first_seed: int, sizes: tuple[int, ...]) -> Comparison:
    return SYSTEMS[system][0](first_seed, SEEDS_A_TASK, sizes)


def _progress(line: str) -> None:
    print(f"\r{line:<60}", end="" if line else "\r", file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare an engine with plain enumeration.")
    parser.add_argument("--system", choices=SYSTEMS, default="dubov")
    parser.add_argument("--rounds", type=int, default=100_000, help="the least number of rounds")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument(
        "--players", type=int, nargs=2, metavar=("LOW", "HIGH"), help="smallest and largest field"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
