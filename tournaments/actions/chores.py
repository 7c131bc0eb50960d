"""Work that the program does by itself: who does it, when it was done, and what went wrong.

It leaves the processor to the arbiters, and it looks first whether the time of the server is right. A computer can
start with a wrong date, and a single look at the clock shows nothing. So the server notes the time again and again.
If the time has jumped by more than a day since the last note, it is in doubt: nothing counts as over that was not
over before the jump. The doubt ends if the clock is put right, if the server has run for a day since the jump, or if
a site owner says that the time is right.
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from threading import Thread

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from ratings.actions.fetching import origins_due
from ratings.actions.importing import outdated_lists, waiting_lists
from tournaments.models import ActionLog, Chore, LoginSession, ServerClock

# Work in the background leaves the processor to the arbiters, and ends with the server that began it.

LOWEST = 19
BY_SERVER = "EVENBOARD_WORK_OF_SERVER"
"""Set in the environment of a process that a server started, whose input is open for as long as the server lives."""


def be_gentle() -> None:
    """Give this process the lowest priority. On Windows, the program that starts it has done so.

    If a server started it, it ends when the server is killed: after the lease, another server does the work.
    """
    if hasattr(os, "nice"):
        os.nice(LOWEST)
    if BY_SERVER in os.environ:
        Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    os.read(0, 1)
    os._exit(1)


# Whether the time of the server is right, before anything is deleted or ends because of the time.
#
# A computer can start with a wrong date, and a single look at the clock shows nothing. So the server notes
# the time again and again. If the time has jumped by more than a day since the last note, it is in doubt:
# nothing counts as over that was not over before the jump. The doubt ends if the clock is put right, if the
# server has run for a day since the jump, or if a site owner says that the time is right.

CLOCK_JUMP = timedelta(days=1)
ENOUGH_SECONDS = timedelta(days=1)
"""The server has run for this long since the jump: the time is right, or somebody would have noticed."""
CLOCK_GRAIN = timedelta(minutes=1)
CLOCK_LOOKS = timedelta(minutes=15)
"""Between two looks of a server that runs."""


def sure_now(now: datetime | None = None) -> datetime:
    """Note the time, and return it; if it is in doubt, the last time before the jump."""
    now = now or timezone.now()
    row = ServerClock.objects.filter(pk=ServerClock.ONLY).first()
    if row is None or not timedelta(0) <= now - row.seen_at < CLOCK_GRAIN:
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
        if gap > CLOCK_JUMP:
            row.doubted_from, row.ran = row.seen_at, 0
    elif -CLOCK_JUMP <= now - row.doubted_from <= CLOCK_JUMP + timedelta(seconds=row.ran):
        row.doubted_from = None  # the clock was put right
    elif timedelta(0) <= gap <= CLOCK_LOOKS:
        row.ran += gap.total_seconds()
        if row.ran >= ENOUGH_SECONDS.total_seconds():
            row.doubted_from = None
    elif abs(gap) > CLOCK_JUMP:
        row.ran = 0
    row.seen_at = now


def _newest_sign() -> datetime | None:
    """Return when somebody last did something here, for a database in which no time was noted yet."""
    signs = [
        ActionLog.objects.order_by("-pk").values_list("at", flat=True).first(),
        LoginSession.objects.order_by("-seen_at").values_list("seen_at", flat=True).first(),
    ]
    return max((sign for sign in signs if sign is not None), default=None)


COPIES = "copies"
"""Copies of every event in BACKUP_TO, every BACKUP_EVERY minutes."""
PROOFS = "proofs"
"""Test restores of the stored copies."""

PAGES = "pages"
"""The check of all pages of a PostgreSQL database. `place` is how many tables and indexes were not read in time."""

NOTICES = "notices"
"""Notices for phones when a round is published."""

WEBHOOKS = "webhooks"
"""Messages to other programs."""

REHEARSALS = "rehearsals"
"""What the clocks of rehearsals do."""

RATING_LISTS = "rating lists"
"""Rating lists that are fetched and imported."""


def chore_named(name: str) -> Chore:
    """Return the state of the work; a new one if it was never done."""
    found, _ = Chore.objects.get_or_create(name=name)
    return found


def take_chore(name: str, holder: str, lease: timedelta) -> bool:
    """Take the work for some time, unless another process has it. One UPDATE, so only one of several gets it.

    The clock of the database counts, because the clocks of hosts may differ by more than a lease.
    """
    chore_named(name)
    free = Q(until=None) | Q(until__lt=Now()) | Q(holder=holder)
    taken = Chore.objects.filter(free, name=name).update(holder=holder, until=Now() + lease)
    return bool(taken)


def finish_chore(
    name: str, holder: str, *, error: str = "", place: str = "", began: datetime | None = None
) -> None:
    """Note the outcome and give the work back. error: "" if all went well. began: requests up to then are fulfilled."""
    now = timezone.now()
    outcome = {"error": error[:300], "error_at": now} if error else {"error": "", "done_at": now}
    own = Chore.objects.filter(name=name, holder=holder)
    own.update(until=None, holder="", place=place[:300], **outcome)
    Chore.objects.filter(name=name, asked_at__lte=began or now).update(asked_at=None)


def give_back_chore(name: str, holder: str) -> None:
    """Give the work back without an outcome: the program ends."""
    Chore.objects.filter(name=name, holder=holder).update(until=None, holder="")


def ask_for_copies() -> None:
    """Ask for copies in BACKUP_TO now. The process that does this work looks at it every few seconds."""
    chore_named(COPIES)
    Chore.objects.filter(name=COPIES).update(asked_at=timezone.now())


def copies_are_due(now: datetime | None = None) -> bool:
    """Return whether copies in BACKUP_TO are to be made. After a failure they are tried again at the next time."""
    if not settings.BACKUP_TO:
        return False
    found = chore_named(COPIES)
    if found.asked_at is not None or found.place != settings.BACKUP_TO[:300]:
        return True
    last = max(filter(None, (found.done_at, found.error_at if found.error else None)), default=None)
    every = timedelta(minutes=settings.BACKUP_EVERY)
    return last is None or (now or timezone.now()) - last >= every


def lists_are_due() -> bool:
    """Return whether a rating list waits for its import, an address for a look, or a search to be built again."""
    return bool(waiting_lists() or origins_due() or outdated_lists())
