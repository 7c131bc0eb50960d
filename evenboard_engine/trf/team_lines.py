"""Reads and writes the records of team events (013, 300 to 362) and of abnormal points (299)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from .codes import RULED, decimal_points
from .errors import TrfError
from .players import MAX_ROUNDS, points_in_tenths
from .records import (
    AbnormalPoints,
    BoardColours,
    ForfeitedMatch,
    LineUp,
    MatchScoring,
    OldTeam,
    Team,
    TeamByes,
    TeamRecord,
)

ABNORMAL_KINDS = tuple(RULED)
_OF_MATCHES = frozenset({"300", "320", "330", "352", "362"})
_MOST_TEAMS = 999
_NAME_013, _NAME_310 = 36, 40
"""The last column of the name of a team."""

_words = re.compile(r"\S+").finditer
_SIGNED = r"-?(?:[0-9]{0,3}[.,][0-9]?|[0-9]{1,3})"
_ROUND = "[0-9]{3}"
_DIGITS = "[0-9]{1,5}"
_FIVE_DIGITS = "[1-9][0-9]{4}"
_matches = re.compile(r"\s*(T[WDL])\s*([0-9.,]+)\s*")
_COLOURS = "[WB]{1,99}"
_LAST_OF_MATCH_POINTS, _LAST_OF_POINTS = 12, 18
"""Columns of 299, with one more than the format has: programs differ in how they count them."""


def is_team_event(lines: Iterable[str]) -> bool:
    """Return whether a file is of matches between teams: 192 says it, or records that only matches have.

    Then the numbers in 240, 250, 260 and 299 are teams.
    """
    return any(
        line[:3] in _OF_MATCHES or (line.startswith("192") and "TEAM" in line[3:].upper()) for line in lines
    )


def read_abnormal_points(line: str) -> tuple[AbnormalPoints, tuple[tuple[int, int], ...]]:
    """Return record 299, and column and number of everybody whom it names. Raises TrfError."""
    kind = line[4:5].strip().upper()
    if kind and (kind not in ABNORMAL_KINDS or line[5:6].strip()):
        raise TrfError(
            "bad_value", column=5, field="abnormal", found=line[4:14].strip(), allowed=ABNORMAL_KINDS
        )
    words = [(found.start() + 1, found.group()) for found in _words(line, 5)]
    points: list[tuple[int, int]] = []
    while words and len(points) < 2 and _is_points(*words[0]):
        column, word = words.pop(0)
        points.append((column + len(word) - 1, _signed_points(word)))
    if not points:
        column, word = words[0] if words else (len(line.rstrip()) + 2, "")
        raise TrfError("bad_points", column=column, field="points", found=word[:20])
    given: list[int | None] = [value for _end, value in points]
    if len(given) == 1:
        given = [*given, None] if points[0][0] <= _LAST_OF_MATCH_POINTS else [None, *given]
    numbers = [(column, _number(word, column)) for column, word in words]
    round_ = numbers.pop(0)[1] if numbers else 0
    if round_ > MAX_ROUNDS:
        raise TrfError(
            "out_of_range", column=words[0][0], field="round", found=round_, low=0, high=MAX_ROUNDS
        )
    named = tuple((column, number) for column, number in numbers if number)
    return AbnormalPoints(kind, given[0], given[1], round_, tuple(number for _column, number in named)), named


def _is_points(column: int, word: str) -> bool:
    """Return whether a word is points and not the round after them, which has three digits."""
    whole = word.isdecimal() and (re.fullmatch(_ROUND, word) or column + len(word) - 1 > _LAST_OF_POINTS)
    return bool(re.fullmatch(_SIGNED, word)) and word.strip("-.,") != "" and not whole


def _number(word: str, column: int) -> int:
    if re.fullmatch(_DIGITS, word) is None:
        raise TrfError("not_a_number", column=column, field="player", found=word[:20])
    return int(word)


def _signed_points(word: str) -> int:
    tenths = points_in_tenths(word.lstrip("-").replace(",", "."))
    assert tenths is not None, word
    return -tenths if word.startswith("-") else tenths


def read_team_line(line: str) -> TeamRecord | None:
    """Return the record of a line; None for another code, and for a line that is not in its columns."""
    code = line[:3]
    if code == "299":
        try:
            return read_abnormal_points(line)[0]
        except TrfError:
            return None
    reader = _READERS.get(code)
    if reader is None or line[3:4].strip():
        return None
    end = {"013": _NAME_013, "310": _NAME_310}.get(code)
    record = reader(line.rstrip())
    extra = len(line.encode()) - len(line)
    if record is None and end and 0 < extra < end:  # the name was padded by counting bytes of UTF-8
        return reader(f"{line[: end - extra]}{' ' * extra}{line[end - extra :]}".rstrip())
    return record


class _Columns:
    """The fields of a line. `sound` becomes False at text in a column that must be blank, and at a wrong number."""

    def __init__(self, line: str) -> None:
        self._line = line
        self._end = 4
        self.sound = True

    def text(self, first: int, last: int) -> str:
        """Return the text of columns first to last; those before it, after the field before it, must be blank."""
        if self._line[self._end : first - 1].strip():
            self.sound = False
        self._end = last
        return self._line[first - 1 : last].strip()

    def number(self, first: int, last: int, most: int) -> int | None:
        text = self.text(first, last)
        if text and (re.fullmatch(_DIGITS, text) is None or int(text) > most):
            self.sound = False
            return None
        return int(text) if text else None

    def points(self, first: int, last: int) -> int | None:
        text = self.text(first, last)
        points = points_in_tenths(text.replace(",", ".")) if text else None
        if text and points is None:
            self.sound = False
        return points

    def numbers(self, first: int, width: int, most: int = 99_999) -> tuple[int, ...]:
        """Return the numbers to the end of the line, each in `width` columns; 0 for a blank place.

        A number may begin in the blank column before its field. In 013 there is none before the first field: then the
        column before it must be blank.
        """
        found = []
        for start in range(first, len(self._line) + 1, width + 1):
            text = self._line[start - 1 : start + width - 1]
            longer = self._line[start - 2 : start + width - 1]
            if start > self._end + 1 or (
                re.fullmatch(_FIVE_DIGITS, longer) and not self._line[start - 3].strip()
            ):
                text = longer
            self._end = start + width - 1
            if text.strip() and (re.fullmatch(_DIGITS, text.strip()) is None or int(text) > most):
                self.sound = False
                return ()
            found.append(int(text.strip() or "0"))
        return tuple(found)


def _old_team(line: str) -> OldTeam | None:
    columns = _Columns(line)
    name, players = columns.text(5, _NAME_013), columns.numbers(37, 4)
    if players and players[0] > 9999:
        name = line[4 : _NAME_013 - 1].strip()
    return OldTeam(name, players) if columns.sound else None


def _team(line: str) -> Team | None:
    columns = _Columns(line)
    number = columns.number(5, 7, _MOST_TEAMS)
    record = Team(
        number or 0,
        name=columns.text(9, _NAME_310),
        nickname=columns.text(42, 46),
        strength=columns.text(48, 53),
        match_points=columns.points(55, 60),
        game_points=columns.points(62, 67),
        rank=columns.number(69, 71, _MOST_TEAMS),
        players=columns.numbers(74, 4),
    )
    return record if columns.sound and number else None


def _line_up(line: str) -> LineUp | None:
    columns = _Columns(line)
    round_, team, opponent = (columns.number(first, first + 2, _MOST_TEAMS) or 0 for first in (5, 9, 13))
    record = LineUp(round_, team, opponent, columns.numbers(17, 4))
    return record if columns.sound and round_ and team else None


def _team_byes(line: str) -> TeamByes | None:
    columns = _Columns(line)
    record = TeamByes(columns.points(5, 8), columns.points(10, 13), columns.numbers(15, 3, _MOST_TEAMS))
    return record if columns.sound else None


def _forfeited_match(line: str) -> ForfeitedMatch | None:
    columns = _Columns(line)
    result = columns.text(5, 6)
    round_, white, black = (columns.number(first, first + 2, _MOST_TEAMS) or 0 for first in (8, 12, 16))
    sound = columns.sound and result in ("+-", "-+", "--") and round_ and white and black
    return ForfeitedMatch(result, round_, white, black) if sound and not line[18:].strip() else None


def _board_colours(line: str) -> BoardColours | None:
    text = line[3:].strip().upper()
    return BoardColours(text) if re.fullmatch(_COLOURS, text) else None


def _match_scoring(line: str) -> MatchScoring | None:
    items, at = [], 3
    while at < len(line):
        found = _matches.match(line, at)
        points = points_in_tenths(found[2].replace(",", ".")) if found else None
        if found is None or points is None:
            return None
        items.append((found[1], points))
        at = found.end()
    return MatchScoring(tuple(items)) if items else None


_READERS: dict[str, Callable[[str], TeamRecord | None]] = {
    "013": _old_team,
    "300": _line_up,
    "310": _team,
    "320": _team_byes,
    "330": _forfeited_match,
    "352": _board_colours,
    "362": _match_scoring,
}
TEAM_CODES = frozenset(_READERS)


def team_line(record: TeamRecord) -> str:
    """Return the line of a record, in the columns of TRF26."""
    return _line(record).rstrip()


def _line(record: TeamRecord) -> str:
    match record:
        case AbnormalPoints():
            head = f"299 {record.kind:1} {_points(record.match_points, 5)} {_points(record.points, 5)}"
            if not (record.round or record.numbers):
                return head
            return f"{head}  {record.round:03}" + "".join(f" {number:4}" for number in record.numbers)
        case LineUp():
            head = f"300 {record.round:3} {record.team:3} {record.opponent:3}"
            return head + "".join(f"{player:5}" if player else " 0000" for player in record.players)
        case OldTeam():
            return _old_team_line(record)
        case Team():
            head = f"310 {record.number:3} {record.name[:32]:32} {record.nickname[:5]:5} {record.strength[:6]:>6}"
            head += (
                f" {_points(record.match_points, 6)} {_points(record.game_points, 6)} {record.rank or '':>3} "
            )
            return head + _right(record.players, 5)
        case TeamByes():
            head = f"320 {_points(record.match_points, 4)} {_points(record.game_points, 4)}"
            return head + "".join(f" {team:03}" for team in record.teams)
        case ForfeitedMatch():
            return f"330 {record.result} {record.round:3} {record.white:3} {record.black:3}"
        case BoardColours():
            return f"352 {record.colours}"
        case MatchScoring():
            return "362 " + "   ".join(f"{symbol}{_points(points, 4)}" for symbol, points in record.items)


def _old_team_line(record: OldTeam) -> str:
    """Return 013. Its first number follows the name without a blank, so a number of five digits cuts the name."""
    head = f"013 {record.name[:32]}"
    if not record.players:
        return head
    first, *others = record.players
    head = head[:34] if first > 9999 else head
    return f"{head}{first or '':>{40 - len(head)}}{_right(others, 5)}"


def _right(numbers: Iterable[int], width: int) -> str:
    return "".join(f"{number or '':>{width}}" for number in numbers)


def _points(tenths: int | None, width: int) -> str:
    if tenths is None:
        return " " * width
    return decimal_points(tenths).rjust(width)


def players_of(record: TeamRecord, *, of_teams: bool) -> tuple[int, ...]:
    """Return the starting ranks that a record names. of_teams: those of 299 are teams (`is_team_event`)."""
    match record:
        case AbnormalPoints():
            return () if of_teams else record.numbers
        case LineUp() | OldTeam() | Team():
            return tuple(filter(None, record.players))
        case _:
            return ()


def with_players(
    record: TeamRecord, number_of: Callable[[int], int | None], *, of_teams: bool
) -> TeamRecord | None:
    """Return the record with other numbers of players; None if it was about removed players only.

    number_of: None for a removed player, whose place in a team or a line-up becomes empty.
    """
    match record:
        case AbnormalPoints() if record.numbers and not of_teams:
            found = tuple(number for one in record.numbers if (number := number_of(one)))
            return replace(record, numbers=found) if found else None
        case LineUp() | OldTeam() | Team():
            return replace(record, players=tuple(one and (number_of(one) or 0) for one in record.players))
        case _:
            return record
