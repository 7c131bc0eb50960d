"""What a page showed about a registration and what it is now, in words, with who has changed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from base.reader import READER
from registrations.machine import Hand, State
from registrations.models import Registration, Step
from registrations.queries.shown import Difference
from registrations.web.forms.money import shown_amount
from registrations.web.forms.public import PersonForm
from tournaments.models import Sex, Title
from web.words.refusals.registrations import limits_text

LABELS: dict[str, Any] = {
    **{name: field.label for name, field in PersonForm.base_fields.items()},
    "email": gettext_lazy("E-mail address"),
    "answers": gettext_lazy("Answers"),
    "rating_list": gettext_lazy("Rating list"),
    "state": gettext_lazy("State"),
    "balance": gettext_lazy("Fee owed"),
    "problems": gettext_lazy("To look at"),
    "proposed": gettext_lazy("Changed by the player"),
    "section": gettext_lazy("Section"),
    "age": gettext_lazy("Age"),
    "correction": gettext_lazy("Asked to correct"),
    "mail_failed": gettext_lazy("Mail failed"),
    "byes": gettext_lazy("Byes"),
    "labels": gettext_lazy("Labels"),
    "notes": gettext_lazy("Notes"),
    "fee": gettext_lazy("Fee"),
    "entry": gettext_lazy("Entry"),
}
HANDS = {
    Hand.PLAYER: pgettext_lazy("somebody who changed it", "the player"),
    Hand.ORGANISER: pgettext_lazy("somebody who changed it", "an organiser"),
    Hand.CLOCK: pgettext_lazy("somebody who changed it", "the program"),
}


@dataclass(frozen=True, slots=True)
class Since:
    """A line of the history since a page was shown."""

    at: datetime
    who: str
    what: str


@dataclass(frozen=True, slots=True)
class Differing:
    """A registration that has changed since a page showed it. values: label, what the page showed, what it is now."""

    one: Registration
    values: Sequence[tuple[str, str, str]]
    since: Sequence[Since]
    possible: bool = True


def differing(found: Difference, *, possible: bool = True) -> Differing:
    """Return a difference in words. possible: the same decision can still be made."""
    values = [
        (label_of(name), value_words(name, was), value_words(name, now)) for name, was, now in found.values
    ]
    since = [Since(step.at, step_hand(step), step_words(step)) for step in found.steps]
    return Differing(found.row.one, values, since, possible)


def label_of(name: str) -> str:
    return str(LABELS.get(name, name))


def value_words(name: str, value: Any) -> str:
    """Return a value of `registrations.queries.shown` in words."""
    if name == "balance":
        return shown_amount(value)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name == "proposed":
        value = [f"{label_of(key)}: {value_words(key, new)}" for key, new in value.items()]
    if isinstance(value, list):
        value = READER.listed([str(each) for each in value if each != ""], "comma") if value else ""
    if name == "problems":
        value = limits_text(value.split())
    if value in (None, ""):
        return _("nothing")
    if name == "state":
        return str(State(value).label)
    if name in ("sex", "title"):
        return str((Sex if name == "sex" else Title)(value).label)
    return str(value)


def step_hand(step: Step) -> str:
    """Return who made a step: the name of the login, or in words."""
    return step.who or str(HANDS[Hand(step.hand)])


def step_words(step: Step, *, section: str = "") -> str:
    """Return what a step of the history was: its kind, with the names of the fields or the new state.

    section: the name of the section after the step, if it is known.
    """
    kind = step.get_kind_display()
    if step.kind == Step.Kind.MOVE:
        detail = str(State(step.to_state).label) if step.to_state else ""
    elif step.kind == Step.Kind.SECTION:
        detail = section
    else:
        names = [label_of(name) for name in step.fields if name in LABELS and step.kind == Step.Kind.EDIT]
        detail = READER.listed(names, "comma") if names else ""
    return _("%(kind)s: %(detail)s") % {"kind": kind, "detail": detail} if detail else str(kind)
