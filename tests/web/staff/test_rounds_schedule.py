"""When rounds begin: the form on the settings page, and where it is shown."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.web.staff.conftest import address, paired, played
from tournaments.models import Section

DATES = {"day-1": "2026-10-17", "time-1": "14:00", "day-2": "2026-10-18"}


def save(page: Client, section: Section, **dates: str) -> tuple[int, str]:
    answer = page.post(address(section, "settings/rounds/"), dates)
    return answer.status_code, answer.content.decode()


def words(page: Client, section: Section, place: str) -> str:
    """A page without the line breaks of its template."""
    return " ".join(page.get(address(section, place)).content.decode().split())


def test_dates_of_rounds_are_saved_and_shown_again(page: Client, section: Section) -> None:
    assert save(page, section, **DATES)[0] == 302
    section.refresh_from_db()
    assert section.schedule[:3] == ["2026-10-17T14:00", "2026-10-18", ""]
    shown = page.get(address(section, "settings/?change=rounds")).content.decode()
    assert "data-toast" in shown
    assert re.search(r'name="day-1" value="2026-10-17"', shown)
    assert re.search(r'name="time-1" value="14:00"', shown)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"time-3": "10:00"}, "Type the day, not only the time."),
        ({"day-3": "soon"}, "Enter a valid date."),
        ({"time-1": "25:00"}, "Write the time as 14:00."),
        ({"day-2": "2026-10-16"}, "Round 2 cannot begin before round 1."),
    ],
)
def test_impossible_dates_have_an_error_on_the_page(
    page: Client, section: Section, wrong: dict[str, str], sentence: str
) -> None:
    status, html = save(page, section, **{**DATES, **wrong})
    assert (status, sentence in html) == (422, True)
    section.refresh_from_db()
    assert section.schedule == []


@pytest.mark.parametrize("place", ["cockpit/", "pairings/", "names/", "print/boards/", "print/names/"])
def test_date_of_a_round_is_shown_where_the_round_is(page: Client, section: Section, place: str) -> None:
    save(page, section, **DATES)
    paired(section)
    assert "Saturday 17 October 2026, 14:00. Published" in words(page, section, place)


def test_cockpit_says_when_the_next_round_begins(page: Client, section: Section) -> None:
    save(page, section, **DATES)
    assert "Round 1 begins Saturday 17 October 2026, 14:00" in words(page, section, "cockpit/")
    played(section)
    assert re.search(r"Round 2 begins Sunday 18 October 2026(?!,)", words(page, section, "cockpit/"))


def test_log_says_what_the_dates_were(page: Client, section: Section) -> None:
    save(page, section, **DATES)
    log = page.get(address(section, "log/")).content.decode()
    assert "Dates of the rounds changed" in log
    assert "round 1: 2026-10-17 14:00, round 2: 2026-10-18" in log
