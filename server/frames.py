"""Room for calls inside calls.

CPython keeps the frames of a thread's calls in pieces of 16 KB, which hold about sixty of them, and returns a piece to
the system when its last frame ends. Templates are rendered deeper than that. Where a loop's calls begin exactly at the
end of a piece, each of them asks the system for a new piece and returns it: up to a fifth of the time of a page.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Answer = TypeVar("Answer")
SLOTS = 66_000  # of 8 bytes: a little more than half of a piece of 1 MB, so that the other half is for the calls inside


def with_room(function: Callable[..., Answer], *arguments: object) -> Answer:
    """Call a function. The frames of all calls inside it are in one piece of memory, used only as far as they need."""
    return function(*arguments)


# The frame of this function says that it needs so much. CPython makes a piece as large as the frame, and doubled. An
# interpreter that keeps its frames otherwise may refuse this; calls then work as they do without it.
with suppress(AttributeError, TypeError, ValueError, OverflowError):
    with_room.__code__ = with_room.__code__.replace(co_stacksize=SLOTS)
