"""The players of a tournament at their numbers of the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from evenboard_engine.model import Colour, Tournament

from .options import schedule_for
from .table import Meeting, Row, Schedule, last_number


@dataclass(frozen=True)
class Field:
    """round: the round in question. number_of: the number of the table of each player, by id; player_of: the inverse.

    Every player has a place in the table, also one who has withdrawn: the table does not change.
    """

    round: int
    schedule: Schedule
    number_of: Mapping[int, int]
    player_of: Mapping[int, int]

    @classmethod
    def of(cls, tournament: Tournament) -> Field:
        ids = [player.id for player in sorted(tournament.players, key=lambda player: player.tpn)]
        numbers = {key: number for number, key in enumerate(ids, start=1)}
        players = {number: key for key, number in numbers.items()}
        return cls(tournament.round, schedule_for(len(ids), tournament.options), numbers, players)

    @property
    def is_over(self) -> bool:
        """Return whether the table has no such round."""
        return self.round > self.schedule.rounds

    @cached_property
    def row(self) -> Row:
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


def colour_rule(field: Field, game: Meeting) -> str:
    """Return the code of the reason for the colours of a game of the table."""
    if field.row.cycle % 2 == 0:
        return "colour_return"
    numbers = [field.number_of[key] for key in game]
    if field.last in numbers:
        return "colour_last_black" if field.row.row % 2 else "colour_last_white"
    return "colour_lower" if sum(numbers) % 2 else "colour_higher"


def colour_of(game: Meeting, player: int) -> Colour:
    return Colour.WHITE if player == game.white else Colour.BLACK
