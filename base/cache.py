"""The one cache of the site: values in the memory of this process, for as long as they are right and there is room.

The key and the basis of a value say everything on which it depends, so no value is out of date, and no process needs a
message from another one. What has no such basis, such as a login, has an age.

Whoever finds a value takes no lock: a hit is one look into a dict, and notes its time at the value. Both are single
steps for the interpreter, with and without its global lock, and no value is changed after it was put. Only what changes
the dict itself takes the lock. The dict is put into the order of use when that order is needed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Generic, Protocol, TypeVar
from weakref import WeakSet

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class CacheBusyError(Exception):
    """Another thread makes the value, and has not finished it in time."""


class Clearable(Protocol):
    def clear(self) -> None: ...


_registered: WeakSet[Clearable] = WeakSet()
_registering = Lock()


def register(kept: Clearable) -> None:
    """Let `clear_caches` empty this too. Every `Cache` does this by itself."""
    with _registering:
        _registered.add(kept)


def clear_caches() -> None:
    """Empty everything that the process keeps in memory. Tests do this before each test."""
    with _registering:
        found = list(_registered)
    for kept in found:
        kept.clear()


@dataclass(slots=True)
class _Held(Generic[Value]):
    """at: when it was put, by `monotonic`. asked: when it was last found. ordered: `asked`, as its place says it."""

    value: Value
    basis: object
    weight: int
    at: float
    asked: float
    ordered: float


@dataclass(slots=True)
class _Making(Generic[Value]):
    """A value that some thread makes now. made: () until then, and if that failed."""

    basis: object
    done: Event = field(default_factory=Event)
    made: tuple[Value, ...] = ()
    is_kept: bool = False


class Cache(Generic[Key, Value]):
    """Values by key; the one that was asked for longest ago is dropped first. Threads may share it.

    most: how many values, or their weight together; a function if a setting says it. weight: of a value, such as its
    bytes. seconds: after which a value is no longer right. dropped: called with the key of a value that has no more
    room; it must be quick, and must not use this cache.
    """

    def __init__(
        self,
        most: int | Callable[[], int],
        *,
        weight: Callable[[Value], int] = lambda _value: 1,
        seconds: float = float("inf"),
        dropped: Callable[[Key], object] = lambda _key: None,
    ) -> None:
        self._most, self._weigh, self._seconds, self._dropped = most, weight, seconds, dropped
        self._held: dict[Key, _Held[Value]] = {}
        self._making: dict[Key, _Making[Value]] = {}
        self._lock = Lock()
        self.weight = 0
        register(self)

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, key: Key) -> bool:
        return self._found(key, None) is not None

    def get(self, key: Key, *, basis: object = None, within: float = float("inf")) -> Value | None:
        """Return the value if it is here, was made from this basis, and was put in the last `within` seconds."""
        held = self._found(key, basis)
        if held is None or (within < self._seconds and time.monotonic() - held.at >= within):
            return None
        return held.value

    def items(self, keys: Iterable[Key] | None = None) -> list[tuple[Key, Value]]:
        """Return all keys and values that are still right, the one that was asked for longest ago first.

        keys: only those of these keys.
        """
        since = time.monotonic() - self._seconds
        with self._lock:
            found = {
                key: self._held[key] for key in (self._held if keys is None else keys) if key in self._held
            }
        in_order = sorted(found.items(), key=lambda each: each[1].asked)
        return [(key, held.value) for key, held in in_order if held.at > since]

    def put(self, key: Key, value: Value, *, basis: object = None) -> None:
        with self._lock:
            self._put(key, value, basis)

    def replace(self, key: Key, renew: Callable[[Value | None], Value | None]) -> bool:
        """Put what `renew` returns for the value that is here, or for None. Return False if it returns None.

        No other thread comes between. So `renew` must be quick, and must not use this cache.
        """
        with self._lock:
            held = self._found(key, None)
            value = renew(None if held is None else held.value)
            if value is not None:
                self._put(key, value, None)
            return value is not None

    def make(
        self,
        key: Key,
        work: Callable[[], Value],
        *,
        basis: object = None,
        keep: Callable[[Value], bool] = lambda _value: True,
        patience: float | None = None,
    ) -> Value:
        """Return the value made from this basis. One thread calls `work`, and the others wait for it.

        keep: says of a finished value whether it is kept. If not, the threads that waited make their own. What `work`
        raises is not kept either. Raises CacheBusyError after waiting for `patience` seconds.
        """
        held = self._found(key, basis)
        if held is not None:
            return held.value
        until = None if patience is None else time.monotonic() + patience
        while True:
            with self._lock:
                held = self._found(key, basis)
                if held is not None:
                    return held.value
                all_making = self._making
                making = all_making.get(key)
                if making is None or making.basis != basis:
                    mine = all_making[key] = _Making(basis)
                    break
            if not making.done.wait(None if until is None else max(0.0, until - time.monotonic())):
                raise CacheBusyError
            if making.made:
                return making.made[0] if making.is_kept else work()
        try:
            value = work()
            mine.made = (value,)
            mine.is_kept = keep(value)
            return value
        finally:
            with self._lock:
                if all_making.get(key) is mine:  # nobody has come with another basis
                    del all_making[key]
                if mine.is_kept and all_making is self._making:
                    self._put(key, mine.made[0], basis)
            mine.done.set()

    def discard(self, key: Key) -> None:
        with self._lock:
            self._drop(key)

    def clear(self) -> None:
        """Drop everything, also what is being made: it is given to those who wait for it, and not kept."""
        with self._lock:
            self._held, self._making = {}, {}
            self.weight = 0

    def _found(self, key: Key, basis: object) -> _Held[Value] | None:
        held = self._held.get(key)
        if held is None or not (held.basis is basis or held.basis == basis):
            return None
        now = time.monotonic()
        if now - held.at >= self._seconds:
            return None
        held.asked = now
        return held

    def _put(self, key: Key, value: Value, basis: object) -> None:
        self._drop(key)
        weight, most = self._weigh(value), self._most() if callable(self._most) else self._most
        if weight > most:
            return
        now = time.monotonic()
        self._held[key] = _Held(value, basis, weight, now, now, now)
        self.weight += weight
        while self.weight > most:
            oldest = next(iter(self._held))
            if self._held[oldest].asked > self._held[oldest].ordered:
                self._put_in_order()
                oldest = next(iter(self._held))
            self._drop(oldest)
            self._dropped(oldest)

    def _put_in_order(self) -> None:
        """Put the values in the order of use, into a new dict, because others look into this one meanwhile."""
        for held in self._held.values():
            held.ordered = held.asked
        self._held = dict(sorted(self._held.items(), key=lambda each: each[1].ordered))

    def _drop(self, key: Key) -> None:
        held = self._held.pop(key, None)
        self.weight -= held.weight if held else 0
