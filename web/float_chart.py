"""The picture of the floats of a round: score groups as lines, floats as arrows. Inline SVG from a pure function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

LEFT, STEP, ROW, TOP = 84, 66, 64, 16
GAP, HEAD = 9, 5


@dataclass(frozen=True, slots=True)
class Arrow:
    """A float. high, low: rows of both score groups, from 0. player, opponent: pairing numbers.

    changed: other players than by ratings alone; cost: of the change, "" for none.
    """

    high: int
    low: int
    player: str
    opponent: str
    changed: bool
    cost: str = ""


def float_chart(groups: Sequence[str], arrows: Sequence[Arrow]) -> SafeString:
    """Draw the score groups from the highest, and an arrow for each float, side by side."""
    width, height = LEFT + STEP * len(arrows), TOP * 2 + ROW * (len(groups) - 1)
    lines = ((_y(row), width, name) for row, name in enumerate(groups))
    return format_html(
        '<svg class="floats" viewBox="0 0 {0} {1}" width="{2}rem" aria-hidden="true">{3}{4}</svg>',
        width,
        height,
        round(width / 16, 2),
        format_html_join(
            "", '<text x="0" y="{0}" dy="4">{2}</text><path class="group" d="M76 {0}H{1}"/>', lines
        ),
        format_html_join(
            "",
            '<path class="{0}" d="M{1} {2}V{3}m-{5} -{5}l{5} {5} {5} -{5}"/>'
            '<text x="{1}" y="{2}" dx="7" dy="7">{6}</text><text x="{1}" y="{3}" dx="9" dy="-3">{7}</text>'
            '<text class="cost" x="{1}" y="{4}" dx="7" dy="5">{8}</text>',
            (_drawn(number, arrow) for number, arrow in enumerate(arrows)),
        ),
    )


def _y(row: int) -> int:
    return TOP + ROW * row


def _drawn(number: int, arrow: Arrow) -> tuple[str | int, ...]:
    start, end = _y(arrow.high) + GAP, _y(arrow.low) - 2
    return (
        "changed" if arrow.changed else "natural",
        LEFT + STEP * number + 12,
        start,
        end,
        (start + end) // 2,
        HEAD,
        arrow.player,
        arrow.opponent,
        arrow.cost,
    )
