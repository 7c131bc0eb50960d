from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from bench.peers.chart import Series, chart, duration, in_words

NAMES = {"svg": "http://www.w3.org/2000/svg"}
US = Series("us & them", ((100, 0.001), (1000, 0.01)))
STOPPED = Series("slow", ((100, 1.0), (1000, 100.0)), open_end=True)


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 (the chart is made by our own code)


def test_chart_is_well_formed_and_describes_itself_in_words() -> None:
    root = parsed(chart("Time <9>", (US, STOPPED)))
    assert root.findtext("svg:title", namespaces=NAMES) == "Time <9>"
    assert root.findtext("svg:desc", namespaces=NAMES) == (
        "us & them: 100 players 1.0 ms, 1,000 players 10 ms. "
        "slow: 100 players 1.0 s, 1,000 players 100 s, stopped there without an answer."
    )


def test_chart_has_logarithmic_axes() -> None:
    root = parsed(chart("t", (Series("a", ((10, 1.0), (100, 10.0), (1000, 100.0))),)))
    line = root.find(".//svg:polyline", NAMES)
    assert line is not None
    first, middle, last = (tuple(map(float, point.split(","))) for point in line.get("points", "").split())
    assert middle == ((first[0] + last[0]) / 2, (first[1] + last[1]) / 2)
    assert first[0] < last[0]
    assert first[1] > last[1]


def test_chart_series_differ_without_colour_and_there_are_dark_colours() -> None:
    text = chart("t", (US, STOPPED))
    root = parsed(text)
    dashes = [line.get("stroke-dasharray") for line in root.findall(".//svg:polyline", NAMES)]
    assert dashes == [None, "7 4"]
    assert text.count("prefers-color-scheme: dark") == 1


def test_labels_do_not_cover_each_other() -> None:
    root = parsed(chart("t", (US, Series("near", ((1000, 0.0101),)))))
    heights = [
        float(group.find("svg:text", NAMES).get("y"))  # type: ignore[union-attr,arg-type]
        for group in root.findall("svg:g", NAMES)
    ]
    assert abs(heights[0] - heights[1]) >= 17


def test_series_without_points_are_left_out() -> None:
    assert chart("t", (US, Series("none", ()))) == chart("t", (US,))
    with pytest.raises(ValueError, match="nothing to show"):
        chart("t", (Series("none", ()),))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.00025, "0.25 ms"),
        (0.0034, "3.4 ms"),
        (0.052, "52 ms"),
        (0.34, "0.34 s"),
        (3.21, "3.2 s"),
        (61.4, "61 s"),
    ],
)
def test_duration_is_written_in_ms_or_s(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_text_of_a_chart_without_points_is_empty() -> None:
    assert in_words(()) == ""
