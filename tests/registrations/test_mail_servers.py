"""A mail server that refuses a mail, for good or for a time, and mails that come back later."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta
from socketserver import StreamRequestHandler, ThreadingTCPServer

import pytest
from django.utils import timezone
from pytest_django import Settings

from registrations.actions.changing import change
from registrations.actions.mails import note_returned, send_failed_again, send_mails
from registrations.models import Mail, Registration
from registrations.web.words.mails import compose
from tests.registrations.conftest import address, names, staff
from tests.registrations.factories import ORGANISER, desk, sent

pytestmark = pytest.mark.django_db


class _Server(StreamRequestHandler):
    """Take mails. The receivers gone@ and full@ are refused, for good and for a time."""

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline():
            self.wfile.write(self._answer(line) + b"\r\n")

    def _answer(self, line: bytes) -> bytes:
        match line[:4].upper():
            case b"RCPT" if b"gone@" in line:
                return b"550 5.1.1 <gone@example.org>: no such person"
            case b"RCPT" if b"full@" in line:
                return b"452 4.2.2 mailbox full"
            case b"DATA":
                self.wfile.write(b"354 go on\r\n")
                while self.rfile.readline() not in (b".\r\n", b""):
                    pass
        return b"250 well"


@pytest.fixture
def _server(settings: Settings) -> Iterator[None]:
    with ThreadingTCPServer(("127.0.0.1", 0), _Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        yield
        server.shutdown()


def _sent_now(one: Registration) -> Mail:
    one.mails.update(not_before=timezone.now() - timedelta(seconds=1))
    send_mails(compose)
    return one.mails.get()


@pytest.mark.usefixtures("_server")
def test_a_receiver_whom_the_server_does_not_know_is_shown_at_once_with_what_it_said() -> None:
    into = desk()
    one = sent(into, "Gone, Ada", email="gone@example.org")
    mail = _sent_now(one)
    assert (mail.state, mail.attempts) == (Mail.State.FAILED, 1)
    assert mail.answer == "550 5.1.1 no such person"
    assert mail.not_before <= timezone.now()
    assert names(into, pile="mail") == ["G"]
    assert "no such person" in staff(into).get(address(into, f"{one.pk}/")).content.decode()
    change(registration_id=one.pk, values={"email": "here@example.org"}, by=ORGANISER)
    send_failed_again(event=into.event, keys=[one.pk])
    one.mails.update(not_before=timezone.now() - timedelta(seconds=1))
    assert send_mails(compose) == 2
    assert names(into, pile="mail") == []


@pytest.mark.usefixtures("_server")
def test_a_full_mailbox_is_tried_again() -> None:
    mail = _sent_now(sent(desk(), email="full@example.org"))
    assert (mail.state, mail.attempts, mail.answer) == (Mail.State.QUEUED, 1, "452 4.2.2 mailbox full")
    assert mail.not_before > timezone.now()


def test_an_organiser_notes_that_a_mail_came_back() -> None:
    into = desk()
    one = sent(into, "Back, Ada")
    page = staff(into)
    assert "The last mail came back" not in page.get(address(into, f"{one.pk}/")).content.decode()
    assert _sent_now(one).state == Mail.State.SENT
    shown = page.get(address(into, f"{one.pk}/")).content.decode()
    assert "The last mail came back" in shown
    page.post(address(into, f"{one.pk}/"), {"do": "returned"})
    assert one.mails.get().state == Mail.State.RETURNED
    assert names(into, pile="mail") == ["B"]
    assert note_returned(event=into.event, keys=[one.pk], by=ORGANISER) == 0
    assert send_failed_again(event=into.event, keys=[one.pk]) == 1
    assert _sent_now(one).state == Mail.State.SENT
    assert names(into, pile="mail") == []
