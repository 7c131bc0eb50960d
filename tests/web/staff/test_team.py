"""Who has what open, on the page People."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.translation import override

from manual.places import PLACES
from tests.factories import EventRoleFactory, UserFactory, section_of
from tests.web.login.conftest import Clock, clock
from tests.web.staff.conftest import LogIn, address, paired
from tournaments.models import Event, LoginSession, Section, User
from tournaments.open_pages import open_pages
from web.words.people import PAGES, page_words

__all__ = ["clock"]
PEOPLE = "/rijswijk/-/people/"
FOR_PLAYERS = {"register", "registration-sent", "registration-again", "own-registration", "new-address"}
NOT_NAMED = {*FOR_PLAYERS, "event", "kept-of", "screen", "entry-list"}


def seats(page: Client) -> list[list[str]]:
    """Return the rows of the table as text, without the times."""
    table = page.get(PEOPLE).text.split('id="seats"')[1].split("</table>")[0].split("<tbody>")[1]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in table.split("</tr>")[:-1]]
    return [[re.sub(r"<[^>]+>", "", cell).strip() for cell in row[:3]] for row in rows]


def test_people_who_work_together_see_who_has_what_open(
    owners_page: Client, page: Client, section: Section, log_in: LogIn, clock: Clock
) -> None:
    paired(section)
    ada, people = ["ada", "Results, round 1", "Section A"], ["olga", "People", ""]
    owners_page.get(PEOPLE)
    page.get(address(section, "round/1/results/"))
    assert seats(owners_page) == [ada, people]
    clock.forward(seconds=5)
    page.get(address(section, "byes/"))
    page.post(address(section, "initial-colour/"))
    page.get(address(section, "no-such-page/"))
    assert seats(owners_page) == [["ada", "Byes", "Section A"], people]
    elsewhere = section_of(2, slug="other")
    EventRoleFactory(event=elsewhere.event, user=User.objects.get(username="ada"))
    page.get(address(elsewhere, "cockpit/"))
    assert seats(owners_page) == [people]


def test_page_that_was_left_or_not_asked_for_since_an_hour_is_not_open(
    owners_page: Client, page: Client, section: Section, clock: Clock
) -> None:
    page.get(address(section, "byes/"))
    clock.forward(minutes=59)
    owners_page.get(PEOPLE)
    assert [row[0] for row in seats(owners_page)] == ["olga", "ada"]
    clock.forward(minutes=2)
    assert [row[0] for row in seats(owners_page)] == ["olga"]
    page.get(address(section, "byes/"))
    page.post("/logout/")
    assert [row[0] for row in seats(owners_page)] == ["olga"]


def test_open_page_asks_for_news_and_gets_none_while_nobody_opens_another_page(
    owners_page: Client, page: Client, section: Section, clock: Clock
) -> None:
    owners_page.get(PEOPLE)
    page.get(address(section, "byes/"))
    seen = re.findall(r'data-seen="(\w+)"', owners_page.get(PEOPLE).text)[0]

    def news() -> int:
        return owners_page.get(PEOPLE, {"seen": seen}, headers={"HX-Request": "true"}).status_code

    assert news() == 204
    page.get(address(section, "entries/"))
    assert news() == 200


def test_what_another_process_has_seen_is_in_the_database(
    owners_page: Client, page: Client, section: Section, clock: Clock
) -> None:
    clock.forward(minutes=11)
    page.get(address(section, "byes/"))
    assert LoginSession.objects.get(user__username="ada").page == "byes rijswijk a -"
    open_pages.discard(page.cookies["sessionid"].value)
    assert seats(owners_page) == [["ada", "Byes", "Section A"]]


def test_arbiter_of_the_event_looks_at_the_people_and_changes_nothing(
    page: Client, event: Event, log_in: LogIn
) -> None:
    arbiter = log_in(EventRoleFactory(event=event, role="arbiter", user=UserFactory()).user)
    html = arbiter.get(PEOPLE).text
    assert "What each role may do" in html
    assert "Invite by a link" not in html
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
    hidden = ("stranger", "What was done", "people/remove/", "Make a login", "A forgotten password")
    assert [each for each in hidden if each in html] == []
    offered = set(re.findall(r'<option value="([a-z-]+)"', html))
    assert offered == {"arbiter", "clerk", "check-in", "viewer"}
    sent = {"link-role": "arbiter", "link-note": "Nia", "link-sections": [str(other.pk)]}
    answer = chief.post(f"{PEOPLE}invite/", sent)
    assert answer.status_code == 200
    assert list(event.invitations.get().sections.all()) == [section]  # the only one that the form knows
    assert chief.post(f"{PEOPLE}invite/", {**sent, "link-role": "chief"}).status_code == 422
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
    assert chief.post(f"{PEOPLE}invite/", {"link-role": "clerk"}).status_code == 422
    assert chief.post(PEOPLE, {"username": "nia", "role": "clerk", "sections": [str(other.pk)]}).url == PEOPLE
    assert list(event.invitations.get().sections.all()) == [other]


def pages_of_events(patterns: Sequence[URLPattern | URLResolver]) -> Iterator[str]:
    for one in patterns:
        if isinstance(one, URLResolver):
            yield from pages_of_events(one.url_patterns if one.app_name != "api" else [])
        elif "event" in one.pattern.converters and one.name in PLACES:
            yield one.name


def test_every_page_of_an_event_has_a_name_there() -> None:
    of_event = set(pages_of_events(get_resolver().url_patterns))
    assert sorted(of_event - NOT_NAMED - PAGES.keys()) == []
    assert sorted(PAGES.keys() - of_event) == []
    with override("en"):
        assert page_words("why", 3) == "Why this pairing? Round 3"


@pytest.mark.parametrize("role", ["clerk", "check-in", "viewer"])
def test_who_may_not_open_the_page_is_told_whom_to_ask(event: Event, log_in: LogIn, role: str) -> None:
    answer = log_in(EventRoleFactory(event=event, role=role, user=UserFactory()).user).get(PEOPLE)
    assert answer.status_code == 403
    assert "organiser" in answer.text
