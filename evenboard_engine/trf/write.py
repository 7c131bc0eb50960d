"""Writes a Report as a report file."""

from __future__ import annotations

import re

from evenboard_engine.model import Colour

from .codes import decimal_points
from .records import (
    Absentees,
    AnnouncedBye,
    BakuFlag,
    Configuration,
    InitialColour,
    KeptLine,
    OfTeams,
    PlayerRecord,
    Prohibition,
    Record,
    RoundDates,
    RoundEntry,
    Rounds,
    Scoring,
    TeamRecord,
    TextRecord,
    VirtualPoints,
    VirtualPointsOfOne,
)
from .report import Report
from .team_lines import team_line

NAME_COLUMNS = 33
"""Characters of a name in 001. A longer name is cut."""
_UNPRINTABLE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")


def write_report(report: Report, *, newline: str = "\r\n") -> bytes:
    """Return the file in UTF-8, without a byte order mark. Every line ends with `newline` (TRF26 asks for a CR in it).

    Numbers above 9999 begin in the blank column before their field, which other programs will not read. A text that is
    too long for its columns is cut; line breaks and other control characters in it become blanks.
    """
    return "".join(_line(record) + newline for record in report.records).encode()


def code_of(record: Record) -> str:
    """Return the code with which the line of a record begins."""
    return _line(record)[:3]


def _line(record: Record) -> str:
    if isinstance(record, TeamRecord):
        return _UNPRINTABLE.sub(" ", team_line(record))
    match record:
        case PlayerRecord():
            return player_line(record)
        case TextRecord():
            return f"{record.code} {_clean(record.text)}".rstrip()
        case RoundDates():
            return ("132" + " " * 86 + "".join(f"  {date:8}" for date in record.dates)).rstrip()
        case Scoring():
            return _scoring(record)
        case KeptLine():
            return _UNPRINTABLE.sub(" ", record.text)
        case BakuFlag():
            return f"ACC {_clean(record.text)}"
        case OfTeams():
            return _line(record.record)
        case _:
            return " ".join(_words(record))


def _words(
    record: Rounds
    | InitialColour
    | Configuration
    | Absentees
    | AnnouncedBye
    | Prohibition
    | VirtualPoints
    | VirtualPointsOfOne,
) -> tuple[str, ...]:
    match record:
        case Rounds():
            return record.code, str(record.rounds)
        case InitialColour():
            return "152", record.colour.upper()
        case Configuration():
            colour = {Colour.WHITE: ("white1",), Colour.BLACK: ("black1",), None: ()}[record.colour]
            return "XXC", *(("rank",) if record.by_position else ()), *colour
        case Absentees():
            return record.code, *map(str, record.players)
        case AnnouncedBye():
            return "240", record.kind.value, f"{record.round:03}", *_four_digits(record.players)
        case VirtualPoints():
            players = _four_digits((record.first_player, record.last_player))
            of_match = _points(record.match_points, 4).replace(" ", "0") if record.match_points else " " * 4
            points = _points(record.points, 4).replace(" ", "0")
            points = " " * 4 if record.match_points and not record.points else points
            return "250", of_match, points, f"{record.first:03}", f"{record.last:03}", *players
        case VirtualPointsOfOne():
            return f"XXA {record.player:4}", *(_points(points, 4) for points in record.points)
        case Prohibition(first=None) | Prohibition(last=None):
            return record.code, *map(str, record.players)
        case Prohibition():
            return "260", f"{record.first:03}", f"{record.last:03}", *_four_digits(record.players)


def player_line(player: PlayerRecord) -> str:
    """Return the line 001 of a player."""
    return "".join(
        (
            f"001{player.starting_rank:5} {_field(player.sex, 1)}{_clean(player.title)[:3]:>3} ",
            f"{_field(player.name, NAME_COLUMNS)} {_number(player.rating, 4)} {_field(player.federation, 3)} ",
            f"{_number(player.fide_id, 11)} {_field(player.birth_date, 10)}",
            f"{_points(player.points, 5)}{_number(player.rank, 5)}",
            *map(_entry, player.entries),
        )
    ).rstrip()


def _entry(entry: RoundEntry) -> str:
    if entry.opponent is not None:
        return f" {entry.opponent:5} {entry.colour or '-'} {entry.symbol:1}"
    return f"  0000 - {entry.symbol}" if entry.symbol else " " * 10


def _scoring(record: Scoring) -> str:
    if record.code == "XXS":
        return " ".join(("XXS", *(f"{symbol}={_points(points, 0)}" for symbol, points in record.items)))
    if record.code == "162":
        return "162  " + "    ".join(f"{symbol}{_points(points, 4)}" for symbol, points in record.items)
    return f"{record.code} {_points(record.items[0][1], 4)}"


def _four_digits(players: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"{player:04}" for player in players)


def _number(number: int | None, width: int) -> str:
    return f"{'' if number is None else number:>{width}}"


def _points(points: int | None, width: int) -> str:
    return f"{'' if points is None else decimal_points(points):>{width}}"


def _field(text: str, width: int) -> str:
    return f"{_clean(text)[:width]:{width}}"


def _clean(text: str) -> str:
    return _UNPRINTABLE.sub(" ", text).strip()
