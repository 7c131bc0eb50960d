"""Answer the questions of one player of the Dutch System: why this opponent, colour or bye, and why not another one."""

from __future__ import annotations

from collections.abc import Iterator

from evenboard_engine.model import Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.dutch.pairing import work_on_round
from evenboard_engine.systems.explaining import SwissExplainer
from evenboard_engine.systems.fide_swiss import colour_reasons, virtual_points, with_virtual_points
from evenboard_engine.trace import PairTrace, Reason, WhyAnswer

from .tracing import MOST_COMPARED, order_of_row, passed_by, trace_of
from .verdicts import FinishedDutchRound


class DutchExplainer(SwissExplainer):
    """Answers questions about one round. Cost of the constructor: as pairing the round again."""

    def __init__(self, tournament: Tournament, _pairing: RoundPairing) -> None:
        super().__init__(tournament)
        self._done = FinishedDutchRound(tournament, work_on_round(tournament))
        self.trace = trace_of(self._done)
        self._place = self._done.field.past.place_of

    def is_here(self, player: int) -> bool:
        return self._done.is_here(player)

    def answers(self, player: int, pair: PairTrace, _opponent: int) -> Iterator[WhyAnswer]:
        yield WhyAnswer("opponent", tuple(self._opponent(pair)))
        yield WhyAnswer("colour", colour_reasons(self._done.field, pair, player))

    def _opponent(self, pair: PairTrace) -> Iterator[Reason]:
        """Yield why the two of a pair meet, and why those who come first in the order are passed."""
        done = self._done
        one, other = self._place[pair.first], self._place[pair.second]
        bracket = done.brackets[done.at[one]]
        at = bracket.pairs.index((one, other))
        names = {"player": pair.first, "opponent": pair.second}
        moved = len(bracket.met_moved)
        is_told = other != order_of_row(bracket, at)[0] and not passed_by(bracket, at)
        first = (Reason("first_free", names),) if is_told else ()
        if at < moved:
            yield Reason("moved_pair", names)
            yield from first
            points, bracket_points = done.field.score[one], done.field.score[other]
            yield Reason("floated", {"player": pair.first, "points": points, "bracket": bracket_points})
            yield from virtual_points(done.field, (one, other))
            for number, here in enumerate(done.members[: done.at[one]]):
                if one in here and len(here) <= MOST_COMPARED:
                    yield done.why_float(one, number)
        else:
            yield Reason("row", {**names, "row": at - moved + 1})
            yield from first
        yield from (passed.reason for passed in pair.passed)

    def obstacle(self, player: int, other: int) -> Reason | None:
        return self._done.obstacle(self._place[player], self._place[other])

    def decision(self, player: int, other: int) -> Reason:
        return self._of_scores(
            self._done.why_not_meet(self._place[player], self._place[other]), player, other
        )

    def why_no_bye(self, player: int, holder: int) -> Reason:
        return self._of_scores(self._done.why_not_bye(self._place[player]), player, holder)

    def _of_scores(self, reason: Reason, *players: int) -> Reason:
        """Add the virtual points of these two, if the reason speaks of scores: nothing else names them."""
        of_scores = "bracket" in reason.params or reason.code == "bye_higher_score"
        return with_virtual_points(self._done.field, reason, players) if of_scores else reason
