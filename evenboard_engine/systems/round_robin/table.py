"""The Berger tables (FIDE Handbook C.05, Annex 1), as the rule behind them.

A table has an even number of players. With an odd number, the player who would meet the last number is free. In row r
of a table of n players, two numbers meet if their sum, divided by n - 1, leaves the same remainder as r + 1. The number
that would have to meet itself meets n.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from evenboard_engine.systems.options import ON, ChoiceOption, Switch

# The articles behind reasons and steps.

ANNEX = "Annex 1"
"""As the margin of an explanation names it; the page says that it is of C.05."""
TABLES = f"C.05 {ANNEX}"

WITHOUT = frozenset({"bye_none", "free_never"})
"""Reasons that need no article."""


def articles_of(code: str) -> tuple[str, ...]:
    return () if code in WITHOUT else (ANNEX,)


# The tables.


class Meeting(NamedTuple):
    """Two numbers of the table, with their colours."""

    white: int
    black: int

    @property
    def turned(self) -> Meeting:
        return Meeting(self.black, self.white)


class BergerRow(NamedTuple):
    """What a round plays. cycle: from 1. row: of the table, from 1."""

    cycle: int
    row: int


def last_number(players: int) -> int:
    """Return the last number of the table for this many players. If they are odd in number, nobody has it."""
    return players + players % 2


def rows_of(players: int) -> int:
    """Return how many rows the table has: the rounds in which everybody meets everybody once."""
    return max(last_number(players) - 1, 0)


def table_row(players: int, row: int) -> tuple[Meeting, ...]:
    """Return a row in the order of the printed table, with the game against the last number first."""
    last = last_number(players)
    rows = last - 1
    middle = next(number for number in range(1, last) if 2 * number % rows == (row + 1) % rows)
    games = [Meeting(middle, last) if row % 2 else Meeting(last, middle)]
    for step in range(1, last // 2):
        up, down = (middle + step - 1) % rows + 1, (middle - step - 1) % rows + 1
        low, high = min(up, down), max(up, down)
        games.append(Meeting(low, high) if (low + high) % 2 else Meeting(high, low))
    return tuple(games)


@dataclass(frozen=True)
class Schedule:
    """All rounds of a round robin. cycles: how often everybody meets everybody; the colours turn from cycle to cycle.

    swapped: the last two rounds of the first cycle change places, so that nobody has the same colour three times in a
    row where the second cycle begins (C.05, Annex 1).
    """

    players: int
    cycles: int = 1
    swapped: bool = False

    @property
    def rounds(self) -> int:
        return rows_of(self.players) * self.cycles

    @property
    def games_of_one(self) -> int:
        """How many games each player has."""
        return max(self.players - 1, 0) * self.cycles

    def row_of(self, number: int) -> BergerRow:
        """Return what round `number` plays, from 1 to `rounds`."""
        rows = rows_of(self.players)
        cycle, place = (number - 1) // rows + 1, (number - 1) % rows + 1
        if self.swapped and self.cycles > 1 and cycle == 1 and rows > 1 and place >= rows - 1:
            place = 2 * rows - 1 - place
        return BergerRow(cycle, place)

    def round(self, number: int) -> tuple[Meeting, ...]:
        """Return the games of a round, without the one against a number that nobody has."""
        cycle, row = self.row_of(number)
        games = (game for game in table_row(self.players, row) if max(game) <= self.players)
        return tuple(game if cycle % 2 else game.turned for game in games)

    def free_in(self, number: int) -> int | None:
        """Return the number that is free in a round; None if the number of players is even."""
        if self.players % 2 == 0:
            return None
        return min(table_row(self.players, self.row_of(number).row)[0])

    @cached_property
    def _meetings(self) -> dict[frozenset[int], tuple[tuple[int, Meeting], ...]]:
        found: dict[frozenset[int], tuple[tuple[int, Meeting], ...]] = {}
        for number in range(1, self.rounds + 1):
            for game in self.round(number):
                found[frozenset(game)] = (*found.get(frozenset(game), ()), (number, game))
        return found

    def meetings(self, one: int, other: int) -> tuple[tuple[int, Meeting], ...]:
        """Return the rounds in which two numbers meet, each with the colours. Cost: linear in all games, once."""
        return self._meetings.get(frozenset((one, other)), ())

    def free_rounds(self, number: int) -> tuple[int, ...]:
        return tuple(played for played in range(1, self.rounds + 1) if self.free_in(played) == number)


# The options of the round robin.

ONCE, TWICE = "1", "2"
FREELY, BY_FEDERATION = "free", "federations"

CYCLES = ChoiceOption("cycles", ONCE, (ONCE, TWICE))
SWAP = Switch("swap", ON)
LOTS = ChoiceOption("lots", FREELY, (FREELY, BY_FEDERATION))


def schedule_for(players: int, options: Mapping[str, str]) -> Schedule:
    """Return all rounds of a field with these options."""
    return Schedule(players, int(CYCLES.text(options)), SWAP.is_on(options))
