"""The organiser's queue: piles, filters, rows and counts, all by the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.db.models import BigIntegerField, Count, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast

from entering.machine import LIVE, OVER, State
from entering.models import Label, Mail, Registration, WishedBye
from tournaments.models import CheckIn, Event
from tournaments.text import folded

PAGE = 100
BYE = "bye"
FAILED = Exists(Mail.objects.filter(registration=OuterRef("pk"), state=Mail.State.FAILED))
UNWRITTEN = Q(state__in=LIVE) & ~Q(email="") & ~Q(Exists(Mail.objects.filter(registration=OuterRef("pk"))))
"""Registrations of a file wait here for their first mail."""
HERE = Q(~Q(section__check_in_round=1), present_at__isnull=False) | Q(
    Exists(CheckIn.objects.filter(participant=OuterRef("participant"), round_number=1)),
    section__check_in_round=1,
)
"""Who is here: the check-in of the section for round 1 says it while it is open, and the desk otherwise."""
PILES: dict[str, Q] = {
    "check": Q(state=State.PENDING),
    "fine": Q(state=State.PENDING, problems="", message=""),
    "changed": ~Q(proposed={}) & Q(state=State.ACCEPTED),
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
    """What the address of the page asks for. section, label: keys, 0 for any; a label below 0 must be missing."""

    pile: str = "check"
    section: int = 0
    label: int = 0
    search: str = ""
    sort: str = "time"
    page: int = 1

    @classmethod
    def read(cls, typed: Mapping[str, str]) -> QueueFilter:
        """Read the parameters of an address, and leave out what is not known."""
        pile, sort = typed.get("pile", ""), typed.get("sort", "")
        return cls(
            pile=pile if pile in PILES else "check",
            section=max(0, _number(typed.get("section", ""))),
            label=_number(typed.get("label", "")),
            search=typed.get("q", "")[:80].strip(),
            sort=sort if sort in SORTS else "time",
            page=max(1, _number(typed.get("page", ""))),
        )

    def address(self, **changes: object) -> str:
        """Return the query of the address, with some parts changed. A change of the filter begins at page 1."""
        parts = {
            "pile": self.pile,
            "section": self.section or "",
            "label": self.label or "",
            "q": self.search,
            "sort": self.sort if self.sort != "time" else "",
            "page": "",
            **changes,
        }
        return "?" + urlencode({name: value for name, value in parts.items() if value})


def _number(typed: str) -> int:
    digits = typed.removeprefix("-")
    return int(typed) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0


@dataclass(slots=True)
class Row:
    """A registration with the names of its labels, and the rounds of the byes that it asks for."""

    one: Registration
    labels: list[str] = field(default_factory=list)
    byes: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Queue:
    """rows: of this page. matching: how many registrations the filter finds. piles: how many each pile has.

    labels: of the event, as key and name.
    """

    rows: Sequence[Row]
    matching: int
    piles: dict[str, int] = field(default_factory=dict)
    labels: Sequence[tuple[int, str]] = ()

    @property
    def pages(self) -> int:
        return max(1, -(-self.matching // PAGE))


def found_by(event: Event, wanted: QueueFilter, *, pile: bool = True) -> QuerySet[Registration]:
    """Return the registrations that the filter finds, in its order."""
    rows = Registration.objects.filter(event=event).annotate(mail_failed=FAILED, unwritten=Q(UNWRITTEN))
    if pile:
        rows = rows.filter(PILES[wanted.pile])
    if wanted.section:
        rows = rows.filter(section=wanted.section)
    if wanted.label > 0:
        rows = rows.filter(labels=wanted.label)
    elif wanted.label < 0:
        rows = rows.exclude(labels=-wanted.label)
    for word in folded(wanted.search).split() if "@" not in wanted.search else [wanted.search.casefold()]:
        rows = rows.filter(search__contains=word)
    nulls = [
        F(name[1:]).desc(nulls_last=True) if name.startswith("-") else F(name).asc()
        for name in SORTS[wanted.sort]
    ]
    if wanted.pile == "waiting" and wanted.sort == "time":
        nulls.insert(0, F("position").asc(nulls_last=True))
    return rows.order_by(*nulls)


def queue(event: Event, wanted: QueueFilter) -> Queue:
    """Return a page of the queue with the counts of all piles. Three queries for any number of registrations."""
    counts = found_by(event, wanted, pile=False).order_by()
    piles = counts.aggregate(
        **{f"n_{name}": Count("pk", filter=which, distinct=True) for name, which in PILES.items()}
    )
    start = (wanted.page - 1) * PAGE
    rows = found_by(event, wanted).select_related("section").annotate(noted=Count("notes", distinct=True))
    shown = {one.pk: Row(one) for one in rows[start : start + PAGE]}
    for row in shown.values():
        row.one.event = event
    found = {name: piles[f"n_{name}"] for name in PILES}
    labels = _beside(event, shown)
    return Queue(list(shown.values()), found[wanted.pile], found, labels)


def _beside(event: Event, rows: Mapping[int, Row]) -> list[tuple[int, str]]:
    """Put labels and byes to the rows. Return all labels of the event, by name. One query."""
    none, keys = Value(0, BigIntegerField()), list(rows)
    of_event = Label.objects.filter(event=event).order_by()
    put_on = Registration.labels.through.objects.filter(registration__in=keys).order_by()
    byes = WishedBye.objects.filter(registration__in=keys).order_by()
    found = of_event.values_list(none, "pk", "name").union(
        put_on.values_list("registration_id", "label_id", Value("")),
        byes.values_list("registration_id", Cast("round_number", BigIntegerField()), Value(BYE)),
        all=True,
    )
    lines = list(found)
    names = {label: name for key, label, name in lines if not key}
    for key, number, kind in sorted(line for line in lines if line[0]):
        if kind == BYE:
            rows[key].byes.append(number)
        else:
            rows[key].labels.append(names[number])
    return sorted(names.items(), key=lambda label: label[1])


def ready(event: Event) -> dict[str, int]:
    """Return the counts of the desk: accepted, present, and present with nothing to pay. One query."""
    rows = Registration.objects.filter(event=event, state=State.ACCEPTED)
    here = Q(here=True)
    return rows.annotate(here=HERE).aggregate(
        accepted=Count("pk"),
        present=Count("pk", filter=here),
        ready=Count("pk", filter=here & Q(balance__lte=0)),
    )
