"""An installation from before site owners keeps working after the migration."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps

from tests.factories import EventFactory, EventRoleFactory, UserFactory
from tournaments.models import User

pytestmark = pytest.mark.django_db


def migrate() -> None:
    (found,) = (Path(__file__).parents[2] / "tournaments" / "migrations").glob("*_rights.py")
    import_module(f"tournaments.migrations.{found.stem}").keep_rights(apps, None)


def rights() -> dict[str, set[str]]:
    names = ("site_owner", "makes_events", "makes_logins")
    return {user.username: {name for name in names if getattr(user, name)} for user in User.objects.all()}


def test_owners_of_events_keep_their_rights_and_the_oldest_of_them_owns_the_site() -> None:
    UserFactory(username="closed", is_active=False)
    EventRoleFactory(user=User.objects.get(), role="owner")
    EventRoleFactory(user=UserFactory(username="ada"), role="arbiter")
    olga = EventRoleFactory(user=UserFactory(username="olga"), role="owner").user
    EventRoleFactory(user=olga, event=EventFactory(), role="owner")
    EventRoleFactory(user=UserFactory(username="bo"), role="owner")
    migrate()
    kept = {"makes_events", "makes_logins"}
    assert rights() == {"closed": set(), "ada": set(), "olga": {"site_owner", *kept}, "bo": kept}


def test_oldest_superuser_owns_the_site() -> None:
    EventRoleFactory(user=UserFactory(username="olga"), role="owner")
    UserFactory(username="gone", is_superuser=True, is_active=False)
    UserFactory(username="first", is_superuser=True)
    UserFactory(username="second", is_superuser=True)
    migrate()
    assert {name for name, held in rights().items() if "site_owner" in held} == {"first"}


def test_without_owners_and_superusers_nobody_gets_a_right() -> None:
    EventRoleFactory(user=UserFactory(username="ada"), role="arbiter")
    migrate()
    assert rights() == {"ada": set()}
