"""Small tournaments with random results: every kind of unplayed round, rematches, any point system, unrated players.

Rounds are paired at random, because tie-breaks do not ask how a round was paired.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from evenboard_engine import Bye, ByeKind, Game, Player, Tournament
from evenboard_engine.tests.random_rounds import FORFEITS, PLAYED, POINT_SYSTEMS, UNUSUAL


def random_results(seed: int, *, fixed: bool = False, most: int = 9) -> Tournament:
    """Return a tournament of 2 to `most` players. fixed: a round robin, whose only unplayed rounds are forfeits and
    free rounds."""
    rng = Random(seed)
    size = rng.randrange(2, most + 1)
    ids = rng.sample(range(1, 100), size)
    tpns = rng.sample(range(1, size + 1), size)
    near = rng.random() < 0.3
    players = tuple(
        Player(key, tpn, rng.randrange(2000, 2020) if near else rng.randrange(1000, 2900))
        for key, tpn in zip(ids, tpns, strict=True)
    )
    rounds = rng.randrange(0, 8)
    forfeits, unusual, byes, away = (rng.choice((0, 0.1, 0.4)) for _ in range(4))
    games: list[Game] = []
    free: list[Bye] = []
    gone: set[int] = set()
    for number in range(1, rounds + 1):
        gone |= {key for key in ids if not fixed and rng.random() < away / 3}
        here = []
        for key in rng.sample(ids, size):
            if not fixed and (key in gone or rng.random() < byes):
                if rng.random() < 0.8:  # a round without any entry is a zero-point bye too
                    kinds = (
                        (ByeKind.ZERO,)
                        if key in gone
                        else (ByeKind.HALF, ByeKind.HALF, ByeKind.FULL, ByeKind.ZERO)
                    )
                    free.append(Bye(number, key, rng.choice(kinds)))
            else:
                here.append(key)
        if len(here) % 2:
            free.append(Bye(number, here.pop(), ByeKind.ALLOCATED))
        for white, black in zip(here[::2], here[1::2], strict=True):
            chance = rng.random()
            results = FORFEITS if chance < forfeits else UNUSUAL if chance < forfeits + unusual else PLAYED
            games.append(Game(number, white, black, rng.choice(results)))
    points = rng.choice(POINT_SYSTEMS)
    unrated = rng.choice((0, 0, 0.3))
    players = tuple(replace(one, rating=0) if rng.random() < unrated else one for one in players)
    return Tournament(
        rounds=max(1, rounds),
        round=rounds + 1,
        players=players,
        games=tuple(games),
        byes=tuple(free),
        points=points,
        system="round-robin" if fixed else "dubov",
    )
