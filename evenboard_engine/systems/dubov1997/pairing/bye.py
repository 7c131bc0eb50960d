"""Who gets the bye (article 4; S4)."""

from __future__ import annotations

from collections.abc import Iterator

from evenboard_engine.matching import bits

from .field import Field


def bye_key(field: Field, seat: int, dominating: int) -> tuple[int, bool, int, int]:
    """Return the sort key within a score group: lowest R, the dominating colour, higher ARO, larger No."""
    return (
        field.rating[seat],
        bool(dominating) and field.due[seat] != dominating,
        -field.aro[seat],
        -field.tpn[seat],
    )


def bye_order(field: Field) -> Iterator[int]:
    """Yield those who may have the bye (2.2), the first in the order of the bye first.

    The lowest score group comes first; the next ones are for a group in which nobody may have the bye.
    """
    for group in reversed(field.groups):
        dominating = field.dominating(group)
        may = [seat for seat in bits(group) if not field.entrants[seat].had_point]
        yield from sorted(may, key=lambda seat: bye_key(field, seat, dominating))
