"""Put values into rows: clean them, check them with the model's validators, and return what changed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from base.text import clean
from tournaments.errors import DomainError


def assign(row: models.Model, values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Set and check fields; return the old and the new values of those that changed, for JSON.

    Texts are cleaned first. Nothing is saved. Raises DomainError("invalid_values").
    """
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for name, value in values.items():
        new = clean(row._meta.get_field(name), value)  # noqa: SLF001 - Django documents _meta as public
        old = getattr(row, name)
        if new != old:
            before[name], after[name] = plain(old), plain(new)
            setattr(row, name, new)
    check(row, only=values)
    return before, after


def check(row: models.Model, *, only: Mapping[str, Any]) -> None:
    """Run the validators of some fields. Raises DomainError("invalid_values") with messages by field."""
    others = [field.name for field in row._meta.fields if field.name not in only]  # noqa: SLF001
    try:
        row.clean_fields(exclude=others)
    except ValidationError as error:
        raise DomainError("invalid_values", problems=error.message_dict) from error


def plain(value: Any) -> Any:
    """Return the value in a form that JSON can hold."""
    return value.isoformat() if isinstance(value, date | time) else value
