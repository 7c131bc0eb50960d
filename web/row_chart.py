"""Pictures of a bracket, inline SVG from pure functions: lines from S1 to G2, and the squares of the two sides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

ROW = 100  # height of a row in the picture; on the page it is ROW_REM
ROW_REM = 2.25
SQUARE, STEP = 8, 11
UPPER, LOWER, HIGH = 3, 16, 32
SQUARE_REM = 0.6875  # width of a step on the page, where there is room


@dataclass(frozen=True, slots=True)
class Place:
    """A player on a side. due: "w", "b", or "n" where nobody has played. floated: from a lower score."""

    due: str
    floated: bool = False


def pair_lines(
    columns: Sequence[int], *, picked: int | None = None, shown: range | None = None
) -> SafeString:
    """Draw one line a row of S1: columns[row] is the place in G2 of its opponent, from 0. picked: a row to stand out.

    The picture is as high as the lists beside it, and is stretched to the width that is left between them. shown: the
    rows that are listed, all by default; a line from or to another row is cut off at the edge.
    """
    shown = shown or range(len(columns))
    lines = (
        (
            SafeString(' class="pick"') if row == picked else "",
            (row - shown.start) * ROW + ROW // 2,
            (column - shown.start) * ROW + ROW // 2,
        )
        for row, column in enumerate(columns)
        if row in shown or column in shown
    )
    return format_html(
        '<svg viewBox="0 0 100 {}" height="{}rem" preserveAspectRatio="none" aria-hidden="true">{}</svg>',
        len(shown) * ROW,
        len(shown) * ROW_REM,
        format_html_join(
            "",
            '<path{0} d="M0 {1}C45 {1} 55 {2} 100 {2}"/>',
            lines,
        ),
    )


def two_sides(upper: Sequence[Place], lower: Sequence[Place]) -> SafeString:
    """Draw a square for each player: White's side above, Black's side below. A bar marks those who are floated up."""
    width = max(len(upper), len(lower)) * STEP
    return format_html(
        '<svg class="sides" viewBox="0 0 {0} {1}" width="{2}rem" aria-hidden="true">{3}{4}</svg>',
        width,
        HIGH,
        round(width / STEP * SQUARE_REM, 3),
        format_html_join("", '<path class="{}" d="M{} {}h{}v{}h-{}z"/>', _squares(upper, UPPER + 2)),
        format_html_join("", '<path class="{}" d="M{} {}h{}v{}h-{}z"/>', _squares(lower, LOWER + 1)),
    )


def _squares(side: Iterable[Place], top: int) -> list[tuple[str, float, float, float, float, float]]:
    drawn: list[tuple[str, float, float, float, float, float]] = []
    for at, place in enumerate(side):
        left = at * STEP + 1.5
        drawn.append((place.due, left, top, SQUARE, SQUARE, SQUARE))
        if place.floated:
            bar = top - 4 if top < LOWER else top + SQUARE + 1.5
            drawn.append(("up", left - 0.75, bar, SQUARE + 1.5, 2.5, SQUARE + 1.5))
    return drawn
