"""Record 172: which rating gave the starting ranks, where a file also has national ratings.

172 NED FIDON

The federation is that of the national records: lines like 001 that begin with its code. The ratings of 001 are FIDE's.

A file of a running tournament also has records in the same form for tournament ratings from elsewhere. Their code is
the origin of the rating: SSS, RRR or BBB for FIDE's standard, rapid or blitz list, MMM for a rating that was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from .records import PlayerRecord
from .report import Report, from_lines

BY_FIDE, BY_NATIONAL, BY_OTHER = "FIDE", "NRO", "OTHER"
NO_FEDERATION = "FID"
"""FIDE's code for no federation."""

_Rule = Callable[[int, int], int]
_RULES: Mapping[str, _Rule] = {
    BY_NATIONAL: lambda _fide, national: national,
    "FIDON": lambda fide, national: fide or national,
    "NIDOF": lambda fide, national: national or fide,
    "HBFN": max,
    "LBFN": lambda fide, national: min(fide, national) if fide and national else fide or national,
}
"""The rating by each method that reads national ratings, from FIDE's and the national one; 0 for none."""
METHODS = (BY_FIDE, *_RULES, BY_OTHER)
STANDARD, RAPID, BLITZ, MANUAL = "SSS", "RRR", "BBB", "MMM"
ORIGINS = (STANDARD, RAPID, BLITZ, MANUAL)
"""Codes of records with a tournament rating that neither 001 nor the method gives."""
_WRITTEN = r"([A-Z]{3}) +([A-Z]+)"
_NATIONAL = r"([A-Z]{3}) +([0-9]{1,5})(?!\S).*"
_RATING = slice(48, 52)
_NUMBER = slice(57, 68)


class RankingMethod(NamedTuple):
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
        """Return the tournament rating by any method but OTHER; None for none."""
        rule = _RULES.get(self.code)
        return (rule(fide or 0, national or 0) if rule else fide) or None


def read_method(text: str) -> RankingMethod | None:
    """Return the method that the text of a record 172 names; None if it is unknown."""
    found = re.fullmatch(_WRITTEN, text.strip().upper())
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


def lacks_national_ratings(report: Report, method: RankingMethod) -> bool:
    """Return whether a method needs national ratings that the file does not have.

    A final report has the records of players who were ranked by them. Where FIDE's ratings ranked all, there are none,
    and 001 has what the method gives. They are missing where the national ratings alone count, and where the file has
    such records of other federations only.
    """
    if not method.reads_national or national_method(report) is not None:
        return False
    others = any(
        record.code not in ORIGINS and re.fullmatch(_NATIONAL, record.text) for record in report.kept
    )
    return others or method.code == BY_NATIONAL


def national_ratings(lines: Iterable[str], federation: str) -> dict[int, int]:
    """Return the ratings in the national records of a federation, by starting rank."""
    ratings = _in_records(lines, federation, _RATING)
    return {rank: int(text) for rank, text in ratings.items() if text.isdecimal() and int(text)}


def national_numbers(lines: Iterable[str], federation: str) -> dict[int, str]:
    """Return the numbers of players in the national records of a federation, by starting rank."""
    return {rank: text for rank, text in _in_records(lines, federation, _NUMBER).items() if text}


def _in_records(lines: Iterable[str], code: str, columns: slice) -> dict[int, str]:
    """Return the text in these columns of the records with this code, by starting rank."""
    found = (re.fullmatch(_NATIONAL, text) for text in lines if text.startswith(code))
    return {int(one[2]): one[0][columns].strip() for one in found if one is not None}


@from_lines
def ratings_by_origin(report: Report) -> Mapping[int, tuple[str, int]]:
    """Return (code of the origin, rating) of the records for tournament ratings from elsewhere, by starting rank.

    A rating of 0 says that the player counts as unrated.
    """
    lines = [record.text for record in report.kept if record.code in ORIGINS]
    return {
        rank: (code, int(text))
        for code in ORIGINS
        for rank, text in _in_records(lines, code, _RATING).items()
        if text.isdecimal()
    }


def is_rating_record(report: Report) -> Callable[[str], bool]:
    """Return a function that says whether a line is a national record of the federation of 172, or one with an
    origin, of a player of the report.
    """
    method = read_method(report.text("172"))
    codes = frozenset({*ORIGINS, *((method.federation,) if method else ())})
    ranks = {player.starting_rank for player in report.players}

    def is_one(text: str) -> bool:
        found = re.fullmatch(_NATIONAL, text) if text[:3] in codes else None
        return found is not None and int(found[2]) in ranks

    return is_one


def rating_record(code: str, player: PlayerRecord, rating: int, number: str = "") -> str:
    """Return the record of a rating of a player. code: a federation, or one of `ORIGINS`. number: national."""
    from .write import player_line

    record = replace(player, rating=None, fide_id=None, points=None, rank=None, entries=())
    text = f"{code}{player_line(record)[3:]:<76}"
    return f"{text[:48]}{rating:4} {text[53:57]}{number[:11]:>11}{text[68:]}".rstrip()


def ratings_by_method(report: Report) -> dict[int, int | None]:
    """Return the tournament ratings of players for whom the file gives another one than 001 has.

    The method of 172 gives it, or a record with another origin. Without national records, the ratings of 001 count with
    every method.
    """
    elsewhere = {rank: rating or None for rank, (_code, rating) in ratings_by_origin(report).items()}
    known = national_method(report)
    if known is None:
        return elsewhere
    method, national = known
    by_method = {
        player.starting_rank: (
            player.rating or None,
            method.rating(player.rating, national.get(player.starting_rank)),
        )
        for player in report.players
    }
    return {rank: rating for rank, (fide, rating) in by_method.items() if rating != fide} | elsewhere
