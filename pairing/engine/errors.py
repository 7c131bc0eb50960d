"""What can go wrong, as codes and parameters. Wording belongs to the layers that may translate."""

from __future__ import annotations


class PairingError(Exception):
    """Base of every error of the engine.

    `code` is stable and machine-readable; `params` holds plain values (ints, strings, tuples of them).
    """

    code = "pairing_error"

    def __init__(self, code: str | None = None, **params: object) -> None:
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
    """No round exists that satisfies C1 to C3 (C.04.4.1, 1.8.3): the arbiter shall decide what to do.

    `params["players"]` is a tuple of player ids, in initial ranking order. Code `no_pairing`: these cannot be placed;
    with all of them out, the others could be paired. Code `no_bye`: the field is odd and the others could be paired
    if one of these stayed over, but C2 bars each of them from the bye. Nothing is returned and nothing is half done.
    """

    code = "no_pairing"


class InternalError(PairingError):
    """A self-check of the engine failed. Never expected; the round must not be used."""

    code = "internal_error"
