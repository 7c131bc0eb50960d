"""Transfer players from lower score groups into a group (articles 7.1, 7.2 and 2.5; S7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenboard_engine.matching import Matching, bits, mask_of

from .field import NO_COLOUR, Field
from .floaters import best_opponent
from .rows import served


@dataclass(frozen=True, slots=True)
class Search:
    """How a player was looked for in the lower groups (masks).

    useful: those of the nearest group who would help, 0 if there are none in any group. barred: those of them whom 2.5
    bars. chosen: a seat.
    """

    useful: int
    barred: int
    chosen: int | None


NO_SEARCH = Search(0, 0, None)


def islands_of(field: Field, group: int) -> list[int]:
    """Return the players of the group who have no possible opponent in it, in the order in which they are served."""
    return served(field, [seat for seat in bits(group) if not field.possible(seat) & group])


def opponent_for_island(field: Field, island: int, below: int) -> Search:
    """Find the opponent who is transferred to an island (7.1). below: the free players of the lower groups."""
    possible = field.possible(island) & below
    if not possible:
        return NO_SEARCH
    useful = field.nearest_group(possible)
    barred = useful & field.barred_from_rising
    return Search(useful, barred, best_opponent(field, island, useful & ~barred))


def riser_for(field: Field, group: Sequence[int], below: int) -> Search:
    """Find the player who is transferred into an odd group (7.2).

    A player helps if the largest pairing of the group becomes greater by one pair: the player is possible for somebody
    whom some largest pairing leaves over (theorem of Gallai and Edmonds).
    """
    matching = Matching(field.graph(group))
    reach = 0
    for i in bits(matching.decompose()):
        reach |= field.possible(group[i])
    if not reach & below:
        return NO_SEARCH
    useful = field.nearest_group(reach & below)
    barred = useful & field.barred_from_rising
    may = useful & ~barred
    if not may:
        return Search(useful, barred, None)
    dominating = field.dominating(mask_of(group))
    if dominating != NO_COLOUR:
        may = may & ~field.due_masks[dominating] or may
    return Search(useful, barred, min(bits(may), key=field.by_rise.__getitem__))
