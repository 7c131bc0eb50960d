"""Answers computed from a file are kept, up to a limit, and computed once even if many people ask at the same time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from web.worked_out import WorkedOut


def test_answer_is_made_once_for_each_key() -> None:
    made: list[str] = []
    kept: WorkedOut[str] = WorkedOut()

    def answer(key: str) -> str:
        return kept.get(key, lambda: made.append(key) or key.upper())

    assert [answer("a"), answer("b"), answer("a")] == ["A", "B", "A"]
    assert made == ["a", "b"]


def test_what_is_known_is_asked_without_work() -> None:
    kept: WorkedOut[str] = WorkedOut()
    with pytest.raises(ZeroDivisionError):
        kept.get("failed", lambda: str(1 // 0))
    kept.get("a", lambda: "A")
    assert [kept.known(key) for key in ("a", "b", "failed")] == ["A", None, None]


def test_only_the_newest_answers_are_kept() -> None:
    made: list[int] = []
    kept: WorkedOut[None] = WorkedOut(most=2)
    for key in (1, 2, 1, 3, 1, 2):
        kept.get(key, lambda key=key: made.append(key))
    assert made == [1, 2, 3, 2]


def test_those_who_ask_at_the_same_time_wait_for_the_first() -> None:
    made: list[int] = []
    kept: WorkedOut[int] = WorkedOut()
    asked = threading.Barrier(4)

    def work() -> int:
        made.append(1)
        return len(made)

    def ask() -> int:
        asked.wait()
        return kept.get("key", work)

    with ThreadPoolExecutor(4) as threads:
        assert [one.result() for one in [threads.submit(ask) for _ in range(4)]] == [1, 1, 1, 1]


def test_failure_is_not_kept() -> None:
    kept: WorkedOut[int] = WorkedOut()

    def fail() -> int:
        raise OSError

    with pytest.raises(OSError):
        kept.get("key", fail)
    assert kept.get("key", lambda: 1) == 1
