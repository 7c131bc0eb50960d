"""Draw means with their intervals as SVG: a row for each group of opens, a mark for each system."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, fsum, log10, sqrt

from bench.peers.chart import STYLE, SVG, mark

from .play import DUBOV, Row

# Sum up the opens: the mean of each measure for each system, and its difference from the Dubov System.

SURE = 1.96
"""Standard errors on each side of a mean, for an interval that has the true mean in 95 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean, and half of the width of its 95% interval."""

    value: float
    half: float

    @property
    def clear(self) -> bool:
        """Return whether the interval does not contain 0."""
        return abs(self.value) > self.half

    @property
    def ends(self) -> tuple[float, float]:
        """The interval."""
        return self.value - self.half, self.value + self.half


def mean_of(values: Sequence[float]) -> Mean:
    """Return the mean of at least two values."""
    count = len(values)
    mean = fsum(values) / count
    variance = fsum((value - mean) ** 2 for value in values) / (count - 1)
    return Mean(mean, SURE * sqrt(variance / count))


def mean(rows: Sequence[Row], system: str, measure: str) -> Mean:
    """Return the mean of a measure over the opens."""
    return mean_of([row["systems"][system][measure] for row in rows])


def beyond_dubov(rows: Sequence[Row], system: str, measure: str) -> Mean:
    """Return the mean difference from the Dubov System, open by open: the same players with the same luck."""
    return mean_of([row["systems"][system][measure] - row["systems"][DUBOV][measure] for row in rows])


# The picture.


WIDTH, LEFT, RIGHT, TOP, ROW, BOTTOM = 760, 190, 30, 84, 66, 54
APART = 15
"""Pixels between the marks of a row."""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A row of the picture. means: one for each system."""

    name: str
    means: tuple[Mean, ...]


def chart(title: str, unit: str, systems: Sequence[str], lines: Sequence[ChartLine]) -> str:
    """Return an SVG file. unit: of the axis, in words. The systems differ in colour and mark."""
    ends = [end for line in lines for mean in line.means for end in mean.ends]
    scale = _Scale(min(ends), max(ends))
    height = TOP + ROW * len(lines) + BOTTOM
    return "\n".join(
        (
            f'<svg xmlns="{SVG}" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="title words">',
            f'  <title id="title">{escape(title)}</title>',
            f'  <desc id="words">{escape(in_words(systems, lines, scale.decimals))}</desc>',
            f"  <style>{STYLE}  </style>",
            f'  <rect class="ground" width="{WIDTH}" height="{height}" rx="8"/>',
            f'  <text class="ink title" x="24" y="30">{escape(title)}</text>',
            *_legend(systems),
            *_grid(scale, height, unit),
            *(part for number, line in enumerate(lines) for part in _line(number, line, scale)),
            "</svg>",
            "",
        )
    )


def in_words(systems: Sequence[str], lines: Iterable[ChartLine], decimals: int) -> str:
    """Return the picture as sentences, for people who cannot see it."""
    return " ".join(
        f"{line.name}: "
        + ", ".join(
            f"{system} {mean.value:.{decimals + 1}f}"
            for system, mean in zip(systems, line.means, strict=True)
        )
        + "."
        for line in lines
    )


class _Scale:
    """Maps a value to a coordinate. decimals: how many the numbers of the axis need."""

    def __init__(self, least: float, most: float) -> None:
        rough = (most - least) / 5
        power = 10.0 ** floor(log10(rough))
        self.step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough)
        self.first, self.last = floor(least / self.step), ceil(most / self.step)
        self.decimals = max(0, -floor(log10(self.step)))

    def __call__(self, value: float) -> float:
        share = (value / self.step - self.first) / (self.last - self.first)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def numbers(self) -> list[float]:
        return [number * self.step for number in range(self.first, self.last + 1)]


def _legend(systems: Sequence[str]) -> Iterable[str]:
    for number, system in enumerate(systems):
        x = 24 + 190 * number
        yield f'  <g class="s{number}">{mark(number, x + 5, 54)}</g>'
        yield f'  <text class="ink" x="{x + 16}" y="59">{escape(system)}</text>'


def _grid(scale: _Scale, height: int, unit: str) -> Iterable[str]:
    for value in scale.numbers():
        x = scale(value)
        yield f'  <line class="grid" x1="{x}" y1="{TOP}" x2="{x}" y2="{height - BOTTOM}"/>'
        yield (
            f'  <text class="quiet" x="{x}" y="{height - BOTTOM + 20}" text-anchor="middle">'
            f"{value:.{scale.decimals}f}</text>"
        )
    yield (
        f'  <text class="quiet" x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{height - 12}" text-anchor="middle">'
        f"{escape(unit)}</text>"
    )


def _line(number: int, line: ChartLine, scale: _Scale) -> Iterable[str]:
    middle = TOP + ROW * number + ROW / 2
    yield f'  <text class="ink" x="24" y="{middle + 5:.0f}">{escape(line.name)}</text>'
    for at, mean in enumerate(line.means):
        y = middle + APART * (at - (len(line.means) - 1) / 2)
        low, high = (scale(end) for end in mean.ends)
        yield f'  <g class="s{at}"><path class="line" d="M{low},{y} H{high}"/>{mark(at, scale(mean.value), y)}</g>'
