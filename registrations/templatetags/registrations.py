"""Money, problems and states in the templates of registrations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django import template

from registrations.models import Registration
from registrations.queries.problems import NOT_AS_LISTED, NOT_IN_LIST
from registrations.web.forms.money import shown_amount

LISTED_OTHERWISE = {NOT_AS_LISTED, NOT_IN_LIST}
register = template.Library()
register.filter("cents", shown_amount)


@register.filter
def age(one: Registration, day: date) -> int | str:
    """Return the age on a day, "" if it is not known."""
    found = one.age_on(day)
    return "" if found is None else found


@register.filter
def column(one: Registration | None, name: str) -> object:
    """Return the value of a column, "" without a registration."""
    return getattr(one, name) if one else ""


@register.filter
def at(found: Mapping[int, object], key: int) -> object:
    """Return the value under a key, None without it."""
    return found.get(key)


@register.filter
def as_listed(one: Registration) -> bool:
    """Return whether the person under the FIDE ID in the rating list has these data."""
    return bool(one.fide_id and one.rating_list) and not LISTED_OTHERWISE & set(one.problem_codes)
