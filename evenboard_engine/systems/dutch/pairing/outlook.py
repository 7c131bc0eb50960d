"""What lies below a bracket: the score of the bye, and whether the players below can surely be paired (C4, C5)."""

from __future__ import annotations

from collections.abc import Sequence

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.matching import Matching, bits, mask_of
from evenboard_engine.systems.field import BLACK_ABSOLUTE, WHITE_ABSOLUTE, surely_pairable

from .field import DutchField

FEW = 400
"""Among more players, only Dirac's condition is asked, not a matching."""
TRIED = 4


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


class Outlook:
    """What is below each bracket. groups: all scoregroups, from the highest; the bracket of `at` is being paired.

    floater_has_bye: the only floater of this bracket has the bye.
    """

    def __init__(self, field: DutchField, groups: Sequence[list[int]], bye_score: int | None) -> None:
        self.field, self.groups, self.bye_score = field, groups, bye_score
        self.at = 0
        sizes, whites, blacks = [0], [0], [0]
        for group in reversed(groups):
            due = [field.absolute[place] for place in group]
            sizes.append(sizes[-1] + len(group))
            whites.append(whites[-1] + due.count(WHITE_ABSOLUTE))
            blacks.append(blacks[-1] + due.count(BLACK_ABSOLUTE))
        self._sizes, self._whites, self._blacks = sizes[::-1], whites[::-1], blacks[::-1]

    @property
    def below(self) -> Sequence[list[int]]:
        return self.groups[self.at + 1 :]

    @property
    def floater_has_bye(self) -> bool:
        return self.at == len(self.groups) - 1

    def _bye_from(self, at: int) -> bool:
        """Return whether the bye is for somebody of the scoregroups from this one on."""
        if self.bye_score is None or at >= len(self.groups):
            return False
        return self.field.score[self.groups[at][0]] >= self.bye_score

    def completes(self, at: int | None = None, *, with_one: int | None = None) -> bool:
        """Return whether everybody from a scoregroup on, by default the next one, can be paired (C4, C5).

        with_one: a player from above who comes to them. False in a large field proves nothing.
        """
        first = self.at + 1 if at is None else at
        bye = self._bye_from(first)
        if self.bye_score is not None and not bye:
            return False
        size = self._sizes[first] - bye
        met, most = self.field.most_met, max(self._whites[first], self._blacks[first])
        if with_one is None and surely_pairable(size, met, most):
            return True
        apart = met + max(0, most - 1)
        if with_one is not None and 2 * (size - 1 - apart) > size and size - apart > 1:
            return True
        places = [place for group in self.groups[first:] for place in group]
        return len(places) <= FEW and self._pairable(
            places if with_one is None else [*places, with_one], bye=bye
        )

    def _pairable(self, places: list[int], *, bye: bool) -> bool:
        graph = self.field.graph(places)
        if bye:
            barred, score = self.field.past.barred, self.field.score
            free = mask_of(
                i for i, place in enumerate(places) if score[place] == self.bye_score and place not in barred
            )
            graph = [mask | (free >> i & 1) << len(places) for i, mask in enumerate(graph)]
            graph.append(free)
        return Matching(graph).maximise() == 0

    def able_to_float(self, residents: Sequence[int]) -> list[int]:
        """Return the residents who can be the only floater with the best C8; [] if counting does not prove it.

        In the last bracket they can have the bye. Else the next scoregroup must pair with any of them, each of whom has
        an opponent there if Dirac's condition holds. It has as many floaters itself as its number asks for, of its own
        score.
        """
        field = self.field
        if self.floater_has_bye:
            return [
                place
                for place in residents
                if field.score[place] == self.bye_score and place not in field.past.barred
            ]
        following = self.at + 1
        group = self.groups[following]
        last = following == len(self.groups) - 1
        if self.bye_score is not None and not self._bye_from(following if last else following + 1):
            return []
        due = [field.absolute[place] for place in group]
        most = max(due.count(WHITE_ABSOLUTE), due.count(BLACK_ABSOLUTE))
        even = len(group) % 2 == 0
        degree = len(group) - 1 - field.most_met - max(0, most - 1) - even
        if 2 * degree < len(group) + (not even):
            return []
        return list(residents) if self._next_completes(group, last=last, even=even) else []

    def _next_completes(self, group: Sequence[int], *, last: bool, even: bool) -> bool:
        """Return whether what is below the next scoregroup can be paired, with one of the group if it is even."""
        if last:
            return even is (self.bye_score is not None)
        if not even:
            return self.completes(self.at + 2)
        return any(self.completes(self.at + 2, with_one=one) for one in group[:-TRIED:-1])
