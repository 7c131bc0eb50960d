"""The state of the copies: proved or not, and copied to another place or not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from tournaments.models import Chore, CopyProof, Section

LATE = 3
"""Copies in another place are late after so many times BACKUP_EVERY."""
COPIES = "copies"
PLACE = "stored in "
"""With the key of a directory: the name of the row that says which host has its stored copies there."""
SEEN = timedelta(minutes=25)


@dataclass(frozen=True, slots=True)
class CopiesElsewhere:
    """Copies in BACKUP_TO. place: "" if it is not set. done_at: the last time that all went well.

    error: why the last time failed, "" if it did not. asked: somebody asked for copies, or they are being made. late:
    the last ones are too old.
    """

    place: str
    every: int
    done_at: datetime | None = None
    error: str = ""
    error_at: datetime | None = None
    asked: bool = False
    late: bool = False


def copies_elsewhere(now: datetime | None = None) -> CopiesElsewhere:
    """Return the state of the copies in another place. One query, none without BACKUP_TO."""
    if not settings.BACKUP_TO:
        return CopiesElsewhere("", settings.BACKUP_EVERY)
    now = now or timezone.now()
    found = Chore.objects.filter(name=COPIES).first()
    if found is None:
        return CopiesElsewhere(settings.BACKUP_TO, settings.BACKUP_EVERY)
    limit = timedelta(minutes=LATE * settings.BACKUP_EVERY)
    return CopiesElsewhere(
        place=settings.BACKUP_TO,
        every=settings.BACKUP_EVERY,
        done_at=found.done_at,
        error=found.error,
        error_at=found.error_at if found.error else None,
        asked=found.asked_at is not None or (found.until is not None and found.until > now),
        late=found.done_at is not None and now - found.done_at > limit,
    )


def hosts_apart(now: datetime | None = None) -> list[str]:
    """Return the hosts that have stored copies in directories of their own; none if all share one. One query."""
    rows = Chore.objects.filter(name__startswith=PLACE, done_at__gt=(now or timezone.now()) - SEEN)
    hosts = list(rows.order_by("holder").values_list("holder", flat=True))
    return hosts if len(hosts) > 1 else []


def failed_proofs(section: Section) -> int:
    """Return how many stored copies of the section could not be restored. One query."""
    return section.copy_proofs.exclude(fault="").count()


def copies_state(now: datetime | None = None) -> tuple[bool, dict[str, object]]:
    """Return whether all is well with the copies of this server, and facts for monitors. At most four queries.

    The facts name no directory and no event, because everybody can ask for them.
    """
    failed = CopyProof.objects.exclude(fault="").count()
    latest = CopyProof.objects.order_by("-at").values_list("at", flat=True).first()
    there, apart = copies_elsewhere(now), len(hosts_apart(now))
    facts: dict[str, object] = {
        "proofs_failed": failed,
        "last_proof": latest.isoformat() if latest else None,
        "elsewhere": bool(there.place),
        "elsewhere_last": there.done_at.isoformat() if there.done_at else None,
        "elsewhere_failed": bool(there.error),
        "elsewhere_late": there.late,
        "directories": apart or 1,
    }
    return not (failed or there.error or there.late or apart), facts
