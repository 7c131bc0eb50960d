"""What can be wrong with a report file: codes with a place. `evenboard_engine.words` has the sentences."""

from __future__ import annotations

from evenboard_engine.errors import PairingError


class TrfError(PairingError):
    """One error or warning.

    line: from 1, or 0 for the whole file. column: from 1, counted in characters, or 0 for the whole line.
    params: what was found and what was expected, as plain values. The codes are the keys of
    `evenboard_engine.words.report_problems.SENTENCES`.
    """

    code = "trf_error"

    def __init__(self, code: str, *, line: int = 0, column: int = 0, **params: object) -> None:
        super().__init__(code, **params)
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {super().__str__()}"


class TrfErrors(PairingError):
    """All errors, in the order of the lines, up to a limit.

    errors: at least one. more: True if reading stopped at the limit.
    """

    code = "trf_errors"

    def __init__(self, errors: tuple[TrfError, ...], *, more: bool = False) -> None:
        super().__init__(count=len(errors))
        self.errors = errors
        self.more = more

    def __str__(self) -> str:
        return "; ".join(str(error) for error in self.errors)


class Problems:
    """Collects errors up to a limit."""

    def __init__(self, limit: int = 50) -> None:
        self._limit = limit
        self._errors: list[TrfError] = []

    def add(self, code: str, *, line: int = 0, column: int = 0, **params: object) -> None:
        """Add an error. Raises TrfErrors when the limit is reached."""
        self._errors.append(TrfError(code, line=line, column=column, **params))
        if len(self._errors) >= self._limit:
            self._raise(more=True)

    def raise_if_any(self) -> None:
        if self._errors:
            self._raise(more=False)

    def _raise(self, *, more: bool) -> None:
        self._errors.sort(key=lambda error: (error.line, error.column))
        raise TrfErrors(tuple(self._errors), more=more)
