"""The picture of the spread of ARO by round."""

from __future__ import annotations

import re

from web.charts import ChartRow, fairness_chart


def test_each_round_has_a_line_from_a_circle_to_a_dot() -> None:
    """100 Elo are at the right end, 50 in the middle, 0 at the left."""
    drawn = str(fairness_chart([ChartRow("1", None, 100), ChartRow("2", 50, 0)], title="Spread"))
    assert re.findall(r'class="k"[^>]*>(\d+)<', drawn) == ["1", "2"]
    assert re.findall(r'class="(before|after)" cx="([\d.]+)"', drawn) == [
        ("after", "446.0"),
        ("before", "249.0"),
        ("after", "52.0"),
    ]
    assert re.findall(r'class="r" d="M([\d.]+) \d+H([\d.]+)"', drawn) == [("249.0", "52.0")]


def test_letters_that_would_overlap_are_below_each_other() -> None:
    """B is 16 units beside A: as near as two letters of one word. C is 20 beside A."""
    row = ChartRow("1", None, 100, (("A", 50), ("B", 54), ("C", 55.2)))
    drawn = str(fairness_chart([row], title="Spread"))
    found = re.findall(r'class="o" x="[\d.]+" y="(\d+)"[^>]*>(\w)', drawn)
    assert found == [("31", "A"), ("44", "B"), ("31", "C")]


def test_nothing_is_drawn_without_a_round_and_a_title_is_escaped() -> None:
    assert fairness_chart([], title="Spread") == ""
    assert "<b>" not in fairness_chart([ChartRow("<b>", 0, 0)], title='"><b>')
