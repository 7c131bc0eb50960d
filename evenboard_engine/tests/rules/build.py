"""Small values for the tests of single articles."""

from __future__ import annotations

from evenboard_engine import Colour, Game, Player, Result, Tournament
from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.preference import Preference, Strength
from evenboard_engine.systems.dubov.pairing.field import DubovEntrant, Shape
from evenboard_engine.systems.field import BLACK_ABSOLUTE, NOT_ABSOLUTE, WHITE_ABSOLUTE

WHITE, BLACK = Colour.WHITE, Colour.BLACK


def shape(due: Colour, strength: Strength = Strength.MILD, sides: str = "w") -> Shape:
    """Return the shape of a player with these colours and the given preference."""
    absolute = NOT_ABSOLUTE
    if strength is Strength.ABSOLUTE:
        absolute = WHITE_ABSOLUTE if due is WHITE else BLACK_ABSOLUTE
    played = bytes(WHITE_SIDE if side == "w" else BLACK_SIDE for side in sides)
    return Shape(played, Preference(due, strength), due is WHITE, absolute)


def entrant(
    rank: int,
    due: Colour = BLACK,
    *,
    strength: Strength = Strength.MILD,
    score: int = 0,
    aro: int = 0,
    games: int = 1,
    met: tuple[int, ...] = (),
    upfloats: int = 0,
    upfloated_last: bool = False,
    maximum: bool = False,
    bye_barred: bool = False,
) -> DubovEntrant:
    return DubovEntrant(
        id=rank,
        rank=rank,
        number=rank,
        score=score,
        aro=aro,
        shape=shape(due, strength, "w" * games),
        met=frozenset(met),
        upfloats=upfloats,
        upfloated_last=upfloated_last,
        maximum=maximum,
        bye_barred=bye_barred,
    )


def players(count: int) -> tuple[Player, ...]:
    return tuple(Player(id=i, tpn=i, rating=max(1000, 2400 - 10 * i)) for i in range(1, count + 1))


def tournament(
    count: int, *games: tuple[int, int, int, Result], rounds: int = 9, at: int = 0, **more: object
) -> Tournament:
    """Return a tournament of players 1 to count, rated 2390, 2380, ... down to 1000.

    games: (round, white, black, result). at: the round to be paired; by default the one after the last game.
    """
    played = tuple(Game(*game) for game in games)
    number = at or 1 + max((game.round for game in played), default=0)
    return Tournament(
        rounds=rounds, round=number, players=players(count), games=played, initial_colour=WHITE, **more
    )  # type: ignore[arg-type]
