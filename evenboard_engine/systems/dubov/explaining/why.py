"""Answer the questions of one player: why this opponent, colour, bye or upfloat, and why not another opponent.

Article numbers are those of C.04.4.1, edition 2025. The answers come from the trace of the round. An answer that the
trace does not have (why one of a hundred players did not float up) is computed when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.model import Colour, Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.dubov.pairing.field import Field
from evenboard_engine.trace import Answer, BracketTrace, PairTrace, PlayerExplanation, Reason, RoundTrace

from .meetings import why_no_meeting
from .rows import no_meeting
from .same_side import why_on_one_side
from .tracing import bye_bars, bye_key, situations, traced
from .verdicts import Situation


class Explainer:
    """Answers questions about one round. tournament: the input of `pairing`. `pairing` may have a trace already.

    Cost of the constructor: as `traced`. Cost of a question: small, except about a large set of upfloaters.
    """

    def __init__(self, tournament: Tournament, pairing: RoundPairing) -> None:
        self.tournament = tournament
        self.field = Field(tournament)
        self.pairing = traced(tournament, pairing, self.field)
        assert self.pairing.trace is not None
        self.trace: RoundTrace = self.pairing.trace
        self.seat: dict[int, tuple[int, int]] = {}  # number of the bracket and of the row, by player
        for number, bracket in enumerate(self.pairing.brackets):
            for row, (first, second) in enumerate(zip(bracket.s1, bracket.t2, strict=True)):
                self.seat[first] = self.seat[second] = number, row

    def bracket_of(self, player: int) -> BracketTrace | None:
        return self.trace.brackets[self.seat[player][0]] if player in self.seat else None

    def pair_of(self, player: int) -> PairTrace | None:
        if player not in self.seat:
            return None
        number, row = self.seat[player]
        return self.trace.brackets[number].pairs[row]

    # --- one player

    def player(self, player: int) -> PlayerExplanation:
        """Return the answers for a player. Raises KeyError for a player who is not in the tournament."""
        self.field.past.place_of[player]
        bracket, pair = self.bracket_of(player), self.pair_of(player)
        if bracket is None or pair is None:
            if player == self.trace.bye.player:
                return PlayerExplanation(player, None, (Answer("bye", self._bye(player)),))
            return PlayerExplanation(
                player, None, (Answer("not_paired", (Reason("not_here", {"player": player}),)),)
            )
        opponent = pair.second if player == pair.first else pair.first
        answers = [Answer("opponent", self._opponent(bracket, pair, player, opponent))]
        for question, floated in (("upfloated", player), ("opponent_upfloated", opponent)):
            if floated in bracket.upfloaters:
                answers.append(Answer(question, self._upfloated(bracket, floated)))
        answers.append(Answer("colour", self._colour(pair, player)))
        return PlayerExplanation(player, opponent, tuple(answers))

    def _bye(self, player: int) -> tuple[Reason, ...]:
        return (
            Reason("bye_given", {"player": player}),
            *(passed.reason for passed in self.trace.bye.passed),
        )

    def _opponent(
        self, bracket: BracketTrace, pair: PairTrace, player: int, opponent: int
    ) -> tuple[Reason, ...]:
        names = {"player": player, "opponent": opponent}
        if len(bracket.pairs) == 1:
            return (Reason("pair_alone", names),)
        passed = tuple(passed.reason for passed in pair.passed)
        for one, side in (
            (pair.first, [row.second for row in bracket.pairs]),
            (pair.second, [row.first for row in bracket.pairs]),
        ):
            if sum(self._no_meeting(one, other) is None for other in side) == 1:
                other = pair.second if one == pair.first else pair.first
                return (Reason("pair_only", {"player": one, "opponent": other}), *passed)
        return self._from_the_order(bracket, pair, names)

    def _from_the_order(
        self, bracket: BracketTrace, pair: PairTrace, names: Mapping[str, int]
    ) -> tuple[Reason, ...]:
        """Return why the player of G2 is in this row: the same place in the order of G2, or moved, and by whom."""
        row, place = self.seat[pair.first][1], bracket.order.index(pair.second)
        passed = tuple(one.reason for one in pair.passed)
        moved = {"place": place + 1, "row": row + 1}
        if place < row:
            passers = {
                before.first: one.reason
                for before in bracket.pairs[:row]
                for one in before.passed
                if one.player == pair.second
            }
            code = "pair_down_met" if _all_met(passers.values()) else "pair_down"
            reason = Reason(code, {"player": pair.second, "passers": tuple(passers), **moved})
            return (reason, *passers.values(), *passed)
        if place > row:
            code = "pair_up_met" if _all_met(passed) else "pair_up"
            others = tuple(one.player for one in pair.passed)
            who = {"player": pair.first, "opponent": pair.second, "others": others}
            return (Reason(code, {**who, **moved}), *passed)
        if passed:
            return (Reason("pair_next", {"player": pair.first, "opponent": pair.second}), *passed)
        return (Reason("pair_first", {**names, "row": row + 1}),)

    def _upfloated(self, bracket: BracketTrace, player: int) -> tuple[Reason, ...]:
        last = max(map(self._order, bracket.upfloaters))
        before = tuple(p.reason for p in bracket.passed if self._order(p.player) < last)
        chosen = Reason("up_chosen" if before else "up_chosen_first", {"player": player})
        if len(bracket.upfloaters) > 1:
            chosen = Reason("up_chosen_set", {"player": player, "players": bracket.upfloaters})
        return (chosen, bracket.count, *before)

    def _order(self, player: int) -> tuple[int, int]:
        place = self.field.past.place_of[player]
        return -self.field.score[place], place

    def _colour(self, pair: PairTrace, player: int) -> tuple[Reason, ...]:
        colour = Colour.WHITE if pair.white == player else Colour.BLACK
        side = WHITE_SIDE if colour is Colour.WHITE else BLACK_SIDE
        place = self.field.past.place_of[player]
        games = [
            (number, column[place])
            for number, column in enumerate(self.field.past.side_in, start=1)
            if column[place]
        ]
        if games and games[-1][1] == side:
            again = Reason("colour_again", {"player": player, "colour": colour, "round": games[-1][0]})
            return pair.colours, again
        return (pair.colours,)

    def _no_meeting(self, one: int, other: int) -> Reason | None:
        place_of = self.field.past.place_of
        return no_meeting(self.field, place_of[one], place_of[other])

    # --- why not

    def why_not(self, player: int, other: int) -> Reason:
        """Return why two players do not meet: the article that the pair would break, or the earlier decision.

        Raises KeyError for a player who is not in the tournament, ValueError if both are the same player.
        """
        if player == other:
            raise ValueError("a player cannot meet himself")
        present = set(self.field.present)
        for key in (player, other):
            if self.field.past.place_of[key] not in present:
                return Reason("not_here", {"player": key})
        pair = self.pair_of(player)
        if pair is not None and other in (pair.first, pair.second):
            return Reason("paired", {"player": player, "other": other})
        place_of = self.field.past.place_of
        illegal = no_meeting(self.field, *sorted((place_of[player], place_of[other])))
        if illegal is not None:
            return illegal
        for key in (player, other):
            if key == self.trace.bye.player:
                return Reason("has_bye", {"player": key})
        if self.seat[player][0] == self.seat[other][0]:
            return self._why_not_in_the_bracket(player, other)
        higher, lower = sorted((player, other), key=lambda key: self.seat[key][0])
        if higher in self.trace.brackets[self.seat[higher][0]].upfloaters:
            return Reason("floated_away", {"player": higher, "other": lower})
        return why_no_meeting(self._situation(self.seat[higher][0]), place_of[higher], place_of[lower])

    def _why_not_in_the_bracket(self, player: int, other: int) -> Reason:
        bracket = self.trace.brackets[self.seat[player][0]]
        rows = {key: self.seat[key][1] for key in (player, other)}
        firsts = [key for key in (player, other) if bracket.pairs[rows[key]].first == key]
        if len(firsts) != 1:
            return why_on_one_side(self.field, bracket, player, other)
        first, second = firsts[0], other if firsts[0] == player else player
        pair = bracket.pairs[rows[first]]
        for passed in pair.passed:
            if passed.player == second:
                return passed.reason
        if rows[second] < rows[first]:
            by = bracket.pairs[rows[second]].first
            return Reason("taken", {"player": first, "other": second, "by": by})
        return Reason("order", {"player": first, "other": second, "opponent": pair.second})

    def why_not_upfloater(self, number: int, player: int) -> Reason:
        """Return why a player with a lower score did not float up to a bracket (0 is the highest).

        Raises IndexError for a bracket that does not exist.
        """
        reason = self._situation(number).verdict(self.field.past.place_of[player])
        assert reason is not None, "no limit was set"
        return reason

    def _situation(self, number: int) -> Situation:
        for at, (_, situation) in enumerate(situations(self.tournament, self.pairing, self.field)):
            if at == number:
                return situation
        raise IndexError(number)

    def why_not_bye(self, player: int) -> Reason:
        """Return why a player did not get the bye: what excluded the player, or what put another player first (2.1)."""
        chosen = self.trace.bye.player
        if chosen is None:
            return Reason("bye_none", {})
        place_of, field = self.field.past.place_of, self.field
        place = place_of[player]
        if player == chosen:
            return Reason("bye_given", {"player": player})
        if place not in field.present:
            return Reason("not_here", {"player": player})
        if place in field.past.barred:
            return bye_bars(self.tournament)[player]
        mine, theirs = bye_key(field, place), bye_key(field, place_of[chosen])
        if mine < theirs:
            return Reason("bye_rest", {"player": player})
        names = {"player": player, "other": chosen}
        if mine[0] != theirs[0]:
            return Reason("bye_higher_score", names)
        if mine[1] != theirs[1]:
            return Reason("bye_fewer_games", {**names, "games": -mine[1], "other_games": -theirs[1]})
        return Reason("bye_higher_rank", names)


def _all_met(reasons: Iterable[Reason]) -> bool:
    return all(reason.code == "met" for reason in reasons)


def explain_player(tournament: Tournament, pairing: RoundPairing, player: int) -> PlayerExplanation:
    """Return the answers for one player about a round that `pair_round` made of this tournament."""
    return Explainer(tournament, pairing).player(player)


def why_not(tournament: Tournament, pairing: RoundPairing, player: int, other: int) -> Reason:
    """Return why these two players do not meet in this round."""
    return Explainer(tournament, pairing).why_not(player, other)
