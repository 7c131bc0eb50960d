"""Lanes: arbiters are served first, and visitors share what is left.

Python runs one thread at a time. A page that is made for a visitor slows an arbiter who saves a result, even in another
thread. So threads of their own are not enough: while an arbiter waits, no work for visitors begins (the gate).

In each lane the parties take turns. A party is a login or an address. If it asks often, it waits behind its own
requests. In a fair lane this holds for the browsers of a party too (fair_queue.py).
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import logger

from server.fair_queue import Recent, Turns, Waiting
from server.frames import with_room

GATE = 0.25  # seconds for which visitors wait at most; then for as long they need not wait
PATIENCE = 4.0  # seconds that a visitor waits before being sent away
# A person who is sent away must type the password again. An arbiter with a new phone shares the hall's address with all
# others there, and perhaps with one who sends passwords without a pause. Each connection has one request here, so a
# lane with room for all connections sends nobody away before the time. Whoever is sent away then keeps the place.
LOGIN_PATIENCE, LOGIN_ROOM = 20.0, 2_000
# Whoever sends a form for a registration has typed all of it and wants a place, so it waits nearly as long as browsers
# and proxies do. The lane is for these forms alone, so nobody else waits behind them.
REGISTRATION_PATIENCE, SENDING_PATIENCE, SENDING_ROOM = 20.0, 280.0, 2_000
COMPARING_PATIENCE = 10.0  # a comparison of pairing systems may take seconds, and there is one at a time
READING_PATIENCE = 60.0  # a large workbook takes ten seconds, and there is one at a time
EXPLAINING_PATIENCE = 10.0  # the same, the first time; afterwards the explanation is kept
SENT_AWAY, MAKING = "sent away", "making"
PUBLIC = "public"  # the lane for answers that are the same for all visitors


@dataclass
class Lane:
    """Requests of one kind. room: how many may wait. first: served first. gated: waits for those.

    patience: for how many seconds a request of a gated lane waits at most.
    share: how many requests of one party may be served at the same time; 0 for any number.
    fair: of one party, a browser that was served recently goes behind the others.
    """

    name: str
    threads: int
    room: int
    first: bool = False
    gated: bool = False
    patience: float = PATIENCE
    share: int = 0
    overflow: str = SENT_AWAY  # the lane that takes what finds no room here
    fair: bool = False
    waiting: Turns = field(init=False)
    running: Counter[Hashable] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.waiting = Turns(Recent() if self.fair else None)

    def next_party(self) -> Hashable | None:
        """Return the party whose turn it is; None if all who wait have their share."""
        for party in self.waiting.in_turn():
            if not self.share or self.running[party] < self.share:
                return party
        return None

    def late(self) -> Waiting | None:
        """Return a request that has waited too long. It waits no longer, however many came before."""
        return next(filter(self.is_late, self.waiting), None) if self.gated else None

    def is_late(self, asked: Waiting) -> bool:
        return self.gated and asked.is_late(self.patience)

    def is_blocked(self, asked: Waiting) -> bool:
        """Return whether a new request would wait behind one of its party that has waited too long."""
        before = self.waiting.next_of(asked.party)
        return before is not None and before.place <= asked.place and self.is_late(before)


class ToBeMadeError(BaseException):
    """Raised by the application before it begins an answer: it must be made, and nobody should wait behind it.

    The request goes on in the lane MAKING, if `request.may_move`. Not an Exception, because waitress answers those with
    500.
    """


class Lanes:
    """Gives each request to the threads of its lane; takes the place of waitress's ThreadedTaskDispatcher.

    `choose` returns the name of the lane of a request, `party` says whose request it is, and `browser` names the
    browser within the party, for fair lanes. If the lane is full, the party with the most requests in it loses the last
    of them to another lane. The last lane is SENT_AWAY, which has room for all, because a connection has at most one
    request here. `request.lane` tells the application which lane it was, and `request.came` when the request came.
    """

    def __init__(
        self,
        lanes: Sequence[Lane],
        choose: Callable[[HTTPRequestParser], str],
        party: Callable[[HTTPChannel], Hashable] = lambda _: "all",
        browser: Callable[[HTTPRequestParser], str] = lambda _: "",
        gate: float = GATE,
    ) -> None:
        self.lanes = {lane.name: lane for lane in lanes}
        self._choose, self._party, self._browser = choose, party, browser
        self._gate = gate
        self._lock = threading.Lock()
        self._news = {lane.name: threading.Condition(self._lock) for lane in lanes}
        self._closed_at: float | None = None  # since when arbiters are served without a pause
        self._stopping = False
        for lane in lanes:
            for number in range(lane.threads):
                name = f"{lane.name}-{number}"
                threading.Thread(target=with_room, args=(self._work, lane), name=name, daemon=True).start()

    def add_task(self, channel: HTTPChannel) -> None:
        """Put the next request of a connection into its lane."""
        request = channel.requests[0]
        request.came = time.monotonic()
        lane = self.lanes[SENT_AWAY if request.error else self._choose(request)]
        party = "" if request.error else self._party(channel)
        asked = Waiting(party, self._browser(request) if lane.fair else "", channel)
        with self._lock:
            self._put(lane, asked)

    def _put(self, lane: Lane, asked: Waiting) -> None:
        lane.waiting.prepare(asked)
        if lane.name != SENT_AWAY and lane.is_blocked(asked):
            lane.waiting.note_sent_away(asked)
            self._put(self.lanes[lane.overflow], asked)
            return
        if lane.first and self._closed_at is None:
            self._closed_at = time.monotonic()
        request = asked.channel.requests[0]
        request.lane, request.served_first = lane.name, lane.first
        request.may_move = lane.name == PUBLIC and MAKING in self.lanes
        lane.waiting.add(asked)
        if len(lane.waiting) > lane.room and lane.name != SENT_AWAY:
            longest = lane.waiting.longest()
            if lane.waiting.length(longest) == lane.waiting.length(asked.party):
                longest = asked.party  # the others were here before
            self._put(self.lanes[lane.overflow], lane.waiting.take_last(longest))
        self._news[lane.name].notify()

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """End all threads after their present request; cancel the requests that wait."""
        end = time.monotonic() + timeout
        with self._lock:
            self._stopping = True
            for lane in self.lanes.values():
                while cancel_pending and lane.waiting:
                    lane.waiting.take(lane.waiting.longest()).channel.cancel()
                self._news[lane.name].notify_all()
        while time.monotonic() < end:
            with self._lock:
                if not any(lane.running for lane in self.lanes.values()):
                    return True
            time.sleep(0.01)
        return False

    def _work(self, lane: Lane) -> None:
        while asked := self._next(lane):
            try:
                asked.channel.service()
            except ToBeMadeError:
                with self._lock:
                    self._put(self.lanes[MAKING], asked)
            except BaseException:  # noqa: BLE001 (the thread must live on, and serve the next request)
                logger.exception("Exception when servicing %r", asked.channel)
            finally:
                self._done(lane, asked.party)

    def _next(self, lane: Lane) -> Waiting | None:
        """Wait for a request of `lane`, and for the gate; return None at the end."""
        with self._lock:
            while not self._stopping:
                while (late := lane.late()) is not None:
                    lane.waiting.remove(late)
                    self._put(self.lanes[lane.overflow], late)
                pause = self._gate_time() if lane.gated and lane.waiting else 0.0
                if not pause and (party := lane.next_party()) is not None:
                    lane.running[party] += 1
                    return lane.waiting.take(party)
                self._news[lane.name].wait(pause or None)
        return None

    def _gate_time(self) -> float:
        """Return for how long the gate stays closed. If arbiters come without a pause, it is open half of the time."""
        if self._closed_at is None:
            return 0.0
        return max(0.0, self._gate - (time.monotonic() - self._closed_at) % (2 * self._gate))

    def _done(self, lane: Lane, party: Hashable) -> None:
        with self._lock:
            lane.running[party] -= 1
            lane.running += Counter()  # forgets parties that have nothing here
            if not lane.first or lane.running or lane.waiting:
                return
            self._closed_at = None
            for other in self.lanes.values():
                if other.gated:
                    self._news[other.name].notify_all()


def usual_lanes(arbiters: int, public: int) -> list[Lane]:
    """Return the lanes of this program, with so many threads for arbiters and for visitors.

    One of the threads for visitors makes what only one of them asks for. The others send what is ready. What is for all
    and must be made first, once a revision, has a thread of its own.
    """
    return [
        Lane("arbiters", arbiters, room=400, first=True, share=max(1, arbiters // 2)),
        Lane("comparisons", 1, room=40, gated=True, patience=COMPARING_PATIENCE),
        Lane("reading", 1, room=40, gated=True, patience=READING_PATIENCE),
        Lane("explanations", 1, room=400, gated=True, patience=EXPLAINING_PATIENCE),
        Lane(PUBLIC, max(1, public - 1), room=2_000, gated=True),
        Lane(MAKING, 1, room=2_000, gated=True),
        Lane("other", 1, room=400, gated=True),
        Lane("returning", 1, room=20, gated=True, overflow="other"),
        Lane("files", 1, room=400, gated=True),
        Lane("form", 1, room=400, gated=True),
        Lane("login", 1, room=LOGIN_ROOM, gated=True, patience=LOGIN_PATIENCE, fair=True),
        Lane("registration", 1, room=SENDING_ROOM, gated=True, patience=REGISTRATION_PATIENCE),
        Lane("sending", 1, room=SENDING_ROOM, gated=True, patience=SENDING_PATIENCE),
        Lane("health", 1, room=400),
        Lane("ready", 1, room=20),
        Lane(SENT_AWAY, 1, room=10_000),
    ]
