"""What each player did in each round: the cells of crosstables, cards and colour strips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pairing.engine import RESULTS, ByeKind, Colour, Outcome, Result
from pairing.engine.model import PointSystem
from tournaments.models import Bye, Game, Round

from .field import SectionField


@dataclass(frozen=True, slots=True)
class Turn:
    """One player in one round.

    A game: opponent (participant key), colour and board are set. result and outcome (for this player) are None
    while the game is open. An adjourned game has a result and counts as a draw. played: the game was played, so
    colour and opponent count. A bye: `bye` is set. Neither: the player was out. gained: in tenths, None while
    the game is open.
    """

    round: int
    opponent: int | None = None
    colour: Colour | None = None
    board: int | None = None
    result: Result | None = None
    outcome: Outcome | None = None
    played: bool = False
    bye: ByeKind | None = None
    gained: int | None = 0

    @property
    def open(self) -> bool:
        return self.opponent is not None and self.result is None

    @property
    def adjourned(self) -> bool:
        return self.result is Result.ADJOURNED

    @property
    def forfeited(self) -> bool:
        """The player had an opponent and a result, but no game was played."""
        return self.result is not None and not self.played


def turns(field: SectionField, *, until: int | None = None) -> Mapping[int, tuple[Turn, ...]]:
    """Return the turns of all players up to round `until` (by default the latest), by key. Round 1 is the
    first.
    """
    points = field.section.point_system
    numbers = [row.number for row in field.rounds if until is None or row.number <= until]
    out = {
        key: {number: Turn(round=number, gained=points.zero_bye) for number in numbers}
        for key in field.participants
    }
    for bye in field.byes:
        if bye.round_number in numbers:
            out[bye.participant_id][bye.round_number] = bye_turn(bye, points)
    for game in field.games:
        if game.round.number in numbers:
            out[game.white_id][game.round.number] = game_turn(game, game.round, Colour.WHITE, points)
            out[game.black_id][game.round.number] = game_turn(game, game.round, Colour.BLACK, points)
    return {key: tuple(row.values()) for key, row in out.items()}


def game_turn(game: Game, played_round: Round, colour: Colour, points: PointSystem) -> Turn:
    """Return the turn of one player of a game."""
    white = colour is Colour.WHITE
    result = game.outcome
    meaning = RESULTS[result] if result else None
    outcome = (meaning.white if white else meaning.black) if meaning else None
    return Turn(
        round=played_round.number,
        opponent=game.black_id if white else game.white_id,
        colour=colour,
        board=game.board,
        result=result,
        outcome=outcome,
        played=meaning.played if meaning else False,
        gained=points.of_game(outcome, colour) if outcome else None,
    )


def bye_turn(bye: Bye, points: PointSystem) -> Turn:
    kind = ByeKind(bye.kind)
    return Turn(round=bye.round_number, bye=kind, gained=points.of_bye(kind))
