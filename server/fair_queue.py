"""Who is next in a lane: the parties take turns, and in a fair lane the browsers of a party do so too."""

from __future__ import annotations

import time
from bisect import insort
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from waitress.channel import HTTPChannel

from base.cache import Cache

BACK, FARTHEST_BACK = 20.0, 120.0  # seconds, for each recent attempt of a browser, and at most
RECENT = 600.0  # seconds
REMEMBERED = 10_000  # browsers


@dataclass(slots=True, eq=False)
class Waiting:
    """A request that waits. since: when it came. place: the request with the lowest one is the next of its party.

    who: the browser within the party, "" if the browser is not known at all.
    """

    party: Hashable
    who: str
    channel: HTTPChannel
    since: float = 0.0
    place: float = 0.0

    def is_late(self, patience: float) -> bool:
        return time.monotonic() - self.since > patience


@dataclass(frozen=True, slots=True)
class Record:
    """A browser that was here recently. tries: how often it was served. asked_at: when it came, if it was sent away."""

    tries: int = 0
    asked_at: float | None = None


class Recent:
    """What the browsers of all parties did in the last ten minutes, for a fair order.

    A browser that was served goes behind those that were not, as if it had come 20 to 120 seconds later. A browser that
    was sent away keeps its place. A number of seconds, and not a strict order, lets everybody be served at some time.
    """

    def __init__(self) -> None:
        self._records: Cache[tuple[Hashable, str], Record] = Cache(REMEMBERED, seconds=RECENT)

    def place(self, asked: Waiting) -> float:
        record = self._of(asked)
        came = asked.since if record.asked_at is None else record.asked_at
        return came + min(FARTHEST_BACK, BACK * record.tries)

    def served(self, asked: Waiting) -> None:
        self._records.put((asked.party, asked.who), Record(self._of(asked).tries + 1))

    def sent_away(self, asked: Waiting) -> None:
        if not asked.who:  # many browsers, which have no place together
            return
        record = self._of(asked)
        came = asked.since if record.asked_at is None else record.asked_at
        self._records.put((asked.party, asked.who), Record(record.tries, came))

    def _of(self, asked: Waiting) -> Record:
        return self._records.get((asked.party, asked.who)) or Record()


class Turns:
    """Requests that wait. Parties take turns; each has a line of its own, in the order of places."""

    def __init__(self, recent: Recent | None = None) -> None:
        self._lines: OrderedDict[Hashable, list[Waiting]] = OrderedDict()
        self._number = 0
        self._recent = recent

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[Waiting]:
        for line in self._lines.values():
            yield from line

    def prepare(self, asked: Waiting) -> None:
        """Note when a request came, and its place."""
        asked.since = asked.place = time.monotonic()
        if self._recent is not None:
            asked.place = self._recent.place(asked)

    def add(self, asked: Waiting) -> None:
        insort(self._lines.setdefault(asked.party, []), asked, key=attrgetter("place"))
        self._number += 1

    def take(self, party: Hashable) -> Waiting:
        """Return the next request of a party, which is now served, and end the party's turn."""
        line = self._lines.pop(party)
        asked = line.pop(0)
        if line:
            self._lines[party] = line
        self._number -= 1
        if self._recent is not None:
            self._recent.served(asked)
        return asked

    def take_last(self, party: Hashable) -> Waiting:
        """Return the request of a party that would be served last. The party keeps its turn for the others."""
        asked = self._lines[party][-1]
        self.remove(asked)
        return asked

    def remove(self, asked: Waiting) -> None:
        """Remove a request that is sent away."""
        line = self._lines[asked.party]
        line.remove(asked)
        if not line:
            del self._lines[asked.party]
        self._number -= 1
        self.note_sent_away(asked)

    def note_sent_away(self, asked: Waiting) -> None:
        if self._recent is not None:
            self._recent.sent_away(asked)

    def late(self, patience: float) -> Waiting | None:
        """Return a request that has waited longer than so many seconds."""
        since = time.monotonic() - patience
        return next((asked for asked in self if asked.since < since), None)

    def in_turn(self) -> Sequence[Hashable]:
        return tuple(self._lines)

    def next_of(self, party: Hashable) -> Waiting | None:
        return next(iter(self._lines.get(party, ())), None)

    def longest(self) -> Hashable:
        return max(self._lines, key=self.length)

    def length(self, party: Hashable) -> int:
        return len(self._lines.get(party, ()))
