"""Reads report files (TRF16, TRF26 and the extensions of JaVaFo and bbpPairings) into a Report."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from evenboard_engine.model import ByeKind

from .codes import decimal_points
from .consistency import check_report
from .errors import Problems, TrfError
from .headers import NAMES_PLAYERS, Mention, is_record, is_text, read_header
from .players import OldBye, PlayerReader
from .records import (
    TEXT_CODES,
    AbnormalPoints,
    AnnouncedBye,
    OfTeams,
    PlayerRecord,
    Prohibition,
    Record,
    VirtualPoints,
)
from .report import Report
from .scoring import DIALECT
from .team_lines import is_team_event

MAX_BYTES = 5_000_000
MAX_LINE = 100_000
MAX_LINES = 100_000
MAX_OF_CODE = {
    **dict.fromkeys((*TEXT_CODES, *DIALECT, "132", "142", "152", "XXR", "XXC"), 1_000),
    "###": 10_000,
}
"""Most lines with the same code. Lines about players and lists of players are limited only by MAX_LINES."""
MAX_OF_OTHER_CODE = 20_000
_PLAYERS = NAMES_PLAYERS | {"001", "", "   "}

_LINE_END = re.compile(r"\r\n|\r|\n")
_CONTROL = re.compile("[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]")


def read_report(data: bytes, *, max_bytes: int = MAX_BYTES, max_errors: int = 50) -> Report:
    """Return the report that `data` holds.

    Lines may end with CR, LF or CRLF, also mixed. The text is UTF-8, with or without a byte order mark, UTF-16 with
    one, else Latin-1 (with the letters that Windows puts in its unused places). Empty lines are dropped; every other
    line becomes one record. What is odd but affects neither pairing nor identity is left out, with a warning in
    `Report.odd`. Costs about 0.3 s for 10,000 players and nine rounds.

    Raises TrfErrors: with everything wrong inside lines, or else everything wrong between lines, at most
    max_errors.
    """
    problems = Problems(max_errors)
    if len(data) > max_bytes:
        problems.add("file_too_large", found=len(data), limit=max_bytes)
    problems.raise_if_any()
    text, is_unicode = _decode(data)
    lines = _LINE_END.split(text)
    if len(lines) > MAX_LINES:
        problems.add("too_many_lines", found=len(lines), limit=MAX_LINES)
    elif not any(line.startswith("001") for line in lines):
        problems.add("no_players")
    _refuse_repeated(lines, problems)
    odd: list[TrfError] = [] if is_unicode else [TrfError("letters_guessed")]
    _replace_control_characters(lines, problems, odd)
    _take_out_shift(lines, odd)
    records: list[Record] = []
    mentions: list[Mention] = []
    players = PlayerReader(problems)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        record: Record | None
        if len(line) > MAX_LINE:
            problems.add("line_too_long", line=number, column=MAX_LINE + 1, limit=MAX_LINE)
        elif line.startswith("001"):
            record = players.read(line, number)
            if record is not None:
                records.append(record)
        elif is_record(line):
            record = read_header(line, number, problems, mentions)
            if record is not None:
                records.append(record)
        else:
            problems.add("not_a_record", line=number, column=1, found=line[:20])
    if is_team_event(lines):
        records, mentions = _of_teams(records, mentions)
    else:
        records = [_of_players(record, problems) for record in records]
    _refuse_unknown_players(records, mentions, problems)
    problems.raise_if_any()
    records, taken = take_old_byes(records, players.old_byes)
    records = _without_unknown_points(records, players.unknown_results)
    report = Report(tuple(records), odd=(*odd, *_once(players.odd), *players.unknown_results, *taken))
    check_report(report, problems)
    problems.raise_if_any()
    return report


def _refuse_repeated(lines: Sequence[str], problems: Problems) -> None:
    """Raise TrfErrors if more lines than any file needs begin with the same code."""
    codes: Counter[str] = Counter()
    for number, line in enumerate(lines, start=1):
        code = line[:3]
        codes[code] += 1
        if code not in _PLAYERS and codes[code] == 1 + (limit := MAX_OF_CODE.get(code, MAX_OF_OTHER_CODE)):
            problems.add("too_many_of_code", line=number, found=code, limit=limit)
    problems.raise_if_any()


def _decode(data: bytes) -> tuple[str, bool]:
    """Return the text, and whether its letters are certain: the letters of Western Europe are a guess."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace"), True
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding), encoding != "cp1252"
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), False


def _replace_control_characters(lines: list[str], problems: Problems, odd: list[TrfError]) -> None:
    """Replace control characters by blanks, with a warning, in lines that are text. In other lines they are errors."""
    if lines[-1] == "\x1a":  # the end-of-file mark of DOS
        lines.pop()
    for number, line in enumerate(lines, start=1):
        found = _CONTROL.search(line)
        if found is None:
            continue
        place = {"line": number, "column": found.start() + 1}
        character = f"U+{ord(found.group()):04X}"
        if is_text(line):
            lines[number - 1] = _CONTROL.sub(" ", line)
            odd.append(TrfError("control_character_left_out", found=character, **place))
        else:
            problems.add("control_character", found=character, **place)
    problems.raise_if_any()


def _take_out_shift(lines: list[str], odd: list[TrfError]) -> None:
    """Take one blank out of all player lines if all their points and rounds stand one column too far to the right."""
    players = [number for number, line in enumerate(lines) if line.startswith("001")]
    with_rounds = [lines[number] for number in players if lines[number][_FIRST_ENTRY + 2 :].strip()]
    moved = [line[: _FIRST_ENTRY - 10] + line[_FIRST_ENTRY - 9 :] for line in with_rounds]
    if not with_rounds or any(map(_is_in_columns, with_rounds)) or not all(map(_is_in_columns, moved)):
        return
    if any(lines[number][_FIRST_ENTRY - 10 : _FIRST_ENTRY - 9].strip() for number in players):
        return
    for number in players:
        lines[number] = lines[number][: _FIRST_ENTRY - 10] + lines[number][_FIRST_ENTRY - 9 :]
    odd.append(TrfError("columns_shifted", line=players[0] + 1, column=_FIRST_ENTRY - 9))


def _is_in_columns(line: str) -> bool:
    """Return whether the columns between the parts of each round are blank."""
    return not any(line[offset::10].strip() for offset in (_FIRST_ENTRY, _FIRST_ENTRY + 6, _FIRST_ENTRY + 8))


def _without_unknown_points(records: list[Record], unknown: Sequence[TrfError]) -> list[Record]:
    """Leave out the points of both players of each unknown result: nobody knows what the file counts."""
    ranks = {doubt.params[who] for doubt in unknown for who in ("player", "opponent")}
    return [
        replace(record, points=None)
        if isinstance(record, PlayerRecord) and record.starting_rank in ranks
        else record
        for record in records
    ]


_FIRST_ENTRY = 89
"""The column before the first round of a player line."""
_OF_OTHERS = {"left_out": "left_out_too", "birth_date_read": "birth_date_read_too"}
"""The warning about all further lines with the same warning."""


def _once(odd: Mapping[str, Sequence[TrfError]]) -> Iterator[TrfError]:
    """Yield two warnings at most for a field: a program often writes an odd value for all players."""
    for first, *others in odd.values():
        yield first
        if others:
            place = {"line": others[0].line, "column": others[0].column}
            named = {name: value for name, value in first.params.items() if name == "field"}
            yield TrfError(_OF_OTHERS[first.code], **place, **named, count=len(others) + 1)


def _of_teams(records: Sequence[Record], mentions: Sequence[Mention]) -> tuple[list[Record], list[Mention]]:
    """Return the records of a team event, whose 240, 250, 260 and 299 name teams, and who is named as a player."""
    named = {
        record.line
        for record in records
        if isinstance(record, AnnouncedBye | Prohibition | VirtualPoints | AbnormalPoints)
        and not (isinstance(record, Prohibition) and record.first is None)  # XXP names players
    }
    return [
        OfTeams(record)
        if isinstance(record, AnnouncedBye | Prohibition | VirtualPoints) and record.line in named
        else record
        for record in records
    ], [mention for mention in mentions if mention[0] not in named]


def _of_players(record: Record, problems: Problems) -> Record:
    """Return a record 250 with points for players. Points in the columns of match points are theirs too."""
    if isinstance(record, VirtualPoints) and record.match_points:
        if not record.points:
            return replace(record, points=record.match_points, match_points=0)
        found = decimal_points(record.match_points)
        problems.add("unexpected_text", line=record.line, column=5, found=found)
    return record


def _refuse_unknown_players(records: list[Record], mentions: list[Mention], problems: Problems) -> None:
    known = {record.starting_rank for record in records if isinstance(record, PlayerRecord)}
    for line, column, player in mentions:
        if player not in known:
            problems.add("unknown_player", line=line, column=column, player=player)


# Byes of older files (TRF06): a result without an opponent, which does not say whether the bye was allocated.

_ALLOCATED = ByeKind.ALLOCATED.value


def take_old_byes(
    records: Sequence[Record], old_byes: Sequence[OldBye]
) -> tuple[list[Record], tuple[TrfError, ...]]:
    """Return the records, with `+` as the allocated bye where it can be nothing else, and a warning for each kind.

    The reader has taken `+` as a full-point bye. It is the allocated bye in a round with games in which nobody else
    scores a full point without an opponent, unless the player had the bye or a forfeit win before (C.04.4.1, C2).
    """
    if not old_byes:
        return list(records), ()
    in_round: Counter[int] = Counter()
    with_games: set[int] = set()
    barred: dict[int, int] = {}
    for player in (record for record in records if isinstance(record, PlayerRecord)):
        for number, entry in enumerate(player.entries, start=1):
            if entry.opponent is not None:
                with_games.add(number)
            elif entry.symbol in (_ALLOCATED, ByeKind.FULL.value):
                in_round[number] += 1
            if entry.symbol == _ALLOCATED or (entry.opponent is not None and entry.symbol == "+"):
                barred.setdefault(player.starting_rank, number)
    allocated: set[tuple[int, int]] = set()
    for bye in sorted(old_byes, key=lambda bye: bye.round):
        only = bye.symbol == "+" and in_round[bye.round] == 1 and bye.round in with_games
        if only and barred.get(bye.player, bye.round) >= bye.round:
            allocated.add((bye.round, bye.player))
            barred.setdefault(bye.player, bye.round)
    return [_with(record, allocated) for record in records], _warnings(old_byes, allocated)


def _with(record: Record, allocated: set[tuple[int, int]]) -> Record:
    if not isinstance(record, PlayerRecord):
        return record
    entries = tuple(
        entry._replace(symbol=_ALLOCATED) if (number, record.starting_rank) in allocated else entry
        for number, entry in enumerate(record.entries, start=1)
    )
    return record if entries == record.entries else replace(record, entries=entries)


def _warnings(old_byes: Sequence[OldBye], allocated: set[tuple[int, int]]) -> tuple[TrfError, ...]:
    """Return one warning for each kind of bye, with its first place; its byes are (starting rank, round)."""
    kinds = {"=": "old_byes_half", "-": "old_byes_zero"}
    by_code: dict[str, list[OldBye]] = {}
    for bye in old_byes:
        full = "old_byes_allocated" if (bye.round, bye.player) in allocated else "old_byes_full"
        by_code.setdefault(kinds.get(bye.symbol, full), []).append(bye)
    return tuple(
        TrfError(
            code,
            line=byes[0].line,
            column=byes[0].column,
            byes=tuple((bye.player, bye.round) for bye in byes),
        )
        for code, byes in by_code.items()
    )
