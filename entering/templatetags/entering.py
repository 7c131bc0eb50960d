"""Money, problems and states in the templates of registrations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django import template

from entering.machine import State
from entering.models import Registration, SectionRegistration
from entering.queries.fitting import NOT_AS_LISTED, NOT_IN_LIST
from entering.web.forms.money import shown_amount
from entering.web.staff.problem_words import problems_text

LISTED_OTHERWISE = {NOT_AS_LISTED, NOT_IN_LIST}
register = template.Library()
register.filter("cents", shown_amount)


@register.filter
def problem_words(one: Registration, limits: Mapping[int, SectionRegistration]) -> str:
    """Return what the organiser has to look at, in words. limits: of the sections, by their keys."""
    return problems_text(one, limits.get(one.section_id))


@register.filter
def age(one: Registration, day: date) -> int | str:
    """Return the age on a day, "" if it is not known."""
    found = one.age_on(day)
    return "" if found is None else found


@register.filter
def state_words(state: str) -> str:
    """Return the word for a state, "" for no state."""
    return str(State(state).label) if state else ""


@register.filter
def at(found: Mapping[int, object], key: int) -> object:
    """Return the value under a key, None without it."""
    return found.get(key)


@register.filter
def as_listed(one: Registration) -> bool:
    """Return whether the person under the FIDE ID in the rating list has these data."""
    return bool(one.fide_id and one.rating_list) and not LISTED_OTHERWISE & set(one.problem_codes)
