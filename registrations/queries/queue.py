"""The organiser's queue: piles, filters, rows and counts, all by the database.

A condition is any field or label, "is" or "is not"; conditions are joined by "all" or by "any".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from functools import reduce
from operator import and_, or_
from typing import Any
from urllib.parse import urlencode

from django.db.models import (
    BigIntegerField,
    BooleanField,
    Case,
    CharField,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone

from base.text import folded
from registrations.models import (
    EventRegistration,
    Label,
    Mail,
    Note,
    Registration,
    SectionRegistration,
    WishedBye,
)
from registrations.models.mail import NOT_READ
from registrations.queries.list_news import NEWS
from registrations.queries.places import COUNTED, MISFIT, SectionPlaces, counted_places
from registrations.queries.problems import LIMITS, PROBLEMS
from registrations.states import LIVE, OVER, RegistrationState
from tournaments.models import CheckIn, Event, Participant, Sex, Title
from tournaments.player_fields import REGISTERED

# Conditions of the queue: any field and label, each "is" or "is not", joined by "all" or by "any".

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


def _condition_number(name: str) -> Callable[[str], Q | None]:
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
    "rating_from": _condition_number("rating__gte"),
    "rating_to": _condition_number("rating__lte"),
    "born_from": _year("gte"),
    "born_to": _year("lte"),
    "federation": lambda typed: Q(federation__iexact=typed),
    **{each.name: _text(each.name) for each in REGISTERED},
    "rating_list": _text("rating_list"),
    "answer": _answer,
    "since": _day("gte"),
    "until": _day("lte"),
}
"""Conditions with a value that a person types. None: the value cannot be read."""


def _condition_of_label(key: int) -> Q:
    put_on = Registration.labels.through.objects.filter(registration=OuterRef("pk"), label=key)
    return Q(Exists(put_on))


CHOSEN: dict[str, Callable[[str], Q | None]] = {
    "state": lambda key: Q(state=key) if key in RegistrationState.values else None,
    "section": lambda key: Q(section=int(key)) if is_key(key) else None,
    "label": lambda key: _condition_of_label(int(key)) if is_key(key) else None,
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
class QueueCondition:
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


def read_conditions(
    wanted: Iterable[str], what: Iterable[str], typed: Iterable[str]
) -> tuple[QueueCondition, ...]:
    """Return the conditions of an address, which has them in three columns. One that cannot be read is left out."""
    rows = zip(wanted, what, typed, strict=False)
    found = [QueueCondition(each, sign != "no", value.strip()[:80]) for sign, each, value in rows]
    return tuple(one for one in found if one.q is not None)[:MOST]


def read_words(words: Iterable[str], labels: Mapping[str, int]) -> list[QueueCondition]:
    """Return the conditions that a program writes: each is `what` or `what=typed`, after ! for "is not".

    labels: the keys of labels, which a program calls by their names. A name that no label has finds nobody.
    """
    found = []
    for part in words:
        what, _equals, typed = part.strip().removeprefix("!").partition("=")
        if what.startswith("label."):
            what = f"label.{labels.get(what.removeprefix('label.'), 0)}"
        found.append(QueueCondition(what, not part.strip().startswith("!"), typed))
    return found


def joined_conditions(conditions: Iterable[QueueCondition], *, any_of: bool) -> Q:
    """Return the condition that all of these hold, or any of them; an empty one without conditions."""
    parts = [one.q for one in conditions]
    return reduce(or_ if any_of else and_, (part for part in parts if part is not None), Q())


ANSWERS = Cast("answers", TextField())
"""What `answers_text` must be annotated with."""


PAGE = 100
BYE = "bye"
UNWRITTEN = Q(state__in=LIVE) & ~Q(email="") & ~Q(Exists(Mail.objects.filter(registration=OuterRef("pk"))))
"""Registrations of a file wait here for their first mail."""
SAME_ID = Coalesce(OuterRef("fide_id"), Value(0), output_field=BigIntegerField())
BROUGHT_BACK = Participant.objects.alias(
    same_id=Coalesce("player__fide_id", Value(0), output_field=BigIntegerField())
).filter(
    section=OuterRef("section"),
    registration=None,
    player__name=OuterRef("name"),
    player__birth_date=OuterRef("birth_date"),
    same_id=SAME_ID,
)
"""The entry that an undo has brought back. The next action joins it with its registration again (`EventLock.many`)."""
UNLISTED = Q(state=RegistrationState.ACCEPTED) & (
    Q(participant__left_after=0) | Q(participant=None) & ~Q(Exists(BROUGHT_BACK))
)
"""An arbiter has removed the entry of a player who was accepted, or withdrawn it before round 1."""
PILES: dict[str, Q] = {
    "check": Q(state=RegistrationState.PENDING),
    "fine": Q(state=RegistrationState.PENDING, problems="", message=""),
    "changed": ~Q(proposed={}) & Q(state=RegistrationState.ACCEPTED),
    "listed": Q(listed=True),
    "unlisted": Q(unlisted=True),
    "waiting": Q(state__in=[RegistrationState.WAITING, RegistrationState.OFFERED]),
    "player": Q(state__in=[RegistrationState.SUBMITTED, RegistrationState.CORRECTION]),
    "owed": Q(state=RegistrationState.ACCEPTED, balance__gt=0),
    "repay": Q(balance__lt=0),
    "unwritten": Q(unwritten=True),
    "mail": Q(mail_failed=True),
    "accepted": Q(state=RegistrationState.ACCEPTED),
    "over": Q(state__in=OVER),
    "all": Q(),
}
"""A pile is a saved filter with its own address."""
SORTS: dict[str, tuple[str, ...]] = {
    "time": ("queued_at", "pk"),
    "name": ("name", "pk"),
    "rating": ("-rating", "name", "pk"),
    "owed": ("-balance", "name", "pk"),
}


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """What the address of the page asks for. section: its key, 0 for any. any_of: one condition is enough."""

    pile: str = "check"
    section: int = 0
    search: str = ""
    sort: str = "time"
    page: int = 1
    conditions: tuple[QueueCondition, ...] = ()
    any_of: bool = False

    @classmethod
    def read(cls, typed: Mapping[str, str]) -> QueueFilter:
        """Read the parameters of an address, and leave out what is not known."""
        pile, sort = typed.get("pile", ""), typed.get("sort", "")
        listed: Any = getattr(typed, "getlist", lambda _name: [])
        conditions = read_conditions(listed("is"), listed("what"), listed("typed"))
        return cls(
            pile=pile if pile in PILES else "check",
            section=_queue_number(typed.get("section", "")),
            search=typed.get("q", "")[:80].strip(),
            sort=sort if sort in SORTS else "time",
            page=max(1, _queue_number(typed.get("page", ""))),
            conditions=conditions + _queue_of_label(typed.get("label", "")),
            any_of=typed.get("join", "") == "any",
        )

    def pairs(self, **changes: object) -> list[tuple[str, str]]:
        """Return the names and values of the address, with some changed, as hidden fields of a form have them too."""
        parts: dict[str, object] = {
            "pile": self.pile,
            "section": self.section or "",
            "q": self.search,
            "sort": self.sort if self.sort != "time" else "",
            "join": "any" if self.any_of and self.conditions else "",
            "page": "",
            **changes,
        }
        found = [(name, str(value)) for name, value in parts.items() if value]
        for one in self.conditions:
            found += [("is", "yes" if one.wanted else "no"), ("what", one.what), ("typed", one.typed)]
        return found

    def address(self, **changes: object) -> str:
        """Return the query of the address, with some parts changed. A change of the filter begins at page 1."""
        return "?" + urlencode(self.pairs(**changes))

    @property
    def hit(self) -> Q:
        """Return the condition on a registration, without that of the pile; an empty one if all are wanted."""
        words = folded(self.search).split() if "@" not in self.search else [self.search.casefold()]
        parts = [Q(search__contains=word) for word in words]
        if self.section:
            parts.append(Q(section=self.section))
        return reduce(and_, [*parts, joined_conditions(self.conditions, any_of=self.any_of)])


def _queue_number(typed: str) -> int:
    return int(typed) if is_key(typed) and len(typed) < 10 else 0


def _queue_of_label(typed: str) -> tuple[QueueCondition, ...]:
    """Read the label of addresses that were kept before there were conditions; below 0, it must be missing."""
    key = typed.removeprefix("-")
    return (QueueCondition(f"label.{key}", wanted=key == typed),) if _queue_number(key) else ()


@dataclass(frozen=True, slots=True)
class Tag:
    """A label, as rows show it."""

    key: int
    name: str
    colour: str


@dataclass(slots=True)
class QueueRow:
    """A registration with its labels, and the rounds of the byes that it asks for."""

    one: Registration
    labels: list[Tag] = field(default_factory=list)
    byes: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Queue:
    """rows: of this page. matching: how many registrations the filter finds. piles: how many each pile has.

    labels: of the event. places: of the sections, by their keys. listed: about how many registrations of the event the
    rating list says something else.
    """

    rows: Sequence[QueueRow]
    matching: int
    piles: dict[str, int] = field(default_factory=dict)
    labels: Sequence[Tag] = ()
    places: dict[int, SectionPlaces] = field(default_factory=dict)
    listed: int = 0

    @property
    def pages(self) -> int:
        return max(1, -(-self.matching // PAGE))


def of_event(event: Event) -> QuerySet[Registration]:
    """Return the registrations of an event, with what piles and conditions ask about."""
    rows = Registration.objects.filter(event=event)
    return rows.annotate(
        mail_failed=FAILED, unwritten=Q(UNWRITTEN), unlisted=Q(UNLISTED), listed=Q(NEWS)
    ).alias(answers_text=ANSWERS)


def found_by(event: Event, wanted: QueueFilter) -> QuerySet[Registration]:
    """Return the registrations that the filter finds, in its order."""
    rows = of_event(event).filter(PILES[wanted.pile], wanted.hit)
    nulls = [
        F(name[1:]).desc(nulls_last=True) if name.startswith("-") else F(name).asc()
        for name in SORTS[wanted.sort]
    ]
    if wanted.pile == "waiting" and wanted.sort == "time":  # the order in which places are offered
        paid = Case(When(section__registration__order=SectionRegistration.Order.PAID, then=F("paid_at")))
        nulls = [F("position").asc(nulls_last=True), paid.asc(nulls_last=True), *nulls]
    elif wanted.pile in ("check", "fine") and wanted.sort == "time":
        answered = Case(When(correction={}, then=Value(1)), default=Value(0))
        return rows.order_by(answered, *nulls)  # an answered correction is on top, and keeps its time
    return rows.order_by(*nulls)


def queue(
    event: Event, wanted: QueueFilter, limits: Mapping[int, SectionRegistration] | None = None
) -> Queue:
    """Return a page of the queue with the counts of all piles. Three queries for any number of registrations.

    limits: of the sections whose places are counted.
    """
    found, places, listed = _counts(event, wanted, limits or {})
    start = (wanted.page - 1) * PAGE
    matching = found_by(event, wanted)
    keys = matching.values("pk")[start : start + PAGE]  # what a row shows is read for these alone
    rows = (
        matching.filter(pk__in=keys)
        .select_related("section", "news")
        .annotate(noted=Count("notes", distinct=True))
    )
    shown = {one.pk: QueueRow(one) for one in rows}
    for row in shown.values():
        row.one.event = event
    labels = beside(event, shown)
    return Queue(list(shown.values()), found[wanted.pile], found, labels, places, listed)


def _counts(
    event: Event, wanted: QueueFilter, limits: Mapping[int, SectionRegistration]
) -> tuple[dict[str, int], dict[int, SectionPlaces], int]:
    """Return how many of the wanted registrations each pile has, and of all the places and how many are in the pile
    "listed". One query.
    """
    hit = ExpressionWrapper(wanted.hit, BooleanField()) if wanted.hit else Value(True, BooleanField())
    groups = (
        of_event(event)
        .annotate(unfit=MISFIT, hit=hit)
        .order_by()
        .values_list(*COUNTED, "hit")
        .annotate(n=Count("pk"), **{f"n_{name}": Count("pk", filter=which) for name, which in PILES.items()})
    )
    piles = dict.fromkeys(PILES, 0)
    places, first, listed = [], len(COUNTED), 0
    of_listed = list(PILES).index("listed")
    for row in groups:
        is_hit, total, *of_piles = row[first:]
        places.append((*row[:first], total))
        listed += of_piles[of_listed]
        if is_hit:
            for name, count in zip(PILES, of_piles, strict=True):
                piles[name] += count
    return piles, counted_places(limits, places), listed


def to_decide(event: Event) -> tuple[int, int]:
    """Return how many registrations wait for an organiser, and how many byes nobody has decided. Two queries."""
    byes = WishedBye.objects.filter(registration__event=event, state=WishedBye.State.ASKED)
    of_players = byes.filter(registration__state__in=[RegistrationState.PENDING, RegistrationState.ACCEPTED])
    return of_event(event).filter(PILES["check"] | PILES["changed"]).count(), of_players.count()


def registration_of(event: Event, limits: Mapping[int, SectionRegistration]) -> EventRegistration | None:
    """Return the settings of the registration, which came with those of its sections. One query without sections."""
    of_section = next(iter(limits.values()), None)
    if of_section is None:
        return EventRegistration.objects.filter(event=event).first()
    return getattr(of_section.section.event, "registration", None)


def beside(event: Event, rows: Mapping[int, QueueRow]) -> list[Tag]:
    """Put labels and byes to the rows. Return all labels of the event, by name. One query."""
    none, keys, empty = Value(0, BigIntegerField()), list(rows), Value("", CharField())
    of_event = Label.objects.filter(event=event).order_by()
    put_on = Registration.labels.through.objects.filter(registration__in=keys).order_by()
    byes = WishedBye.objects.filter(registration__in=keys).order_by()
    found = of_event.values_list(none, "pk", "name", "colour").union(
        put_on.values_list("registration_id", "label_id", empty, empty),
        byes.values_list("registration_id", Cast("round_number", BigIntegerField()), Value(BYE), empty),
        all=True,
    )
    lines = list(found)
    tags = {label: Tag(label, name, colour) for key, label, name, colour in lines if not key}
    for key, number, kind, _colour in sorted(line for line in lines if line[0]):
        if kind == BYE:
            rows[key].byes.append(number)
        else:
            rows[key].labels.append(tags[number])
    return sorted(tags.values(), key=lambda tag: tag.name)


def is_unlisted(one: Registration) -> bool:
    """Return whether the player is accepted and has no entry, or a withdrawn one. At most one query."""
    return (
        one.state == RegistrationState.ACCEPTED and Registration.objects.filter(UNLISTED, pk=one.pk).exists()
    )
