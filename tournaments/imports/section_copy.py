"""Reads a copy of a section or an event, and checks it before anything is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from base.text import clean
from evenboard_engine import InvalidTournament, Result, system_named
from evenboard_engine.systems.registry import DEFAULT_SYSTEM
from tournaments.copy_format import ADDED_PARTS, LEFT_OUT, LOG, NAMES, PARTS, PEOPLE, SECTION, unpack
from tournaments.copy_seal import Mark, Origin, origin_of
from tournaments.errors import DomainError
from tournaments.models import ActionLog, Event, PrizePlan, RoundStart, Section
from tournaments.models.journal import OPTIONS, fields_of
from tournaments.models.published_list import is_content
from tournaments.models.section import MAX_ROUNDS

from .copied_roles import CopiedRole, copied_role
from .copied_values import period_ratings, rulings, tie_values, virtual_points
from .log_values import log_values, moment

MOST = {
    "players": 10_000,
    "participants": 10_000,
    "rounds": MAX_ROUNDS,
    "games": 150_000,
    "byes": 300_000,
    "check_ins": 300_000,
    "forbidden_pairs": 50_000,
    "published_lists": 2_000,
    "log": 500_000,
    "sections": 200,
    "roles": 1_000,
    "people": 200,
}
MOST_MARKS = 100
LONGEST_MARK = 200
LONGEST_TEXT = 10_000
"""Of a text that must be cleaned: that takes long for a text made for it."""
_LARGEST = {
    "PositiveSmallIntegerField": 32_767,
    "PositiveIntegerField": 2_147_483_647,
    "PositiveBigIntegerField": 9_223_372_036_854_775_807,
}
"""Largest numbers that every database can store."""
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SectionCopy:
    """A copy of a section that can be loaded. rows: Python values by part; references are row numbers in the file.

    event, section, log: the values of the event, of the settings, and of the log. log_head: the newest seal of the
    log that was copied. origin, key: where the file comes from, and the name of the key that sealed it.
    """

    made_at: datetime | None
    event: Row
    section: Row
    revision: int
    rows: dict[str, list[Row]]
    log: list[Row]
    log_head: str = ""
    origin: Origin = Origin.UNSEALED
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
    event: Row
    roles: tuple[CopiedRole, ...]
    sections: tuple[SectionCopy, ...]
    people: tuple[tuple[int, ...], ...]
    log: list[Row]
    log_head: str = ""
    origin: Origin = Origin.UNSEALED
    key: str = ""

    @property
    def name(self) -> str:
        return str(self.event["name"])


def read_copy(data: bytes, most: int = 0) -> SectionCopy:
    """Read the copy of a section. Raises DomainError as `read_any` does, and copy_unknown for a copy of an event."""
    copy = read_any(data, most)
    if not isinstance(copy, SectionCopy):
        raise DomainError("copy_unknown")
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
        raise DomainError("copy_damaged") from error


@dataclass(frozen=True, slots=True)
class _Head:
    """What the head of a file says, for all its sections."""

    made_at: datetime | None
    origin: Origin
    key: str

    @property
    def as_row(self) -> Row:
        return {"made_at": self.made_at, "origin": self.origin, "key": self.key}


def _moment(text: Any) -> datetime | None:
    return moment(text) if text else None


def _event(content: Row, head: _Head) -> EventCopy:
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


def _checked(content: Row, head: _Head) -> SectionCopy:
    older: Row = {part: [] for part in ADDED_PARTS if part not in content}
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


def _section(row: Any) -> Row:
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


def _list(content: Row, part: str) -> list[Any]:
    found = content[part]
    if not isinstance(found, list) or len(found) > MOST[part]:
        raise TypeError(part)
    return found


def _rows(model: type[models.Model], found: Iterable[Any]) -> list[Row]:
    return [_values(model, row) for row in found]


def _values(model: type[models.Model], row: Any) -> Row:
    """Python values, checked by the validators of their fields; texts are cleaned as those of forms.

    Raises ValidationError, TypeError or ValueError.
    """
    fields = fields_of(model)
    if not isinstance(row, dict) or set(row) - (set(fields) - LEFT_OUT):
        raise TypeError(model.__name__)
    values: dict[str, Any] = {}
    for name, value in row.items():
        if name in NAMES:
            if type(value) is not int:
                raise TypeError(name)
            values[name] = value
        elif name in PEOPLE:
            values[name] = str(value)
        else:
            values[name] = _value(fields[name], value)
    return values


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


def _marks(found: Any) -> list[Row]:
    if len(found) > MOST_MARKS:
        raise ValueError("brought")
    for mark in found:
        if set(mark) != set(Mark.__annotations__):
            raise TypeError("brought")
        for text in mark.values():
            if not isinstance(text, str) or "\x00" in text or len(text) > LONGEST_MARK:
                raise TypeError("brought")
        Origin(mark["origin"])
        _moment(mark["made"])
        _moment(mark["loaded"])
    return list(found)


def _log_row(row: Any) -> Row:
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


def _options(value: Any) -> Row:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise TypeError(OPTIONS)
    return value


def _schedule(value: Any) -> list[str]:
    for text in _texts(value):
        RoundStart.read(text)
    return list(value)


def _earlier(value: Any) -> list[Row]:
    for then in value:
        if set(then) != {"until", "result", "turned"} or type(then["until"]) is not int:
            raise TypeError("earlier")
        Result(then["result"])
    return list(value)


def _pairing(value: Any) -> Row:
    pairs = [[int(white), int(black)] for white, black in value.get("pairs", ())]
    bye = value.get("bye")
    copied = {**value, "pairs": pairs} if "pairs" in value else dict(value)
    return {**copied, "bye": None if bye is None else int(bye)} if "bye" in value else copied


def _content(value: Any) -> Row:
    if not isinstance(value, dict):
        raise TypeError("content")
    return value


def _numbers_ascending(value: Any) -> list[int]:
    numbers = list(_numbers(value))
    if numbers != sorted(numbers) or any(not 2 <= number <= MAX_ROUNDS for number in numbers):
        raise ValueError("period_starts")
    return numbers


_SHAPES = {
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
    "earlier": _earlier,
    "brought": _marks,
    "engine_pairing": _pairing,
    "content": _content,
}


def _refuse_unsound(section: Row, rows: dict[str, list[Row]]) -> None:
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
