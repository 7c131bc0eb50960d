"""Lanes: arbiters are served first, and visitors share what is left.

Python runs one thread at a time. A page that is made for a visitor slows an arbiter who saves a result, even in another
thread. So threads of their own are not enough: while an arbiter waits, no work for visitors begins (the gate).

A lane has tasks. A task is a kind of request, with a line and threads of its own, so that a slow task does not hold up
a quick one. In each task the parties take turns. A party is a login or an address. If it asks
often, it waits behind its own requests. In a fair task this holds for the browsers of a party too, and for the links of
players to their boards (fair_queue.py).
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser

from server.fair_queue import Recent, Turns, Waiting
from server.frames import with_room

logger = logging.getLogger("waitress")

GATE = 0.25  # seconds for which visitors wait at most; then for as long they need not wait
PATIENCE = 4.0  # seconds that a visitor waits before being sent away
# A person who is sent away must type the password again. An arbiter with a new phone shares the hall's address with all
# others there, and perhaps with one who sends passwords without a pause. Each connection has one request here, so a
# task with room for all connections sends nobody away before the time. Whoever is sent away then keeps the place.
LOGIN_PATIENCE, LOGIN_ROOM = 20.0, 2_000
# Whoever sends a form for a registration has typed all of it and wants a place, so it waits nearly as long as browsers
# and proxies do. The task is for these forms alone, so nobody else waits behind them.
REGISTRATION_PATIENCE, SENDING_PATIENCE, SENDING_ROOM = 20.0, 280.0, 2_000
# A thousand players open their boards in the minutes at the end of a round. A phone that is sent away keeps the place.
# What a player has pressed waits as long as a form.
BOARD_PATIENCE = 20.0
COMPARING_PATIENCE = 10.0  # a comparison of pairing systems may take seconds, and there is one at a time
READING_PATIENCE = 60.0  # a large workbook takes ten seconds, and there is one at a time
EXPLAINING_PATIENCE = 10.0  # the same, the first time; afterwards the explanation is kept
SENT_AWAY = "sent away"
PUBLIC, PAGES = (
    "public",
    "pages",
)  # the tasks for answers that are the same for all visitors: ready, and to be made


@dataclass(eq=False)
class LaneTask:
    """Requests of one kind in a lane, with threads of their own. room: how many may wait.

    patience: for how many seconds a request waits at most, if the lane is gated. share: how many requests of one party
    may be served at the same time; 0 for any number. fair: of one party, a browser that was served recently goes behind
    the others.
    """

    name: str
    room: int
    threads: int = 1
    patience: float = PATIENCE
    share: int = 0
    overflow: str = SENT_AWAY  # the task that takes what finds no room here
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
        return self.waiting.late(self.patience)

    def blocks(self, asked: Waiting) -> bool:
        """Return whether a new request would wait behind one of its party that has waited too long."""
        before = self.waiting.next_of(asked.party)
        return before is not None and before.place <= asked.place and before.is_late(self.patience)


@dataclass(eq=False)
class Lane:
    """Tasks that are alike. first: served first. gated: waits for those."""

    name: str
    tasks: Sequence[LaneTask]
    first: bool = False
    gated: bool = False


class Lanes:
    """Gives each request to the threads of its lane; takes the place of waitress's ThreadedTaskDispatcher.

    `choose` returns the name of the task of a request, `party` says whose request it is, and `browser` names the
    browser within the party, for fair tasks. If the task has no room, the party with the most requests in it loses the
    last of them to another task. The last one is SENT_AWAY, which has room for all, because a connection has at most
    one request here. `request.task` tells the application which task it was, and `request.came` when the request came.
    """

    def __init__(
        self,
        lanes: Sequence[Lane],
        choose: Callable[[HTTPRequestParser], str],
        party: Callable[[HTTPChannel], Hashable] = lambda _: "all",
        browser: Callable[[HTTPRequestParser], str] = lambda _: "",
        gate: float = GATE,
    ) -> None:
        self.lanes = lanes
        self._places = {task.name: (lane, task) for lane in lanes for task in lane.tasks}
        self._choose, self._party, self._browser = choose, party, browser
        self._gate = gate
        self._lock = threading.Lock()
        self._news = {name: threading.Condition(self._lock) for name in self._places}
        self._closed_at: float | None = None  # since when arbiters are served without a pause
        self._stopping = False
        for lane, task in self._places.values():
            for number in range(task.threads):
                name = f"{lane.name}-{task.name}-{number}"
                threading.Thread(
                    target=with_room, args=(self._work, lane, task), name=name, daemon=True
                ).start()

    def task(self, name: str) -> LaneTask:
        return self._places[name][1]

    def add_task(self, channel: HTTPChannel) -> None:
        """Put the next request of a connection into its lane."""
        request = channel.requests[0]
        if request.moves:
            name = PAGES
        else:
            request.came = time.monotonic()
            name = SENT_AWAY if request.error else self._choose(request)
        party = "" if request.error else self._party(channel)
        asked = Waiting(party, self._browser(request) if self.task(name).fair else "", channel)
        with self._lock:
            self._put(name, asked)

    def _put(self, name: str, asked: Waiting) -> None:
        lane, task = self._places[name]
        task.waiting.prepare(asked)
        if lane.gated and task.blocks(asked):
            task.waiting.note_sent_away(asked)
            self._put(task.overflow, asked)
            return
        if lane.first and self._closed_at is None:
            self._closed_at = time.monotonic()
        request = asked.channel.requests[0]
        request.task, request.lane, request.served_first = name, lane.name, lane.first
        request.may_move = name == PUBLIC and PAGES in self._places
        task.waiting.add(asked)
        if len(task.waiting) > task.room and name != SENT_AWAY:
            longest = task.waiting.longest()
            if task.waiting.length(longest) == task.waiting.length(asked.party):
                longest = asked.party  # the others were here before
            self._put(task.overflow, task.waiting.take_last(longest))
        self._news[name].notify()

    def lengths(self) -> list[tuple[str, str, int, int]]:
        """Return for each task its lane, its name, how many requests wait and how many are being answered."""
        with self._lock:
            return [
                (lane.name, task.name, len(task.waiting), task.running.total())
                for lane, task in self._places.values()
            ]

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """End all threads after their present request; cancel the requests that wait."""
        end = time.monotonic() + timeout
        with self._lock:
            self._stopping = True
            for lane in self.lanes:
                for task in lane.tasks if cancel_pending else ():
                    while task.waiting:
                        task.waiting.take(task.waiting.longest()).channel.cancel()
            for news in self._news.values():
                news.notify_all()
        while time.monotonic() < end:
            with self._lock:
                if not any(task.running for _lane, task in self._places.values()):
                    return True
            time.sleep(0.01)
        return False

    def _work(self, lane: Lane, task: LaneTask) -> None:
        while asked := self._next(lane, task):
            try:
                asked.channel.service()
            except BaseException:  # the thread must live on, and serve the next request
                logger.exception("Exception when servicing %r", asked.channel)
            finally:
                self._done(lane, task, asked.party)

    def _next(self, lane: Lane, task: LaneTask) -> Waiting | None:
        """Wait for a request of the task, and for the gate; return None at the end."""
        with self._lock:
            while not self._stopping:
                while lane.gated and (late := task.late()) is not None:
                    task.waiting.remove(late)
                    self._put(task.overflow, late)
                pause = self._gate_time() if lane.gated and task.waiting else 0.0
                if not pause and (party := task.next_party()) is not None:
                    task.running[party] += 1
                    return task.waiting.take(party)
                self._news[task.name].wait(pause or None)
        return None

    def _gate_time(self) -> float:
        """Return for how long the gate stays closed. If arbiters come without a pause, it is open half of the time."""
        if self._closed_at is None:
            return 0.0
        return max(0.0, self._gate - (time.monotonic() - self._closed_at) % (2 * self._gate))

    def _done(self, lane: Lane, task: LaneTask, party: Hashable) -> None:
        with self._lock:
            task.running[party] -= 1
            task.running += Counter()  # forgets parties that have nothing here
            if not lane.first or any(each.running or each.waiting for each in lane.tasks):
                return
            self._closed_at = None
            for other in self.lanes:
                for each in other.tasks if other.gated else ():
                    self._news[each.name].notify_all()


def usual_lanes(arbiters: int, public: int) -> list[Lane]:
    """Return the lanes of this program, with so many threads for arbiters and for visitors.

    One of the threads for visitors makes what only one of them asks for. The others send what is ready. What is for all
    and must be made first, once a revision, is made in a lane of its own, as is what takes seconds.
    """
    return [
        Lane(
            "arbiters",
            [
                LaneTask("arbiters", 400, arbiters, share=max(1, arbiters // 2)),
                LaneTask("results", 400, max(1, arbiters // 2)),
            ],
            first=True,
        ),
        Lane(
            "visitors",
            [
                LaneTask(PUBLIC, 2_000, max(1, public - 1)),
                LaneTask("other", 400),
                LaneTask("registration", SENDING_ROOM, patience=REGISTRATION_PATIENCE),
                LaneTask("sending", SENDING_ROOM, patience=SENDING_PATIENCE),
            ],
            gated=True,
        ),
        Lane(
            "players",
            [
                LaneTask("board", SENDING_ROOM, patience=BOARD_PATIENCE, fair=True),
                LaneTask("press", SENDING_ROOM, patience=SENDING_PATIENCE),
            ],
            gated=True,
        ),
        Lane(
            "making",
            [
                LaneTask(PAGES, 2_000),
                LaneTask("reading", 40, patience=READING_PATIENCE),
                LaneTask("comparisons", 40, patience=COMPARING_PATIENCE),
                LaneTask("explanations", 400, patience=EXPLAINING_PATIENCE),
            ],
            gated=True,
        ),
        Lane(
            "login",
            [
                LaneTask("returning", 20, overflow="other"),
                LaneTask("form", 400),
                LaneTask("login", LOGIN_ROOM, patience=LOGIN_PATIENCE, fair=True),
            ],
            gated=True,
        ),
        Lane("files", [LaneTask("files", 400)], gated=True),
        Lane("health", [LaneTask("health", 400), LaneTask("ready", 20), LaneTask(SENT_AWAY, 10_000)]),
    ]
