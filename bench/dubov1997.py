"""Measure the Dubov System of 1997, and compare it with its reference and its generator with its checker.

    python -m bench.dubov1997 [--rounds 20000] [--tournaments 10000] [--players 1000] [--seed 0] [--workers 2]

First the time of each round of a large field, in processor time, then random rounds of 4 to 60 players (most of them
small) against the reference in tests/systems/dubov1997, then generated tournaments that the checker reads back. Exits 1
if anything differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random

from bench.rounds import by_strength
from evenboard_engine import Bye, ByeKind, Colour, Game, NoLegalPairing, Player, Tournament, offer, pair_round
from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.tests.systems.dubov1997.comparison import LARGE, SMALL, Found, compare_seeds
from evenboard_engine.trf import read_report, write_report

SYSTEM = "dubov-1997"
SEEDS_A_TASK = 20
LARGE_ONE_IN = 10
SHOWN = 5


def main() -> int:
    """Measure, compare, and return the exit code."""
    arguments = _arguments()
    times = list(measure(arguments.players, 9, arguments.seed))
    finished = [seconds for seconds, is_offer in times if not is_offer]
    offered = len(times) - len(finished)
    print(
        f"{arguments.players} players, 9 rounds: slowest {max(finished) * 1000:.1f} ms, rounds with an offer: {offered}"
    )
    with ProcessPoolExecutor(arguments.workers) as workers:
        found = _compare(workers, arguments.rounds, arguments.seed)
        wrong = _check(workers, arguments.tournaments, arguments.seed)
    for difference in [*found.differences, *wrong][:SHOWN]:
        print(difference)
    return 1 if found.differences or wrong else 0


def measure(players: int, rounds: int, seed: int) -> Iterator[tuple[float, bool]]:
    """Play a field, and yield for each round the processor time in seconds, and whether it needed the offer."""
    rng = Random(seed)
    field = tuple(Player(number, number, 2800 - 2 * number % 1900) for number in range(1, players + 1))
    games: tuple[Game, ...] = ()
    byes: tuple[Bye, ...] = ()
    for number in range(1, rounds + 1):
        tournament = Tournament(
            rounds, number, field, games, byes, initial_colour=Colour.WHITE, system=SYSTEM
        )
        started, is_offer = time.process_time(), False
        try:
            pairing = pair_round(tournament)
        except NoLegalPairing:
            found = offer(tournament)
            if found is None:
                return
            pairing, is_offer = found.pairing, True
        yield time.process_time() - started, is_offer
        games += tuple(
            Game(number, pair.white, pair.black, by_strength(rng, pair.white, pair.black, players))
            for pair in pairing.pairs
        )
        if pairing.bye is not None:
            byes += (Bye(number, pairing.bye, ByeKind.ALLOCATED),)


def _compare(workers: ProcessPoolExecutor, rounds: int, seed: int) -> Found:
    started, total, task = time.perf_counter(), Found(), seed
    while total.rounds < rounds:
        tasks = range(task, task + 8)
        task = tasks.stop
        for found in workers.map(_compare_task, tasks):
            total.add(found)
        _progress(f"{total.rounds} rounds, {len(total.differences)} differ")
    _progress("")
    print(
        f"{total.rounds} rounds of 4 to 60 players in {time.perf_counter() - started:.0f} s: "
        f"{len(total.differences)} differ from the reference; {total.stuck} cannot be finished, "
        f"{total.without_offer} of them have no offer"
    )
    return total


def _compare_task(task: int) -> Found:
    """Compare some small fields, or one large one."""
    first = task * SEEDS_A_TASK
    if task % LARGE_ONE_IN == 0:
        return compare_seeds([first], LARGE)
    return compare_seeds(range(first, first + SEEDS_A_TASK), SMALL)


def _check(workers: ProcessPoolExecutor, tournaments: int, seed: int) -> list[str]:
    wrong, rounds, started = [], 0, time.perf_counter()
    for done, (paired, differences) in enumerate(
        workers.map(_check_task, range(seed, seed + tournaments), chunksize=20), start=1
    ):
        wrong += differences
        rounds += paired
        if done % 100 == 0:
            _progress(f"{done} tournaments, {rounds} rounds, {len(wrong)} differences")
    _progress("")
    print(
        f"{tournaments} generated tournaments with {rounds} rounds in {time.perf_counter() - started:.0f} s: "
        f"the checker finds {len(wrong)} differences"
    )
    return wrong


def _check_task(seed: int) -> tuple[int, list[str]]:
    """Generate a tournament, write and read its file, and check it. Returns its rounds and the differences."""
    rng = Random(seed)
    often = rng.choice((0, 8, 20))
    settings = GeneratorSettings(
        players=rng.randint(4, 40),
        rounds=rng.randint(3, 9),
        system=SYSTEM,
        accelerated=False,
        half_byes=often,
        forfeits=often,
        forbidden=rng.choice((0, 0, 3)),
    )
    report = read_report(write_report(generate(str(seed), settings).report))
    checks = list(check_rounds(report, system=SYSTEM))
    return len(checks), [
        f"seed {seed}, round {check.round}: {difference}"
        for check in checks
        for difference in check.differences
    ]


def _progress(line: str) -> None:
    print(f"\r{line:<60}", end="" if line else "\r", file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure and compare the Dubov System of 1997.")
    parser.add_argument("--rounds", type=int, default=20_000, help="the least number of rounds to compare")
    parser.add_argument("--tournaments", type=int, default=10_000, help="tournaments to generate and check")
    parser.add_argument("--players", type=int, default=1_000, help="of the field that is measured")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
