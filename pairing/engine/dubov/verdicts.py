"""Why somebody is not among the upfloaters of a bracket (C.04.4.1, 2.2.1, 2.2.2, 3.2, 3.3 and 4.2, edition 2025).

Asked after the round is paired. The verdict names what is worse about the best set of the same size with that player
in it: no legal bracket (with no more upfloaters than there are), no way to pair the rest (C4), the first of C6 to C10
in which it falls behind, or its place in the order of 4.2. A verdict is proved, never guessed: by the finished pairs
with two players exchanged where that serves, else by the exact way. What contradicts the pairing raises InternalError.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import is_

from pairing.engine.errors import InternalError
from pairing.engine.matching import Matching, bits
from pairing.engine.result import BracketRecord, RoundPairing
from pairing.engine.trace import Reason

from .field import Entrant, Field, Lower, legal_graph, may_meet
from .sets import SetVerdicts
from .upfloaters import Side
from .worth import CODES, falls_behind, least_misses, quality


class Finished:
    """The finished round by places."""

    def __init__(self, field: Field, pairing: RoundPairing) -> None:
        self.field, self.pairing = field, pairing

    @cached_property
    def partner(self) -> Sequence[int]:
        """Everybody's opponent; -1 for none."""
        place_of = self.field.past.place_of
        partner = [-1] * len(self.field.ids)
        for pair in self.pairing.pairs:
            white, black = place_of[pair.white], place_of[pair.black]
            partner[white], partner[black] = black, white
        return partner


class Situation:
    """A bracket at the moment when its upfloaters were chosen.

    lower: who was below then, upfloaters among them; must not change while questions are asked.
    residents: places. s1, t2: places, row by row. finished: the round as it was paired.
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
        """Why so many upfloaters and not fewer (2.2.1, C5).

        Where the residents can be paired with more lower players than there are residents left over, they can with
        just so many: exchanging opponents along a path from one lower player to another frees both. Only C4 asks for
        more.
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
        """Why the player at a place below, who was not chosen, is not an upfloater of this bracket.

        None only for a set of two or more, if more than `most` players would have to be weighed.
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
        """For a set of two or more."""
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
        """The reason for a verdict that holds where the player at a place meets this resident."""
        params: dict[str, object] = {"player": self.field.ids[place], "other": self.field.ids[resident]}
        if code == "up_again":
            params["round"] = self.field.round - 1
        return Reason(code.replace("up_", "meet_"), params)

    # --- one upfloater: the finished pairs with two players exchanged, or the exact way

    @cached_property
    def missed(self) -> int:
        """C7 of the bracket as it was paired, counted in pairs: one of the two does not get the colour due."""
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
        """Residents who can be the one that is left over for the upfloater."""
        return [self._resident_entrants[i] for i in bits(self._inside.dispensable())]

    @cached_property
    def _spared(self) -> frozenset[int]:
        """Places of the lower players without whom all the others below can be paired."""
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
        """The least C7 of the bracket with this upfloater, or a number above `missed` where it must be greater."""
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
        if bound + 2 > self.missed:  # pairs inside the smaller and the larger subgroup come together
            return bound + 2
        return least_misses([*self._resident_entrants, player])

    def _reaches(self, bound: int, player: Entrant) -> bool:
        """Whether the finished pairs with the player in the upfloater's place, and one more exchange, reach it."""
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
