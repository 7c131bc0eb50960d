"""Say why two players do not meet, and why a player does not float or have the bye (C.04.3, articles 1 to 4).

Each verdict is the best candidate of a bracket with this pair, or with this floater, compared with the one that was
taken: the first criterion in which it is worse, or the first part of the order in which it comes later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from evenboard_engine.errors import InternalError
from evenboard_engine.matching import has_few_edges
from evenboard_engine.model import RESULTS, Bye, ByeKind, Tournament
from evenboard_engine.systems.colours import COLOUR_OF
from evenboard_engine.systems.dutch.pairing import DutchWork
from evenboard_engine.systems.dutch.pairing.colours import DutchColourAllocator
from evenboard_engine.systems.dutch.pairing.costs import BYE, Criterion
from evenboard_engine.systems.dutch.pairing.exact import (
    BracketGraph,
    KindsOfBracket,
    PairedBracket,
    graphs_of,
    order_of,
    quality_of,
)
from evenboard_engine.systems.dutch.pairing.field import DutchField
from evenboard_engine.systems.dutch.pairing.outlook import candidates_for_the_bye
from evenboard_engine.trace import Reason

from .forced_pairs import ForcedPairs
from .reasons import BY_CRITERION, BY_KEY

COMPARED_TOGETHER = 30
"""With fewer players in a bracket, each pair is compared by itself."""


class FinishedDutchRound:
    """The finished round, by places. mate: the opponent of each place. at: the bracket in which it is paired, or from
    which it has the bye.
    """

    def __init__(self, tournament: Tournament, work: DutchWork) -> None:
        self.tournament, self.work, self.field = tournament, work, work.field
        self.brackets = work.brackets
        self.members = [{*bracket.moved, *bracket.residents} for bracket in self.brackets]
        self.mate: dict[int, int] = {}
        self.at: dict[int, int] = {}
        for number, bracket in enumerate(self.brackets):
            for one, other in bracket.pairs:
                self.mate[one], self.mate[other] = other, one
                self.at[one] = self.at[other] = number
        left = self.brackets[-1].floaters if self.brackets else []
        self.bye = left[0] if left else None
        if self.bye is not None:
            self.at[self.bye] = len(self.brackets) - 1
        self._forced: dict[int, ForcedPairs | None] = {}
        self._quality: dict[int, Mapping[Criterion, int]] = {}

    @cached_property
    def able(self) -> frozenset[int]:
        """The players who could have the bye with the lowest score (C5)."""
        return frozenset(candidates_for_the_bye(self.field))

    def id(self, place: int) -> int:
        return self.field.ids[place]

    def is_here(self, player: int) -> bool:
        place = self.field.past.place_of.get(player)
        return place is not None and place in self.at

    # --- what the rules forbid

    def obstacle(self, one: int, other: int) -> Reason | None:
        """Return why two players may not meet (C1, C3, the arbiter); None if they may."""
        names = {"player": self.id(one), "other": self.id(other)}
        both = set(names.values())
        rounds = tuple(
            game.round
            for game in self.tournament.games
            if {game.white, game.black} == both and RESULTS[game.result].played
        )
        if rounds:
            return Reason("met", {**names, "rounds": rounds})
        if tuple(sorted(both)) in self.tournament.forbidden:
            return Reason("forbidden", names)
        if not self.field.may_meet(one, other):
            return Reason("absolute", {**names, "colour": COLOUR_OF[self.field.absolute[one]]})
        return None

    # --- other candidates

    def why_not_meet(self, one: int, other: int) -> Reason:
        """Return why two players who may meet do not."""
        together = next((at for at, here in enumerate(self.members) if one in here and other in here), None)
        names = {"player": self.id(one), "other": self.id(other)}
        if together is not None:
            return self._verdict_on_pair(together, names, one, other)
        higher = min(one, other, key=self.at.__getitem__)
        floater = {"player": self.id(higher), "other": self.id(one + other - higher), "floats": True}
        return self._verdict(self.at[higher], floater, lambda graph: graph.release(higher))

    def why_not_float(self, place: int, at: int) -> Reason:
        """Return why a player of a bracket does not float from there. From the last bracket one floats to the bye."""
        if at == len(self.brackets) - 1:
            return self.why_not_bye(place)
        return self._verdict(at, {"player": self.id(place)}, lambda graph: graph.release(place))

    def why_float(self, place: int, at: int) -> Reason:
        """Return why a floater of a bracket is not paired in it."""
        names = {"player": self.id(place), "kept": True}
        bracket = self.brackets[at]
        others = bracket.residents if place in bracket.moved else [*bracket.moved, *bracket.residents]
        if not others[1:] and place not in bracket.moved:
            return Reason("alone", {**names, "bracket": self.field.score[place]})
        if not any(self.field.may_meet(place, other) for other in others if other != place):
            code = "no_resident" if place in bracket.moved else "no_opponent"
            return Reason(code, {**names, "bracket": self.field.score[bracket.residents[0]]})
        return self._verdict(at, names, lambda graph: graph.keep(place))

    def why_exchange(self, at: int) -> Reason:
        """Return why S1 and S2 of a bracket exchange players."""
        bracket = self.brackets[at]
        return self._verdict(at, {}, lambda graph: graph.stay(bracket.met_moved, len(bracket.s1)))

    def why_not_bye(self, place: int) -> Reason:
        """Return why a player does not have the bye. Somebody else has it."""
        assert self.bye is not None
        player = {"player": self.id(place)}
        if place in self.field.past.barred:
            had = next((bye for bye in self.tournament.byes if _was_allocated(bye, self.id(place))), None)
            if had is not None and had.round < self.tournament.round:
                return Reason("bye_had", {**player, "round": had.round})
            return Reason("bye_points", player)
        score, lowest = self.field.score[place], self.work.bye_score
        if score != lowest:
            if lowest is not None and score > lowest:
                return Reason("bye_higher_score", {**player, "other": self.id(self.bye)})
            return Reason("bye_rest", player)
        if place not in self.able:
            return Reason("bye_rest", player)
        return self._verdict(self.at[place], {**player, "bye": True}, lambda graph: graph.meet(place, BYE))

    def quality(self, at: int) -> Mapping[Criterion, int]:
        """Return C6 to C21 of a bracket as it was paired."""
        if at not in self._quality:
            bracket, forced = self.brackets[at], self._forced.get(at)
            found = forced.best if forced else bracket.quality
            found = found or quality_of(*self._bracket(at), bracket.pairs)
            if found is None:
                raise InternalError("no_candidate", score=self.field.score[bracket.residents[0]])
            self._quality[at] = found
        return self._quality[at]

    def _bracket(
        self, at: int
    ) -> tuple[DutchField, DutchColourAllocator, list[int], list[int], list[list[int]], int | None]:
        bracket = self.brackets[at]
        below = [one.residents for one in self.brackets[at + 1 :]]
        work = self.work
        return self.field, work.colours, bracket.moved, bracket.residents, below, work.bye_score

    def _verdict_on_pair(self, at: int, names: Mapping[str, object], one: int, other: int) -> Reason:
        """Compare the best candidate in which two players of a bracket meet with the one that was taken."""
        forced, bracket = self._forced_pairs(at), self.brackets[at]
        params = {**names, "bracket": self.field.score[bracket.residents[0]]}
        if forced is not None:
            later = forced.later(one, other)
            if later is not None:
                code, numbers = self._later(bracket, later)
                return Reason(code, {**params, **numbers})
            quality = forced.quality(one, other)
            if quality is None:
                return self._nobody(params)
            worse = self._worse(at, params, quality)
            if worse is not None:
                return worse
        return self._verdict(at, names, lambda graph: graph.meet(one, other))

    def _forced_pairs(self, at: int) -> ForcedPairs | None:
        """Return what compares the pairs of a bracket; None if it is small, or has few edges."""
        if at not in self._forced:
            bracket, below = self.brackets[at], [one.residents for one in self.brackets[at + 1 :]]
            places = [place for group in (bracket.moved, bracket.residents, *below) for place in group]
            masks = self.field.graph(places) if len(self.members[at]) >= COMPARED_TOGETHER else []
            self._forced[at] = None
            if masks and not has_few_edges(masks):
                graph = KindsOfBracket(*self._bracket(at), near=len(below), masks=masks)
                self._forced[at] = ForcedPairs(graph, bracket)
        return self._forced[at]

    def _verdict(
        self, at: int, names: Mapping[str, object], restrict: Callable[[BracketGraph], None]
    ) -> Reason:
        """Compare the best of the candidates that `restrict` leaves with the one that was taken."""
        bracket = self.brackets[at]
        params = {**names, "bracket": self.field.score[bracket.residents[0]]}
        for graph in graphs_of(*self._bracket(at)):
            restrict(graph)
            found = graph.best()
            if found is None:
                continue
            worse = self._worse(at, params, found[1])
            if worse is not None:
                return worse
            code, numbers = self._later(
                bracket, graph.first(*found, dict(zip(bracket.s1, bracket.s2, strict=True)))
            )
            return Reason(code, {**params, **numbers})
        return self._nobody(params)

    def _nobody(self, params: Mapping[str, object]) -> Reason:
        return Reason("rest" if self.bye is None else "rest_bye", params)

    def _worse(
        self, at: int, params: Mapping[str, object], quality: Mapping[Criterion, int]
    ) -> Reason | None:
        """Return the first criterion in which a candidate is worse than the one that was taken; None if in none."""
        best = self.quality(at)
        for criterion, value in quality.items():
            if value != best[criterion]:
                code = BY_CRITERION[criterion.name, criterion.score is not None]
                score = {} if criterion.score is None else {"points": criterion.score}
                return Reason(code, {**params, **score, "found": value, "best": best[criterion]})
        return None

    def _later(self, bracket: PairedBracket, found: PairedBracket) -> tuple[str, Mapping[str, object]]:
        """Return the first part of the order by which a candidate that is as good comes later, and its numbers."""
        mine, taken = (
            dict(zip(BY_KEY, (part for _, part in order_of(*one[:5])), strict=True))
            for one in (found, bracket)
        )
        code = next((code for code in BY_KEY if mine[code] != taken[code]), None)
        if code is None:
            raise InternalError("same_candidate", score=self.field.score[bracket.residents[0]])
        later, first = mine[code], taken[code]
        if code == "later_set":
            return code, {"found": later, "best": first}
        at = next(at for at, (one, other) in enumerate(zip(later, first, strict=True)) if one != other)
        if code in ("later_opponent", "later_row"):
            of, sooner = (
                bracket.met_moved[at] if code == "later_opponent" else (bracket.s1[at], bracket.s2[at])
            )
            opponent = next(one + other - of for one, other in found.pairs if of in (one, other))
            names = {"of": self.id(of), "later": self.id(opponent), "sooner": self.id(sooner), "row": at + 1}
            return code, {**names, "found": later[at], "best": first[at]}
        values: dict[str, object] = {"found": abs(later[at]), "best": abs(first[at])}
        for key, parts in (("down", "later_exchange_down"), ("up", "later_exchange_up")):
            values[key] = tuple(map(abs, mine[parts]))
            values[f"best_{key}"] = tuple(map(abs, taken[parts]))
        return code, values


def _was_allocated(bye: Bye, player: int) -> bool:
    return bye.kind is ByeKind.ALLOCATED and bye.player == player
