"""Check what every round must satisfy, from the history alone. This runs after every pairing."""

from __future__ import annotations

from collections.abc import Sequence

from evenboard_engine.errors import InternalError

from .field import Field


def check_pairs(field: Field, pairs: Sequence[tuple[int, int]], bye: int | None) -> None:
    """Check that everyone present is paired once or has the bye, and C1, C2, C3 (C.04.4.1, 1.8.1 and 3.1).

    pairs, bye: places. Forbidden pairs count like C1. Raises InternalError. Cost: linear.
    """
    placed = [place for pair in pairs for place in pair]
    if bye is not None:
        placed.append(bye)
        if bye in field.past.barred:
            raise InternalError("bye_barred", player=field.ids[bye])
    if sorted(placed) != field.present:
        raise InternalError("not_everyone_once")
    met, absolute = field.met, field.absolute
    for white, black in pairs:
        if black in met[white] or white in met[black]:
            raise InternalError("may_not_meet", white=field.ids[white], black=field.ids[black])
        if absolute[white] and absolute[white] == absolute[black]:
            raise InternalError("same_absolute_preference", white=field.ids[white], black=field.ids[black])
