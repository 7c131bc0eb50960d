"""Who else has a registration open: beside the rows of the queue and on the page of one registration."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import EventRoleFactory, UserFactory
from tests.registrations.conftest import address
from tests.registrations.factories import desk, sent
from tests.web.login.conftest import Clock, clock
from tournaments.models import Section
from tournaments.open_pages import open_pages

__all__ = ["clock"]
pytestmark = pytest.mark.django_db
PART = {"HX-Request": "true"}


def person(of: Section, name: str) -> Client:
    client = Client()
    client.force_login(EventRoleFactory(event=of.event, user=UserFactory(username=name)).user)
    return client


def noted(client: Client, page: str) -> list[str]:
    """Return who else has what open, as a page shows it."""
    html = client.get(page).content.decode()
    return re.findall(r"data-looked=\"\d+\"[^>]*>([^<]*)<", html)


def news(client: Client, page: str, **asked: object) -> dict[str, str]:
    answer = client.get(page, asked, headers=PART)
    return answer.json()["rows"] if answer.status_code == 200 else {}


def test_a_row_and_the_page_of_a_registration_name_who_else_has_it_open(clock: Clock) -> None:
    into = desk()
    one, two = sent(into, "A, X"), sent(into, "B, X")
    olga, ada = person(into, "olga"), person(into, "ada")
    page = address(into, f"{one.pk}/")
    assert noted(ada, page) == [""]
    assert noted(olga, address(into)) == ["ada has it open", ""]
    assert news(olga, page) == {str(one.pk): "ada has it open"}
    assert noted(ada, page) == ["olga has it open"]
    clock.forward(seconds=5)
    ada.get(address(into, f"{two.pk}/"))
    assert news(olga, address(into)) == {str(two.pk): "ada has it open"}


def test_a_person_who_works_on_a_row_of_the_queue_is_named_there_until_the_page_no_longer_asks(
    clock: Clock,
) -> None:
    into = desk()
    one = sent(into)
    olga, ada, eve = person(into, "olga"), person(into, "ada"), person(into, "eve")
    news(ada, address(into), row=one.pk)
    news(eve, address(into), row=one.pk)
    answer = olga.get(address(into), headers=PART).json()
    assert answer["rows"] == {str(one.pk): "ada and eve have it open"}
    assert olga.get(address(into), {"seen": answer["mark"]}, headers=PART).status_code == 204
    news(eve, address(into))
    assert news(olga, address(into)) == {str(one.pk): "ada has it open"}
    clock.forward(seconds=91)
    assert news(olga, address(into)) == {}
    assert news(ada, address(into), row="x" * 30) == {}


def test_another_process_knows_within_a_minute_and_most_questions_write_nothing(clock: Clock) -> None:
    into = desk()
    one, two = sent(into), sent(into)
    olga, ada = person(into, "olga"), person(into, "ada")
    clock.forward(seconds=31)  # the log-in was noted
    ada.get(address(into, f"{one.pk}/"))

    def elsewhere() -> dict[str, str]:
        open_pages.discard(ada.cookies["sessionid"].value)
        return news(olga, address(into))

    assert elsewhere() == {str(one.pk): "ada has it open"}
    written = 0
    for _ in range(12):  # a minute on another registration
        clock.forward(seconds=5)
        with CaptureQueriesContext(connection) as made:
            news(ada, address(into, f"{two.pk}/"))
        written += any("UPDATE" in query["sql"] for query in made)
    assert written == 2
    assert elsewhere() == {str(two.pk): "ada has it open"}
    clock.forward(seconds=31)
    ada.get(f"/{into.event.slug}/-/people/")
    assert elsewhere() == {}


def test_a_page_of_another_event_and_the_own_login_are_not_named() -> None:
    into, other = desk(), desk()
    one = sent(into)
    olga = person(into, "olga")
    olga.get(address(into, f"{one.pk}/"))
    assert news(olga, address(into)) == {}
    assert news(person(other, "ada"), address(other)) == {}
