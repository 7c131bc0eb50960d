"""The pairing systems of this program, by code."""

from __future__ import annotations

from collections.abc import Mapping

from evenboard_engine.errors import InvalidTournament
from evenboard_engine.history import Histories, History
from evenboard_engine.history import histories as histories_by
from evenboard_engine.model import Tournament
from evenboard_engine.result import Offer, Relaxation, RoundPairing

from .dubov.system import DUBOV
from .dubov1997.system import DUBOV_1997
from .round_robin.system import ROUND_ROBIN
from .system import PairingSystem
from .uschess.system import US_CHESS

SYSTEMS: dict[str, PairingSystem] = {
    DUBOV.code: DUBOV,
    DUBOV_1997.code: DUBOV_1997,
    US_CHESS.code: US_CHESS,
    ROUND_ROBIN.code: ROUND_ROBIN,
}
DEFAULT_SYSTEM = DUBOV.code
"""The system of a report file that names none."""


def system_of(tournament: Tournament) -> PairingSystem:
    """Return the pairing system of a tournament. Raises InvalidTournament: unknown_system."""
    return system_named(tournament.system)


def system_named(code: str) -> PairingSystem:
    """Return the pairing system with this code. Raises InvalidTournament: unknown_system."""
    try:
        return SYSTEMS[code]
    except KeyError:
        raise InvalidTournament("unknown_system", system=code, known=tuple(SYSTEMS)) from None


def pair_round(tournament: Tournament, *, trace: bool = False) -> RoundPairing:
    """Pair the next round by the system of the tournament, see `PairingSystem.pair`."""
    return system_of(tournament).pair(tournament, trace=trace)


def propose_relaxations(tournament: Tournament) -> tuple[Relaxation, ...]:
    """Propose the rules to break so that a round exists, see `PairingSystem.relaxations`."""
    return system_of(tournament).relaxations(tournament)


def offer(tournament: Tournament) -> Offer | None:
    """Offer a round where the procedure of the system cannot finish, see `PairingSystem.offer`."""
    return system_of(tournament).offer(tournament)


def histories(tournament: Tournament) -> Mapping[int, History]:
    """Return the history of every player before the round, by id, see `evenboard_engine.history.histories`."""
    return histories_by(tournament, system_of(tournament).history_rules(tournament))


def histories_on_demand(tournament: Tournament) -> Mapping[int, History]:
    """Return the same, each made when somebody asks for it. Raises InvalidTournament at once."""
    return Histories(tournament, system_of(tournament).history_rules(tournament))
