"""Write values that the rules count in hundredths of a point."""

from __future__ import annotations

from decimal import Decimal

from django import template
from django.template.defaultfilters import floatformat

register = template.Library()


@register.filter
def hundredths(value: int, decimals: int = 2) -> str:
    """Write hundredths as a number of the reader's language: 185 as 1.85."""
    return str(floatformat(Decimal(value) / 100, decimals))


@register.filter
def signed(value: int) -> str:
    """Write hundredths with a sign and one decimal: +13.0, −2.5, 0.0."""
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return f"{sign}{hundredths(abs(value), 1)}"
