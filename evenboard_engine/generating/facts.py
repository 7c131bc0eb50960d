"""What only some pairing systems ask of players, by chance: no rating, teams, clubs, flags, byes of later rounds.

The chance comes from a second source, so the tournaments of other systems do not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from evenboard_engine.model import Bye, ByeKind, Flag, Player
from evenboard_engine.systems.system import PairingSystem

from .settings import Settings

ONE_IN = {Flag.KEEP: 15, Flag.NEW: 20, Flag.LATE: 30}
UNRATED_AT_MOST = 6  # one in this many
SIZE_OF_TEAM = 4


def with_facts(players: Sequence[Player], system: PairingSystem, rng: Random) -> tuple[Player, ...]:
    """Return players with the facts that the system asks for. The last ones are unrated, if it takes such players."""
    asked = set(system.player_facts)
    first_unrated = len(players)
    if system.takes_unrated:
        first_unrated -= rng.randint(0, len(players) // UNRATED_AT_MOST)
    groups = max(2, len(players) // SIZE_OF_TEAM)
    found = []
    for place, player in enumerate(players):
        team, club = (f"{word} {rng.randint(1, groups)}" for word in ("Team", "Club"))
        flags = frozenset(flag for flag, rate in ONE_IN.items() if rng.randrange(rate) == 0 and flag in asked)
        found.append(
            replace(
                player,
                rating=player.rating if place < first_unrated else 0,
                team=team if "team" in asked else "",
                club=club if "club" in asked else "",
                flags=flags,
            )
        )
    return tuple(found)


def half_byes_ahead(
    arrival: Mapping[int, int], system: PairingSystem, settings: Settings, rng: Random
) -> Iterator[Bye]:
    """Yield all half-point byes of a tournament, if its system looks ahead. arrival: first round, by player."""
    if not (system.looks_ahead and settings.half_byes):
        return
    for player, first in arrival.items():
        for number in range(first, (settings.rounds or 0) + 1):
            if rng.random() * settings.half_byes < 1:
                yield Bye(number, player, ByeKind.HALF)
