"""The organiser's queue: piles, filters, rows and counts, all by the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
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
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce

from base.text import folded
from registrations.machine import LIVE, OVER, State
from registrations.models import EventRegistration, Label, Mail, Registration, SectionRegistration, WishedBye
from registrations.queries.conditions import ANSWERS, FAILED, Condition, is_key, joined, read
from registrations.queries.list_news import NEWS
from registrations.queries.places import COUNTED, MISFIT, Places, counted
from tournaments.models import Event, Participant

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
"""The entry that an undo has brought back. The next action joins it with its registration again (`Desk.many`)."""
UNLISTED = Q(state=State.ACCEPTED) & (
    Q(participant__left_after=0) | Q(participant=None) & ~Q(Exists(BROUGHT_BACK))
)
"""An arbiter has removed the entry of a player who was accepted, or withdrawn it before round 1."""
PILES: dict[str, Q] = {
    "check": Q(state=State.PENDING),
    "fine": Q(state=State.PENDING, problems="", message=""),
    "changed": ~Q(proposed={}) & Q(state=State.ACCEPTED),
    "listed": Q(listed=True),
    "unlisted": Q(unlisted=True),
    "waiting": Q(state__in=[State.WAITING, State.OFFERED]),
    "player": Q(state__in=[State.SUBMITTED, State.CORRECTION]),
    "owed": Q(state=State.ACCEPTED, balance__gt=0),
    "repay": Q(balance__lt=0),
    "unwritten": Q(unwritten=True),
    "mail": Q(mail_failed=True),
    "accepted": Q(state=State.ACCEPTED),
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
    conditions: tuple[Condition, ...] = ()
    any_of: bool = False

    @classmethod
    def read(cls, typed: Mapping[str, str]) -> QueueFilter:
        """Read the parameters of an address, and leave out what is not known."""
        pile, sort = typed.get("pile", ""), typed.get("sort", "")
        listed: Any = getattr(typed, "getlist", lambda _name: [])
        conditions = read(listed("is"), listed("what"), listed("typed"))
        return cls(
            pile=pile if pile in PILES else "check",
            section=_number(typed.get("section", "")),
            search=typed.get("q", "")[:80].strip(),
            sort=sort if sort in SORTS else "time",
            page=max(1, _number(typed.get("page", ""))),
            conditions=conditions + _of_label(typed.get("label", "")),
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
        return reduce(and_, [*parts, joined(self.conditions, any_of=self.any_of)])


def _number(typed: str) -> int:
    return int(typed) if is_key(typed) and len(typed) < 10 else 0


def _of_label(typed: str) -> tuple[Condition, ...]:
    """Read the label of addresses that were kept before there were conditions; below 0, it must be missing."""
    key = typed.removeprefix("-")
    return (Condition(f"label.{key}", wanted=key == typed),) if _number(key) else ()


@dataclass(frozen=True, slots=True)
class Tag:
    """A label, as rows show it."""

    key: int
    name: str
    colour: str


@dataclass(slots=True)
class Row:
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

    rows: Sequence[Row]
    matching: int
    piles: dict[str, int] = field(default_factory=dict)
    labels: Sequence[Tag] = ()
    places: dict[int, Places] = field(default_factory=dict)
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
    shown = {one.pk: Row(one) for one in rows}
    for row in shown.values():
        row.one.event = event
    labels = beside(event, shown)
    return Queue(list(shown.values()), found[wanted.pile], found, labels, places, listed)


def _counts(
    event: Event, wanted: QueueFilter, limits: Mapping[int, SectionRegistration]
) -> tuple[dict[str, int], dict[int, Places], int]:
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
    return piles, counted(limits, places), listed


def registration_of(event: Event, limits: Mapping[int, SectionRegistration]) -> EventRegistration | None:
    """Return the settings of the registration, which came with those of its sections. One query without sections."""
    of_section = next(iter(limits.values()), None)
    if of_section is None:
        return EventRegistration.objects.filter(event=event).first()
    return getattr(of_section.section.event, "registration", None)


def beside(event: Event, rows: Mapping[int, Row]) -> list[Tag]:
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
    return one.state == State.ACCEPTED and Registration.objects.filter(UNLISTED, pk=one.pk).exists()
