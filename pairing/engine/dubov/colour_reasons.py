"""Why a pair has its colours (C.04.4.1, 5.2, edition 2025), said after the round is paired."""

from __future__ import annotations

from collections.abc import Mapping

from pairing.engine.errors import InternalError
from pairing.engine.model import Colour
from pairing.engine.result import ColourRule, Pair, RoundPairing

from .field import Field

CODES = {
    ColourRule.STRONGER: "colour_stronger",
    ColourRule.ALTERNATE: "colour_alternate",
    ColourRule.HIGHER_RANKED: "colour_higher",
}

NOTHING: Mapping[str, int] = {}


class ColourReasons:
    """Of all pairs of one round."""

    def __init__(self, field: Field, pairing: RoundPairing) -> None:
        self.field = field
        self.pairs = {pair.white: pair for pair in pairing.pairs}

    def of(self, one: int, two: int) -> tuple[int, str, Mapping[str, int]]:
        """Id of White, the code of why, and what else is to be said. By ids of two who are paired."""
        pair = self.pairs.get(one)
        if pair is None or pair.black != two:
            pair = self.pairs[two]
        rule = pair.colours
        if rule is ColourRule.BOTH:
            return pair.white, "colour_both", NOTHING
        if rule is ColourRule.INITIAL:
            return pair.white, "colour_initial", NOTHING
        return pair.white, CODES[rule], self._details(pair)

    def _details(self, pair: Pair) -> Mapping[str, int]:
        field = self.field
        white, black = field.past.place_of[pair.white], field.past.place_of[pair.black]
        if pair.colours is ColourRule.STRONGER:
            stronger = field.shape[white].due.strength > field.shape[black].due.strength
            return {"granted": pair.white if stronger else pair.black}
        if pair.colours is ColourRule.HIGHER_RANKED:
            return {"higher": pair.white if field.shape[white].due.colour is Colour.WHITE else pair.black}
        return self._rounds(white, black)

    def _rounds(self, white: int, black: int) -> Mapping[str, int]:
        """The rounds of the two players' latest games in which one had White and the other Black (GHR 3.4)."""
        for mine, theirs in zip(self._games(white), self._games(black), strict=False):
            if mine[1] != theirs[1]:
                return {"white_round": mine[0], "black_round": theirs[0]}
        raise InternalError("explanation_contradicts_the_pairing")

    def _games(self, place: int) -> list[tuple[int, int]]:
        """Round and side of the games played, the last one first."""
        games = [
            (number, column[place])
            for number, column in enumerate(self.field.past.side_in, start=1)
            if column[place]
        ]
        return games[::-1]
