"""The second factor: codes of an app, and recovery codes for the day on which the phone is lost."""

from __future__ import annotations

import secrets
from time import monotonic

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_noop as _

from base.cache import Cache
from tournaments.errors import WAIT, Refusal
from tournaments.models import RecoveryCode, SecondFactor, User
from tournaments.queries.site import cannot_write

from . import totp
from .sessions import end_sessions

# Refusals
WRONG_CODE = Refusal(
    "wrong_code", _("This code is not valid. Type the newest code of your app. Each code works only once.")
)
RECOVERY_CODE_WAITS = Refusal(
    "recovery_code_waits",
    _(
        "The server cannot save now, so it cannot mark a recovery code as used. Type the newest code of your app."
    ),
)
SECOND_FACTOR_ON = Refusal("second_factor_on", _("The second factor is already on."))


RECOVERY_CODES = 10
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class Unwritten:
    """The last code of each person that was used while the database could not be written, by the step of its time.

    first: the first step whose codes no earlier process can have taken.
    """

    def __init__(self) -> None:
        self.first = totp.step_at(timezone.now().timestamp()) + totp.DRIFT + 1
        self._last: Cache[int, int] = Cache(100_000)

    def last(self, user: int) -> int:
        return self._last.get(user) or 0

    def use(self, user: int, step: int) -> bool:
        """Note that a code was used; return False if it was used before, perhaps a moment ago."""
        return self._last.replace(user, lambda last: step if step > (last or 0) else None)


unwritten = Unwritten()


def is_on(user: User) -> bool:
    return SecondFactor.objects.filter(user=user, confirmed_at__isnull=False).exists()


def prepare(user: User) -> SecondFactor:
    """Return the row whose secret goes into the app. It does not count before `turn_on`.

    Raises DomainError("second_factor_on").
    """
    fresh = {"nonce": secrets.token_urlsafe(32)}
    row, _made = SecondFactor.objects.get_or_create(user=user, defaults=fresh)
    if row.confirmed_at is not None:
        raise SECOND_FACTOR_ON.error()
    return row


def secret_of(row: SecondFactor, key: str | None = None) -> bytes:
    """Return the app's secret: 160 bits made from the server's key and a random number.

    So the database alone does not contain it. key: an earlier key of the server, if not the current one.
    """
    salt, value = "tournaments.second_factor", f"{row.pk}:{row.nonce}"
    return salted_hmac(salt, value, secret=key, algorithm="sha256").digest()[:20]


def turn_on(*, user: User, code: str, session: str = "") -> list[str]:
    """Turn the second factor on with the first code of the app; return the recovery codes, which are shown once.

    All sessions of the person end, because a password alone opened them, except `session`: its holder shows a code.

    Raises DomainError: wrong_code, second_factor_on.
    """
    with transaction.atomic():
        row = SecondFactor.objects.select_for_update().filter(user=user).first()
        if row is None:
            raise WRONG_CODE.error()
        if row.confirmed_at is not None:
            raise SECOND_FACTOR_ON.error()
        if not _by_app(row, _plain(code)):
            raise WRONG_CODE.error()
        row.confirmed_at = timezone.now()
        row.save(update_fields=["confirmed_at"])
        end_sessions(user=user, except_for=session)
        return _new_codes(user)


def check_code(*, user: User, code: str) -> None:
    """Use up a code of the app or a recovery code. Raises DomainError("wrong_code").

    While the database cannot be written, the process remembers the codes of apps that were used; the processes of a
    server with PostgreSQL know it of each other by a lock there. So no code works twice. A recovery code is a row that
    must be deleted. Raises DomainError("recovery_code_waits"), and Wait soon after the start.
    """
    written = _plain(code)
    try:
        _check(user, written)
    except DatabaseError as error:
        if not cannot_write(error):
            raise
        _check_in_memory(user, written)


def _check(user: User, written: str) -> None:
    with transaction.atomic():
        row = SecondFactor.objects.select_for_update().filter(user=user, confirmed_at__isnull=False).first()
        if row is None:
            raise WRONG_CODE.error()
        if _by_app(row, written):
            return
        codes = _recovery_codes(user, written)
        if not codes.exists() or not codes.delete()[0]:  # only looking needs no room on the disk
            raise WRONG_CODE.error()


def _check_in_memory(user: User, written: str) -> None:
    """Use up a code of the app without writing. Raises Wait, DomainError."""
    row = SecondFactor.objects.filter(user=user, confirmed_at__isnull=False).first()
    now = timezone.now().timestamp()
    step = _step_of(row, written, now) if row else None
    if step is None:
        if row is not None and _recovery_codes(user, written).exists():
            raise RECOVERY_CODE_WAITS.error()
        raise WRONG_CODE.error()
    if step < unwritten.first:
        raise WAIT.error(seconds=unwritten.first * totp.STEP - int(now))
    if not unwritten.use(user.pk, step) or not _take(user.pk, step, kept=True):
        raise WRONG_CODE.error()


def _take(user: int, step: int, *, kept: bool) -> bool:
    """Return whether no other process has taken the code of this step; let none take it any more.

    kept: until the code is too old, although this transaction ends. This process remembers its own codes.
    """
    if connection.vendor != "postgresql":
        return True
    lock = "pg_try_advisory_lock" if kept else "pg_try_advisory_xact_lock"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {lock}(hashtextextended(%s, 0))", [f"second factor {user} {step}"])
        taken: bool = cursor.fetchone()[0]
    if kept and connection.close_at is not None:  # the lock ends with the connection
        connection.close_at = max(connection.close_at, monotonic() + totp.STEP * (2 * totp.DRIFT + 1))
    return taken


def _recovery_codes(user: User, written: str) -> QuerySet[RecoveryCode]:
    return RecoveryCode.objects.filter(user=user, digest__in=[_digest(user, written, key) for key in _keys()])


def turn_off(user: User) -> None:
    """Forget the app and the recovery codes. The caller has checked a password and a code, or is at the server."""
    with transaction.atomic():
        SecondFactor.objects.filter(user=user).delete()
        RecoveryCode.objects.filter(user=user).delete()


def renew_codes(user: User) -> list[str]:
    """Return new recovery codes. The old ones end."""
    with transaction.atomic():
        return _new_codes(user)


def _by_app(row: SecondFactor, code: str) -> bool:
    step = _step_of(row, code, timezone.now().timestamp())
    if step is None or not _take(row.pk, step, kept=False):
        return False
    row.last_step = step
    row.save(update_fields=["last_step"])
    return True


def _step_of(row: SecondFactor, code: str, now: float) -> int | None:
    """Return the step of a code of the app that was not used before, None if it is none."""
    last = max(row.last_step, unwritten.last(row.pk))
    steps = (totp.matching_step(secret_of(row, key), code, now, after=last) for key in _keys())
    return next((step for step in steps if step is not None), None)


def _keys() -> list[str]:
    """Return the server's keys. Apps and codes that an earlier key made still count."""
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def _new_codes(user: User) -> list[str]:
    RecoveryCode.objects.filter(user=user).delete()
    codes = ["-".join(_four() for _ in range(3)) for _ in range(RECOVERY_CODES)]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(user=user, digest=_digest(user, _plain(code))) for code in codes
    )
    return codes


def _four() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(4))


def _plain(code: str) -> str:
    return "".join(letter for letter in code.lower() if letter.isalnum())


def _digest(user: User, code: str, key: str | None = None) -> str:
    """Return the hash of a recovery code: a quick one with the server's key, because a code has 59 random bits."""
    salt, value = "tournaments.recovery_code", f"{user.pk}:{code}"
    return salted_hmac(salt, value, secret=key, algorithm="sha256").hexdigest()
