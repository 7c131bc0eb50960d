"""The requests of logged-in people go first. Only a login makes a session known, and its end makes it unknown."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.factories import EventFactory, UserFactory
from tournaments.models import EventRole, User
from web.recent_logins import RecentLogin, known

pytestmark = pytest.mark.django_db
PASSWORD = "a long password"


@pytest.fixture
def user() -> User:
    return UserFactory(password=PASSWORD)


def key_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def test_a_session_is_known_from_the_login_to_the_logout(client: Client, user: User) -> None:
    client.post(reverse("login"), {"username": user.username, "password": PASSWORD})
    key = key_of(client)
    assert key in known
    client.post(reverse("logout"))
    assert key not in known


def test_a_session_of_before_a_restart_is_known_after_its_first_page(client: Client, user: User) -> None:
    client.force_login(user)
    assert key_of(client) not in known
    client.get(reverse("home"))
    assert key_of(client) in known


def test_an_invented_session_stays_unknown(client: Client) -> None:
    before = len(known)
    client.cookies[settings.SESSION_COOKIE_NAME] = "a" * 32
    client.get(reverse("home"))
    assert ("a" * 32 in known, len(known)) == (False, before)


def test_a_wrong_password_makes_nobody_known(client: Client, user: User) -> None:
    before = len(known)
    client.post(reverse("login"), {"username": user.username, "password": "wrong"})
    assert len(known) == before


def test_a_session_that_was_ended_elsewhere_is_forgotten_with_its_next_page(
    client: Client, user: User
) -> None:
    client.force_login(user)
    client.get(reverse("home"))
    assert key_of(client) in known
    client.session.delete()
    key = key_of(client)
    client.get(reverse("home"))
    assert key not in known


def test_a_user_who_may_no_longer_log_in_stays_unknown(client: Client, user: User) -> None:
    client.force_login(user)
    user.is_active = False
    user.save()
    client.get(reverse("home"))
    assert key_of(client) not in known


def test_a_login_without_any_role_does_not_work_here(client: Client, user: User) -> None:
    client.force_login(user)
    client.get(reverse("home"))
    assert known.get(key_of(client)) == RecentLogin(user.pk, works=False)


@pytest.mark.parametrize("role", ["owner", "arbiter"])
@pytest.mark.parametrize("page", ["home", "event"])
def test_a_login_with_a_role_in_an_event_works_here(client: Client, user: User, role: str, page: str) -> None:
    event = EventFactory()
    EventRole.objects.create(event=event, user=user, role=role)
    client.force_login(user)
    client.get(reverse("home") if page == "home" else f"/{event.slug}/")
    assert known.get(key_of(client)) == RecentLogin(user.pk, works=True)


@pytest.mark.parametrize("right", ["site_owner", "makes_events", "makes_logins", "keeps_lists"])
def test_a_login_with_a_right_on_the_site_works_here(client: Client, user: User, right: str) -> None:
    setattr(user, right, True)
    user.save()
    client.force_login(user)
    client.get(reverse("home"))
    assert known.get(key_of(client)) == RecentLogin(user.pk, works=True)
