"""Why a pair has its colours (S3, S5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.model import RESULTS, Colour
from evenboard_engine.systems.dubov1997.pairing.colours import ColourRule
from evenboard_engine.systems.dubov1997.pairing.field import NO_COLOUR

from .obstacles import COLOUR_OF, Facts


def colour_reason(facts: Facts, white: int, black: int, rule: str) -> tuple[str, Mapping[str, Any]]:
    """Return the code of the reason, and its parameters besides `white` and `black`. Players are seats."""
    field = facts.field
    match ColourRule(rule):
        case ColourRule.LIMIT:
            return _limit(facts, white, black)
        case ColourRule.DUE:
            if NO_COLOUR in (field.due[white], field.due[black]):
                player = black if field.due[white] == NO_COLOUR else white
                return "colour_due_one", {"player": facts.id(player), "colour": COLOUR_OF[field.due[player]]}
            return "colour_due", {}
        case ColourRule.EQUALISE:
            differences = [field.colours[seat].difference for seat in (white, black)]
            return "colour_equalise", {"difference": differences[0], "other_difference": differences[1]}
        case ColourRule.ALTERNATE:
            rounds = _first_difference(facts, white, black)
            return "colour_alternate", {"white_round": rounds[0], "black_round": rounds[1]}
        case ColourRule.HIGHER_ARO:
            return "colour_aro", facts.aros(white, black)
        case ColourRule.LOWER_RATING:
            return "colour_rating", {"rating": field.rating[white], "other_rating": field.rating[black]}
        case ColourRule.NUMBER:
            return "colour_number", {}
        case ColourRule.FIRST_ROUND:
            return "colour_first_round", {}


def _limit(facts: Facts, white: int, black: int) -> tuple[str, Mapping[str, Any]]:
    """Return which of the two could not have the other colour, and why."""
    field = facts.field
    player, side = (white, BLACK_SIDE) if field.barred[white] & BLACK_SIDE else (black, WHITE_SIDE)
    shape = field.colours[player]
    params = {"player": facts.id(player), "colour": COLOUR_OF[side]}
    if shape.sides[-2:] == bytes((side, side)):
        return "colour_limit_row", params
    return "colour_limit_difference", params


def _first_difference(facts: Facts, white: int, black: int) -> tuple[int, int]:
    """Return the rounds of the games, counted from the last ones, in which the two first had different colours."""
    mine, theirs = _games(facts, white), _games(facts, black)
    for (my_round, my_colour), (their_round, their_colour) in zip(
        reversed(mine), reversed(theirs), strict=False
    ):
        if my_colour is not their_colour:
            return my_round, their_round
    raise AssertionError("the colours are the same")


def _games(facts: Facts, seat: int) -> list[tuple[int, Colour]]:
    key = facts.id(seat)
    return sorted(
        (game.round, Colour.WHITE if game.white == key else Colour.BLACK)
        for game in facts.tournament.games
        if key in (game.white, game.black) and RESULTS[game.result].played
    )
