"""One player of a rating list, as the files have it and as the search returns it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

UNRATED = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A player of a rating list.

    fide_id: or None. number: in a list that has numbers of its own, else "". born: a year, a date YYYY-MM-DD, or "".
    title: GM to WCM. women_title, other_titles: as printed; unknown ones are kept. ratings and K: 0 for none.
    national: the rating of a list that is not FIDE's. flag: "i" inactive, "w" woman, both or "".
    """

    fide_id: int | None = None
    number: str = ""
    name: str
    federation: str = ""
    sex: str = ""
    born: str = ""
    title: str = ""
    women_title: str = ""
    other_titles: str = ""
    standard: int = UNRATED
    rapid: int = UNRATED
    blitz: int = UNRATED
    national: int = UNRATED
    k_standard: int = 0
    k_rapid: int = 0
    k_blitz: int = 0
    flag: str = ""

    @property
    def inactive(self) -> bool:
        return "i" in self.flag

    @property
    def best_title(self) -> str:
        """Return the title, or the title for women if there is no other."""
        return self.title or self.women_title

    @property
    def year(self) -> str:
        return self.born[:4]

    def row(self) -> tuple[Any, ...]:
        """Return the values in the order of `COLUMNS`."""
        values: tuple[Any, ...] = _VALUES(self)
        return values


COLUMNS = tuple(field.name for field in fields(Listed))
_VALUES = attrgetter(*COLUMNS)
NUMBERS = frozenset({"fide_id", "standard", "rapid", "blitz", "national", "k_standard", "k_rapid", "k_blitz"})
RATINGS = ("standard", "rapid", "blitz", "national")


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is not read. line: its number, from 1. code: why. text: its beginning."""

    line: int
    code: str
    text: str
