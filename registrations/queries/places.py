"""How many places a section has, who holds them, and why the waiting list stands still; and the public list.

All pages have one count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import reduce
from itertools import repeat
from operator import or_

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet

from base.zones import start_of
from registrations.models import EventRegistration, HistoryLine, LateMove, Registration, SectionRegistration
from registrations.states import RegistrationState
from tournaments.models import Event, Participant, Round, Section
from tournaments.models.entries import initials
from tournaments.player_fields import PUBLIC_PLAIN

from .problems import LIMITS

# How many places a section has, who holds them, and why the waiting list stands still. One count for all
# pages.

CLOSED = "closed"
HIDDEN = "hidden"
EARLY = "early"
OVER = "over"
PAIRED = "paired"
BY_HAND = "by_hand"
LATE = "late"
FULL = "full"
MISFITS = "misfits"
LAST_HOURS = timedelta(hours=48)
"""Before the first day. An offer by mail that nobody reads in time would leave a board empty."""
MISFIT = ExpressionWrapper(
    reduce(or_, (Q(problems__contains=f" {code} ") for code in sorted(LIMITS))), BooleanField()
)
"""Whether a registration does not meet a limit of its section, by the problems that are kept with it."""


@dataclass(frozen=True, slots=True)
class SectionPlaces:
    """The places of a section as a sum. capacity: None for no limit. paired: round 1 is paired.

    parked: how many of the waiting list are offered a place by the organiser alone. misfits: how many of the others
    there do not meet the limits of the section. held: how many places are held for forms that are not confirmed.
    """

    section: Section
    limits: SectionRegistration
    paired: bool
    by_state: Counter[str] = field(default_factory=Counter)
    taken: int = 0
    parked: int = 0
    misfits: int = 0
    held: int = 0

    @property
    def capacity(self) -> int | None:
        return self.limits.capacity

    @property
    def free(self) -> int | None:
        """Return the free places, 0 if more are taken than there are, None without a limit."""
        return None if self.capacity is None else max(0, self.capacity - self.taken)

    @property
    def over(self) -> int:
        return 0 if self.capacity is None else max(0, self.taken - self.capacity)

    @property
    def accepted(self) -> int:
        return self.by_state[RegistrationState.ACCEPTED]

    @property
    def waiting(self) -> int:
        return self.by_state[RegistrationState.WAITING]

    @property
    def offered(self) -> int:
        return self.by_state[RegistrationState.OFFERED]

    @property
    def in_check(self) -> int:
        """Return the places that are held by registrations which are not decided."""
        return self.taken - self.accepted - self.offered

    @property
    def has_room(self) -> bool:
        """Return whether a new registration gets a place: one is free, and nobody waits who would be offered it."""
        return self.free is None or (self.free > 0 and self.next_ones == 0)

    @property
    def next_ones(self) -> int:
        """Return how many of the waiting list may get an offer by itself."""
        return self.waiting - self.parked - self.misfits

    def would_wait(self, count: int) -> int:
        """Return how many of new registrations get no place."""
        if self.free is None:
            return 0
        return max(0, count - self.free) if self.has_room else count

    @property
    def has_room_for_form(self) -> bool:
        """Return whether a form that is not confirmed holds a place.

        Such forms hold at most half of the places that nobody else has. Otherwise made-up mail addresses could fill
        the section. The other forms get a place when they are confirmed.
        """
        if self.capacity is None:
            return True
        left = self.capacity - (self.taken - self.held)
        return self.has_room and self.held < max(1, left // 2)

    @property
    def list_is_full(self) -> bool:
        """Return whether a new registration is refused, because the waiting list is as long as it may be."""
        longest = self.limits.longest_list
        return not self.has_room and longest is not None and self.waiting >= longest

    def with_one(self, state: RegistrationState, *, placed: bool, fits: bool) -> SectionPlaces:
        """Return the places with one more registration. fits: whether it meets the limits of the section."""
        unfit = state == RegistrationState.WAITING and not fits
        return replace(
            self,
            by_state=self.by_state + Counter([state.value]),
            taken=self.taken + placed,
            misfits=self.misfits + unfit,
            held=self.held + (placed and state == RegistrationState.SUBMITTED),
        )

    def closed_because(self, form: EventRegistration, now: datetime) -> str:
        """Return why nobody can register for the section now, or ""."""
        if not self.section.event.public or self.section.taken_away:
            return HIDDEN
        if self.section.is_closed or self.section.event.is_archived:
            return OVER
        if self.paired:
            return PAIRED
        if form.opens_at is not None and now < form.opens_at:
            return EARLY
        if not form.is_open(now):
            return CLOSED
        return "" if self.limits.open else BY_HAND

    def stands_still(self, form: EventRegistration, now: datetime) -> str:
        """Return why nobody moves up by itself, or "" if the list moves or is empty."""
        if not self.waiting:
            return ""
        event = self.section.event
        if self.paired or self.section.is_closed or event.is_archived:
            return PAIRED
        if not form.is_open(now) or not self.limits.open:
            return CLOSED
        if not event.public or self.section.taken_away:
            return HIDDEN
        if not self.limits.offers_by_itself or self.waiting == self.parked:
            return BY_HAND
        if now >= start_of(event.start, event.time_zone) - LAST_HOURS:
            return LATE
        if self.free == 0:
            return FULL
        return "" if self.next_ones else MISFITS


def limits_of(event: Event, sections: Iterable[int] | None = None) -> dict[int, SectionRegistration]:
    """Return the settings of each section with registration, by its key, with whether it is paired. One query.

    The event of a section has the settings of the event too.
    """
    limits = SectionRegistration.objects.filter(section__event=event)
    if sections is not None:
        limits = limits.filter(section__in=sections)
    paired = Exists(Round.objects.filter(section=OuterRef("section")))
    rows = limits.select_related("section__event__registration").annotate(is_paired=paired)
    found: dict[int, SectionRegistration] = {}
    for each in rows.order_by("section_id"):
        each.paired = each.is_paired
        found[each.section_id] = each
    return found


def rating_limit(section: Section) -> tuple[int | None, int | None]:
    """Return the lowest and the highest rating with which a player may register; None for no limit. One query."""
    limits = SectionRegistration.objects.filter(section=section)
    return limits.values_list("rating_from", "rating_to").first() or (None, None)


COUNTED = ("section", "state", "takes_place", "parked", "unfit")
"""What places are counted by. unfit: see MISFIT."""


def places_of(event: Event, sections: Iterable[int] | None = None) -> dict[int, SectionPlaces]:
    """Return the places of each section with registration, by the key of the section, in its order. Two queries."""
    return places_within(limits_of(event, sections))


def places_within(limits: Mapping[int, SectionRegistration]) -> dict[int, SectionPlaces]:
    """Return the places of sections whose settings are known. One query."""
    rows = Registration.objects.filter(section__in=limits).order_by().annotate(unfit=MISFIT)
    return counted_places(limits, rows.values_list(*COUNTED).annotate(n=Count("pk")))


def counted_places(
    limits: Mapping[int, SectionRegistration], rows: Iterable[tuple[int, str, bool, bool, bool, int]]
) -> dict[int, SectionPlaces]:
    """Return the places of sections from how many registrations have the same values of COUNTED."""
    counts: dict[int, Counter[str]] = {key: Counter() for key in limits}
    taken: Counter[int] = Counter()
    put: Counter[int] = Counter()
    unfit: Counter[int] = Counter()
    held: Counter[int] = Counter()
    for section, state, placed, parked, misfit, number in rows:
        if section not in counts:
            continue
        waits = state == RegistrationState.WAITING
        counts[section][state] += number
        taken[section] += number if placed else 0
        put[section] += number if waits and parked else 0
        unfit[section] += number if waits and misfit and not parked else 0
        held[section] += number if state == RegistrationState.SUBMITTED and placed else 0
    return {
        key: SectionPlaces(
            one.section, one, one.paired, counts[key], taken[key], put[key], unfit[key], held[key]
        )
        for key, one in limits.items()
    }


def is_full(limits: SectionRegistration) -> bool:
    """Return whether no place is free. One query, which is quicker than all counts."""
    taken = Registration.objects.filter(section=limits.section_id, takes_place=True)
    return limits.capacity is not None and taken.count() >= limits.capacity


def waiting_list(limits: SectionRegistration) -> QuerySet[Registration]:
    """Return who waits for a place, the next one first."""
    by_time = ("queued_at", "pk")
    order = (F("paid_at").asc(nulls_last=True), *by_time) if limits.order == limits.Order.PAID else by_time
    waiting = Registration.objects.filter(section=limits.section_id, state=RegistrationState.WAITING)
    return waiting.order_by(F("position").asc(nulls_last=True), *order)


def place_in_list(one: Registration, limits: SectionRegistration) -> int | None:
    """Return the number in the waiting list, 1 for the next; None for somebody who does not wait."""
    keys = list(waiting_list(limits).values_list("pk", flat=True))
    return keys.index(one.pk) + 1 if one.pk in keys else None


def late_registrations(section: Section) -> QuerySet[Registration]:
    """Return the registrations that wait for an arbiter because round 1 of the section is paired, the oldest first."""
    paired = Exists(Round.objects.filter(section=section))
    return section.registrations.filter(paired, state=RegistrationState.PENDING).order_by("queued_at", "pk")


def moves_for_arbiter(section: Section) -> QuerySet[LateMove]:
    """Return the moves of entries to a section whose round 1 is paired that wait for an arbiter, the oldest first."""
    paired = Exists(Round.objects.filter(section=section))
    waiting = section.late_moves.filter(paired, left_at=None, participant__status=Participant.Status.ACTIVE)
    return waiting.select_related("participant__section", "participant__player", "user").order_by("pk")


def moves_left(section: Section) -> QuerySet[LateMove]:
    """Return the moves to a section that an arbiter did not accept, the latest first."""
    left = section.late_moves.filter(left_at__isnull=False)
    return left.select_related("participant__section", "participant__player", "left_by").order_by("-left_at")


def late_refusals(section: Section) -> QuerySet[HistoryLine]:
    """Return the refusals of players whom an organiser had added after round 1, the latest first."""
    steps = HistoryLine.objects.filter(
        registration__section=section,
        registration__state=RegistrationState.REFUSED,
        registration__facts__has_key="entry",
        to_state=RegistrationState.REFUSED,
    )
    return steps.select_related("registration").order_by("-pk")


def how_many_wait(section: Section) -> int:
    """Return how many players wait for an arbiter of a section whose round 1 is paired. One query."""
    moves = moves_for_arbiter(section).order_by().select_related(None).values("pk")
    return late_registrations(section).order_by().values("pk").union(moves, all=True).count()


# The public list of a section's registrations: accepted players, and how many others there are.

PUBLIC_REGISTERED = tuple(each for each in PUBLIC_PLAIN if each.registered)


@dataclass(frozen=True, slots=True)
class PublicRow:
    name: str
    title: str
    federation: str
    rating: int | None
    plain: Mapping[str, str]

    @property
    def club(self) -> str:
        return self.plain["club"]


def public_rows(section: Section, *, start: int = 0, most: int | None = None) -> list[PublicRow]:
    """Return accepted players, the highest rating first. Without consent, a player has initials and no plain fields."""
    names = [field.name for field in PUBLIC_REGISTERED]
    rows = Registration.objects.filter(section=section, state=RegistrationState.ACCEPTED, erased_at=None)
    ordered = rows.order_by("-rating", "name", "pk").values_list(
        "name", "title", "federation", "rating", "consent", "participant__player__by_initials", *names
    )
    end = None if most is None else start + most
    return [
        PublicRow(
            *(name if shown else initials(name), title, federation, rating),
            plain=dict(zip(names, plain if shown else repeat(""), strict=False)),
        )
        for name, title, federation, rating, consent, hidden, *plain in ordered[start:end]
        for shown in (consent and not hidden,)
    ]
