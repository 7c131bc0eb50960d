"""The picture of the spread of ARO by round: before the pairing, after it, and after other pairings. Inline SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from web.charts import ticks_of

WIDTH, LEFT, RIGHT = 460, 52, 446
ROW, LINE = 22, 12
APART, BELOW = 20, 13
"""Letters on one line are so far apart at least, and lines of letters too. On a phone a letter is 14 high."""


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A round. before, after: standard deviations in Elo; None before anybody has an ARO. others: letter and value."""

    label: str
    before: float | None
    after: float
    others: tuple[tuple[str, float], ...] = ()


def fairness_chart(rows: Sequence[ChartRow], *, title: str) -> SafeString:
    """Draw a line for each round, from a circle (before) to a dot (after), with the letters of other pairings below.

    Letters that would overlap are put below each other. Returns "" without a round.
    """
    if not rows:
        return SafeString("")
    high = max(value for row in rows for value in (row.before or 0, row.after, *(v for _, v in row.others)))
    ticks = ticks_of(0, max(1, round(high + 0.5)))
    end = max(ticks[-1], high)

    def place(value: float) -> float:
        return round(LEFT + value * (RIGHT - LEFT) / (end or 1), 1)

    drawn: list[SafeString] = []
    top = 4
    for row in rows:
        picture, top = _row(row, top, place)
        drawn.append(picture)
    grid = format_html_join(
        "",
        '<path class="g" d="M{0} 4V{1}"/><text x="{0}" y="{2}" text-anchor="middle">{3}</text>',
        ((place(tick), top, top + 14, tick) for tick in ticks),
    )
    return format_html(
        '<svg class="spread fair" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>',
        WIDTH,
        top + 20,
        title,
        grid,
        SafeString("".join(drawn)),
    )


def _row(row: ChartRow, top: int, place: Callable[[float], float]) -> tuple[SafeString, int]:
    """Draw a round below `top`. Returns the picture, and the top of the next one."""
    line = top + LINE
    after = place(row.after)
    marks = [format_html('<text class="k" x="36" y="{}" text-anchor="end">{}</text>', line + 4, row.label)]
    if row.before is not None:
        before = place(row.before)
        marks.append(format_html('<path class="r" d="M{} {}H{}"/>', before, line, after))
        marks.append(format_html('<circle class="before" cx="{}" cy="{}" r="4"/>', before, line))
    marks.append(format_html('<circle class="after" cx="{}" cy="{}" r="4"/>', after, line))
    ends: list[float] = []
    for letter, value in sorted(row.others, key=lambda one: (one[1], one[0])):
        x = place(value)
        level = next((number for number, end in enumerate(ends) if x - end >= APART), len(ends))
        ends[level : level + 1] = [x]
        y = line + 15 + BELOW * level
        marks.append(
            format_html('<text class="o" x="{}" y="{}" text-anchor="middle">{}</text>', x, y, letter)
        )
    return SafeString("".join(marks)), top + ROW + (4 + BELOW * len(ends) if ends else 0)
