"""The errors of the engine, as codes and parameters. Other layers turn them into translated sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .trace import Reason


class PairingError(Exception):
    """Base class of all errors of the engine.

    `code` is stable and machine-readable; `params` holds plain values (ints, strings, tuples of them).
    """

    code = "pairing_error"

    def __init__(self, code: str | None = None, **params: Any) -> None:
        self.code = code or type(self).code
        self.params = params
        super().__init__(self.code, params)

    def __str__(self) -> str:
        details = ", ".join(f"{key}={value!r}" for key, value in sorted(self.params.items()))
        return f"{self.code}({details})"


class InvalidTournament(PairingError):
    """The input contradicts itself (an unknown player, two games in one round, ...)."""

    code = "invalid_tournament"


class NoLegalPairing(PairingError):
    """The system pairs no round, so the arbiter must decide what to do (C.04.4.1, 1.8.3 in 2025, 1.9.3 in 2026).

    `params["players"]` is a tuple of player ids, in initial ranking order. Code `no_pairing`: these players cannot be
    paired; without them, all others could be. Code `no_bye`: the number of players is odd; with the bye for one of
    these players the round could be paired, but each of them is barred from it. Code `cannot_finish`: these players are
    left over by the procedure of the system, although a legal round may exist (`PairingSystem.offer`). No partial round
    is returned.
    reasons: what was decided and tried until then, in order, in the words of the system.
    """

    code = "no_pairing"

    def __init__(self, code: str | None = None, *, reasons: tuple[Reason, ...] = (), **params: Any) -> None:
        super().__init__(code, **params)
        self.reasons = reasons


class InternalError(PairingError):
    """A self-check of the engine failed. Never expected; the round must not be used."""

    code = "internal_error"
