"""Putting values into rows: cleaned, checked by the model's own validators, with a record of what changed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from tournaments.errors import DomainError

from .text import lines, one_line


def assign(row: models.Model, values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Set and check fields; return what they were and what they are, for JSON, where they changed.

    Texts are cleaned first. Nothing is saved. Raises DomainError("invalid_values").
    """
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for name, value in values.items():
        new = clean(row._meta.get_field(name), value)  # noqa: SLF001 - public, whatever its name
        old = getattr(row, name)
        if new != old:
            before[name], after[name] = plain(old), plain(new)
            setattr(row, name, new)
    check(row, only=values)
    return before, after


def clean(field: Any, value: Any) -> Any:
    """A text made fit for the field: several lines for a TextField, one for the others."""
    if not isinstance(value, str):
        return value
    return lines(value) if isinstance(field, models.TextField) else one_line(value)


def check(row: models.Model, *, only: Mapping[str, Any]) -> None:
    """Run the validators of some fields. Raises DomainError("invalid_values"), with sentences by field."""
    others = [field.name for field in row._meta.fields if field.name not in only]  # noqa: SLF001
    try:
        row.clean_fields(exclude=others)
    except ValidationError as error:
        raise DomainError("invalid_values", problems=error.message_dict) from error


def plain(value: Any) -> Any:
    """The value as JSON can hold it."""
    return value.isoformat() if isinstance(value, date | time) else value
