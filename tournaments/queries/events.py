"""The events that a person may see, one event with its sections, and the addresses of events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum
from itertools import chain, groupby
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F, Max, Prefetch, Q, QuerySet
from django.utils.timezone import now

from base.zones import today_in
from tournaments.models import (
    Event,
    EventRole,
    Game,
    Participant,
    Round,
    Screen,
    Section,
    User,
    WaitingOnDevice,
)
from tournaments.rights import RIGHTS, Right

from .field import current_round_of
from .people import people_of_event
from .waiting_on_devices import waiting_in

# The events that a person may see, and one event with its sections.


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A section. round_number, round_state: of the latest round that the reader may see, or 0 and "".

    left_fide_mode: the section is not in FIDE mode, and the reader works on it.
    """

    section_id: int
    name: str
    slug: str
    rounds: int
    players: int
    closed: bool
    round_number: int
    round_state: str
    left_fide_mode: bool


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event. roles: those of the person, none for a reader; a superuser counts as owner.

    away: hidden sections, for people who work on them.
    """

    event_id: int
    name: str
    slug: str
    city: str
    federation: str
    start: date
    end: date
    public: bool
    rehearsal: bool
    roles: tuple[str, ...]
    chief_arbiter: str
    deputy_arbiters: tuple[str, ...]
    time_control: str
    sections: tuple[SectionRow, ...]
    away: tuple[SectionRow, ...]

    @property
    def staff(self) -> bool:
        return bool(self.roles)


def public_events(user: User | AnonymousUser) -> tuple[EventRow, ...]:
    """Return public events and events that the user works on, newest first. At most four queries. Nobody else finds a
    rehearsal.
    """
    roles = _roles(user)
    events = Event.objects.all()
    if not user.is_authenticated:
        events = events.filter(public=True, rehearsal=False)
    elif not user.is_superuser:
        events = events.filter(Q(public=True, rehearsal=False) | Q(pk__in=roles))
    return _rows(events, user, roles)


def event_overview(event: Event, user: User | AnonymousUser) -> EventRow:
    """Return one event with its sections. The view checks whether the user may see it. At most four queries."""
    return _rows(Event.objects.filter(pk=event.pk), user, _roles(user))[0]


Held = Mapping[int, Sequence[EventRole]]
"""The roles of a person that count today, by event."""


def _roles(user: User | AnonymousUser, event: Event | None = None) -> Held:
    """Return the roles of the person, or those in one event."""
    held: dict[int, list[EventRole]] = {}
    if not user.is_authenticated or user.is_superuser:
        return held
    rows = EventRole.objects.filter(user=user).select_related("event").order_by("pk")
    for row in rows if event is None else rows.filter(event=event):
        if row.counts_on(today_in(row.event.time_zone)):
            held.setdefault(row.event_id, []).append(row)
    return held


def _rows(events: QuerySet[Event], user: User | AnonymousUser, roles: Held) -> tuple[EventRow, ...]:
    shown: Any = Prefetch("sections", queryset=_with_players(Section.objects.all()))
    rounds: Any = Prefetch("sections__played_rounds", queryset=Round.objects.order_by("number"))
    found = list(events.order_by("-start", "name", "pk").prefetch_related(shown, rounds))
    everything = [EventRole(role=EventRole.Role.OWNER)] if user.is_authenticated and user.is_superuser else []
    return tuple(_event_row(event, roles.get(event.pk, everything)) for event in found)


def _with_players(sections: QuerySet[Section]) -> QuerySet[Section]:
    counted = Count("participants", filter=~Q(participants__status=Participant.Status.EXPELLED))
    return sections.order_by("pk").annotate(players=counted)


def _event_row(event: Event, roles: Sequence[EventRole]) -> EventRow:
    sees = {row.section_id for row in roles if Right.SEE in RIGHTS[row.role]}
    works = {row.section_id for row in roles}

    def covered(section: Section, by: set[int | None]) -> bool:
        return None in by or section.pk in by

    sections = [row for row in event.sections.all() if event.public or not roles or covered(row, works)]
    return EventRow(
        event_id=event.pk,
        name=event.name,
        slug=event.slug,
        city=event.city,
        federation=event.federation,
        start=event.start,
        end=event.end,
        public=event.public,
        rehearsal=event.rehearsal,
        roles=tuple(dict.fromkeys(row.role for row in roles)),
        chief_arbiter=event.chief_arbiter,
        deputy_arbiters=tuple(line.strip() for line in event.deputy_arbiters.splitlines() if line.strip()),
        time_control=event.time_control,
        sections=tuple(_section_row(row, staff=covered(row, sees)) for row in sections if not row.taken_away),
        away=tuple(
            _section_row(row, staff=True) for row in sections if row.taken_away and covered(row, works)
        ),
    )


def _section_row(section: Section, *, staff: bool) -> SectionRow:
    seen = [row for row in section.played_rounds.all() if staff or not row.is_draft]
    return SectionRow(
        section_id=section.pk,
        name=section.name,
        slug=section.slug,
        rounds=section.rounds,
        players=vars(section)["players"],  # annotated by the query
        closed=section.is_closed,
        round_number=seen[-1].number if seen else 0,
        round_state=seen[-1].state if seen else "",
        left_fide_mode=staff and not section.fide_mode,
    )


# What each section of an event waits for.


@dataclass(frozen=True, slots=True)
class SectionState:
    """A section with the round that people are busy with, None before round 1. round: annotated with `boards`, `open`
    (without a result), `clashes` (two different results), `over` (ended, no result) and `last_at` (the last result).
    """

    section: Section
    players: int
    round: Round | None
    rights: frozenset[Right]

    @property
    def facts(self) -> dict[str, Any]:
        return vars(self.round) if self.round else {}

    @property
    def entered(self) -> int:
        """How many boards of the round have a result."""
        return int(self.facts["boards"] - self.facts["open"])

    @property
    def next_number(self) -> int:
        return self.round.number + 1 if self.round else 1

    @property
    def minutes(self) -> int | None:
        """The minutes since the last result came in."""
        last: datetime | None = self.facts.get("last_at")
        return None if last is None else int((now() - last).total_seconds() // 60)


def section_states(event: Event, user: User) -> tuple[SectionState, ...]:
    """Return the sections in which the person works, in their order. Three queries for any number of sections."""
    everything = [EventRole(role=EventRole.Role.OWNER)] if user.is_superuser else []
    roles = _roles(user, event).get(event.pk, everything)

    def held(section: Section) -> frozenset[Right]:
        counts = (row for row in roles if row.section_id in (None, section.pk))
        return frozenset(chain.from_iterable(RIGHTS[row.role] for row in counts))

    differ = _differ("games__")
    rounds: dict[int, list[Round]] = {}
    counted = (
        Round.objects.filter(section__event=event)
        .order_by("number")
        .annotate(
            boards=Count("games"),
            open=Count("games", filter=Q(games__result="")),
            over=Count("games", filter=Q(games__result="", games__over_at__isnull=False)),
            clashes=Count("games", filter=differ),
            last_at=Max("games__entered_at"),
        )
    )
    for row in counted:
        rounds.setdefault(row.section_id, []).append(row)

    def busy(section: Section) -> Round | None:
        unfinished = {
            row.pk for row in rounds.get(section.pk, []) if vars(row)["open"] or vars(row)["clashes"]
        }
        return current_round_of(section, rounds.get(section.pk, []), unfinished)

    sections = _with_players(event.sections.filter(taken_away=False).select_related("event"))
    return tuple(
        SectionState(section, vars(section)["players"], busy(section), held(section))
        for section in sections
        if held(section) & {Right.SEE, Right.RESULTS, Right.SEE_PRESENCE}
    )


def _differ(of: str = "") -> Q:
    """Return the condition that a slip was read in two ways, or that the players pressed different results."""
    read = Q(**{f"{of}second_result__gt": ""}) & ~Q(**{f"{of}second_result": F(f"{of}result")})
    pressed = Q(**{f"{of}result": "", f"{of}white_pressed__gt": "", f"{of}black_pressed__gt": ""})
    return read | pressed & ~Q(**{f"{of}white_pressed": F(f"{of}black_pressed")})


# The whole event at work: each board of the rounds in play, what is to be settled, the plan of today, who is there.


class BoardMark(StrEnum):
    """IN: a result. OPEN: none yet. CLASH: two results. ENDED: the game has ended, and there is no slip."""

    IN = "in"
    OPEN = "open"
    CLASH = "clash"
    ENDED = "ended"

    @classmethod
    def of(
        cls, result: str, second: str, over_at: datetime | None, white_pressed: str, black_pressed: str
    ) -> BoardMark:
        if second and second != result:
            return cls.CLASH
        if not result and white_pressed and black_pressed and white_pressed != black_pressed:
            return cls.CLASH
        if result:
            return cls.IN
        return cls.ENDED if over_at else cls.OPEN


@dataclass(frozen=True, slots=True)
class PlannedStart:
    """Rounds that begin at one time: the number, and the sections that play it."""

    at: time | None
    rounds: Sequence[tuple[int, Sequence[Section]]]


@dataclass(frozen=True, slots=True)
class EventWork:
    """What arbiters of an event see first. marks: by the key of a section, of each board of its round that is out.

    clashes, disputed, left, ended: boards with two results; whose players pressed different results; of a player who
    has left; without a slip though the game has ended. devices: what waits in browsers, by section. plan: rounds of the
    day. online: the people of the event who are there.
    """

    event: Event
    states: Sequence[SectionState]
    marks: Mapping[int, Sequence[BoardMark]]
    clashes: Sequence[Game]
    disputed: Sequence[Game]
    left: Sequence[Game]
    ended: Sequence[Game]
    devices: Mapping[int, Sequence[Sequence[WaitingOnDevice]]]
    plan: Sequence[PlannedStart]
    online: Sequence[User]
    screens: Sequence[Screen]

    @property
    def players(self) -> int:
        return sum(state.players for state in self.states)

    @property
    def open(self) -> int:
        """How many boards have no result."""
        return sum(mark in (BoardMark.OPEN, BoardMark.ENDED) for row in self.marks.values() for mark in row)


def event_work(event: Event, states: Sequence[SectionState], day: date) -> EventWork:
    """Return what happens in these sections, and the plan of this day. Six queries for any number of sections."""
    out = [state.round.pk for state in states if state.round and not state.round.is_draft]
    games = Game.objects.filter(round__in=out).order_by("round__section", "board")
    marks: dict[int, list[BoardMark]] = {}
    columns = ("result", "second_result", "over_at", "white_pressed", "black_pressed")
    for section, *of_game in games.values_list("round__section", *columns):
        marks.setdefault(section, []).append(BoardMark.of(*of_game))
    gone = ~Q(white__status=Participant.Status.ACTIVE) | ~Q(black__status=Participant.Status.ACTIVE)
    matters = games.filter(_differ() | Q(result="") & (Q(over_at__isnull=False) | gone)).select_related(
        "round", "white__player", "black__player", "entered_by", "second_by", "over_by"
    )
    clashes, disputed, left, ended = [], [], [], []
    for game in matters:
        if game.is_in_conflict:
            clashes.append(game)
        elif game.is_disputed:
            disputed.append(game)
        elif game.white.is_active and game.black.is_active:
            ended.append(game)
        else:
            left.append(game)
    sections = [state.section for state in states]
    return EventWork(
        event=event,
        states=states,
        marks=marks,
        clashes=clashes,
        disputed=disputed,
        left=left,
        ended=ended,
        devices=waiting_in(sections),
        plan=_plan(sections, day),
        online=[member.user for member in people_of_event(event) if member.online],
        screens=list(event.screens.order_by("name")),
    )


def _plan(sections: Sequence[Section], day: date) -> list[PlannedStart]:
    """Return the rounds that begin on this day, by their times. Those without a time come last."""
    starts = [
        (start.time, number, section)
        for section in sections
        if not section.is_closed
        for number in range(1, section.rounds + 1)
        if (start := section.start_of(number)) and start.day == day
    ]
    starts.sort(key=lambda row: (row[0] is None, row[0] or time.min, row[1]))
    return [
        PlannedStart(
            at,
            [
                (number, [section for _at, _number, section in found])
                for number, found in groupby(rows, key=lambda row: row[1])
            ],
        )
        for at, rows in groupby(starts, key=lambda row: row[0])
    ]


# The first parts of addresses that events have.


def slugs_in_use(slugs: Iterable[str]) -> frozenset[str]:
    """Return those of these slugs that an event has. One query."""
    return frozenset(Event.objects.filter(slug__in=list(slugs)).values_list("slug", flat=True))
