"""Send the messages of webhooks: events take turns, and a receiver that is slow waits with others that are slow.

Threads only speak to receivers; this one reads and writes the database. Of each webhook one message is under way, so
messages arrive in their order.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from time import monotonic

from django.conf import settings
from django.db.models import Min, QuerySet
from django.utils import timezone

from base.safe_http import ForbiddenAddressError, networks, place_of, post
from tournaments.models import Webhook, WebhookMessage

from .webhooks import ANYWHERE, content_of, end_by_itself, headers_of

logger = logging.getLogger(__name__)

WAITS = [
    timedelta(seconds=seconds)
    for seconds in (5, 30, 60, 300, 1_200, 3_600, 14_400, 21_600, 43_200, 43_200, 86_400)
]
SILENT = timedelta(minutes=1)
"""For so long later messages wait if a receiver does not answer."""
SLOW = 2.0
"""Seconds. Whoever takes longer is a slow receiver, until an answer comes sooner."""
LOOK = 1.0
"""Seconds until new messages are looked for while others are under way."""
LONGEST = 600.0
"""Seconds after which no more messages begin. The server starts the command again."""
GONE = 410


@dataclass(frozen=True, slots=True)
class Share:
    """What receivers of one kind get. patience: seconds for one message.

    threads: messages under way. of_event, of_host: of one event, and to one host, however many webhooks name it.
    """

    threads: int
    of_event: int
    of_host: int
    patience: float


SHARES = {False: Share(16, of_event=2, of_host=2, patience=3.0), True: Share(4, 1, 1, patience=10.0)}
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
        state=WebhookMessage.State.WAITING, next_at__lte=timezone.now(), webhook__off_at=None
    )


def webhooks_are_due() -> bool:
    return _due().exists()


def send_webhooks() -> int:
    """Send what is due, and what becomes due meanwhile. Return how many arrived.

    What fails is tried again for two and a half days.
    """
    with ExitStack() as opened:
        pools = {
            slow: opened.enter_context(ThreadPoolExecutor(each.threads)) for slow, each in SHARES.items()
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
        arrived, end = 0, monotonic() + LONGEST
        while True:
            if monotonic() < end:
                for message in self._next():
                    self._begin(message)
            if not self._requests:
                return arrived
            done, _rest = wait(self._requests, LOOK, FIRST_COMPLETED)
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
        share, mine = SHARES[slow], [each for each in self._requests.values() if each.slow == slow]
        events, hosts = Counter(each.event for each in mine), Counter(each.host for each in mine)
        return (
            len(mine) < share.threads
            and events[message.webhook.event_id] < share.of_event
            and hosts[host_of(message.webhook)] < share.of_host
        )

    def _begin(self, message: WebhookMessage) -> None:
        slow, now = message.webhook.slow, timezone.now()
        # counted before it is sent: a result that comes from now on makes another message
        message.attempts += 1
        message.tried_at, message.next_at = now, now + WAITS[0]
        message.save(update_fields=["attempts", "tried_at", "next_at"])
        message.refresh_from_db(fields=["revision", "round_number", "subject"])
        body = content_of(message)
        ask: Callable[[], int] = partial(
            post,
            message.webhook.address,
            body,
            headers_of(message, body, now),
            networks(settings.WEBHOOK_NETWORKS),
            SHARES[slow].patience,
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
        slow = not status or monotonic() - request.began > SLOW
        if slow != request.slow:
            Webhook.objects.filter(pk=message.webhook_id).update(slow=slow)
        if 200 <= status < 300:
            mine.update(state=WebhookMessage.State.SENT, status=status)
            return status
        if status == GONE:
            end_by_itself(message.webhook_id, Webhook.Ended.GONE)
        elif message.attempts > len(WAITS) and not _has_arrived_since(message):
            end_by_itself(message.webhook_id, Webhook.Ended.SILENT)
        if status == GONE or message.attempts > len(WAITS):
            mine.update(state=WebhookMessage.State.FAILED, status=status)
        else:
            mine.update(status=status, next_at=now + WAITS[message.attempts - 1])
        if not status:
            _due().filter(webhook=message.webhook_id).update(next_at=now + SILENT)
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
