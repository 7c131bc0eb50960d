"""Under which name a player is shown: the full name, or initials if the player asked for that.

Every public page, file and sheet is made inside `names_for_visitors`, whoever opens it, so that an arbiter prints for
the wall what visitors see. Pages and papers of arbiters have the full names.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_for_visitors: ContextVar[bool] = ContextVar("names_for_visitors", default=False)


@contextmanager
def names_for_visitors() -> Iterator[None]:
    """Show players who asked for it under their initials, inside the block."""
    token = _for_visitors.set(True)
    try:
        yield
    finally:
        _for_visitors.reset(token)


@contextmanager
def names_for_arbiters() -> Iterator[None]:
    """Show full names inside the block: a paper of arbiters that has its address among the public ones."""
    token = _for_visitors.set(False)
    try:
        yield
    finally:
        _for_visitors.reset(token)


def for_visitors() -> bool:
    """Return whether what is made now may be read by everybody."""
    return _for_visitors.get()


def first_name_first(name: str) -> str:
    """Return a name as one greets a person: "Kovács, Anna Mária" is "Anna Mária Kovács"."""
    surname, _comma, given = name.partition(",")
    return f"{given.strip()} {surname.strip()}".strip()


def initials(name: str) -> str:
    """Return the initials of a name, the given name first: "Kovács, Anna Mária" is "A. K."."""
    surname, _comma, given = name.partition(",")
    words = [given.split()[:1], surname.split()[:1]] if given.strip() else [name.split()[:2]]
    letters = [next((sign for sign in word if sign.isalnum()), "") for part in words for word in part]
    return " ".join(f"{letter.upper()[:1]}." for letter in letters if letter) or "?"
