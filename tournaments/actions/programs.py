"""Access tokens and webhooks: which programs may ask, and which are told what was published or has changed.

Each action queues its messages itself (`webhook_messages.py`), and a process sends them. Signatures are those of
Standard Webhooks: HMAC-SHA256 of "id.timestamp.body".

Events take turns, and a receiver that is slow waits with others that are slow. Threads only speak to receivers; the
process reads and writes the database. Of each webhook one message is under way, so messages arrive in their order.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from time import monotonic

from django.conf import settings
from django.db.models import Min, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

from base.safe_http import ForbiddenAddressError, networks, place_of, post, refuse_private
from base.text import one_line
from tournaments.declarations.events import (
    CHANGE_WEBHOOK_SECRET,
    CHOOSE_WEBHOOK_KINDS,
    END_ACCESS_TOKEN,
    MAKE_ACCESS_TOKEN,
    MAKE_WEBHOOK,
    REMOVE_WEBHOOK,
)
from tournaments.declarations.site import SITE_END_ACCESS_TOKEN, SITE_MAKE_ACCESS_TOKEN
from tournaments.errors import NAME_REQUIRED, NOT_FOUND, Refusal
from tournaments.models import AccessToken, Event, KeptAnswer, Scope, User, Webhook, WebhookMessage
from tournaments.models.people import hash_of
from tournaments.models.programs import all_kinds
from tournaments.queries.programs import opened_by

from .ledger import Actor, act_on_event
from .people import revoke_invitation
from .site import act_on_site, note
from .webhook_messages import queue_test

# Refusals
ACCESS_TOKEN_SCOPES = Refusal("access_token_scopes", _("Choose at least one thing that the program may do."))
ACCESS_TOKEN_END = Refusal(
    "access_token_end",
    ngettext_lazy(
        "Choose a day between tomorrow and %(days)s day from now.",
        "Choose a day between tomorrow and %(days)s days from now.",
        "days",
    ),
    ("days",),
)
TOO_MANY_ACCESS_TOKENS = Refusal(
    "too_many_access_tokens",
    ngettext_lazy(
        "There is already %(limit)s access token. End it if no program uses it any more.",
        "There are already %(limit)s access tokens. End those that no program uses any more.",
        "limit",
    ),
    ("limit",),
)
WEBHOOK_ADDRESS = Refusal(
    "webhook_address",
    _(
        "Messages cannot be sent to this address. It must begin with https:// and be on the internet, not in the "
        "network of this server."
    ),
)
TOO_MANY_WEBHOOKS = Refusal(
    "too_many_webhooks",
    ngettext_lazy(
        "The event has %(limit)s webhook. Remove it if nobody needs it any more.",
        "The event has %(limit)s webhooks. Remove those that nobody needs any more.",
        "limit",
    ),
    ("limit",),
)


# Tokens for programs: made and ended by organisers, found by the API.

MOST_TOKENS = 50
"""Tokens of an event, or of a person, that are in force."""
TOKENS_BEGIN = "evb_"
PREFIX_LENGTH = 12
USED_AT_GRAIN = timedelta(minutes=10)
LONGEST_LIFE = timedelta(days=366)
ANSWERS_KEPT = timedelta(hours=24)
"""For so long a request that is sent again gets the first answer."""
ENDED_TOKENS_KEPT = timedelta(days=30)
"""A token that ended is listed for so long."""


def make_token(
    *, actor: Actor, event: Event | None, name: str, scopes: Collection[str], expires_at: datetime
) -> tuple[AccessToken, str]:
    """Make a token for one event, or (None) for all events of which the actor is an organiser.

    Return it and its text, which is stored nowhere.
    Raises DomainError: name_required, too_many_access_tokens, access_token_scopes, access_token_end.
    """
    if actor.user is None:
        raise TypeError("a token has the rights of a login")
    name = one_line(name)[:60]
    if not name:
        raise NAME_REQUIRED.error()
    wanted = [scope for scope in Scope.values if scope in scopes]
    if not wanted or len(wanted) != len(set(scopes)):
        raise ACCESS_TOKEN_SCOPES.error()
    if not timezone.now() < expires_at <= timezone.now() + LONGEST_LIFE:
        raise ACCESS_TOKEN_END.error(days=LONGEST_LIFE.days)
    text = TOKENS_BEGIN + secrets.token_urlsafe(32)
    token = AccessToken(
        event=event,
        made_by=actor.user,
        name=name,
        prefix=text[:PREFIX_LENGTH],
        token_hash=hash_of(text),
        scopes=wanted,
        expires_at=expires_at,
    )
    after = {"scopes": wanted, "expires_at": expires_at.isoformat()}
    if event is None:
        with act_on_site():
            _refuse_too_many(Q(event=None, made_by=actor.user))
            token.save()
            note(actor, SITE_MAKE_ACCESS_TOKEN, subject=name, after=after)
    else:
        with act_on_event(event_id=event.pk, actor=actor, action=MAKE_ACCESS_TOKEN) as entry:
            _refuse_too_many(Q(event=event))
            token.save()
            entry.subject, entry.after = name, after
    return token, text


def _refuse_too_many(whose: Q) -> None:
    valid = AccessToken.objects.filter(whose, ended_at=None, expires_at__gt=timezone.now())
    if valid.count() >= MOST_TOKENS:
        raise TOO_MANY_ACCESS_TOKENS.error(limit=MOST_TOKENS)


def end_token(*, actor: Actor, event: Event | None, token_id: int) -> AccessToken:
    """End a token of the event, or (None) one of the actor's own. Raises NotFound."""
    if event is None:
        with act_on_site():
            token = _end(
                AccessToken.objects.filter(event=None, made_by=actor.user).filter(pk=token_id).first()
            )
            note(actor, SITE_END_ACCESS_TOKEN, subject=token.name)
    else:
        with act_on_event(event_id=event.pk, actor=actor, action=END_ACCESS_TOKEN) as entry:
            token = _end(AccessToken.objects.filter(event=event, pk=token_id).first())
            entry.subject = token.name
    return token


def end_opened(*, actor: Actor, user: User) -> None:
    """End what a login has opened for others: access tokens, invitations that nobody has answered, and links with which
    others set a password. The logs of the events and of the site name each token and each invitation.
    """
    opened = opened_by(user)
    for token in list(opened.tokens):
        end_token(actor=actor, event=token.event, token_id=token.pk)
    for invitation in list(opened.invitations):
        revoke_invitation(actor=actor, event=invitation.event, invitation_id=invitation.pk)
    opened.links.delete()


def _end(token: AccessToken | None) -> AccessToken:
    if token is None or token.ended_at is not None:
        raise NOT_FOUND.error(kind="access_token", id=token.pk if token else 0)
    token.ended_at = timezone.now()
    token.save(update_fields=["ended_at"])
    return token


def token_of(text: str) -> AccessToken | None:
    """Return the valid token with this text. One query, and every ten minutes a second one that notes the use."""
    tokens = AccessToken.objects.select_related("made_by", "event")
    token = tokens.filter(token_hash=hash_of(text)).first()
    if token is None or not token.is_valid:
        return None
    now = timezone.now()
    if token.seen_at is None or now - token.seen_at >= USED_AT_GRAIN:
        AccessToken.objects.filter(pk=token.pk).update(seen_at=now)
    return token


def empty_answers(event: Event) -> None:
    """Empty the kept answers about an event, because somebody in it is erased. A request that is sent again still does
    nothing.
    """
    KeptAnswer.objects.filter(Q(token__event=event) | Q(token__event=None)).update(body="{}")


def forget_tokens(now: datetime) -> None:
    """Delete answers that nobody can ask for again, and tokens that ended long ago."""
    KeptAnswer.objects.filter(made_at__lt=now - ANSWERS_KEPT).delete()
    AccessToken.objects.filter(
        Q(ended_at__lt=now - ENDED_TOKENS_KEPT) | Q(expires_at__lt=now - ENDED_TOKENS_KEPT)
    ).delete()


# Tell other programs what was published and which results have changed: who is told, and what is signed.
#
# Each action queues its messages itself (`webhook_messages.py`), and a process sends them
# (`send_webhooks`). Signatures are those of Standard Webhooks: HMAC-SHA256 of "id.timestamp.body".

MOST_WEBHOOKS = 10
SECRET_CHANGES = timedelta(hours=24)
"""For so long the former secret signs too."""
MESSAGES_KEPT = timedelta(days=30)
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
    with act_on_event(event_id=event.pk, actor=actor, action=MAKE_WEBHOOK) as entry:
        if Webhook.objects.filter(event=event, off_at=None).count() >= MOST_WEBHOOKS:
            raise TOO_MANY_WEBHOOKS.error(limit=MOST_WEBHOOKS)
        made = Webhook.objects.create(
            event=event, address=address, made_by=actor.user, nonce=secrets.token_hex(16)
        )
        if kinds is not None:
            made.kinds = [kind for kind in all_kinds() if kind in kinds]
            made.save(update_fields=["kinds"])
        entry.subject = _host(address)
    return made, webhook_secret(made.nonce)


def change_secret(*, actor: Actor, event: Event, webhook_id: int) -> tuple[Webhook, str]:
    """Give a webhook a new secret. The former one signs too for a day. Raises NotFound."""
    with act_on_event(event_id=event.pk, actor=actor, action=CHANGE_WEBHOOK_SECRET) as entry:
        found = _found(event, webhook_id)
        found.former_nonce, found.nonce = found.nonce, secrets.token_hex(16)
        found.former_until = timezone.now() + SECRET_CHANGES
        found.save(update_fields=["nonce", "former_nonce", "former_until"])
        entry.subject = _host(found.address)
    return found, webhook_secret(found.nonce)


def choose_kinds(*, actor: Actor, event: Event, webhook_id: int, kinds: Collection[str]) -> Webhook:
    """Send only messages of these kinds from now on. Raises NotFound."""
    with act_on_event(event_id=event.pk, actor=actor, action=CHOOSE_WEBHOOK_KINDS) as entry:
        found = _found(event, webhook_id)
        found.kinds = [kind for kind in all_kinds() if kind in kinds]
        found.save(update_fields=["kinds"])
        entry.subject = _host(found.address)
    return found


def send_test(*, event: Event, webhook_id: int) -> WebhookMessage:
    """Send a message that says nothing but that it is a test. Raises NotFound."""
    return queue_test(_found(event, webhook_id))


def end_webhook_by_itself(webhook_id: int, why: Webhook.Ended) -> None:
    """End a webhook whose receiver does not take its messages. The organisers are told (`send_webhooks`)."""
    Webhook.objects.filter(pk=webhook_id, off_at=None).update(off_at=timezone.now(), ended=why)


def remove_webhook(*, actor: Actor, event: Event, webhook_id: int) -> None:
    """Tell this address nothing any more. Raises NotFound."""
    with act_on_event(event_id=event.pk, actor=actor, action=REMOVE_WEBHOOK) as entry:
        found = _found(event, webhook_id)
        found.off_at = timezone.now()
        found.save(update_fields=["off_at"])
        entry.subject = _host(found.address)


def send_message_again(*, event: Event, message_id: int) -> WebhookMessage:
    """Queue a message again, with the same key. Raises NotFound."""
    messages = WebhookMessage.objects.filter(webhook__event=event, webhook__off_at=None, pk=message_id)
    again = messages.update(state=WebhookMessage.State.WAITING, attempts=0, next_at=timezone.now())
    if not again:
        raise NOT_FOUND.error(kind="webhook", id=message_id)
    return messages.get()


def _found(event: Event, webhook_id: int) -> Webhook:
    found = Webhook.objects.filter(event=event, pk=webhook_id, off_at=None).first()
    if found is None:
        raise NOT_FOUND.error(kind="webhook", id=webhook_id)
    return found


def _refuse_address(address: str) -> None:
    try:
        refuse_private(address, networks(settings.WEBHOOK_NETWORKS))
    except ForbiddenAddressError as error:
        raise WEBHOOK_ADDRESS.error() from error


def _host(address: str) -> str:
    return place_of(address, ANYWHERE)[1][:200]


def webhook_secret(nonce: str) -> str:
    """Return the secret as the receiver needs it. The database alone is not enough to make it."""
    return f"whsec_{b64encode(_key(nonce)).decode()}"


def _key(nonce: str) -> bytes:
    return hmac.digest(settings.SECRET_KEY.encode(), f"webhook {nonce}".encode(), hashlib.sha256)


# Messages -----------------------------------------------------------------------------------------------------


def webhook_content(message: WebhookMessage) -> bytes:
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


def webhook_headers(message: WebhookMessage, body: bytes, now: datetime) -> dict[str, str]:
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
    WebhookMessage.objects.filter(made_at__lt=now - MESSAGES_KEPT).delete()
    Webhook.objects.filter(Q(off_at__lt=now - MESSAGES_KEPT)).delete()


# Send the messages of webhooks: events take turns, and a receiver that is slow waits with others that are
# slow.
#
# Threads only speak to receivers; this one reads and writes the database. Of each webhook one message is
# under way, so messages arrive in their order.

logger = logging.getLogger(__name__)

RETRY_WAITS = [
    timedelta(seconds=seconds)
    for seconds in (5, 30, 60, 300, 1_200, 3_600, 14_400, 21_600, 43_200, 43_200, 86_400)
]
SILENT_FOR = timedelta(minutes=1)
"""For so long later messages wait if a receiver does not answer."""
SLOW_SECONDS = 2.0
"""Seconds. Whoever takes longer is a slow receiver, until an answer comes sooner."""
LOOK_EVERY = 1.0
"""Seconds until new messages are looked for while others are under way."""
LONGEST_RUN = 600.0
"""Seconds after which no more messages begin. The server starts the command again."""
STATUS_GONE = 410


@dataclass(frozen=True, slots=True)
class DeliveryShare:
    """What receivers of one kind get. patience: seconds for one message.

    threads: messages under way. of_event, of_host: of one event, and to one host, however many webhooks name it.
    """

    threads: int
    of_event: int
    of_host: int
    patience: float


DELIVERY_SHARES = {
    False: DeliveryShare(16, of_event=2, of_host=2, patience=3.0),
    True: DeliveryShare(4, 1, 1, patience=10.0),
}
"""By whether a receiver is slow. A receiver that needs more than the patience of quick ones gets it at the next try."""


@dataclass(frozen=True, slots=True)
class Request:
    """A message that is under way. began: by `monotonic`."""

    message: WebhookMessage
    slow: bool
    host: str
    began: float

    @property
    def event(self) -> int:
        return self.message.webhook.event_id


def _due() -> QuerySet[WebhookMessage]:
    return WebhookMessage.objects.filter(
        state=WebhookMessage.State.WAITING,
        next_at__lte=timezone.now(),
        webhook__off_at=None,
        webhook__event__rehearsal=False,
    )


def webhooks_are_due() -> bool:
    return _due().exists()


def webhooks_waiting() -> int:
    return _due().count()


def send_webhooks() -> int:
    """Send what is due, and what becomes due meanwhile. Return how many arrived.

    What fails is tried again for two and a half days.
    """
    with ExitStack() as opened:
        pools = {
            slow: opened.enter_context(ThreadPoolExecutor(each.threads))
            for slow, each in DELIVERY_SHARES.items()
        }
        return Sending(pools).run()


class Sending:
    """The messages that are under way, and whose turn it is."""

    def __init__(self, pools: dict[bool, ThreadPoolExecutor]) -> None:
        self._pools = pools
        self._requests: dict[Future[int], Request] = {}
        self._served: dict[int, int] = {}  # event -> when it had its last turn
        self._turns = 0

    def run(self) -> int:
        arrived, end = 0, monotonic() + LONGEST_RUN
        while True:
            if monotonic() < end:
                for message in self._next():
                    self._begin(message)
            if not self._requests:
                return arrived
            done, _rest = wait(self._requests, LOOK_EVERY, FIRST_COMPLETED)
            for answer in done:
                arrived += 200 <= self._note(answer, self._requests.pop(answer)) < 300

    def _next(self) -> Iterator[WebhookMessage]:
        """Yield what may begin now: the oldest message of each webhook, the events in turn."""
        busy = {request.message.webhook_id for request in self._requests.values()}
        oldest = _due().exclude(webhook__in=busy).order_by().values("webhook").annotate(first=Min("pk"))
        rows = WebhookMessage.objects.filter(pk__in=[row["first"] for row in oldest])
        lines: dict[int, list[WebhookMessage]] = defaultdict(list)
        for message in rows.select_related("webhook", "section").order_by("pk"):
            lines[message.webhook.event_id].append(message)
        while lines:
            for event in sorted(lines, key=lambda event: self._served.get(event, 0)):
                found = next(filter(self._has_room, lines[event]), None)
                if found is None:
                    del lines[event]
                    continue
                lines[event].remove(found)
                self._turns += 1
                self._served[event] = self._turns
                yield found

    def _has_room(self, message: WebhookMessage) -> bool:
        slow = message.webhook.slow
        share, mine = DELIVERY_SHARES[slow], [each for each in self._requests.values() if each.slow == slow]
        events, hosts = Counter(each.event for each in mine), Counter(each.host for each in mine)
        return (
            len(mine) < share.threads
            and events[message.webhook.event_id] < share.of_event
            and hosts[host_of(message.webhook)] < share.of_host
        )

    def _begin(self, message: WebhookMessage) -> None:
        slow, now = message.webhook.slow, timezone.now()
        # counted before it is sent: a result that comes from now on makes another message
        mine = WebhookMessage.objects.filter(pk=message.pk, attempts=message.attempts, state=message.state)
        message.attempts += 1
        if not mine.update(attempts=message.attempts, tried_at=now, next_at=now + RETRY_WAITS[0]):
            return  # another process has it
        message.refresh_from_db(fields=["revision", "round_number", "subject"])
        body = webhook_content(message)
        ask: Callable[[], int] = partial(
            post,
            message.webhook.address,
            body,
            webhook_headers(message, body, now),
            networks(settings.WEBHOOK_NETWORKS),
            DELIVERY_SHARES[slow].patience,
        )
        request = Request(message, slow, host_of(message.webhook), monotonic())
        self._requests[self._pools[slow].submit(ask)] = request

    def _note(self, answer: Future[int], request: Request) -> int:
        """Note what became of a message. Return the status of the answer, 0 without one."""
        message, now = request.message, timezone.now()
        mine = WebhookMessage.objects.filter(pk=message.pk)
        try:
            status = answer.result()
        except ForbiddenAddressError:
            mine.update(state=WebhookMessage.State.FAILED, status=0)
            return 0
        except Exception:  # one message that breaks must not stop all others
            logger.exception("message %s to a webhook", message.key)
            status = 0
        slow = not status or monotonic() - request.began > SLOW_SECONDS
        if slow != request.slow:
            Webhook.objects.filter(pk=message.webhook_id).update(slow=slow)
        if 200 <= status < 300:
            mine.update(state=WebhookMessage.State.SENT, status=status)
            return status
        if status == STATUS_GONE:
            end_webhook_by_itself(message.webhook_id, Webhook.Ended.GONE)
        elif message.attempts > len(RETRY_WAITS) and not _has_arrived_since(message):
            end_webhook_by_itself(message.webhook_id, Webhook.Ended.SILENT)
        if status == STATUS_GONE or message.attempts > len(RETRY_WAITS):
            mine.update(state=WebhookMessage.State.FAILED, status=status)
        else:
            mine.update(status=status, next_at=now + RETRY_WAITS[message.attempts - 1])
        if not status:
            _due().filter(webhook=message.webhook_id).update(next_at=now + SILENT_FOR)
        return status


def _has_arrived_since(message: WebhookMessage) -> bool:
    """Return whether the receiver took another message since this one was made, so that it works."""
    arrived = WebhookMessage.objects.filter(webhook=message.webhook_id, state=WebhookMessage.State.SENT)
    return arrived.filter(tried_at__gte=message.made_at).exists()


def host_of(webhook: Webhook) -> str:
    """Return to which host the messages go, "" for an address that no longer has one."""
    try:
        return place_of(webhook.address, ANYWHERE)[1]
    except ForbiddenAddressError:
        return ""
