"""Add random decisions of the arbiter on points to a tournament."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from evenboard_engine import ByeKind, Outcome, Ruling, Tournament

KINDS = (*Outcome, ByeKind.FULL, ByeKind.HALF, ByeKind.ZERO)


def with_rulings(tournament: Tournament, seed: int) -> Tournament:
    """Return the tournament with bonuses, penalties and points of results, of rounds past, to come, and of all."""
    rng = Random(seed)
    found: dict[tuple[int, int, Outcome | ByeKind | None], Ruling] = {}
    for _ in range(rng.randrange(1, 9)):
        player = rng.choice(tournament.players).id
        number = rng.randrange(tournament.round + 1)
        if rng.random() < 0.5:
            one = Ruling(player, number, rng.choice((-20, -10, -5, 1, 5, 10)))
        else:
            one = Ruling(player, number, rng.choice((0, 3, 5, 10, 15, 30)), rng.choice(KINDS))
        found[one.player, one.round, one.of] = one
    return replace(tournament, rulings=tuple(found.values()))
