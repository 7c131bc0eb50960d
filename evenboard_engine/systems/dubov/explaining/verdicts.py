"""Say why a player is not an upfloater of a bracket (C.04.4.1, 2.2.1, 2.2.2, 3.2, 3.3 and 4.2, edition 2025).

Used after the round is paired. The verdict says why the best set of the same size with this player loses. There are
four cases: there is no legal bracket without more upfloaters; the rest cannot be paired (C4); the set is worse by one
of C6 to C10; it comes later in the order of 4.2. Every verdict is proved: by exchanging two players in the finished
pairs if this is enough, else by a matching. A verdict that contradicts the pairing raises InternalError.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import is_

from evenboard_engine.errors import InternalError
from evenboard_engine.matching import Matching, bits
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.dubov.pairing import BracketRecord
from evenboard_engine.systems.dubov.pairing.field import (
    DubovEntrant,
    DubovField,
    Lower,
    legal_graph,
    may_meet,
)
from evenboard_engine.systems.dubov.pairing.upfloaters import ColourBound, history_criteria
from evenboard_engine.trace import Reason

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


class Finished:
    """The finished round, by places."""

    def __init__(self, field: DubovField, pairing: RoundPairing) -> None:
        self.field, self.pairing = field, pairing

    @cached_property
    def partner(self) -> Sequence[int]:
        """The opponent of each place; -1 for none."""
        place_of = self.field.past.place_of
        partner = [-1] * len(self.field.ids)
        for pair in self.pairing.pairs:
            white, black = place_of[pair.white], place_of[pair.black]
            partner[white], partner[black] = black, white
        return partner


class Situation:
    """A bracket at the time when its upfloaters were chosen.

    lower: the players below at that time, with the upfloaters; must not change between questions.
    residents: places. s1, t2: places, row by row. finished: the paired round.
    """

    def __init__(
        self,
        field: DubovField,
        record: BracketRecord,
        residents: list[int],
        lower: Lower,
        finished: Finished,
        *,
        last_round: bool,
    ) -> None:
        self.field, self.lower, self.finished, self.last_round = field, lower, finished, last_round
        place_of = field.past.place_of.__getitem__
        self.residents = residents
        self.chosen = list(map(place_of, record.upfloaters))
        self.s1, self.t2 = list(map(place_of, record.s1)), list(map(place_of, record.t2))
        self._sides: dict[bool, ColourBound] = {}

    # --- how many

    def count(self) -> Reason:
        """Return why the bracket has this number of upfloaters and not fewer (2.2.1, C5).

        The residents need as many lower players as their largest pairing leaves residents over. If they can be paired
        with more, they can be paired with this number: exchanging opponents along an alternating path from one lower
        player to another frees both. So only C4 can ask for more.
        """
        residents, count = len(self.residents), len(self.chosen)
        if count == 0:
            return Reason("count_none", {"residents": residents})
        if count == 1:
            return Reason("count_odd", {"residents": residents})
        matching = self._inside
        if matching.exposed.bit_count() < count:
            return Reason("count_rest", {"residents": residents, "count": count})
        left_over = tuple(self._resident_entrants[i].id for i in bits(matching.dispensable()))
        return Reason("count_residents", {"residents": residents, "count": count, "players": left_over})

    # --- who

    def verdict(self, place: int, *, most: int | None = None) -> Reason | None:
        """Return why a lower player (place) who was not chosen is not an upfloater of this bracket.

        Returns None only for a set of two or more, if the answer needs a matching of more than `most` players.
        """
        player = self.field.entrant(place)
        if not self.chosen:
            return Reason("up_not_needed", {"player": player.id})
        code = self._verdict_on_one(player) if len(self.chosen) == 1 else self.sets.verdict(player, most=most)
        return None if code is None else self._reason(code, player)

    def _verdict_on_one(self, player: DubovEntrant) -> str:
        chosen = self.field.entrant(self.chosen[0])
        if not self._legal_with(player, chosen):
            return "up_illegal"
        if not self._rest_without(player, chosen):
            return "up_rest"
        at = falls_behind(
            quality([player], self._misses_with(player), last_round=self.last_round),
            quality([chosen], self.missed, last_round=self.last_round),
        )
        if at is None:
            raise InternalError("explanation_contradicts_the_pairing", player=player.id)
        return CODES[at]

    @cached_property
    def sets(self) -> SetVerdicts:
        """The verdicts if two or more upfloaters were chosen."""
        return SetVerdicts(
            self._resident_entrants,
            [self.field.entrant(place) for place in self.chosen],
            self.lower,
            self.finished.partner,
            self.missed,
            last_round=self.last_round,
        )

    def _reason(self, code: str, player: DubovEntrant) -> Reason:
        params: dict[str, object] = {"player": player.id}
        if code in ("up_maximum", "up_times"):
            params["times"] = player.upfloats
        elif code == "up_again":
            params["round"] = self.field.round - 1
        return Reason(code, params)

    def reason_to_meet(self, code: str, resident: int, place: int) -> Reason:
        """Return the reason for a verdict on a lower player and a resident (places) who would meet."""
        params: dict[str, object] = {"player": self.field.ids[place], "other": self.field.ids[resident]}
        if code == "up_again":
            params["round"] = self.field.round - 1
        return Reason(code.replace("up_", "meet_"), params)

    # --- one upfloater: two players exchanged in the finished pairs, or a matching

    @cached_property
    def missed(self) -> int:
        """C7 of the finished bracket: the number of pairs in which one player does not get the due colour."""
        wants = self.field.wants_white.__getitem__
        return sum(map(is_, map(wants, self.s1), map(wants, self.t2)))

    @cached_property
    def _resident_entrants(self) -> list[DubovEntrant]:
        return [self.field.entrant(place) for place in self.residents]

    @cached_property
    def _inside(self) -> Matching:
        matching = Matching(legal_graph(self._resident_entrants))
        matching.maximise()
        return matching

    @cached_property
    def _willing(self) -> list[DubovEntrant]:
        """Residents whom a largest pairing of the residents can leave over, so that they can meet an upfloater."""
        return [self._resident_entrants[i] for i in bits(self._inside.dispensable())]

    @cached_property
    def _spared(self) -> frozenset[int]:
        """Places of the lower players without whom all other lower players can be paired."""
        lower = self.lower.all()
        matching = Matching(legal_graph(lower))
        matching.maximise()
        return frozenset(lower[i].rank for i in bits(matching.dispensable()))

    def _legal_with(self, player: DubovEntrant, chosen: DubovEntrant) -> bool:
        opponent = self.field.entrant(self.finished.partner[chosen.rank])
        return may_meet(player, opponent) or any(may_meet(player, other) for other in self._willing)

    def _rest_without(self, player: DubovEntrant, chosen: DubovEntrant) -> bool:
        opponent = self.field.entrant(self.finished.partner[player.rank])
        return (
            may_meet(chosen, opponent) or self.lower.surely_pairable(without=1) or player.rank in self._spared
        )

    def _misses_with(self, player: DubovEntrant) -> int:
        """Return the least C7 of the bracket with this upfloater, or some number above `missed` if it is above it."""
        wants = self.field.wants_white
        whites = sum(wants[place] for place in self.residents) + player.wants_white
        bound = abs(2 * whites - len(self.residents) - 1) // 2
        if bound > self.missed or self._reaches(bound, player):
            return bound
        if player.wants_white not in self._sides:
            self._sides[player.wants_white] = ColourBound(
                self._resident_entrants, upfloater_wants_white=player.wants_white
            )
        if self._sides[player.wants_white].reaches_bound_with(player):
            return bound
        # one more pair inside the smaller subgroup means one more inside the larger
        if bound + 2 > self.missed:
            return bound + 2
        return least_misses([*self._resident_entrants, player])

    def _reaches(self, bound: int, player: DubovEntrant) -> bool:
        """Return whether the player in place of the upfloater, with at most one more exchange, reaches the bound."""
        field, chosen = self.field, self.chosen[0]
        wants, opponent = field.wants_white, self.finished.partner[chosen]
        others = self.missed - (wants[chosen] is wants[opponent])
        if self._may(player.rank, opponent) and others + (wants[player.rank] is wants[opponent]) == bound:
            return True
        for row in zip(self.s1, self.t2, strict=True):
            if chosen in row:
                continue
            for one, two in (row, row[::-1]):
                if self._may(player.rank, one) and self._may(opponent, two):
                    misses = others - (wants[one] is wants[two])
                    misses += (wants[player.rank] is wants[one]) + (wants[opponent] is wants[two])
                    if misses == bound:
                        return True
        return False

    def _may(self, one: int, other: int) -> bool:
        absolute = self.field.absolute
        return other not in self.field.met[one] and not (absolute[one] and absolute[one] == absolute[other])


# Say why a player is not in a set of two or more upfloaters (C.04.4.1, 2.2.1, 2.2.2, 3.2, 3.3 and 4.2,
# edition 2025).
#
# The verdict compares the chosen set with the best set of the same size that contains the player. A cheapest
# matching finds this best set: the player is treated as a resident, who must be paired like the others. All
# criteria are sums, so what the player adds is the same for all such sets and does not change their order.
#
# Most verdicts do not need a matching. Put the player in the place of one member of the chosen set, and
# exchange opponents in the finished pairs. If this is legal, the new set exists. The best set is at least as
# good, so it does not lose by an earlier criterion than the new set. Bounds, or the best set without C4, show
# that it does not lose by a later one. If both give the same criterion, the verdict is proved.
#
# If C4 surely holds, the best set with the player is the chosen set with the player in the place of one
# member. Proof: take a matching of the bracket with each of the two sets. They differ along alternating
# paths. No path joins two members of the chosen set, because then fewer upfloaters would be enough. Both sets
# have the same size, so no path joins two new players either. So each path exchanges one member for one new
# player. All criteria are sums over the paths, and a path without the player cannot gain anything, because
# the chosen set is the best one.


class SetVerdicts:
    """Gives verdicts on the players who are not in the set that was chosen for one bracket.

    lower: the players below at the time of the choice, with the chosen ones; must not change between questions.
    opponent: the opponent of each place in the finished round. misses: pairs of the bracket that miss a colour.
    """

    def __init__(
        self,
        residents: Sequence[DubovEntrant],
        chosen: Sequence[DubovEntrant],
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
        self._without_care: dict[tuple[object, ...], tuple[list[DubovEntrant], Quality] | None] = {}

    def verdict(self, player: DubovEntrant, *, most: int | None = None) -> str | None:
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

    def without_weighing(self, player: DubovEntrant) -> int | None:
        """Return the verdict as an index of CODES if an exchange in the chosen set and a bound prove it, else None."""
        exchanged = self._exchanged(player)
        if exchanged is None:
            return None
        at = falls_behind(exchanged, self.taken)
        return at if at is not None and self._no_later_than(player, at) else None

    def _exchanged(self, player: DubovEntrant) -> Quality | None:
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

    def _no_later_than(self, player: DubovEntrant, at: int) -> bool:
        """Return whether every set with the player loses by this criterion or by an earlier one."""
        if player.score < self.lowest or at == ORDER:
            return True
        if at == COLOURS:
            return self._least_imbalance(player) > 2 * self.misses
        if at in (MAXIMUM, AGAIN):  # the player alone is one too many
            return bool(self.taken[at] == 0)
        return False

    def _least_imbalance(self, player: DubovEntrant) -> int:
        """Return the surplus of one due colour among residents and player, if all others of the set balance it."""
        whites = sum(one.wants_white for one in self.residents) + player.wants_white
        surplus = abs(2 * whites - len(self.residents) - 1)
        return surplus - (len(self.chosen) - 1)

    @cached_property
    def _resident(self) -> dict[int, DubovEntrant]:
        return {player.rank: player for player in self.residents}

    # --- the best set with a player, without C4

    def _best_without_care(self, player: DubovEntrant) -> tuple[list[DubovEntrant], Quality] | None:
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

    def _weigh(
        self, player: DubovEntrant, pool: Sequence[DubovEntrant]
    ) -> tuple[list[DubovEntrant], Quality] | None:
        others = [other for other in pool if other is not player]
        found = self._cheapest(player, others, None)
        if found is None or len(found) >= len(self.chosen):
            return None
        chosen = [player, *found]
        misses = least_misses([*self.residents, *chosen])
        return found, quality(chosen, misses, last_round=self.last_round)

    def _cheapest(
        self, player: DubovEntrant, pool: Sequence[DubovEntrant], below: Sequence[int] | None
    ) -> list[DubovEntrant] | None:
        """Return the other members of the best set with the player, who meets a resident (`cheapest_upfloaters`)."""
        return cheapest_upfloaters(self.residents, pool, below, with_them=player, last_round=self.last_round)

    def _legal_beside_a_set(self, player: DubovEntrant) -> bool:
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
    def _high(self) -> list[DubovEntrant]:
        """Players down to the scoregroup of the lowest upfloater: a set with a lower player loses by C6."""
        return self._some_of_each_kind(p for p in self._below[0] if p.score >= self.lowest)

    @cached_property
    def _all(self) -> list[DubovEntrant]:
        return self._some_of_each_kind(iter(self._below[0]))

    def _some_of_each_kind(self, players: Iterator[DubovEntrant]) -> list[DubovEntrant]:
        """Return, in the order of 4.2, of each kind only as many players as one bracket can use, and one more."""
        seen: dict[tuple[object, ...], int] = {}
        kept = []
        for player in players:
            kind = self._kind(player)
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] <= len(self.chosen) + 1:
                kept.append(player)
        return kept

    def _kind(self, player: DubovEntrant) -> tuple[object, ...]:
        """Return a key that is equal for two players if C1, C3 and C5 to C10 treat them alike in this bracket."""
        absolute = player.shape.absolute
        met = frozenset(rank for rank in player.met if rank in self._resident)
        history = history_criteria(player, last_round=self.last_round)
        return player.score, player.wants_white, absolute, met, history

    # --- C4

    def _rest_pairable(self, chosen: Sequence[DubovEntrant]) -> bool:
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
    def _below(self) -> tuple[list[DubovEntrant], dict[int, int], list[int]]:
        players = self.lower.all()
        return players, {player.rank: i for i, player in enumerate(players)}, legal_graph(players)

    def _weighed(self, player: DubovEntrant) -> str:
        """Return the verdict by the best set with the player, with C4 for everybody below."""
        others = [other for other in self._below[0] if other is not player]
        found = self._cheapest(player, others, legal_graph(others))
        if found is None or len(found) >= len(self.chosen):
            return "up_rest"
        best = [player, *found]
        misses = least_misses([*self.residents, *best])
        worth = quality(best, misses, last_round=self.last_round)
        return CODES[surely_lost_by(worth, self.taken, player)]
