"""Finished pages in the memory of this process: made once, shared by all who ask, the oldest dropped first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import count
from threading import Event, Lock
from time import monotonic
from typing import Generic, TypeVar

PATIENCE = 10.0
"""Seconds that a request waits for another one that makes the same page."""
REMEMBERED = 20
"""Addresses of a shelf that are known after its pages were dropped."""


class StoreBusyError(Exception):
    """Another request makes the page, and has not finished it in time."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a visitor asked for. language: as a browser writes it."""

    path: str
    query: str
    language: str


@dataclass(frozen=True, slots=True)
class Page:
    """A finished answer. body: compressed if `gzipped`. shown_round: as in views/public/visits.py.

    lasting: also right for other visitors who ask the same while the facts are the same. asked: by the first of them.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    gzipped: bool
    shown_round: str
    lasting: bool
    asked: Asked | None = None

    @property
    def size(self) -> int:
        """Return about how many bytes the page takes in memory, with what Python needs for it."""
        return len(self.body) + sum(len(name) + len(value) + 120 for name, value in self.headers) + 1_000


Facts = TypeVar("Facts", bound=Hashable)
Shelf = Hashable
Key = Hashable


@dataclass(slots=True)
class _Pages(Generic[Facts]):
    """The pages of one shelf, all made from the same facts. ticket: of their last reading. read_at: when it began.

    former: what visitors asked for while the facts were others, oldest first.
    """

    facts: Facts
    ticket: int
    read_at: float
    former: tuple[Asked, ...] = ()
    keys: set[Key] = field(default_factory=set)


@dataclass(slots=True)
class _Making(Generic[Facts]):
    """A page that some request makes now. page: None if that failed, or if the page is not for others."""

    facts: Facts
    done: Event = field(default_factory=Event)
    page: Page | None = None


class PageStore(Generic[Facts]):
    """Pages by shelf, such as a section, and by what was asked. limit: returns how many bytes they may take."""

    def __init__(self, limit: Callable[[], int]) -> None:
        self._limit = limit
        self._lock = Lock()
        self._tickets = count()
        self._shelves: dict[Shelf, _Pages[Facts]] = {}
        self._pages: OrderedDict[tuple[Shelf, Key], Page] = OrderedDict()
        self._making: dict[tuple[Shelf, Key], _Making[Facts]] = {}
        self.size = 0

    def __len__(self) -> int:
        return len(self._pages)

    def facts(self, shelf: Shelf, came: float | None, read: Callable[[], Facts | None]) -> Facts | None:
        """Return facts of a shelf that were right at some moment since the request came in; None if there are none.

        came: when it came, by `monotonic`. If the facts were read later than that, they are not read again. So requests
        that wait in a line share one reading, and an answer is never older than its question. None: read them now.
        """
        with self._lock:
            held = self._shelves.get(shelf)
            if held is not None and came is not None and came < held.read_at:
                return held.facts
            ticket = next(self._tickets)
        read_at = monotonic()
        found = read()
        return None if found is None else self._newest(shelf, found, ticket, read_at)

    def _newest(self, shelf: Shelf, facts: Facts, ticket: int, read_at: float) -> Facts:
        """Take note of facts that were read, and drop what was made from others. Return the newest facts.

        A slow request may come with facts that are older than those of the store. The store's facts were read after a
        later ticket was drawn, so they were right at some moment since the slow request came in.
        """
        with self._lock:
            held = self._shelves.get(shelf)
            if held is not None and ticket < held.ticket:
                return held.facts
            if held is not None and held.facts == facts:
                held.ticket, held.read_at = ticket, read_at
                return held.facts
            former = self._asked(shelf)[-REMEMBERED:]
            self._drop(shelf)
            self._shelves[shelf] = _Pages(facts, ticket, read_at, former)
            return facts

    def asked(self, shelf: Shelf) -> list[Asked]:
        """Return what visitors of a shelf asked for, last first, also before its facts changed."""
        with self._lock:
            return list(reversed(self._asked(shelf)))

    def _asked(self, shelf: Shelf) -> tuple[Asked, ...]:
        held = self._shelves.get(shelf)
        if held is None:
            return ()
        now = [page.asked for key in held.keys if (page := self._pages[shelf, key]).asked is not None]
        return tuple(dict.fromkeys((*held.former, *now)))

    def adopt(self, other: PageStore[Facts], shelf: Shelf, read: Callable[[], Facts | None]) -> None:
        """Take over the pages of another store, if the facts are still those from which it made them."""
        theirs = other._shelves.get(shelf)
        if theirs is None or self.facts(shelf, None, read) != theirs.facts:
            return
        with self._lock:
            for key in theirs.keys:
                self._keep(shelf, theirs.facts, key, other._pages[shelf, key])

    def forget(self, shelf: Shelf) -> None:
        """Drop all pages of a shelf."""
        with self._lock:
            self._drop(shelf)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            for shelf in list(self._shelves):
                self._drop(shelf)

    def page(self, shelf: Shelf, facts: Facts, key: Key, make: Callable[[], Page]) -> Page:
        """Return the page from these facts. One request makes it, and the others wait for that.

        Raises StoreBusyError after PATIENCE seconds, and whatever `make` raises.
        """
        until = monotonic() + PATIENCE
        place = (shelf, key)
        while True:
            with self._lock:
                held = self._shelves.get(shelf)
                if held is not None and held.facts == facts and place in self._pages:
                    self._pages.move_to_end(place)
                    return self._pages[place]
                making = self._making.get(place)
                if making is None or making.facts != facts:
                    mine = self._making[place] = _Making(facts)
                    break
            if not making.done.wait(max(0.0, until - monotonic())):
                raise StoreBusyError
            if making.page is not None:
                return making.page if making.page.lasting else make()
        try:
            mine.page = made = make()
            return made
        finally:
            with self._lock:
                if self._making.get(place) is mine:
                    del self._making[place]
                if mine.page is not None and mine.page.lasting:
                    self._keep(shelf, facts, key, mine.page)
            mine.done.set()

    def held(self, shelf: Shelf, facts: Facts, key: Key) -> Page | None:
        """Return a page if it is here."""
        with self._lock:
            found = self._shelves.get(shelf)
            page = self._pages.get((shelf, key))
            if found is None or page is None or found.facts != facts:
                return None
            self._pages.move_to_end((shelf, key))
            return page

    def _keep(self, shelf: Shelf, facts: Facts, key: Key, page: Page) -> None:
        held = self._shelves.get(shelf)
        if held is None or held.facts != facts or page.size > self._limit():
            return
        former = self._pages.pop((shelf, key), None)
        self.size += page.size - (former.size if former else 0)
        self._pages[shelf, key] = page
        held.keys.add(key)
        while self.size > self._limit():
            (other, oldest), dropped = self._pages.popitem(last=False)
            self._shelves[other].keys.discard(oldest)
            self.size -= dropped.size

    def _drop(self, shelf: Shelf) -> None:
        held = self._shelves.pop(shelf, None)
        for key in held.keys if held else ():
            self.size -= self._pages.pop((shelf, key)).size
