"""Swiss pairing: takes values and returns values. Uses no database, file or translated text."""

from __future__ import annotations

from .errors import InternalError, InvalidTournament, NoLegalPairing, PairingError
from .model import (
    BYES,
    RESULTS,
    Acceleration,
    Bye,
    ByeKind,
    Colour,
    Flag,
    Game,
    OpenGame,
    Outcome,
    Player,
    PointSystem,
    Result,
    Ruling,
    Tournament,
)
from .result import Offer, Pair, Relaxation, RelaxationKind, RoundPairing
from .systems.registry import (
    SYSTEMS,
    histories,
    histories_on_demand,
    most_kept_apart,
    offer,
    pair_round,
    propose_relaxations,
    system_named,
    system_of,
)

VERSION = "1.1.0rc1"  # the only place: site and engine have one number (docs/releases.md)
PROGRAM = f"Evenboard {VERSION}"

__all__ = [
    "BYES",
    "PROGRAM",
    "RESULTS",
    "SYSTEMS",
    "VERSION",
    "Acceleration",
    "Bye",
    "ByeKind",
    "Colour",
    "Flag",
    "Game",
    "InternalError",
    "InvalidTournament",
    "NoLegalPairing",
    "Offer",
    "OpenGame",
    "Outcome",
    "Pair",
    "PairingError",
    "Player",
    "PointSystem",
    "Relaxation",
    "RelaxationKind",
    "Result",
    "RoundPairing",
    "Ruling",
    "Tournament",
    "histories",
    "histories_on_demand",
    "most_kept_apart",
    "offer",
    "pair_round",
    "propose_relaxations",
    "system_named",
    "system_of",
]
