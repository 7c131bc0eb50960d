"""What both kinds of storage share: the columns of a list, and how far an import is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ratings.names import PlayerSearch
from ratings.players import COLUMNS, NUMBERS, RATINGS, BadLine, ListedPlayer

SEARCHED = (*COLUMNS, "search")
"""The stored columns. `rank`, the key, gives the order in which a search returns players."""
NULLABLE = "fide_id"
BEST = "max({})".format(", ".join(RATINGS))
ORDER = "(flag LIKE '%i%'), {best} DESC, line"
"""Active players first, then the highest rating."""
INDEX = 1
"""The version of what is stored for the search. A list with another one is built again. 1: years of birth are in it."""
HITS = 20
MOST_WARNINGS = 20

StepMade = Callable[[str, float], None]
"""Called with the name of a step and how much of it is done, 0 to 1."""


@dataclass(slots=True)
class Done:
    """How far the reading of a file is. sha256: of the file, since another file must be read from its beginning."""

    sha256: str = ""
    lines: int = 0
    rows: int = 0
    bad: int = 0
    warnings: list[dict[str, Any]] = field(default_factory=list)

    def note(self, line: BadLine) -> None:
        self.bad += 1
        if len(self.warnings) < MOST_WARNINGS:
            self.warnings.append({"line": line.line, "code": line.code, "text": line.text})


@dataclass(frozen=True, slots=True)
class Built:
    """A finished list. repeated: lines that were left out because an earlier one has their ID. bytes: on the disk."""

    rows: int
    repeated: int
    bytes: int
    by_index: bool


class Building(Protocol):
    """An import into a new list."""

    def done(self) -> Done: ...
    def begin(self, done: Done) -> None: ...
    def add(self, rows: Sequence[tuple[Any, ...]], done: Done) -> None: ...
    def finish(self, step: StepMade) -> Built: ...
    def close(self) -> None: ...


class Kept(Protocol):
    """A finished list."""

    def search(self, wanted: PlayerSearch, limit: int = HITS) -> list[ListedPlayer]: ...
    def by_ids(self, ids: Sequence[int]) -> dict[int, ListedPlayer]: ...
    def by_numbers(self, numbers: Sequence[str]) -> dict[str, ListedPlayer]: ...
    def known(self, count: int) -> list[int]: ...
    def everybody(self) -> Generator[ListedPlayer]: ...


def listed(row: Sequence[Any]) -> ListedPlayer:
    """Return the player of a row that has `COLUMNS`."""
    return ListedPlayer(**dict(zip(COLUMNS, row, strict=True)))


def column_types(integer: str, text: str, names: Sequence[str] = SEARCHED) -> str:
    """Return the definition of the columns, in this order."""
    kinds = [
        f"{name} {integer if name in NUMBERS else text}{'' if name == NULLABLE else ' NOT NULL'}"
        for name in names
    ]
    return ", ".join(kinds)
