"""Reads a copy of a section or an event, and checks it before anything is written.

A value that no entry can have raises TypeError or ValueError. Of the rows of the log, pages show most values as text,
whatever they are. The report file, "Why this pairing?" and the cockpit calculate with some of them: a copy with a
wrong type in one of these is refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import models

from base.text import clean
from evenboard_engine import InvalidTournament, Result, system_named
from evenboard_engine.systems.registry import DEFAULT_SYSTEM
from evenboard_engine.tiebreaks import read_amount
from evenboard_engine.trf.codes import RULED
from tournaments.copy_format import (
    ADDED_PARTS,
    LEFT_OUT,
    LOG,
    NAMES,
    PARTS,
    PEOPLE,
    SECTION,
    CopyMark,
    CopyOrigin,
    origin_of,
    unpack,
)
from tournaments.errors import COPY_DAMAGED, COPY_UNKNOWN
from tournaments.models import ActionLog, Event, EventRole, PrizePlan, RoundStart, Section
from tournaments.models.events import Boards
from tournaments.models.journal import OPTIONS, fields_of
from tournaments.models.published_lists import is_content
from tournaments.models.sections import MAX_ROUNDS, PAPER_SIZES
from tournaments.rights import FORMER_ROLES, OF_WHOLE_EVENT

from .cell_values import HIGHEST_RATING

# Reads the roles in the copy of an event.


class CopiedRole(NamedTuple):
    """username: the login name. section: the place of the section in the file, from 1; 0 for the whole event. boards:
    of a result clerk, None for all.
    """

    username: str
    role: str
    section: int = 0
    until: date | None = None
    boards: Boards | None = None


def copied_role(row: Any, sections: int) -> CopiedRole:
    """Read a role of a file with so many sections. Older files name only the person and one of two roles.
    Only the role of a result clerk with own boards has two more parts.

    Raises ValueError, TypeError.
    """
    name, role, *limits = row
    if not limits:
        role, limits = FORMER_ROLES.get(role, role), [0, ""]
    section, until, *ends = limits
    if not isinstance(name, str) or "\x00" in name or role not in EventRole.Role.values:
        raise ValueError("roles")
    if type(section) is not int or not 0 <= section <= sections:
        raise ValueError("roles")
    boards = Boards(*ends) if ends else None
    if boards and not (role == EventRole.Role.CLERK and {*map(type, ends)} == {int} and boards.possible):
        raise ValueError("roles")
    found = CopiedRole(name, role, section, date.fromisoformat(until) if until else None, boards)
    if (found.section and role in OF_WHOLE_EVENT) or (found.until and role == EventRole.Role.OWNER):
        raise ValueError("roles")
    return found


# Values of an entry in a copy of a section, checked before they are written.
#
# Raises TypeError or ValueError for what no entry can have.

_MOST_TENTHS = 9_999


def tie_values(value: Any) -> dict[str, Any]:
    for code, amount in value.items():
        if not isinstance(code, str) or "\x00" in code or read_amount(amount) != amount:
            raise TypeError("tie_values")
    return dict(value)


def period_ratings(value: Any) -> dict[str, Any]:
    for number, rating in value.items():
        if not number.isdecimal() or type(rating) is not int or not 0 <= rating <= HIGHEST_RATING:
            raise TypeError("period_ratings")
    return dict(value)


def virtual_points(value: Any) -> list[int]:
    points = list(value)
    if len(points) > MAX_ROUNDS or any(
        type(one) is not int or not 0 <= one <= _MOST_TENTHS for one in points
    ):
        raise ValueError("virtual_points")
    return points


def rulings(value: Any) -> list[dict[str, Any]]:
    rows = list(value)
    for row in rows:
        numbers = [row[name] for name in ("round", "points", "after")]
        whole = row.keys() == {"round", "of", "points", "after", "reason"} and isinstance(row["reason"], str)
        if not whole or "\x00" in row["reason"] or any(type(one) is not int for one in numbers):
            raise TypeError("rulings")
        if (
            row["of"] not in ("", *RULED)
            or not 0 <= row["round"] <= MAX_ROUNDS
            or abs(row["points"]) > _MOST_TENTHS
        ):
            raise ValueError("rulings")
    return rows


# Checks `before` and `after` of a row of the log in a copy.
#
# Pages show most of these values as text, whatever they are. The report file, "Why this pairing?" and the
# cockpit calculate with some of them: a copy with a wrong type in one of these is refused.

Values = dict[str, Any]
MOST_LEVELS = 12
"""Of lists and mappings inside each other. The actions write up to five."""
LARGEST = 2**63 - 1
"""The largest integer that every database compares with its keys."""
LARGEST_RATING = 32_767
LONGEST_RESULT = 10
YEARS = range(1900, 3000)
"""Years whose times can be shown in every time zone."""


def log_values(values: Any) -> Values:
    """Return one side of a row, checked. Raises TypeError or ValueError for what no action writes."""
    if not isinstance(values, dict):
        raise TypeError("log")
    _check_json(values, MOST_LEVELS)
    for name, value in values.items():
        if name in _CHECKS:
            _CHECKS[name](value)
    return values


def moment(text: str) -> datetime:
    """Return a time with its zone. Raises TypeError or ValueError, also for a time that no page can show."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is None or found.year not in YEARS:
        raise ValueError("a time of nowhere")
    return found


def _check_json(value: Any, levels: int) -> None:
    """Raise ValueError for values that not every database can store, or that are nested too deep to be shown."""
    if isinstance(value, dict | list):
        if not levels:
            raise ValueError("nested")
        for inner in [*value, *value.values()] if isinstance(value, dict) else value:
            _check_json(inner, levels - 1)
    elif (
        (isinstance(value, str) and "\x00" in value)
        or (isinstance(value, int) and abs(value) > LARGEST)
        or (isinstance(value, float) and not math.isfinite(value))
    ):
        raise ValueError("no value of a log")


def _integer(value: Any) -> None:
    if type(value) is not int:
        raise TypeError("no integer")


def _one_of(numbers: Collection[int], *, or_none: bool = False) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        if not (or_none and value is None) and (type(value) is not int or value not in numbers):
            raise ValueError("no number of this kind")

    return check


def _list_of(check: Callable[[Any], None]) -> Callable[[Any], None]:
    def check_all(value: Any) -> None:
        if not isinstance(value, list):
            raise TypeError("no list")
        for inner in value:
            check(inner)

    return check_all


def _pair(value: Any) -> None:
    """Two numbers of players or keys of entries; None for a player who has no number yet."""
    one, other = value
    for number in (one, other):
        if number is not None:
            _integer(number)


def _entry(value: Any) -> None:
    key, values = value
    _integer(key)
    log_values(values)


def _departure(value: Any) -> None:
    _round(value["round"])
    _list_of(_pair)(value["expected"])
    _list_of(_pair)(value["found"])


def _result(value: Any) -> None:
    """A result is written into the report file. It may be one that a later version of the program knows."""
    if not isinstance(value, str) or len(value) > LONGEST_RESULT or not value.isprintable():
        raise TypeError("no result")


def _time(value: Any) -> None:
    if value:
        moment(value)


def _anything(_value: Any) -> None:
    """Accept every value: pages show it as text."""


_round = _one_of(range(MAX_ROUNDS + 1))
_rating = _one_of(range(LARGEST_RATING + 1), or_none=True)
_CHECKS: dict[str, Callable[[Any], None]] = {
    "added": _list_of(_anything),
    "at": _time,
    "boards": _list_of(_anything),
    "departures": _list_of(_departure),
    "entries": _list_of(_entry),
    "game": _integer,
    "numbers": _list_of(_pair),
    "older_edition": _one_of(range(1000, 10_000)),
    "participant": _integer,
    "ranks": _list_of(_pair),
    "rating": _rating,
    "result": _result,
    "rounds_checked": _round,
}
"""The values that the program calculates with, by name."""


MOST = {
    "players": 10_000,
    "participants": 10_000,
    "rounds": MAX_ROUNDS,
    "games": 150_000,
    "byes": 300_000,
    "check_ins": 300_000,
    "forbidden_pairs": 50_000,
    "published_lists": 2_000,
    "round_files": 2_000,
    "incidents": 50_000,
    "log": 500_000,
    "sections": 200,
    "roles": 1_000,
    "people": 200,
}
MOST_MARKS = 100
LONGEST_MARK = 200
LONGEST_TEXT = 10_000
"""Of a text that must be cleaned: that takes long for a text made for it."""
REPORT, LONGEST_REPORT = "report", 20_000_000
"""The report file of a round, in characters. 10,000 players before round 30 take 4 MB."""
_LARGEST = {
    "PositiveSmallIntegerField": 32_767,
    "PositiveIntegerField": 2_147_483_647,
    "PositiveBigIntegerField": 9_223_372_036_854_775_807,
}
"""Largest numbers that every database can store."""
CopiedRow = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SectionCopy:
    """A copy of a section that can be loaded. rows: Python values by part; references are row numbers in the file.

    event, section, log: the values of the event, of the settings, and of the log. log_head: the newest seal of the
    log that was copied. origin, key: where the file comes from, and the name of the key that sealed it.
    """

    made_at: datetime | None
    event: CopiedRow
    section: CopiedRow
    revision: int
    rows: dict[str, list[CopiedRow]]
    log: list[CopiedRow]
    log_head: str = ""
    origin: CopyOrigin = CopyOrigin.UNSEALED
    key: str = ""

    @property
    def name(self) -> str:
        return str(self.section["name"])

    @property
    def results(self) -> int:
        return sum(1 for game in self.rows["games"] if game.get("result"))


@dataclass(frozen=True, slots=True)
class EventCopy:
    """A copy of an event. people: for each section, the numbers that join equal players."""

    made_at: datetime | None
    event: CopiedRow
    roles: tuple[CopiedRole, ...]
    sections: tuple[SectionCopy, ...]
    people: tuple[tuple[int, ...], ...]
    log: list[CopiedRow]
    log_head: str = ""
    origin: CopyOrigin = CopyOrigin.UNSEALED
    key: str = ""

    @property
    def name(self) -> str:
        return str(self.event["name"])


def read_copy(data: bytes, most: int = 0) -> SectionCopy:
    """Read the copy of a section. Raises DomainError as `read_any` does, and copy_unknown for a copy of an event."""
    copy = read_any(data, most)
    if not isinstance(copy, SectionCopy):
        raise COPY_UNKNOWN.error()
    return copy


def read_any(data: bytes, most: int = 0) -> SectionCopy | EventCopy:
    """Read a copy. most: largest size in bytes after unpacking.

    Raises DomainError: copy_unknown, copy_newer, copy_too_big; copy_damaged, also for values that no section can have.
    """
    file = unpack(data, most)
    content = file["content"]
    try:
        head = _Head(
            made_at=_moment(file.get("made_at")),
            origin=origin_of(file),
            key=file["seal"]["key"] if "seal" in file else "",
        )
        return _checked(content, head) if file["kind"] == SECTION else _event(content, head)
    except (ValidationError, KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise COPY_DAMAGED.error() from error


@dataclass(frozen=True, slots=True)
class _Head:
    """What the head of a file says, for all its sections."""

    made_at: datetime | None
    origin: CopyOrigin
    key: str

    @property
    def as_row(self) -> CopiedRow:
        return {"made_at": self.made_at, "origin": self.origin, "key": self.key}


def _moment(text: Any) -> datetime | None:
    return moment(text) if text else None


def _event(content: CopiedRow, head: _Head) -> EventCopy:
    sections = tuple(_checked(section, head) for section in _list(content, "sections"))
    roles = [copied_role(row, len(sections)) for row in _list(content, "roles")]
    people = tuple(_numbers(row) for row in _list(content, "people"))
    if [len(section.rows["players"]) for section in sections] != [len(row) for row in people]:
        raise ValueError("people")
    log = [_log_row(row) for row in _list(content, "log")]
    return EventCopy(
        event=_values(Event, content["event"]),
        roles=tuple(roles),
        sections=sections,
        people=people,
        log=log,
        log_head=_seal(content.get("log_head", "")),
        **head.as_row,
    )


def _numbers(found: Any) -> tuple[int, ...]:
    if not isinstance(found, list) or any(type(number) is not int for number in found):
        raise TypeError("people")
    if len(set(found)) != len(found):
        raise ValueError("people")
    return tuple(found)


def _checked(content: CopiedRow, head: _Head) -> SectionCopy:
    older: CopiedRow = {part: [] for part in ADDED_PARTS if part not in content}
    rows = {part: _rows(model, _list({**content, **older}, part)) for part, model in PARTS.items()}
    for part, found in rows.items():
        for row in found:
            for column, other in NAMES.items():
                if column in row and not 1 <= row[column] <= len(rows[other]):
                    raise ValueError(part)
    section = _section(content["section"])
    event = _values(Event, content["event"])
    log = [_log_row(row) for row in _list(content, "log")]
    revision = content["revision"]
    if type(revision) is not int or not 0 <= revision <= MOST["log"]:
        raise ValueError("revision")
    revisions = [row["revision"] for row in log]
    if len(set(revisions)) != len(revisions) or any(not 1 <= found <= revision for found in revisions):
        raise ValueError("log")
    if any((row.get(undone) or 0) >= row["revision"] for row in log for undone in ("undoes", "back_to")):
        raise ValueError("log")  # only a later action can undo
    _refuse_unsound(section, rows)
    return SectionCopy(
        event=event,
        section=section,
        revision=revision,
        rows=rows,
        log=log,
        log_head=_seal(content.get("log_head", "")),
        **head.as_row,
    )


def _section(row: Any) -> CopiedRow:
    if not isinstance(row, dict):
        raise TypeError("section")
    section = _values(Section, row)
    try:
        system_named(section["system"]).checked(section.get(OPTIONS, {}))
    except InvalidTournament as error:
        raise ValueError(OPTIONS) from error
    return section


def _seal(seal: Any) -> str:
    if not isinstance(seal, str) or not re.fullmatch(r"[0-9a-f]{64}|", seal):
        raise TypeError("log_head")
    return seal


def _list(content: CopiedRow, part: str) -> list[Any]:
    found = content[part]
    if not isinstance(found, list) or len(found) > MOST[part]:
        raise TypeError(part)
    return found


def _rows(model: type[models.Model], found: Iterable[Any]) -> list[CopiedRow]:
    return [_values(model, row) for row in found]


def _values(model: type[models.Model], row: Any) -> CopiedRow:
    """Python values, checked by the validators of their fields; texts are cleaned as those of forms.

    Raises ValidationError, TypeError or ValueError.
    """
    fields = fields_of(model)
    follow = {field.name for field in model._meta.concrete_fields if field.generated}  # noqa: SLF001 - Django's own way
    if not isinstance(row, dict) or set(row) - (set(fields) - LEFT_OUT) - follow:
        raise TypeError(model.__name__)
    values: dict[str, Any] = {}
    for name, value in row.items():
        if name in follow:
            continue  # an older version wrote it
        if name in NAMES:
            if type(value) is not int:
                raise TypeError(name)
            values[name] = value
        elif name in PEOPLE:
            values[name] = str(value)
        elif name == REPORT:
            values[name] = _report(value)
        else:
            values[name] = _value(fields[name], value)
    return values


def _report(value: Any) -> str:
    """Check the report file of a round: lines of a file that this program wrote."""
    if (
        not isinstance(value, str)
        or len(value) > LONGEST_REPORT
        or not re.sub(r"[\r\n]", "", value).isprintable()
    ):
        raise TypeError(REPORT)
    return value


def _value(field: models.Field[Any, Any], value: Any) -> Any:
    if isinstance(field, models.JSONField):
        return _SHAPES[field.name](value)
    if isinstance(value, dict | list | float) or (isinstance(value, str) and "\x00" in value):
        raise TypeError(field.name)
    if value is None and not field.null:
        raise TypeError(field.name)
    is_text = isinstance(field, models.CharField | models.TextField)
    if value is None or (value == "" and field.blank and is_text):
        return value
    if isinstance(field, models.DateTimeField):
        return moment(value)
    if isinstance(value, int) and not 0 <= value <= _LARGEST.get(field.get_internal_type(), value):
        raise ValueError(field.name)
    found = field.clean(value, None)
    if isinstance(found, str) and not found.isprintable():
        if len(found) > LONGEST_TEXT:
            raise ValueError(field.name)
        found = field.clean(clean(field, found), None)
    return found


def _marks(found: Any) -> list[CopiedRow]:
    if len(found) > MOST_MARKS:
        raise ValueError("brought")
    for mark in found:
        if set(mark) != set(CopyMark.__annotations__):
            raise TypeError("brought")
        for text in mark.values():
            if not isinstance(text, str) or "\x00" in text or len(text) > LONGEST_MARK:
                raise TypeError("brought")
        CopyOrigin(mark["origin"])
        _moment(mark["made"])
        _moment(mark["loaded"])
    return list(found)


def _log_row(row: Any) -> CopiedRow:
    if not isinstance(row, dict) or set(row) - set(LOG) or not {"at", "action"} <= set(row):
        raise TypeError("log")
    fields = fields_of(ActionLog)
    return {
        name: log_values(value)
        if name in {"before", "after"}
        else str(value)
        if name in PEOPLE
        else _value(fields[name], value)
        for name, value in row.items()
    }


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) and "\x00" not in text for text in value):
        raise TypeError("texts")
    return value


def _options(value: Any) -> CopiedRow:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise TypeError(OPTIONS)
    return value


def _left_notices(value: Any) -> list[str]:
    if not all(re.fullmatch(r"[a-z_]{1,40}\.\d{1,3}\.[0-9a-f]{12} \d{1,9}", text) for text in _texts(value)):
        raise ValueError("left_notices")
    return list(value)


def _round_papers(value: Any) -> dict[str, str]:
    papers = dict(value)
    if (
        not all(re.fullmatch(r"[a-z]{1,10}", name) for name in papers)
        or not set(papers.values()) <= PAPER_SIZES
    ):
        raise ValueError("round_papers")
    return papers


def _ahead(value: Any) -> CopiedRow:
    shape = {"round": int, "boards": list, "forfeits": bool, "parts": dict}
    if value and (
        set(value) != set(shape) or not all(isinstance(value[name], kind) for name, kind in shape.items())
    ):
        raise ValueError("ahead")
    if value:
        _numbers(value["boards"])
        _texts([*value["parts"], *value["parts"].values()])
    return dict(value)


def _schedule(value: Any) -> list[str]:
    for text in _texts(value):
        RoundStart.read(text)
    return list(value)


def _earlier(value: Any) -> list[CopiedRow]:
    for then in value:
        if set(then) != {"until", "result", "turned"} or type(then["until"]) is not int:
            raise TypeError("earlier")
        Result(then["result"])
    return list(value)


def _pairing(value: Any) -> CopiedRow:
    pairs = [[int(white), int(black)] for white, black in value.get("pairs", ())]
    bye = value.get("bye")
    copied = {**value, "pairs": pairs} if "pairs" in value else dict(value)
    return {**copied, "bye": None if bye is None else int(bye)} if "bye" in value else copied


def _content(value: Any) -> CopiedRow:
    if not isinstance(value, dict):
        raise TypeError("content")
    return value


def _numbers_ascending(value: Any) -> list[int]:
    numbers = list(_numbers(value))
    if numbers != sorted(numbers) or any(not 2 <= number <= MAX_ROUNDS for number in numbers):
        raise ValueError("period_starts")
    return numbers


def _groups(value: Any) -> list[CopiedRow]:
    """Check who is kept apart: the rules of a section, or the groups of a round."""
    kinds = {"kind": str, "value": str, "players": list, "strict": bool}
    more = {"number": int, "first_round": int, "last_round": int | None, "reason": str}
    for row in value:
        shape = kinds | (more if "number" in row else {"left_out": bool})
        if set(row) != set(shape) or not all(isinstance(row[name], kind) for name, kind in shape.items()):
            raise TypeError("groups")
        Section.ApartKind(row["kind"])
        _numbers(row["players"])
        _texts([row["value"], row.get("reason", "")])
    return list(value)


_SHAPES = {
    "apart_rules": _groups,
    "kept_apart": _groups,
    "virtual_points": virtual_points,
    "rulings": rulings,
    OPTIONS: _options,
    "schedule": _schedule,
    "rating_lists": _texts,
    "tie_breaks": _texts,
    "tie_values": tie_values,
    "period_starts": _numbers_ascending,
    "period_ratings": period_ratings,
    "prizes": lambda value: PrizePlan.read(value).stored,
    "report_records": _texts,
    "left_notices": _left_notices,
    "round_papers": _round_papers,
    "ahead": _ahead,
    "earlier": _earlier,
    "brought": _marks,
    "engine_pairing": _pairing,
    "content": _content,
}


def _refuse_unsound(section: CopiedRow, rows: dict[str, list[CopiedRow]]) -> None:
    """Raise ValueError for rows that the database accepts but that no section can have."""
    numbers = sorted(row["number"] for row in rows["rounds"])
    if numbers != list(range(1, len(numbers) + 1)) or len(numbers) > section["rounds"]:
        raise ValueError("rounds")
    given = sorted(row["tpn"] for row in rows["participants"] if row.get("tpn") is not None)
    if given and given != list(range(1, len(rows["participants"]) + 1)):
        raise ValueError("numbers")
    if len({row["player_id"] for row in rows["participants"]}) != len(rows["players"]):
        raise ValueError("players")
    if not all(is_content(row["kind"], row["content"]) for row in rows["published_lists"]):
        raise ValueError("published_lists")
    takes_unrated = system_named(section.get("system", DEFAULT_SYSTEM)).takes_unrated
    if not takes_unrated and any(row["rating"] == 0 for row in rows["participants"]):
        raise ValueError("rating")
