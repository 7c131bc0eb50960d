"""Say why a player is not an upfloater of a bracket (C.04.4.1, 2.2.1, 2.2.2, 3.2, 3.3 and 4.2, edition 2025).

Used after the round is paired. The verdict says why the best set of the same size with this player loses. There are
four cases: there is no legal bracket without more upfloaters; the rest cannot be paired (C4); the set is worse by one
of C6 to C10; it comes later in the order of 4.2. Every verdict is proved: by exchanging two players in the finished
pairs if this is enough, else by a matching. A verdict that contradicts the pairing raises InternalError.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import is_

from evenboard_engine.errors import InternalError
from evenboard_engine.matching import Matching, bits
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.dubov.pairing.field import Entrant, Field, Lower, legal_graph, may_meet
from evenboard_engine.systems.dubov.pairing.records import BracketRecord
from evenboard_engine.systems.dubov.pairing.upfloaters import Side
from evenboard_engine.trace import Reason

from .sets import SetVerdicts
from .worth import CODES, falls_behind, least_misses, quality


class Finished:
    """The finished round, by places."""

    def __init__(self, field: Field, pairing: RoundPairing) -> None:
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
        field: Field,
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
        self._sides: dict[bool, Side] = {}

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

    def _verdict_on_one(self, player: Entrant) -> str:
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

    def _reason(self, code: str, player: Entrant) -> Reason:
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
    def _resident_entrants(self) -> list[Entrant]:
        return [self.field.entrant(place) for place in self.residents]

    @cached_property
    def _inside(self) -> Matching:
        matching = Matching(legal_graph(self._resident_entrants))
        matching.maximise()
        return matching

    @cached_property
    def _willing(self) -> list[Entrant]:
        """Residents whom a largest pairing of the residents can leave over, so that they can meet an upfloater."""
        return [self._resident_entrants[i] for i in bits(self._inside.dispensable())]

    @cached_property
    def _spared(self) -> frozenset[int]:
        """Places of the lower players without whom all other lower players can be paired."""
        lower = self.lower.all()
        matching = Matching(legal_graph(lower))
        matching.maximise()
        return frozenset(lower[i].rank for i in bits(matching.dispensable()))

    def _legal_with(self, player: Entrant, chosen: Entrant) -> bool:
        opponent = self.field.entrant(self.finished.partner[chosen.rank])
        return may_meet(player, opponent) or any(may_meet(player, other) for other in self._willing)

    def _rest_without(self, player: Entrant, chosen: Entrant) -> bool:
        opponent = self.field.entrant(self.finished.partner[player.rank])
        return (
            may_meet(chosen, opponent) or self.lower.surely_pairable(without=1) or player.rank in self._spared
        )

    def _misses_with(self, player: Entrant) -> int:
        """Return the least C7 of the bracket with this upfloater, or some number above `missed` if it is above it."""
        wants = self.field.wants_white
        whites = sum(wants[place] for place in self.residents) + player.wants_white
        bound = abs(2 * whites - len(self.residents) - 1) // 2
        if bound > self.missed or self._reaches(bound, player):
            return bound
        if player.wants_white not in self._sides:
            self._sides[player.wants_white] = Side(
                self._resident_entrants, upfloater_wants_white=player.wants_white
            )
        if self._sides[player.wants_white].reaches_bound_with(player):
            return bound
        # one more pair inside the smaller subgroup means one more inside the larger
        if bound + 2 > self.missed:
            return bound + 2
        return least_misses([*self._resident_entrants, player])

    def _reaches(self, bound: int, player: Entrant) -> bool:
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
