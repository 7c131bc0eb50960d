"""Requests to addresses that people typed: never into the network of the server, unless its operator allows it."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from threading import Timer
from typing import Any, Self
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import (
    AbstractHTTPHandler,
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPRedirectHandler,
    OpenerDirector,
    Request,
    UnknownHandler,
)

PATIENCE = 10.0
"""Seconds for one step of a request: to connect, to send, to get an answer."""
MOST_NUMBERS = 3
"""Numbers of a host that are tried."""
UNICAST = IPv6Network("2000::/3")
"""All numbers of IPv6 that lead to single machines of the internet."""
NAT64 = IPv6Network("64:ff9b::/96")
Address = IPv4Address | IPv6Address
Networks = Collection[IPv4Network | IPv6Network]


class ForbiddenAddressError(Exception):
    """The address is in a private network, or is none that we send to."""


def networks(written: Collection[str]) -> Networks:
    """Return networks such as 192.168.1.0/24. Raises ValueError."""
    return [ip_network(one) for one in written]


def place_of(address: str, allowed: Networks) -> tuple[str, str, int, str]:
    """Return scheme, host, port and the path of an address; ForbiddenAddressError if we never send there.

    Plain http is for the networks of `allowed` only, such as that of a hall.
    """
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise ForbiddenAddressError(address) from error
    schemes = ("https", "http") if allowed else ("https",)
    if parts.scheme not in schemes or not parts.hostname or parts.username is not None:
        raise ForbiddenAddressError(address)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return parts.scheme, parts.hostname, port or (443 if parts.scheme == "https" else 80), path


def checked_ips(host: str, port: int, scheme: str, allowed: Networks) -> list[str]:
    """Look a host up and return the numbers to connect to, so that no second look-up gives others.

    Raises ForbiddenAddressError if any of its numbers is in a private network; OSError if there is none.
    """
    found = [ip_address(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for ip in found:
        if not _is_allowed(ip, scheme, allowed):
            raise ForbiddenAddressError(host)
    return list(dict.fromkeys(map(str, found)))


def refuse_private(address: str, allowed: Networks) -> None:
    """Raise ForbiddenAddressError for an address that is known to be forbidden without a look-up. Nothing is sent."""
    scheme, host, _port, _path = place_of(address, allowed)
    try:
        ip = ip_address(host)
    except ValueError:
        return  # a name, which is looked up each time
    if not _is_allowed(ip, scheme, allowed):
        raise ForbiddenAddressError(host)


def _is_allowed(ip: Address, scheme: str, allowed: Networks) -> bool:
    if isinstance(ip, IPv6Address):
        ip = _inside(ip) or ip
    if any(ip.version == network.version and ip in network for network in allowed):
        return True
    usual = isinstance(ip, IPv4Address) or ip in UNICAST
    return scheme == "https" and usual and ip.is_global and not ip.is_multicast


def _inside(ip: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 number to which a gateway of the server's network may lead, None if there is none."""
    if ip in NAT64:
        return IPv4Address(int(ip) & 0xFFFF_FFFF)
    return ip.ipv4_mapped or ip.sixtofour


def post(
    address: str, body: bytes, headers: Mapping[str, str], allowed: Networks, patience: float = PATIENCE
) -> int:
    """Send a POST and return the status of the answer, 0 without an answer. Redirects are not followed.

    patience: seconds for the whole request, after the host was looked up. Raises ForbiddenAddressError.
    """
    scheme, host, port, path = place_of(address, allowed)
    with _Cut(patience) as cut:
        try:
            ips = checked_ips(host, port, scheme, allowed)
            connection = _connection(scheme, host, port, ips, patience, cut)
            connection.request("POST", path, body, dict(headers))
            return connection.getresponse().status
        except (OSError, HTTPException, UnicodeError):
            return 0


class _Cut:
    """Ends a connection after a time. A receiver that sends a byte now and then would hold up all other messages,
    because no step of its own takes too long.
    """

    def __init__(self, seconds: float) -> None:
        self._held: socket.socket | None = None
        self._end = Timer(seconds, self._shut)
        self._end.daemon = True

    def hold(self, opened: socket.socket) -> None:
        """Take a socket that is to be ended. Over TLS, another one takes the place of the first."""
        self._held = opened

    def __enter__(self) -> Self:
        self._end.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._end.cancel()
        if self._held is not None:
            self._held.close()

    def _shut(self) -> None:
        if self._held is not None:
            with suppress(OSError):
                self._held.shutdown(socket.SHUT_RDWR)


def opener(allowed: Networks) -> OpenerDirector:
    """Return what opens an address that people typed, and follows redirections only to where `post` would send too.

    An address where nobody may look is an URLError.
    """
    made = OpenerDirector()
    for handler in (
        UnknownHandler(), HTTPDefaultErrorHandler(), HTTPRedirectHandler(), HTTPErrorProcessor(), _Checked(allowed),
    ):  # fmt: skip
        made.add_handler(handler)
    return made


class _Checked(AbstractHTTPHandler):
    """Opens addresses outside private networks."""

    def __init__(self, allowed: Networks) -> None:
        super().__init__()
        self._allowed = allowed

    def http_open(self, request: Request) -> HTTPResponse:
        return self._open(request)

    def https_open(self, request: Request) -> HTTPResponse:
        return self._open(request)

    def _open(self, request: Request) -> HTTPResponse:
        try:
            scheme, host, port, _path = place_of(request.full_url, self._allowed)
            ips = checked_ips(host, port, scheme, self._allowed)
        except ForbiddenAddressError as error:
            raise URLError("an address where this server may not look") from error

        def connect(_place: str, /, *, timeout: float = PATIENCE, **_options: Any) -> HTTPConnection:
            return _connection(scheme, host, port, ips, timeout)

        return self.do_open(connect, request)

    http_request = https_request = AbstractHTTPHandler.do_request_


def _connection(
    scheme: str, host: str, port: int, ips: Sequence[str], patience: float, cut: _Cut | None = None
) -> HTTPConnection:
    """Connect to a number that was checked, and ask the certificate for the host. Raises OSError."""
    made: HTTPConnection
    opened = _opened(ips, port, patience)
    if cut is not None:
        cut.hold(opened)
    if scheme == "https":
        made = HTTPSConnection(host, port, timeout=patience)
        # hands are shaken afterwards, so that the time counts for that too
        made.sock = ssl.create_default_context().wrap_socket(
            opened, server_hostname=host, do_handshake_on_connect=False
        )
        if cut is not None:
            cut.hold(made.sock)
        made.sock.do_handshake()
    else:
        made = HTTPConnection(host, port, timeout=patience)
        made.sock = opened
    return made


def _opened(ips: Sequence[str], port: int, patience: float) -> socket.socket:
    """Connect to the first number that answers, such as one of IPv4 where the server has no IPv6. Raises OSError."""
    *others, last = ips[:MOST_NUMBERS]
    for ip in others:
        with suppress(OSError):
            return socket.create_connection((ip, port), patience)
    return socket.create_connection((last, port), patience)
