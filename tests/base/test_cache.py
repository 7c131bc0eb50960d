"""The cache: a value is made once, even if many ask at the same time; it is bounded, and emptied with all others."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from base.cache import Cache, CacheBusyError, clear_caches, register
from tests.waiting import LONG


def never() -> str:
    raise AssertionError("made although it is kept")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


class Held:
    """A value that is being made by a thread until `go` is set."""

    def __init__(self, value: str) -> None:
        self.value = value
        self.begun, self.go = Event(), Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.go.wait(LONG)
        if self.value == "failed":
            raise OSError
        return self.value


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def test_value_is_made_once_for_each_key() -> None:
    made: list[str] = []
    kept: Cache[str, str] = Cache(16)

    def answer(key: str) -> str:
        return kept.make(key, lambda: made.append(key) or key.upper())

    assert [answer("a"), answer("b"), answer("a")] == ["A", "B", "A"]
    assert made == ["a", "b"]


def test_only_the_values_that_were_asked_for_last_are_kept() -> None:
    made: list[int] = []
    kept: Cache[int, None] = Cache(2)
    for key in (1, 2, 1, 3, 1, 2):
        kept.make(key, lambda key=key: made.append(key))
    assert made == [1, 2, 3, 2]
    kept.get(3)
    kept.put(4, None)
    assert (len(kept), [key for key, _value in kept.items()]) == (2, [2, 4])


class NoLock:
    """A lock that nobody may take."""

    def __enter__(self) -> None:
        raise AssertionError("a hit takes the lock")

    def __exit__(self, *_exception: object) -> None: ...


def test_who_finds_a_value_takes_no_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: Cache[str, str] = Cache(2, seconds=60)
    kept.put("a", "A", basis=1)
    monkeypatch.setattr(kept, "_lock", NoLock())
    assert (kept.get("a", basis=1), kept.get("a", basis=1, within=30), kept.make("a", never, basis=1)) == (
        ("A",) * 3
    )
    assert (kept.get("a", basis=2), kept.get("b"), "b" in kept) == (None, None, False)
    with pytest.raises(AssertionError, match="a hit takes the lock"):
        kept.put("b", "B")


def test_values_are_found_while_others_drop_and_reorder_them(threads: ThreadPoolExecutor) -> None:
    kept: Cache[int, int] = Cache(50)
    begin = Barrier(4)

    def ask(number: int) -> int:
        begin.wait(LONG)
        wrong = 0
        for turn in range(4_000):
            key = turn * number % 70
            found = kept.get(key)
            wrong += found not in (None, key)
            if found is None:
                kept.put(key, key)
        return wrong

    assert [one.result(LONG) for one in [threads.submit(ask, n) for n in (1, 3, 7, 11)]] == [0] * 4
    assert (len(kept), kept.weight, len(kept.items())) == (50, 50, 50)


def test_the_order_is_that_of_the_last_hits_and_not_of_the_first_ones(clock: list[float]) -> None:
    dropped: list[str] = []
    kept: Cache[str, str] = Cache(3, dropped=dropped.append)
    for step, key in enumerate("abcbac"):
        clock[0] = step
        kept.make(key, lambda key=key: key)
    for step, key in enumerate("defg", start=10):
        clock[0] = step
        kept.put(key, key)
    assert (dropped, [key for key, _value in kept.items()]) == (["b", "a", "c", "d"], ["e", "f", "g"])
    assert [key for key, _value in kept.items(["g", "x", "e"])] == ["e", "g"]


def test_values_are_bounded_by_their_weight_together() -> None:
    limit = [10]
    kept: Cache[str, str] = Cache(lambda: limit[0], weight=len)
    for key, value in (("a", "aaaa"), ("b", "bbbb"), ("c", "cc")):
        kept.put(key, value)
    assert (len(kept), kept.weight) == (3, 10)
    kept.put("b", "b")
    kept.put("d", "dddd")
    assert ([key for key, _value in kept.items()], kept.weight) == (["c", "b", "d"], 7)
    kept.put("e", "e" * 11)
    assert ("e" in kept, kept.weight) == (False, 7)
    limit[0] = 5
    kept.put("f", "f")
    assert ([key for key, _value in kept.items()], kept.weight) == (["d", "f"], 5)
    kept.discard("d")
    kept.discard("unknown")
    assert (len(kept), kept.weight) == (1, 1)


def test_value_that_is_too_old_is_not_found(clock: list[float]) -> None:
    kept: Cache[str, str] = Cache(9, seconds=60)
    kept.put("a", "A")
    clock[0] += 59
    assert ("a" in kept, kept.get("a"), kept.get("a", within=59), kept.items()) == (
        True,
        "A",
        None,
        [("a", "A")],
    )
    kept.put("b", "B")
    clock[0] += 1
    assert ("a" in kept, kept.get("a"), kept.items()) == (False, None, [("b", "B")])
    assert kept.make("a", lambda: "again") == "again"


def test_value_from_another_basis_gives_way() -> None:
    kept: Cache[str, str] = Cache(9)
    assert kept.make("list", lambda: "one", basis=1) == "one"
    assert kept.make("list", never, basis=1) == "one"
    assert (kept.get("list", basis=1), kept.get("list", basis=2), kept.get("list")) == ("one", None, None)
    assert kept.make("list", lambda: "two", basis=2) == "two"
    assert (kept.get("list", basis=1), kept.get("list", basis=2), len(kept)) == (None, "two", 1)


def test_value_that_is_not_worth_keeping_is_made_each_time() -> None:
    kept: Cache[str, str] = Cache(9)
    answers = iter(("short", "long enough"))
    for expected, number in (("short", 0), ("long enough", 1)):
        assert kept.make("list", lambda: next(answers), keep=lambda made: len(made) > 5) == expected
        assert len(kept) == number


def test_failure_is_not_kept() -> None:
    kept: Cache[str, int] = Cache(9)
    with pytest.raises(ZeroDivisionError):
        kept.make("key", lambda: 1 // 0)
    assert kept.make("key", lambda: 1) == 1


def test_value_is_replaced_by_what_is_made_of_it() -> None:
    kept: Cache[str, int] = Cache(9)
    assert [kept.replace("a", lambda former: (former or 0) + 1) for _ in range(2)] == [True, True]
    assert not kept.replace("a", lambda _former: None)
    assert kept.get("a") == 2


def test_no_change_is_lost_if_many_replace_a_value_at_the_same_time(threads: ThreadPoolExecutor) -> None:
    kept: Cache[str, int] = Cache(9)
    begin = Barrier(8)

    def count() -> None:
        begin.wait(LONG)
        for _ in range(500):
            kept.replace("a", lambda former: (former or 0) + 1)

    for one in [threads.submit(count) for _ in range(8)]:
        one.result(LONG)
    assert kept.get("a") == 4000


def test_those_who_ask_at_the_same_time_wait_for_the_first(threads: ThreadPoolExecutor) -> None:
    made: list[int] = []
    kept: Cache[str, int] = Cache(9)
    asked = Barrier(4)

    def work() -> int:
        made.append(1)
        return len(made)

    def ask() -> int:
        asked.wait(LONG)
        return kept.make("key", work)

    assert [one.result(LONG) for one in [threads.submit(ask) for _ in range(4)]] == [1, 1, 1, 1]


def test_nobody_waits_for_another_key(threads: ThreadPoolExecutor) -> None:
    kept: Cache[str, str] = Cache(9)
    slow = Held("slow")
    first = threads.submit(kept.make, "slow", slow)
    assert slow.begun.wait(LONG)
    assert kept.make("quick", lambda: "quick") == "quick"
    slow.go.set()
    assert first.result(LONG) == "slow"


def test_one_of_those_who_wait_makes_the_value_if_the_first_one_fails(threads: ThreadPoolExecutor) -> None:
    kept: Cache[str, str] = Cache(9)
    failing = Held("failed")
    first = threads.submit(kept.make, "key", failing)
    assert failing.begun.wait(LONG)
    second = threads.submit(kept.make, "key", lambda: "made")
    failing.go.set()
    with pytest.raises(OSError):
        first.result(LONG)
    assert second.result(LONG) == "made"


def test_those_who_wait_for_a_value_that_is_not_kept_make_their_own(threads: ThreadPoolExecutor) -> None:
    kept: Cache[str, str] = Cache(9)
    first_visit = Held("for the first visitor")
    first = threads.submit(kept.make, "key", first_visit, keep=lambda made: "first" not in made)
    assert first_visit.begun.wait(LONG)
    second = threads.submit(kept.make, "key", lambda: "for the second")
    first_visit.go.set()
    assert (first.result(LONG), second.result(LONG)) == ("for the first visitor", "for the second")


def test_nobody_waits_longer_than_the_caller_allows(threads: ThreadPoolExecutor) -> None:
    kept: Cache[str, str] = Cache(9)
    slow = Held("slow")
    first = threads.submit(kept.make, "key", slow)
    assert slow.begun.wait(LONG)
    with pytest.raises(CacheBusyError):
        kept.make("key", never, patience=0)
    slow.go.set()
    assert first.result(LONG) == "slow"
    assert kept.make("key", never, patience=0) == "slow"


def test_nobody_waits_for_a_value_from_another_basis(threads: ThreadPoolExecutor) -> None:
    kept: Cache[str, str] = Cache(9)
    slow = Held("old")
    first = threads.submit(kept.make, "key", slow, basis=1)
    assert slow.begun.wait(LONG)
    assert kept.make("key", lambda: "new", basis=2) == "new"
    slow.go.set()
    assert first.result(LONG) == "old"
    assert len(kept) == 1


def test_value_that_was_being_made_when_all_were_dropped_is_not_kept(threads: ThreadPoolExecutor) -> None:
    kept: Cache[str, str] = Cache(9)
    slow = Held("old")
    first = threads.submit(kept.make, "key", slow)
    assert slow.begun.wait(LONG)
    kept.clear()
    assert kept.make("key", lambda: "new") == "new"
    slow.go.set()
    assert first.result(LONG) == "old"
    assert kept.make("key", never) == "new"


def make_kept() -> tuple[Callable[[], int], object]:
    kept: Cache[str, str] = Cache(9)
    kept.put("a", "A")
    return lambda: len(kept), kept


def make_registered() -> tuple[Callable[[], int], object]:
    class Own:
        def __init__(self) -> None:
            self.kept = {"a": "A"}
            register(self)

        def clear(self) -> None:
            self.kept.clear()

    own = Own()
    return lambda: len(own.kept), own


@pytest.mark.parametrize("make", [make_kept, make_registered])
def test_all_caches_are_emptied_with_one_call(make: Callable[[], tuple[Callable[[], int], object]]) -> None:
    size, _kept = make()
    assert size() == 1
    clear_caches()
    assert size() == 0
