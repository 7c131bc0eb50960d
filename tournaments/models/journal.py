"""Note every row that an action writes, so that the action can be undone.

While `journal()` is open, all rows of `Journaled` models that are saved, created, updated or deleted through their
managers are noted in the order of writing as [model, key, before, after], with JSON values that are the same on every
database. `before` is None for a new row, `after` for a deleted row. For a changed row both hold the columns that
changed. New and deleted rows are noted without the columns that have their default (`whole` adds them again).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from datetime import UTC, date, datetime
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from django.db import connections, models
from django.db.models.signals import post_delete, pre_delete

Values = dict[str, Any]
Change = list[Any]
Row = TypeVar("Row", bound=models.Model)
BATCH = 500
NEVER = frozenset({"revision", "people_revision", "log_head", "white_link", "black_link"})
"""Columns that go forward with each action; an undo does not put them back."""
OPTIONS = "options"
"""The column with the options of a pairing system. Each option is noted as if it were a column, so that one option can
be undone without the others.
"""
OPTION = f"{OPTIONS}."


class FoldedField(models.CharField):  # type: ignore[type-arg]  # Django has no such class at runtime
    """A text as searches compare it: folded.

    It sorts by the codes of its signs on every database, so a range of it is a beginning of texts, and uses an index.
    """

    def db_parameters(self, connection: Any) -> Any:
        collation = "C" if connection.vendor == "postgresql" else "BINARY"
        return {**super().db_parameters(connection), "collation": collation}


class DerivedField(FoldedField):
    """A column that follows from the others of its row, so that neither the journal nor a file has it."""

    def derived(self, row: Any) -> str:
        raise NotImplementedError

    def pre_save(self, model_instance: models.Model, add: bool) -> str:  # noqa: ARG002 - Django calls it so
        value = self.derived(model_instance)
        setattr(model_instance, self.attname, value)
        return value


class Journal:
    """changes: what was written so far. _held: the values of rows that are being deleted, by model and key."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self._held: dict[tuple[str, int], Values] = {}
        self._resting = False

    def created(self, rows: Iterable[models.Model]) -> None:
        for row in rows:
            self.changes.append([_name(row), row.pk, None, spare(type(row), row_values(row))])

    def hold(self, row: models.Model) -> None:
        """Read a row that will be deleted from the database: the object in memory may have unsaved changes."""
        found = _read(type(row), [row.pk], _columns(type(row)))
        self._held[_name(row), row.pk] = found.get(row.pk, {})

    def deleted(self, row: models.Model) -> None:
        values = self._held.pop((_name(row), row.pk), None) or row_values(row)
        self.changes.append([_name(row), row.pk, spare(type(row), values), None])

    @contextmanager
    def changing(
        self,
        model: type[models.Model],
        keys: Sequence[int],
        columns: Sequence[str],
        after: Callable[[], Mapping[int, Values]],
    ) -> Iterator[None]:
        """Note what a statement changes in these columns of these rows. after: returns their new values, by key."""
        if self._resting:
            yield
            return
        before = _read(model, keys, columns)
        self._resting = True
        try:
            yield
        finally:
            self._resting = False
        now = after()
        for key, former in before.items():
            old, new = _apart(former), _apart(now[key])
            changed = [
                name for name in {**old, **new} if name not in NEVER and old.get(name) != new.get(name)
            ]
            if changed:
                self.changes.append(
                    [
                        _options(model).model_name,
                        key,
                        {name: old.get(name) for name in changed},
                        {name: new.get(name) for name in changed},
                    ]
                )


_open: ContextVar[Journal | None] = ContextVar("journal", default=None)


@contextmanager
def journal() -> Iterator[Journal]:
    """Note everything that is written inside the block. A journal inside a journal is separate."""
    opened = Journal()
    token = _open.set(opened)
    try:
        yield opened
    finally:
        _open.reset(token)


def is_noting() -> bool:
    """Return whether an action writes now, so that what it has written is in no log yet."""
    return _open.get() is not None


def write_each(
    model: type[models.Model], rows: Sequence[Any], fields: Iterable[str], *, using: str = "default"
) -> None:
    """Write columns of many rows by one prepared statement that runs for each row. Nothing is noted."""
    columns = _attnames(model, fields)
    known, table = fields_of(model), _options(model)
    database = connections[using]
    quoted = database.ops.quote_name
    values = ", ".join(f"{quoted(str(known[name].column))} = %s" for name in columns)
    statement = f"UPDATE {quoted(table.db_table)} SET {values} WHERE {quoted(table.pk.column)} = %s"  # noqa: S608 - names of columns
    with database.cursor() as cursor:
        cursor.executemany(
            statement,
            [
                (*(known[name].get_db_prep_save(getattr(row, name), database) for name in columns), row.pk)
                for row in rows
            ],
        )


class JournalQuerySet(models.QuerySet[Row]):
    """Writes many rows in one statement, and notes them."""

    def bulk_create(self, objs: Iterable[Any], *args: Any, **kwargs: Any) -> list[Any]:
        rows = super().bulk_create(objs, *args, **kwargs)
        if noting := _open.get():
            noting.created(rows)
        return rows

    def bulk_update(self, objs: Iterable[Any], fields: Iterable[str], batch_size: int | None = None) -> int:
        rows, fields = list(objs), list(fields)
        written = [*fields, *_derive(self.model, rows)]
        noting = _open.get()
        if noting is None or not rows:
            return super().bulk_update(rows, written, batch_size)
        columns = _attnames(self.model, fields)
        keys = [row.pk for row in rows]
        with noting.changing(
            self.model, keys, columns, lambda: {row.pk: row_values(row, columns) for row in rows}
        ):
            return super().bulk_update(rows, written, batch_size)

    def update_each(self, objs: Sequence[Any], fields: Iterable[str]) -> None:
        """Write columns of many rows by one prepared statement that runs for each row, and note them.

        It does what `bulk_update` does for plain values, which builds an expression for each value: for the numbers
        of 250 players that takes several times as long.
        """
        if not objs:
            return
        columns = _attnames(self.model, fields)
        noting = _open.get()
        after = {row.pk: row_values(row, columns) for row in objs} if noting else {}
        with (
            noting.changing(self.model, [row.pk for row in objs], columns, lambda: after)
            if noting
            else nullcontext(),
        ):
            write_each(self.model, objs, columns, using=self.db)

    def update(self, **values: Any) -> int:
        noting = _open.get()
        if noting is None:
            return super().update(**values)
        columns = _attnames(self.model, values)
        keys = list(self.order_by().values_list("pk", flat=True))
        with noting.changing(self.model, keys, columns, lambda: _read(self.model, keys, columns)):
            return super().update(**values)


class Journaled(models.Model):
    """A row of a section. If it is written through `objects`, by save() or by delete(), this can be undone."""

    objects = JournalQuerySet.as_manager()

    class Meta:
        abstract = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        # only signals see rows that a cascade deletes; they also make Django read these rows before it deletes them
        pre_delete.connect(_before_delete, sender=cls)
        post_delete.connect(_after_delete, sender=cls)

    def save_base(self, *args: Any, **kwargs: Any) -> None:
        noting = _open.get()
        update_fields: Iterable[str] | None = kwargs.get("update_fields")
        if noting is None:
            super().save_base(*args, **kwargs)
        elif self._state.adding or kwargs.get("force_insert"):
            super().save_base(*args, **kwargs)
            noting.created([self])
        else:
            columns = _columns(type(self)) if update_fields is None else _attnames(type(self), update_fields)
            with noting.changing(
                type(self), [self.pk], columns, lambda: {self.pk: row_values(self, columns)}
            ):
                super().save_base(*args, **kwargs)


def row_values(row: models.Model, columns: Sequence[str] | None = None) -> Values:
    """Return the values of a row for JSON, without its key. columns: may also name single options."""
    fields = fields_of(type(row))
    return {
        name: getattr(row, OPTIONS).get(name.removeprefix(OPTION))
        if name.startswith(OPTION)
        else plain(fields[name], getattr(row, name))
        for name in (fields if columns is None else columns)
    }


def put(row: models.Model, values: Mapping[str, Any]) -> set[str]:
    """Set columns and single options of a row from values for JSON; return the columns to save."""
    for name, value in values.items():
        if name.startswith(OPTION):
            rest = {key: kept for key, kept in getattr(row, OPTIONS).items() if OPTION + key != name}
            setattr(row, OPTIONS, rest if value is None else {**rest, name.removeprefix(OPTION): value})
        else:
            setattr(row, name, fields_of(type(row))[name].to_python(value))
    return {OPTIONS if name.startswith(OPTION) else name for name in values}


def whole(model: type[models.Model], values: Mapping[str, Any]) -> Values:
    """Return all columns of a row that the journal noted without its defaults."""
    return {**_defaults(model), **values}


def _apart(values: Mapping[str, Any]) -> Values:
    """Return values with each option as a column of its own."""
    options = {OPTION + name: value for name, value in values.get(OPTIONS, {}).items()}
    return {**{name: value for name, value in values.items() if name != OPTIONS}, **options}


def plain(field: models.Field[Any, Any], value: Any) -> Any:
    """Return a value of a column for JSON, with times in UTC."""
    value = field.to_python(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return value.value if isinstance(value, Enum) else value


def _read(model: type[models.Model], keys: Sequence[int], columns: Sequence[str]) -> dict[int, Values]:
    fields = fields_of(model)
    found: dict[int, Values] = {}
    for start in range(0, len(keys), BATCH):
        rows = _options(model).base_manager.filter(pk__in=keys[start : start + BATCH]).order_by("pk")
        for key, *values in rows.values_list("pk", *columns):
            found[key] = {
                name: plain(fields[name], value) for name, value in zip(columns, values, strict=True)
            }
    return found


def spare(model: type[models.Model], values: Values) -> Values:
    """Return the columns that differ from their default."""
    defaults = _defaults(model)
    return {name: value for name, value in values.items() if value != defaults[name]}


@cache
def fields_of(model: type[models.Model]) -> dict[str, models.Field[Any, Any]]:
    """Return all columns except the key and those that follow from others, by their names in the database."""
    return {
        field.attname: field
        for field in _options(model).concrete_fields
        if not (field.primary_key or field.generated or isinstance(field, DerivedField))
    }


def _derive(model: type[models.Model], rows: Iterable[models.Model]) -> list[str]:
    """Set the derived columns of rows; return their names."""
    derived = [field for field in _options(model).concrete_fields if isinstance(field, DerivedField)]
    for row in rows:
        for field in derived:
            field.pre_save(row, add=False)
    return [field.name for field in derived]


@cache
def _columns(model: type[models.Model]) -> tuple[str, ...]:
    return tuple(fields_of(model))


@cache
def _defaults(model: type[models.Model]) -> Values:
    return {name: plain(field, field.get_default()) for name, field in fields_of(model).items()}


def _attnames(model: type[models.Model], names: Iterable[str]) -> tuple[str, ...]:
    return tuple(_options(model).get_field(name).attname for name in names)


def _options(model: type[models.Model] | models.Model) -> Any:
    return model._meta  # noqa: SLF001 - Django documents _meta as public


def _name(row: models.Model) -> str:
    return str(_options(row).model_name)


def _before_delete(instance: models.Model, origin: object, **_kwargs: Any) -> None:
    if (noting := _open.get()) and origin is instance:
        noting.hold(instance)


def _after_delete(instance: models.Model, **_kwargs: Any) -> None:
    if noting := _open.get():
        noting.deleted(instance)
