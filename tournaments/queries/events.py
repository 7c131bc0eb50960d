"""The events that a person may see, one event with its sections, and the addresses of events."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from itertools import chain, groupby
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import (
    Count,
    Exists,
    F,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce, Concat
from django.utils.timezone import now

from base.text import folded
from base.zones import today_in
from tournaments.models import (
    Event,
    EventRole,
    Game,
    Participant,
    Player,
    Round,
    Screen,
    Section,
    User,
    WaitingOnDevice,
    WordEnd,
)
from tournaments.models.entries import search_form
from tournaments.models.events import AT_REST, LISTED, LONGEST_END, EventState
from tournaments.rights import RIGHTS, Right

from .field import current_round_of
from .people import people_of_event
from .waiting_on_devices import waiting_in

# The events that a person may see, and one event with its sections.


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A section. round_number, round_state: of the latest round that the reader may see, or 0 and "".

    left_fide_mode: the section is not in FIDE mode, and the reader works on it. open: boards of the round without a
    result, on the first page for people who work on the section.
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
    open: int = 0


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
    state: str
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


_SectionFacts = Mapping[str, Any]


class When(StrEnum):
    """Any events, those of a person, and by their days: in progress today, later, or over."""

    ANY = ""
    OWN = "own"
    NOW = "now"
    SOON = "soon"
    PAST = "past"

    @classmethod
    def of(cls, event: Event, today: date) -> When:
        if event.end < today:
            return cls.PAST
        return cls.SOON if event.start > today else cls.NOW


EVENTS_OF_PAGE = 25
EVENTS_OF_ANSWER = 50
"""In a list of the API."""
ON_FIRST_PAGE = {When.ANY: EVENTS_OF_PAGE, When.OWN: 10, When.NOW: 12, When.SOON: 6, When.PAST: 6}
MOST_WORDS = 6
MOST_PLAYERS = 500
"""For one way to write a name."""
MOST_ENDS = 1_000
"""Ends of words that begin with a rare word."""
MOST_READ = 2_000
"""Events that a search reads in their order for one page, if no index leads to those that it finds."""
AFTER_ALL = "\U0010ffff"
"""The last sign of Unicode."""
MOST_ROLES = 60
"""Of a person, for the first page. A person may have several in one event."""
NEWEST = 1_000
"""Events among which those of a person with many roles are looked for first: most are found there, and nobody waits for
the keys of all.
"""
ORDER = {
    When.ANY: ("-start", "-pk"),
    When.OWN: ("-end", "-pk"),
    When.NOW: ("end", "pk"),
    When.SOON: ("start", "pk"),
    When.PAST: ("-end", "-pk"),
}
"""Each one is the order of an index of `Event`, so that the first events are found without the others."""


@dataclass(frozen=True, slots=True)
class EventList:
    """Events of one kind. more: there are others after them. reached: a search has read events as far as this day,
    and not those beyond it.
    """

    when: When
    events: Sequence[EventRow]
    more: bool
    reached: date | None = None


@dataclass(frozen=True, slots=True)
class EventSearch:
    """words: each one is a part of a word of the name, the place or the federation. month: an event has a day in it.
    player: the beginning of a name, surname or given name first, or a FIDE ID. beyond: the day that the search before
    has reached.
    """

    words: str = ""
    player: str = ""
    federation: str = ""
    month: date | None = None
    when: When = When.ANY
    beyond: date | None = None


def first_events(user: User | AnonymousUser, *, works_in_many: bool = False) -> tuple[EventList, ...]:
    """Return events of the person, those in progress first, then public ones by their days, each kind as far as the
    first page has room. A superuser sees private ones too. works_in_many: the person has many roles. At most four
    queries, for any number of events.
    """
    held = (_held_in_newest(user) if works_in_many else []) or _held(user)
    today, roles = today_in(""), _of_events(held)
    own = {row.event_id: row.event for row in held if row.event_id in roles}
    own = dict(sorted(own.items(), key=lambda item: _place_of(item[1], today)))
    mine = list(own)[: ON_FIRST_PAGE[When.OWN]]
    seen = (
        Event.objects.exclude(state=EventState.DELETED) if user.is_superuser else Event.objects.filter(LISTED)
    )
    days = (When.NOW, When.SOON, When.PAST)
    found = {When.OWN: list(own.values()), **{when: [] for when in days}}
    for event in Event.objects.filter(pk__in=first_of(seen.exclude(pk__in=mine), days, today)).order_by():
        found[When.of(event, today)].append(event)
    for when in days:
        found[when].sort(key=lambda event: (event.start if when == When.SOON else event.end, event.pk))
    found[When.PAST].reverse()
    shown = {when: events[: ON_FIRST_PAGE[when]] for when, events in found.items()}
    made = iter(_rows(list(chain.from_iterable(shown.values())), user, roles, waiting=mine))
    return tuple(
        EventList(
            when,
            [next(made) for _event in events],
            more=len(found[when]) > len(events) or (when == When.OWN and len(held) == MOST_ROLES),
        )
        for when, events in shown.items()
        if events
    )


def _place_of(event: Event, today: date) -> tuple[int, int]:
    """Return the place in the list of a person: in progress, the next ones, the last ones."""
    when = When.of(event, today)
    if when == When.PAST:
        return 2, -event.end.toordinal()
    return (1, event.start.toordinal()) if when == When.SOON else (0, event.end.toordinal())


def first_of(seen: QuerySet[Event], lists: Sequence[When], today: date) -> QuerySet[Any]:
    """Return the keys of the first events of each list, as far as the first page has room, and one more. Each part is
    read by the index of its order; conditions that are joined by OR would read all events on PostgreSQL.
    """
    first, *others = (
        Event.objects.filter(pk__in=ordered.values("pk")[: ON_FIRST_PAGE[when] + 1]).order_by().values("pk")
        for when in lists
        for ordered in [seen.filter(days_of(when, today)).order_by(*ORDER[when])]
    )
    return first.union(*others, all=True) if others else first


def found_events(
    user: User | AnonymousUser, search: EventSearch, page: int, size: int = EVENTS_OF_PAGE
) -> EventList:
    """Return one page of so many events that the person may see and a search finds, newest first. At most five queries,
    with a player seven. Usual words and months are compared while events are read in their order, at most `MOST_READ`.
    """
    roles = EventRole.objects.filter(user=user.pk)
    read = Event.objects.all()
    conditions = ~Q(state=EventState.DELETED) if user.is_authenticated else LISTED
    few = search.when == When.OWN
    if search.player:
        few, conditions = True, conditions & Q(pk__in=_with_player(search.player))
        roles = roles.filter(section=None)  # who works in one section does not learn who plays in the others
    if search.when == When.OWN:
        conditions &= Q(pk__in=roles.values("event"))
    elif user.is_authenticated and not user.is_superuser:
        conditions &= LISTED | Q(pk__in=roles.values("event"))
    if search.words or search.federation:
        with_words, rare = _with_words(search.words, search.federation)
        conditions, few = conditions & with_words, few or rare
    if search.month:
        first = search.month.replace(day=1)
        read = read.filter(start__lt=(first + timedelta(days=32)).replace(day=1))
        conditions &= Q(end__gte=first)
    order = ORDER[When.ANY if search.month else search.when]
    column = order[0].removeprefix("-")
    beyond, up_to = ("lt", "gte") if order[0].startswith("-") else ("gt", "lte")
    read = read.filter(days_of(search.when, today_in(""))).order_by(*order)
    if search.beyond:
        read = read.filter(**{f"{column}__{beyond}": search.beyond})
    reached = None
    if not few and (search.words or search.federation or search.month):
        reached = read.values_list(column, flat=True)[MOST_READ : MOST_READ + 1].first()
    events = read.filter(conditions, **({f"{column}__{up_to}": reached} if reached else {}))
    shown = list(events[(page - 1) * size : page * size + 1])
    held = _of_events(_held(user, shown))
    visible = [event for event in shown if event.listed or user.is_superuser or event.pk in held]
    rows = _rows(visible[:size], user, held)
    return EventList(search.when, rows, more=len(shown) > size, reached=reached)


def _with_words(typed: str, federation: str) -> tuple[Q, bool]:
    """Return the condition that an event has each of these words and is of the federation, and whether one of the words
    is rare. One query.

    An event with a rare word is found by its key. Events with a usual word are mostly found soon in their order.
    """
    words = folded(typed).split()[:MOST_WORDS]
    ends = {
        word: WordEnd.objects.filter(text__gte=word, text__lt=f"{word}{AFTER_ALL}")
        for word in (each[:LONGEST_END] for each in (*words, *folded(federation).split()))
    }
    if (typed and not words) or not ends:
        return Q(pk__in=[]), True
    first, *others = (
        WordEnd.objects.filter(pk__in=rows.order_by("text").values("pk")[: MOST_ENDS + 1])
        .order_by()
        .values_list(models.Value(word), "event")
        for word, rows in ends.items()
    )
    found: dict[str, list[int]] = {word: [] for word in ends}
    for word, event in first.union(*others, all=True) if others else first:
        found[word].append(event)
    condition, few = Q(federation=federation) if federation else Q(), False
    for word, rows in ends.items():
        rare = len(found[word]) <= MOST_ENDS
        few = few or rare
        condition &= Q(pk__in=found[word]) if rare else Q(Exists(rows.filter(event=OuterRef("pk"))))
    return condition, few


def _with_player(typed: str) -> set[int]:
    """Return events in which such a player is shown to everybody. At most three queries, which look at the first
    `MOST_PLAYERS` players each, so that a short name costs no more than a long one.
    """
    shown = Player.objects.filter(by_initials=False)
    name = search_form(typed)
    if name.isdecimal():
        found = [shown.filter(fide_id=int(name[:18])).order_by("-pk")]
    else:
        words = name.split()
        ways = dict.fromkeys(" ".join((*words[at:], *words[:at])) for at in (0, -1, 1)) if words else {}
        found = [
            shown.filter(search_name__gte=way, search_name__lt=f"{way}{AFTER_ALL}").order_by("search_name")
            for way in ways
        ]
    entries = Participant.objects.filter(section__taken_away=False).exclude(
        status=Participant.Status.EXPELLED
    )
    return {
        event
        for players in found
        for event in entries.filter(player__in=players.values("pk")[:MOST_PLAYERS])
        .order_by()
        .values_list("section__event", flat=True)
        .distinct()
    }


def public_events_after(key: int, among: Collection[int] | None) -> tuple[list[EventRow], bool]:
    """Return the first public events with higher keys, and whether there are more. among: of these keys, None: of all.
    Two queries.
    """
    events = Event.objects.filter(LISTED, pk__gt=key).order_by("pk")
    shown = list((events if among is None else events.filter(pk__in=among))[: EVENTS_OF_ANSWER + 1])
    rows = _rows(shown[:EVENTS_OF_ANSWER], AnonymousUser(), {})
    return rows, len(shown) > EVENTS_OF_ANSWER


def public_among(events: Collection[int]) -> set[int]:
    """Return those of these events that are public. One query."""
    return set(Event.objects.filter(LISTED, pk__in=events).values_list("pk", flat=True))


def days_of(when: When, today: date) -> Q:
    """Return the condition for events that are in progress on a day, begin after it, or ended before it."""
    if when == When.NOW:
        return Q(start__lte=today, end__gte=today)
    return {When.SOON: Q(start__gt=today), When.PAST: Q(end__lt=today)}.get(when, Q())


def event_overview(event: Event, user: User | AnonymousUser) -> EventRow:
    """Return one event with its sections. The view checks whether the user may see it. At most two queries."""
    return _rows([event], user, _roles(user, event))[0]


Held = Mapping[int, Sequence[EventRole]]
"""The roles of a person that count today, by event."""


def _held(user: User | AnonymousUser, events: Sequence[Event] | None = None) -> list[EventRole]:
    """Return the roles of a person in these events; None: in the newest ones that are not archived, as
    many as the first page may need.
    """
    if not user.is_authenticated:
        return []
    rows = _roles_by_day(user)
    if events is not None:
        return list(rows.filter(event__in=events).select_related("event"))
    return _first_roles(rows, rows.exclude(event__state__in=AT_REST))


def _held_in_newest(user: User | AnonymousUser) -> list[EventRole]:
    """Return the same roles of a person whose roles in the newest events are as many as the first page may need, or
    none.
    """
    events = Event.objects.exclude(state__in=AT_REST).order_by(*ORDER[When.OWN]).values("pk")[:NEWEST]
    rows = _roles_by_day(user)
    found = _first_roles(rows, rows.filter(event__in=events))
    return found if len(found) == MOST_ROLES else []


def _roles_by_day(user: User | AnonymousUser) -> QuerySet[EventRole]:
    return EventRole.objects.filter(user=user.pk).order_by("-event__end", "-event_id", "pk")


def _first_roles(rows: QuerySet[EventRole], among: QuerySet[EventRole]) -> list[EventRole]:
    """Return the first roles of some. Keys are put in order faster than whole events."""
    return list(rows.filter(pk__in=among.values("pk")[:MOST_ROLES]).select_related("event"))


def _of_events(held: Iterable[EventRole]) -> Held:
    """Return those of the roles that count today, by event."""
    roles: dict[int, list[EventRole]] = {}
    for row in held:
        if row.counts_on(today_in(row.event.time_zone)):
            roles.setdefault(row.event_id, []).append(row)
    return roles


def _roles(user: User | AnonymousUser, event: Event) -> Held:
    """Return the roles of the person in an event that count today."""
    return {} if user.is_superuser else _of_events(_held(user, [event]))


def _rows(
    events: Sequence[Event], user: User | AnonymousUser, roles: Held, waiting: Collection[int] = ()
) -> list[EventRow]:
    """Return the rows of events. One query, without models: a list has a hundred sections. waiting: the events whose
    sections say how many boards are open.
    """
    rounds = Round.objects.filter(section=OuterRef("pk")).order_by("-number")
    number_and_state = Concat("number", models.Value(" "), "state", output_field=models.CharField())
    columns = ("pk", "event_id", "name", "slug", "rounds", "status", "fide_mode", "taken_away", "players")
    found = _with_players(Section.objects.filter(event__in=[event.pk for event in events])).annotate(
        newest=Subquery(rounds.values_list(number_and_state)[:1]),
        newest_published=Subquery(rounds.exclude(state=Round.State.DRAFT).values_list(number_and_state)[:1]),
    )
    if waiting:
        games = Game.objects.filter(
            round__section=OuterRef("pk"), round__state=Round.State.PUBLISHED, result=""
        )
        counted = games.order_by().values("round__section").annotate(count=Count("pk")).values("count")
        found = found.annotate(open=models.Case(models.When(event__in=waiting, then=Subquery(counted))))
    sections: dict[int, list[_SectionFacts]] = {event.pk: [] for event in events}
    for row in found.values(*columns, "newest", "newest_published", *(("open",) if waiting else ())):
        sections[row["event_id"]].append(row)
    everything = [EventRole(role=EventRole.Role.OWNER)] if user.is_superuser else None
    return [_event_row(event, sections[event.pk], everything or roles.get(event.pk, ())) for event in events]


def _with_players(sections: QuerySet[Section]) -> QuerySet[Section]:
    entries = Participant.objects.filter(section=OuterRef("pk")).exclude(status=Participant.Status.EXPELLED)
    counted = entries.order_by().values("section").annotate(count=Count("pk")).values("count")
    return sections.order_by("pk").annotate(players=Coalesce(Subquery(counted), 0))


def _event_row(event: Event, sections: Sequence[_SectionFacts], roles: Sequence[EventRole]) -> EventRow:
    sees = {row.section_id for row in roles if Right.SEE in RIGHTS[row.role]}
    works = {row.section_id for row in roles}

    def covered(section: _SectionFacts, by: set[int | None]) -> bool:
        return None in by or section["pk"] in by

    sections = [row for row in sections if event.public or not roles or covered(row, works)]
    return EventRow(
        event_id=event.pk,
        name=event.name,
        slug=event.slug,
        city=event.city,
        federation=event.federation,
        start=event.start,
        end=event.end,
        state=event.state,
        public=event.public,
        rehearsal=event.rehearsal,
        roles=tuple(dict.fromkeys(row.role for row in roles)),
        chief_arbiter=event.chief_arbiter,
        deputy_arbiters=tuple(line.strip() for line in event.deputy_arbiters.splitlines() if line.strip()),
        time_control=event.time_control,
        sections=tuple(
            _section_row(row, staff=covered(row, sees)) for row in sections if not row["taken_away"]
        ),
        away=tuple(
            _section_row(row, staff=True) for row in sections if row["taken_away"] and covered(row, works)
        ),
    )


def _section_row(section: _SectionFacts, *, staff: bool) -> SectionRow:
    number, _space, state = (section["newest" if staff else "newest_published"] or "0 ").partition(" ")
    return SectionRow(
        section_id=section["pk"],
        name=section["name"],
        slug=section["slug"],
        rounds=section["rounds"],
        players=section["players"],
        closed=section["status"] == Section.Status.CLOSED,
        round_number=int(number),
        round_state=state,
        left_fide_mode=staff and not section["fide_mode"],
        open=(section.get("open") or 0) if staff else 0,
    )


# What each section of an event waits for.


@dataclass(frozen=True, slots=True)
class SectionState:
    """A section with the round that people are busy with, None before round 1. round: annotated with `boards`, `open`
    (without a result), `clashes` (two different results), `settle` (what an arbiter must decide: also boards that have
    ended or that a player has left, without a result) and `last_at` (the last result).
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
    ended = Q(games__result="", games__over_at__isnull=False)
    rounds: dict[int, list[Round]] = {}
    counted = (
        Round.objects.filter(section__event=event)
        .order_by("number")
        .annotate(
            boards=Count("games"),
            open=Count("games", filter=Q(games__result="")),
            clashes=Count("games", filter=differ),
            settle=Count("games", filter=differ | ended | Q(games__result="") & _gone("games__")),
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


def _gone(of: str = "") -> Q:
    """Return the condition that a player of the game no longer takes part."""
    active = Participant.Status.ACTIVE
    return ~Q(**{f"{of}white__status": active}) | ~Q(**{f"{of}black__status": active})


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
    matters = games.filter(_differ() | Q(result="") & (Q(over_at__isnull=False) | _gone())).select_related(
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
