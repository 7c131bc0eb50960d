"""One player of a rating list, as the files have it and as the search returns it, and the reading of its values."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

# One player of a rating list, as the files have it and as the search returns it.

UNRATED = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPlayer:
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


COLUMNS = tuple(field.name for field in fields(ListedPlayer))
_VALUES = attrgetter(*COLUMNS)
NUMBERS = frozenset({"fide_id", "standard", "rapid", "blitz", "national", "k_standard", "k_rapid", "k_blitz"})
RATINGS = ("standard", "rapid", "blitz", "national")


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is not read. line: its number, from 1. code: why. text: its beginning."""

    line: int
    code: str
    text: str


# Single values of rating lists.

HIGHEST_RATING = 3999
HIGHEST_ID = 2**31 - 1
_DATE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_OTHER_DATE = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")
_NOT_SHOWN = dict.fromkeys((*range(32), 127), " ")


def decoded(line: bytes) -> str:
    """Return a line as text: UTF-8, in older lists Latin-1. Control characters become blanks."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = line.decode("latin-1")
    return text if text.isprintable() else text.translate(_NOT_SHOWN)


def rating(cell: str) -> int:
    """Return a rating or a K, 0 for none. Raises ValueError."""
    text = cell.strip()
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(text)
    value = int(text[:9])
    if value > HIGHEST_RATING:
        raise ValueError(text)
    return value


def fide_id(cell: str) -> int | None:
    """Return an ID, or None if the cell has none."""
    text = cell.strip()
    if not (text.isascii() and text.isdecimal() and len(text) <= 10):
        return None
    value = int(text)
    return value if 0 < value <= HIGHEST_ID else None


def birth(cell: str) -> str:
    """Return a year, a date YYYY-MM-DD or "". Raises ValueError."""
    text = cell.strip()
    if text in ("", "0", "0000"):
        return ""
    if len(text) == 4 and text.isascii() and text.isdecimal():
        return text
    if found := _DATE.fullmatch(text):
        year, month, day = found.groups()
    elif found := _OTHER_DATE.fullmatch(text):
        day, month, year = found.groups()
    else:
        raise ValueError(text)
    if int(month) > 12 or int(day) > 31:
        raise ValueError(text)
    if not int(month) or not int(day):
        return year
    return f"{year}-{int(month):02}-{int(day):02}"
