"""Say why a resident does not meet a player from below (C.04.4.1, 2.2.1, 2.2.2, 3.2, 3.3, 4.2, edition 2025).

The verdict on the lower player as an upfloater holds for every opponent. A bracket in which this player meets this
resident may lose earlier: because no such bracket is legal, by C4, or by one of C6 to C10. So the best bracket in which
the two meet is compared with the finished one. It consists of the two and the best bracket of all the others, because
every criterion is a sum.

If C4 surely holds, the other upfloaters of this best bracket are among the chosen ones. Proof: the pairs of the two
brackets differ along alternating paths. The path from the lower player cannot end at a second new upfloater, because
then fewer upfloaters would be enough. So it ends at a chosen upfloater, who leaves. The other paths cannot gain
anything, because the finished bracket is the best one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evenboard_engine.matching import Matching
from evenboard_engine.systems.dubov.pairing.field import Entrant, legal_graph, may_meet
from evenboard_engine.trace import Reason

from .verdicts import Situation
from .worth import (
    CODES,
    Quality,
    cheapest_upfloaters,
    enough,
    falls_behind,
    least_misses,
    quality,
    surely_lost_by,
)

ORDER_OF_VERDICTS = ("up_not_needed", "up_illegal", "up_rest", *CODES)


def why_no_meeting(situation: Situation, resident: int, place: int) -> Reason:
    """Return the first article by which every round in which the two meet loses.

    resident, place: places of two players who may meet. The reason speaks about the lower player alone if this player
    loses by the same article as an upfloater for any resident; else it speaks about the two.
    """
    verdict = situation.verdict(place)
    assert verdict is not None, "no limit was set"
    code = _Meeting(situation, resident, place).code(verdict.code)
    if code == verdict.code:
        return verdict
    return situation.reason_to_meet(code, resident, place)


class _Meeting:
    def __init__(self, situation: Situation, resident: int, place: int) -> None:
        entrant = situation.field.entrant
        self.situation, self.last_round = situation, situation.last_round
        self.resident, self.player = entrant(resident), entrant(place)
        self.chosen = list(map(entrant, situation.chosen))
        self.others = [entrant(other) for other in situation.residents if other != resident]
        self.taken = quality(self.chosen, situation.missed, last_round=self.last_round)

    def code(self, verdict: str) -> str:
        """Return the first verdict on the two. verdict: the one on the lower player, which is not earlier."""
        if verdict in ORDER_OF_VERDICTS[:2]:
            return verdict
        if verdict in CODES and any(
            falls_behind(worth, self.taken) == CODES.index(verdict) for worth in self._exchanged()
        ):
            return verdict
        return self._weighed(verdict)

    def _exchanged(self) -> Iterator[Quality]:
        """Yield the quality of brackets with the two that the finished pairs allow.

        One chosen upfloater leaves, and the players whose opponents are gone meet each other.
        """
        situation, partner = self.situation, self.situation.finished.partner
        entrant = situation.field.entrant
        below, left = partner[self.player.rank], entrant(partner[self.resident.rank])
        free = situation.lower.surely_pairable(without=len(self.chosen)) or below < 0
        for at, other in enumerate(self.chosen):
            if not (free or may_meet(other, entrant(below))):
                continue
            misses = situation.missed + self._miss(self.player, self.resident)
            if other is left:
                misses -= self._miss(other, self.resident)
            else:
                alone = entrant(partner[other.rank])
                if not may_meet(left, alone):
                    continue
                misses += self._miss(left, alone) - self._miss(left, self.resident) - self._miss(other, alone)
            chosen = [*self.chosen[:at], self.player, *self.chosen[at + 1 :]]
            yield quality(chosen, misses, last_round=self.last_round)

    @staticmethod
    def _miss(one: Entrant, other: Entrant) -> int:
        return int(one.wants_white is other.wants_white)

    def _weighed(self, verdict: str) -> str:
        """Return the verdict by the best bracket of all the others; it counts everybody below if C4 is not sure."""
        if not self._legal():
            return "up_illegal"
        if verdict == "up_rest":
            return verdict
        count = len(self.chosen)
        if count == 1 or self.situation.lower.surely_pairable(without=count):
            found = self._best(self.chosen, None)
        else:
            pool = self._below()
            found = self._best(pool, legal_graph(pool))
        if found is None or len(found) >= count:
            return "up_rest"
        misses = self._miss(self.player, self.resident) + least_misses([*self.others, *found])
        worth = quality([self.player, *found], misses, last_round=self.last_round)
        return CODES[surely_lost_by(worth, self.taken, self.player)]

    def _best(self, pool: Sequence[Entrant], below: Sequence[int] | None) -> list[Entrant] | None:
        return cheapest_upfloaters(self.others, pool, below, last_round=self.last_round)

    def _below(self) -> list[Entrant]:
        return [player for player in self.situation.lower.all() if player is not self.player]

    def _legal(self) -> bool:
        """Return whether the others can be paired legally with fewer upfloaters than were chosen. C4 does not count."""
        left_over = Matching(legal_graph(self.others)).maximise()
        return left_over < len(self.chosen) and (left_over == 0 or enough(self.others, self._below()))
