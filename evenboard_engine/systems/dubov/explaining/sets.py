"""Say why a player is not in a set of two or more upfloaters (C.04.4.1, 2.2.1, 2.2.2, 3.2, 3.3 and 4.2, edition 2025).

The verdict compares the chosen set with the best set of the same size that contains the player. A cheapest matching
finds this best set: the player is treated as a resident, who must be paired like the others. All criteria are sums, so
what the player adds is the same for all such sets and does not change their order.

Most verdicts do not need a matching. Put the player in the place of one member of the chosen set, and exchange
opponents in the finished pairs. If this is legal, the new set exists. The best set is at least as good, so it does not
lose by an earlier criterion than the new set. Bounds, or the best set without C4, show that it does not lose by a later
one. If both give the same criterion, the verdict is proved.

If C4 surely holds, the best set with the player is the chosen set with the player in the place of one member. Proof:
take a matching of the bracket with each of the two sets. They differ along alternating paths. No path joins two members
of the chosen set, because then fewer upfloaters would be enough. Both sets have the same size, so no path joins two new
players either. So each path exchanges one member for one new player. All criteria are sums over the paths, and a path
without the player cannot gain anything, because the chosen set is the best one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from evenboard_engine.matching import Matching
from evenboard_engine.systems.dubov.pairing.field import Entrant, Lower, legal_graph, may_meet
from evenboard_engine.systems.dubov.pairing.upfloaters import history_criteria

from .worth import (
    AGAIN,
    CODES,
    COLOURS,
    MAXIMUM,
    ORDER,
    Quality,
    cheapest_upfloaters,
    enough,
    falls_behind,
    least_misses,
    lost_by,
    quality,
    surely_lost_by,
)


class SetVerdicts:
    """Gives verdicts on the players who are not in the set that was chosen for one bracket.

    lower: the players below at the time of the choice, with the chosen ones; must not change between questions.
    opponent: the opponent of each place in the finished round. misses: pairs of the bracket that miss a colour.
    """

    def __init__(
        self,
        residents: Sequence[Entrant],
        chosen: Sequence[Entrant],
        lower: Lower,
        opponent: Sequence[int],
        misses: int,
        *,
        last_round: bool,
    ) -> None:
        self.residents, self.chosen, self.lower, self.opponent = residents, chosen, lower, opponent
        self.last_round, self.misses = last_round, misses
        self.taken = quality(chosen, misses, last_round=last_round)
        self.lowest = min(player.score for player in chosen)
        self.free = lower.surely_pairable(without=len(chosen))
        self._without_care: dict[tuple[object, ...], tuple[list[Entrant], Quality] | None] = {}

    def verdict(self, player: Entrant, *, most: int | None = None) -> str | None:
        """Return one of CODES, "up_illegal" or "up_rest"; None if a matching of more than `most` players is needed.

        Raises InternalError if the chosen set does not win.
        """
        found = self.without_weighing(player)
        if found is not None:
            return CODES[found]
        weighed = len(self.residents) + (len(self.chosen) if self.free else self.lower.count)
        if most is not None and weighed > most:
            return None
        best = self._best_without_care(player)
        if best is None:
            return "up_rest" if self._legal_beside_a_set(player) else "up_illegal"
        others, worth = best
        if len(others) + 1 == len(self.chosen):
            limit = lost_by(worth, self.taken)  # no set with the player loses by a later criterion
            exchanged = self._exchanged(player)
            if limit is not None and (
                (exchanged is not None and falls_behind(exchanged, self.taken) == limit)
                or self._rest_pairable([player, *others])
            ):
                return CODES[limit]
        return self._weighed(player)

    def without_weighing(self, player: Entrant) -> int | None:
        """Return the verdict as an index of CODES if an exchange in the chosen set and a bound prove it, else None."""
        exchanged = self._exchanged(player)
        if exchanged is None:
            return None
        at = falls_behind(exchanged, self.taken)
        return at if at is not None and self._no_later_than(player, at) else None

    def _exchanged(self, player: Entrant) -> Quality | None:
        """Return the quality of the best set with the player in the place of a member, as the finished pairs allow it.

        The player meets the opponent of the member. If C4 is not sure, the member meets the opponent of the player.
        """
        rank, found = player.rank, None
        below = self.opponent[rank]
        for at, other in enumerate(self.chosen):
            resident = self._resident[self.opponent[other.rank]]
            if not may_meet(player, resident):
                continue
            if not (self.free or below < 0 or may_meet(other, self.lower.entrant(below))):
                continue
            misses = self.misses - (other.wants_white is resident.wants_white)
            misses += player.wants_white is resident.wants_white
            chosen = [*self.chosen[:at], player, *self.chosen[at + 1 :]]
            worth = quality(chosen, misses, last_round=self.last_round)
            if found is None or worth < found:
                found = worth
        return found

    def _no_later_than(self, player: Entrant, at: int) -> bool:
        """Return whether every set with the player loses by this criterion or by an earlier one."""
        if player.score < self.lowest or at == ORDER:
            return True
        if at == COLOURS:
            return self._least_imbalance(player) > 2 * self.misses
        if at in (MAXIMUM, AGAIN):  # the player alone is one too many
            return bool(self.taken[at] == 0)
        return False

    def _least_imbalance(self, player: Entrant) -> int:
        """Return the surplus of one due colour among residents and player, if all others of the set balance it."""
        whites = sum(one.wants_white for one in self.residents) + player.wants_white
        surplus = abs(2 * whites - len(self.residents) - 1)
        return surplus - (len(self.chosen) - 1)

    @cached_property
    def _resident(self) -> dict[int, Entrant]:
        return {player.rank: player for player in self.residents}

    # --- the best set with a player, without C4

    def _best_without_care(self, player: Entrant) -> tuple[list[Entrant], Quality] | None:
        """Return the other members of the best set without C4, and the quality of the set; None if it is too large.

        The player meets a resident in it. Players of one kind are interchangeable, so each kind is computed only once.
        """
        kind = self._kind(player)
        if kind not in self._without_care:
            if self.free:
                self._without_care[kind] = self._weigh(player, self.chosen)
            else:
                self._without_care[kind] = self._weigh(player, self._high) or self._weigh(player, self._all)
        best = self._without_care[kind]
        if best is not None and player in best[0]:  # found for another player of this kind
            return self._weigh(player, self._high) or self._weigh(player, self._all)
        return best

    def _weigh(self, player: Entrant, pool: Sequence[Entrant]) -> tuple[list[Entrant], Quality] | None:
        others = [other for other in pool if other is not player]
        found = self._cheapest(player, others, None)
        if found is None or len(found) >= len(self.chosen):
            return None
        chosen = [player, *found]
        misses = least_misses([*self.residents, *chosen])
        return found, quality(chosen, misses, last_round=self.last_round)

    def _cheapest(
        self, player: Entrant, pool: Sequence[Entrant], below: Sequence[int] | None
    ) -> list[Entrant] | None:
        """Return the other members of the best set with the player, who meets a resident (`cheapest_upfloaters`)."""
        return cheapest_upfloaters(self.residents, pool, below, with_them=player, last_round=self.last_round)

    def _legal_beside_a_set(self, player: Entrant) -> bool:
        """Return whether a legal bracket without more upfloaters exists in which the player meets another upfloater.

        The bracket does not need these two, and C4 cannot ask for them: they could also meet below.
        """
        inside = Matching(legal_graph(self.residents))
        if inside.maximise() + 2 > len(self.chosen):
            return False
        players = self._below[0]
        return any(
            enough(self.residents, [o for o in players if o not in (player, other)])
            for other in players
            if other is not player and may_meet(player, other)
        )

    @cached_property
    def _high(self) -> list[Entrant]:
        """Players down to the scoregroup of the lowest upfloater: a set with a lower player loses by C6."""
        return self._some_of_each_kind(p for p in self._below[0] if p.score >= self.lowest)

    @cached_property
    def _all(self) -> list[Entrant]:
        return self._some_of_each_kind(iter(self._below[0]))

    def _some_of_each_kind(self, players: Iterator[Entrant]) -> list[Entrant]:
        """Return, in the order of 4.2, of each kind only as many players as one bracket can use, and one more."""
        seen: dict[tuple[object, ...], int] = {}
        kept = []
        for player in players:
            kind = self._kind(player)
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] <= len(self.chosen) + 1:
                kept.append(player)
        return kept

    def _kind(self, player: Entrant) -> tuple[object, ...]:
        """Return a key that is equal for two players if C1, C3 and C5 to C10 treat them alike in this bracket."""
        absolute = player.shape.absolute
        met = frozenset(rank for rank in player.met if rank in self._resident)
        history = history_criteria(player, last_round=self.last_round)
        return player.score, player.wants_white, absolute, met, history

    # --- C4

    def _rest_pairable(self, chosen: Sequence[Entrant]) -> bool:
        """Return whether a set satisfies C4. Only players whose finished pairs it breaks need a search."""
        if self.free:
            return True
        players, number, graph = self._below
        matching = Matching(graph[:])
        gone = {number[player.rank] for player in chosen}
        for i in gone:
            matching.forbid(i, (1 << len(players)) - 1)
        for i, player in enumerate(players):
            j = number.get(self.opponent[player.rank], -1)
            if i < j and i not in gone and j not in gone:
                matching.join(i, j)
        return matching.maximise() == len(gone)

    @cached_property
    def _below(self) -> tuple[list[Entrant], dict[int, int], list[int]]:
        players = self.lower.all()
        return players, {player.rank: i for i, player in enumerate(players)}, legal_graph(players)

    def _weighed(self, player: Entrant) -> str:
        """Return the verdict by the best set with the player, with C4 for everybody below."""
        others = [other for other in self._below[0] if other is not player]
        found = self._cheapest(player, others, legal_graph(others))
        if found is None or len(found) >= len(self.chosen):
            return "up_rest"
        best = [player, *found]
        misses = least_misses([*self.residents, *best])
        worth = quality(best, misses, last_round=self.last_round)
        return CODES[surely_lost_by(worth, self.taken, player)]
