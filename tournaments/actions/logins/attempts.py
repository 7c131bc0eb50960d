"""How many attempts to log in may fail, and how long the next attempt must wait.

An attempt is counted before the password is checked, so that attempts at the same moment all count, and it is taken off
again if it succeeds. These counts make a wait, and the longest wait applies:

    the name from this source    a person who has forgotten a password, or one who guesses
    the name from everywhere     many computers that guess one person's password
    the address                  one computer that tries many names; only different names count; not for passwords
                                 and codes

A hall shares one address, so one arbiter's mistakes do not delay another. A browser that has logged in under a name
before is a source of its own for this name: the failures of others never delay it. An address from which the name has
logged in before is not delayed by failures from elsewhere. Nothing depends on whether the name exists.

docs/decisions/0042 gives the reasons.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from time import monotonic

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Count, F, Max, Sum
from django.utils import timezone
from django.utils.crypto import salted_hmac

from base.cache import Cache
from base.networks import network
from tournaments.actions.chores import sure_now
from tournaments.actions.ledger import transaction_or_busy
from tournaments.errors import WAIT, Busy
from tournaments.models import LoginTrials
from tournaments.queries.site import cannot_write

MEMORY = timedelta(days=1)
"""Failures older than this do not count."""
GOOD = timedelta(days=60)
"""How long an address from which somebody has logged in is remembered."""
MOST_ROWS = 20_000
LONGEST_NAME = 150
"""Characters. No login has a longer name."""
UNWRITTEN = 0
"""In place of the row of an attempt that could not be written, because the disk is full."""
MOST_UNWRITTEN = 10
"""Such attempts in a minute, of everybody together."""
_unwritten: Cache[str, tuple[float, ...]] = Cache(1)
"""When there were such attempts in the last minute, under one key."""
SWEEP = 50
"""Old rows are deleted at every fiftieth new row."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """The first `free` failures cost nothing. Then each failure doubles the wait: `first` seconds to `most` seconds."""

    free: int
    first: int
    most: int

    def wait(self, failures: int) -> timedelta:
        if failures < self.free:
            return timedelta(0)
        doubled = min(failures - self.free, 20)
        return timedelta(seconds=min(self.most, self.first * 2**doubled))


@dataclass(frozen=True, slots=True)
class Purpose:
    """What is tried. Each purpose has counts of its own. address: None if different names are not counted."""

    key: str
    here: Backoff
    name: Backoff
    address: Backoff | None


# Somebody who tries many names must not keep others at the same address out, so different names are not counted here.
PASSWORD = Purpose("password", Backoff(5, 5, 900), Backoff(20, 10, 300), None)
# A code has six digits, so a person who knows the password may try only a few on one day.
CODE = Purpose("code", Backoff(5, 10, 1800), Backoff(20, 120, 3600), None)
# Each request may send a mail, so all of them count, not only those that fail.
MAIL = Purpose("mail", Backoff(2, 120, 3600), Backoff(4, 300, 3600), Backoff(10, 30, 600))

# A person who makes a login learns whether its name is taken. A name counts whether it is taken or not, so that one
# address neither lists the logins nor makes hundreds of them; ten people of one hall can make theirs at once.
SIGN_UP = Purpose("sign-up", Backoff(5, 10, 900), Backoff(20, 10, 300), Backoff(10, 30, 900))


@dataclass(frozen=True, slots=True)
class LoginSource:
    """Where an attempt comes from: the address, and the key of the browser if it is known for this name."""

    address: str
    device: str = ""

    def address_key(self, purpose: Purpose) -> str:
        return _digest(f"{purpose.key} address", network(self.address))

    def key(self, purpose: Purpose) -> str:
        return _digest(f"{purpose.key} device", self.device) if self.device else self.address_key(purpose)


@dataclass(slots=True)
class Trial:
    """An attempt. Say `succeeded` if it did; otherwise it stays counted. name, address: hashes."""

    row: int
    name: str
    address: str
    good: bool = False

    def succeeded(self) -> None:
        self.good = True


@contextmanager
def trial(purpose: Purpose, name: str, source: LoginSource) -> Iterator[Trial]:
    """Count an attempt for as long as it does not succeed. Raises Wait before the block, without any writing.

    If the block raises Busy, nothing was tried, and nothing is counted.
    """
    begun = _begin(purpose, name, source)
    try:
        yield begun
    except Busy:
        _take_back(begun, good=False)
        raise
    if begun.good:
        _take_back(begun, good=True)


def login_name_key(purpose: str, name: str) -> str:
    """Return the hash of a login name: the same for capitals, for spaces around it, and for other ways to write é.

    Only the first LONGEST_NAME characters count. Accents without end would keep Python busy (base/text.py).
    """
    written = unicodedata.normalize("NFKC", name.strip()[:LONGEST_NAME]).strip().casefold()
    return _digest(purpose, written)


def _digest(salt: str, value: str) -> str:
    return salted_hmac(f"tournaments.login_trials.{salt}", value, algorithm="sha256").hexdigest()[:32]


def _begin(purpose: Purpose, name: str, source: LoginSource) -> Trial:
    name, key = login_name_key(purpose.key, name), source.key(purpose)
    now = timezone.now()
    _refuse(purpose, name, key, source, now)
    try:
        with transaction_or_busy():
            row = _locked(name, key, known_device=bool(source.device), now=now)
            now = timezone.now()
            _refuse(purpose, name, key, source, now)
            row.failures = 1 if row.last_at < now - MEMORY else row.failures + 1
            row.last_at = now
            row.save(update_fields=["failures", "last_at"])
            if row.failures == 1 and row.pk % SWEEP == 0:
                forget_login_trials(sure_now(now))
    except DatabaseError as error:
        if not cannot_write(error):
            raise
        _count_unwritten()
        return Trial(UNWRITTEN, name, source.address_key(purpose))
    return Trial(row.pk, name, source.address_key(purpose))


def _count_unwritten() -> None:
    """Let few attempts through while none can be counted in the database. Raises Wait."""
    now = monotonic()

    def counted(tried: tuple[float, ...] | None) -> tuple[float, ...]:
        recent = tuple(at for at in tried or () if now - at <= 60)
        if len(recent) >= MOST_UNWRITTEN:
            raise WAIT.error(seconds=ceil(60 - (now - recent[0])))
        return (*recent, now)

    _unwritten.replace("", counted)


def _locked(name: str, key: str, *, known_device: bool, now: datetime) -> LoginTrials:
    rows = LoginTrials.objects.select_for_update().filter(name=name, source=key)
    row = rows.first()
    if row is None:
        try:
            with transaction.atomic():
                return LoginTrials.objects.create(
                    name=name, source=key, known_device=known_device, last_at=now
                )
        except IntegrityError:  # a second attempt at the same moment has made the row
            row = rows.get()
    return row


def _refuse(purpose: Purpose, name: str, key: str, source: LoginSource, now: datetime) -> None:
    """Raise Wait if one of the counts asks for it."""
    ends: list[tuple[datetime, timedelta]] = []  # the last failure, and the wait after it
    recent = LoginTrials.objects.filter(failures__gt=0, last_at__gte=now - MEMORY)
    here = LoginTrials.objects.filter(name=name, source=key).first()
    if here and here.last_at >= now - MEMORY:
        ends.append((here.last_at, purpose.here.wait(here.failures)))
    if not source.device and not (here and here.good_at):
        of_name = recent.filter(name=name, known_device=False).aggregate(Sum("failures"), Max("last_at"))
        if of_name["last_at__max"]:
            ends.append((of_name["last_at__max"], purpose.name.wait(of_name["failures__sum"])))
        if purpose.address is not None:
            of_address = recent.filter(source=key).aggregate(Count("pk"), Max("last_at"))
            if of_address["last_at__max"]:
                ends.append((of_address["last_at__max"], purpose.address.wait(of_address["pk__count"])))
    # without a wait, an attempt that began a moment later in another thread must not refuse this one
    until = max((last + wait for last, wait in ends if wait), default=now)
    if until > now:
        raise WAIT.error(seconds=ceil((until - now).total_seconds()))


def _take_back(begun: Trial, *, good: bool) -> None:
    if begun.row == UNWRITTEN:
        return
    with transaction_or_busy():
        row = LoginTrials.objects.select_for_update().filter(pk=begun.row).first()
        if row is None:
            return
        row.failures = 0 if good else max(row.failures - 1, 0)
        row.save(update_fields=["failures"])
        if good:  # also if the source is a browser: its address is now known for this name
            now = timezone.now()
            LoginTrials.objects.update_or_create(
                name=begun.name,
                source=begun.address,
                defaults={"good_at": now},
                create_defaults={"good_at": now, "last_at": now},
            )


def forget_login_trials(now: datetime) -> None:
    """Delete rows that no longer count. If there are too many, delete those with the fewest failures, then the oldest.

    Known addresses are deleted last. So thousands of invented names do not push out the name that somebody guesses.
    """
    LoginTrials.objects.filter(last_at__lt=now - MEMORY, good_at=None).delete()
    LoginTrials.objects.filter(last_at__lt=now - GOOD).delete()
    too_many = LoginTrials.objects.count() - MOST_ROWS
    if too_many > 0:
        least = LoginTrials.objects.order_by(F("good_at").asc(nulls_first=True), "failures", "last_at")
        LoginTrials.objects.filter(pk__in=list(least.values_list("pk", flat=True)[:too_many])).delete()
