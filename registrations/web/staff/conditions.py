"""What a person chooses from to make the conditions of the queue, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from registrations.machine import State
from registrations.queries.conditions import Condition
from registrations.queries.queue import Tag
from tournaments.models import Section, Sex, Title
from tournaments.player_fields import REGISTERED
from web.words.refusals.registrations import LIMITS

TYPED = {
    "rating_from": _("Rating at least"),
    "rating_to": _("Rating at most"),
    "born_from": _("Year of birth at least"),
    "born_to": _("Year of birth at most"),
    "federation": _("Federation"),
    **{field.name: field.label for field in REGISTERED},
    "club": _("Club has the words"),
    "rating_list": _("Rating list has the words"),
    "answer": _("An answer has the words"),
    "since": _("Registered on this day (YYYY-MM-DD) or later"),
    "until": _("Registered on this day (YYYY-MM-DD) or earlier"),
}
"""Conditions with a value that is typed."""
FACTS = {
    "owed": _("owes money"),
    "repay": _("gets money back"),
    "paid": _("has paid"),
    "problem": _("something to look at"),
    "misfit": _("does not meet a limit of the section"),
    "listed": _("other rating or title in the rating list"),
    "changed": _("changed since accepted"),
    "message": _("has written a message"),
    "note": _("has a note"),
    "bye": _("asks for a bye"),
    "mail_failed": _("mail failed"),
    "no_mail": _("no e-mail address"),
    "consent": _("agrees to be in the public list"),
    "present": _("is here"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the form with one condition; an empty one waits for another condition."""

    wanted: bool = True
    what: str = ""
    typed: str = ""


Groups = list[tuple[object, list[tuple[str, object]]]]


def choices(sections: Iterable[Section], labels: Iterable[Tag]) -> Groups:
    """Return the groups of the list from which a condition is chosen, each with names and words."""
    groups: Groups = [
        (_("State"), [(f"state.{state.value}", state.label) for state in State]),
        (_("Label"), [(f"label.{tag.key}", tag.name) for tag in labels]),
        (_("Section"), [(f"section.{section.pk}", section.name) for section in sections]),
        (_("Registration"), [(f"fact.{name}", words) for name, words in FACTS.items()]),
        (_("To look at"), [(f"problem.{name}", words) for name, words in LIMITS.items()]),
        (_("Type a value"), list(TYPED.items())),
        (_("Title"), [(f"title.{title.value}", title.label) for title in Title]),
        (pgettext_lazy("person", "Sex"), [(f"sex.{sex.value}", sex.label) for sex in Sex if sex.value]),
    ]
    return [(title, rows) for title, rows in groups if rows]


def lines(conditions: Sequence[Condition]) -> list[Line]:
    """Return a line for each condition, and an empty one."""
    return [*(Line(one.wanted, one.what, one.typed) for one in conditions), Line()]
