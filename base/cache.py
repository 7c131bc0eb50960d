"""The one cache of the site: values in the memory of this process, for as long as they are right and there is room.

The key and the basis of a value say everything on which it depends, so no value is out of date, and no process needs a
message from another one. What has no such basis, such as a login, has an age.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
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
    """at: when it was put, by `monotonic`."""

    value: Value
    basis: object
    weight: int
    at: float


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
    bytes. seconds: after which a value is no longer right.
    """

    def __init__(
        self,
        most: int | Callable[[], int],
        *,
        weight: Callable[[Value], int] = lambda _value: 1,
        seconds: float = float("inf"),
    ) -> None:
        self._most, self._weigh, self._seconds = most, weight, seconds
        self._held: OrderedDict[Key, _Held[Value]] = OrderedDict()
        self._making: dict[Key, _Making[Value]] = {}
        self._lock = Lock()
        self.weight = 0
        register(self)

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, key: Key) -> bool:
        with self._lock:
            return self._found(key, None) is not None

    def get(self, key: Key, *, basis: object = None, within: float = float("inf")) -> Value | None:
        """Return the value if it is here, was made from this basis, and was put in the last `within` seconds."""
        with self._lock:
            held = self._found(key, basis, within)
            return None if held is None else held.value

    def items(self) -> list[tuple[Key, Value]]:
        """Return all keys and values that are still right, the one that was asked for longest ago first."""
        since = time.monotonic() - self._seconds
        with self._lock:
            return [(key, held.value) for key, held in self._held.items() if held.at > since]

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
            self._held.clear()
            self._making = {}
            self.weight = 0

    def _found(self, key: Key, basis: object, within: float = float("inf")) -> _Held[Value] | None:
        held = self._held.get(key)
        if held is None or time.monotonic() - held.at >= min(within, self._seconds) or held.basis != basis:
            return None
        self._held.move_to_end(key)
        return held

    def _put(self, key: Key, value: Value, basis: object) -> None:
        self._drop(key)
        weight, most = self._weigh(value), self._most() if callable(self._most) else self._most
        if weight > most:
            return
        self._held[key] = _Held(value, basis, weight, time.monotonic())
        self.weight += weight
        while self.weight > most:
            self._drop(next(iter(self._held)))

    def _drop(self, key: Key) -> None:
        held = self._held.pop(key, None)
        self.weight -= held.weight if held else 0
