"""List which goals a run met, as rows of a table. No input or output."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from .chart import duration
from .measure import Ours, growth_exponent
from .session import MEASURED_ROUNDS, SMALL_SIZES, Figures, largest

SMALLEST_FOR_GROWTH = 500
LAST = MEASURED_ROUNDS[-1]
TIMES = ((1000, 0.010), (9998, 0.120), (100_000, 2.0))
READINGS = 3
BYTES_A_PLAYER = 1024
EXPONENT = 1.1
HARD = 0.5
HARD_LARGE = 10.0


def goals(figures: Figures) -> Iterator[tuple[str, str, str]]:
    """Yield goal, measured value, and met or missed, for each goal that the run measured."""
    yield from _times(figures)
    yield from _reading(figures)
    yield from _memory(figures)
    yield from _small(figures)
    yield from _growth(figures)
    plan = figures.plan
    for size, rows, most in (
        (plan.hard, figures.hard, HARD),
        (plan.hard_large, figures.hard_large, HARD_LARGE),
    ):
        if rows:
            name, time, _ = max(rows, key=lambda one: one[1])
            yield (
                f"hard fields of {size:,} players: always under {duration(most)}",
                f"{duration(time)} at most ({name})",
                _met(time < most),
            )


def _times(figures: Figures) -> Iterator[tuple[str, str, str]]:
    by_size = {row.ours.size: row.ours for row in largest(figures.rows, LAST)}
    for size, most in TIMES:
        if size in by_size:
            ours = by_size[size]
            yield (
                f"{size:,} players, round {LAST}: under {duration(most)}",
                f"{duration(ours.pair_median)} (shortest {duration(ours.pair_least)})",
                _met(ours.pair_median < most),
            )


def _reading(figures: Figures) -> Iterator[tuple[str, str, str]]:
    ratios = [(row.ours.pair_median / row.ours.read, row.ours) for row in figures.rows if row.ours.read]
    if ratios:
        ratio, worst = max(ratios, key=lambda one: one[0])
        yield (
            f"at most {READINGS} times the time to read the file{_from_smallest(figures)}",
            f"{ratio:.2f} at most ({_where(worst)})",
            _met(ratio <= READINGS),
        )


def _memory(figures: Figures) -> Iterator[tuple[str, str, str]]:
    for text, least in ((_from_smallest(figures), 0), (", fields of 1,000 and more", 1000)):
        fields = [row.ours for row in figures.rows if row.ours.size >= least]
        if fields:
            worst = max(fields, key=lambda ours: ours.bytes_a_player)
            yield (
                f"memory under 1 KB per player, without the input{text}",
                f"{worst.bytes_a_player:,.0f} bytes at most ({_where(worst)})",
                _met(worst.bytes_a_player < BYTES_A_PLAYER),
            )


def _from_smallest(figures: Figures) -> str:
    return f", fields of {min((row.ours.size for row in figures.rows), default=0):,} and more"


def _small(figures: Figures) -> Iterator[tuple[str, str, str]]:
    """Yield the goals for small tournaments. They have few possible pairs: the exact method does the work."""
    if not figures.small:
        return
    fields = f", fields of {SMALL_SIZES[0]} to {SMALL_SIZES[-1]}"
    middle = len(figures.small) // 2
    ratios = sorted(((ours.pair_least / (ours.read or 1), ours) for ours in figures.small), key=itemgetter(0))
    over = sum(ratio > READINGS for ratio, _ in ratios)
    ratio, worst = ratios[-1]
    yield (
        f"at most {READINGS} times the time to read the file{fields}",
        (
            f"median {ratios[middle][0]:.2f}, more than {READINGS} in {over:,} of {len(ratios):,} rounds; "
            f"{ratio:.1f} at most ({_where(worst)}: {duration(worst.pair_least)})"
        ),
        _met(not over),
    )
    memory = sorted(((ours.bytes_a_player, ours) for ours in figures.small), key=itemgetter(0))
    over = sum(held >= BYTES_A_PLAYER for held, _ in memory)
    held, worst = memory[-1]
    yield (
        f"memory under 1 KB per player, without the input{fields}",
        (
            f"median {memory[middle][0]:,.0f} bytes, over 1 KB in {over:,} of {len(memory):,} rounds; "
            f"{held:,.0f} at most ({_where(worst)}: {held * worst.size / 1024:.0f} KB in all)"
        ),
        _met(not over),
    )


def _growth(figures: Figures) -> Iterator[tuple[str, str, str]]:
    """Yield the growth for fields with a file, and for all: memory is slower once it exceeds the processor's caches."""
    for number in MEASURED_ROUNDS:
        fields = [row.ours for row in largest(figures.rows, number) if row.ours.size >= SMALLEST_FOR_GROWTH]
        with_file = [ours for ours in fields if ours.read]
        for chosen in (with_file, fields) if len(with_file) < len(fields) else (fields,):
            if len(chosen) > 1:
                exponent = growth_exponent([(ours.size, ours.pair_least) for ours in chosen])
                yield (
                    f"growth exponent under {EXPONENT}, round {number}, to {chosen[-1].size:,} players",
                    f"{exponent:.2f} (from {chosen[0].size:,} players)",
                    _met(exponent < EXPONENT),
                )


def _where(ours: Ours) -> str:
    return f"{ours.size:,} players, round {ours.round}"


def _met(yes: bool) -> str:
    return "met" if yes else "**missed**"
