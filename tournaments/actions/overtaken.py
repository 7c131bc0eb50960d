"""Forms that were filled in while somebody else changed the same: nobody overwrites what they have not seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments.errors import Stale

from .fields import plain


def refuse_overtaken(
    stands: Mapping[str, Any], wanted: Mapping[str, Any], seen: Mapping[str, Any] | None
) -> None:
    """Refuse to write over a value that has come since the form was opened, unless it is the same.

    stands: what is there now, by the names of `wanted`, which are to be written. seen: what the form showed, as
    `plain` makes it; None where no form is behind it. Call it under the lock.
    Raises Stale("overtaken") with `theirs`: what stands where the two differ.
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
    """What to write: the values that differ from what the form showed, and what stands in place of the others.

    Raises Stale("overtaken").
    """
    if seen is None:
        return dict(wanted)
    changed = {
        name: value for name, value in wanted.items() if plain(value) != seen.get(name, plain(stands[name]))
    }
    refuse_overtaken(stands, changed, seen)
    return {name: changed.get(name, stands[name]) for name in wanted}
