from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.queries.sections import make_section
from tournaments.models import Event, EventRole, Participant, User
from tournaments.queries.events import event_overview, public_events

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return User.objects.create_user("olga")


def test_everybody_sees_public_events_newest_first() -> None:
    for name, start, public in (
        ("Old", "2025-01-01", True),
        ("New", "2026-01-01", True),
        ("No", "2026-02-02", False),
    ):
        Event.objects.create(name=name, slug=name.lower(), start=start, end=start, public=public)
    assert [event.name for event in public_events(AnonymousUser())] == ["New", "Old"]


def test_a_private_event_is_listed_for_its_arbiters(user: User) -> None:
    event = Event.objects.create(name="No", slug="no", start="2026-02-02", end="2026-02-02", public=False)
    assert public_events(user) == ()
    EventRole.objects.create(event=event, user=user, role="arbiter")
    assert [(row.name, row.roles) for row in public_events(user)] == [("No", ("arbiter",))]


def test_an_event_with_many_people_is_listed_once(user: User) -> None:
    event = Event.objects.create(name="Yes", slug="yes", start="2026-02-02", end="2026-02-02")
    for name in ("a", "b"):
        EventRole.objects.create(event=event, user=User.objects.create_user(name), role="owner")
    assert [(row.name, row.roles) for row in public_events(user)] == [("Yes", ())]


def test_a_superuser_sees_all_as_owner() -> None:
    Event.objects.create(name="No", slug="no", start="2026-02-02", end="2026-02-02", public=False)
    root = User.objects.create_superuser("root")
    assert [(row.name, row.roles) for row in public_events(root)] == [("No", ("owner",))]


def test_a_section_shows_its_round_and_a_draft_only_to_staff(user: User) -> None:
    section = make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1800}, "Anna 1-0 Bert", "Bert . Anna", draft=True
    )
    Participant.objects.filter(player__name="Carl").update(status="expelled")
    event = section.row.event
    (row,) = event_overview(event, user).sections
    assert (row.name, row.slug, row.rounds, row.players, row.closed) == ("Open", "open", 5, 2, False)
    assert (row.round_number, row.round_state) == (1, "finished")
    EventRole.objects.create(event=event, user=user, role="arbiter")
    (row,) = event_overview(event, user).sections
    assert (row.round_number, row.round_state) == (2, "draft")


def test_each_line_is_a_deputy() -> None:
    event = Event.objects.create(
        name="E", slug="e", start="2026-02-02", end="2026-02-02", deputy_arbiters="FA Ilves\r\n\r\n NA Costa "
    )
    assert event_overview(event, AnonymousUser()).deputy_arbiters == ("FA Ilves", "NA Costa")
