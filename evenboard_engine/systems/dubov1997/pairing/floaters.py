"""Pair the players who came down, one by one (article 8; S6)."""

from __future__ import annotations

from collections.abc import Iterable

from evenboard_engine.matching import bits

from .field import NO_COLOUR, Field
from .rows import served


def best_opponent(field: Field, player: int, among: int) -> int | None:
    """Return the possible opponent of a player among these (a mask): not due the same colour first, then highest R,
    lowest ARO, smaller No. (8.2; S7.1 uses the same list). None if there is none.
    """
    mask = field.possible(player) & among
    if not mask:
        return None
    due = field.due[player]
    if due != NO_COLOUR:
        mask = mask & ~field.due_masks[due] or mask
    return min(bits(mask), key=field.by_rise.__getitem__)


def pair_floaters(field: Field, down: Iterable[int], free: int) -> list[tuple[int, int | None]]:
    """Return each floater with the opponent, None for one who goes down further, in the order of 8.1.

    free: the free players of the group. Two floaters are never possible for each other.
    """
    paired = []
    for floater in served(field, down):
        opponent = best_opponent(field, floater, free)
        if opponent is not None:
            free &= ~(1 << opponent)
        paired.append((floater, opponent))
    return paired
