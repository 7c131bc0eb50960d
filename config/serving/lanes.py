"""Lanes: arbiters are served first, and visitors share what is left.

Python runs one thread at a time. A page that is made for a visitor slows an arbiter who saves a result, even in another
thread. So threads of their own are not enough: while an arbiter waits, no work for visitors begins (the gate).
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import logger

GATE = 0.25  # seconds for which visitors wait at most; then for as long they need not wait
PATIENCE = 4.0  # seconds that a visitor waits before being sent away
SENT_AWAY = "sent away"


@dataclass
class Lane:
    """Requests of one kind. room: how many may wait. first: served first. gated: waits for those."""

    name: str
    threads: int
    room: int
    first: bool = False
    gated: bool = False
    overflow: str = SENT_AWAY  # the lane that takes what finds no room here
    waiting: deque[tuple[float, HTTPChannel]] = field(default_factory=deque)
    running: int = 0

    @property
    def is_full(self) -> bool:
        return len(self.waiting) >= self.room or self.is_late

    @property
    def is_late(self) -> bool:
        """Tell whether the first has waited too long. Nobody waits any longer, however many came before."""
        return self.gated and bool(self.waiting) and time.monotonic() - self.waiting[0][0] > PATIENCE


class Lanes:
    """Gives each request to the threads of its lane; takes the place of waitress's ThreadedTaskDispatcher.

    `choose` returns the name of the lane of a request. If this lane is full, another one takes the request. The last
    one is SENT_AWAY, which has room for all, because a connection has at most one request here. `request.lane` tells
    the application which lane it was.
    """

    def __init__(
        self, lanes: Sequence[Lane], choose: Callable[[HTTPRequestParser], str], gate: float = GATE
    ) -> None:
        self.lanes = {lane.name: lane for lane in lanes}
        self._choose = choose
        self._gate = gate
        self._lock = threading.Lock()
        self._news = {lane.name: threading.Condition(self._lock) for lane in lanes}
        self._closed_at: float | None = None  # since when arbiters are served without a pause
        self._stopping = False
        for lane in lanes:
            for number in range(lane.threads):
                name = f"{lane.name}-{number}"
                threading.Thread(target=self._work, args=(lane,), name=name, daemon=True).start()

    def add_task(self, channel: HTTPChannel) -> None:
        """Put the next request of a connection into its lane."""
        request = channel.requests[0]
        name = SENT_AWAY if request.error else self._choose(request)
        with self._lock:
            self._put(self.lanes[name], channel)

    def _put(self, lane: Lane, channel: HTTPChannel) -> None:
        while lane.is_full and lane.name != SENT_AWAY:
            lane = self.lanes[lane.overflow]
        if lane.first and self._closed_at is None:
            self._closed_at = time.monotonic()
        channel.requests[0].lane = lane.name
        lane.waiting.append((time.monotonic(), channel))
        self._news[lane.name].notify()

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """End all threads after their present request; cancel the requests that wait."""
        end = time.monotonic() + timeout
        with self._lock:
            self._stopping = True
            for lane in self.lanes.values():
                while cancel_pending and lane.waiting:
                    lane.waiting.popleft()[1].cancel()
                self._news[lane.name].notify_all()
        while time.monotonic() < end:
            with self._lock:
                if not any(lane.running for lane in self.lanes.values()):
                    return True
            time.sleep(0.01)
        return False

    def _work(self, lane: Lane) -> None:
        while channel := self._next(lane):
            try:
                channel.service()
            except BaseException:  # noqa: BLE001 (the thread must live on, and serve the next request)
                logger.exception("Exception when servicing %r", channel)
            finally:
                self._done(lane)

    def _next(self, lane: Lane) -> HTTPChannel | None:
        """Wait for a request of `lane`, and for the gate; return None at the end."""
        with self._lock:
            while not self._stopping:
                while lane.is_late:
                    self._put(self.lanes[lane.overflow], lane.waiting.popleft()[1])
                pause = self._gate_time() if lane.gated and lane.waiting else 0.0
                if lane.waiting and not pause:
                    lane.running += 1
                    return lane.waiting.popleft()[1]
                self._news[lane.name].wait(pause or None)
        return None

    def _gate_time(self) -> float:
        """Return for how long the gate stays closed. If arbiters come without a pause, it is open half of the time."""
        if self._closed_at is None:
            return 0.0
        return max(0.0, self._gate - (time.monotonic() - self._closed_at) % (2 * self._gate))

    def _done(self, lane: Lane) -> None:
        with self._lock:
            lane.running -= 1
            if not lane.first or lane.running or lane.waiting:
                return
            self._closed_at = None
            for other in self.lanes.values():
                if other.gated:
                    self._news[other.name].notify_all()


def usual_lanes(arbiters: int, public: int) -> list[Lane]:
    """Return the lanes of this program, with so many threads for arbiters and for visitors."""
    return [
        Lane("arbiters", arbiters, room=400, first=True),
        Lane("public", public, room=400, gated=True),
        Lane("returning", 1, room=20, gated=True, overflow="public"),
        Lane("files", 1, room=400, gated=True),
        Lane("login", 1, room=20, gated=True),
        Lane("health", 1, room=20),
        Lane("ready", 1, room=20),
        Lane(SENT_AWAY, 1, room=10_000),
    ]
