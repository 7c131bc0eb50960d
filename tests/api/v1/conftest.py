from __future__ import annotations

import pytest

from tests.api.v1.program import Program
from tests.factories import EventFactory, EventRoleFactory, UserFactory, section_of
from tournaments.models import Event, EventRole, Section, User


@pytest.fixture
def event(db: None) -> Event:
    return EventFactory(slug="rijswijk", state="draft")


@pytest.fixture
def owner(event: Event) -> User:
    olga = UserFactory(username="olga", makes_events=True)
    return EventRoleFactory(event=event, user=olga, role=EventRole.Role.OWNER).user


@pytest.fixture
def section(event: Event) -> Section:
    return section_of(6, event=event, name="A", slug="a")


@pytest.fixture
def program(owner: User, event: Event) -> Program:
    """A program with all scopes, for one event."""
    return Program(owner, event)
