"""Webhooks: events take turns, and a slow or hostile receiver delays nobody else."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event as Signal
from threading import Lock, Thread
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from tests.factories import EventFactory, SectionFactory
from tests.waiting import LONG
from tournaments.actions import programs
from tournaments.actions.programs import DeliveryShare, send_webhooks
from tournaments.models import Webhook, WebhookMessage

pytestmark = pytest.mark.django_db


class Receivers:
    """A server for many receivers, told apart by the path. waits: which of them answer only after a signal.

    got: the paths, in their order. most: how many requests were there at once. signals: which path gives it.
    """

    def __init__(self) -> None:
        self.got, self.waits, self.signals = list[str](), set[str](), set[str]()
        self.signal, self.most, self._now, self._lock = Signal(), 0, 0, Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                outer.come(self.path)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_parts: object) -> None:
                """Print nothing."""

        self._server = ThreadingHTTPServer(("0.0.0.0", 0), Handler)  # noqa: S104 (any number of this machine)
        self.port = self._server.server_port
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def come(self, path: str) -> None:
        with self._lock:
            self.got.append(path)
            self._now += 1
            self.most = max(self.most, self._now)
        if path in self.signals:
            self.signal.set()
        if path in self.waits:
            self.signal.wait(LONG)
        with self._lock:
            self._now -= 1

    def close(self) -> None:
        self.signal.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def receivers(settings: LazySettings) -> Iterator[Receivers]:
    settings.WEBHOOK_NETWORKS = ["127.0.0.0/8"]
    made = Receivers()
    yield made
    made.close()


def hook(
    to: Receivers, path: str, *, host: int = 1, other: Webhook | None = None, slow: bool = False
) -> Webhook:
    """Make a webhook of an event of its own, or of the event of another one, with a message that is due."""
    event = other.event if other else EventFactory()
    made = Webhook.objects.create(
        event=event, address=f"http://127.0.0.{host}:{to.port}{path}", nonce="test", slow=slow
    )
    WebhookMessage.objects.create(
        webhook=made, section=SectionFactory(event=event), kind="publication", revision=1, round_number=1
    )
    return made


def patient(monkeypatch: pytest.MonkeyPatch, **quick: int) -> None:
    """Wait long for each receiver, and change the share of quick ones."""
    share = {"threads": 4, "of_event": 2, "of_host": 2, **quick}
    shares = {False: DeliveryShare(**share, patience=LONG), True: DeliveryShare(1, 1, 1, patience=LONG)}
    monkeypatch.setattr(programs, "DELIVERY_SHARES", shares)


def test_receivers_that_do_not_answer_delay_no_other_event(
    receivers: Receivers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They answer once the good one has its message. So if that waits for them, nobody gets anything."""
    patient(monkeypatch)
    receivers.waits, receivers.signals = {"/bad1", "/bad2", "/bad3"}, {"/good"}
    for number in (1, 2, 3):
        hook(receivers, f"/bad{number}", host=number + 1)
    hook(receivers, "/good")
    assert send_webhooks() == 4


def test_receivers_that_are_known_to_be_slow_wait_for_each_other_alone(
    receivers: Receivers, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient(monkeypatch, threads=1)
    receivers.waits, receivers.signals = {"/slow1", "/slow2"}, {"/good"}
    hook(receivers, "/slow1", host=2, slow=True)
    hook(receivers, "/slow2", host=3, slow=True)
    hook(receivers, "/good")
    assert send_webhooks() == 3
    assert receivers.got.index("/good") < receivers.got.index("/slow2")


def test_events_take_turns(receivers: Receivers, monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch, threads=1)
    first = hook(receivers, "/a1")
    for path in ("/a2", "/a3"):
        hook(receivers, path, other=first)
    hook(receivers, "/b1")
    assert send_webhooks() == 4
    assert receivers.got == ["/a1", "/b1", "/a2", "/a3"]


def test_a_host_gets_few_requests_at_once_however_many_events_name_it(
    receivers: Receivers, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient(monkeypatch, threads=8)
    for number in range(8):
        hook(receivers, f"/{number}")
    assert send_webhooks() == 8
    assert receivers.most <= 2


def test_an_event_gets_few_requests_at_once(receivers: Receivers, monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch, threads=8)
    first = hook(receivers, "/1")
    for number in range(2, 9):
        hook(receivers, f"/{number}", other=first, host=number)
    assert send_webhooks() == 8
    assert receivers.most <= 2


def test_messages_of_a_webhook_come_in_their_order(
    receivers: Receivers, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient(monkeypatch)
    made = hook(receivers, "/")
    section = made.messages.get().section
    for revision in range(2, 6):
        WebhookMessage.objects.create(webhook=made, section=section, kind="results", revision=revision)
    assert send_webhooks() == 5
    tried = made.messages.order_by("tried_at").values_list("revision", flat=True)
    assert (list(tried), receivers.most) == ([1, 2, 3, 4, 5], 1)


def test_who_takes_long_is_slow_until_an_answer_comes_soon(
    receivers: Receivers, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = hook(receivers, "/")
    for most, slow in ((-1.0, True), (LONG, False)):
        monkeypatch.setattr(programs, "SLOW_SECONDS", most)
        WebhookMessage.objects.update(state="waiting", next_at=timezone.now())
        assert send_webhooks() == 1
        made.refresh_from_db()
        assert made.slow is slow


def test_a_receiver_that_drips_or_is_silent_is_asked_once_and_is_slow_from_then_on(
    receivers: Receivers, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient(monkeypatch)
    over, send = Signal(), programs.post

    def impatient(address: str, *parts: Any) -> int:
        """Wait a moment for the one that drips, and long for the good one, also on a busy machine."""
        return send(address, *parts[:-1], LONG if address.endswith("/good") else 0.3)

    monkeypatch.setattr(programs, "post", impatient)
    with socket.create_server(("127.0.0.1", 0)) as dripping:

        def drip() -> None:
            line, _address = dripping.accept()
            with line, suppress(OSError):
                while not over.wait(0.05):
                    line.send(b"H")

        Thread(target=drip, daemon=True).start()
        bad = hook(receivers, "/", host=2)
        Webhook.objects.update(address=f"http://127.0.0.1:{dripping.getsockname()[1]}/")
        section = bad.messages.get().section
        WebhookMessage.objects.create(webhook=bad, section=section, kind="undo", revision=2)
        hook(receivers, "/good")
        assert send_webhooks() == 1
        over.set()
    bad.refresh_from_db()
    first, second = bad.messages.order_by("pk")
    assert (bad.slow, first.attempts, first.status, second.attempts) == (True, 1, 0, 0)
    assert second.next_at > timezone.now()
    assert receivers.got == ["/good"]


def test_a_message_that_breaks_stops_no_other(
    receivers: Receivers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad = hook(receivers, "/bad")
    hook(receivers, "/good")
    patient(monkeypatch)
    send = programs.post

    def breaks(address: str, *parts: object) -> int:
        if address.endswith("/bad"):
            raise ValueError("a bug")
        return send(address, *parts)  # type: ignore[arg-type]

    monkeypatch.setattr(programs, "post", breaks)
    assert send_webhooks() == 1
    assert bad.messages.get().next_at > timezone.now()
    assert "a bug" in caplog.text
