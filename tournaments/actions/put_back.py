"""Put rows back to what they were before some actions.

Only the net effect is written: a row that ten actions wrote is written once. Rows that disappear are deleted first and
rows that come back are inserted last, so no unique constraint is broken on the way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import models

from tournaments.errors import DomainError
from tournaments.models import Bye, CheckIn, ForbiddenPair, Game, Participant, Player, Section
from tournaments.models.journal import Journaled, Values, fields_of, put, row_values
from tournaments.queries.rewind import FOR_GOOD, MODEL, NUMBERS, ORDER, VERSION, Rewind, RowBack

from .numbers import BATCH

PLACES: dict[type[Journaled], frozenset[str]] = {
    Game: frozenset({"round_id", "board", "white_id", "black_id"}),
    Bye: frozenset({"participant_id", "round_number"}),
    CheckIn: frozenset({"participant_id", "round_number"}),
    ForbiddenPair: frozenset({"first_id", "second_id"}),
}
"""Columns in which two rows may have to exchange values: such rows are deleted and inserted again."""
FREED: dict[type[Journaled], tuple[str, ...]] = {Participant: ("tpn",), Player: ("fide_id",)}
"""Unique columns that can be empty: they are emptied first, so that rows can exchange values."""


def put_back(rewind: Rewind) -> None:
    """Put the rows back. Raises IntegrityError; DomainError("undo_differs") if a row is not as the journal says."""
    work = {model: _Work(model) for model in ORDER}
    for (model, key), row in rewind.rows.items():
        work[MODEL[model]].take(key, row)
    for one in reversed(ORDER):
        work[one].check()
    for one in reversed(ORDER):
        work[one].delete()
    for one in ORDER:
        work[one].change()
    for one in ORDER:
        work[one].insert()


class _Work:
    """The work to do in one table."""

    def __init__(self, model: type[Journaled]) -> None:
        self.model = model
        self._gone: list[int] = []
        self._new: dict[int, Values] = {}
        self._rows: dict[int, RowBack] = {}
        self._changed: list[tuple[models.Model, frozenset[str]]] = []

    def take(self, key: int, row: RowBack) -> None:
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

    def _prepare(self, found: models.Model, row: RowBack) -> None:
        assert row.target is not None
        assert row.expected is not None
        changed = {name: value for name, value in row.target.items() if value != row.expected[name]}
        if self.model is Section:
            changed = {name: value for name, value in changed.items() if name not in FOR_GOOD}
        changed.pop(VERSION, None)
        if not changed:
            return
        if hasattr(found, VERSION):
            changed[VERSION] = getattr(found, VERSION) + 1
        if PLACES.get(self.model, frozenset()) & set(changed):
            self._gone.append(found.pk)
            self._new[found.pk] = {**row_values(found), **changed}
            return
        self._changed.append((found, frozenset(put(found, changed))))

    def _raised(self, values: Values, version: int) -> Values:
        return {**values, VERSION: version + 1} if VERSION in values else values

    def _there(self) -> dict[int, models.Model]:
        keys = list(self._rows)
        found: dict[int, models.Model] = {}
        for start in range(0, len(keys), BATCH):
            found |= self.model.objects.in_bulk(keys[start : start + BATCH])
        return found

    def _read(self, name: str, value: Any) -> Any:
        return fields_of(self.model)[name].to_python(value)

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
            self.model(**{"id": key, **{name: self._read(name, value) for name, value in values.items()}})
            for key, values in sorted(self._new.items())
        ]
        self.model.objects.bulk_create(rows, batch_size=BATCH)


def _batches(keys: Sequence[int]) -> Iterable[Sequence[int]]:
    return (keys[start : start + BATCH] for start in range(0, len(keys), BATCH))


def _differs(found: models.Model, expected: Values) -> bool:
    now = row_values(found, [name for name in expected if name != VERSION and name not in NUMBERS])
    return any(now[name] != expected[name] for name in now)
