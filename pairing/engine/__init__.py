"""Swiss pairing: takes values and returns values. Uses no database, file or translated text."""

from __future__ import annotations

from pairing.engine.systems.dubov.pairing import pair_round
from pairing.engine.systems.dubov.relax import Relaxation, RelaxationKind, propose_relaxations

from .errors import InternalError, InvalidTournament, NoLegalPairing, PairingError
from .model import (
    BYES,
    RESULTS,
    Acceleration,
    Bye,
    ByeKind,
    Colour,
    Edition,
    Game,
    Outcome,
    Player,
    PointSystem,
    Result,
    Tournament,
    UpfloatCount,
)
from .result import BracketRecord, ColourRule, Pair, RoundPairing

__all__ = [
    "BYES",
    "RESULTS",
    "Acceleration",
    "BracketRecord",
    "Bye",
    "ByeKind",
    "Colour",
    "ColourRule",
    "Edition",
    "Game",
    "InternalError",
    "InvalidTournament",
    "NoLegalPairing",
    "Outcome",
    "Pair",
    "PairingError",
    "Player",
    "PointSystem",
    "Relaxation",
    "RelaxationKind",
    "Result",
    "RoundPairing",
    "Tournament",
    "UpfloatCount",
    "pair_round",
    "propose_relaxations",
]
