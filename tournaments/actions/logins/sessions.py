"""Sessions: noted when they begin and when they are used; listed for their owner, and ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from base.cache import Cache
from tournaments.models import LoginSession, User

GRAIN = timedelta(minutes=5)
"""A session's last visit is written at most once in this time, so that reading pages costs little writing."""
SOON = timedelta(minutes=1)
"""The same after a visit at which the person worked on a registration: others read there who does."""

_written: Cache[str, tuple[datetime, int | None]] = Cache(5_000)
"""When this process last wrote each session, and with which registration."""


def note_session(*, user: User, key: str, address: str, agent: str, registration: int | None = None) -> None:
    """Note that a session is used: one or two statements every five minutes, otherwise none.

    registration: the key of the one that the person works on. Another one than before is written at once, and
    the same one each minute.
    """
    now = timezone.now()

    def written(last: tuple[datetime, int | None] | None) -> tuple[datetime, int | None] | None:
        if last is None:
            return now, registration
        at, former = last
        grain = GRAIN if former is None else SOON
        return None if at <= now < at + grain and registration in (None, former) else (now, registration)

    if not _written.replace(key, written):
        return
    facts = {"seen_at": now, "address": address[:60], "agent": agent[:300], "registration": registration}
    if LoginSession.objects.filter(session_key=key).update(**facts):
        return
    try:
        with transaction.atomic():
            LoginSession.objects.create(user=user, session_key=key, started_at=now, **facts)
    except IntegrityError:
        return  # another request of the same session has just noted it


def forget_ended(user: User) -> None:
    """Delete what is noted about sessions of the person that are over."""
    LoginSession.objects.filter(user=user).exclude(Exists(_valid(timezone.now()))).delete()


def forget_ended_sessions(now: datetime) -> None:
    """Delete what is noted about the sessions of everybody that are over."""
    LoginSession.objects.exclude(Exists(_valid(now))).delete()


def sessions_of(user: User) -> QuerySet[LoginSession]:
    """Return the person's valid sessions, the one used last first."""
    return LoginSession.objects.filter(Exists(_valid(timezone.now())), user=user)


def end_session(*, user: User, session: int) -> None:
    """End one session of this person. It fails at its next request."""
    _end(user, list(LoginSession.objects.filter(user=user, pk=session).values_list("session_key", flat=True)))


def end_sessions(*, user: User, except_for: str = "") -> None:
    """End all sessions of this person, or all but one."""
    rows = LoginSession.objects.filter(user=user).exclude(session_key=except_for)
    _end(user, list(rows.values_list("session_key", flat=True)))


def session_moved(*, old: str, new: str) -> None:
    """Note that a session has got another key, as it does when the password changes."""
    LoginSession.objects.filter(session_key=old).update(session_key=new)


def _end(user: User, keys: Sequence[str]) -> None:
    with transaction.atomic():
        Session.objects.filter(session_key__in=keys).delete()
        LoginSession.objects.filter(user=user, session_key__in=keys).delete()


def _valid(now: datetime) -> QuerySet[Session]:
    return Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=now)
