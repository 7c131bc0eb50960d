"""The server and its connections: how long a client may take, and who leaves when there are too many."""

from __future__ import annotations

import heapq
import select
import socket
import sys
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from errno import EINTR
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, Task, WSGITask
from waitress.wasyncore import loop, readwrite

from base.networks import network
from config.settings import REQUEST_BODY_LIMIT
from server.priority_queues import Lanes

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


class EndsInTime(Task):
    """A task whose answer to HEAD has the header of GET and no body.

    Waitress sends the body of every answer and the end mark of a chunked one. The client of HEAD reads neither. It
    would take them for the beginning of the next answer, and so would a proxy that shares the connection.
    """

    @property
    def is_head(self) -> bool:
        asked = self.channel.requests[:1] or [
            self.request
        ]  # waitress answers a failure with a request of its own
        line: bytes = getattr(asked[0], "first_line", b"")
        return line.startswith(b"HEAD ")

    def service(self) -> None:
        try:
            super().service()
        finally:  # before waitress forgets the request: a look at that moment must not take a long answer for silence
            self.channel.since = time.monotonic()

    def build_response_header(self) -> bytes:
        header: bytes = super().build_response_header()
        if self.is_head:
            self.chunked_response = False  # said in the header as for GET, but there are no chunks
        return header

    def write(self, data: bytes) -> None:
        super().write(b"" if self.is_head else data)


class Answer(EndsInTime, WSGITask):
    """The answer of the application. moved: nothing is sent now, because the request goes on in another task."""

    moved = False

    def move(self) -> None:
        """Let the request go on in the task that makes pages.

        After this, waitress takes the first request away and gives the next one to the lanes: the same one again.
        """
        self.moved = self.request.moves = True
        with self.channel.requests_lock:
            self.channel.requests.insert(0, self.request)

    def finish(self) -> None:
        if not self.moved:
            super().finish()

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ["evenboard.task"], environ["evenboard.lane"] = self.request.task, self.request.lane
        environ["evenboard.move"] = self.move if self.request.may_move else None
        environ["evenboard.came"] = self.request.came
        if self.is_head:
            environ.pop("wsgi.file_wrapper", None)  # waitress sends a wrapped file without calling write()
        return environ

    def set_close_on_finish(self) -> None:
        """Keep the connection if the client can tell where the answer ends: after its header, or after its last chunk.

        Waitress closes it if there is no length. Then each of the phones that poll would connect again after every 304.
        """
        may_stay = self.version == "1.1" and self.request.headers.get("CONNECTION", "").lower() != "close"
        if not (may_stay and (self.is_head or not self.has_body or self.chunked_response)):
            super().set_close_on_finish()


class RefusedRequest(EndsInTime, ErrorTask):
    """The answer of waitress to a request that it cannot read, or that failed. The connection is closed after it."""


MOST_CONNECTIONS = 400 if sys.platform == "win32" else 2000  # Windows can watch only 512
ACCEPTED_AT_ONCE = 64
SHARE_THAT_LEAVES = 20  # one in so many, so that not each new connection looks for one that leaves


@dataclass(frozen=True)
class Limits:
    """What a client may take of the server. Times are in seconds."""

    connections: int = MOST_CONNECTIONS
    from_one_network: int = MOST_CONNECTIONS // 2  # a hall often shares one address
    head: float = 10  # from the first byte of a request, or from connecting, to the end of its header
    body: float = 20  # for the body; each BYTES_A_SECOND that came give one second more
    answer: float = 60  # until the client has read the answer
    idle: float = 30  # between two requests; public pages ask every 5 seconds
    bytes_a_second: int = 4096
    bodies: int = 32 * REQUEST_BODY_LIMIT  # bytes of half-sent bodies in all, which are kept on the disk
    watch: float = 1  # from one look at the connections to the next

    @classmethod
    def of(cls, connections: int) -> Limits:
        """Return the usual limits for so many connections."""
        return cls(connections=connections, from_one_network=connections // 2)


class Parser(HTTPRequestParser):
    """A request; one that says its length twice is refused. moves: it is to be made, and goes on in another task.

    Of two lengths a proxy may take the other one, and see the next request elsewhere. RFC 9112, 6.1: such a request may
    be an attempt to hide one request in another.
    """

    moves = False
    path = ""  # of a request that cannot be read; waitress names it in the log

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        if "CONTENT_LENGTH" in self.headers and (self.chunked or "TRANSFER_ENCODING" in self.headers):
            raise ParsingError("Content-Length and Transfer-Encoding contradict each other")


class Connection(HTTPChannel):
    """A connection that knows since when it is in its present state."""

    parser_class = Parser
    task_class = Answer
    error_task_class = RefusedRequest

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self.since = time.monotonic()
        self.fresh = True  # has not sent a whole request yet
        self.arbiter = False  # its last request was one that is served first
        super().__init__(*arguments, **named)
        address = str(self.addr[0])
        # behind a trusted proxy are many visitors, so its connections are nobody's share of a network
        self.network = address if address == self.server.trusted else network(address) or address

    def received(self, data: bytes) -> bool:
        before = self._reading()
        taken: bool = super().received(data)
        if self.requests:
            self.fresh = False
        after = self._reading()
        # The time of the first header begins with the connection.
        if after != before and not (self.fresh and after[1:] == (False,)):
            self.since = time.monotonic()
        return taken

    def service(self) -> None:
        self.arbiter = self.requests[0].served_first
        self.server.serving.connection = self
        try:
            super().service()
        finally:
            self.server.serving.connection = None

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send nothing on a connection that was closed a moment ago; waitress would ask a socket that is gone."""
        sent: int = super().send(data, do_close) if self.connected else 0
        return sent

    def add_channel(self, map: dict[int, Any] | None = None) -> None:  # noqa: A002 (the name that waitress gives it)
        super().add_channel(map)
        if self.server.watcher is not None:
            self.server.watcher.add(self.number)

    def del_channel(self, map: dict[int, Any] | None = None) -> None:  # noqa: A002
        if self.server.watcher is not None and (number := self.number) is not None:
            self.server.watcher.remove(number)
        super().del_channel(map)

    @property
    def number(self) -> int | None:
        return number_of(self)

    def deadline(self, limits: Limits) -> float | None:
        """Return when the client has taken too long; None while the server works on its request."""
        request = self.request
        if self.requests:
            return None
        if self.total_outbufs_len:
            return self.since + limits.answer + float(self.total_outbufs_len) / limits.bytes_a_second
        if not self._reading():
            return self.since + (limits.head if self.fresh else limits.idle)
        if not request.headers_finished:
            return self.since + limits.head
        return self.since + limits.body + float(request.body_bytes_received) / limits.bytes_a_second

    def _reading(self) -> tuple[object, ...]:
        """Tell which request is being received and whether its header is complete; blank lines are no request."""
        request = self.request
        if request is None:
            return ()
        begun = request.header_plus
        if not request.headers_finished and (not begun or begun.isspace()):
            return ()
        return id(request), request.headers_finished


class Server(TcpWSGIServer):
    """Waitress with limits for slow clients and for many connections.

    Waitress stops accepting when it has as many connections as it may have. Then 2,000 connections that send nothing
    close the door for everybody. Here the door stays open: the connections that wait longest for their client leave.
    """

    channel_class = Connection
    stopped = False
    watcher: Watcher | None = None  # while it runs, where the system can watch

    def __init__(
        self, application: Callable[..., Iterable[bytes]], limits: Limits, trusted: str | None, **named: Any
    ):
        self.limits = limits
        self.trusted = trusted  # a proxy: all of its visitors have its address
        self.serving = threading.local()  # the connection that this thread answers
        self.watched: dict[int, Any] = {}  # what waitress watches, by number of the file
        super().__init__(application, self.watched, **named)

    def run(self) -> None:
        """Serve until Ctrl-C, SIGTERM or stop(); the requests in progress are answered first."""
        looked = time.monotonic()
        if POSSIBLE:
            self.watcher = Watcher(self.watched)
            self.watcher.update_all()
        try:
            while not self.stopped:
                if self.watcher is not None:
                    self.watcher.look(self.limits.watch)
                else:
                    loop(self.limits.watch, self.adj.asyncore_use_poll, self.watched, count=1)
                if time.monotonic() >= looked + self.limits.watch:
                    looked = time.monotonic()
                    self.close_slow()
                    if self.watcher is not None:
                        self.watcher.update_all()
        except (SystemExit, KeyboardInterrupt):
            pass
        self.task_dispatcher.shutdown()

    def stop(self) -> None:
        """End run() from another thread."""
        self.stopped = True
        self.pull_trigger()

    def pull_trigger(self) -> None:
        """Wake the thread that watches, if a connection that was worked on has something for it."""
        found = getattr(self.serving, "connection", None)
        if self.watcher is not None and found is not None:
            self.watcher.changed.append(found)
            if not found.writable() and self.watcher.reads(found.number):
                return
        super().pull_trigger()

    def readable(self) -> bool:
        return bool(self.accepting)

    def handle_accept(self) -> None:
        """Accept all clients that wait; then close connections if there are too many.

        In this order no connection gets the number of one that was closed while events for this number still wait.
        """
        for _ in range(ACCEPTED_AT_ONCE):
            before = len(self.active_channels)
            super().handle_accept()
            if len(self.active_channels) == before:
                break
        self.make_room()

    def make_room(self) -> None:
        """Close connections that wait for their client, if there are too many of one network or in all."""
        held = Counter(channel.network for channel in self.active_channels.values())
        limit = self.limits.from_one_network
        for place, count in held.items():
            if count > limit and self.trusted not in ("*", place):
                self._close_longest(held, count - limit + limit // SHARE_THAT_LEAVES, only=place)
        if (excess := len(self.active_channels) - self.limits.connections) > 0:
            self._close_longest(held, excess + self.limits.connections // SHARE_THAT_LEAVES)

    def _close_longest(self, held: Counter[str], number: int, only: str | None = None) -> None:
        """Close `number` connections: each time the one that waits longest, from the network that holds most.

        Those of arbiters leave after all others of their network.
        """
        waiting: dict[str, list[Connection]] = defaultdict(list)
        for channel in self.active_channels.values():
            if only in (None, channel.network) and not channel.requests:
                waiting[channel.network].append(channel)
        for channels in waiting.values():
            channels.sort(key=lambda channel: (channel.arbiter, channel.since), reverse=True)
        most = [(-held[place], place) for place in waiting]
        heapq.heapify(most)
        for _ in range(number):
            if not most:
                return
            _, place = most[0]
            waiting[place].pop().handle_close()
            held[place] -= 1
            if waiting[place]:
                heapq.heapreplace(most, (-held[place], place))
            else:
                heapq.heappop(most)

    def close_slow(self) -> None:
        """Close the connections whose client took too long."""
        now = time.monotonic()
        for channel in list(self.active_channels.values()):
            deadline = channel.deadline(self.limits)
            if deadline is not None and deadline < now:
                channel.handle_close()
        bodies = sorted(
            (channel.request.body_bytes_received, number)
            for number, channel in self.active_channels.items()
            if channel.request is not None
        )
        held = sum(size for size, _ in bodies)
        while held > self.limits.bodies:
            size, number = bodies.pop()
            held -= size
            self.active_channels[number].handle_close()


def make_server(
    application: Callable[..., Iterable[bytes]],
    listening: socket.socket,
    limits: Limits,
    lanes: Lanes,
    *,
    proxy: str | None = None,
) -> Server:
    """Return a server on a bound socket. `proxy` is the address whose X-Forwarded-* are trusted."""
    named: dict[str, Any] = {"clear_untrusted_proxy_headers": True}
    if proxy:
        named |= {"trusted_proxy": proxy, "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"}}
    settings = Adjustments(
        sockets=[listening],
        ident=None,
        asyncore_use_poll=sys.platform != "win32",
        backlog=4096,  # as many as Linux allows: a connection for which there is no room is tried again after a second
        max_request_header_size=32 * 1024,  # each half-sent header is kept in memory
        # up to this size the program itself refuses the request, with a page that says why
        max_request_body_size=4 * REQUEST_BODY_LIMIT,
        **named,
    )
    return Server(
        application,
        limits,
        proxy,
        _sock=listening,
        adj=settings,
        dispatcher=lanes,
        sockinfo=(listening.family, listening.type, listening.proto, listening.getsockname()),
        bind_socket=False,
    )
