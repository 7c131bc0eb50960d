"""Answer the questions of one player of the Dutch System: why this opponent, colour or bye, and why not another one."""

from __future__ import annotations

from collections.abc import Iterator

from evenboard_engine.model import Colour, Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.dutch.pairing import work_on_round
from evenboard_engine.trace import BracketTrace, PairTrace, PlayerExplanation, Reason, WhyAnswer

from .tracing import MOST_COMPARED, passed_by, trace_of, virtual_points
from .verdicts import COLOURS, FinishedDutchRound


class DutchExplainer:
    """Answers questions about one round. Cost of the constructor: as pairing the round again."""

    def __init__(self, tournament: Tournament, _pairing: RoundPairing) -> None:
        self._done = FinishedDutchRound(tournament, work_on_round(tournament))
        self.trace = trace_of(self._done)
        self._place = self._done.field.past.place_of
        self._pairs = {
            key: (bracket, pair)
            for bracket in self.trace.brackets
            for pair in bracket.pairs
            for key in (pair.first, pair.second)
        }

    def pair_of(self, player: int) -> PairTrace | None:
        return self._pairs[player][1] if player in self._pairs else None

    def bracket_of(self, player: int) -> BracketTrace | None:
        return self._pairs[player][0] if player in self._pairs else None

    def player(self, player: int) -> PlayerExplanation:
        """Return the answers for a player. Raises KeyError for a player who is not in the tournament."""
        place = self._place[player]
        if not self._done.is_here(player):
            here = Reason("not_here", {"player": player})
            return PlayerExplanation(player, None, (WhyAnswer("not_paired", (here,)),))
        pair = self.pair_of(player)
        if pair is None:
            bye = self.trace.bye
            passed = (passed.reason for passed in bye.passed)
            given = Reason("bye_given", {"player": player})
            return PlayerExplanation(player, None, (WhyAnswer("bye", (given, *bye.reasons, *passed)),))
        opponent = pair.second if player == pair.first else pair.first
        answers = (
            WhyAnswer("opponent", tuple(self._opponent(pair))),
            WhyAnswer("colour", tuple(self._colour(pair, player, place))),
        )
        return PlayerExplanation(player, opponent, answers)

    def _opponent(self, pair: PairTrace) -> Iterator[Reason]:
        """Yield why the two of a pair meet, and why those who come first in the order are passed."""
        done = self._done
        one, other = self._place[pair.first], self._place[pair.second]
        bracket = done.brackets[done.at[one]]
        at = bracket.pairs.index((one, other))
        names = {"player": pair.first, "opponent": pair.second}
        moved = len(bracket.met_moved)
        if at < moved:
            yield Reason("moved_pair", names)
            points, bracket_points = done.field.score[one], done.field.score[other]
            yield Reason("floated", {"player": pair.first, "points": points, "bracket": bracket_points})
            yield from virtual_points(done.field, (one, other))
            from_there = next(at for at, here in enumerate(done.members) if one in here)
            if len(done.members[from_there]) <= MOST_COMPARED:
                yield done.why_float(one, from_there)
        else:
            yield Reason("row", {**names, "row": at - moved + 1})
        if not passed_by(bracket, at):
            yield Reason("first_free", names)
        yield from (passed.reason for passed in pair.passed)

    def _colour(self, pair: PairTrace, player: int, place: int) -> Iterator[Reason]:
        yield pair.colours
        colour = Colour.WHITE if pair.white == player else Colour.BLACK
        sides = [
            (number, column[place])
            for number, column in enumerate(self._done.field.past.side_in, start=1)
            if column[place]
        ]
        if sides and COLOURS[sides[-1][1]] is colour:
            yield Reason("colour_again", {"player": player, "colour": colour, "round": sides[-1][0]})

    def why_not(self, player: int, other: int) -> Reason:
        """Return why two players do not meet.

        Raises KeyError for a player who is not in the tournament, ValueError if both are the same player.
        """
        if player == other:
            raise ValueError("a player cannot meet himself")
        one, two = self._place[player], self._place[other]
        for key in (player, other):
            if not self._done.is_here(key):
                return Reason("not_here", {"player": key})
        if self._done.mate.get(one) == two:
            return Reason("paired", {"player": player, "other": other})
        obstacle = self._done.obstacle(one, two)
        if obstacle is not None:
            return obstacle
        if self._done.bye in (one, two):
            return Reason("has_bye", {"player": player if self._done.bye == one else other})
        return self._done.why_not_meet(one, two)

    def why_not_bye(self, player: int) -> Reason:
        """Return why a player does not have the bye. Raises KeyError for a player who is not in the tournament."""
        place = self._place[player]
        if self._done.bye is None:
            return Reason("bye_none", {})
        if place == self._done.bye:
            return Reason("bye_given", {"player": player})
        if not self._done.is_here(player):
            return Reason("not_here", {"player": player})
        return self._done.why_not_bye(place)
