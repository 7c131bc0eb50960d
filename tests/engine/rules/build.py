"""Small values for the tests of single articles."""

from __future__ import annotations

from pairing.engine import Colour, Game, Player, Result, Tournament
from pairing.engine.dubov.field import Entrant
from pairing.engine.dubov.preferences import Preference, Strength

WHITE, BLACK = Colour.WHITE, Colour.BLACK


def entrant(
    rank: int,
    due: Colour = BLACK,
    *,
    strength: Strength = Strength.MILD,
    score: int = 0,
    aro: int = 0,
    games: int = 1,
    met: tuple[int, ...] = (),
    colours: tuple[Colour, ...] = (),
    upfloats: int = 0,
    upfloated_last: bool = False,
    maximum: bool = False,
    bye_barred: bool = False,
) -> Entrant:
    return Entrant(
        id=rank,
        rank=rank,
        number=rank,
        score=score,
        aro=aro,
        games=games,
        due=Preference(due, strength),
        colours=colours,
        met=frozenset(met),
        upfloats=upfloats,
        upfloated_last=upfloated_last,
        maximum=maximum,
        bye_barred=bye_barred,
    )


def players(count: int) -> tuple[Player, ...]:
    return tuple(Player(id=i, tpn=i, rating=2400 - 10 * i) for i in range(1, count + 1))


def tournament(
    count: int, *games: tuple[int, int, int, Result], rounds: int = 9, at: int = 0, **more: object
) -> Tournament:
    """Players 1 to count, rated 2390, 2380, ...; games as (round, white, black, result); paired next: `at`, or the
    round after the last game."""
    played = tuple(Game(*game) for game in games)
    number = at or 1 + max((game.round for game in played), default=0)
    return Tournament(
        rounds=rounds, round=number, players=players(count), games=played, initial_colour=WHITE, **more
    )  # type: ignore[arg-type]
