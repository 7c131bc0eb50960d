"""A wrong clock deletes nothing: what the time ends waits until there is a second sign that the time is right."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from registrations.actions.clock import forget
from registrations.models import EventRegistration, Registration
from server import health
from server.chores import Chores, Registrations
from tests.factories import EventRoleFactory, UserFactory
from tests.registrations.factories import desk, sent
from tournaments.actions.chores import CLOCK_LOOKS, ENOUGH_SECONDS, doubted_from, sure_now, trust_clock
from tournaments.models import EventRole

pytestmark = pytest.mark.django_db
NOW = datetime(2090, 5, 1, 11, tzinfo=UTC)
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
WRONG = 120 * DAY
At = Callable[[datetime], None]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> At:
    """Return a function that sets the clock of the server."""

    def set_clock(now: datetime) -> None:
        monkeypatch.setattr(timezone, "now", lambda: now)

    set_clock(NOW)
    return set_clock


def test_a_jump_of_the_clock_is_in_doubt_until_the_clock_is_put_right(at: At) -> None:
    assert sure_now() == NOW
    at(NOW + WRONG)
    assert [sure_now(), sure_now(NOW + WRONG + 5 * MINUTE)] == [NOW, NOW]
    at(NOW + 6 * MINUTE)
    assert (sure_now(), doubted_from()) == (NOW + 6 * MINUTE, None)


def test_a_jump_counts_as_right_after_a_day_of_running(at: At) -> None:
    sure_now()
    looks = range(int(ENOUGH_SECONDS / CLOCK_LOOKS) + 2)
    found = [sure_now(NOW + WRONG + look * CLOCK_LOOKS) for look in looks]
    assert found[: len(found) - 2] == [NOW] * (len(found) - 2)
    assert found[-1] == NOW + WRONG + looks[-1] * CLOCK_LOOKS


def test_a_server_that_was_off_for_a_night_has_no_doubt(at: At) -> None:
    sure_now()
    assert sure_now(NOW + timedelta(hours=20)) == NOW + timedelta(hours=20)
    assert doubted_from() is None


def test_a_clock_that_is_set_back_deletes_nothing_early_and_is_in_no_doubt(at: At) -> None:
    sure_now()
    assert sure_now(NOW - WRONG) == NOW - WRONG


def test_without_any_note_of_the_time_the_newest_login_says_what_time_it_was(at: At) -> None:
    person = Client()
    person.force_login(UserFactory())
    person.get("/")
    at(NOW + WRONG)
    assert sure_now() == NOW


def test_the_server_with_a_wrong_clock_deletes_no_contacts_and_ends_no_offer(
    at: At, settings: Settings
) -> None:
    settings.MAIL_IS_SET_UP, settings.BACKUP_TO = True, ""
    into = desk(event={"start": "2090-06-01", "end": "2090-06-03"})
    one = sent(into)
    Registration.objects.update(state="offered", deadline=NOW + 2 * DAY)
    Session.objects.create(session_key="valid", session_data="", expire_date=NOW + 10 * DAY)
    person = Client()
    person.force_login(EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user)

    def work() -> None:
        for thread in (Chores(), Registrations()):
            thread._run = lambda *_command, **_: ""  # type: ignore[method-assign,misc,assignment]
            thread.look()

    work()
    at(NOW + WRONG)
    for minute in range(3):
        at(NOW + WRONG + minute * MINUTE)
        work()
    one.refresh_from_db()
    assert (bool(one.email), one.state) == (True, "offered")
    assert Session.objects.filter(session_key="valid").exists()
    assert EventRegistration.objects.get().contacts_end_at is None
    assert health.clock().warning == "the clock has jumped"
    at(NOW + MINUTE)
    work()
    assert health.clock() == health.Finding({"sure": True})


def test_pages_and_mails_say_a_day_before_that_contacts_are_deleted(at: At, settings: Settings) -> None:
    settings.MAIL_IS_SET_UP = True
    into = desk(event={"start": "2090-03-28", "end": "2090-03-31"})
    one = sent(into)
    owner = UserFactory(email="owner@example.org")
    EventRoleFactory(event=into.event, role=EventRole.Role.OWNER, user=owner)
    sure_now()
    thread = Registrations()
    thread._run = lambda *_command, **_: ""  # type: ignore[method-assign,misc,assignment]
    thread.look()
    assert [(found.to, "2 May 2090, 11:00" in str(found.body)) for found in mail.outbox] == [
        ([owner.email], True)
    ]
    assert forget(NOW + timedelta(hours=23)) == []
    one.refresh_from_db()
    assert one.email
    EventRegistration.objects.update(kept_days=60)
    forget(NOW + 2 * DAY)
    assert EventRegistration.objects.get().contacts_end_at is None
    EventRegistration.objects.update(kept_days=30)
    forget(NOW + 3 * DAY)
    forget(NOW + 4 * DAY)
    one.refresh_from_db()
    assert one.email == ""


def test_a_site_owner_confirms_the_time(at: At) -> None:
    sure_now()
    at(NOW + WRONG)
    sure_now()
    owner = Client()
    owner.force_login(UserFactory(site_owner=True))
    assert "jumped from 1 May 2090, 11:00 to 29 August 2090, 11:00" in owner.get("/site/").content.decode()
    assert owner.post("/site/time/").status_code == 302
    assert "has jumped" not in owner.get("/site/").content.decode()
    assert sure_now() == NOW + WRONG
    trust_clock()
    assert doubted_from() is None
