"""Finished pages in the memory of this process: made once, shared by all who ask, the oldest dropped first."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import count
from operator import attrgetter
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

from base.cache import Cache, register

PATIENCE = 10.0
"""Seconds that a request waits for another one that makes the same page."""
REMEMBERED = 20
"""Addresses of a shelf that are known after its pages were dropped."""


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
class _Reading(Generic[Facts]):
    """The newest facts of a shelf. ticket: of their last reading. read_at: when it began.

    former: what visitors asked for while the facts were others, oldest first. keys: of the pages from these facts.
    """

    facts: Facts
    ticket: int
    read_at: float
    former: tuple[Asked, ...] = ()
    keys: set[Key] = field(default_factory=set)


class PageStore(Generic[Facts]):
    """Pages by shelf, such as a section, and by what was asked. limit: returns how many bytes they may take."""

    def __init__(self, limit: Callable[[], int]) -> None:
        self._lock = Lock()
        self._tickets = count()
        self._readings: dict[Shelf, _Reading[Facts]] = {}
        self._pages: Cache[tuple[Shelf, Key], Page] = Cache(
            limit, weight=attrgetter("size"), dropped=self._note_dropped
        )
        register(self)

    def __len__(self) -> int:
        return len(self._pages)

    @property
    def size(self) -> int:
        return self._pages.weight

    def facts(self, shelf: Shelf, came: float | None, read: Callable[[], Facts | None]) -> Facts | None:
        """Return facts of a shelf that were right at some moment since the request came in; None if there are none.

        came: when it came, by `monotonic`. If the facts were read later than that, they are not read again. So requests
        that wait in a line share one reading, and an answer is never older than its question. None: read them now.
        """
        with self._lock:
            held = self._readings.get(shelf)
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
            held = self._readings.get(shelf)
            if held is not None and ticket < held.ticket:
                return held.facts
            if held is not None and held.facts == facts:
                held.ticket, held.read_at = ticket, read_at
                return held.facts
            former = self._asked(shelf)[-REMEMBERED:]
            self._drop(shelf)
            self._readings[shelf] = _Reading(facts, ticket, read_at, former)
            return facts

    def asked(self, shelf: Shelf) -> list[Asked]:
        """Return what visitors of a shelf asked for, last first, also before its facts changed."""
        with self._lock:
            return list(reversed(self._asked(shelf)))

    def adopt(self, other: PageStore[Facts], shelf: Shelf, read: Callable[[], Facts | None]) -> None:
        """Take over the pages of another store, if the facts are still those from which it made them."""
        theirs = other._readings.get(shelf)
        if theirs is None or self.facts(shelf, None, read) != theirs.facts:
            return
        for key, page in other._of(shelf):
            if self._note(shelf, theirs.facts, key):
                self._pages.put((shelf, key), page, basis=theirs.facts)

    def forget(self, shelf: Shelf) -> None:
        """Drop all pages of a shelf."""
        with self._lock:
            self._drop(shelf)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._readings.clear()
            self._pages.clear()

    def page(self, shelf: Shelf, facts: Facts, key: Key, make: Callable[[], Page]) -> Page:
        """Return the page from these facts. One request makes it, and the others wait for that.

        Raises CacheBusyError after PATIENCE seconds, and whatever `make` raises.
        """

        def is_right(made: Page) -> bool:
            return made.lasting and self._note(shelf, facts, key)

        return self._pages.make((shelf, key), make, basis=facts, keep=is_right, patience=PATIENCE)

    def held(self, shelf: Shelf, facts: Facts, key: Key) -> Page | None:
        """Return a page if it is here."""
        return self._pages.get((shelf, key), basis=facts)

    def _note(self, shelf: Shelf, facts: Facts, key: Key) -> bool:
        """Note that a page from these facts is put here. Return False if there are newer facts."""
        held = self._readings.get(shelf)
        if held is None or held.facts != facts:
            return False
        held.keys.add(key)
        return True

    def _note_dropped(self, place: tuple[Shelf, Key]) -> None:
        held = self._readings.get(place[0])
        if held is not None:
            held.keys.discard(place[1])

    def _of(self, shelf: Shelf) -> list[tuple[Key, Page]]:
        """Return the pages of a shelf, the one that was asked for longest ago first."""
        held = self._readings.get(shelf)
        keys = list(held.keys) if held else []
        return [(key, page) for (_shelf, key), page in self._pages.items((shelf, key) for key in keys)]

    def _asked(self, shelf: Shelf) -> tuple[Asked, ...]:
        held = self._readings.get(shelf)
        now = (page.asked for _key, page in self._of(shelf) if page.asked is not None)
        return () if held is None else tuple(dict.fromkeys((*held.former, *now)))

    def _drop(self, shelf: Shelf) -> None:
        held = self._readings.pop(shelf, None)
        for key in list(held.keys) if held else ():
            self._pages.discard((shelf, key))
