"""Tell other programs what was published and which results have changed: who is told, and what is signed.

Each action queues its messages itself (`webhook_messages.py`), and a process sends them (`webhook_sending.py`).
Signatures are those of Standard Webhooks: HMAC-SHA256 of "id.timestamp.body".
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from base64 import b64encode
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from base.safe_http import ForbiddenAddressError, networks, place_of, refuse_private
from tournaments.errors import DomainError, NotFound
from tournaments.models import Event, Webhook, WebhookMessage
from tournaments.models.webhook import all_kinds

from .ledger import Actor, act_on_event
from .webhook_messages import queue_test

MOST = 10
CHANGING = timedelta(hours=24)
"""For so long the former secret signs too."""
KEPT = timedelta(days=30)
ANYWHERE = networks(["0.0.0.0/0"])
"""With these, an address may be of any kind that is ever allowed."""


def make_webhook(
    *, actor: Actor, event: Event, address: str, kinds: Collection[str] | None = None
) -> tuple[Webhook, str]:
    """Tell this address from now on; return the webhook and the secret of its signatures.

    kinds: of the messages that it gets, None for all. Raises DomainError: webhook_address, too_many_webhooks.
    """
    address = address.strip()
    _refuse_address(address)
    with act_on_event(event_id=event.pk, actor=actor, action="make_webhook") as entry:
        if Webhook.objects.filter(event=event, off_at=None).count() >= MOST:
            raise DomainError("too_many_webhooks", limit=MOST)
        made = Webhook.objects.create(
            event=event, address=address, made_by=actor.user, nonce=secrets.token_hex(16)
        )
        if kinds is not None:
            made.kinds = [kind for kind in all_kinds() if kind in kinds]
            made.save(update_fields=["kinds"])
        entry.subject = _host(address)
    return made, secret_of(made.nonce)


def change_secret(*, actor: Actor, event: Event, webhook_id: int) -> tuple[Webhook, str]:
    """Give a webhook a new secret. The former one signs too for a day. Raises NotFound."""
    with act_on_event(event_id=event.pk, actor=actor, action="change_webhook_secret") as entry:
        found = _found(event, webhook_id)
        found.former_nonce, found.nonce = found.nonce, secrets.token_hex(16)
        found.former_until = timezone.now() + CHANGING
        found.save(update_fields=["nonce", "former_nonce", "former_until"])
        entry.subject = _host(found.address)
    return found, secret_of(found.nonce)


def choose_kinds(*, actor: Actor, event: Event, webhook_id: int, kinds: Collection[str]) -> Webhook:
    """Send only messages of these kinds from now on. Raises NotFound."""
    with act_on_event(event_id=event.pk, actor=actor, action="choose_webhook_kinds") as entry:
        found = _found(event, webhook_id)
        found.kinds = [kind for kind in all_kinds() if kind in kinds]
        found.save(update_fields=["kinds"])
        entry.subject = _host(found.address)
    return found


def send_test(*, event: Event, webhook_id: int) -> WebhookMessage:
    """Send a message that says nothing but that it is a test. Raises NotFound."""
    return queue_test(_found(event, webhook_id))


def end_by_itself(webhook_id: int, why: Webhook.Ended) -> None:
    """End a webhook whose receiver does not take its messages. The organisers are told (`send_webhooks`)."""
    Webhook.objects.filter(pk=webhook_id, off_at=None).update(off_at=timezone.now(), ended=why)


def remove_webhook(*, actor: Actor, event: Event, webhook_id: int) -> None:
    """Tell this address nothing any more. Raises NotFound."""
    with act_on_event(event_id=event.pk, actor=actor, action="remove_webhook") as entry:
        found = _found(event, webhook_id)
        found.off_at = timezone.now()
        found.save(update_fields=["off_at"])
        entry.subject = _host(found.address)


def send_again(*, event: Event, message_id: int) -> WebhookMessage:
    """Queue a message again, with the same key. Raises NotFound."""
    messages = WebhookMessage.objects.filter(webhook__event=event, webhook__off_at=None, pk=message_id)
    again = messages.update(state=WebhookMessage.State.WAITING, attempts=0, next_at=timezone.now())
    if not again:
        raise NotFound("not_found", kind="webhook", id=message_id)
    return messages.get()


def _found(event: Event, webhook_id: int) -> Webhook:
    found = Webhook.objects.filter(event=event, pk=webhook_id, off_at=None).first()
    if found is None:
        raise NotFound("not_found", kind="webhook", id=webhook_id)
    return found


def _refuse_address(address: str) -> None:
    try:
        refuse_private(address, networks(settings.WEBHOOK_NETWORKS))
    except ForbiddenAddressError as error:
        raise DomainError("webhook_address") from error


def _host(address: str) -> str:
    return place_of(address, ANYWHERE)[1][:200]


def secret_of(nonce: str) -> str:
    """Return the secret as the receiver needs it. The database alone is not enough to make it."""
    return f"whsec_{b64encode(_key(nonce)).decode()}"


def _key(nonce: str) -> bytes:
    return hmac.digest(settings.SECRET_KEY.encode(), f"webhook {nonce}".encode(), hashlib.sha256)


# Messages -----------------------------------------------------------------------------------------------------


def content_of(message: WebhookMessage) -> bytes:
    """Return what is sent: where to look, and no personal data."""
    data = {
        "event": message.webhook.event_id,
        "section": message.section_id,
        "round": message.round_number,
        "revision": message.revision,
        "id": message.subject,
        "link": f"{settings.PUBLIC_URL}/api/v1/{message.place}",
    }
    content = {"type": message.type, "timestamp": message.made_at.isoformat(), "data": data}
    return json.dumps(content).encode()


def headers_of(message: WebhookMessage, body: bytes, now: datetime) -> dict[str, str]:
    key, moment = str(message.key), str(int(now.timestamp()))
    signed = f"{key}.{moment}.".encode() + body
    signatures = [
        f"v1,{b64encode(hmac.digest(_key(nonce), signed, hashlib.sha256)).decode()}"
        for nonce in _nonces(message.webhook, now)
    ]
    return {
        "Content-Type": "application/json",
        "User-Agent": "Evenboard",
        "webhook-id": key,
        "webhook-timestamp": moment,
        "webhook-signature": " ".join(signatures),
    }


def _nonces(webhook: Webhook, now: datetime) -> Iterator[str]:
    yield webhook.nonce
    if webhook.former_nonce and webhook.former_until is not None and now < webhook.former_until:
        yield webhook.former_nonce


def forget_messages(now: datetime) -> None:
    """Delete messages, and webhooks that are off, when nobody looks at them any more."""
    WebhookMessage.objects.filter(made_at__lt=now - KEPT).delete()
    Webhook.objects.filter(Q(off_at__lt=now - KEPT)).delete()
