"""The filter `date` of all templates: as Django's, in the order and with the signs of the reader's language."""

from __future__ import annotations

import datetime as dt

from django import template

from base.reader import date_format

register = template.Library()


@register.filter(expects_localtime=True, is_safe=False)
def date(value: dt.date | None, form: str) -> str:
    """Return a date, or "" for none. form: as English writes it."""
    return date_format(value, form) if value else ""
