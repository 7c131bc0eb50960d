"""Money, problems and states in the templates of registrations."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from django import template

from entering.machine import State
from entering.models import Registration
from entering.web.forms.money import amount
from tournaments.web.words.refusals.registrations import limits_text

register = template.Library()
register.filter("cents", amount)


@register.filter
def problem_words(codes: Iterable[str]) -> str:
    """Return what the organiser has to look at, in words."""
    return limits_text(codes) if codes else ""


@register.filter
def age(one: Registration, day: date) -> int | str:
    """Return the age on a day, "" if it is not known."""
    found = one.age_on(day)
    return "" if found is None else found


@register.filter
def state_words(state: str) -> str:
    """Return the word for a state, "" for no state."""
    return str(State(state).label) if state else ""
