from __future__ import annotations

import re

from web.charts import AroMark, ChartedScoreGroup, aro_spread


def squares(svg: str) -> list[tuple[str, float, int]]:
    found = re.findall(r'<rect class="([wb])" x="([\d.]+)" y="(\d+)"', svg)
    return [(kind, float(x), int(y)) for kind, x, y in found]


def test_aro_spread_is_empty_before_anybody_has_played():
    assert aro_spread([ChartedScoreGroup("0", 8, ())], title="Spread") == ""


def test_aro_spread_puts_white_above_the_line_and_black_below():
    row = ChartedScoreGroup("1½", 3, (AroMark(2000, white=True), AroMark(2100, white=False)))
    svg = aro_spread([row], title="Spread")
    line = int(re.search(r'class="r" d="M[\d.]+ (\d+)H', svg)[1])
    (first, second) = squares(svg)
    assert (first[0], first[2] + 6 < line) == ("w", True)
    assert (second[0], second[2] > line) == ("b", True)
    assert first[1] < second[1]
    assert ">1½</text>" in svg
    assert ">3</text>" in svg


def test_aro_spread_places_the_axis_and_the_median():
    row = ChartedScoreGroup("1", 3, tuple(AroMark(aro, white=True) for aro in (2000, 2040, 2100)))
    svg = aro_spread([row], title="Spread")
    assert re.findall(r'text-anchor="middle">(\d+)<', svg) == ["2000", "2025", "2050", "2075", "2100"]
    assert re.search(r'class="med" d="M([\d.]+) ', svg)[1] == "215.2"


def test_aro_spread_stacks_squares_that_would_touch():
    row = ChartedScoreGroup("1", 4, (*[AroMark(1800, white=False)] * 3, AroMark(1900, white=False)))
    drawn = squares(aro_spread([row], title="Spread"))
    assert len({(x, y) for _, x, y in drawn}) == 4
    heights = [y for _, x, y in drawn if x == drawn[0][1]]
    assert [y - heights[0] for y in heights] == [0, 7, 14]


def test_aro_spread_of_one_value_does_not_divide_by_zero():
    assert (
        len(squares(aro_spread([ChartedScoreGroup("0", 1, (AroMark(1650, white=True),))], title="Spread")))
        == 1
    )


def test_aro_spread_escapes_texts_and_has_no_inline_style():
    svg = aro_spread([ChartedScoreGroup("<1>", 1, (AroMark(1650, white=True),))], title='"quoted" & more')
    assert "<1>" not in svg
    assert 'aria-label="&quot;quoted&quot; &amp; more"' in svg
    assert "style" not in svg
