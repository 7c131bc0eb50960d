"""Each player's rounds as the tie-breaks need them (C.07, 15 and 16)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

from evenboard_engine.model import RESULTS, ByeKind, Colour, Outcome, Player, PointSystem, Result, Tournament
from evenboard_engine.rulings import added_points, ruled_results
from evenboard_engine.systems.registry import system_of


class RoundKind(StrEnum):
    """The kind of one round of a player."""

    PLAYED = "played"
    FORFEIT_WIN = "forfeit win"
    FORFEIT_LOSS = "forfeit loss"
    DOUBLE_FORFEIT = "double forfeit"
    ALLOCATED = "allocated bye"
    FULL = "full-point bye"
    HALF = "half-point bye"
    ZERO = "zero-point bye"
    OPEN = "open game"


PLAYED, OPEN = RoundKind.PLAYED, RoundKind.OPEN

_OF_BYE = {
    ByeKind.ALLOCATED: RoundKind.ALLOCATED,
    ByeKind.FULL: RoundKind.FULL,
    ByeKind.HALF: RoundKind.HALF,
    ByeKind.ZERO: RoundKind.ZERO,
}
_OF_FORFEIT = {Outcome.FORFEIT_WIN: RoundKind.FORFEIT_WIN, Outcome.FORFEIT_LOSS: RoundKind.FORFEIT_LOSS}
_VOLUNTARY = frozenset({RoundKind.HALF, RoundKind.ZERO, RoundKind.FORFEIT_LOSS, RoundKind.DOUBLE_FORFEIT})
"""Kinds of rounds that a player chose not to play: voluntarily unplayed rounds (VUR)."""


class CardRound(NamedTuple):
    """One round of one player.

    points: tenths. colour: of a game or a forfeit. half_wins: of a played game, 2 for a win, 1 for a draw, 0 for a
    loss, with any point system. voluntary: the player chose not to play (VUR). away: a bye after which the player did
    not play again (16.2.5). An open game has its opponent, but no points and no part in any sum.
    """

    kind: RoundKind
    points: int
    opponent: int | None = None
    colour: Colour | None = None
    half_wins: int = 0
    voluntary: bool = False
    away: bool = False


@dataclass(frozen=True, slots=True)
class RoundsCard:
    """A player's rounds and score (tenths). adjusted: the score that counts for opponents (16.3). counted_rating: the
    rating that counts for them, 0 if tie-breaks leave out games against the player. later: as in `Player`.
    added: bonuses and penalties by round (0 before round 1). They are in both scores and in no round.
    """

    player: int
    tpn: int
    rating: int
    counted_rating: int
    turns: tuple[CardRound, ...]
    score: int
    adjusted: int
    later: tuple[tuple[int, int], ...] = ()
    added: tuple[tuple[int, int], ...] = ()

    @property
    def apart(self) -> int:
        """The bonuses and penalties, added up."""
        return sum([points for _number, points in self.added])

    def added_in(self, number: int) -> int:
        """Return the bonus or penalty of a round, 0 for before round 1."""
        return sum([points for at, points in self.added if at == number])

    def running_scores(self) -> list[int]:
        """Return the score after each round."""
        if not self.added:
            return list(accumulate([turn.points for turn in self.turns]))
        numbered = enumerate(self.turns, start=1)
        gained = (turn.points + self.added_in(number) for number, turn in numbered)
        return list(accumulate(gained, initial=self.added_in(0)))[1:]

    def rating_in(self, number: int) -> int:
        """Return the rating that counts for the opponent of a round; 0 if the game is left out."""
        if not self.later or not self.counted_rating:
            return self.counted_rating
        return next(
            (rating for start, rating in reversed(self.later) if start <= number), self.counted_rating
        )

    @property
    def rounds(self) -> int:
        """The number of rounds without open games."""
        return sum([turn.kind is not OPEN for turn in self.turns])


@dataclass(frozen=True, slots=True)
class CardTable:
    """All cards, by id, and what counts.

    draw: the points of a draw in tenths. fixed: all pairings were fixed in advance, as in a round robin. Then 15.2
    counts instead of 16: forfeits are games, and a free round is no part of a sum.
    """

    cards: Mapping[int, RoundsCard]
    points: PointSystem
    draw: int
    fixed: bool


def table(tournament: Tournament) -> CardTable:
    """Return the cards for the rounds before `tournament.round`. An empty round is a zero-point bye."""
    points = tournament.points
    nothing = CardRound(RoundKind.ZERO, points.zero_bye, voluntary=True)
    turns = {player.id: [nothing] * (tournament.round - 1) for player in tournament.players}
    white, black = _sides(points, Colour.WHITE), _sides(points, Colour.BLACK)
    for game in tournament.games:
        at = game.round - 1
        kind, scored, half_wins, voluntary = white[game.result]
        turns[game.white][at] = CardRound(kind, scored, game.black, Colour.WHITE, half_wins, voluntary)
        kind, scored, half_wins, voluntary = black[game.result]
        turns[game.black][at] = CardRound(kind, scored, game.white, Colour.BLACK, half_wins, voluntary)
    for still in tournament.open_games:
        turns[still.white][still.round - 1] = CardRound(OPEN, 0, still.black, Colour.WHITE)
        turns[still.black][still.round - 1] = CardRound(OPEN, 0, still.white, Colour.BLACK)
    for bye in tournament.byes:
        if bye.round < tournament.round:
            kind = _OF_BYE[bye.kind]
            turns[bye.player][bye.round - 1] = CardRound(
                kind, points.of_bye(bye.kind), voluntary=kind in _VOLUNTARY
            )
    added: Mapping[int, Mapping[int, int]] = {}
    if tournament.rulings:
        added = added_points(tournament)
        for (number, key), ruled in ruled_results(tournament).items():
            if key in turns:  # `changes` asks for the cards of a few players
                turns[key][number - 1] = turns[key][number - 1]._replace(points=ruled.points)
    draw = min(points.white_draw, points.black_draw)
    fixed = system_of(tournament).fixed_rounds
    made = {
        player.id: _card(player, turns[player.id], None if fixed else draw, added.get(player.id))
        for player in tournament.players
    }
    return CardTable(made, points, draw, fixed)


def _sides(points: PointSystem, colour: Colour) -> dict[Result, tuple[RoundKind, int, int, bool]]:
    """Return for each result the kind, the points, the half wins and whether it is voluntary, for one side."""
    found = {}
    for result, meaning in RESULTS.items():
        outcome = meaning.white if colour is Colour.WHITE else meaning.black
        kind = _OF_FORFEIT.get(outcome, PLAYED)
        if result is Result.DOUBLE_FORFEIT:
            kind = RoundKind.DOUBLE_FORFEIT
        half_wins = {Outcome.WIN: 2, Outcome.DRAW: 1}.get(outcome, 0)
        found[result] = (kind, points.of_game(outcome, colour), half_wins, kind in _VOLUNTARY)
    return found


def _card(
    player: Player, turns: Iterable[CardRound], draw: int | None, added: Mapping[int, int] | None = None
) -> RoundsCard:
    """Return a card. draw: the points of a round away (16.3), None where they count as scored. added: by round."""
    turns = list(turns)
    score = adjusted = sum([turn.points for turn in turns]) + (sum(added.values()) if added else 0)
    number = len(turns) - 1
    while draw is not None and number >= 0 and turns[number].voluntary:
        turn = turns[number]
        if turn.opponent is None:
            turns[number] = turn._replace(away=True)
            adjusted += draw - turn.points
        number -= 1
    counted = 0 if player.left_out else player.rating
    apart = tuple(sorted(added.items())) if added else ()
    return RoundsCard(
        player.id, player.tpn, player.rating, counted, tuple(turns), score, adjusted, player.later, apart
    )


def last_round_drawn(known: CardTable) -> CardTable:
    """Return the cards as if every pairing of the last round were a draw (Fore Buchholz, 8.3).

    Nobody who was paired in the last round was away before it (16.2.5), so the score is the adjusted one.
    """
    draw = known.draw
    changed = dict(known.cards)
    for key, card in known.cards.items():
        if card.turns and card.turns[-1].opponent is not None:
            last = card.turns[-1]
            turns = card.turns[:-1]
            if last.voluntary:
                turns = tuple(turn._replace(away=False) for turn in turns)
            drawn = CardRound(PLAYED, draw, last.opponent, last.colour, 1)
            score = card.score - last.points + draw
            changed[key] = replace(card, turns=(*turns, drawn), score=score, adjusted=score)
    return CardTable(changed, known.points, draw, known.fixed)
