"""A report in an older format: pure TRF16 or TRF06, without records and symbols that came later, and what is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .ranking_method import ORIGINS, ratings_by_method
from .records import KeptLine, OldTeam, PlayerRecord, Record, RoundDates, RoundEntry, TextRecord
from .report import Report
from .write import NAME_COLUMNS, code_of

TRF16, TRF06 = "16", "06"
FORMATS = (TRF16, TRF06)
_TEXTS = frozenset({"012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122"})
_OLD_BYES = {"H": "=", "F": "+", "U": "+", "Z": "-"}
_OLD_RESULTS = {"W": "1", "D": "=", "L": "0"}
NATIONAL, COMMENT, OTHER = "national", "###", "other"


@dataclass(frozen=True, slots=True)
class Lost:
    """What an older format cannot hold.

    code: of a record, or one of `names` (too long for 001 in every edition), `ratings` (tournament ratings that are not
    those of 001), `adjourned` (results `?`), `byes` and `unrated` (symbols of TRF16 that TRF06 does not have),
    NATIONAL, COMMENT and OTHER. number: how many lines, players or results.
    """

    code: str
    number: int


def older(report: Report, edition: str) -> tuple[Report, tuple[Lost, ...]]:
    """Return the report in the format of 2016 or 2006, and what it lost, in the order of the file.

    An adjourned game is a game without a result there, so its half point is not in the points.
    """
    lost: Counter[str] = Counter()
    if cut := sum(len(player.name) > NAME_COLUMNS for player in report.players):
        lost["names"] = cut
    if others := len(ratings_by_method(report)):
        lost["ratings"] = others
    records = tuple(_kept(report, edition, lost))
    return Report(records), tuple(Lost(code, number) for code, number in lost.items())


def _kept(report: Report, edition: str, lost: Counter[str]) -> Iterator[Record]:
    for record in report.records:
        match record:
            case PlayerRecord():
                entries = tuple(_entry(entry, edition, lost) for entry in record.entries)
                draws = sum(entry.symbol == "?" for entry in record.entries)
                points = record.points and record.points - draws * report.points.white_draw
                yield replace(record, entries=entries, points=points)
            case RoundDates():
                yield record
            case TextRecord() if record.code in _TEXTS:
                yield record
            case OldTeam():
                yield record
            case KeptLine() if record.code in ORIGINS:
                pass  # `ratings` counts them
            case _:
                lost[_code(record)] += 1


def _code(record: Record) -> str:
    """Return the code of a record as a reader of TRF26 knows it."""
    if not isinstance(record, KeptLine):
        return code_of(record)
    if record.code == COMMENT:
        return COMMENT
    return NATIONAL if record.code.isalpha() and not record.code.startswith(("XX", "BB")) else OTHER


def _entry(entry: RoundEntry, edition: str, lost: Counter[str]) -> RoundEntry:
    symbol = entry.symbol
    if symbol == "?":
        lost["adjourned"] += 1
        return entry._replace(symbol="")
    if edition == TRF16:
        return entry
    if entry.opponent is None and symbol in _OLD_BYES:
        lost["byes"] += 1
        return entry._replace(symbol=_OLD_BYES[symbol])
    if symbol in _OLD_RESULTS:
        lost["unrated"] += 1
        return entry._replace(symbol=_OLD_RESULTS[symbol])
    return entry
