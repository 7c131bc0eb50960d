"""A whole section, or a whole event, as one file. `tournaments.actions.copies` loads it (docs/copies.md)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db import models
from django.db.models import QuerySet
from django.utils import timezone

from base.consistent_read import consistent_read
from tournaments.copy_format import EVENT, LEFT_OUT, LOG, NAMES, PARTS, PEOPLE, pack
from tournaments.declarations import names_of
from tournaments.declarations.entries import IMPORT_ENTRIES
from tournaments.declarations.rounds import BY_HAND
from tournaments.models import ActionLog, Event, Player, Section, User
from tournaments.models.journal import Values, fields_of, plain, spare
from tournaments.models.published_lists import with_other_keys

Keys = Mapping[str, Mapping[int, int]]
"""For each part, the key in the file of each row in the database, or the other way round."""

_BY_HAND = names_of(BY_HAND)
"""Actions whose `round` in the log is the key of a row and not a number."""


def copy_file(section: Section, *, compressed: bool = False) -> bytes:
    """Return the file of a section. About twelve queries."""
    return file_of_section(copy_content(section), compressed=compressed)


def file_of_section(content: Mapping[str, Any], *, compressed: bool = False) -> bytes:
    """Return the file with this content of a section, made now."""
    state = _digest([content["revision"], content["log_head"]])
    return pack(content, timezone.now().isoformat(), state=state, compressed=compressed)


def copy_content(section: Section) -> dict[str, Any]:
    """Return all rows of the section at one moment, numbered from 1 in each part."""
    with consistent_read() as alone:
        sections = Section.objects.select_related("event")
        if not alone:  # no action meanwhile
            sections = sections.select_for_update(of=("self",), no_key=True)
        section = sections.get(pk=section.pk)
        people = dict(User.objects.values_list("pk", "username"))
        keys: dict[str, dict[int, int]] = {}
        parts: dict[str, list[Values]] = {}
        for part, model in PARTS.items():
            rows = _rows(part, model, section)
            keys[part] = {key: place for place, (key, _) in enumerate(rows, start=1)}
            parts[part] = [_row(values, keys, people) for _, values in rows]
        log = _log(section, keys, people)
    for row in parts["rounds"]:
        if "engine_pairing" in row:
            row["engine_pairing"] = engine_pairing(row["engine_pairing"], keys["participants"].get)
        if "kept_apart" in row:
            row["kept_apart"] = groups_with_other_keys(row["kept_apart"], keys["participants"].get)
    for row in parts["published_lists"]:
        row["content"] = with_other_keys(row["content"], keys["participants"].get)
    stored = _stored(section)
    stored["apart_rules"] = groups_with_other_keys(section.apart_rules, keys["participants"].get)
    return {
        "event": _stored(section.event),
        "section": stored,
        "revision": section.revision,
        "log_head": section.log_head,
        **parts,
        "log": log,
    }


def event_file(event: Event, *, compressed: bool = False) -> bytes:
    """Return the file of an event with all its sections."""
    with consistent_read():
        content, state = event_content(event), event_state(event)
    return pack(content, timezone.now().isoformat(), kind=EVENT, state=state, compressed=compressed)


def event_state(event: Event) -> str:
    """Return a value that is another one after each action in the event or in one of its sections. Two queries."""
    return event_states(Event.objects.filter(pk=event.pk))[event.pk]


def event_states(events: QuerySet[Event]) -> dict[int, str]:
    """Return `event_state` of each of these events, by key. Two queries for any number of events."""
    with consistent_read():
        found: dict[int, list[Any]] = {key: [head] for key, head in events.values_list("pk", "log_head")}
        sections = Section.objects.filter(event__in=events.order_by()).order_by("pk")
        for event, *values in sections.values_list("event", "pk", "revision", "log_head"):
            found[event].append(values)
    return {key: _digest(values) for key, values in found.items()}


def _digest(values: Any) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def event_content(event: Event) -> dict[str, Any]:
    """Return the event with its roles, its own log and its sections at one moment.

    "people" has a list for each section: for each of its players, the number of the person in the event, from 1.
    """
    with consistent_read() as alone:
        events = Event.objects if alone else Event.objects.select_for_update(no_key=True)
        event = events.get(pk=event.pk)
        sections = list(event.sections.order_by("pk"))
        contents = [copy_content(section) for section in sections]
        keys = [
            list(section_players(section).order_by("pk").values_list("pk", flat=True)) for section in sections
        ]
        names = dict(User.objects.values_list("pk", "username"))
        own = event.log.filter(section=None).order_by("pk")
        log = [_log_row(values, {}, names) for values in own.values_list(*LOG).iterator(2_000)]
        places = {section.pk: number for number, section in enumerate(sections, start=1)}
        roles = [
            [
                row.user.username,
                row.role,
                places.get(row.section_id or 0, 0),
                row.until.isoformat() if row.until else "",
                *((row.boards.first, row.boards.last) if row.boards else ()),
            ]
            for row in event.roles.select_related("user").order_by("pk")
        ]
    numbers = {
        key: number for number, key in enumerate(sorted({key for one in keys for key in one}), start=1)
    }
    return {
        "event": _stored(event),
        "log_head": event.log_head,
        "roles": roles,
        "log": log,
        "sections": contents,
        "people": [[numbers[key] for key in one] for one in keys],
    }


def section_players(section: Section) -> models.QuerySet[Player]:
    players: models.QuerySet[Player] = Player.objects.filter(entries__section=section).distinct()
    return players


def _stored(row: models.Model) -> Values:
    columns = [name for name in fields_of(type(row)) if name not in LEFT_OUT]
    return {name: plain(fields_of(type(row))[name], getattr(row, name)) for name in columns}


def _rows(part: str, model: type[models.Model], section: Section) -> list[tuple[int, Values]]:
    of_section = {
        "games": {"round__section": section},
        "byes": {"participant__section": section},
        "check_ins": {"participant__section": section},
    }
    fields = {name: field for name, field in fields_of(model).items() if name not in LEFT_OUT}
    rows = (
        section_players(section)
        if model is Player
        else model._default_manager.filter(**of_section.get(part, {"section": section}))  # noqa: SLF001 - public in Django
    )
    return [
        (
            key,
            spare(
                model, {name: plain(fields[name], value) for name, value in zip(fields, values, strict=True)}
            ),
        )
        for key, *values in rows.order_by("pk").values_list("pk", *fields).iterator(2_000)
    ]


def _row(values: Values, keys: Keys, people: Mapping[int, str]) -> Values:
    return {name: _named(name, value, keys, people) for name, value in values.items()}


def _named(name: str, value: Any, keys: Keys, people: Mapping[int, str]) -> Any:
    if name in NAMES:
        return keys[NAMES[name]][value]
    return people.get(value, "") if name in PEOPLE else value


def _log(section: Section, keys: Keys, people: Mapping[int, str]) -> list[Values]:
    rows = section.log.order_by("revision").values_list(*LOG)
    return [_log_row(values, keys, people) for values in rows.iterator(2_000)]


def _log_row(values: Iterable[Any], keys: Keys, people: Mapping[int, str]) -> Values:
    fields = fields_of(ActionLog)
    row = {
        name: _named(name, plain(fields[name], value), keys, people)
        for name, value in zip(LOG, values, strict=True)
        if value not in (None, "") and (name != "brought" or value)
    }
    if keys:
        row["before"] = renamed(row["action"], row["before"], keys)
        row["after"] = renamed(row["action"], row["after"], keys)
    return row


def engine_pairing(answer: Mapping[str, Any], key_of: Callable[[int], int | None]) -> dict[str, Any]:
    """Return `Round.engine_pairing` with other keys of participants; 0 for a removed participant."""
    copied: dict[str, Any] = dict(answer)
    if "pairs" in copied:
        copied["pairs"] = [[key_of(white) or 0, key_of(black) or 0] for white, black in copied["pairs"]]
    if copied.get("bye") is not None:
        copied["bye"] = key_of(copied["bye"])
    return copied


def groups_with_other_keys(
    groups: Iterable[Mapping[str, Any]], key_of: Callable[[int], int | None]
) -> list[dict[str, Any]]:
    """Return `Section.apart_rules` or `Round.kept_apart` with other keys of participants, without removed ones."""
    return [{**row, "players": [key for old in row["players"] if (key := key_of(old))]} for row in groups]


def renamed(action: str, values: Any, keys: Keys) -> Any:
    """Return the values of a log row with other keys where they name rows; 0 for a removed row."""
    if not isinstance(values, dict):
        return values
    people, games, rounds = (keys[part] for part in ("participants", "games", "rounds"))

    def first(rows: Iterable[list[Any]]) -> list[list[Any]]:
        return [[people.get(row[0], 0), *row[1:]] for row in rows]

    change: dict[str, Callable[[Any], Any]] = {
        "participant": lambda key: people.get(key, 0),
        "game": lambda key: games.get(key, 0),
        "changed": lambda found: [people.get(key, 0) for key in found],
        "added": first,
        "entries": first,
        "ranks": first,
        "departures": lambda found: [
            {
                name: [[people.get(key, 0) for key in pair] for pair in value]
                if name in {"expected", "found"}
                else value
                for name, value in one.items()
            }
            for one in found
        ],
    }
    if action in _BY_HAND:
        change["round"] = lambda key: rounds.get(key, 0)
    if action == IMPORT_ENTRIES.name:
        change["byes"] = first
    return {name: _changed(change.get(name), value) for name, value in values.items()}


def _changed(change: Callable[[Any], Any] | None, value: Any) -> Any:
    """Return the value with its keys changed; a value of an unexpected shape stays, as old logs may have any shape."""
    try:
        return change(value) if change else value
    except (TypeError, KeyError, IndexError, AttributeError):
        return value
