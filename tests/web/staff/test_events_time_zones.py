"""The time zone of an event: chosen in its form, and used wherever the event shows or reads a time."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils import timezone

from base.zones import zone_called, zone_names
from tests.factories import EventFactory, section_of
from tests.web.staff.conftest import address, enter, paired
from tournaments.models import ActionLog, Event, Round, Section

NOON = datetime(2026, 10, 17, 12, 0, tzinfo=UTC)
DAYS = ("2026-10-17", "2026-10-18")
AUCKLAND = "Pacific/Auckland"  # 13 hours ahead of UTC in October


@pytest.fixture
def far(section: Section, monkeypatch: pytest.MonkeyPatch) -> Section:
    """A section in Auckland; at noon in Greenwich its first round is published and board 1 has a result."""
    Event.objects.filter(pk=section.event_id).update(time_zone=AUCKLAND)
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOON)
    enter(paired(section).games.get(board=1), "1-0")
    section.refresh_from_db()
    row = {"event": section.event, "section": section, "who": "command", "revision": 99}
    ActionLog.objects.create(at=NOON, action="set_hall_message", after={"message": "At noon"}, **row)
    return section


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return " ".join(answer.content.decode().split())


def test_names_are_those_of_places() -> None:
    assert {"Europe/Vienna", "Asia/Kolkata", "America/Argentina/Buenos_Aires", "UTC"} <= set(zone_names())
    assert {"CET", "US/Central", "Etc/GMT+5", "posix/Europe/Vienna", "localtime"} & set(zone_names()) == set()


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("europe/vienna", "Europe/Vienna"),
        (" America/New York ", "America/New_York"),
        ("utc", "UTC"),
        ("Vienna", ""),
    ],
)
def test_name_is_found_however_it_is_typed(typed: str, found: str) -> None:
    assert zone_called(typed) == found


def test_pages_and_paper_show_the_time_of_the_event(page: Client, far: Section) -> None:
    for path, time in [
        ("log/", "18 Oct 01:00:00"),
        ("results/1/", ">01:00</td>"),
        ("round/1/pairings/", "18 Oct 01:00"),
        ("print/boards/1/", "Published 18 Oct 2026, 01:00 (Pacific/Auckland)."),
        ("print/standings/1/", "As of 18 Oct 2026, 01:00 (Pacific/Auckland)."),
        ("settings/", "<dt>Time zone</dt><dd>Pacific/Auckland"),
    ]:
        assert time in text(page, address(far, path)), path


def test_screen_shows_the_clock_of_the_event(page: Client, far: Section) -> None:
    assert page.get(address(far, "screen/"))["X-Clock"] == "01:00"


def test_log_as_a_file_has_the_time_of_the_event(page: Client, far: Section) -> None:
    table = page.get(address(far, "log/file/csv/")).content.decode("utf-8-sig")
    assert next(csv.DictReader(io.StringIO(table), delimiter=";"))["Time"] == "2026-10-18T01:00:00+13:00"
    assert page.get(address(far, "log/file/json/")).json()[0]["time"] == "2026-10-18T01:00:00+13:00"


def test_days_of_the_log_are_those_of_the_event(page: Client, far: Section) -> None:
    there = {day: "At noon" in text(page, address(far, f"log/?first={day}&last={day}")) for day in DAYS}
    assert there == {"2026-10-17": False, "2026-10-18": True}


def test_countdown_is_typed_in_the_time_of_the_event(page: Client, far: Section) -> None:
    page.post(address(far, "screens/countdown/"), {"clock": "02:30"})
    far.refresh_from_db()
    assert far.countdown_to == datetime(2026, 10, 17, 13, 30, tzinfo=UTC)


def test_next_request_is_in_the_zone_of_the_server_again(page: Client, far: Section) -> None:
    other = section_of(4, event=EventFactory(state="public"))
    paired(other)
    Round.objects.filter(section=other).update(published_at=NOON)
    text(page, address(far, "log/"))
    shown = timezone.localtime(NOON).strftime("%H:%M")
    assert shown != "01:00"
    assert (
        f"Published {timezone.localtime(NOON):%-d %b %Y}, {shown} ({timezone.get_current_timezone_name()})."
        in text(page, address(other, "print/boards/1/"))
    )


def test_zone_is_chosen_in_the_form_of_the_event(owners_page: Client, event: Event) -> None:
    form = text(owners_page, "/rijswijk/-/edit/")
    assert '<option value="Europe/Vienna">' in form
    values = {"name": "Rijswijk Open", "start": "2026-10-17", "end": "2026-10-25", "state": "public"}
    answer = owners_page.post("/rijswijk/-/edit/", {**values, "time_zone": "Middle Earth"})
    assert answer.status_code == 422
    assert "“Middle Earth” is not a time zone." in answer.content.decode()
    assert owners_page.post("/rijswijk/-/edit/", {**values, "time_zone": "europe/london"}).status_code == 302
    event.refresh_from_db()
    assert event.time_zone == "Europe/London"
    assert ActionLog.objects.latest("pk").after["time_zone"] == "Europe/London"


def test_zone_that_this_computer_does_not_know_is_that_of_the_server(page: Client, far: Section) -> None:
    Event.objects.update(time_zone="Mars/Olympus_Mons")
    shown = timezone.localtime(NOON).strftime("%H:%M:%S")
    assert shown in text(page, address(far, "log/"))
