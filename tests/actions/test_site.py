"""Rights of logins, and the settings of the site."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, transaction

from tests.actions.refusals import refused, unchanged
from tests.factories import UserFactory
from tournaments.actions.ledger import Actor
from tournaments.actions.site import choose_site_settings, has_site_owner, set_rights
from tournaments.models import SiteLog, SiteSettings, User

pytestmark = pytest.mark.django_db


def rights(user: User) -> set[str]:
    user.refresh_from_db()
    return {name for name in ("site_owner", "makes_events", "makes_logins") if getattr(user, name)}


def test_new_installation_lets_chosen_logins_make_events_and_registration_is_closed() -> None:
    settings = SiteSettings()
    assert (settings.events_by, settings.open_registration) == ("chosen", False)


def test_settings_are_chosen_and_logged(actor: Actor) -> None:
    choose_site_settings(actor=actor, events_by="owners", open_registration=False)
    choose_site_settings(actor=actor, events_by="owners", open_registration=True)
    found = SiteSettings.objects.get()
    assert (found.events_by, found.open_registration) == ("owners", True)
    logged = [(row.who, row.action, row.before, row.after) for row in SiteLog.objects.order_by("pk")]
    assert logged == [
        ("arbiter", "choose_site_settings", {"events_by": "chosen"}, {"events_by": "owners"}),
        ("arbiter", "choose_site_settings", {"open_registration": False}, {"open_registration": True}),
    ]
    with unchanged():
        choose_site_settings(actor=actor, events_by="owners", open_registration=True)


def test_rights_are_given_and_taken(actor: Actor) -> None:
    UserFactory(site_owner=True)
    one, two = UserFactory(username="one"), UserFactory(username="two", makes_events=True, makes_logins=True)
    changes = {
        one.pk: {"site_owner": True, "makes_events": False},
        two.pk: {"makes_events": False},
        0: {"makes_events": True},
    }
    assert set_rights(actor=actor, changes=changes) == 2
    assert (rights(one), rights(two)) == ({"site_owner"}, {"makes_logins"})
    logged = [(row.action, row.subject, row.before, row.after) for row in SiteLog.objects.order_by("pk")]
    assert logged == [
        ("set_rights", "one", {"site_owner": False}, {"site_owner": True}),
        ("set_rights", "two", {"makes_events": True}, {"makes_events": False}),
    ]
    with unchanged():
        assert set_rights(actor=actor, changes=changes) == 0


@pytest.fixture
def actor(actor: Actor) -> Actor:
    """Somebody who is no site owner."""
    User.objects.filter(pk=actor.user.pk).update(is_superuser=False)
    return actor


def test_last_site_owner_cannot_be_removed(actor: Actor) -> None:
    last = UserFactory(site_owner=True)
    UserFactory(site_owner=True, is_active=False)
    UserFactory(is_superuser=True, is_active=False)
    with refused("last_site_owner"):
        set_rights(actor=actor, changes={last.pk: {"site_owner": False, "makes_events": True}})
    other = UserFactory()
    set_rights(actor=actor, changes={last.pk: {"site_owner": False}, other.pk: {"site_owner": True}})
    assert (rights(last), rights(other)) == (set(), {"site_owner"})


def test_superuser_counts_as_site_owner(actor: Actor) -> None:
    last = UserFactory(site_owner=True)
    UserFactory(is_superuser=True)
    set_rights(actor=actor, changes={last.pk: {"site_owner": False}})
    assert has_site_owner()


def test_command_names_a_site_owner() -> None:
    user = UserFactory(username="olga")
    call_command("name_site_owner", "olga", verbosity=0)
    assert rights(user) == {"site_owner"}
    row = SiteLog.objects.get()
    assert (row.who, row.user, row.subject) == ("command", None, "olga")
    UserFactory(username="gone", is_active=False)
    for name in ("nobody", "gone"):
        with unchanged(), pytest.raises(CommandError, match=f"no login with the name {name}"):
            call_command("name_site_owner", name)


def test_site_has_one_row_of_settings() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        SiteSettings.objects.create(pk=2)


def test_log_of_the_site_is_append_only(actor: Actor) -> None:
    choose_site_settings(actor=actor, events_by="owners", open_registration=False)
    row = SiteLog.objects.get()
    for change in (row.save, row.delete, SiteLog.objects.all().delete):
        with pytest.raises(TypeError):
            change()
