"""A round of the table, whatever happened in the rounds before, and the games of players who leave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from evenboard_engine.errors import InternalError, NoLegalPairing
from evenboard_engine.model import RESULTS, Colour, Game, Outcome, Result, Tournament
from evenboard_engine.result import Pair, RoundPairing

from .table import BergerRow, Meeting, Schedule, last_number, schedule_for

# The players of a tournament at their numbers of the table.


@dataclass(frozen=True)
class RoundRobinField:
    """round: the round in question. number_of: the number of the table of each player, by id; player_of: the inverse.

    Every player has a place in the table, also one who has withdrawn: the table does not change.
    """

    round: int
    schedule: Schedule
    number_of: Mapping[int, int]
    player_of: Mapping[int, int]

    @classmethod
    def of(cls, tournament: Tournament) -> RoundRobinField:
        ids = [player.id for player in sorted(tournament.players, key=lambda player: player.tpn)]
        numbers = {key: number for number, key in enumerate(ids, start=1)}
        players = {number: key for key, number in numbers.items()}
        return cls(tournament.round, schedule_for(len(ids), tournament.options), numbers, players)

    @property
    def is_over(self) -> bool:
        """Return whether the table has no such round."""
        return self.round > self.schedule.rounds

    @cached_property
    def row(self) -> BergerRow:
        return self.schedule.row_of(self.round)

    @property
    def last(self) -> int:
        """Return the last number of the table."""
        return last_number(self.schedule.players)

    @cached_property
    def games(self) -> tuple[Meeting, ...]:
        """Return the games of the round by player, in the order of the printed table."""
        return tuple(self.of_players(game) for game in self.schedule.round(self.round))

    @cached_property
    def free(self) -> int | None:
        """Return the player who is free in the round."""
        number = self.schedule.free_in(self.round)
        return None if number is None else self.player_of[number]

    def of_players(self, game: Meeting) -> Meeting:
        return Meeting(self.player_of[game.white], self.player_of[game.black])

    def meetings(self, one: int, other: int) -> tuple[tuple[int, Meeting], ...]:
        """Return the rounds in which two players meet by the table, each with the colours."""
        found = self.schedule.meetings(self.number_of[one], self.number_of[other])
        return tuple((number, self.of_players(game)) for number, game in found)

    def free_rounds(self, player: int) -> tuple[int, ...]:
        """Return the rounds in which a player is free by the table."""
        return self.schedule.free_rounds(self.number_of[player])

    def game_of(self, one: int, other: int) -> Meeting:
        """Return the colours of two players who meet in this round: those of the table in the current cycle."""
        meetings = self.meetings(one, other)
        cycle = min(self.row.cycle, len(meetings)) if not self.is_over else len(meetings)
        return meetings[cycle - 1][1]


def colour_rule(field: RoundRobinField, game: Meeting) -> str:
    """Return the code of the reason for the colours of a game of the table."""
    if field.row.cycle % 2 == 0:
        return "colour_return"
    numbers = [field.number_of[key] for key in game]
    if field.last in numbers:
        return "colour_last_black" if field.row.row % 2 else "colour_last_white"
    return "colour_lower" if sum(numbers) % 2 else "colour_higher"


def colour_of(game: Meeting, player: int) -> Colour:
    return Colour.WHITE if player == game.white else Colour.BLACK


# A round of the table, whatever happened in the rounds before.


def pair_round(tournament: Tournament) -> RoundPairing:
    """Return the games of the table for `tournament.round`, in its order.

    A player who is absent stays in the table: the game is forfeited (C.05, 6.6). A player with a bye in the round, from
    a report file, is left out with the opponent. Raises NoLegalPairing if the table has no such round.
    """
    field = RoundRobinField.of(tournament)
    if field.is_over:
        raise NoLegalPairing("no_pairing", players=tuple(field.number_of))
    away = {bye.player for bye in tournament.byes if bye.round == tournament.round}
    pairs = tuple(
        Pair(game.white, game.black, colour_rule(field, game))
        for game in field.games
        if away.isdisjoint(game)
    )
    free = None if field.free in away else field.free
    _check(
        field,
        [*(key for pair in pairs for key in (pair.white, pair.black)), *([] if free is None else [free])],
    )
    return RoundPairing(tournament.round, pairs, free)


def _check(field: RoundRobinField, placed: list[int]) -> None:
    """Check that nobody is placed twice, and nobody unknown. Raises InternalError."""
    if len(set(placed)) != len(placed) or not set(placed) <= field.number_of.keys():
        raise InternalError("not_everyone_once")


# What becomes of the games of a player who leaves a round robin (FIDE Handbook C.05, 6.6).
#
# The games that are left are forfeited. If the player completed fewer than half of the games, no game of the
# player counts for the final standings; all stay in the crosstable and in the report.


def forfeit(tournament: Tournament, white: int, black: int) -> Result | None:
    """Return the result of a game that cannot be played because somebody has left; None if it can be played."""
    gone = white in tournament.absent, black in tournament.absent
    return {
        (True, True): Result.DOUBLE_FORFEIT,
        (True, False): Result.BLACK_WINS_BY_FORFEIT,
        (False, True): Result.WHITE_WINS_BY_FORFEIT,
    }.get(gone)


def uncounted(tournament: Tournament) -> dict[int, tuple[int, int]]:
    """Return those of `completed` who left before they had completed half of their games. Exactly half is enough."""
    return {player: (count, of) for player, (count, of) in completed(tournament).items() if 2 * count < of}


def completed(tournament: Tournament) -> dict[int, tuple[int, int]]:
    """Return the players who left. For each of them: how many games were completed, and of how many.

    Reading: a game is completed if it was played, is adjourned, or was won because the opponent did not appear.
    """
    if not tournament.absent:
        return {}
    needed = RoundRobinField.of(tournament).schedule.games_of_one
    counts = dict.fromkeys(tournament.absent, 0)
    for game in tournament.games:
        for player, colour in ((game.white, Colour.WHITE), (game.black, Colour.BLACK)):
            if player in counts and is_completed(game, colour):
                counts[player] += 1
    return {player: (count, needed) for player, count in counts.items()}


def is_completed(game: Game, colour: Colour) -> bool:
    meaning = RESULTS[game.result]
    return (meaning.white if colour is Colour.WHITE else meaning.black) is not Outcome.FORFEIT_LOSS
