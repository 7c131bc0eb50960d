"""Money in forms and sentences: typed with a point or a comma, kept in cents."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms

from base.reader import READER


def amount(cents: int) -> str:
    """Return cents as an amount with two decimals, without a thousands separator, for files."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def shown_amount(cents: int) -> str:
    """Return the same as the reader's language writes it: 10,50 in German."""
    return amount(cents).replace(".", READER.mark())


class CentsField(forms.DecimalField):
    """An amount of at most 10,000, which is cents for the program. Nothing is 0."""

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "class": "short"})
        super().__init__(
            min_value=0, max_value=10_000, decimal_places=2, required=False, widget=widget, **options
        )

    def to_python(self, value: object) -> Any:
        return super().to_python(str(value).replace(",", ".") if value else value)

    def clean(self, value: object) -> Any:
        return int((super().clean(value) or Decimal(0)) * 100)

    def prepare_value(self, value: object) -> object:
        return (shown_amount(value) if value else "") if isinstance(value, int) else value
