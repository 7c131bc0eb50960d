"""Who gets White (C.04.4.1, article 5, edition 2025)."""

from __future__ import annotations

from pairing.engine.errors import InvalidTournament
from pairing.engine.model import Colour
from pairing.engine.result import ColourRule, Pair

from .field import Entrant


def higher_ranked_first(one: Entrant, other: Entrant) -> tuple[Entrant, Entrant]:
    """The player with more points first; when points are equal, the one higher in the initial ranking (5.2.1)."""
    if (-other.score, other.rank) < (-one.score, one.rank):
        return other, one
    return one, other


def allocate_colours(one: Entrant, other: Entrant, initial_colour: Colour | None) -> Pair:
    """The first rule of 5.2 that decides.

    Raises InvalidTournament when 5.2.1 needs the initial-colour and there is none.
    """
    higher, lower = higher_ranked_first(one, other)
    colour, rule = _colour_of_the_higher(higher, lower, initial_colour)
    if colour is Colour.WHITE:
        return Pair(higher.id, lower.id, rule)
    return Pair(lower.id, higher.id, rule)


def _colour_of_the_higher(
    higher: Entrant, lower: Entrant, initial_colour: Colour | None
) -> tuple[Colour, ColourRule]:
    if not higher.games and not lower.games:
        if initial_colour is None:
            raise InvalidTournament("initial_colour_missing")
        return initial_colour if higher.number % 2 else initial_colour.opposite, ColourRule.INITIAL
    if higher.due.colour is not lower.due.colour:
        return higher.due.colour, ColourRule.BOTH
    if higher.due.strength != lower.due.strength:
        stronger = higher if higher.due.strength > lower.due.strength else lower
        colour = stronger.due.colour
        return colour if stronger is higher else colour.opposite, ColourRule.STRONGER
    # GHR 3.4: only played games count, so the sequences are compared from their last games back
    for mine, theirs in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
        if mine is not theirs:
            return mine.opposite, ColourRule.ALTERNATE
    return higher.due.colour, ColourRule.HIGHER_RANKED
