"""The page Screens: the countdown by minutes or to a time, and the message."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from unittest import mock
from unittest.mock import patch

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import EventRoleFactory, UserFactory
from tests.web.staff.conftest import LogIn, address
from tournaments.models import EventRole, RoundStart, Section
from web.forms.hall import CountdownForm, moment_of

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def countdown(section: Section) -> datetime | None:
    return Section.objects.get(pk=section.pk).countdown_to


def test_list_gets_a_screen_with_a_short_address_that_stays_the_same(
    page: Client, section: Section, log_in: LogIn
) -> None:
    """Rows, seconds and parts are fields of the page of the screen: no address has them."""
    here = address(section, "screens/")
    html = page.get(here).text
    assert (html.count("Make the screen"), "?show=" in html, "rows=" in html) == (7, False, False)
    made = page.post(
        f"/{section.event.slug}/-/hall/", {"name": "A, names", "section": section.pk, "show": "names"}
    )
    screen = section.event.screens.get()
    assert (screen.section, screen.show, made.url) == (
        section,
        "names",
        f"/{section.event.slug}/-/hall/{screen.pk}/",
    )
    short = f"/-/{screen.code}/"
    html = page.get(here).text
    assert (html.count("Make the screen"), short in html, made.url in html) == (6, True, True)
    fields = {
        "theme": "dark",
        "rows": "12",
        "seconds": "20",
        "part": "2",
        "parts": "3",
        "section": section.pk,
    }
    assert page.post(made.url, fields).status_code == 302
    assert short in page.get(here).text
    assert 'data-seconds="20"' in page.get(short).text
    taken = page.post(f"/{section.event.slug}/-/hall/", {"name": "A, names", "show": "names"})
    assert (taken.status_code, 'name="show" value="names"' in taken.text) == (422, True)
    looks = EventRoleFactory(event=section.event, role=EventRole.Role.VIEWER, user=UserFactory()).user
    html = log_in(looks).get(here).text
    assert (html.count("Make the screen"), "?show=" in html, short in html) == (0, False, True)


def test_a_countdown_of_minutes_starts_and_ends(page: Client, section: Section) -> None:
    now = timezone.now()
    with mock.patch.object(timezone, "now", return_value=now):
        assert page.post(address(section, "screens/countdown/"), {"minutes": "8"}).status_code == 302
    assert countdown(section) == now + timedelta(minutes=8)
    assert "The screens count down to" in page.get(address(section, "screens/")).content.decode()
    page.post(address(section, "screens/countdown/"), {"off": "1", "minutes": ""})
    assert countdown(section) is None


def test_an_impossible_countdown_is_refused_with_a_message(page: Client, section: Section) -> None:
    for typed in [
        {},
        {"minutes": "8", "clock": "14:00"},
        {"minutes": "0"},
        {"minutes": "601"},
        {"minutes": "soon"},
        {"clock": "25:00"},
    ]:
        answer = page.post(address(section, "screens/countdown/"), typed)
        assert answer.status_code == 422, typed
        assert 'class="err"' in answer.content.decode() or 'role="alert"' in answer.content.decode(), typed
        assert countdown(section) is None, typed


@pytest.mark.parametrize(
    ("clock", "wanted"),
    [
        (time(14), NOON + timedelta(hours=2)),
        (time(11, 30), None),
        (time(0, 0, 30), None),
        (time(23, 59), NOON + timedelta(hours=11, minutes=59)),
    ],
)
def test_a_time_means_today(clock: time, wanted: datetime | None) -> None:
    with patch("django.utils.timezone.now", return_value=NOON):
        assert moment_of(clock) == wanted


def test_late_in_the_evening_a_morning_time_means_tomorrow() -> None:
    with patch("django.utils.timezone.now", return_value=NOON + timedelta(hours=11)):
        assert moment_of(time(9)) == NOON + timedelta(hours=21)


def test_the_time_of_the_next_round_is_offered(page: Client, section: Section) -> None:
    with patch("django.utils.timezone.now", return_value=NOON):
        section.schedule = [str(RoundStart(NOON.date(), time(14))), *[""] * 6]
        section.save()
        html = page.get(address(section, "screens/")).content.decode()
    assert 'value="14:00"' in html


def test_a_round_that_began_this_morning_is_not_offered_in_the_evening(
    page: Client, section: Section
) -> None:
    """Its time would mean tomorrow."""
    with patch("django.utils.timezone.now", return_value=NOON + timedelta(hours=11)):
        section.schedule = [str(RoundStart(NOON.date(), time(9))), *[""] * 6]
        section.save()
        html = page.get(address(section, "screens/")).content.decode()
    assert 'value="09:00"' not in html


def test_the_time_may_pass_while_the_form_is_read() -> None:
    form, midnight = CountdownForm({"clock": "00:00"}), NOON + timedelta(hours=12)
    with patch("django.utils.timezone.now", return_value=midnight - timedelta(seconds=1)):
        assert form.is_valid()
    with patch("django.utils.timezone.now", return_value=midnight):
        assert form.moment == midnight


def test_the_message_is_shown_and_removed(page: Client, section: Section) -> None:
    for message in ("Phones off.", ""):
        assert page.post(address(section, "screens/message/"), {"message": message}).status_code == 302
        assert Section.objects.get(pk=section.pk).hall_message == message
    assert page.post(address(section, "screens/message/"), {"message": "x" * 121}).status_code == 422


def test_the_log_has_the_changes(page: Client, section: Section) -> None:
    page.post(address(section, "screens/countdown/"), {"minutes": "8"})
    page.post(address(section, "screens/countdown/"), {"off": "1"})
    page.post(address(section, "screens/message/"), {"message": "Phones off."})
    html = page.get(address(section, "log/")).content.decode()
    for sentence in ("countdown to", "countdown off", "Hall screens: “Phones off.”"):
        assert sentence in html
