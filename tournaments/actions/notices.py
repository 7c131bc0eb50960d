"""Notices for visitors' phones when a round is published: who wants them, and sending them.

What is due follows from the rows: a subscription whose round is older than the newest published one. So a round that
is unpublished in time is not announced, and nothing is lost if the program stops.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import Coalesce, RowNumber
from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournaments.models import NoticeSubscription, Round, Section
from tournaments.models.events import AT_REST
from tournaments.push_messages import LONGEST, Receiver, Sender, decoded, receiver

MOST = 20_000  # browsers for one section
MOST_OF_NETWORK = 2_000  # of them; a full hall shares one address
AT_ONCE = 8
BATCH = 400
TRIES = 5
FIRST_WAIT = 30  # seconds; four times as long after each failure
NOTICES_KEPT = timedelta(days=2)  # after the last day of the event
GONE = (404, 410)
DONE = -1
Compose = Callable[[NoticeSubscription, int], bytes]


class NotABrowserError(Exception):
    """The address is not that of a known push service, or a key is not right."""


class TooManyNoticesError(Exception):
    """More browsers want notices than the program sends."""


def subscribe(
    *, section: Section, endpoint: str, point: str, secret: str, language: str, network: str
) -> None:
    """Send this browser a notice of each round that is published from now on.

    A section that has as many browsers as it may have still takes one: the network with the most of them loses its
    newest. Raises NotABrowserError, TooManyNoticesError.
    """
    if receiver(endpoint, point, secret, settings.PUSH_SERVICES) is None:
        raise NotABrowserError
    subscriptions = NoticeSubscription.objects.filter(section=section)
    key = salted_hmac("tournaments.notices", f"{section.pk} {network}", algorithm="sha256").hexdigest()[:32]
    _make_room(subscriptions.exclude(endpoint=endpoint), key)
    newest = _published(section.pk).values_list("number", flat=True).first() or 0
    values: dict[str, str | int] = {"point": point, "secret": secret, "language": language, "network": key}
    values |= {"told_round": newest, "attempts": 0}
    subscriptions.update_or_create(section=section, endpoint=endpoint, defaults=values)


def _make_room(others: QuerySet[NoticeSubscription], network: str) -> None:
    """Leave room for one more of this network. Raises TooManyNoticesError if it has its share."""
    mine = others.filter(network=network).count()
    if mine >= MOST_OF_NETWORK:
        raise TooManyNoticesError
    if others.count() < MOST:
        return
    most = others.order_by().values("network").annotate(count=Count("pk")).order_by("-count").first()
    if most is None or most["count"] <= mine + 1:
        raise TooManyNoticesError
    others.filter(pk__in=others.filter(network=most["network"]).order_by("-pk").values("pk")[:1]).delete()


def unsubscribe(*, section: Section, endpoint: str) -> None:
    """Send this browser no notices of the section any more. The browser's address is the proof that it may ask."""
    NoticeSubscription.objects.filter(section=section, endpoint=endpoint[:LONGEST]).delete()


def _published(section: int | OuterRef) -> QuerySet[Round]:
    return Round.objects.filter(section=section).exclude(state=Round.State.DRAFT).order_by("-number")


def _due() -> QuerySet[NoticeSubscription]:
    newest = Subquery(_published(OuterRef("section")).values("number")[:1])
    shown = Q(section__event__public=True, section__event__rehearsal=False, section__taken_away=False)
    subscriptions = NoticeSubscription.objects.annotate(newest=newest).filter(shown)
    subscriptions = subscriptions.exclude(section__event__state__in=AT_REST)
    return subscriptions.filter(newest__gt=F("told_round"), next_at__lte=timezone.now())


def _in_turn() -> QuerySet[NoticeSubscription]:
    """Return what is due, the sections in turn: a section with few phones does not wait for one with thousands."""
    place = Window(RowNumber(), partition_by=F("section"), order_by="pk")
    return _due().annotate(place=place).select_related("section__event").order_by("place", "pk")


def forget_notices(now: datetime) -> None:
    """Delete the browsers of events that are over."""
    NoticeSubscription.objects.filter(section__event__end__lt=(now - NOTICES_KEPT).date()).delete()


def notices_are_due() -> bool:
    """Return whether there is something to send. A round that was unpublished may be announced again."""
    newest = Coalesce(Subquery(_published(OuterRef("section")).values("number")[:1]), 0)
    NoticeSubscription.objects.annotate(newest=newest).filter(told_round__gt=F("newest")).update(
        told_round=newest, attempts=0
    )
    return _due().exists()


def notices_waiting() -> int:
    return _due().count()


def send_notices(compose: Compose) -> int:
    """Send all that are due, and return how many arrived at a push service."""
    sender = Sender(settings.PUSH_KEY, settings.PUSH_CONTACT, settings.PUSH_SERVICES)
    arrived = 0
    with closing(sender), ThreadPoolExecutor(AT_ONCE) as pool:
        while batch := list(_in_turn()[:BATCH]):
            messages = [(each, compose(each, each.newest)) for each in batch]  # type: ignore[attr-defined]
            answers = pool.map(lambda message: _sent(sender, *message), messages)
            arrived += _note(zip(batch, answers, strict=True))
    return arrived


def _sent(sender: Sender, to: NoticeSubscription, text: bytes) -> int:
    browser = Receiver(to.endpoint, decoded(to.point), decoded(to.secret))
    return sender.send(text, browser, f"section-{to.section_id}")


def _note(answers: Iterable[tuple[NoticeSubscription, int]]) -> int:
    """Note what became of each message. Return how many arrived.

    Few short statements: this process has low priority, and an arbiter who saves a result waits for its transactions.
    """
    outcomes = defaultdict[tuple[int, int], list[int]](list)  # (round, attempts so far, or DONE) -> keys
    gone: list[int] = []
    for each, status in answers:
        if status in GONE:
            gone.append(each.pk)
        else:
            arrived = 200 <= status < 300
            outcomes[each.newest, DONE if arrived else each.attempts].append(each.pk)  # type: ignore[attr-defined]
    NoticeSubscription.objects.filter(pk__in=gone).delete()
    now = timezone.now()
    for (number, attempts), keys in outcomes.items():
        waits = {"next_at": now + timedelta(seconds=FIRST_WAIT * 4**attempts)} if attempts != DONE else {}
        over = attempts == DONE or attempts + 1 >= TRIES
        values = {"told_round": number, "attempts": 0} if over else {"attempts": attempts + 1}
        NoticeSubscription.objects.filter(pk__in=keys).update(**values, **waits)
    return sum(len(keys) for (_round, attempts), keys in outcomes.items() if attempts == DONE)
