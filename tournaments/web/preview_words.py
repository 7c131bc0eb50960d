"""Rows of an import in words: why one is refused, what another changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments.imports.preview import AcceptedRow, Change, RefusedRow
from tournaments.web.log_words import NAMES, Value


@dataclass(frozen=True, slots=True)
class SaidRow:
    """number: of the line in the file. told: sentences of a refusal, or notes. values: what would change."""

    number: int
    name: str
    title: str = ""
    federation: str = ""
    fide_id: int | None = None
    rating: int | None = None
    told: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()


def say_refused(row: RefusedRow) -> SaidRow:
    return SaidRow(number=row.number, name=row.name, told=tuple(str(reason) for reason in row.reasons))


def say_changed(row: AcceptedRow) -> SaidRow:
    return _said(row, values=tuple(_value(change) for change in row.changes))


def say_plain(row: AcceptedRow) -> SaidRow:
    told = []
    if row.provisional:
        told.append(_("provisional rating"))
    if row.row.byes:
        told.append(_("half-point bye in round %(rounds)s") % {"rounds": _list(row.row.byes)})
    return _said(row, told=tuple(told))


def _said(row: AcceptedRow, *, told: tuple[str, ...] = (), values: tuple[Value, ...] = ()) -> SaidRow:
    entry = row.entry
    return SaidRow(
        number=row.number,
        name=entry.name,
        title=entry.title,
        federation=entry.federation,
        fide_id=entry.fide_id,
        rating=entry.rating,
        told=told,
        values=values,
    )


def _value(change: Change) -> Value:
    name = _("half-point byes") if change.field == "byes" else str(NAMES.get(change.field, change.field))
    return Value(name, _shown(change.old), _shown(change.new))


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return _list(value) if isinstance(value, tuple) else str(value)


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(str(number) for number in numbers)
