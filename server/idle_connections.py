"""Watch many connections: only those at which something happens cost anything (Linux).

Waitress asks each connection before each look whether it wants to read or write. With 2,000 open pages this takes
milliseconds each time, and all requests wait for it. Here the kernel remembers what each connection waits for, and only
connections that changed are asked.
"""

from __future__ import annotations

import select
from collections import deque
from errno import EINTR
from typing import Any

from waitress.wasyncore import readwrite

READ = getattr(select, "EPOLLIN", 0) | getattr(select, "EPOLLPRI", 0)
WRITE = getattr(select, "EPOLLOUT", 0)
POSSIBLE = hasattr(select, "epoll")


def number_of(found: Any) -> int | None:
    """Return the number of a connection's file; None once it is closed, which another thread may do at any moment."""
    socket = found.socket
    number = -1 if socket is None else socket.fileno()
    return None if number < 0 else number


class Watcher:
    """What the kernel watches for, by number of the file. changed: connections that a thread has worked on.

    A connection whose request is being answered is still watched for reading, although nothing will be read: nearly all
    clients wait for their answer, so this saves two calls for each request. If something comes, it is not watched
    until the answer is made.
    """

    def __init__(self, watched: dict[int, Any]) -> None:
        self._all = watched
        self._epoll = select.epoll()
        self._flags: dict[int, int] = {}
        self.changed: deque[Any] = deque()

    def add(self, number: int) -> None:
        """Watch a new connection for reading. Its number may have been that of another one."""
        self._flags.pop(number, None)
        self._set(number, READ)

    def remove(self, number: int) -> None:
        """Forget a connection before it is closed."""
        self._set(number, 0)

    def reads(self, number: int | None) -> bool:
        """Return whether a connection is watched for reading."""
        return bool(self._flags.get(number or 0, 0) & READ)

    def look(self, seconds: float) -> None:
        """Wait for at most so long, and let each connection at which something happened read or write."""
        try:
            events = self._epoll.poll(seconds)
        except OSError as error:
            if error.args[0] != EINTR:
                raise
            events = []
        for number, flags in events:
            found = self._all.get(number)
            if found is None:
                self._set(number, 0)
            elif flags & WRITE or found.readable():
                readwrite(found, flags)
                self.update(found)
            else:
                self._set(number, 0)  # its answer is being made: `changed` will name it
        while self.changed:
            self.update(self.changed.popleft())

    def update(self, found: Any) -> None:
        """Ask a connection what it waits for."""
        number = number_of(found)
        if number is None or found is None or self._all.get(number) is not found:
            return
        waits = WRITE if found.writable() and not found.accepting else 0
        if found.readable() or (getattr(found, "requests", None) and self.reads(number)):
            waits |= READ
        self._set(number, waits)

    def update_all(self) -> None:
        """Ask all connections, in case one has been overlooked."""
        for found in list(self._all.values()):
            self.update(found)

    def _set(self, number: int, wanted: int) -> None:
        former = self._flags.get(number, 0)
        if wanted == former:
            return
        try:
            if not former:
                self._epoll.register(number, wanted)
            elif wanted:
                self._epoll.modify(number, wanted)
            else:
                self._epoll.unregister(number)
        except FileNotFoundError:  # closed: the kernel has forgotten it
            wanted = 0
        if wanted:
            self._flags[number] = wanted
        else:
            self._flags.pop(number, None)
