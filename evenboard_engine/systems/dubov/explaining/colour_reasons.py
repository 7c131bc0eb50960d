"""Say why a pair has these colours (C.04.4.1, 5.2, edition 2025). Used after the round is paired."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evenboard_engine.model import Colour
from evenboard_engine.result import Pair
from evenboard_engine.systems.dubov.pairing.field import Field
from evenboard_engine.systems.dubov.pairing.records import ColourRule

NOTHING: Mapping[str, Any] = {}


def colour_reason(field: Field, pair: Pair) -> tuple[str, Mapping[str, Any]]:
    """Return the code of the reason for the colours of a pair, and its parameters except White and Black."""
    rule = pair.colours
    if rule is ColourRule.BOTH:
        return "colour_both", NOTHING
    if rule is ColourRule.INITIAL:
        return _first_game(field, pair)
    white, black = field.past.place_of[pair.white], field.past.place_of[pair.black]
    if rule is ColourRule.STRONGER:
        stronger = field.shape[white].due.strength > field.shape[black].due.strength
        return "colour_stronger", {"granted": pair.white if stronger else pair.black}
    if rule is ColourRule.HIGHER_RANKED:
        higher = pair.white if field.shape[white].due.colour is Colour.WHITE else pair.black
        return "colour_higher", {"higher": higher}
    white_round, black_round = next(
        (mine[0], theirs[0])
        for mine, theirs in zip(_games(field, white), _games(field, black), strict=False)
        if mine[1] != theirs[1]
    )
    return "colour_alternate", {"white_round": white_round, "black_round": black_round}


def _first_game(field: Field, pair: Pair) -> tuple[str, Mapping[str, Any]]:
    """Return the number that decides (5.2.1), and how many players above it are not counted (GHR 2.4)."""
    place = min(
        (field.past.place_of[key] for key in (pair.white, pair.black)),
        key=lambda place: (-field.score[place], place),
    )
    higher, number = field.ids[place], field.numbers[place]
    colour = Colour.WHITE if higher == pair.white else Colour.BLACK
    found = {"higher": higher, "number": number, "colour": colour}
    if number == place + 1:
        return "colour_initial", found
    return "colour_initial_counted", {**found, "uncounted": place + 1 - number}


def _games(field: Field, place: int) -> list[tuple[int, int]]:
    """Return round and side of each game over the board, the last one first (GHR 3.4: only played games count)."""
    sides = enumerate(field.past.side_in, start=1)
    return [(number, column[place]) for number, column in sides if column[place]][::-1]
