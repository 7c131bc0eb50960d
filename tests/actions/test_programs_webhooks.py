"""Other programs are told what was published: once it is committed, signed, and again until it arrives."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from django.conf import LazySettings
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api.v1.schema import STATES, TYPES
from base.safe_http import ForbiddenAddressError, post
from registrations.actions.transitions import move_registration
from registrations.states import RegistrationState
from registrations.web.words.mails import footer_of
from tests.factories import EventFactory, EventRoleFactory, UserFactory, entry_data, section_of
from tests.registrations.factories import ORGANISER, desk, sent
from tests.web.staff.conftest import enter, paired
from tournaments.actions.entries import (
    add_participant,
    edit_participant,
    remove_participant,
    withdraw_participant,
)
from tournaments.actions.ledger import Actor
from tournaments.actions.programs import (
    RETRY_WAITS,
    change_secret,
    choose_kinds,
    forget_messages,
    make_webhook,
    send_test,
    send_webhooks,
    webhook_content,
    webhooks_are_due,
)
from tournaments.actions.undo import undo
from tournaments.errors import DomainError
from tournaments.models import Event, EventRole, Section, Webhook, WebhookMessage


class Receiver:
    """A server that notes what it gets, and answers with `status`."""

    def __init__(self) -> None:
        self.status, self.got = 204, list[tuple[dict[str, str], bytes]]()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.got.append((dict(self.headers), body))
                self.send_response(outer.status)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_parts: object) -> None:
                """Print nothing."""

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/hook?from=evenboard"
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def receiver(settings: LazySettings) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = ["127.0.0.0/8"]
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def event(db: None) -> Event:
    return EventFactory(slug="rijswijk")


@pytest.fixture
def section(event: Event) -> Section:
    return section_of(4, event=event)


def later() -> None:
    """Let all waiting times pass."""
    WebhookMessage.objects.update(next_at=timezone.now())


def signed(secret: str, headers: dict[str, str], body: bytes) -> str:
    """The signature as a receiver computes it by Standard Webhooks."""
    key = b64decode(secret.removeprefix("whsec_"))
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    return "v1," + b64encode(hmac.digest(key, content, hashlib.sha256)).decode()


def test_a_publication_is_told_with_a_signature(receiver: Receiver, section: Section):
    actor = Actor(UserFactory())
    webhook, secret = make_webhook(actor=actor, event=section.event, address=receiver.address)
    paired(section)
    assert webhooks_are_due()
    assert send_webhooks() == 1
    [(headers, body)] = receiver.got
    message = json.loads(body)
    section.refresh_from_db()
    assert message["type"] == "publication"
    assert message["data"] == {
        "event": section.event_id,
        "section": section.pk,
        "round": 1,
        "revision": section.revision,
        "id": None,
        "link": f"/api/v1/sections/{section.pk}/",
    }
    assert headers["webhook-signature"] == signed(secret, headers, body)
    assert secret not in str(vars(Webhook.objects.get()))
    _, new = change_secret(actor=actor, event=section.event, webhook_id=webhook.pk)
    undo(actor=actor, section_id=section.pk, revision=section.revision)
    assert send_webhooks() == 1
    headers, body = receiver.got[1]
    assert json.loads(body)["type"] == "undo"
    assert headers["webhook-signature"].split() == [signed(key, headers, body) for key in (new, secret)]
    assert not webhooks_are_due()


def test_quick_results_are_one_message_and_a_refused_action_none(receiver: Receiver, section: Section):
    row = paired(section)
    make_webhook(actor=Actor(UserFactory()), event=section.event, address=receiver.address)
    for game in row.games.all():
        enter(game, "1-0")
    assert not webhooks_are_due()
    with suppress(RuntimeError), transaction.atomic():
        enter(row.games.first(), "0-1")
        raise RuntimeError
    section.refresh_from_db()
    [message] = WebhookMessage.objects.all()
    assert (message.kind, message.revision) == ("results", section.revision)
    later()
    assert send_webhooks() == 1
    enter(row.games.first(), "0-1")
    assert WebhookMessage.objects.count() == 2


def test_what_does_not_arrive_is_sent_again_for_three_days(receiver: Receiver, section: Section):
    make_webhook(actor=Actor(UserFactory()), event=section.event, address=receiver.address)
    paired(section)
    receiver.status = 302  # a redirect is not followed
    for attempt, wait in enumerate(RETRY_WAITS, 1):
        before = timezone.now()
        assert send_webhooks() == 0
        message = WebhookMessage.objects.get()
        assert (message.attempts, message.status, message.state) == (attempt, 302, "waiting")
        assert before + wait <= message.next_at <= timezone.now() + wait
        later()
    send_webhooks()
    assert WebhookMessage.objects.get().state == "failed"
    assert len({headers["webhook-id"] for headers, _body in receiver.got}) == 1
    assert len(receiver.got) == len(RETRY_WAITS) + 1
    assert sum(RETRY_WAITS, timedelta(0)) > timedelta(days=2)
    receiver.status = 410
    WebhookMessage.objects.update(state="waiting", attempts=0, next_at=timezone.now())
    send_webhooks()
    assert Webhook.objects.get().off_at is not None
    forget_messages(timezone.now() + timedelta(days=31))
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/",
        "https://localhost/",
        "https://10.1.2.3/",
        "https://192.168.1.1:8443/",
        "https://169.254.169.254/latest/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[fd00::1]/",
        "https://[fec0::1]/",
        "https://[::127.0.0.1]/",
        "https://[2002:a01:203::1]/",  # 10.1.2.3 behind a gateway of 6to4
        "https://[64:ff9b::a01:203]/",  # and of NAT64
        "https://0.0.0.0/",
        "https://2130706433/",
        "http://192.0.2.1/",
        "https://user@192.0.2.1/",
        "ftp://192.0.2.1/",
        "https://192.0.2.1:99999/",
        "https://[/",
    ],
)
def test_nothing_is_sent_into_the_network_of_the_server(address: str):
    with pytest.raises(ForbiddenAddressError):
        post(address, b"", {}, [])


def test_no_webhook_is_made_for_plain_http_or_a_private_number_or_too_many(event: Event):
    actor = Actor(UserFactory())
    with pytest.raises(DomainError, match="webhook_address"):
        make_webhook(actor=actor, event=event, address="http://club.example/")
    with pytest.raises(DomainError, match="webhook_address"):
        make_webhook(actor=actor, event=event, address="https://192.168.1.5/hook")
    for number in range(10):
        make_webhook(actor=actor, event=event, address=f"https://club.example/{number}")
    with pytest.raises(DomainError, match="too_many_webhooks"):
        make_webhook(actor=actor, event=event, address="https://club.example/11")


def test_organisers_see_what_was_sent_and_send_it_again(
    receiver: Receiver, event: Event, section: Section, client: Client
):
    page = "/rijswijk/-/webhooks/"
    client.force_login(EventRoleFactory(event=event, role=EventRole.Role.OWNER).user)
    made = client.post(page, {"address": receiver.address, "kinds": ["publication"]}).content.decode()
    secret = re.search(r"whsec_[^\"]+", made)
    assert secret
    assert secret[0] not in client.get(page).content.decode()
    assert client.post(page, {"address": "https://"}).status_code == 422
    paired(section)
    send_webhooks()
    message, webhook = WebhookMessage.objects.get(), Webhook.objects.get()
    assert "arrived" in client.get(page).content.decode()
    client.post(page, {"again": message.pk})
    assert send_webhooks() == 1
    assert "whsec_" in client.post(page, {"secret": webhook.pk}).content.decode()
    with CaptureQueriesContext(connection) as queries:
        client.get(page)
    assert len(queries) <= 8
    assert client.post(page, {"remove": webhook.pk}).status_code == 302
    assert client.post(page, {"remove": webhook.pk}).status_code == 404
    assert client.post(page, {"again": message.pk}).status_code == 404
    assert client.post(page, {"secret": "x"}).status_code == 404
    actions = list(event.log.filter(section=None).values_list("action", flat=True))
    assert actions == ["remove_webhook", "change_webhook_secret", "make_webhook"]


def types(event: Event) -> list[tuple[str, int | None]]:
    """Of each message that waits what it says that it is about, oldest first. Then it counts as tried."""
    rows = WebhookMessage.objects.filter(webhook__event=event, attempts=0).order_by("pk")
    found = [(row.type, row.subject) for row in rows]
    rows.update(attempts=1)
    return found


def test_changes_of_entries_are_told(section: Section):
    actor, event = Actor(UserFactory()), section.event
    make_webhook(actor=actor, event=event, address="https://93.184.215.14/", kinds=["entries"])
    entry = add_participant(actor=actor, section_id=section.pk, entry=entry_data("Ek, Ada"), asked=True)
    assert ("entry.added", entry.pk) in types(event)
    for data in (entry_data("Ek, Ada", club="Rijswijk"), entry_data("Ek, Ada", club="Rijswijk", sex="w")):
        edit_participant(actor=actor, participant_id=entry.pk, entry=data, asked=True)
        assert types(event) == [("entry.changed", entry.pk)]
    withdraw_participant(actor=actor, participant_id=entry.pk)
    assert types(event) == [("entry.withdrawn", entry.pk)]
    section.refresh_from_db()
    undo(actor=actor, section_id=section.pk, revision=section.revision)
    assert types(event) == [("entry.readmitted", entry.pk)]
    remove_participant(actor=actor, participant_id=entry.pk, asked=True)
    assert ("entry.removed", entry.pk) in types(event)
    for name in ("Ås, Bo", "Cy, Cy"):
        add_participant(actor=actor, section_id=section.pk, entry=entry_data(name), asked=True)
    message = WebhookMessage.objects.get(attempts=0, change="added")
    assert message.subject is None  # several within five seconds
    assert json.loads(webhook_content(message))["data"]["link"] == f"/api/v1/sections/{section.pk}/entries/"


def test_registrations_are_told_without_personal_data(db: None):
    into = desk()
    make_webhook(actor=Actor(UserFactory()), event=into.event, address="https://93.184.215.14/")
    one = sent(into, "Lovelace, Ada")
    first = WebhookMessage.objects.filter(kind="registrations").earliest("pk")
    assert first.type == f"registration.{one.state}"
    body = webhook_content(first)
    assert b"Lovelace" not in body
    data = json.loads(body)["data"]
    assert (data["id"], data["section"], data["event"]) == (one.pk, into.pk, into.event.pk)
    assert data["link"] == f"/api/v1/registrations/{one.pk}/"
    types(into.event)
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    found = types(into.event)
    assert ("registration.accepted", one.pk) in found
    assert "entry.added" in [name for name, _key in found]


def test_a_webhook_gets_the_kinds_that_were_chosen_and_a_test(receiver: Receiver, section: Section):
    actor, event = Actor(UserFactory()), section.event
    hook, _secret = make_webhook(actor=actor, event=event, address=receiver.address, kinds=["undo"])
    for game in paired(section).games.all():
        enter(game, "1/2")
    assert types(event) == []
    choose_kinds(actor=actor, event=event, webhook_id=hook.pk, kinds=["publication"])
    paired(section)
    assert types(event) == [("publication", None)]
    WebhookMessage.objects.all().delete()
    send_test(event=event, webhook_id=hook.pk)
    assert send_webhooks() == 1
    message = json.loads(receiver.got[-1][1])
    assert message["type"] == "test"
    assert message["data"] == {
        "event": event.pk,
        "section": None,
        "round": None,
        "revision": 0,
        "id": None,
        "link": f"/api/v1/events/{event.pk}/",
    }


@pytest.mark.parametrize("gone", [True, False])
def test_organisers_hear_of_a_webhook_that_ends_itself(
    receiver: Receiver, section: Section, settings: LazySettings, mailoutbox: list[EmailMessage], gone: bool
):
    settings.MAIL_IS_SET_UP, settings.PUBLIC_URL = True, "https://chess.example"
    event = section.event
    olga, arne = (UserFactory(email=f"{name}@example.org") for name in ("olga", "arne"))
    EventRoleFactory(event=event, role=EventRole.Role.OWNER, user=olga)
    EventRoleFactory(event=event, role=EventRole.Role.ARBITER, user=arne)
    hook, _secret = make_webhook(
        actor=Actor(olga), event=event, address=receiver.address, kinds=["publication"]
    )
    receiver.status = 410 if gone else 500
    paired(section)
    for _try in range(1 if gone else len(RETRY_WAITS) + 1):
        assert not mailoutbox
        later()
        call_command("send_webhooks", verbosity=0)
    hook.refresh_from_db()
    assert (hook.ended, hook.off_at is not None) == ("gone" if gone else "silent", True)
    call_command("send_webhooks", verbosity=0)
    [mail] = mailoutbox
    assert (mail.to, event.name in mail.subject) == (["olga@example.org"], True)
    assert "https://chess.example/rijswijk/-/webhooks/" in mail.body
    assert mail.body.startswith(f"{event.name}: ")
    assert mail.body.endswith(f"\n\n{footer_of(event)}")
    assert mail.extra_headers["Auto-Submitted"] == "auto-generated"
    page = Client()
    page.force_login(olga)
    assert "has ended by itself" in page.get("/rijswijk/-/webhooks/").text


def test_a_receiver_that_takes_other_messages_does_not_end(receiver: Receiver, section: Section):
    hook, _secret = make_webhook(
        actor=Actor(UserFactory()), event=section.event, address=receiver.address, kinds=["publication"]
    )
    paired(section)
    WebhookMessage.objects.update(attempts=len(RETRY_WAITS), next_at=timezone.now() + timedelta(days=1))
    send_test(event=section.event, webhook_id=hook.pk)
    assert send_webhooks() == 1
    receiver.status = 500
    later()
    send_webhooks()
    hook.refresh_from_db()
    assert (hook.ended, hook.off_at) == ("", None)
    assert WebhookMessage.objects.get(kind="publication").state == "failed"


def test_only_a_changed_secret_has_an_old_one(event: Event):
    owner = EventRoleFactory(event=event, role=EventRole.Role.OWNER).user
    page, at = Client(), "/rijswijk/-/webhooks/"
    page.force_login(owner)
    made = page.post(at, {"address": "https://93.184.215.14/hook", "kinds": ["results", "entries"]})
    hook = Webhook.objects.get()
    assert (made.status_code, hook.kinds) == (200, ["results", "entries"])
    assert "whsec_" in made.text
    assert "old secret" not in made.text
    assert "The old secret is valid for one more day." in page.post(at, {"secret": hook.pk}).text
    page.post(at, {"choose": hook.pk, "kinds": ["registrations"]})
    hook.refresh_from_db()
    assert hook.kinds == ["registrations"]
    page.post(at, {"test": hook.pk})
    assert WebhookMessage.objects.get().type == "test"


def test_the_description_names_every_message():
    assert {*TYPES} == {*WebhookMessage.Kind}
    assert {*STATES} == {state.value for state in RegistrationState}
