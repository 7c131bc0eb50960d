"""Put rows back to what they were before some actions, from the journal of these actions.

Only the net effect is written: a row that ten actions wrote is written once. Rows that disappear are deleted first and
rows that come back are inserted last, so no unique constraint is broken on the way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import models

from tournaments.errors import DomainError
from tournaments.models import (
    Bye,
    CheckIn,
    Event,
    EventRole,
    ForbiddenPair,
    Game,
    Participant,
    Player,
    Round,
    Section,
)
from tournaments.models.journal import Change, Values, row_values, whole

from .numbers import BATCH, DECIDING

ORDER: tuple[type[models.Model], ...] = (
    Event, EventRole, Section, Player, Participant, Round, Game, Bye, CheckIn, ForbiddenPair,
)  # fmt: skip
"""A model comes before the models that refer to it."""
MODEL = {model.__name__.lower(): model for model in ORDER}
PLACES: dict[type[models.Model], frozenset[str]] = {
    Game: frozenset({"round_id", "board", "white_id", "black_id"}),
    Bye: frozenset({"participant_id", "round_number"}),
    CheckIn: frozenset({"participant_id", "round_number"}),
    ForbiddenPair: frozenset({"first_id", "second_id"}),
}
"""Columns in which two rows may have to exchange values: such rows are deleted and inserted again."""
FREED = {Participant: ("tpn",), Player: ("fide_id",)}
"""Unique columns that can be empty: they are emptied first, so that rows can exchange values."""
NUMBERS = frozenset({"tpn", "former_tpn"})
RANKING = {"player": DECIDING, "participant": NUMBERS | DECIDING | {"equal_order"}}
"""Columns that affect the order of the entries, and so their pairing numbers."""
VERSION = "version"
FOR_GOOD = frozenset({"fide_mode", "fide_mode_left_in_round"})
"""FIDE mode, once left, does not come back (VCL4THP.13 Q45)."""

Key = tuple[str, int]


@dataclass(slots=True)
class _Row:
    """A row to put back. target: its values afterwards. expected: its values now. None: there is no row.

    If the row exists before and after, both hold the same columns, those that change. version: the last one known.
    """

    target: Values | None
    expected: Values | None
    version: int = 0


@dataclass(slots=True)
class Rewind:
    """The way back over some changes. rows: the rows that differ."""

    rows: dict[Key, _Row] = field(default_factory=dict)

    @classmethod
    def over(cls, changes: Iterable[Change]) -> Rewind:
        """Find the net effect. changes: in the order in which they were made, complete for these rows."""
        rows: dict[Key, _Row] = {}
        for model, key, before, after in changes:
            _take(rows, (model, key), before, after)
        return cls({key: row for key, row in rows.items() if row.target != row.expected})

    def without_numbers(self) -> None:
        """Do not put pairing numbers back; entries that come back have none."""
        for (model, _), row in self.rows.items():
            if model != "participant":
                continue
            if row.target is not None and row.expected is None:
                row.target = {**row.target, "tpn": None, "former_tpn": None}
            elif row.target is not None and row.expected is not None:
                row.target = {name: value for name, value in row.target.items() if name not in NUMBERS}
                row.expected = {name: row.expected[name] for name in row.target}
        self.rows = {key: row for key, row in self.rows.items() if row.target != row.expected}

    def numbers(self, participants: Iterable[Participant]) -> list[int | None]:
        """Return the pairing numbers of the section afterwards. participants: the current ones."""
        after = {participant.pk: participant.tpn for participant in participants}
        for (model, key), row in self.rows.items():
            if model != "participant":
                continue
            if row.target is None:
                after.pop(key, None)
            elif row.expected is None or "tpn" in row.target:
                after[key] = row.target["tpn"]
        return list(after.values())

    def touches(self, *models_named: str) -> set[int]:
        """Return the keys of the rows of these models."""
        return {key for model, key in self.rows if model in models_named}

    def ranked_players(self) -> set[int]:
        """Return the keys of the players whose title or name changes."""
        return {
            key
            for (model, key), row in self.rows.items()
            if model == "player" and ranks([(model, key, row.expected, row.target)])
        }

    def apply(self) -> None:
        """Put the rows back. Raises IntegrityError; DomainError("undo_differs") if a row is not as the journal says."""
        work = {model: _Work(model) for model in ORDER}
        for (model, key), row in self.rows.items():
            work[MODEL[model]].take(key, row)
        for model in reversed(ORDER):
            work[model].check()
        for model in reversed(ORDER):
            work[model].delete()
        for model in ORDER:
            work[model].change()
        for model in ORDER:
            work[model].insert()


def ranks(changes: Iterable[Change]) -> bool:
    """Return whether one of the changes affects the order of the entries, and so their pairing numbers."""
    return any(
        model in RANKING and (before is None or after is None or not RANKING[model].isdisjoint(after))
        for model, _, before, after in changes
    )


def _take(rows: dict[Key, _Row], key: Key, before: Values | None, after: Values | None) -> None:
    model = MODEL[key[0]]
    full_before = whole(model, before) if after is None and before is not None else before
    row = rows.get(key)
    if row is None:
        row = rows[key] = _Row(target=full_before, expected=None)
        row.expected = whole(model, after) if before is None and after is not None else after
    elif after is None:
        if row.target is not None and row.expected is not None and not _is_whole(model, row.target):
            row.target = {**(full_before or {}), **row.target}
        row.expected = None
    elif before is None:
        row.expected = whole(model, after)
    else:
        if row.target is not None and not _is_whole(model, row.target):
            row.target = {**before, **row.target}
        row.expected = {**(row.expected or {}), **after}
    if row.target is not None and row.expected is not None and not _is_whole(model, row.target):
        row.expected = {name: row.expected[name] for name in row.target}
    row.version = max(row.version, *((side or {}).get(VERSION, 0) for side in (full_before, after)))


def _is_whole(model: type[models.Model], values: Values) -> bool:
    return len(values) == len(whole(model, {}))


class _Work:
    """The work to do in one table."""

    def __init__(self, model: type[models.Model]) -> None:
        self.model = model
        self._gone: list[int] = []
        self._new: dict[int, Values] = {}
        self._rows: dict[int, _Row] = {}
        self._changed: list[tuple[models.Model, frozenset[str]]] = []

    def take(self, key: int, row: _Row) -> None:
        self._rows[key] = row

    def check(self) -> None:
        """Read the rows and find out what to do with each. Raises DomainError("undo_differs")."""
        there = self._there()
        for key, row in self._rows.items():
            found = there.get(key)
            if (found is None) != (row.expected is None) or (found and _differs(found, row.expected or {})):
                raise DomainError("undo_differs", table=self.model.__name__.lower(), row=key)
            if row.target is None:
                self._gone.append(key)
            elif found is None:
                self._new[key] = self._raised(row.target, row.version)
            else:
                self._prepare(found, row)

    def _prepare(self, found: models.Model, row: _Row) -> None:
        assert row.target is not None
        assert row.expected is not None
        changed = {name: value for name, value in row.target.items() if value != row.expected[name]}
        if self.model is Section:
            changed = {name: value for name, value in changed.items() if name not in FOR_GOOD}
        changed.pop(VERSION, None)
        if not changed:
            return
        if hasattr(found, VERSION):
            changed[VERSION] = found.version + 1
        if PLACES.get(self.model, frozenset()) & set(changed):
            self._gone.append(found.pk)
            self._new[found.pk] = {**row_values(found), **changed}
            return
        for name, value in changed.items():
            setattr(found, name, self._read(name, value))
        self._changed.append((found, frozenset(changed)))

    def _raised(self, values: Values, version: int) -> Values:
        return {**values, VERSION: version + 1} if VERSION in values else values

    def _there(self) -> dict[int, models.Model]:
        keys, found = list(self._rows), {}
        for start in range(0, len(keys), BATCH):
            found |= self.model.objects.in_bulk(keys[start : start + BATCH])
        return found

    def _read(self, name: str, value: Any) -> Any:
        return self.model._meta.get_field(name).to_python(value)  # noqa: SLF001 - Django documents _meta as public

    def delete(self) -> None:
        for keys in _batches(self._gone):
            self.model.objects.filter(pk__in=keys).delete()

    def change(self) -> None:
        groups: dict[frozenset[str], list[models.Model]] = defaultdict(list)
        for row, columns in self._changed:
            groups[columns].append(row)
        for name in FREED.get(self.model, ()):
            freed = [row.pk for row, columns in self._changed if name in columns]
            for keys in _batches(freed):
                self.model.objects.filter(pk__in=keys).update(**{name: None})
        for columns, rows in groups.items():
            self.model.objects.bulk_update(rows, sorted(columns), batch_size=BATCH)

    def insert(self) -> None:
        rows = [
            self.model(pk=key, **{name: self._read(name, value) for name, value in values.items()})
            for key, values in sorted(self._new.items())
        ]
        self.model.objects.bulk_create(rows, batch_size=BATCH)


def _batches(keys: Sequence[int]) -> Iterable[Sequence[int]]:
    return (keys[start : start + BATCH] for start in range(0, len(keys), BATCH))


def _differs(found: models.Model, expected: Values) -> bool:
    now = row_values(found, [name for name in expected if name != VERSION and name not in NUMBERS])
    return any(now[name] != expected[name] for name in now)
