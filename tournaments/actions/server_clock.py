"""Whether the time of the server is right, before anything is deleted or ends because of the time.

A computer can start with a wrong date, and a single look at the clock shows nothing. So the server notes the time again
and again. If the time has jumped by more than a day since the last note, it is in doubt: nothing counts as over that
was not over before the jump. The doubt ends if the clock is put right, if the server has run for a day since the jump,
or if a site owner says that the time is right.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from tournaments.models import ActionLog, LoginSession, ServerClock

JUMP = timedelta(days=1)
ENOUGH = timedelta(days=1)
"""The server has run for this long since the jump: the time is right, or somebody would have noticed."""
GRAIN = timedelta(minutes=1)
LOOKS = timedelta(minutes=15)
"""Between two looks of a server that runs."""


def sure_now(now: datetime | None = None) -> datetime:
    """Note the time, and return it; if it is in doubt, the last time before the jump."""
    now = now or timezone.now()
    row = ServerClock.objects.filter(pk=ServerClock.ONLY).first()
    if row is None or not timedelta(0) <= now - row.seen_at < GRAIN:
        row = _note(now)
    return row.doubted_from or now


def doubted_from() -> datetime | None:
    """Return the last time before a jump of the clock that nobody has confirmed, None without a doubt. One query."""
    return ServerClock.objects.filter(pk=ServerClock.ONLY).values_list("doubted_from", flat=True).first()


def trust_clock() -> None:
    """End the doubt: a site owner has compared the time of the server with a clock."""
    ServerClock.objects.filter(pk=ServerClock.ONLY).update(doubted_from=None, seen_at=timezone.now())


def _note(now: datetime) -> ServerClock:
    with transaction.atomic():
        row = ServerClock.objects.select_for_update().filter(pk=ServerClock.ONLY).first()
        if row is None:
            first = ServerClock(pk=ServerClock.ONLY, seen_at=_newest_sign() or now)
            ServerClock.objects.bulk_create([first], ignore_conflicts=True)  # another server may make it too
            row = ServerClock.objects.select_for_update().get(pk=ServerClock.ONLY)
        _compare(row, now)
        row.save()
    return row


def _compare(row: ServerClock, now: datetime) -> None:
    gap = now - row.seen_at
    if row.doubted_from is None:
        if gap > JUMP:
            row.doubted_from, row.ran = row.seen_at, 0
    elif -JUMP <= now - row.doubted_from <= JUMP + timedelta(seconds=row.ran):
        row.doubted_from = None  # the clock was put right
    elif timedelta(0) <= gap <= LOOKS:
        row.ran += gap.total_seconds()
        if row.ran >= ENOUGH.total_seconds():
            row.doubted_from = None
    elif abs(gap) > JUMP:
        row.ran = 0
    row.seen_at = now


def _newest_sign() -> datetime | None:
    """Return when somebody last did something here, for a database in which no time was noted yet."""
    signs = [
        ActionLog.objects.order_by("-pk").values_list("at", flat=True).first(),
        LoginSession.objects.order_by("-seen_at").values_list("seen_at", flat=True).first(),
    ]
    return max((sign for sign in signs if sign is not None), default=None)
