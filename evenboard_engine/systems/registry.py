"""The pairing systems of this program, by code. Each is loaded when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import replace
from typing import TypeVar

from evenboard_engine.errors import InvalidTournament, NoLegalPairing, PairingError
from evenboard_engine.history import Histories, History
from evenboard_engine.history import histories as histories_by
from evenboard_engine.model import Tournament
from evenboard_engine.result import Offer, Relaxation, RoundPairing

from .system import PairingSystem

T = TypeVar("T")
Pairs = frozenset[tuple[int, int]]
"""Ids, the smaller one first."""


class LoadedOnDemand(MutableMapping[str, T]):
    """What belongs to each pairing system, by code. Whoever asks which codes there are loads nothing."""

    def __init__(self, loaders: Mapping[str, Callable[[], T]]) -> None:
        self._loaders = dict(loaders)

    def __getitem__(self, code: str) -> T:
        return self._loaders[code]()

    def __setitem__(self, code: str, value: T) -> None:
        self._loaders[code] = lambda: value

    def __delitem__(self, code: str) -> None:
        del self._loaders[code]

    def __contains__(self, code: object) -> bool:
        return code in self._loaders

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaders)

    def __len__(self) -> int:
        return len(self._loaders)


def _dubov() -> PairingSystem:
    from .dubov.system import DUBOV

    return DUBOV


def _dutch() -> PairingSystem:
    from .dutch.system import DUTCH

    return DUTCH


def _dubov_1997() -> PairingSystem:
    from .dubov1997.system import DUBOV_1997

    return DUBOV_1997


def _us_chess() -> PairingSystem:
    from .uschess.system import US_CHESS

    return US_CHESS


def _round_robin() -> PairingSystem:
    from .round_robin.system import ROUND_ROBIN

    return ROUND_ROBIN


SYSTEMS: LoadedOnDemand[PairingSystem] = LoadedOnDemand(
    {
        "dubov": _dubov,
        "dutch": _dutch,
        "dubov-1997": _dubov_1997,
        "uschess": _us_chess,
        "round-robin": _round_robin,
    }
)
DEFAULT_SYSTEM = "dubov"
"""The system of a tournament that names none."""
ASSUMED_SYSTEM = "dutch"
"""The system of a report file that names none: nearly all files of other programs are of the Dutch System."""


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


def most_kept_apart(tournament: Tournament, groups: Sequence[Pairs]) -> list[int]:
    """Return the places of the groups that are kept apart besides `Tournament.forbidden`.

    groups: the pairs of each, which must not meet if that is possible. Each group in turn is kept apart if a round
    exists with it and with those already kept; so a group is left out only if there is none.
    """

    def exists(kept: Sequence[int]) -> bool:
        apart = tournament.forbidden.union(*(groups[place] for place in kept))
        try:
            pair_round(replace(tournament, forbidden=apart))
        except NoLegalPairing:
            return False
        except PairingError:
            return True  # whoever pairs the round meets this error and reports it
        return True

    def added(places: list[int], kept: list[int]) -> list[int]:
        """Halve the places, because with fewer groups a round exists more often."""
        if exists([*kept, *places]):
            return [*kept, *places]
        half = len(places) // 2
        return added(places[half:], added(places[:half], kept)) if half else kept

    everybody = list(range(len(groups)))
    if exists(everybody):
        return everybody
    return added(everybody, []) if exists(()) else []


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
