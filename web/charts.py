"""Pictures of ARO and fairness as inline SVG, from pure functions.

Styles are classes, because the Content-Security-Policy forbids others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

# Pictures as inline SVG, from pure functions. Styles are classes, because the Content-Security-Policy forbids
# style attributes.

WIDTH = 460
LEFT, RIGHT = 60, 448
SIDE = 6
STEP = SIDE + 1
STEPS = (10, 25, 50, 100, 200, 250, 500, 1000)
MOST_TICKS = 7


@dataclass(frozen=True, slots=True)
class AroMark:
    """One player. aro: in Elo. white: White is due (drawn above the line), not Black (below)."""

    aro: int
    white: bool


@dataclass(frozen=True, slots=True)
class ChartedScoreGroup:
    """A score group. label: its points as printed. count: all its players, also those without a mark."""

    label: str
    count: int
    marks: tuple[AroMark, ...]


def aro_spread(rows: Sequence[ChartedScoreGroup], *, title: str) -> SafeString:
    """Draw a line for each score group, with a square for each player's ARO and a vertical stroke at the
    median.

    Squares that would overlap are stacked away from the line. Returns "" if nobody has played.
    """
    values = [mark.aro for row in rows for mark in row.marks]
    if not values:
        return SafeString("")
    ticks = ticks_of(min(values), max(values))
    low, high = min(ticks[0], min(values)), max(ticks[-1], max(values))

    def place(aro: float) -> float:
        return round(LEFT + (aro - low) * (RIGHT - LEFT) / max(high - low, 1), 1)

    drawn: list[SafeString] = []
    top = 4
    for row in rows:
        picture, top = _charts_row(row, top, place)
        drawn.append(picture)
    grid = format_html_join(
        "",
        '<path class="g" d="M{} 4V{}"/><text x="{}" y="{}" text-anchor="middle">{}</text>',
        ((place(tick), top, place(tick), top + 16, tick) for tick in ticks),
    )
    return format_html(
        '<svg class="spread" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>',
        WIDTH,
        top + 22,
        title,
        grid,
        SafeString("".join(drawn)),
    )


def ticks_of(low: int, high: int) -> list[int]:
    """Return round numbers from at most `low` up to `high`, with the finest step that needs at most MOST_TICKS."""
    for step in STEPS:
        first = low // step * step
        ticks = list(range(first, high + 1, step))
        if len(ticks) <= MOST_TICKS:
            return ticks
    return [low]


def _charts_row(row: ChartedScoreGroup, top: int, place: Callable[[float], float]) -> tuple[SafeString, int]:
    """Draw one score group below `top`. Returns the picture, and the top of the next group."""
    white = list(_stacked(place(mark.aro) for mark in row.marks if mark.white))
    black = list(_stacked(place(mark.aro) for mark in row.marks if not mark.white))
    line = top + 4 + STEP * _height(white)
    bottom = line + 4 + STEP * _height(black)
    words = format_html(
        '<text class="k" x="24" y="{0}" text-anchor="end">{1}</text><text x="30" y="{0}">{2}</text>',
        line + 4,
        row.label,
        row.count,
    )
    if not row.marks:
        return words, bottom
    squares = [("w", x, line - STEP * (level + 1)) for x, level in white]
    squares += [("b", x, line + 1 + STEP * level) for x, level in black]
    places = [x for _, x, _ in squares]
    squares_drawn = format_html_join(
        "",
        '<rect class="{}" x="{}" y="{}" width="6" height="6"/>',
        ((kind, round(x - SIDE / 2, 1), y) for kind, x, y in squares),
    )
    spread = format_html('<path class="r" d="M{} {}H{}"/>', min(places), line, max(places))
    if len(places) > 1:
        middle = place(median(mark.aro for mark in row.marks))
        squares_drawn += format_html('<path class="med" d="M{} {}V{}"/>', middle, top + 2, bottom - 2)
    return words + spread + squares_drawn, bottom


def _stacked(places: Iterable[float]) -> Iterable[tuple[float, int]]:
    """Give each place the lowest level on which it touches no other place."""
    ends: list[float] = []
    for x in sorted(places):
        level = next((number for number, end in enumerate(ends) if x - end >= STEP), len(ends))
        if level == len(ends):
            ends.append(x)
        ends[level] = x
        yield x, level


def _height(stack: Sequence[tuple[float, int]]) -> int:
    """Return the number of levels in use, at least one, so that the rows keep their distance."""
    return 1 + max((level for _, level in stack), default=0)


# The picture of the spread of ARO by round: before the pairing, after it, and after other pairings. Inline
# SVG.

SPREAD_WIDTH, SPREAD_LEFT, SPREAD_RIGHT = 460, 52, 446
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
        return round(SPREAD_LEFT + value * (SPREAD_RIGHT - SPREAD_LEFT) / (end or 1), 1)

    drawn: list[SafeString] = []
    top = 4
    for row in rows:
        picture, top = _chart_row(row, top, place)
        drawn.append(picture)
    grid = format_html_join(
        "",
        '<path class="g" d="M{0} 4V{1}"/><text x="{0}" y="{2}" text-anchor="middle">{3}</text>',
        ((place(tick), top, top + 14, tick) for tick in ticks),
    )
    return format_html(
        '<svg class="spread fair" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>',
        SPREAD_WIDTH,
        top + 20,
        title,
        grid,
        SafeString("".join(drawn)),
    )


def _chart_row(row: ChartRow, top: int, place: Callable[[float], float]) -> tuple[SafeString, int]:
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
