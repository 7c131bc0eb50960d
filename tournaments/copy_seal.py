"""The seal of a copy: an HMAC with a key that only this server has (docs/decisions/0045).

The key is made from SECRET_KEY. After a change of SECRET_KEY, the copies of before read as those of another server,
unless the old key is in SECRET_KEY_FALLBACKS.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypedDict

from django.conf import settings
from django.utils.crypto import salted_hmac

_PURPOSE = "tournaments.copy_seal"
COVERED = ("format", "kind", "version", "made_at", "state", "checksum")
"""The seal covers the head of the file, and with the checksum its content."""


class Origin(StrEnum):
    """Where a copy comes from, as its seal says."""

    OWN = "own"
    CHANGED = "changed"
    OTHER = "other"
    UNSEALED = "unsealed"


class Mark(TypedDict):
    """How a row of the log came here: with which file, made when, loaded when and by whom. Times in UTC, "" if unknown.

    key: names the key that sealed the file; "" if none did.
    """

    file: str
    made: str
    loaded: str
    by: str
    origin: str
    key: str


def own_marks(marks: Sequence[Mark]) -> Sequence[Mark]:
    """Return the marks that this server made itself, newest last. It cannot vouch for those before them.

    The last mark is always this server's. The mark before it came with the file, and is this server's only if the file
    was.
    """
    start = len(marks)
    while start and (start == len(marks) or marks[start]["origin"] == Origin.OWN):
        start -= 1
    return marks[start:]


def main_mark(marks: Sequence[Mark]) -> Mark | None:
    """Return the mark that says most about a row: with which file it came from outside, or else the last copy."""
    own = own_marks(marks)
    if not own:
        return None
    return own[-1] if own[0]["origin"] == Origin.OWN else own[0]


def seal(head: Mapping[str, Any]) -> dict[str, str]:
    """Return the seal for the head of a file: the name of the key, and the HMAC."""
    return {"key": key_name(settings.SECRET_KEY), "hmac": _hmac(head, settings.SECRET_KEY)}


def origin_of(file: Mapping[str, Any]) -> Origin:
    """Say where a file comes from. Its checksum fits already."""
    sealed = file.get("seal")
    if sealed is None:
        return Origin.UNSEALED
    for secret in _secrets():
        if sealed["key"] == key_name(secret):
            fits = hmac.compare_digest(sealed["hmac"].encode(), _hmac(file, secret).encode())
            return Origin.OWN if fits else Origin.CHANGED
    return Origin.OTHER


def key_name(secret: str) -> str:
    """Return the name of the key that is made from this secret. It says nothing about the key itself."""
    return salted_hmac(f"{_PURPOSE}.name", "", secret, algorithm="sha256").hexdigest()[:16]


def _secrets() -> Iterator[str]:
    yield settings.SECRET_KEY
    yield from settings.SECRET_KEY_FALLBACKS


def _hmac(head: Mapping[str, Any], secret: str) -> str:
    covered = json.dumps([head.get(name) for name in COVERED], separators=(",", ":"))
    return salted_hmac(_PURPOSE, covered, secret, algorithm="sha256").hexdigest()
