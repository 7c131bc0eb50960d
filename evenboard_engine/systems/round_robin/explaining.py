"""Why a round of a round robin is as it is: its row of the table, and the numbers that meet in it."""

from __future__ import annotations

from evenboard_engine.model import Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.trace import (
    BracketTrace,
    ByeTrace,
    PairTrace,
    PlayerExplanation,
    Reason,
    RoundTrace,
    WhyAnswer,
)

from .pairing import RoundRobinField, colour_rule
from .table import Meeting, rows_of


class RoundRobinExplainer:
    """Explains a round that the table gives."""

    def __init__(self, tournament: Tournament, pairing: RoundPairing) -> None:
        self._field = RoundRobinField.of(tournament)
        self._pairs = tuple(
            _pair_trace(self._field, Meeting(pair.white, pair.black)) for pair in pairing.pairs
        )
        self._free = pairing.bye
        self._bracket = _bracket(self._field, self._pairs)
        self.trace = RoundTrace(
            pairing.round,
            ByeTrace(pairing.bye),
            (self._bracket,) if self._pairs else (),
            steps=steps_of_round(self._field),
        )

    def player(self, player: int) -> PlayerExplanation:
        row = self.pair_of(player)
        if row is None:
            code = "bye" if player == self._free else "not_paired"
            return PlayerExplanation(player, None, (WhyAnswer(code, (self._why_free(player),)),))
        other = row.second if player == row.first else row.first
        return PlayerExplanation(
            player,
            other,
            (
                WhyAnswer("opponent", (self._why_meet(player, other), *self.trace.steps)),
                WhyAnswer("colour", (row.colours,)),
            ),
        )

    def pair_of(self, player: int) -> PairTrace | None:
        return next((row for row in self._pairs if player in (row.first, row.second)), None)

    def bracket_of(self, player: int) -> BracketTrace | None:
        return self._bracket if self.pair_of(player) else None

    def why_not(self, player: int, other: int) -> Reason:
        rounds = tuple(number for number, _game in self._field.meetings(player, other))
        code = "meets_here" if self._field.round in rounds else "meets_in"
        return Reason(code, {"player": player, "other": other, "rounds": rounds})

    def why_not_bye(self, player: int) -> Reason:
        rounds = self._field.free_rounds(player)
        return Reason("free_in", {"player": player, "rounds": rounds}) if rounds else Reason("free_never", {})

    def _why_meet(self, player: int, other: int) -> Reason:
        numbers = [self._field.number_of[player], self._field.number_of[other]]
        people = {"player": player, "other": other, "row": self._field.row.row}
        if self._field.last in numbers:
            return Reason("meets_last", {**people, "number": min(numbers), "last": max(numbers)})
        return Reason("meets", {**people, "one": numbers[0], "two": numbers[1], "sum": sum(numbers)})

    def _why_free(self, player: int) -> Reason:
        return Reason("bye_given" if player == self._free else "left_out", {"player": player})


def steps_of_round(field: RoundRobinField) -> tuple[Reason, ...]:
    """Return which row of the table a round plays, and which numbers meet in it."""
    cycle, row = field.row
    rows = rows_of(field.schedule.players)
    about = {"number": field.round, "row": row, "last": field.last}
    which = "row"
    if cycle > 1:
        which = "row_again"
    elif row != field.round:
        which = "row_swapped"
    sums = [total for total in (row + 1, row + 1 + rows) if 3 <= total <= 2 * rows - 1]
    meet = (
        Reason("sum", {"sum": sums[0]})
        if len(sums) == 1
        else Reason("sums", {"low": sums[0], "high": sums[-1]})
    )
    return Reason(which, about), *([meet] if field.last > 2 else [])


def _pair_trace(field: RoundRobinField, game: Meeting) -> PairTrace:
    rule = colour_rule(field, game)
    details = {}
    if rule == "colour_return":
        former = next(number for number, _game in field.meetings(*game) if number < field.round)
        details = {"round": former}
    return PairTrace(game.white, game.black, game.white, rule, details, ())


def _bracket(field: RoundRobinField, pairs: tuple[PairTrace, ...]) -> BracketTrace:
    """Return all games as one bracket without a score: nobody is floated in a table."""
    return BracketTrace(
        score=0,
        residents=tuple(field.number_of),
        count=Reason("bye_none", {}),
        unplayed=False,
        order=tuple(pair.second for pair in pairs),
        pairs=pairs,
    )
