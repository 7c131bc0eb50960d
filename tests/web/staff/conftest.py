"""Fixtures and helpers for the pages of arbiters: people, and sections made by the actions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from pairing.rounds import pair_next_round, publish_round
from tests.factories import EventFactory, EventRoleFactory, UserFactory, section_of
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.models import Event, EventRole, Game, Round, Section, User

LogIn = Callable[[User], Client]


@pytest.fixture
def event(db: None) -> Event:
    return EventFactory(name="Rijswijk Open", slug="rijswijk")


@pytest.fixture
def owner(event: Event) -> User:
    """An organiser who may also make events and logins, and keeps the lists: a site owner gave these rights."""
    olga = UserFactory(username="olga", makes_events=True, makes_logins=True, keeps_lists=True)
    return EventRoleFactory(event=event, role=EventRole.Role.OWNER, user=olga).user


@pytest.fixture
def arbiter(event: Event) -> User:
    return EventRoleFactory(event=event, user=UserFactory(username="ada")).user


@pytest.fixture
def log_in() -> LogIn:
    """Return a function that returns the test client of a user. The client sends no CSRF token by itself."""

    def log_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return log_in


@pytest.fixture
def page(arbiter: User, log_in: LogIn) -> Client:
    """The browser of an arbiter."""
    return log_in(arbiter)


@pytest.fixture
def owners_page(owner: User, log_in: LogIn) -> Client:
    """The browser of the organiser."""
    return log_in(owner)


@pytest.fixture
def section(event: Event) -> Section:
    """Eight players, nothing paired."""
    return section_of(8, event=event, name="Section A", slug="a")


def address(section: Section, rest: str = "") -> str:
    return f"/{section.event.slug}/{section.slug}/{rest}"


def paired(section: Section, *, published: bool = True) -> Round:
    """Pair the next round, and publish it."""
    last = section.played_rounds.count()
    row = pair_next_round(actor=Actor.command(), section_id=section.pk, after_round=last)
    if published:
        row = publish_round(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    return row


def enter(game: Game, result: str) -> Game:
    game.refresh_from_db()
    return record_result(actor=Actor.command(), game_id=game.pk, result=result, seen_version=game.version)


def played(section: Section) -> Round:
    """Pair and publish the next round, and write a draw on every board: on the last one as an arbiter does, on the
    others without a row of the log each, which tests that do not look at the log need not wait for.
    """
    row = paired(section)
    *others, last = row.games.order_by("board")
    written = {"result": "1/2", "entered_at": timezone.now(), "version": F("version") + 1}
    row.games.filter(pk__in=[game.pk for game in others]).update(**written)
    enter(last, "1/2")
    return row


def played_and_logged(section: Section) -> Round:
    """Pair and publish the next round, and enter a draw on every board."""
    row = paired(section)
    for game in row.games.all():
        enter(game, "1/2")
    return row
