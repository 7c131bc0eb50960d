"""Who is online and who may do what, on the page People."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.factories import EventRoleFactory, UserFactory, section_of
from tests.web.logins.conftest import Clock, clock
from tests.web.staff.conftest import LogIn, address
from tournaments.models import Event, Section

__all__ = ["clock"]
PEOPLE = "/rijswijk/-/people/"


def last_seen(page: Client) -> list[tuple[str, str]]:
    """Return the people of the page with the text of the column Last seen."""
    table = page.get(PEOPLE).text.split("Last seen")[1].split("</tbody>")[0]
    rows = re.findall(r"<th scope=\"row\".*?>\s*(\w+)<.*?<td class=\"w36\">(.*?)</td>", table, re.DOTALL)
    return [(name, re.sub(r"<[^>]+>", "", cell).strip()) for name, cell in rows]


def test_people_see_who_is_online_and_when_the_others_were_last_here(
    owners_page: Client, page: Client, section: Section, clock: Clock
) -> None:
    EventRoleFactory(event=section.event, user=UserFactory(username="never"), role="viewer")
    page.get(address(section, "byes/"))
    owners_page.get(PEOPLE)
    here, away = "Now online", "17 Oct 09:05"
    fields = re.findall(r'<(?:input type="text"|select) name="(\w+)"', owners_page.get(PEOPLE).text)
    assert fields[:2] == ["name", "role"]  # the first field of the page has the focus
    assert last_seen(owners_page) == [("olga", here), ("ada", here), ("never", "")]
    clock.forward(minutes=5)
    page.get(address(section_of(2, slug="elsewhere"), "standings/"))
    clock.forward(minutes=6)
    assert last_seen(owners_page)[1] == ("ada", here)
    clock.forward(seconds=1)
    assert last_seen(owners_page)[1] == ("ada", away)
    page.get(address(section, "byes/"))
    assert last_seen(owners_page)[1] == ("ada", here)
    page.post("/logout/")
    assert last_seen(owners_page)[1] == ("ada", "17 Oct 09:11")


def test_arbiter_of_the_event_looks_at_the_people_and_changes_nothing(
    page: Client, event: Event, log_in: LogIn
) -> None:
    arbiter = log_in(EventRoleFactory(event=event, role="arbiter", user=UserFactory()).user)
    html = arbiter.get(PEOPLE).text
    assert "What each role may do" in html
    assert "Add a person" not in html
    assert arbiter.post(PEOPLE, {"username": "ada", "role": "owner"}).status_code == 403
    assert PEOPLE in arbiter.get("/rijswijk/").text
    assert PEOPLE not in Client().get("/rijswijk/").text


def test_chief_arbiter_of_a_section_invites_for_it_and_sees_nothing_of_the_others(
    event: Event, section: Section, owners_page: Client, log_in: LogIn
) -> None:
    other = section_of(2, event=event, name="Youth", slug="youth")
    stranger = UserFactory(username="stranger")
    row = EventRoleFactory(event=event, role="clerk", section=other, user=stranger)
    helper = EventRoleFactory(event=event, role="clerk", section=section, user=UserFactory(username="helper"))
    chief = log_in(EventRoleFactory(event=event, section=section, user=UserFactory()).user)
    log_in(stranger).get(address(other, "round/1/results/"))
    assert PEOPLE in chief.get("/rijswijk/").text
    html = chief.get(PEOPLE).text
    assert "helper" in html
    hidden = ("stranger", "<caption>Log", "people/remove/", "A new login", "A forgotten password")
    assert [each for each in hidden if each in html] == []
    offered = set(re.findall(r'<option value="([a-z-]*)"', html))
    assert offered == {"", "arbiter", "clerk", "check-in", "viewer"}
    sent = {"how": "link", "role": "arbiter", "name": "Nia", "sections": [str(other.pk)]}
    answer = chief.post(PEOPLE, sent)
    assert answer.status_code == 200
    assert list(event.invitations.get().sections.all()) == [section]  # the only one that the form knows
    assert chief.post(PEOPLE, {**sent, "role": "chief"}).status_code == 422
    assert chief.post(f"{PEOPLE}role/{row.pk}/end/").status_code == 404
    assert chief.post(f"{PEOPLE}role/{helper.pk}/end/").url == PEOPLE
    assert chief.post(f"{PEOPLE}remove/", {"username": "stranger"}).status_code == 403
    assert "Nia" in owners_page.get(PEOPLE).text


def test_chief_arbiter_of_two_sections_says_for_which(event: Event, section: Section, log_in: LogIn) -> None:
    user = UserFactory()
    other = section_of(2, event=event, name="Youth", slug="youth")
    section_of(2, event=event, name="Third", slug="third")
    for each in (section, other):
        EventRoleFactory(event=event, section=each, user=user)
    chief = log_in(user)
    assert "Third" not in chief.get(PEOPLE).text
    assert chief.post(PEOPLE, {"how": "link", "name": "Nia", "role": "clerk"}).status_code == 422
    sent = {"how": "account", "username": "nia", "role": "clerk", "sections": [str(other.pk)]}
    assert chief.post(PEOPLE, sent).url == PEOPLE
    assert list(event.invitations.get().sections.all()) == [other]


@pytest.mark.parametrize("role", ["clerk", "check-in", "viewer"])
def test_who_may_not_open_the_page_is_told_whom_to_ask(event: Event, log_in: LogIn, role: str) -> None:
    answer = log_in(EventRoleFactory(event=event, role=role, user=UserFactory()).user).get(PEOPLE)
    assert answer.status_code == 403
    assert "organiser" in answer.text
