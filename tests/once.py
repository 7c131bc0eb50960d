"""What Django works out again in each request and each query, kept for all tests of a process.

None of it depends on rows. How the columns of a query are written and read took a fifth of the time of an action.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from threading import local
from typing import Any
from unittest import mock

from django.apps import apps
from django.conf import LazySettings
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.db import connections
from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX, SQLiteCursorWrapper
from django.db.backends.sqlite3.features import DatabaseFeatures
from django.db.models.expressions import BaseExpression, Col, ColPairs
from django.db.models.query_utils import RegisterLookupMixin
from django.db.models.sql.compiler import SQLCompiler, SQLInsertCompiler
from django.db.models.sql.query import Query
from django.test import signals
from django.urls import URLResolver, base, get_resolver
from django.utils import timezone
from django.utils.translation import trans_real
from django.utils.translation.trans_real import get_language

Select = tuple[list[Any], dict[str, Any] | None, dict[str, int]]
Joined = tuple[str, Any, int]  # an alias, its join, and how many more use it
connections._connections = local()


@contextmanager
def found_at_once() -> Iterator[None]:
    """Keep which view an address leads to and which address a view or a static file has, where Django tries hundreds of
    patterns. Let threads find what is theirs, and settings what they are, without looking for an event loop or a method
    first.
    """
    root = get_resolver()
    reverse, reversed_once = URLResolver._reverse_with_prefix, dict[tuple[object, ...], str]()

    def address(resolver: URLResolver, view: object, prefix: str, *values: object, **named: object) -> str:
        parts = *map(str, values), *((name, str(value)) for name, value in named.items())
        key = resolver, view, prefix, parts, get_language()
        if key not in reversed_once:
            reversed_once[key] = reverse(resolver, view, prefix, *values, **named)
        return reversed_once[key]

    with ExitStack() as patches:
        for holder, name, value in (
            (root, "resolve", lru_cache(10_000)(root.resolve)),
            (URLResolver, "_reverse_with_prefix", address),
            (signals, "Local", local),
            (trans_real, "_active", local()),
            (timezone, "_active", local()),
            (base, "_prefixes", local()),
            (base, "_urlconfs", local()),
            (LazySettings, "__getattribute__", object.__getattribute__),
            (apps, "is_installed", lru_cache(100)(apps.is_installed)),
            (StaticFilesStorage, "url", lru_cache(1_000)(StaticFilesStorage.url)),
        ):
            patches.enter_context(mock.patch.object(holder, name, value))
        yield


class _Columns:
    """How the columns of queries are written in SQL and read from the database, and an order by columns.

    Expressions are written by Django each time.
    """

    def __init__(self) -> None:
        self._select, self._converters = SQLCompiler.get_select, SQLCompiler.get_converters
        self._order_by = SQLCompiler.get_order_by
        self._written: dict[tuple[object, ...], tuple[Select, list[Joined]]] = {}
        self._read: dict[tuple[object, ...], dict[int, Any]] = {}
        self._of_column: dict[tuple[object, ...], tuple[list[Any], Col]] = {}
        self._ordered: dict[tuple[object, ...], tuple[list[Any], Any, list[Joined]]] = {}
        self._joining: set[tuple[object, ...]] = set()

    def get_select(self, compiler: SQLCompiler, with_col_aliases: bool = False) -> Select:
        query = compiler.query
        compiler.whole = None
        if query.extra_select or query._filtered_relations or with_col_aliases:
            return self._select(compiler, with_col_aliases)
        if not query.default_cols and not query.annotation_select and not query.select_related:
            return self._values(compiler)
        chosen = not query.default_cols or query.selected is not None
        if chosen or (query.select_related and query.annotation_select):
            return self._select(compiler)
        columns, info, _none = self._whole(compiler)
        if not query.annotation_select:
            return columns, info, {}
        query.default_cols, compiler.whole = False, None
        try:
            others, _none, places = self._select(compiler)
        finally:
            query.default_cols = True
        return [*columns, *others], info, {name: at + len(columns) for name, at in places.items()}

    def _values(self, compiler: SQLCompiler) -> Select:
        """Return the columns that `values` names, if it names no expressions."""
        query = compiler.query
        if not all(type(column) is Col for column in query.select):
            return self._select(compiler)
        chosen = query.selected and tuple(query.selected.items())
        columns = tuple((column.alias, id(column.target), id(column.output_field)) for column in query.select)
        compiler.whole = key = query.model, compiler.connection.vendor, columns, chosen
        if key not in self._written:  # it keeps the columns, and these their fields
            self._written[key] = self._select(compiler), []
        found, info, places = self._written[key][0]
        return list(found), info, places

    def _whole(self, compiler: SQLCompiler) -> Select:
        """Return the columns of a model, without those that `only` leaves out, and of what `select_related` joins."""
        query = compiler.query
        related = _frozen(query.select_related)
        place = _joins(query) if related else query.base_table
        names, are_left_out = query.deferred_loading
        compiler.whole = key = (
            *(query.model, compiler.connection.vendor),
            *(related, place, frozenset(names), are_left_out),
        )
        if key not in self._written:
            before = dict(query.alias_refcount)
            columns, info, _none = self._select(compiler)
            self._written[key] = (columns, info, {}), _joined(query, before)
            return list(columns), info, {}
        (columns, info, _none), new = self._written[key]
        _join(query, new)
        return list(columns), info, {}

    def get_converters(self, compiler: SQLCompiler, expressions: list[Any]) -> dict[int, Any]:
        key = getattr(compiler, "whole", None)
        if key is not None and len(expressions) == len(self._written[key][0][0]):
            if key not in self._read:
                self._read[key] = self._converters(compiler, expressions)
            return self._read[key]
        if any(isinstance(expression, ColPairs) for expression in expressions):
            return self._converters(compiler, expressions)
        found = {at: (self._of(compiler, each), each) for at, each in enumerate(expressions)}
        return {at: pair for at, pair in found.items() if pair[0]}

    def _of(self, compiler: SQLCompiler, each: Any) -> list[Any]:
        """Return the functions that turn a value of this expression into Python's."""
        key = (
            (id(each.target), id(each.output_field), compiler.connection.vendor)
            if type(each) is Col
            else None
        )
        if key in self._of_column:
            return self._of_column[key][0]
        found = self._converters(compiler, [each])
        functions = found[0][0] if found else []
        if key:
            self._of_column[key] = functions, each  # while the fields are here, no other has their ids
        return functions

    def get_order_by(self, compiler: SQLCompiler) -> list[Any]:
        query, whole = compiler.query, getattr(compiler, "whole", None)
        if whole is None:  # also a query without a model, which checks a condition
            return self._order_by(compiler)
        names = query.order_by or (query.default_ordering and query.get_meta().ordering) or ()
        others = not names or query.extra_order_by or query.combinator or query.annotations
        if others or not all(isinstance(name, str) for name in names):
            return self._order_by(compiler)
        # `values` may order by the number of a column
        columns = whole[:2] if query.default_cols else whole
        plain = columns, query.base_table, tuple(names), query.standard_ordering
        key = plain, _joins(query) if plain in self._joining else None
        if key not in self._ordered:
            before = dict(query.alias_refcount)
            found = self._order_by(compiler)
            new = [join for join in _joined(query, before) if join[0] != query.base_table]
            if new and plain not in self._joining:  # an order by columns of another table
                self._joining.add(plain)
            else:
                self._ordered[key] = found, compiler._meta_ordering, new
            return list(found)
        found, compiler._meta_ordering, new = self._ordered[key]
        _join(query, new)
        return list(found)


def _joins(query: Query) -> tuple[object, ...]:
    """Return which tables a query joins, and the names that it gives to others."""
    joins = (
        (alias, query.alias_refcount[alias], join.identity, join.join_type)
        for alias, join in query.alias_map.items()
    )
    return query.alias_prefix, query.subquery, *joins


def _joined(query: Query, before: dict[str, int]) -> list[Joined]:
    """Return the joins that a query has and had not, or that it uses more often than before."""
    return [
        (alias, query.alias_map[alias], more)
        for alias, times in query.alias_refcount.items()
        if (more := times - before.get(alias, 0))
    ]


def _join(query: Query, new: list[Joined]) -> None:
    for alias, join, more in new:
        if alias not in query.alias_map:
            query.alias_map[alias] = join
            query.table_map[join.table_name] = [*query.table_map.get(join.table_name, ()), alias]
        query.alias_refcount[alias] = query.alias_refcount.get(alias, 0) + more


def _frozen(related: bool | dict[str, Any]) -> object:
    return (
        tuple((name, _frozen(inner)) for name, inner in related.items())
        if isinstance(related, dict)
        else related
    )


def _copied(expression: BaseExpression) -> BaseExpression:
    """Return what `copy.copy` returns, which asks each expression for its class and its state first."""
    copied = object.__new__(type(expression))
    copied.__dict__.update(expression.__dict__)
    copied.__dict__.pop("convert_value", None)
    return copied


@contextmanager
def columns_written_once() -> Iterator[None]:
    """Keep how queries write and read their columns."""
    columns = _Columns()
    assemble = SQLInsertCompiler.assemble_as_sql

    def rows_of(compiler: SQLInsertCompiler, fields: list[Any], rows: list[list[Any]]) -> Any:
        expressions = any(hasattr(value, "as_sql") for row in rows for value in row)
        if fields[0] is None or expressions or any(hasattr(field, "get_placeholder") for field in fields):
            return assemble(compiler, fields, rows)
        return [["%s"] * len(fields)] * len(rows), rows

    def qmarks(wrapper: SQLiteCursorWrapper, query: str, *, param_names: list[str] | None = None) -> str:
        return named(wrapper, query, param_names=param_names) if param_names else with_qmarks(query)

    with_qmarks = lru_cache(10_000)(lambda query: FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%"))
    named = SQLiteCursorWrapper.convert_query
    with ExitStack() as patches:
        for holder, name, value in (
            (SQLCompiler, "get_select", lambda *found, **named: columns.get_select(*found, **named)),
            (SQLCompiler, "get_order_by", lambda compiler: columns.get_order_by(compiler)),
            (SQLCompiler, "get_converters", lambda *found: columns.get_converters(*found)),
            (SQLiteCursorWrapper, "convert_query", qmarks),
            (DatabaseFeatures, "supports_json_field", True),  # three statements of the first query that asks
            (Col, "__hash__", lambda column: hash((column.alias, column.target.column))),
            (SQLCompiler, "has_composite_fields", lambda _compiler, columns: ColPairs in map(type, columns)),
            (SQLInsertCompiler, "assemble_as_sql", rows_of),
            (BaseExpression, "copy", _copied),
            (RegisterLookupMixin, "_get_lookup", lambda each, name: each.get_instance_lookups().get(name)),
        ):
            patches.enter_context(mock.patch.object(holder, name, value))
        yield
