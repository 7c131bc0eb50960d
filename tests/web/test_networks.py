"""Everything that counts addresses counts networks: whoever has a /64 of IPv6 is one visitor, at any address of it.

The tests walk over all limits. A limit that is added without `base.networks` fails here.
"""

from __future__ import annotations

import ast
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView
from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser

import server.urls  # noqa: F401 (loads every view, and so every limit)
from api.v1.view import TokenThrottle
from base.networks import network
from registrations.models import EventRegistration, Registration
from registrations.web.forms import registration
from registrations.web.public import register
from server.connections import Connection, Limits, make_server
from server.dispatch import address_of
from server.priority_queues import Lanes, usual_lanes
from tests.factories import EventFactory, section_of
from tests.house.packages import SITE
from tests.registrations.factories import desk
from tests.registrations.test_register_form import fill
from tournaments.actions import notices
from tournaments.actions.logins import attempts as login_attempts
from tournaments.actions.logins.attempts import LoginSource, Purpose
from tournaments.actions.notices import TooManyNoticesError, subscribe
from tournaments.models import NoticeSubscription, Section
from tournaments.push_messages import CURVE, encoded, point_of
from web.views.public import app

ONE, SAME, OTHER = "2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"
"""Two addresses of one network, and one of another."""
READ_ADDRESSES = {"server/connections.py", "server/dispatch.py", "base/networks.py"}
"""Files that read where a request comes from. All others ask `base.networks`."""
FOR_PEOPLE = {
    "api/v1/view.py": "the log",
    "web/recent_logins.py": "a source of login trials, which counts its network",
    "web/middleware.py": "the list of sessions",
    "web/views/logins.py": "the log, and a source of login trials",
    "web/views/invitations.py": "the log, and a source of login trials",
    "web/views/account.py": "the log",
    "web/views/staff/access.py": "the log",
    "web/views/staff/spare.py": "where a machine with the key of the spare is",
}
"""Files that take a whole address, and for what. None of them counts."""


def _names(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom) and node.module == "base.networks":
            found |= {f"networks.{name.name}" for name in node.names}
    return found


def test_no_other_file_reads_where_a_request_comes_from(root: Path) -> None:
    readers, whole = set(), set()
    for room in SITE:
        for file in (root / room).rglob("*.py"):
            names, place = _names(file), file.relative_to(root).as_posix()
            if names & {"REMOTE_ADDR", "HTTP_X_FORWARDED_FOR", "X_FORWARDED_FOR", "get_ident", "addr"}:
                readers.add(place)
            if "networks.address_of" in names:
                whole.add(place)
    assert (readers, whole) == (READ_ADDRESSES, set(FOR_PEOPLE))


# Logging in, new logins, forgotten passwords, second factors ---------------------------------------------------

PURPOSES = [each for each in vars(login_attempts).values() if isinstance(each, Purpose)]


@pytest.mark.parametrize("purpose", PURPOSES, ids=lambda purpose: purpose.key)
def test_attempts_are_counted_for_a_network(purpose: Purpose) -> None:
    one, same, other = (LoginSource(address).key(purpose) for address in (ONE, SAME, OTHER))
    assert one == same != other


# Programs and phones ---------------------------------------------------------------------------------------------


def _throttles(of: type[SimpleRateThrottle] = SimpleRateThrottle) -> Iterator[type[SimpleRateThrottle]]:
    for found in of.__subclasses__():
        yield from _throttles(found)
        if found.__module__.startswith(SITE):
            yield found


def test_every_throttle_counts_a_network() -> None:
    limits = {found for found in _throttles() if getattr(found, "rate", None)} - {TokenThrottle}
    assert {found.__name__ for found in limits} >= {"ReaderThrottle"}
    for limit in limits:
        one, same, other, forged = (
            limit().get_cache_key(Request(RequestFactory().get("/", **sent)), APIView())
            for sent in (
                {"REMOTE_ADDR": ONE},
                {"REMOTE_ADDR": SAME},
                {"REMOTE_ADDR": OTHER},
                {"REMOTE_ADDR": ONE, "HTTP_X_FORWARDED_FOR": "192.0.2.1"},
            )
        )
        assert one == same == forged != other, limit


# Lanes and connections -------------------------------------------------------------------------------------------


def test_a_network_is_one_party_in_the_lanes() -> None:
    request = HTTPRequestParser(Adjustments())
    request.received(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    one, same, other = (
        address_of(
            SimpleNamespace(requests=[request], addr=(address, 1), server=SimpleNamespace(trusted=None))
        )
        for address in (ONE, SAME, OTHER)
    )
    assert one == same != other


def test_a_network_has_its_share_of_the_connections() -> None:
    with ExitStack() as opened:
        listening = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        lanes = Lanes(usual_lanes(1, 2), lambda _request: "public")
        server = make_server(lambda _environ, _start: [], listening, Limits(from_one_network=4), lanes)
        opened.callback(server.asyncore.close_all, server._map)

        def connect(address: str) -> Connection:
            ours, theirs = socket.socketpair()
            opened.enter_context(theirs)
            return Connection(server, ours, (address, 1, 0, 0), server.adj, map=server._map)

        many = [connect(f"2001:db8:1:2::{number}") for number in range(6)]
        alone = connect(OTHER)
        server.make_room()
        assert (sum(line.connected for line in many), alone.connected) == (4, True)
        lanes.shutdown()


# Registrations -----------------------------------------------------------------------------------------------------


@pytest.fixture
def into(monkeypatch: pytest.MonkeyPatch, settings: LazySettings, db: None) -> Section:
    settings.MAIL_IS_SET_UP = True
    monkeypatch.setattr(registration, "QUICKEST", timedelta(seconds=-1))
    return desk(confirm=True)


def _of(address: str) -> Client:
    return Client(REMOTE_ADDR=address)


def test_forms_are_counted_for_a_network(into: Section) -> None:
    EventRegistration.objects.update(forms_an_hour=1)
    for number, address in enumerate((ONE, SAME, OTHER)):
        fill(into, _of(address), name=f"Player{number}, Ada", email=f"player{number}@example.org")
    held = [one.name for one in Registration.objects.order_by("pk") if one.is_held]
    assert held == ["Player1, Ada"]


def test_requests_with_a_form_are_counted_for_a_network(
    into: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    EventRegistration.objects.update(forms_an_hour=1)
    monkeypatch.setattr(register, "POSTS", 1)
    assert [fill(into, _of(address)).status_code for address in (ONE, SAME, OTHER)] == [302, 422, 302]


@pytest.mark.parametrize("page", ["register/?q=a", "register/?id=5"])
def test_searches_of_the_rating_lists_are_counted_for_a_network(
    into: Section, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.setattr(register, "MOST_SEARCHES", 1)
    stopped = [
        _of(address).get(f"/{into.event.slug}/-/{page}").context["stopped"] for address in (ONE, SAME, OTHER)
    ]
    assert stopped == [False, True, False]


@pytest.mark.parametrize("what", ["again", "address"])
def test_requests_for_personal_links_are_counted_for_a_network(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(register, "MOST_AN_HOUR", 1)
    asked = [register.too_many(rf.get("/", REMOTE_ADDR=address), what) for address in (ONE, SAME, OTHER)]
    assert asked == [False, True, False]


# Notices on phones -------------------------------------------------------------------------------------------------

KEY = encoded(point_of(ec.generate_private_key(CURVE)))


def _phone(section: Section, number: int, address: str) -> None:
    endpoint = f"https://fcm.googleapis.com/{number}"
    secret = encoded(b"0123456789abcdef")
    subscribe(
        section=section,
        endpoint=endpoint,
        point=KEY,
        secret=secret,
        language="",
        network=network(address),
    )


@pytest.fixture
def section(db: None) -> Section:
    return section_of(2, event=EventFactory())


def test_requests_for_notices_are_counted_for_a_network(
    section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    monkeypatch.setattr(app, "MOST_A_MINUTE", 2)
    path = reverse("tournaments:notices", args=[section.event.slug, section.slug])
    sent = [
        Client(REMOTE_ADDR=each).delete(path, b"{}", "application/json") for each in (ONE, SAME, ONE, OTHER)
    ]
    assert [answer.status_code for answer in sent] == [204, 204, 429, 204]


def test_a_network_cannot_fill_the_notices_of_a_section(
    section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "MOST_OF_NETWORK", 2)
    _phone(section, 1, ONE)
    _phone(section, 2, SAME)
    with pytest.raises(TooManyNoticesError):
        _phone(section, 3, "2001:db8:1:2::77")
    _phone(section, 2, ONE)  # a phone that is noted already may ask again
    _phone(section, 4, OTHER)
    assert NoticeSubscription.objects.count() == 3


def test_a_full_section_takes_a_phone_in_place_of_the_newest_of_the_largest_network(
    section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "MOST", 4)
    for number in (1, 2, 3):
        _phone(section, number, ONE)
    _phone(section, 4, OTHER)
    _phone(section, 5, "192.0.2.1")
    kept = NoticeSubscription.objects.order_by("pk").values_list("endpoint", flat=True)
    assert [endpoint[-1] for endpoint in kept] == ["1", "2", "4", "5"]
    with pytest.raises(TooManyNoticesError):
        _phone(section, 6, OTHER)  # it would push out a network that has no more


def test_notices_keep_no_address(section: Section) -> None:
    _phone(section, 1, "192.0.2.1")
    assert "192.0.2" not in str(vars(NoticeSubscription.objects.get()))
