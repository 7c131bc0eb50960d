"""Reads the player line (001): fixed columns, checked one by one."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from evenboard_engine.model import Colour

from .codes import ADJOURNED, BYE_OF_SYMBOL, FORFEIT_SYMBOLS, OLD_BYES, SYMBOLS, TITLES
from .days import day_of, read_day
from .errors import Problems, TrfError
from .records import BLANK, PlayerRecord, RoundEntry

MAX_ROUNDS = 999

_BLANK_COLUMNS = (9, 14, 48, 53, 57, 69)
_aligned = re.compile(r".{8} .{4} .{33} .{4} .{3} .{11} ").match
_FIRST_ENTRY = 89
_WIDTH = 10

_usual_entries = re.compile(
    r" ( {4}[1-9]| {3}[1-9][0-9]| {2}[1-9][0-9]{2}| [1-9][0-9]{3}|[1-9][0-9]{4}) ([wb]) ([10=+-])"
).findall
_points = re.compile(r"([0-9]{0,3})\.([0-9])|([0-9]{1,3})\.?").fullmatch
_date = re.compile(r"([0-9]{4})(?:[/.-]([0-9]{1,2})[/.-]([0-9]{1,2}))?").fullmatch
_COLOURS = {"w": Colour.WHITE, "b": Colour.BLACK, "-": None, " ": None}
_SEXES = {"m": "m", "w": "w", "f": "w", " ": ""}


@lru_cache(1_000)
def points_in_tenths(text: str) -> int | None:
    """Return tenths of a point for "4.5", ".5" or "4"; None for another text."""
    found = _points(text)
    if found is None:
        return None
    whole, tenth, only = found.groups()
    return int(only) * 10 if only else int(whole or "0") * 10 + int(tenth)


class OldBye(NamedTuple):
    """A result without an opponent. player: starting rank. symbol: +, = or -."""

    line: int
    column: int
    player: int
    round: int
    symbol: str


class PlayerReader:
    """Reads player lines. Each distinct entry is read once, because a file has many entries and many are equal.

    odd: by field, warnings about what was left out. unknown_results: warnings about symbols that no result has.
    old_byes: results without an opponent, as in older files.
    """

    def __init__(self, problems: Problems) -> None:
        self.odd: dict[str, list[TrfError]] = {}
        self.unknown_results: list[TrfError] = []
        self.old_byes: list[OldBye] = []
        self._problems = problems
        self._entries: dict[str, RoundEntry] = {" " * _WIDTH: BLANK}
        self._line = 0
        self._player: int | None = None

    def read(self, line: str, number: int) -> PlayerRecord | None:
        """Return the record of a line that begins with 001, or None if its starting rank cannot be read."""
        self._line = number
        rank = line[3:8].strip()
        self._player = int(rank) if _is_number(rank) else None
        if "\t" in line:
            self._add("control_character", line.index("\t") + 1, found="U+0009")
            return None
        line = line.rstrip()
        if not _is_aligned(line):
            line = self._realigned(line)
        starting_rank = self._number(line, 4, 8, "starting_rank")
        title = line[10:13].strip()
        record = PlayerRecord(
            starting_rank=starting_rank or 0,
            name=line[14:47].strip(),
            sex=self._sex(line),
            title=TITLES.get(title.upper(), title),
            rating=self._number(line, 49, 52, "rating") or None,
            federation=line[53:56].strip(),
            fide_id=self._number(line, 58, 68, "fide_id") or None,
            birth_date=self._birth_date(line),
            points=self._points(line),
            rank=self._rank(line),
            entries=self._read_entries(line),
            line=number,
        )
        if starting_rank == 0 or not line[3:8].strip():
            self._add("number_missing", 5, field="starting_rank")
        return record if starting_rank else None

    def _add(self, code: str, column: int, **params: object) -> None:
        self._problems.add(code, line=self._line, column=column, **self._named(**params))

    def _leave_out(self, column: int, field: str, found: str) -> None:
        """Leave out a value that affects neither pairing nor identity, and add a warning."""
        params = self._named(field=field, found=found)
        self.odd.setdefault(field, []).append(TrfError("left_out", line=self._line, column=column, **params))

    def _named(self, **params: object) -> dict[str, object]:
        """Return the parameters with the player, if the line has one."""
        return {**params, "player": self._player} if self._player else params

    def _realigned(self, line: str) -> str:
        """Return the line with its name widened to the columns, if the name was padded by counting bytes of UTF-8.

        Some programs count bytes, so each accented letter of the name moves the rest of the line to the left. Any
        other line comes back unchanged, and text in columns that must be blank is an error.
        """
        extra = len(line.encode()) - len(line)
        widened = line[: 47 - extra] + " " * extra + line[47 - extra :]
        if 0 < extra <= 33 and _is_aligned(widened):
            return widened
        for column in _BLANK_COLUMNS:
            if line[column - 1 : column].strip():
                self._add("column_not_blank", column, found=line[column - 1])
        return line

    def _number(self, line: str, first: int, last: int, field: str) -> int | None:
        """Return the number in the columns first to last, None if they are blank or hold something else."""
        text = line[first - 1 : last]
        number = text.strip()
        if not number:
            return None
        if not _is_number(number):
            self._add("not_a_number", first + len(text) - len(text.lstrip()), field=field, found=number)
            return None
        return int(number)

    def _sex(self, line: str) -> str:
        found = line[9:10] or " "
        sex = _SEXES.get(found.lower())
        if sex is None:
            self._leave_out(10, "sex", found)
            return ""
        return sex

    def _birth_date(self, line: str) -> str:
        text = line[69:79].strip()
        if not text:
            return ""
        found = _date(text)
        if found is None and (day := read_day(text)):
            params = self._named(found=text, expected=f"{day:%Y/%m/%d}")
            note = TrfError("birth_date_read", line=self._line, column=70, **params)
            self.odd.setdefault("birth_date_read", []).append(note)
            return f"{day:%Y/%m/%d}"
        if found is None or day_of(int(found[1]), int(found[2] or 0) or 1, int(found[3] or 0) or 1) is None:
            self._leave_out(70, "birth_date", text)
            return ""
        return "/".join(part.zfill(2) for part in found.groups() if part)

    def _rank(self, line: str) -> int | None:
        text = line[84:89].strip()
        if text and not _is_number(text):
            self._leave_out(86, "rank", text)
            return None
        return int(text) if text else None

    def _points(self, line: str) -> int | None:
        text = line[79:84].strip()
        if not text:
            return None
        points = points_in_tenths(text.replace(",", ".").removeprefix("-"))
        if points is None:
            self._add("bad_points", 81, field="points", found=text)
            return None
        return -points if text.startswith("-") else points

    def _read_entries(self, line: str) -> tuple[RoundEntry, ...]:
        known = self._entries
        if len(line) > _FIRST_ENTRY + _WIDTH * MAX_ROUNDS:
            column = _FIRST_ENTRY + _WIDTH * MAX_ROUNDS + 1
            self._add("too_many_rounds", column, limit=MAX_ROUNDS)
            return ()
        usual = _usual_entries(line, _FIRST_ENTRY)
        if len(usual) * _WIDTH == len(line) - _FIRST_ENTRY:
            return tuple(
                [RoundEntry(int(opponent), _COLOURS[colour], symbol) for opponent, colour, symbol in usual]
            )
        line += " " * ((_FIRST_ENTRY - len(line)) % _WIDTH)
        entries = []
        for start in range(_FIRST_ENTRY, len(line), _WIDTH):
            text = line[start : start + _WIDTH]
            entry = known.get(text)
            if entry is None and (usual := _usual_entries(text)):
                ((opponent, colour, symbol),) = usual
                entry = known[text] = RoundEntry(int(opponent), _COLOURS[colour], symbol)
            elif entry is None:
                entry = self._entry(text, start + 1)
                if entry is None:
                    entry = BLANK
                elif _is_usual(text, entry):
                    known[text] = entry
            entries.append(entry)
        while entries and entries[-1] is BLANK:
            entries.pop()
        return tuple(entries)

    def _entry(self, text: str, column: int) -> RoundEntry | None:
        """Return the entry in ten columns: two blanks, opponent, blank, colour, blank, result. None for a wrong one."""
        round_ = (column - _FIRST_ENTRY) // _WIDTH + 1
        for offset in (0, 6, 8):
            if text[offset] != " ":
                self._add("column_not_blank", column + offset, found=text[offset], round=round_)
                return None
        number, colour_text, symbol = text[1:6].strip(), text[7].lower(), text[9].strip().upper()
        if number and not _is_number(number):
            self._add("not_a_number", column + 2, field="opponent", found=number, round=round_)
            return None
        if colour_text not in _COLOURS:
            allowed = ("w", "b", "-")
            self._add("bad_value", column + 7, field="colour", found=text[7], allowed=allowed, round=round_)
            return None
        opponent = int(number or "0")
        if symbol and symbol not in SYMBOLS:
            if not opponent:
                self._add("unknown_result", column + 9, found=text[9], round=round_)
                return None
            self.unknown_results.append(
                TrfError(
                    "result_taken_as_unknown",
                    line=self._line,
                    column=column + 9,
                    **self._named(found=text[9], opponent=opponent, round=round_),
                )
            )
            symbol = ADJOURNED
        if not opponent and symbol in OLD_BYES:
            self.old_byes.append(OldBye(self._line, column + 9, self._player or 0, round_, symbol))
            symbol = OLD_BYES[symbol]
        return self._checked(opponent, _COLOURS[colour_text], symbol, column, round_)

    def _checked(
        self, opponent: int, colour: Colour | None, symbol: str, column: int, round_: int
    ) -> RoundEntry | None:
        if opponent and symbol in BYE_OF_SYMBOL:
            self._add("bye_with_opponent", column + 9, found=symbol, opponent=opponent, round=round_)
        elif opponent and colour is None and symbol not in FORFEIT_SYMBOLS:
            self._add("colour_missing", column + 7, opponent=opponent, round=round_)
        elif not opponent and symbol and symbol not in BYE_OF_SYMBOL:
            self._add("result_without_opponent", column + 9, found=symbol, round=round_)
        elif not opponent and colour is not None:
            self._add("colour_without_opponent", column + 7, found=colour.value, round=round_)
        elif opponent:
            return RoundEntry(opponent, colour, symbol)
        else:
            return RoundEntry(symbol=symbol) if symbol else BLANK
        return None


def _is_usual(text: str, entry: RoundEntry) -> bool:
    """Return whether nothing is reported of an entry. Each old bye and each unknown symbol is."""
    if entry.symbol == ADJOURNED:
        return text[-1] == ADJOURNED
    return entry.opponent is not None or text.rstrip()[-1:] not in OLD_BYES


def _is_aligned(line: str) -> bool:
    return _aligned(line.ljust(_BLANK_COLUMNS[-1])) is not None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()
