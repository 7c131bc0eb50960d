"""What lies below a bracket: the score of the bye, and whether the players below can surely be paired (C4, C5)."""

from __future__ import annotations

from collections.abc import Sequence

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.matching import Matching, bits
from evenboard_engine.systems.field import surely_pairable

from .field import DutchField


def candidates_for_the_bye(field: DutchField) -> list[int]:
    """Return the places of those who can have the bye with the lowest score (C5); [] if the number of players is even.

    The score is settled once, before the first bracket: the least score of a player whom C2 does not bar and without
    whom all others can be paired. Raises NoLegalPairing if no round satisfies C1 to C4.
    """
    places = field.present
    odd = len(places) % 2
    if surely_pairable(len(places) - odd, field.most_met, most_absolutes(field, places)):
        possible: Sequence[int] = places if odd else ()
    else:
        matching = Matching(field.graph(places))
        if matching.maximise() > odd:
            ids = tuple(field.ids[places[i]] for i in bits(matching.exposed))
            raise NoLegalPairing("no_pairing", players=ids)
        possible = [places[i] for i in bits(matching.dispensable())] if odd else ()
    free = [place for place in possible if place not in field.past.barred]
    if odd and not free:
        raise NoLegalPairing("no_bye", players=tuple(field.ids[place] for place in possible))
    lowest = min((field.score[place] for place in free), default=0)
    return [place for place in free if field.score[place] == lowest]


def most_absolutes(field: DutchField, places: Sequence[int]) -> int:
    """Return how many of these players have the same absolute preference, of the colour that more of them have."""
    due = [field.absolute[place] for place in places]
    return max(due.count(1), due.count(2))
