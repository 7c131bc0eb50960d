"""What bench/hosts.py finds wrong with pages that phones got, and how many wrong passwords it allows."""

from __future__ import annotations

from typing import Any

import pytest

from bench.arbiters import Arbiter
from bench.hall_load import read_json
from bench.hosts import most_guesses, wrong_pages


def test_wrong_pages_are_found() -> None:
    typed = [(3, 7, "1/2"), (4, 8, "1-0"), (6, 7, "1-0")]
    log = [
        {"revision": revision, "action": "record_result", "after": {"game": game, "result": result}}
        for revision, game, result in typed
    ]
    kept: dict[str, Any] = {"log": log, "boards": {"7": [1, 1], "8": [1, 2], "9": [2, 1]}}
    good: dict[str, Any] = {
        "cut": 0,
        "behind": 0,
        "stale": [0.4, 12.0],
        "two contents": [],
        "ends": {"pairings/": [("tag", "same")] * 3},
        "last contents": {"pairings/ tag": "same"},
        "boards": {"3": [1, {"1": "1/2", "2": ""}], "5": [1, {"1": "1/2", "2": "1-0"}], "7": [2, {"1": ""}]},
    }
    assert list(wrong_pages(good, kept)) == []
    bad = good | {
        "cut": 2,
        "behind": 1,
        "stale": [14.0],
        "two contents": [["pairings/", "tag"]],
        "ends": {"pairings/": [("tag", "same"), ("tag", "other")]},
        "last contents": {"pairings/ tag": "third"},
        "boards": {"5": [1, {"1": "1-0", "2": "1-0"}]},
    }
    assert list(wrong_pages(bad, kept)) == [
        "2 pages had no end",
        "1 phones do not show the end",
        "an answer was 14.0 s older than another one",
        "two contents of ['pairings/', 'tag']",
        "pairings/: the processes answer differently at the end",
        "pairings/: phones had another page than the processes",
        "revision 5, board 1: 1-0, but the log says 1/2",
    ]


def test_most_wrong_passwords() -> None:
    assert [most_guesses(seconds) for seconds in (0, 4, 6, 16, 90)] == [5, 5, 6, 7, 9]


def test_an_answer_without_json_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Arbiter("a", {}, 1, "/", [8000], 0)
    monkeypatch.setattr(one, "ask", lambda *_: (200, "<html>" + "x" * 999))
    with pytest.raises(AssertionError, match=r"^a: GET round/1/: 200 '<html>x{294}'$"):
        one.ask_json("GET", "round/1/")
    with pytest.raises(ValueError, match=r"^409 without JSON: b'<html>'$"):
        read_json(409, b"<html>")
