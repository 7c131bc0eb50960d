"""Refuse a form if somebody else has changed the same value since it was opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments.errors import Stale

from .fields import plain


def refuse_overtaken(
    stands: Mapping[str, Any], wanted: Mapping[str, Any], seen: Mapping[str, Any] | None
) -> None:
    """Refuse to overwrite a value that was changed since the form was opened, unless both changes are the same.

    stands: the current values, by the names of `wanted`. wanted: the values to write. seen: what the form showed, as
    `plain` returns it; None without a form. Call this after the lock.
    Raises Stale("overtaken") with `theirs`: the current values that differ.
    """
    theirs = {
        name: plain(stands[name])
        for name, value in wanted.items()
        if seen is not None and name in seen and plain(stands[name]) not in (seen[name], plain(value))
    }
    if theirs:
        raise Stale("overtaken", theirs=theirs)


def merged(
    stands: Mapping[str, Any], wanted: Mapping[str, Any], seen: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the values to write: those that the person changed in the form, and the current value of the others.

    Raises Stale("overtaken").
    """
    if seen is None:
        return dict(wanted)
    changed = {
        name: value for name, value in wanted.items() if plain(value) != seen.get(name, plain(stands[name]))
    }
    refuse_overtaken(stands, changed, seen)
    return {name: changed.get(name, stands[name]) for name in wanted}
