"""Swiss pairing: values in, values out. Knows nothing of databases, files or people's languages."""

from __future__ import annotations

from .dubov import pair_round
from .dubov.relax import Relaxation, RelaxationKind, propose_relaxations
from .dubov.why import Explainer, explain_player, why_not
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
from .trace import Reason, RoundTrace, as_json

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
    "Explainer",
    "Game",
    "InternalError",
    "InvalidTournament",
    "NoLegalPairing",
    "Outcome",
    "Pair",
    "PairingError",
    "Player",
    "PointSystem",
    "Reason",
    "Relaxation",
    "RelaxationKind",
    "Result",
    "RoundPairing",
    "RoundTrace",
    "Tournament",
    "UpfloatCount",
    "as_json",
    "explain_player",
    "pair_round",
    "propose_relaxations",
    "why_not",
]
