"""A round of the table, whatever happened in the rounds before."""

from __future__ import annotations

from evenboard_engine.errors import InternalError, NoLegalPairing
from evenboard_engine.model import Tournament
from evenboard_engine.result import Pair, RoundPairing

from .field import Field, colour_rule


def pair_round(tournament: Tournament) -> RoundPairing:
    """Return the games of the table for `tournament.round`, in its order.

    A player who is absent stays in the table: the game is forfeited (C.05, 6.6). A player with a bye in the round, from
    a report file, is left out with the opponent. Raises NoLegalPairing if the table has no such round.
    """
    field = Field.of(tournament)
    if field.is_over:
        raise NoLegalPairing("no_pairing", players=tuple(field.number_of))
    away = {bye.player for bye in tournament.byes if bye.round == tournament.round}
    pairs = tuple(
        Pair(game.white, game.black, colour_rule(field, game))
        for game in field.games
        if away.isdisjoint(game)
    )
    free = None if field.free in away else field.free
    _check(
        field,
        [*(key for pair in pairs for key in (pair.white, pair.black)), *([] if free is None else [free])],
    )
    return RoundPairing(tournament.round, pairs, free)


def _check(field: Field, placed: list[int]) -> None:
    """Check that nobody is placed twice, and nobody unknown. Raises InternalError."""
    if len(set(placed)) != len(placed) or not set(placed) <= field.number_of.keys():
        raise InternalError("not_everyone_once")
