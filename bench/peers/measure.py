"""Measure our engine: processor time, memory, growth."""

from __future__ import annotations

import math
import statistics
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time

from evenboard_engine import RoundPairing, Tournament, pair_round
from evenboard_engine.systems.registry import DEFAULT_SYSTEM
from evenboard_engine.trf import read_report, to_tournament

ENOUGH_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Ours:
    """pair_least, pair_median, read: seconds of processor time; read is None if no file can hold the field.

    bytes_a_player: the largest memory in use, without the input, with the answer."""

    size: int
    round: int
    pair_least: float
    pair_median: float
    read: float | None
    bytes_a_player: float
    pairing: RoundPairing


def measure(
    size: int, tournament: Tournament, data: bytes | None, runs: int, *, enough: float = ENOUGH_SECONDS
) -> Ours:
    """Pair `runs` times or more, read the file (data; None if there is none) half as often, pair once with tracemalloc.

    Small fields are paired again until `enough` seconds have passed; otherwise their shortest time means little.
    """
    pairing = pair_round(tournament)
    times: list[float] = []
    while len(times) < runs or sum(times) < enough:
        times.append(seconds(lambda: pair_round(tournament)))
    read = None
    if data is not None:
        file = data
        read = min(
            seconds(lambda: to_tournament(read_report(file), system=DEFAULT_SYSTEM))
            for _ in range((runs + 1) // 2)
        )
    return Ours(
        size,
        tournament.round,
        min(times),
        statistics.median(times),
        read,
        peak_bytes(lambda: pair_round(tournament)) / size,
        pairing,
    )


def seconds(task: Callable[[], object]) -> float:
    """Return the seconds of processor time of one call."""
    began = process_time()
    task()
    return process_time() - began


def peak_bytes(task: Callable[[], object]) -> int:
    """Return the peak of the bytes that Python's allocator held, less what it held before the call."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        task()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def growth_exponent(points: Sequence[tuple[float, float]]) -> float:
    """Return the b of time = a * size^b that fits the points (size, time) best: least squares on logarithms.

    Raises ValueError for fewer than two sizes.
    """
    logs = [(math.log(size), math.log(time)) for size, time in points]
    if len({size for size, _ in logs}) < 2:
        raise ValueError("growth needs two sizes")
    return statistics.linear_regression([x for x, _ in logs], [y for _, y in logs]).slope
