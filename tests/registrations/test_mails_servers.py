"""Mails as a mail server receives them, one that refuses a mail for good or for a time, mails that come back later."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from datetime import UTC, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from socketserver import StreamRequestHandler, ThreadingTCPServer

import pytest
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, override
from pytest_django import Settings

from registrations.actions.edits import change_registration
from registrations.actions.mails import note_returned, send_failed_again, send_mails
from registrations.models import Mail, Registration
from registrations.web.words.mails import TEXTS, compose
from tests.factories import UserFactory
from tests.registrations.conftest import address, names, staff
from tests.registrations.factories import ORGANISER, desk, sent
from web.login_mail import mail_change_at_server

pytestmark = pytest.mark.django_db


class _Server(StreamRequestHandler):
    """Take mails and keep them. The receivers gone@ and full@ are refused, for good and for a time."""

    server: _Post

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
                lines = list(iter(self.rfile.readline, b".\r\n"))
                self.server.received.append(b"".join(line.removeprefix(b".") for line in lines))
        return b"250 well"


class _Post(ThreadingTCPServer):
    """received: the mails as they came over the network."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Server)
        self.received: list[bytes] = []


@pytest.fixture
def post(settings: Settings) -> Iterator[_Post]:
    with _Post() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        yield server
        server.shutdown()


def _sent_now(one: Registration) -> Mail:
    one.mails.update(not_before=timezone.now() - timedelta(seconds=1))
    send_mails(compose)
    return one.mails.get()


def _arrived(post: _Post) -> tuple[bytes, EmailMessage]:
    """Return the one mail that came: its bytes, and what a mail program makes of them."""
    (data,) = post.received
    mail = message_from_bytes(data, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    return data, mail


def _subject(mail: EmailMessage) -> str:
    """Return the subject without the space that is left where Python has begun a new line before it."""
    return str(mail["Subject"]).strip()


def _check_letter(data: bytes, mail: EmailMessage) -> None:
    """Check what every mail of the program has, in every language."""
    head, _empty, body = data.partition(b"\r\n\r\n")
    assert head.isascii()  # words beyond ASCII are encoded in the head (RFC 2047)
    assert max(map(len, data.split(b"\r\n"))) <= 998  # RFC 5322
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["From"].addresses[0].addr_spec == "post@example.org"
    assert mail["From"].addresses[0].display_name == "Schachklub Köln"
    assert abs(timezone.now() - mail["Date"].datetime.replace(tzinfo=UTC)) < timedelta(minutes=10)
    assert re.fullmatch(r"<[^<>@\s]+@[^<>@\s]+>", mail["Message-ID"])
    assert (mail.get_content_type(), mail.get_content_charset()) == ("text/plain", "utf-8")
    if mail["Content-Transfer-Encoding"] == "8bit":
        assert "ö".encode() in body
    assert not mail.defects


@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_mail_about_a_registration_arrives_with_its_letters_and_headers(
    post: _Post, language: str, settings: Settings
) -> None:
    settings.DEFAULT_FROM_EMAIL = "Schachklub Köln <post@example.org>"
    into = desk(
        event={
            "name": "Kölner Frühjahrsturnier – été",
            "city": "Köln",
            "contact": "öffentlich: a@example.org",
        }
    )
    one = sent(into, "Müller, Zoé", language=language)
    written = compose(one.mails.get())
    _sent_now(one)
    data, mail = _arrived(post)
    _check_letter(data, mail)
    assert _subject(mail) == written.subject
    assert _subject(mail).startswith("Kölner Frühjahrsturnier – été")
    assert mail.get_content().splitlines() == written.body.splitlines()
    assert "Zoé Müller" in mail.get_content()
    assert mail["To"] == one.email
    assert mail["Reply-To"] == "a@example.org"
    with override("en"):
        assert written.body.splitlines()[2] != str(TEXTS["pending"].body).splitlines()[0]


@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_mail_about_a_login_arrives_with_its_letters_and_headers(
    post: _Post, language: str, settings: Settings
) -> None:
    settings.DEFAULT_FROM_EMAIL = "Schachklub Köln <post@example.org>"
    settings.MAIL_IS_SET_UP = True
    person = UserFactory(username="Zoë Müller-Böhm", email="zoe@example.org", language=language)
    mail_change_at_server(person, gettext_lazy("Your password was changed."))
    data, mail = _arrived(post)
    _check_letter(data, mail)
    assert mail["To"] == "zoe@example.org"
    assert "Zoë Müller-Böhm" in mail.get_content()
    with override(language):
        assert gettext("Your password was changed.") in mail.get_content()
        assert _subject(mail) == gettext("Evenboard: your login was changed")
    assert "Your password was changed." not in mail.get_content()


@pytest.mark.usefixtures("post")
def test_a_receiver_whom_the_server_does_not_know_is_shown_at_once_with_what_it_said() -> None:
    into = desk()
    one = sent(into, "Gone, Ada", email="gone@example.org")
    mail = _sent_now(one)
    assert (mail.state, mail.attempts) == (Mail.State.FAILED, 1)
    assert mail.answer == "550 5.1.1 no such person"
    assert mail.not_before <= timezone.now()
    assert names(into, pile="mail") == ["G"]
    assert "no such person" in staff(into).get(address(into, f"{one.pk}/")).content.decode()
    change_registration(registration_id=one.pk, values={"email": "here@example.org"}, by=ORGANISER)
    send_failed_again(event=into.event, keys=[one.pk])
    one.mails.update(not_before=timezone.now() - timedelta(seconds=1))
    assert send_mails(compose) == 2
    assert names(into, pile="mail") == []


@pytest.mark.usefixtures("post")
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
