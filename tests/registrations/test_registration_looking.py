"""Who else has a registration open: beside the rows of the queue and on the page of one registration."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import EventRoleFactory, UserFactory
from tests.registrations.conftest import address
from tests.registrations.factories import desk, sent
from tests.web.logins.conftest import Clock, clock
from tournaments.models import Section

__all__ = ["clock"]
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PART = {"HX-Request": "true"}


def person(of: Section, name: str) -> Client:
    client = Client()
    client.force_login(EventRoleFactory(event=of.event, user=UserFactory(username=name)).user)
    return client


def news(client: Client, page: str, **asked: object) -> dict[str, str]:
    answer = client.get(page, asked, headers=PART)
    return answer.json()["rows"] if answer.status_code == 200 else {}


def test_a_row_and_the_page_of_a_registration_name_who_else_has_it_open(clock: Clock) -> None:
    into = desk()
    one, two = sent(into, "A, X"), sent(into, "B, X")
    olga, ada = person(into, "olga"), person(into, "ada")
    page = address(into, f"{one.pk}/")
    ada.get(page)
    assert f'data-looked="{one.pk}"' in olga.get(address(into)).text
    assert news(olga, page) == {str(one.pk): "ada has this registration open"}
    assert news(ada, page) == {str(one.pk): "olga has this registration open"}
    clock.forward(seconds=5)
    ada.get(address(into, f"{two.pk}/"))
    assert news(olga, address(into)) == {str(two.pk): "ada has this registration open"}


def test_a_person_who_works_on_a_row_of_the_queue_is_named_there_until_the_page_no_longer_asks(
    clock: Clock,
) -> None:
    into = desk()
    one = sent(into)
    olga, ada, eve = person(into, "olga"), person(into, "ada"), person(into, "eve")
    news(ada, address(into), row=one.pk)
    news(eve, address(into), row=one.pk)
    answer = olga.get(address(into), headers=PART).json()
    assert answer["rows"] == {str(one.pk): "ada and eve have this registration open"}
    assert olga.get(address(into), {"seen": answer["mark"]}, headers=PART).status_code == 204
    clock.forward(seconds=60)
    news(eve, address(into))
    assert news(olga, address(into)) == {str(one.pk): "ada has this registration open"}
    clock.forward(seconds=31)
    assert news(olga, address(into)) == {}
    assert news(ada, address(into), row="x" * 30) == {}


def test_most_questions_about_a_registration_write_nothing(clock: Clock) -> None:
    into = desk()
    one, two = sent(into), sent(into)
    olga, ada = person(into, "olga"), person(into, "ada")

    def writes(registration: int) -> bool:
        with CaptureQueriesContext(connection) as made:
            news(ada, address(into, f"{registration}/"))
        return any("UPDATE" in query["sql"] for query in made)

    assert [writes(key) for key in (one.pk, one.pk, two.pk, two.pk)] == [True, False, True, False]
    clock.forward(seconds=59)
    assert writes(two.pk) is False
    clock.forward(seconds=1)
    assert writes(two.pk) is True
    clock.forward(seconds=60)
    ada.get(f"/{into.event.slug}/-/people/")
    assert news(olga, address(into)) == {}


def test_a_page_of_another_event_and_the_own_login_are_not_named() -> None:
    into, other = desk(), desk()
    one = sent(into)
    olga = person(into, "olga")
    olga.get(address(into, f"{one.pk}/"))
    assert news(olga, address(into)) == {}
    assert news(person(other, "ada"), address(other)) == {}
