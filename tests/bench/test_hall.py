"""The load of the hall: a small one runs, and its figures are those of the times."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from bench.hall import measure, percentile, rows
from bench.hall_load import revision


@pytest.mark.slow
def test_a_small_hall_saves_results_while_pages_ask_for_news(migrated: Path) -> None:
    few = {"pages": 3, "connections": 2, "phones": 4, "warm": 0, "players": 9}
    measured, _memory = measure("", few, seconds=6, together=True, migrated=migrated)
    answers = measured["answers"]
    assert {name for name in answers if name.startswith(("save", "hammer"))} == {"save 200", "hammer 200"}
    assert {name: answers[name] for name in answers if name.startswith("press")} == {"press 200": 4}
    compared = ("stands", "accepted", "lost", "doubled", "unanswered")
    assert [measured[name] for name in compared] == [2, 4, 0, 0, 0]
    assert answers["save 200"] == len(measured["times"]["save"]) >= 2


@pytest.mark.parametrize(("share", "expected"), [(0.5, 50), (0.99, 99), (1, 100)])
def test_percentile_is_a_time_that_so_many_do_not_exceed(share: float, expected: int) -> None:
    assert percentile([float(number) for number in range(1, 101)], share) == expected


def test_a_line_says_whether_its_goal_is_met() -> None:
    measured = {"times": {"save": [0.02, 0.3, 0.01]}, "answers": {"save 200": 2, "save 503": 1}}
    line = (
        "SQLite",
        "hammer: save",
        "3",
        "1.5",
        "20 ms",
        "300 ms",
        "300 ms",
        "missed: 200 ms",
        "2 times 200, 1 times 503",
    )
    assert list(rows("SQLite", "hammer", measured, 2)) == [line]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (b'hx-get="/a/?seen=17&amp;round=2"', "17"),
        (gzip.compress(b"?round=2&seen=8"), "8"),
        (b"no address", None),
    ],
    ids=["plain", "compressed", "none"],
)
def test_the_revision_of_a_page_is_in_its_address_for_news(page: bytes, expected: str | None) -> None:
    assert revision(page) == expected
