"""A published round compared with the table, and what to tell an arbiter who pairs a round by hand."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from evenboard_engine.findings import Concern, HandMadeDraft, Level, Published, RoundDifference
from evenboard_engine.history import HistoryRules, histories
from evenboard_engine.model import Tournament

from .pairing import RoundRobinField, colour_of
from .table import TABLES, Meeting


class RoundRobinRule(StrEnum):
    """What a difference is about."""

    TABLE = "table"
    COLOURS = "colours"


def compare(tournament: Tournament, published: Published) -> tuple[RoundDifference, ...]:
    """Return how a round differs from the table.

    A game of the table that is not in the file is no difference: nobody plays a game whose players have both left, and
    some programs leave out the games of a player who has left. So is a free player without a bye in the file.
    """
    return tuple(_differences(RoundRobinField.of(tournament), published))


def _differences(field: RoundRobinField, published: Published) -> Iterator[RoundDifference]:
    number = published.round
    games = {} if field.is_over else {frozenset(game): game for game in field.games}
    for white, black in published.pairs:
        game = games.get(frozenset((white, black)))
        if game is None:
            rounds = tuple(played for played, _game in field.meetings(white, black))
            found = (white, black)
            yield RoundDifference(
                number, "pair", RoundRobinRule.TABLE, TABLES, found, values=(number, rounds)
            )
        elif game.white != white and white not in published.colourless:
            yield RoundDifference(
                number, "colours", RoundRobinRule.COLOURS, TABLES, (white, black), tuple(game)
            )
    free = None if field.is_over else field.free
    wrong = tuple(player for player in published.byes if player != free)
    if wrong:
        yield RoundDifference(
            number, "free", RoundRobinRule.TABLE, TABLES, wrong, () if free is None else (free,)
        )


def concerns(tournament: Tournament, draft: HandMadeDraft) -> tuple[Concern, ...]:
    """Return the concerns about a round that is paired by hand, board by board, the free player last."""
    field = RoundRobinField.of(tournament)
    past = histories(tournament, HistoryRules())
    found: list[Concern] = []
    for pair in draft.pairs:
        game = Meeting(*pair)
        found += _about_meeting(field, tournament, game)
        for player in game:
            colour = colour_of(game, player)
            if past[player].colours[-2:] == (colour, colour):
                others = tuple(key for key in game if key != player)
                found.append(
                    Concern(
                        "third_colour",
                        Level.ACKNOWLEDGE,
                        (player, *others),
                        (TABLES,),
                        colour=colour,
                        count=3,
                    )
                )
    if draft.bye is not None and (field.is_over or draft.bye != field.free):
        rounds = field.free_rounds(draft.bye)
        code = "free" if rounds else "free_never"
        found.append(Concern(code, Level.PROCEED, (draft.bye,), (TABLES,), rounds=rounds))
    return tuple(found)


def _about_meeting(field: RoundRobinField, tournament: Tournament, game: Meeting) -> Iterator[Concern]:
    """Yield whether two players meet as often as they should, in the round of the table and with its colours."""
    planned = field.meetings(*game)
    met = tuple(played.round for played in tournament.games if {played.white, played.black} == set(game))
    here = next((right for number, right in planned if number == field.round), None)
    if len(met) >= len(planned):
        yield Concern("met", Level.PROCEED, tuple(game), (TABLES,), rounds=met)
    elif here is None:
        later = tuple(number for number, _game in planned if number > field.round)
        code = "planned" if later else "not_here"
        rounds = later or tuple(number for number, _game in planned)
        yield Concern(code, Level.PROCEED, tuple(game), (TABLES,), rounds=rounds)
    elif here != game:
        yield Concern("colours", Level.SHOW, tuple(here), (TABLES,))
