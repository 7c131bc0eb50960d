"""Choose the upfloaters if no two residents may meet and all are due the same colour (C.04.4.1, 2.2.2).

Then every resident needs an upfloater. Source: the sets of players who can be given to residents, one to each, are the
independent sets of a transversal matroid (J. Edmonds and D. R. Fulkerson, Transversals and matroid partition, 1965). So
a greedy choice finds the first best set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evenboard_engine.matching import bits

from .field import Entrant, Lower, may_meet


def one_for_each(
    residents: Sequence[Entrant], lower: Lower, criteria: Callable[[Entrant], tuple[int, ...]]
) -> list[Entrant] | None:
    """Return the best set of as many upfloaters as residents, in the order of 4.2; None if there is no such set.

    C4 does not count here. criteria: what an upfloater adds to C8, C9 and C10. All residents are due one colour, so C7
    counts the upfloaters who are due this colour too. So every criterion is a sum over the upfloaters, and the greedy
    choice is the best by all of them.
    """
    seeker = residents[0].wants_white
    places = _Places(len(residents))
    chosen: list[Entrant] = []
    seen = 0
    while seen < lower.count and len(chosen) < len(residents):
        players = lower.highest(seen + 1)
        for player in sorted(
            players[seen:], key=lambda player: (player.wants_white is seeker, *criteria(player), player.rank)
        ):
            if places.take(sum(1 << i for i, resident in enumerate(residents) if may_meet(player, resident))):
                chosen.append(player)
                if len(chosen) == len(residents):
                    break
        seen = len(players)
    if len(chosen) < len(residents):
        return None
    return sorted(chosen, key=lambda player: (-player.score, player.rank))


class _Places:
    """A matching of players with places (the residents), to which players are added one by one."""

    def __init__(self, count: int) -> None:
        self.free = (1 << count) - 1
        self.settled = 0
        self.holder = [-1] * count
        self.wishes: list[int] = []
        self.place_of: list[int] = []

    def take(self, wishes: int) -> bool:
        """Give a new player one of the places in the mask `wishes`, and move others if necessary. False if impossible.

        If a search fails, all places that it has seen keep their holders, so later searches leave them out.
        """
        self.wishes.append(wishes)
        self.place_of.append(-1)
        queue = [len(self.wishes) - 1]
        wanted_by: dict[int, int] = {}
        seen = self.settled
        for player in queue:
            reachable = self.wishes[player] & ~seen
            free = reachable & self.free
            if free:
                self._move(player, (free & -free).bit_length() - 1, wanted_by)
                return True
            seen |= reachable
            for place in bits(reachable):
                wanted_by[place] = player
                queue.append(self.holder[place])
        self.settled = seen
        return False

    def _move(self, player: int, place: int, wanted_by: dict[int, int]) -> None:
        self.free ^= 1 << place
        while place >= 0:
            left = self.place_of[player]
            self.holder[place], self.place_of[player] = player, place
            place, player = left, wanted_by.get(left, -1)
