"""Tie-breaks from a player's own results (C.07, 7 and 10.6)."""

from __future__ import annotations

from hashlib import sha256

from evenboard_engine.model import Colour, PointSystem

from .cards import OPEN, PLAYED, CardRound, CardTable, RoundKind, RoundsCard


def wins(card: RoundsCard, points: PointSystem) -> int:
    """Return WIN: the number of rounds with the points of a win, played or not (7.1)."""
    return sum([is_win(turn, points) for turn in card.turns])


def games_won(card: RoundsCard) -> int:
    """Return WON: the number of games won over the board (7.2)."""
    return sum([is_game_won(turn) for turn in card.turns])


def games_with_black(card: RoundsCard) -> int:
    """Return BPG: the number of games played with Black (7.3)."""
    return sum([turn.kind is PLAYED and turn.colour is Colour.BLACK for turn in card.turns])


def games_won_with_black(card: RoundsCard) -> int:
    """Return BWG: the number of games won with Black over the board (7.4)."""
    return sum([is_game_won(turn) and turn.colour is Colour.BLACK for turn in card.turns])


def progressive_score(card: RoundsCard, cut: int) -> int:
    """Return PS in tenths: the sum of the scores after each round, without the first `cut` rounds (7.5)."""
    turns, totals = card.turns, card.running_scores()
    return sum(
        [total for turn, total in zip(turns[cut:], totals[cut:], strict=True) if turn.kind is not OPEN]
    )


def rounds_chosen(card: RoundsCard) -> int:
    """Return REP: the number of rounds that the player did not choose to leave unplayed (7.6)."""
    return sum([not turn.voluntary and turn.kind is not OPEN for turn in card.turns])


def standard_points(card: RoundsCard, known: CardTable) -> int:
    """Return STD: in each round 10 for more points than the opponent (or a draw, without one), 5 for equal (7.7).

    Reading: a double forfeit is a round without a game, so it is compared with a draw and gives 0 to both players.
    """
    return sum(
        standard(turn, points_to_beat(number, turn, known))
        for number, turn in enumerate(card.turns, start=1)
        if turn.kind is not OPEN
    )


def points_to_beat(number: int, turn: CardRound, known: CardTable) -> int:
    """Return the opponent's points in this round, from 1, or those of a draw where nobody came to play."""
    if turn.opponent is None or turn.kind is RoundKind.DOUBLE_FORFEIT:
        return known.draw
    return known.cards[turn.opponent].turns[number - 1].points


def standard(turn: CardRound, against: int) -> int:
    """Return the standard points of a round in tenths."""
    return 10 if turn.points > against else 5 if turn.points == against else 0


def lots(known: CardTable, seed: str) -> dict[int, int]:
    """Return each player's lot, from -1, the best, down. The seed repeats the draw.

    The lots are in the order of the SHA-256 sums of the texts "seed/pairing number".
    """
    drawn = sorted(known.cards.values(), key=lambda card: lot_text(card, seed)[1])
    return {card.player: -lot for lot, card in enumerate(drawn, start=1)}


def lot_text(card: RoundsCard, seed: str) -> tuple[str, str]:
    """Return the text of a lot and its SHA-256 sum."""
    text = f"{seed}/{card.tpn}"
    return text, sha256(text.encode()).hexdigest()


def is_win(turn: CardRound, points: PointSystem) -> bool:
    """Return whether a round gave the points of a win, played or not."""
    return turn.points >= (points.black_win if turn.colour is Colour.BLACK else points.white_win)


def is_game_won(turn: CardRound) -> bool:
    """Return whether a round was won over the board."""
    return turn.kind is PLAYED and turn.half_wins == 2
