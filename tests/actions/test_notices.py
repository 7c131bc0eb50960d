"""Notices on phones: who gets one, when, and what happens if a push service refuses it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from server.management.commands.send_notices import notice
from tests.factories import EventFactory, section_of
from tests.web.staff.conftest import paired
from tournaments import push_messages
from tournaments.actions import notices
from tournaments.actions.notices import notices_are_due, send_notices
from tournaments.actions.personal_data import forget_what_is_over
from tournaments.models import NoticeSubscription, Round, Section
from tournaments.push_messages import CURVE, encoded, point_of
from web.views.public import app

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

KEY = ec.generate_private_key(CURVE)
SECRET = b"0123456789abcdef"


def decrypt(message: bytes) -> bytes:
    """Read a message as the browser does (RFC 8188, RFC 8291)."""
    salt, size, theirs = message[:16], message[20], message[21 : 21 + message[20]]
    assert size == 65
    shared = KEY.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    secret = HKDF(SHA256(), 32, SECRET, b"WebPush: info\0" + point_of(KEY) + theirs).derive(shared)
    key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
    nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
    return AESGCM(key).decrypt(nonce, message[86:], None).rstrip(b"\2")


class Services:
    """The push services of the world. statuses: what they answer for a path; 0: nothing."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, str]]] = []
        self.statuses: dict[str, int] = {}

    def __call__(self, _host: str, **_options: object) -> Services.Line:
        return Services.Line(self)

    class Line:
        def __init__(self, services: Services) -> None:
            self.services = services

        def request(self, _method: str, path: str, body: bytes, _headers: dict[str, str]) -> None:
            self.status = self.services.statuses.get(path, 201)
            if not self.status:
                raise TimeoutError
            self.services.got.append((path, json.loads(decrypt(body))))

        def getresponse(self) -> Services.Line:
            return self

        def read(self) -> bytes:
            return b""

        def close(self) -> None:
            pass


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> Services:
    found = Services()
    monkeypatch.setattr(push_messages, "HTTPSConnection", found)
    return found


@pytest.fixture
def section() -> Section:
    return section_of(4, event=EventFactory(slug="open", name="Open"), slug="a", name="A")


Ask = Callable[..., int]


@pytest.fixture
def ask(client: Client, section: Section) -> Ask:
    """Return a function by which a phone asks for notices or, with another method, ends them."""

    def ask(name: str, method: str = "POST", **other: str) -> int:
        sent = {"endpoint": f"https://fcm.googleapis.com/{name}", "point": encoded(point_of(KEY))}
        sent |= {"secret": encoded(SECRET), "language": "", **other}
        address = f"/{section.event.slug}/{section.slug}/notices/"
        return client.generic(method, address, json.dumps(sent), "application/json").status_code

    return ask


def test_a_phone_is_told_of_each_round_once_in_its_language(
    ask: Ask, section: Section, services: Services
) -> None:
    assert [ask("anna"), ask("anna"), ask("bert", language="de")] == [204, 204, 204]
    assert not notices_are_due()
    paired(section)
    assert notices_are_due()
    assert send_notices(notice) == 2
    number = Round.objects.get(section=section).number
    expected = {"title": f"Round {number} is published", "body": "Open · A", "tag": f"section-{section.pk}"}
    assert [message for path, message in services.got if path == "/anna"] == [
        {**expected, "url": "/open/a/pairings/"}
    ]
    assert [message["url"] for path, message in services.got if path == "/bert"] == ["/de/open/a/pairings/"]
    assert not notices_are_due()


def test_a_phone_that_asks_later_hears_of_no_round_that_is_out_already(ask: Ask, section: Section) -> None:
    paired(section)
    ask("anna")
    assert not notices_are_due()


def test_a_draft_is_not_announced_and_a_round_that_comes_back_is_announced_again(
    ask: Ask, section: Section, services: Services
) -> None:
    ask("anna")
    paired(section)
    rounds = Round.objects.filter(section=section)
    states = rounds.get().state
    rounds.update(state=Round.State.DRAFT)
    assert not notices_are_due()
    rounds.update(state=states)
    assert send_notices(notice) == 1
    rounds.update(state=Round.State.DRAFT)
    assert not notices_are_due()
    rounds.update(state=states)
    assert notices_are_due()
    assert send_notices(notice) == 1
    assert len(services.got) == 2


def test_a_phone_that_is_gone_is_forgotten_and_a_failure_is_tried_again_a_few_times(
    ask: Ask, section: Section, services: Services
) -> None:
    ask("gone")
    ask("busy")
    ask("dead")
    paired(section)
    services.statuses = {"/gone": 410, "/busy": 429, "/dead": 0}
    assert send_notices(notice) == 0
    assert NoticeSubscription.objects.count() == 2
    assert not notices_are_due()
    for _ in range(notices.TRIES - 1):
        NoticeSubscription.objects.update(next_at=timezone.now())
        assert notices_are_due()
        assert send_notices(notice) == 0
    NoticeSubscription.objects.update(next_at=timezone.now())
    assert not notices_are_due()


def test_one_tap_ends_the_notices(ask: Ask, section: Section) -> None:
    ask("anna")
    ask("bert")
    assert ask("anna", "DELETE") == 204
    paired(section)
    assert [each.endpoint for each in NoticeSubscription.objects.all()] == ["https://fcm.googleapis.com/bert"]


def test_events_that_are_hidden_send_nothing_and_take_no_phones(
    ask: Ask, section: Section, services: Services
) -> None:
    ask("anna")
    paired(section)
    section.event.state = "draft"
    section.event.save()
    assert (notices_are_due(), send_notices(notice), services.got, ask("bert")) == (False, 0, [], 404)


def test_phones_are_forgotten_two_days_after_the_event(ask: Ask, section: Section) -> None:
    ask("anna")
    for days, left in ((2, 1), (3, 0)):
        section.event.start = section.event.end = timezone.now().date() - timedelta(days=days)
        section.event.save()
        forget_what_is_over()
        assert NoticeSubscription.objects.count() == left


def test_only_push_services_and_real_keys_are_accepted(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask("anna", endpoint="https://127.0.0.1/") == 422
    assert ask("anna", point="AAAA") == 422
    assert NoticeSubscription.objects.count() == 0
    monkeypatch.setattr(notices, "MOST", 1)
    assert [ask("anna"), ask("bert"), ask("anna")] == [204, 409, 204]


def test_one_address_can_ask_only_so_often(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(app, "MOST_A_MINUTE", 2)
    assert [ask("anna"), ask("bert"), ask("carl")] == [204, 204, 429]


def test_what_is_no_request_of_our_script_is_refused(ask: Ask, client: Client, section: Section) -> None:
    """A form of another web site cannot send JSON, and a text that is no JSON is no error of the server."""
    cache.clear()
    address = f"/{section.event.slug}/{section.slug}/notices/"
    sent = [
        (b"endpoint=x", "text/plain", 415),
        (b"{", "application/json", 400),
        (b"\xff", "application/json", 400),
    ]
    sent += [(b"[" * 100_000, "application/json", 400), (b"[]", "application/json", 422)]
    for body, kind, status in sent:
        assert client.post(address, body, kind).status_code == status, body[:10]
    assert client.delete("/nowhere/a/notices/").status_code == 404
    section.event.state = "draft"
    section.event.save()
    assert ask("anna") == 404


def test_a_section_with_few_phones_does_not_wait_for_one_with_many(
    ask: Ask, section: Section, services: Services, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a1", "a2", "a3"):
        ask(name)
    other = section_of(4, event=EventFactory(slug="small"), slug="b")
    address = f"/{other.event.slug}/{other.slug}/notices/"
    sent = {
        "endpoint": "https://fcm.googleapis.com/b1",
        "point": encoded(point_of(KEY)),
        "secret": encoded(SECRET),
    }
    assert client.post(address, json.dumps(sent), "application/json").status_code == 204
    for each in (section, other):
        paired(each)
    monkeypatch.setattr(notices, "BATCH", 2)
    assert send_notices(notice) == 4
    assert {path for path, _message in services.got[:2]} == {"/a1", "/b1"}
