"""Reads every line that is not a player line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from evenboard_engine.model import ByeKind, Colour

from .errors import Problems, TrfError
from .players import MAX_ROUNDS, points_in_tenths
from .records import (
    TEXT_CODES,
    Absentees,
    AnnouncedBye,
    BakuFlag,
    Configuration,
    InitialColour,
    KeptLine,
    Prohibition,
    Record,
    RoundDates,
    Rounds,
    Scoring,
    TextRecord,
    VirtualPoints,
    VirtualPointsOfOne,
)
from .scoring import DIALECT, FIELDS
from .team_lines import read_abnormal_points, read_team_line

NAMES_PLAYERS = frozenset({"240", "250", "260", "299", "XXA", "XXP", "XXZ"})

Mention = tuple[int, int, int]
"""Line, column and starting rank of a player whom a list names."""

_CPP_LINE = r"(?:TNR +[0-9]+|ACC +\w+|BYE +[0-9]+|FOR +[0-9]+ +[0-9]+) *"
_words = re.compile(r"\S+").finditer
_code = re.compile(r"###|[A-Z0-9]{3}(?:\s|$)|1234567890[0-9]*\s*$| [0-9 ]*$").match
_number = re.compile("[0-9]{1,5}").fullmatch
_DATE = "[0-9]{2}/[0-9]{2}/[0-9]{2}"
_SCORED = r"([A-Za-z]+)=([0-9.]+)"
_scored_162 = re.compile(r"\s*([A-Za-z])\s*([0-9.]+)\s*")


def is_record(line: str) -> bool:
    """Whether a line begins like a record: three digits or capitals and a blank.

    Comments count too, and the two lines that number the columns in the files of some programs.
    """
    return _code(line) is not None


def is_text(line: str) -> bool:
    """Whether a line is text for people, which decides nothing about players or pairings."""
    code = line[:3]
    decides = code in _READERS or code in DIALECT or code in ("001", "192") or code[:2] in ("XX", "BB")
    return is_record(line) and (code == "132" or not decides)


def read_header(line: str, number: int, problems: Problems, mentions: list[Mention]) -> Record | None:
    """Return the record of a line; None for a wrong line, whose error is added to problems.

    The players whom a list names are added to mentions and checked later, because some may not be read yet.
    """
    code = line[:3]
    try:
        if code in TEXT_CODES:
            return TextRecord(code, line[3:].strip(), line=number)
        if code in DIALECT:
            return _scoring(line, number)
        reader = _READERS.get(code) or (_OF_CPP[code] if re.fullmatch(_CPP_LINE, line) else None)
        if reader is not None:
            return reader(line, number, mentions)
        team = read_team_line(line)
        return KeptLine(line, line=number) if team is None else replace(team, line=number)
    except TrfError as error:
        problems.add(error.code, line=number, column=error.column, **error.params)
        return None


class _Words:
    """The words of a line after its code, each with its column. A missing word is an error."""

    def __init__(self, line: str) -> None:
        self._words: Iterator[tuple[int, str]] = (
            (found.start() + 1, found.group()) for found in _words(line, 3)
        )
        self._end = len(line.rstrip()) + 2
        self.column = 5

    def next(self, field: str) -> str:
        self.column, word = next(self._words, (self._end, ""))
        if not word:
            raise TrfError("number_missing", column=self.column, field=field)
        return word

    def next_number(self, field: str, high: int) -> int:
        word = self.next(field)
        return self._as_number(word, field, high)

    def next_points(self) -> int:
        word = self.next("points")
        return _points(word, self.column)

    def next_player(self, number: int, mentions: list[Mention]) -> int:
        player = self.next_number("player", 99999)
        mentions.append((number, self.column, player))
        return player

    def rest(self) -> Iterator[str]:
        for column, word in self._words:
            self.column = column
            yield word

    def end(self) -> None:
        """Raise TrfError if there are more words."""
        for word in self.rest():
            raise TrfError("unexpected_text", column=self.column, found=word[:20])

    def players(self, number: int, mentions: list[Mention]) -> tuple[int, ...]:
        players = []
        for word in self.rest():
            player = self._as_number(word, "player", 99999)
            mentions.append((number, self.column, player))
            players.append(player)
        return tuple(players)

    def _as_number(self, word: str, field: str, high: int) -> int:
        if _number(word) is None:
            raise TrfError("not_a_number", column=self.column, field=field, found=word[:20])
        value = int(word)
        if not 1 <= value <= high:
            raise TrfError("out_of_range", column=self.column, field=field, found=value, low=1, high=high)
        return value


def _rounds(line: str, number: int, _mentions: list[Mention]) -> Record:
    words = _Words(line)
    rounds = words.next_number("rounds", MAX_ROUNDS)
    words.end()
    return Rounds(rounds, code=line[:3], line=number)


def _initial_colour(line: str, number: int, _mentions: list[Mention]) -> Record:
    words = _Words(line)
    word = words.next("initial_colour")
    if word.lower() not in ("w", "b"):
        raise TrfError(
            "bad_value", column=words.column, field="initial_colour", found=word[:20], allowed=("W", "B")
        )
    words.end()
    return InitialColour(Colour(word.lower()), line=number)


def _configuration(line: str, number: int, _mentions: list[Mention]) -> Record:
    by_position = False
    colour = None
    words = _Words(line)
    for word in words.rest():
        match word.lower():
            case "rank":
                by_position = True
            case "white1":
                colour = Colour.WHITE
            case "black1":
                colour = Colour.BLACK
            case _:
                allowed = ("rank", "white1", "black1")
                raise TrfError(
                    "bad_value", column=words.column, field="configuration", found=word[:20], allowed=allowed
                )
    return Configuration(by_position, colour, line=number)


def _absentees(line: str, number: int, mentions: list[Mention]) -> Record:
    return Absentees(_Words(line).players(number, mentions), line[:3], line=number)


def _forbidden(line: str, number: int, mentions: list[Mention]) -> Record:
    return Prohibition(_Words(line).players(number, mentions), code=line[:3], line=number)


def _baku_flag(line: str, number: int, _mentions: list[Mention]) -> Record:
    return BakuFlag(line[3:].strip(), line=number)


def _prohibition(line: str, number: int, mentions: list[Mention]) -> Record:
    words = _Words(line)
    first = words.next_number("first_round", MAX_ROUNDS)
    last = words.next_number("last_round", MAX_ROUNDS)
    return Prohibition(words.players(number, mentions), first, last, line=number)


def _announced_bye(line: str, number: int, mentions: list[Mention]) -> Record:
    words = _Words(line)
    kind = words.next("bye").upper()
    if kind not in ("F", "H", "Z"):
        raise TrfError(
            "bad_value", column=words.column, field="bye", found=kind[:20], allowed=("F", "H", "Z")
        )
    round_ = words.next_number("round", MAX_ROUNDS)
    return AnnouncedBye(ByeKind(kind), round_, words.players(number, mentions), line=number)


def _virtual_points(line: str, number: int, mentions: list[Mention]) -> Record:
    """Read 250. Match points belong to teams; `read_report` decides what they are in a tournament of players."""
    words = _Words(line)
    match_points, points = 0, words.next_points()
    if len(line.split()) == 7:
        match_points, points = points, words.next_points()
    elif not line[8:13].strip():
        match_points, points = points, 0
    first = words.next_number("first_round", MAX_ROUNDS)
    last = words.next_number("last_round", MAX_ROUNDS)
    from_player = words.next_player(number, mentions)
    to_player = words.next_player(number, mentions)
    words.end()
    return VirtualPoints(points, first, last, from_player, to_player, match_points, line=number)


def _abnormal_points(line: str, number: int, mentions: list[Mention]) -> Record:
    record, named = read_abnormal_points(line)
    mentions.extend((number, column, player) for column, player in named)
    return replace(record, line=number)


def _virtual_points_of_one(line: str, number: int, mentions: list[Mention]) -> Record:
    """Read XXA: for each round a blank column and four columns; blank columns are no points."""
    words = _Words(line)
    player = words.next_player(number, mentions)
    begin = max(9, words.column + len(str(player)))  # a starting rank of five digits moves the rest
    points = []
    for start in range(begin, len(line.rstrip()), 5):
        text = line[start : start + 4].strip()
        if line[start - 1] != " ":
            raise TrfError("column_not_blank", column=start, found=line[start - 1])
        points.append(_points(text, start + 1) if text else 0)
    if len(points) > MAX_ROUNDS:
        raise TrfError("too_many_rounds", column=10 + 5 * MAX_ROUNDS, limit=MAX_ROUNDS)
    return VirtualPointsOfOne(player, tuple(points), line=number)


def _round_dates(line: str, number: int, _mentions: list[Mention]) -> Record:
    """Read 132. A line without dates in their columns is kept as it is: dates do not affect the pairing."""
    columns = [line.rstrip()[start : start + 10] for start in range(89, len(line.rstrip()), 10)]
    dates = tuple(column.strip() for column in columns)
    in_columns = all(
        column.startswith("  ") and (not date or re.fullmatch(_DATE, date))
        for column, date in zip(columns, dates, strict=True)
    )
    if dates and in_columns and not line[3:89].strip():
        return RoundDates(dates, line=number)
    return KeptLine(line, line=number)


def _scoring(line: str, number: int) -> Record:
    code = line[:3]
    if code == "162":
        return Scoring(code, tuple(_items_162(line)), line=number)
    words = _Words(line)
    if code != "XXS":
        word = words.next("points")
        points = _points(word, words.column)
        words.end()
        return Scoring(code, ((code, points),), line=number)
    items = []
    for word in words.rest():
        found = re.fullmatch(_SCORED, word)
        if found is None or found[1].upper() not in FIELDS["XXS"]:
            raise TrfError(
                "bad_value",
                column=words.column,
                field="scoring",
                found=word[:20],
                allowed=_as_examples("XXS"),
            )
        items.append((found[1].upper(), _points(found[2], words.column + len(found[1]) + 1)))
    return Scoring(code, tuple(items), line=number)


def _items_162(line: str) -> Iterator[tuple[str, int]]:
    at = 3
    while at < len(line.rstrip()):
        found = _scored_162.match(line, at)
        if found is None or found[1].upper() not in FIELDS["162"]:
            at += len(line[at:]) - len(line[at:].lstrip())
            wrong = line[at : at + 10].strip()
            raise TrfError(
                "bad_value", column=at + 1, field="scoring", found=wrong, allowed=_as_examples("162")
            )
        yield found[1].upper(), _points(found[2], found.start(2) + 1)
        at = found.end()


def _points(text: str, column: int) -> int:
    points = points_in_tenths(text)
    if points is None:
        raise TrfError("bad_points", column=column, field="points", found=text[:20])
    return points


def _as_examples(dialect: str) -> tuple[str, ...]:
    joint = "=" if dialect == "XXS" else " "
    return tuple(f"{symbol}{joint}1.0" for symbol in FIELDS[dialect])


_READERS: dict[str, Callable[[str, int, list[Mention]], Record]] = {
    "132": _round_dates,
    "142": _rounds,
    "152": _initial_colour,
    "240": _announced_bye,
    "250": _virtual_points,
    "260": _prohibition,
    "299": _abnormal_points,
    "XXA": _virtual_points_of_one,
    "XXC": _configuration,
    "XXP": _forbidden,
    "XXR": _rounds,
    "XXZ": _absentees,
}

_OF_CPP: dict[str, Callable[[str, int, list[Mention]], Record]] = {
    "ACC": _baku_flag,
    "BYE": _absentees,
    "FOR": _forbidden,
    "TNR": _rounds,
}
"""Records of CPPDubovSystem. Their codes look like those of federations, so they count in their own form only."""
