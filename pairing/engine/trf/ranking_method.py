"""Record 172: which rating gave the starting ranks, where a file also has national ratings.

172 NED FIDON

The federation is that of the national records: lines like 001 that begin with its code. The ratings of 001 are FIDE's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from .report import Report, from_lines

BY_FIDE, BY_OTHER = "FIDE", "OTHER"
NO_FEDERATION = "FID"
"""FIDE's code for no federation."""

_Rule = Callable[[int, int], int]
_RULES: Mapping[str, _Rule] = {
    "NRO": lambda _fide, national: national,
    "FIDON": lambda fide, national: fide or national,
    "NIDOF": lambda fide, national: national or fide,
    "HBFN": max,
    "LBFN": lambda fide, national: min(fide, national) if fide and national else fide or national,
}
"""The rating by each method that reads national ratings, from FIDE's and the national one; 0 for none."""
METHODS = (BY_FIDE, *_RULES, BY_OTHER)
_written = re.compile(r"([A-Z]{3}) +([A-Z]+)").fullmatch
_national = re.compile(r"([A-Z]{3}) +([0-9]{1,5})(?!\S).*").fullmatch
_RATING = slice(48, 52)


@dataclass(frozen=True, slots=True)
class RankingMethod:
    """A record 172. code: FIDE, NRO, FIDON, NIDOF, HBFN, LBFN or OTHER."""

    federation: str
    code: str

    def __str__(self) -> str:
        """Return the text of the record."""
        return f"{self.federation} {self.code}"

    @property
    def reads_national(self) -> bool:
        return self.code in _RULES

    def rating(self, fide: int | None, national: int | None) -> int | None:
        """Return the tournament rating by a method that reads national ratings; None for none."""
        return _RULES[self.code](fide or 0, national or 0) or None


def read_method(text: str) -> RankingMethod | None:
    """Return the method that the text of a record 172 names; None if it is unknown."""
    found = _written(text.strip().upper())
    known = found is not None and found[2] in METHODS
    return RankingMethod(found[1], found[2]) if found and known else None


@from_lines
def national_method(report: Report) -> tuple[RankingMethod, Mapping[int, int]] | None:
    """Return the method of a report and the national ratings by starting rank, if the method reads some."""
    method = read_method(report.text("172"))
    if method is None or not method.reads_national:
        return None
    ratings = national_ratings((record.text for record in report.kept), method.federation)
    return (method, ratings) if ratings else None


def national_ratings(lines: Iterable[str], federation: str) -> dict[int, int]:
    """Return the ratings in the national records of a federation, by starting rank."""
    found = (_national(text) for text in lines if text.startswith(federation))
    ratings = {int(one[2]): one[0][_RATING].strip() for one in found if one is not None}
    return {rank: int(text) for rank, text in ratings.items() if text.isdecimal() and int(text)}


def ratings_by_method(report: Report) -> dict[int, int | None]:
    """Return the tournament ratings of players for whom the method of 172 gives another one than 001 has.

    Without national records, the ratings of 001 count with every method.
    """
    known = national_method(report)
    if known is None:
        return {}
    method, national = known
    by_method = {
        player.starting_rank: (
            player.rating or None,
            method.rating(player.rating, national.get(player.starting_rank)),
        )
        for player in report.players
    }
    return {rank: rating for rank, (fide, rating) in by_method.items() if rating != fide}
