"""Conditions of the queue: any field and label, each "is" or "is not", joined by "all" or by "any"."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import reduce
from operator import and_, or_

from django.db.models import Exists, OuterRef, Q, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from registrations.machine import LIVE, State
from registrations.models import Mail, Note, Registration, WishedBye
from registrations.models.mail import NOT_READ
from registrations.queries.fitting import LIMITS, PROBLEMS
from registrations.queries.list_news import NEWS
from tournaments.models import CheckIn, Sex, Title
from tournaments.player_fields import REGISTERED

MOST = 12
"""Conditions of one filter."""
FAILED = Exists(Mail.objects.filter(registration=OuterRef("pk"), state__in=NOT_READ))
HERE = Q(~Q(section__check_in_round=1), present_at__isnull=False) | Q(
    Exists(CheckIn.objects.filter(participant=OuterRef("participant"), round_number=1)),
    section__check_in_round=1,
)
"""Who is here: the check-in of the section for round 1 says it while it is open, and the desk otherwise."""
FACTS: dict[str, Q] = {
    "owed": Q(balance__gt=0),
    "repay": Q(balance__lt=0),
    "paid": Q(paid_at__isnull=False),
    "problem": ~Q(problems=""),
    "misfit": Q(reduce(or_, (Q(problems__contains=f" {code} ") for code in sorted(LIMITS))), state__in=LIVE),
    "listed": NEWS,
    "changed": ~Q(proposed={}),
    "message": ~Q(message=""),
    "note": Q(Exists(Note.objects.filter(registration=OuterRef("pk")))),
    "bye": Q(Exists(WishedBye.objects.filter(registration=OuterRef("pk")))),
    "mail_failed": Q(FAILED),
    "no_mail": Q(email=""),
    "consent": Q(consent=True),
    "present": HERE,
}
"""What is true or not about a registration."""


def _number(name: str) -> Callable[[str], Q | None]:
    """Return what makes the condition from a number of at most four digits."""
    return lambda typed: (
        Q(**{name: int(typed)}) if typed.isascii() and typed.isdigit() and len(typed) < 5 else None
    )


def _year(name: str) -> Callable[[str], Q | None]:
    """Return what compares the year of birth. Nobody without one matches."""

    def read(typed: str) -> Q | None:
        known = typed.isascii() and typed.isdigit() and len(typed) == 4
        end = "/99" if name == "lte" else ""
        return Q(**{f"birth_date__{name}": typed + end, "birth_date__gt": ""}) if known else None

    return read


def _text(name: str) -> Callable[[str], Q | None]:
    return lambda typed: Q(**{f"{name}__icontains": typed})


def _answer(typed: str) -> Q:
    """Return the condition on the answers to the questions of the form, which one database keeps escaped."""
    escaped = json.dumps(typed)[1:-1]
    return Q(answers_text__icontains=typed) | Q(answers_text__icontains=escaped)


def _day(name: str) -> Callable[[str], Q | None]:
    """Return what compares the time of the registration with a day in the zone of the event."""

    def read(typed: str) -> Q | None:
        try:
            day = date.fromisoformat(typed)
        except ValueError:
            return None
        at = time.min if name == "gte" else time.max
        return Q(**{f"created_at__{name}": timezone.make_aware(datetime.combine(day, at))})

    return read


TYPED: dict[str, Callable[[str], Q | None]] = {
    "rating_from": _number("rating__gte"),
    "rating_to": _number("rating__lte"),
    "born_from": _year("gte"),
    "born_to": _year("lte"),
    "federation": lambda typed: Q(federation__iexact=typed),
    **{field.name: _text(field.name) for field in REGISTERED},
    "rating_list": _text("rating_list"),
    "answer": _answer,
    "since": _day("gte"),
    "until": _day("lte"),
}
"""Conditions with a value that a person types. None: the value cannot be read."""


def _of_label(key: int) -> Q:
    put_on = Registration.labels.through.objects.filter(registration=OuterRef("pk"), label=key)
    return Q(Exists(put_on))


CHOSEN: dict[str, Callable[[str], Q | None]] = {
    "state": lambda key: Q(state=key) if key in State.values else None,
    "section": lambda key: Q(section=int(key)) if is_key(key) else None,
    "label": lambda key: _of_label(int(key)) if is_key(key) else None,
    "problem": lambda key: Q(problems__contains=f" {key} ") if key in PROBLEMS else None,
    "title": lambda key: Q(title=key) if key in Title.values else None,
    "sex": lambda key: Q(sex=key) if key in Sex.values and key else None,
    "fact": lambda key: FACTS.get(key),
}
"""Conditions whose value is a part of their name, after a point."""


def is_key(text: str) -> bool:
    """Return whether the text can be the key of a row."""
    return text.isascii() and text.isdigit() and len(text) < 19


@dataclass(frozen=True, slots=True)
class Condition:
    """what: a name of TYPED, or one of CHOSEN with a point and the value. wanted: False for "is not"."""

    what: str
    wanted: bool = True
    typed: str = ""

    @property
    def q(self) -> Q | None:
        """Return the condition for the database; None if it cannot be read."""
        kind, point, value = self.what.partition(".")
        if point:
            found = CHOSEN[kind](value) if kind in CHOSEN else None
        else:
            found = TYPED[kind](self.typed) if kind in TYPED and self.typed else None
        return found if found is None or self.wanted else ~found


def read(wanted: Iterable[str], what: Iterable[str], typed: Iterable[str]) -> tuple[Condition, ...]:
    """Return the conditions of an address, which has them in three columns. One that cannot be read is left out."""
    rows = zip(wanted, what, typed, strict=False)
    found = [Condition(each, sign != "no", value.strip()[:80]) for sign, each, value in rows]
    return tuple(one for one in found if one.q is not None)[:MOST]


def read_words(words: Iterable[str], labels: Mapping[str, int]) -> list[Condition]:
    """Return the conditions that a program writes: each is `what` or `what=typed`, after ! for "is not".

    labels: the keys of labels, which a program calls by their names. A name that no label has finds nobody.
    """
    found = []
    for part in words:
        what, _equals, typed = part.strip().removeprefix("!").partition("=")
        if what.startswith("label."):
            what = f"label.{labels.get(what.removeprefix('label.'), 0)}"
        found.append(Condition(what, not part.strip().startswith("!"), typed))
    return found


def joined(conditions: Iterable[Condition], *, any_of: bool) -> Q:
    """Return the condition that all of these hold, or any of them; an empty one without conditions."""
    parts = [one.q for one in conditions]
    return reduce(or_ if any_of else and_, (part for part in parts if part is not None), Q())


ANSWERS = Cast("answers", TextField())
"""What `answers_text` must be annotated with."""
