"""The picture of the floats of a round."""

from __future__ import annotations

import re

from web.why_pictures import Arrow, float_chart


def test_each_group_is_a_line_and_each_float_an_arrow_between_two_lines() -> None:
    drawn = str(
        float_chart(
            ["2 points", "1 point", "0 points"],
            [Arrow(0, 1, "8", "6", changed=True, cost="33"), Arrow(0, 2, "4", "9", changed=False)],
        )
    )
    lines = [int(y) for y in re.findall(r'class="group" d="M76 (\d+)H216"', drawn)]
    assert lines == [16, 80, 144]
    arrows = re.findall(r'<path class="(changed|natural)" d="M(\d+) (\d+)V(\d+)', drawn)
    assert arrows == [("changed", "96", "25", "78"), ("natural", "162", "25", "142")]
    assert re.findall(r">([^<>]+)</text>", drawn) == [
        "2 points",
        "1 point",
        "0 points",
        "8",
        "6",
        "33",
        "4",
        "9",
    ]


def test_names_are_escaped() -> None:
    assert "<b>" not in float_chart(["<b>", "1"], [Arrow(0, 1, "1", "2", changed=False)])
