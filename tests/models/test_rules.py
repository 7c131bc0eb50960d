from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.factories import EventFactory, EventRoleFactory, SectionFactory, UserFactory
from tournaments.models import EventMakers, Invitation, Section, SiteSettings, User

pytestmark = pytest.mark.django_db

PERMISSIONS = ("view_section", "run_section", "manage_event", "create_event")


def may(user: User | AnonymousUser, section: Section) -> set[str]:
    """Return what a person may do with a section. The person may do the same with its event."""
    allowed = {name for name in PERMISSIONS if user.has_perm(f"tournaments.{name}", section)}
    assert allowed == {name for name in PERMISSIONS if user.has_perm(f"tournaments.{name}", section.event)}
    return allowed


@pytest.mark.parametrize("public", [True, False])
def test_who_may_do_what(*, public: bool) -> None:
    section = SectionFactory(event=EventFactory(state="unlisted" if public else "draft"))
    seen = {"view_section"} if public else set()
    arbiter = EventRoleFactory(event=section.event, role="arbiter").user
    owner = EventRoleFactory(event=section.event, role="owner").user
    elsewhere = EventRoleFactory(role="owner").user
    assert may(AnonymousUser(), section) == seen
    assert may(UserFactory(), section) == seen
    assert may(UserFactory(makes_events=True), section) == {"create_event"} | seen
    assert may(UserFactory(site_owner=True), section) == {"create_event"} | seen
    assert may(elsewhere, section) == seen
    assert may(arbiter, section) == {"view_section", "run_section"}
    assert may(owner, section) == {"view_section", "run_section", "manage_event"}
    assert may(UserFactory(is_superuser=True), section) == set(PERMISSIONS)


def test_closed_account_may_do_nothing() -> None:
    section = SectionFactory(event=EventFactory(state="draft"))
    for user in (
        EventRoleFactory(event=section.event, role="owner", user__is_active=False).user,
        UserFactory(is_superuser=True, is_active=False),
    ):
        assert may(user, section) == set()


SITE = ("manage_site", "create_event", "create_login", "load_copy", "manage_lists", "sign_up")


def on_the_site(user: User | AnonymousUser) -> set[str]:
    return {name for name in SITE if user.has_perm(f"tournaments.{name}")}


@pytest.mark.parametrize("makers", EventMakers.values)
def test_who_may_do_what_on_the_site(makers: str) -> None:
    SiteSettings.objects.create(pk=SiteSettings.ONLY, events_by=makers)
    everybody = {"create_event", "load_copy"} if makers == "everybody" else set()
    chosen = {"create_event", "load_copy"} if makers != "owners" else set()
    assert on_the_site(AnonymousUser()) == set()
    assert on_the_site(UserFactory()) == everybody
    assert on_the_site(UserFactory(makes_events=True)) == chosen
    assert on_the_site(UserFactory(makes_logins=True)) == {"create_login"} | everybody
    assert on_the_site(UserFactory(keeps_lists=True)) == {"manage_lists"} | everybody
    assert on_the_site(EventRoleFactory(role="arbiter").user) == everybody
    assert on_the_site(EventRoleFactory(role="owner").user) == {"load_copy"} | everybody
    assert on_the_site(UserFactory(site_owner=True)) == set(SITE) - {"sign_up"}
    assert on_the_site(UserFactory(site_owner=True, makes_events=True, is_active=False)) == set()


def test_only_visitors_sign_up_and_only_if_registration_is_open() -> None:
    assert on_the_site(AnonymousUser()) == set()
    SiteSettings.objects.create(pk=SiteSettings.ONLY, open_registration=True)
    assert on_the_site(AnonymousUser()) == {"sign_up"}
    assert on_the_site(UserFactory()) == set()


def test_invitation_is_answered_by_its_login_or_by_anybody_with_the_link() -> None:
    event, invited, other = EventFactory(), UserFactory(), UserFactory()
    by_name = Invitation(event=event, username="joost", user=invited)
    nobody = Invitation(event=event, username="nobody")
    link = Invitation(event=event, token_hash="a")
    claimed = Invitation(event=event, token_hash="b", user=invited)
    answers = {
        name: [user.has_perm("tournaments.answer_invitation", found) for user in (invited, other)]
        for name, found in {"name": by_name, "nobody": nobody, "link": link, "claimed": claimed}.items()
    }
    assert answers == {
        "name": [True, False],
        "nobody": [False, False],
        "link": [True, True],
        "claimed": [True, False],
    }
    assert not AnonymousUser().has_perm("tournaments.answer_invitation", link)
