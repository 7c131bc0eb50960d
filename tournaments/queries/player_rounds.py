"""What each player did in each round: the cells of crosstables, cards and colour strips."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from evenboard_engine import RESULTS, ByeKind, Colour, Outcome, Result, Ruling
from evenboard_engine.model import PointSystem
from evenboard_engine.rulings import PointsByDecision
from tournaments.models import Bye, Game, Participant, Round
from tournaments.snapshot import rulings_of

from .field import SectionField


@dataclass(frozen=True, slots=True)
class PlayerRound:
    """One player in one round.

    A game: opponent (participant key), colour and board are set. result and outcome (for this player) are None
    while the game is open. An adjourned game has a result and counts as a draw. played: the game was played, so
    colour and opponent count. A bye: `bye` is set. Neither: the player was out. gained: in tenths, None while
    the game is open. corrected: a later round was paired with another result.
    ruled: the points are by decision of the arbiter. added: a bonus or (negative) a penalty of this round, in tenths.
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
    corrected: bool = False
    ruled: bool = False
    added: int = 0

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


PlayerRoundsOf = Callable[[int], tuple[PlayerRound, ...]]
"""Returns the turns of a player, by key."""


def player_rounds(field: SectionField, *, until: int | None = None) -> Mapping[int, tuple[PlayerRound, ...]]:
    """Return the turns of all players up to round `until` (by default the latest), by key. Round 1 is the
    first.
    """
    own = player_rounds_of(field, until=until)
    return {key: own(key) for key in field.participants}


def player_rounds_of(field: SectionField, *, until: int | None = None) -> PlayerRoundsOf:
    """Return a function for the turns of one player, who may be asked for at any time later."""
    points = field.section.point_system
    rounds = [row for row in field.rounds if until is None or row.number <= until]
    games = {row.pk: field.once_in(row, "games of", _by_player) for row in rounds}
    byes = {(bye.participant_id, bye.round_number): bye for bye in field.byes}

    def plain(key: int, row: Round) -> PlayerRound:
        if (game := games[row.pk].get(key)) is not None:
            return round_of_game(game, row, Colour.WHITE if game.white_id == key else Colour.BLACK, points)
        if (bye := byes.get((key, row.number))) is not None:
            return round_of_bye(bye, points)
        return PlayerRound(round=row.number, gained=points.zero_bye)

    def own(key: int) -> tuple[PlayerRound, ...]:
        found = tuple(plain(key, row) for row in rounds)
        rulings = rulings_of(field.participants[key]) if field.participants[key].rulings else ()
        return with_rulings(found, rulings) if rulings else found

    return own


def with_rulings(found: Iterable[PlayerRound], rulings: Iterable[Ruling]) -> tuple[PlayerRound, ...]:
    """Return the turns of a player with the points that the arbiter decided."""
    decided = PointsByDecision(rulings)
    return tuple(_ruled(turn, decided) for turn in found)


def points_of(found: Iterable[PlayerRound], rulings: Iterable[Ruling]) -> int:
    """Return the score of a player after these turns, from round 1 on, in tenths."""
    decided = PointsByDecision(rulings)
    turns = (_ruled(turn, decided) for turn in found)
    return decided.added.get(0, 0) + sum((turn.gained or 0) + turn.added for turn in turns)


def _ruled(turn: PlayerRound, decided: PointsByDecision) -> PlayerRound:
    of = turn.outcome or turn.bye or (ByeKind.ZERO if turn.opponent is None else None)
    points = decided.points_of(of, turn.round) if of else None
    ruled = points is not None and points != turn.gained
    return replace(
        turn,
        gained=turn.gained if points is None else points,
        ruled=ruled,
        added=decided.added.get(turn.round, 0),
    )


def _by_player(games: Iterable[Game]) -> dict[int, Game]:
    """Return the games by the keys of both players."""
    return {key: game for game in games for key in (game.white_id, game.black_id)}


def round_of_game(game: Game, played_round: Round, colour: Colour, points: PointSystem) -> PlayerRound:
    """Return the turn of one player of a game."""
    white = colour is Colour.WHITE
    result = game.outcome
    meaning = RESULTS[result] if result else None
    outcome = (meaning.white if white else meaning.black) if meaning else None
    return PlayerRound(
        round=played_round.number,
        opponent=game.black_id if white else game.white_id,
        colour=colour,
        board=game.board,
        result=result,
        outcome=outcome,
        played=meaning.played if meaning else False,
        gained=points.of_game(outcome, colour) if outcome else None,
        corrected=game.is_corrected,
    )


def round_of_bye(bye: Bye, points: PointSystem, entry: Participant | None = None) -> PlayerRound:
    """Return the turn of a bye. entry: with what the arbiter decided on its points."""
    kind = ByeKind(bye.kind)
    found = PlayerRound(round=bye.round_number, bye=kind, gained=points.of_bye(kind))
    return with_rulings((found,), rulings_of(entry))[0] if entry and entry.rulings else found
