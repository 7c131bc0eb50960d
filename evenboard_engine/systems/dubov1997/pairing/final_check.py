"""Check what every round must satisfy. This runs after every pairing, and for every offer."""

from __future__ import annotations

from collections.abc import Iterable

from evenboard_engine.errors import InternalError

from .field import Field


def check_round(field: Field, pairs: Iterable[tuple[int, int]], bye: int | None) -> None:
    """Check that everyone present is paired once or has the bye, and 2.1 to 2.4. Raises InternalError."""
    seen: set[int] = set() if bye is None else {bye}
    if bye is not None and field.round > 1 and field.entrants[bye].had_point:
        raise InternalError("bye_barred", player=field.ids[bye])
    count = len(seen)
    for one, other in pairs:
        seen |= {one, other}
        count += 2
        if not field.possible(one) >> other & 1:
            raise InternalError("may_not_meet", white=field.ids[one], black=field.ids[other])
    if count != len(field.ids) or len(seen) != count:
        raise InternalError("not_everyone_once")
