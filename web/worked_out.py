"""Keeps what took long to work out, such as the preview of a file, so that a page that is loaded again is quick.

The key says everything on which the answer depends. For a file these are its content, the options, the language, and
the facts of event and section. So no answer is out of date: when one of them changes, there is another key. Each
process has its own answers. Requests for the same key wait for the first one.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from hashlib import sha256
from typing import Generic, TypeVar

T = TypeVar("T")
MOST_ANSWERS = 16


def content(data: bytes) -> str:
    """Return a hash that represents the content of a file in a key."""
    return sha256(data).hexdigest()


class WorkedOut(Generic[T]):
    """The last answers to one kind of question, at most `most` of them. Threads may share it."""

    def __init__(self, most: int = MOST_ANSWERS) -> None:
        self._most = most
        self._answers: OrderedDict[Hashable, _Answer[T]] = OrderedDict()
        self._lock = threading.Lock()

    def get(
        self,
        key: Hashable,
        work: Callable[[], T],
        *,
        facts: Hashable = None,
        worth_keeping: Callable[[T], bool] | None = None,
    ) -> T:
        """Return the answer for the key; `work` is called if there is none. What it raises is not kept.

        facts: what else the answer depends on. An answer from other facts gives way to the new one. worth_keeping: says
        of a finished answer whether it is kept.
        """
        with self._lock:
            answer = self._answers.get(key)
            if answer is None or answer.facts != facts:
                answer = self._answers[key] = _Answer(facts)
            self._answers.move_to_end(key)
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
        found = answer.get(work)
        if worth_keeping is not None and not worth_keeping(found):
            with self._lock:
                if self._answers.get(key) is answer:
                    del self._answers[key]
        return found

    def known(self, key: Hashable) -> T | None:
        """Return the answer for the key if it is there, without any work."""
        with self._lock:
            answer = self._answers.get(key)
        return answer.found if answer is not None else None

    def clear(self) -> None:
        with self._lock:
            self._answers.clear()


class _Answer(Generic[T]):
    def __init__(self, facts: Hashable) -> None:
        self.facts = facts
        self._lock = threading.Lock()
        self._found: list[T] = []

    @property
    def found(self) -> T | None:
        return self._found[0] if self._found else None

    def get(self, work: Callable[[], T]) -> T:
        with self._lock:
            if not self._found:
                self._found.append(work())
            return self._found[0]
