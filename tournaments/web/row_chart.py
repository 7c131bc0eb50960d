"""S1 beside G2, and a line from each row to its opponent: inline SVG from a pure function."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

ROW = 100  # height of a row in the picture; on the page it is ROW_REM
ROW_REM = 2.25


def pair_lines(columns: Sequence[int], *, picked: int | None = None) -> SafeString:
    """Draw one line a row of S1: columns[row] is the place in G2 of its opponent, from 0. picked: a row to stand out.

    The picture is as high as the lists beside it, and is stretched to the width that is left between them.
    """
    lines = (
        (
            SafeString(' class="pick"') if row == picked else "",
            row * ROW + ROW // 2,
            column * ROW + ROW // 2,
        )
        for row, column in enumerate(columns)
    )
    return format_html(
        '<svg viewBox="0 0 100 {}" height="{}rem" preserveAspectRatio="none" aria-hidden="true">{}</svg>',
        len(columns) * ROW,
        len(columns) * ROW_REM,
        format_html_join(
            "",
            '<path{0} d="M0 {1}C45 {1} 55 {2} 100 {2}"/>',
            lines,
        ),
    )
