"""Each player's rounds as the tie-breaks need them (C.07, 15 and 16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from pairing.engine.model import RESULTS, ByeKind, Colour, Outcome, Tournament


class Kind(StrEnum):
    """The kind of one round of a player."""

    PLAYED = "played"
    FORFEIT_WIN = "forfeit win"
    FORFEIT_LOSS = "forfeit loss"
    ALLOCATED = "allocated bye"
    FULL = "full-point bye"
    HALF = "half-point bye"
    ZERO = "zero-point bye"


_OF_BYE = {
    ByeKind.ALLOCATED: Kind.ALLOCATED,
    ByeKind.FULL: Kind.FULL,
    ByeKind.HALF: Kind.HALF,
    ByeKind.ZERO: Kind.ZERO,
}
_OF_FORFEIT = {Outcome.FORFEIT_WIN: Kind.FORFEIT_WIN, Outcome.FORFEIT_LOSS: Kind.FORFEIT_LOSS}
VOLUNTARY = frozenset({Kind.HALF, Kind.ZERO, Kind.FORFEIT_LOSS})
"""Kinds of rounds that a player chose not to play: voluntarily unplayed rounds (VUR)."""
_STAYED_AWAY = frozenset({Kind.HALF, Kind.ZERO})


@dataclass(frozen=True, slots=True)
class Turn:
    """One round of one player.

    points: tenths. colour: of a game or a forfeit. half_wins: of a played game, 2 for a win, 1 for a draw, 0 for a
    loss, with any point system. away: a bye after which the player did not play again (16.2.5).
    """

    kind: Kind
    points: int
    opponent: int | None = None
    colour: Colour | None = None
    half_wins: int = 0
    away: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A player's rounds and score (tenths). adjusted: the score that counts for opponents (16.3)."""

    player: int
    tpn: int
    rating: int
    turns: tuple[Turn, ...]
    score: int
    adjusted: int


def cards(tournament: Tournament) -> dict[int, Card]:
    """Return all cards, by id, for the rounds before `tournament.round`. An empty round is a zero-point bye."""
    points = tournament.points
    nothing = Turn(Kind.ZERO, points.zero_bye)
    turns = {player.id: [nothing] * (tournament.round - 1) for player in tournament.players}
    for game in tournament.games:
        meaning = RESULTS[game.result]
        for me, opponent, outcome, colour in (
            (game.white, game.black, meaning.white, Colour.WHITE),
            (game.black, game.white, meaning.black, Colour.BLACK),
        ):
            turns[me][game.round - 1] = Turn(
                _OF_FORFEIT.get(outcome, Kind.PLAYED),
                points.of_game(outcome, colour),
                opponent,
                colour,
                {Outcome.WIN: 2, Outcome.DRAW: 1}.get(outcome, 0),
            )
    for bye in tournament.byes:
        if bye.round < tournament.round:
            turns[bye.player][bye.round - 1] = Turn(_OF_BYE[bye.kind], points.of_bye(bye.kind))
    draw = min(points.white_draw, points.black_draw)
    return {
        player.id: _card(player.id, player.tpn, player.rating, turns[player.id], draw)
        for player in tournament.players
    }


def _card(player: int, tpn: int, rating: int, turns: list[Turn], draw: int) -> Card:
    for number in range(len(turns) - 1, -1, -1):
        if turns[number].kind not in VOLUNTARY:
            break
        if turns[number].kind in _STAYED_AWAY:
            turns[number] = replace(turns[number], away=True)
    return Card(
        player,
        tpn,
        rating,
        tuple(turns),
        sum(turn.points for turn in turns),
        sum(draw if turn.away else turn.points for turn in turns),
    )


def last_round_drawn(known: Mapping[int, Card], draw: int) -> dict[int, Card]:
    """Return the cards as if every pairing of the last round were a draw (Fore Buchholz, 8.3)."""
    changed = {}
    for key, card in known.items():
        turns = list(card.turns)
        if turns and turns[-1].opponent is not None:
            turns[-1] = replace(turns[-1], kind=Kind.PLAYED, points=draw, half_wins=1)
            turns = [replace(turn, away=False) for turn in turns]
        changed[key] = _card(key, card.tpn, card.rating, turns, draw)
    return changed
