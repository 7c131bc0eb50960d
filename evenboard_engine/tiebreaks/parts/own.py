"""The parts of tie-breaks from a player's own results (C.07, 7), and of the cumulative points of US Chess."""

from __future__ import annotations

from collections.abc import Iterator

from evenboard_engine.model import Colour
from evenboard_engine.tiebreaks import own, us_chess
from evenboard_engine.tiebreaks.cards import PLAYED, Card, Table, Turn
from evenboard_engine.tiebreaks.codes import TieBreak

from .cuts import with_first_cut
from .model import Drawn, Part
from .rounds import own_part, tenths, with_added

COUNTED = ("WIN", "WON", "BPG", "BWG", "REP")
"""Tie-breaks that count rounds."""


def parts_of_counted(card: Card, rule: TieBreak, known: Table) -> tuple[Part, ...]:
    """Return the rounds of a tie-break that counts rounds: 1 or 0 for each."""
    return tuple(
        own_part(number, turn, int(_counts(turn, rule.name, known)))
        for number, turn in enumerate(card.turns, start=1)
    )


def _counts(turn: Turn, name: str, known: Table) -> bool:
    if name == "WIN":
        return own.is_win(turn, known.points)
    if name == "REP":
        return not turn.voluntary
    black = turn.colour is Colour.BLACK
    if name == "BPG":
        return turn.kind is PLAYED and black
    return own.is_game_won(turn) and (name == "WON" or black)


def parts_of_points(card: Card) -> tuple[Part, ...]:
    """Return the points of each round, with bonuses and penalties. Those before round 1 are in its part."""
    return tuple(
        with_added(own_part(number, turn, tenths(turn.points + added)), added)
        for number, turn, added in _with_bonuses(card)
    )


def _with_bonuses(card: Card) -> Iterator[tuple[int, Turn, int]]:
    """Yield each round, from 1, with its bonus or penalty in tenths."""
    for number, turn in enumerate(card.turns, start=1):
        before = card.added_in(0) if number == 1 else 0
        yield number, turn, before + card.added_in(number)


def parts_of_running_score(card: Card, rule: TieBreak, known: Table) -> tuple[Part, ...]:
    """Return the score after each round, for the progressive score, or for that of US Chess."""
    win = known.points.white_win if rule.name == "OTHER_CUM" else 0
    scores = card.running_scores()
    parts = tuple(
        with_added(
            own_part(
                number, turn, tenths(score - (us_chess.taken_off(turn, win) if win else 0)), tenths(score)
            ),
            added,
        )
        for (number, turn, added), score in zip(_with_bonuses(card), scores, strict=True)
    )
    return with_first_cut(parts, rule.cut)


def parts_of_standard_points(card: Card, known: Table) -> tuple[Part, ...]:
    """Return for each round the points to compare with, and what counts."""
    parts = []
    for number, turn in enumerate(card.turns, start=1):
        against = own.points_to_beat(number, turn, known)
        counts = tenths(own.standard(turn, against))
        parts.append(own_part(number, turn, counts, tenths(against)))
    return tuple(parts)


def lot_of(card: Card, rule: TieBreak, lot: int) -> Drawn:
    """Return the drawing of a lot of a player."""
    return Drawn(*own.lot_text(card, rule.seed), lot)
