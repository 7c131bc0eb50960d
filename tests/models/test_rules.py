from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.factories import EventFactory, EventRoleFactory, TournamentFactory, UserFactory
from tournaments.models import Tournament, User

pytestmark = pytest.mark.django_db

PERMISSIONS = ("view_tournament", "run_tournament", "manage_event", "create_event")


def may(user: User | AnonymousUser, tournament: Tournament) -> set[str]:
    """Return what a person may do with a section. The person may do the same with its event."""
    allowed = {name for name in PERMISSIONS if user.has_perm(f"tournaments.{name}", tournament)}
    assert allowed == {name for name in PERMISSIONS if user.has_perm(f"tournaments.{name}", tournament.event)}
    return allowed


@pytest.mark.parametrize("public", [True, False])
def test_who_may_do_what(*, public: bool) -> None:
    tournament = TournamentFactory(event=EventFactory(public=public))
    seen = {"view_tournament"} if public else set()
    arbiter = EventRoleFactory(event=tournament.event, role="arbiter").user
    owner = EventRoleFactory(event=tournament.event, role="owner").user
    elsewhere = EventRoleFactory(role="owner").user
    assert may(AnonymousUser(), tournament) == seen
    assert may(UserFactory(), tournament) == {"create_event"} | seen
    assert may(elsewhere, tournament) == {"create_event"} | seen
    assert may(arbiter, tournament) == {"create_event", "view_tournament", "run_tournament"}
    assert may(owner, tournament) == set(PERMISSIONS)
    assert may(UserFactory(is_superuser=True), tournament) == set(PERMISSIONS)


def test_closed_account_may_do_nothing() -> None:
    tournament = TournamentFactory(event=EventFactory(public=False))
    for user in (
        EventRoleFactory(event=tournament.event, role="owner", user__is_active=False).user,
        UserFactory(is_superuser=True, is_active=False),
    ):
        assert may(user, tournament) == set()


def test_without_an_event_only_making_one_is_allowed() -> None:
    user = EventRoleFactory(role="owner").user
    assert {name for name in PERMISSIONS if user.has_perm(f"tournaments.{name}")} == {"create_event"}
