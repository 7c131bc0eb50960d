"""Draw time against size as SVG: both axes logarithmic, readable on light and dark, with a description in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

SVG = "http://www.w3.org/2000/svg"
WIDTH, HEIGHT = 760, 480
LEFT, RIGHT, TOP, BOTTOM = 84, 96, 62, 62

STYLE = """
    .ground { fill: #ffffff } .ink { fill: #1c2430 } .quiet { fill: #4d5866 }
    .grid { stroke: #d5dae1; stroke-width: 1 } .line { fill: none; stroke-width: 2.2 }
    .s0 { stroke: #0b5cad } .s1 { stroke: #0f7a4c } .s2 { stroke: #b3261e } .s3 { stroke: #6b7280 }
    .s0 .mark, .s0 text { fill: #0b5cad } .s1 .mark, .s1 text { fill: #0f7a4c }
    .s2 .mark, .s2 text { fill: #b3261e } .s3 .mark, .s3 text { fill: #5b6472 }
    .mark { stroke: none }
    .series text { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round }
    text { font: 13px system-ui, sans-serif } .title { font-size: 17px; font-weight: 600 }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #14181f } .series text { stroke: #14181f }
      .ink { fill: #e8ecf2 } .quiet { fill: #aab4c0 } .grid { stroke: #333c48 }
      .s0 { stroke: #7ab8ff } .s1 { stroke: #5fd19b } .s2 { stroke: #ff8f85 } .s3 { stroke: #a4adb9 }
      .s0 .mark, .s0 text { fill: #7ab8ff } .s1 .mark, .s1 text { fill: #5fd19b }
      .s2 .mark, .s2 text { fill: #ff8f85 } .s3 .mark, .s3 text { fill: #a4adb9 }
    }
"""
DASHES = ("", "7 4", "2 4", "10 3 2 3")


@dataclass(frozen=True, slots=True)
class Series:
    """points: (players, seconds), each above zero. open_end: the last point is a limit, the real value is higher."""

    name: str
    points: tuple[tuple[float, float], ...]
    open_end: bool = False


def chart(title: str, series: Sequence[Series]) -> str:
    """Return an SVG file. The first four series differ in colour, dash and mark, and have their names at their ends.

    Series without points are left out. Raises ValueError when there is nothing to show.
    """
    shown = [one for one in series if one.points]
    if not shown:
        raise ValueError("nothing to show")
    sizes = [size for one in shown for size, _ in one.points]
    times = [time for one in shown for _, time in one.points]
    across = _Axis(min(sizes), max(sizes), LEFT, WIDTH - RIGHT)
    up = _Axis(min(times), max(times), HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="{SVG}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="title words">',
        f'  <title id="title">{escape(title)}</title>',
        f'  <desc id="words">{escape(in_words(shown))}</desc>',
        f"  <style>{STYLE}  </style>",
        f'  <rect class="ground" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
        f'  <text class="ink title" x="{LEFT}" y="30">{escape(title)}</text>',
        *_grid(across, up),
    ]
    labels = _labels([up(one.points[-1][1]) for one in shown])
    for number, (one, label) in enumerate(zip(shown, labels, strict=True)):
        parts += _series(number % len(DASHES), one, across, up, label)
    return "\n".join((*parts, "</svg>", ""))


def in_words(series: Iterable[Series]) -> str:
    """Return the chart as sentences, for people who cannot see it."""
    return " ".join(
        f"{one.name}: " + ", ".join(f"{size:,.0f} players {duration(time)}" for size, time in one.points)
        + (", stopped there without an answer." if one.open_end else ".")
        for one in series
    )  # fmt: skip


def duration(time: float) -> str:
    """Return seconds as text, with two or three digits in s or ms."""
    if time < 0.1:
        return f"{time * 1000:.{2 if time < 0.001 else 1 if time < 0.01 else 0}f} ms"
    return f"{time:.{2 if time < 1 else 1 if time < 10 else 0}f} s"


class _Axis:
    """Maps a value to a coordinate; the ends are the powers of ten around the values."""

    def __init__(self, least: float, most: float, begin: float, end: float) -> None:
        self.low = math.floor(math.log10(least))
        self.high = max(math.ceil(math.log10(most)), self.low + 1)
        self.begin, self.end = begin, end

    def __call__(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.begin + share * (self.end - self.begin), 1)

    def decades(self) -> list[float]:
        return [10.0**power for power in range(self.low, self.high + 1)]


def _grid(across: _Axis, up: _Axis) -> list[str]:
    parts = []
    for value in across.decades():
        x = across(value)
        parts.append(f'  <line class="grid" x1="{x}" y1="{TOP}" x2="{x}" y2="{HEIGHT - BOTTOM}"/>')
        parts.append(
            f'  <text class="quiet" x="{x}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{value:,.0f}</text>'
        )
    for value in up.decades():
        y = up(value)
        parts.append(f'  <line class="grid" x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}"/>')
        parts.append(
            f'  <text class="quiet" x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{_tick(value)}</text>'
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'  <text class="ink" x="{middle}" y="{HEIGHT - 14}" text-anchor="middle">players</text>')
    parts.append(f'  <text class="ink" x="16" y="{TOP - 10}">time</text>')
    return parts


def _tick(seconds: float) -> str:
    if seconds < 0.0009:
        return f"{seconds * 1e6:,.0f} µs"
    return f"{seconds * 1000:,.0f} ms" if seconds < 0.9 else f"{seconds:,.0f} s"


def _labels(wanted: Sequence[float]) -> list[float]:
    """Return the heights of the labels in the order of the series, moved apart so that none covers another."""
    apart = 17.0
    placed = [0.0] * len(wanted)
    last = -math.inf
    for number in sorted(range(len(wanted)), key=wanted.__getitem__):
        last = placed[number] = max(wanted[number], last + apart)
    return placed


def _series(number: int, one: Series, across: _Axis, up: _Axis, label: float) -> list[str]:
    spots = [(across(size), up(time)) for size, time in one.points]
    line = " ".join(f"{x},{y}" for x, y in spots)
    dash = f' stroke-dasharray="{DASHES[number]}"' if DASHES[number] else ""
    x, y = spots[-1]
    parts = [f'  <g class="series s{number}">', f'    <polyline class="line" points="{line}"{dash}/>']
    parts += [f"    {mark(number, *spot)}" for spot in spots]
    if one.open_end:
        parts.append(f'    <path class="line" d="M{x},{y} v-26 m-5,7 l5,-7 l5,7"/>')
    if x < across.end and not one.open_end:  # the other lines continue to the right, so the name goes above
        parts.append(f'    <text x="{x}" y="{y - 12:.1f}" text-anchor="end">{escape(one.name)}</text>')
    else:
        parts.append(f'    <text x="{x + 12}" y="{label + 4:.1f}">{escape(one.name)}</text>')
    return [*parts, "  </g>"]


def mark(number: int, x: float, y: float) -> str:
    """Return the mark of a series at a point; the first four differ in shape."""
    if number == 0:
        return f'<circle class="mark" cx="{x}" cy="{y}" r="4"/>'
    if number == 1:
        return f'<rect class="mark" x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"/>'
    if number == 2:
        return f'<path class="mark" d="M{x},{y - 5} l5,9 h-10 z"/>'
    return f'<path class="mark" d="M{x},{y - 5} l5,5 l-5,5 l-5,-5 z"/>'
