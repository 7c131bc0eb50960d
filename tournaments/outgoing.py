"""Requests to addresses that people typed: never into the network of the server, unless its operator allows it."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Collection, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any
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
MOST = 4_096
"""Bytes of an answer that are read."""
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


def checked_ip(host: str, port: int, scheme: str, allowed: Networks) -> str:
    """Look a host up and return the number of the machine to connect to, so that no second look-up gives another one.

    Raises ForbiddenAddressError if any of its numbers is in a private network; OSError if there is none.
    """
    found = [ip_address(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for ip in found:
        if not _is_allowed(ip, scheme, allowed):
            raise ForbiddenAddressError(host)
    return str(found[0])


def _is_allowed(ip: Address, scheme: str, allowed: Networks) -> bool:
    mapped = getattr(ip, "ipv4_mapped", None)
    ip = mapped or ip
    if any(ip.version == network.version and ip in network for network in allowed):
        return True
    return scheme == "https" and ip.is_global and not ip.is_multicast


def post(address: str, body: bytes, headers: Mapping[str, str], allowed: Networks) -> int:
    """Send a POST and return the status of the answer, 0 without an answer. Redirects are not followed.

    Raises ForbiddenAddressError.
    """
    scheme, host, port, path = place_of(address, allowed)
    try:
        connection = _connection(scheme, host, port, checked_ip(host, port, scheme, allowed))
        try:
            connection.request("POST", path, body, dict(headers))
            answer = connection.getresponse()
            answer.read(MOST)
            return answer.status
        finally:
            connection.close()
    except (OSError, HTTPException, UnicodeError):
        return 0


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
            ip = checked_ip(host, port, scheme, self._allowed)
        except ForbiddenAddressError as error:
            raise URLError("an address where this server may not look") from error

        def connect(_place: str, /, *, timeout: float = PATIENCE, **_options: Any) -> HTTPConnection:
            return _connection(scheme, host, port, ip, timeout)

        return self.do_open(connect, request)

    http_request = https_request = AbstractHTTPHandler.do_request_


def _connection(scheme: str, host: str, port: int, ip: str, patience: float = PATIENCE) -> HTTPConnection:
    """Connect to the number that was checked, and ask the certificate for the host."""
    made: HTTPConnection
    opened = socket.create_connection((ip, port), patience)
    if scheme == "https":
        made = HTTPSConnection(host, port, timeout=patience)
        made.sock = ssl.create_default_context().wrap_socket(opened, server_hostname=host)
    else:
        made = HTTPConnection(host, port, timeout=patience)
        made.sock = opened
    return made
