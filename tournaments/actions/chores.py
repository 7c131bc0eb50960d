"""Work that the program does by itself: who does it, when it was done, and what went wrong."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from ratings.actions.fetching import origins_due
from ratings.actions.importing import waiting_lists
from ratings.actions.renewing import outdated_lists
from tournaments.models import Chore

COPIES = "copies"
"""Copies of every event in BACKUP_TO, every BACKUP_EVERY minutes."""
PROOFS = "proofs"
"""Test restores of the stored copies."""

NOTICES = "notices"
"""Notices for phones when a round is published."""

WEBHOOKS = "webhooks"
"""Messages to other programs."""

RATING_LISTS = "rating lists"
"""Rating lists that are fetched and imported."""


def chore(name: str) -> Chore:
    """Return the state of the work; a new one if it was never done."""
    found, _ = Chore.objects.get_or_create(name=name)
    return found


def take(name: str, holder: str, lease: timedelta) -> bool:
    """Take the work for some time, unless another process has it. One UPDATE, so only one of several gets it."""
    chore(name)
    now = timezone.now()
    free = Q(until=None) | Q(until__lt=now) | Q(holder=holder)
    taken = Chore.objects.filter(free, name=name).update(holder=holder, until=now + lease)
    return bool(taken)


def finish(
    name: str, holder: str, *, error: str = "", place: str = "", began: datetime | None = None
) -> None:
    """Note the outcome and give the work back. error: "" if all went well. began: requests up to then are fulfilled."""
    now = timezone.now()
    outcome = {"error": error[:300], "error_at": now} if error else {"error": "", "done_at": now}
    own = Chore.objects.filter(name=name, holder=holder)
    own.update(until=None, holder="", place=place[:300], **outcome)
    Chore.objects.filter(name=name, asked_at__lte=began or now).update(asked_at=None)


def give_back(name: str, holder: str) -> None:
    """Give the work back without an outcome: the program ends."""
    Chore.objects.filter(name=name, holder=holder).update(until=None, holder="")


def ask_for_copies() -> None:
    """Ask for copies in BACKUP_TO now. The process that does this work looks at it every few seconds."""
    chore(COPIES)
    Chore.objects.filter(name=COPIES).update(asked_at=timezone.now())


def copies_are_due(now: datetime | None = None) -> bool:
    """Return whether copies in BACKUP_TO are to be made. After a failure they are tried again at the next time."""
    if not settings.BACKUP_TO:
        return False
    found = chore(COPIES)
    if found.asked_at is not None or found.place != settings.BACKUP_TO[:300]:
        return True
    last = max(filter(None, (found.done_at, found.error_at if found.error else None)), default=None)
    every = timedelta(minutes=settings.BACKUP_EVERY)
    return last is None or (now or timezone.now()) - last >= every


def lists_are_due() -> bool:
    """Return whether a rating list waits for its import, an address for a look, or a search to be built again."""
    return bool(waiting_lists() or origins_due() or outdated_lists())
