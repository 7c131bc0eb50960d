"""Password hashes, two at a time.

Argon2 takes 100 MB for each hash. Without a limit, a few people who guess passwords fill the memory of the server.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.utils.translation import gettext_noop as _

from tournaments.errors import Busy, Refusal

# Refusals
HASHING_BUSY = Refusal(
    "hashing_busy",
    _("Many people are logging in at this moment. Nothing was done. Do it again in a few seconds."),
    raises=Busy,
)


AT_ONCE = 2
WAITING = 3
PATIENCE = 5.0
"""Seconds. A thread that waits here cannot answer anybody else, so few may wait, and not for long."""


class HashingSlots:
    """at_once people work, at most `waiting` more wait for a place, for `patience` seconds each."""

    def __init__(self, at_once: int, waiting: int, patience: float) -> None:
        self._working = BoundedSemaphore(at_once)
        self._waiting = BoundedSemaphore(waiting)
        self._patience = patience

    @contextmanager
    def one(self) -> Iterator[None]:
        """Hold a place. Raises Busy if too many wait already, or if no place becomes free in time."""
        if not self._working.acquire(blocking=False):
            self._wait()
        try:
            yield
        finally:
            self._working.release()

    def _wait(self) -> None:
        if not self._waiting.acquire(blocking=False):
            raise HASHING_BUSY.error()
        try:
            if not self._working.acquire(timeout=self._patience):
                raise HASHING_BUSY.error()
        finally:
            self._waiting.release()


hashing_slots = HashingSlots(AT_ONCE, WAITING, PATIENCE)


class PatientArgon2PasswordHasher(Argon2PasswordHasher):
    """Django's Argon2, but only `AT_ONCE` hashes at the same time in this process. Raises Busy."""

    def encode(self, password: str, salt: str) -> str:
        with hashing_slots.one():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with hashing_slots.one():
            return super().verify(password, encoded)
