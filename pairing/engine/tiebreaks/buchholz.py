"""Buchholz, Fore Buchholz, Average of Opponents' Buchholz and Sonneborn-Berger (C.07, 8, 9.1 and 16)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from .cards import VOLUNTARY, Card, Kind, Turn
from .codes import TieBreak

_Part = tuple[int, int, bool]
"""The value of a round's opponent, the round's contribution, and whether the player chose not to play (VUR)."""


class Opponents:
    """Compute tie-breaks from the scores of opponents.

    draw: tenths. capped: limit the score of the dummy opponent of an unplayed round by 16.4, as from 1 March 2026;
    before, the dummy had the player's own score.
    """

    def __init__(self, known: Mapping[int, Card], draw: int, *, capped: bool) -> None:
        self._known = known
        self._draw = draw
        self._capped = capped

    def buchholz(self, card: Card, rule: TieBreak) -> int:
        """Return the sum in tenths, with cuts (16.5): the lowest voluntarily unplayed rounds are cut first."""
        parts = sorted((worth, worth, by_choice) for worth, by_choice in self._worth(card, rule.forfeits))
        for _ in range(min(rule.cut or rule.median, len(parts))):
            chosen = next((part for part in parts if part[2]), parts[0])
            parts.remove(chosen)
        kept = parts[: max(0, len(parts) - rule.median)]
        return sum(part[1] for part in kept)

    def sonneborn_berger(self, card: Card, rule: TieBreak) -> int:
        """Return the sum in hundredths of a point, with cuts (16.5)."""
        worths = self._worth(card, rule.forfeits)
        parts: list[_Part] = sorted(
            (worth, worth * turn.points, by_choice)
            for (worth, by_choice), turn in zip(worths, card.turns, strict=True)
        )
        for _ in range(min(rule.cut, len(parts))):
            chosen = parts[0]
            unplayed = min((part for part in parts if part[2]), key=lambda part: part[1], default=None)
            if unplayed is not None and unplayed[1] > chosen[1]:
                chosen = unplayed
            parts.remove(chosen)
        return sum(part[1] for part in parts)

    def average_buchholz(self, card: Card) -> Fraction:
        """Return the average Buchholz of the opponents met, in tenths; 0 without a game. Reading: it is not rounded."""
        met = [
            self.buchholz(self._known[turn.opponent], TieBreak("BH", "BH"))
            for turn in card.turns
            if turn.kind is Kind.PLAYED and turn.opponent is not None
        ]
        return Fraction(sum(met), len(met)) if met else Fraction(0)

    def _worth(self, card: Card, forfeits: bool) -> list[tuple[int, bool]]:
        """Return for each round the value of its opponent, and whether the player chose not to play."""
        return [self._of_turn(card, turn, forfeits) for turn in card.turns]

    def _of_turn(self, card: Card, turn: Turn, forfeits: bool) -> tuple[int, bool]:
        if turn.opponent is not None:
            adjusted = self._known[turn.opponent].adjusted
            if turn.kind is Kind.PLAYED or forfeits:
                return adjusted, False
            limit = adjusted
        else:
            limit = self._draw * len(card.turns)
        worth = min(card.score, limit) if self._capped else card.score
        return worth, turn.kind in VOLUNTARY
