"""The store of finished pages: made once, bounded, and never from facts that have passed."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from base.cache import CacheBusyError
from tests.waiting import LONG
from web import page_cache
from web.page_cache import Page, PageStore

MEGABYTE = 1024**2


def new_store(limit: int = MEGABYTE) -> PageStore[int]:
    return PageStore(lambda: limit)


def page(text: str = "page", *, size: int = 0, lasting: bool = True) -> Page:
    return Page(
        status=200,
        headers=(),
        body=text.encode().ljust(size, b"."),
        gzipped=False,
        shown_round="",
        lasting=lasting,
    )


def read(store: PageStore[int], facts: int, shelf: str = "a") -> int:
    found = store.facts(shelf, None, lambda: facts)
    assert found is not None
    return found


def never() -> Page:
    raise AssertionError("made although it is in the store")


def test_a_page_is_made_once_while_its_facts_are_the_same():
    store = new_store()
    made = store.page("a", read(store, 1), "pairings", page)
    assert store.page("a", read(store, 1), "pairings", never) is made


def test_pages_differ_by_section_and_by_what_was_asked():
    store = new_store()
    store.page("a", read(store, 1), "pairings", lambda: page("a"))
    assert store.page("a", 1, "standings", lambda: page("other")).body == b"other"
    assert store.page("b", read(store, 1, "b"), "pairings", lambda: page("b")).body == b"b"


def test_new_facts_drop_all_pages_of_the_section_and_only_these():
    store = new_store()
    for shelf in ("a", "b"):
        for key in ("pairings", "standings"):
            store.page(shelf, read(store, 1, shelf), key, page)
    assert (len(store), store.size) == (4, 4 * page().size)
    read(store, 2)
    assert (len(store), store.size) == (2, 2 * page().size)
    store.page("b", 1, "pairings", never)
    store.forget("b")
    assert (len(store), store.size) == (0, 0)


def test_the_page_asked_for_longest_ago_is_dropped_first():
    store = new_store(3 * page().size)
    read(store, 1)
    for key in ("first", "second", "third"):
        store.page("a", 1, key, page)
    store.page("a", 1, "first", never)
    store.page("a", 1, "fourth", page)
    assert len(store) == 3
    assert store.size <= 3 * page().size
    store.page("a", 1, "first", never)
    assert store.page("a", 1, "second", lambda: page("again")).body == b"again"


def test_a_section_remembers_no_page_that_was_dropped():
    """Whoever walks through many pages of a section that does not change would fill the memory with their keys."""
    store = new_store(3 * page().size)
    read(store, 1)
    for number in range(50):
        store.page("a", 1, number, page)
    assert store._readings["a"].keys == {47, 48, 49}
    read(store, 2)
    assert (len(store), store.size) == (0, 0)


def test_many_pages_take_no_more_memory_than_the_limit():
    store = new_store(MEGABYTE)
    read(store, 1)
    for number in range(500):
        store.page("a", 1, number, lambda: page(size=10_000))
        assert store.size <= MEGABYTE
    assert 50 < len(store) <= MEGABYTE // 10_000


def test_a_page_larger_than_the_store_is_given_but_not_kept():
    store = new_store(5_000)
    assert len(store.page("a", read(store, 1), "x", lambda: page(size=6_000)).body) == 6_000
    assert len(store) == 0


def test_a_slow_request_with_older_facts_gets_the_newer_page():
    store = new_store()
    made = []

    def slowly() -> int:
        made.append(store.page("a", read(store, 2), "pairings", page))
        return 1

    assert store.facts("a", None, slowly) == 2
    assert store.page("a", 2, "pairings", never) is made[0]


def test_requests_that_came_before_the_facts_were_read_do_not_read_them_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = new_store()
    clock = itertools.count()
    monkeypatch.setattr(page_cache, "monotonic", lambda: float(next(clock)))
    came = float(next(clock))
    assert store.facts("a", came, lambda: 1) == 1
    assert store.facts("a", came, lambda: 2) == 1
    assert store.facts("a", float(next(clock)), lambda: 2) == 2


def test_facts_may_go_back_when_a_copy_of_the_database_is_restored():
    store = new_store()
    store.page("a", read(store, 7), "pairings", page)
    assert read(store, 3) == 3
    assert len(store) == 0


def test_a_page_whose_facts_changed_while_it_was_made_is_not_kept():
    store = new_store()

    def make() -> Page:
        read(store, 2)
        return page("old")

    assert store.page("a", read(store, 1), "pairings", make).body == b"old"
    assert store.page("a", read(store, 2), "pairings", lambda: page("new")).body == b"new"


def test_many_requests_at_once_make_a_page_once():
    store = new_store()
    facts = read(store, 1)
    inside, go, made = Event(), Event(), []

    def make() -> Page:
        inside.set()
        assert go.wait(LONG)
        made.append(1)
        return page()

    with ThreadPoolExecutor(12) as pool:
        asked = [pool.submit(store.page, "a", facts, "pairings", make) for _ in range(12)]
        assert inside.wait(LONG)
        go.set()
        answers = [each.result(LONG) for each in asked]
    assert len(made) == 1
    assert {id(answer) for answer in answers} == {id(answers[0])}


def test_a_new_revision_does_not_wait_for_the_page_of_the_old_one():
    store = new_store()
    inside, go = Event(), Event()

    def slow() -> Page:
        inside.set()
        assert go.wait(LONG)
        return page("old")

    with ThreadPoolExecutor(1) as pool:
        old = pool.submit(store.page, "a", read(store, 1), "pairings", slow)
        assert inside.wait(LONG)
        new = store.page("a", read(store, 2), "pairings", lambda: page("new"))
        go.set()
        assert (old.result(LONG).body, new.body) == (b"old", b"new")
    assert store.page("a", read(store, 2), "pairings", never) is new


def test_if_making_fails_the_next_request_makes_the_page():
    store = new_store()
    inside, go = Event(), Event()

    def fail() -> Page:
        inside.set()
        assert go.wait(LONG)
        raise ValueError("no")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(store.page, "a", read(store, 1), "pairings", fail)
        assert inside.wait(LONG)
        second = pool.submit(store.page, "a", 1, "pairings", page)
        go.set()
        assert second.result(LONG).body == b"page"
        with pytest.raises(ValueError, match="no"):
            first.result(LONG)


def test_a_page_for_one_visitor_is_given_to_nobody_else():
    store = new_store()
    facts = read(store, 1)
    store.page("a", facts, "x", lambda: page("mine", lasting=False))
    assert store.page("a", facts, "x", lambda: page("yours", lasting=False)).body == b"yours"
    assert (len(store), store.size) == (0, 0)


def test_no_request_waits_without_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(page_cache, "PATIENCE", 0.01)
    store = new_store()
    inside, go = Event(), Event()

    def slow() -> Page:
        inside.set()
        assert go.wait(LONG)
        return page()

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(store.page, "a", read(store, 1), "pairings", slow)
        assert inside.wait(LONG)
        with pytest.raises(CacheBusyError):
            store.page("a", 1, "pairings", never)
        go.set()
        assert first.result(LONG).body == b"page"
