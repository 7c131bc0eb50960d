"""Who goes down because the group cannot be wholly paired (article 6.4; S8)."""

from __future__ import annotations

from collections.abc import Sequence

from evenboard_engine.matching import Matching, bits, mask_of

from .bye import bye_key
from .field import Field


def left_over(field: Field, group: Sequence[int], below: int) -> list[int]:
    """Return who goes down, as few as possible, in the order of S8. below: the free players of lower score groups."""
    matching = Matching(field.graph(group))
    can_stay = matching.decompose()
    missing = matching.exposed.bit_count()
    left: list[int] = []
    if not missing:
        return left
    at = {seat: i for i, seat in enumerate(group)}
    for seat in left_over_order(field, group, below):
        # Theorem of Gallai and Edmonds: others never can be left over, and that does not change when players go down
        if can_stay >> at[seat] & 1 and _goes(matching, at[seat]):
            left.append(seat)
            if len(left) == missing:
                break
    return left


def left_over_order(field: Field, group: Sequence[int], below: int) -> list[int]:
    """Return the group in the order in which its players go down: those who have a possible opponent in the next lower
    group, then as for the bye (6.4).
    """
    following = field.nearest_group(below) if below else 0
    dominating = field.dominating(mask_of(group))
    return sorted(
        group, key=lambda seat: (not field.possible(seat) & following, *bye_key(field, seat, dominating))
    )


def _goes(matching: Matching, v: int) -> bool:
    """Take a player out if the largest pairing of the others is as large; return whether it is."""
    alone = matching.mate[v]
    if alone >= 0:
        former = matching.adjacency[v]
        matching.forbid(v, former)
        matching.exposed &= ~(1 << v)
        if not matching.augment(alone, matching.adjacency):
            matching.adjacency[v] = former
            for w in bits(former):
                matching.adjacency[w] |= 1 << v
            matching.join(v, alone)
            return False
    matching.forbid(v, matching.adjacency[v])
    matching.exposed &= ~(1 << v)
    return True
