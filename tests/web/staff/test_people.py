"""The page People: invitations by name and by link, their answers, and what was done."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import EventRoleFactory, SectionFactory, UserFactory
from tests.web.staff.conftest import LogIn, address
from tournaments.actions.ledger import Actor
from tournaments.actions.people import invite_by_link, invite_by_name
from tournaments.models import Event, Invitation, Section, User

PEOPLE = "/rijswijk/-/people/"
PASSWORD = "knights-on-the-rim"


def link_of(html: str) -> str:
    """Return the path of the link that the page shows."""
    return re.findall(r'id="the-link" value="http://testserver([^"]+)"', html)[0]


def without_tokens(html: str) -> str:
    return re.sub(r'[0-9a-zA-Z]{64}|data-seen="\w+"|<span data-since=.*?</span>', "", html)


def make_link(page: Client, **sent: str) -> str:
    answer = page.post(PEOPLE, {"how": "link", "role": "arbiter", "name": "Somebody", **sent})
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    return link_of(answer.content.decode())


def test_invited_login_accepts_on_the_first_page(
    owners_page: Client, section: Section, log_in: LogIn
) -> None:
    joost = log_in(UserFactory(username="joost"))
    owners_page.post(PEOPLE, {"how": "account", "username": "joost", "role": "arbiter"})
    assert joost.get(address(section, "cockpit/")).status_code == 403
    html = joost.get("/").content.decode()
    assert "<b>olga</b> invites you to <b>Rijswijk Open</b>. Your role: <b>arbiter</b>." in html
    (target,) = re.findall(r'action="(/invitation/\d+/answer/)"', html)
    answer = joost.post(target, {"answer": "accept"})
    assert (answer.status_code, answer.url) == (302, "/rijswijk/")
    assert joost.get(address(section, "cockpit/")).status_code == 200
    assert "invites you" not in joost.get("/").content.decode()


def test_invited_login_declines(owners_page: Client, event: Event, log_in: LogIn) -> None:
    joost = log_in(UserFactory(username="joost"))
    owners_page.post(PEOPLE, {"how": "account", "username": "joost", "role": "arbiter"})
    target = f"/invitation/{event.invitations.get().pk}/answer/"
    assert joost.post(target, {"answer": "decline"}).url == "/"
    assert joost.post(target, {"answer": "accept"}).status_code == 404
    assert not event.roles.filter(user__username="joost").exists()
    assert "joost declined: arbiter" in owners_page.get(PEOPLE).content.decode()


def test_nobody_answers_the_invitation_of_somebody_else(
    owners_page: Client, event: Event, log_in: LogIn, client: Client
) -> None:
    UserFactory(username="joost")
    owners_page.post(PEOPLE, {"how": "account", "username": "joost", "role": "owner"})
    target = f"/invitation/{event.invitations.get().pk}/answer/"
    assert log_in(UserFactory()).post(target, {"answer": "accept"}).status_code == 404
    assert client.post(target, {"answer": "accept"}).status_code == 403
    assert event.invitations.get().state == Invitation.State.OPEN


def test_answer_to_an_invitation_does_not_say_whether_the_login_exists(
    owners_page: Client, event: Event
) -> None:
    UserFactory(username="joost")
    pages, queries = [], []
    owners_page.get(PEOPLE)
    for name in ("joost", "hanna"):
        with CaptureQueriesContext(connection) as counted:
            answer = owners_page.post(PEOPLE, {"how": "account", "username": name, "role": "arbiter"})
        assert (answer.status_code, answer.url) == (302, PEOPLE)
        pages.append(without_tokens(owners_page.get(PEOPLE).content.decode()).replace(name, "NAME"))
        queries.append(len(counted))
        event.invitations.all().delete()
        pages[-1] = re.sub(r"(revoke|again)/\d+", r"\1", pages[-1])
        owners_page.get(PEOPLE)
    first, second = (re.sub(r"<caption>Log.*?</table>", "", page, flags=re.DOTALL) for page in pages)
    assert first == second
    assert queries[0] == queries[1]


def test_removing_a_stranger_answers_like_removing_nobody(owners_page: Client, event: Event) -> None:
    UserFactory(username="joost")
    answers = [owners_page.post(f"{PEOPLE}remove/", {"username": name}) for name in ("joost", "hanna")]
    assert [answer.status_code for answer in answers] == [404, 404]
    first, second = (without_tokens(answer.content.decode()) for answer in answers)
    assert first == second


def test_link_leads_a_visitor_to_a_login_and_to_the_event(
    owners_page: Client, section: Section, client: Client
) -> None:
    link = make_link(owners_page, name="Nia")
    html = client.get(link).content.decode()
    assert "<b>olga</b> invites you to <b>Rijswijk Open</b>. Your role: <b>arbiter</b>." in html
    assert f'href="/login/?next={link}"' in html
    sent = {"username": "nia", "full_name": "Nia Dam", "password": PASSWORD, "again": PASSWORD}
    answer = client.post(f"{link}login/", sent)
    assert (answer.status_code, answer.url) == (302, link)
    assert client.get(address(section, "cockpit/")).status_code == 403
    assert "Accept the invitation" in client.get(link).content.decode()
    assert client.post(link, {"answer": "accept"}).url == "/rijswijk/"
    assert client.get(address(section, "cockpit/")).status_code == 200
    assert client.get(link).status_code == 404
    assert client.get("/new/").status_code == 403
    log = owners_page.get(PEOPLE).content.decode()
    assert "nia accepted: arbiter" in log
    assert "Link made for Nia, role: arbiter" in log


def test_last_day_that_is_offered_has_not_passed(owners_page: Client, event: Event) -> None:
    event.start, event.end = date(2020, 5, 1), date(2020, 5, 3)
    event.save()
    offered = re.findall(r'name="until" value="([0-9-]+)"', owners_page.get(PEOPLE).content.decode())
    assert [day > str(timezone.localdate()) for day in offered] == [True]


def test_link_is_for_people_with_a_login_too(owners_page: Client, event: Event, log_in: LogIn) -> None:
    link = make_link(owners_page, role="owner")
    joost = log_in(UserFactory(username="joost"))
    assert "You are logged in as joost." in joost.get(link).content.decode()
    assert joost.post(link, {"answer": "decline"}).url == "/"
    assert joost.get(link).status_code == 404
    assert not event.roles.filter(user__username="joost").exists()


def test_link_is_shown_once(owners_page: Client, event: Event) -> None:
    link = make_link(owners_page)
    assert link not in owners_page.get(PEOPLE).content.decode()


def test_organiser_who_opens_their_own_link_does_not_use_it(owners_page: Client, event: Event) -> None:
    link = make_link(owners_page)
    assert "You already work on this event as owner" in owners_page.get(link).content.decode()
    assert owners_page.post(link, {"answer": "accept"}).status_code == 422
    assert Client().get(link).status_code == 200


def test_revoked_link_and_invented_link_get_the_same_page(
    owners_page: Client, event: Event, client: Client
) -> None:
    link = make_link(owners_page)
    answer = owners_page.post(f"{PEOPLE}revoke/{event.invitations.get().pk}/")
    assert (answer.status_code, answer.url) == (302, PEOPLE)
    invented = f"/invitation/{'x' * 43}/"
    answers = [client.get(path) for path in (link, invented)]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].content.replace(link.encode(), invented.encode()) == answers[1].content
    assert client.post(f"{link}login/", {}).status_code == 404
    assert owners_page.post(f"{PEOPLE}revoke/{event.invitations.get().pk}/").status_code == 404


def test_link_that_made_a_login_makes_no_second_one(owners_page: Client, event: Event) -> None:
    link = make_link(owners_page)
    sent = {"username": "nia", "full_name": "Nia Dam", "password": PASSWORD, "again": PASSWORD}
    Client().post(f"{link}login/", sent)
    html = Client().get(link).content.decode()
    assert ("Make my login" in html, "Log in" in html) == (False, True)
    assert Client().post(f"{link}login/", {**sent, "username": "bo"}).status_code == 404
    assert not User.objects.filter(username="bo").exists()


@pytest.mark.one_database
def test_impossible_login_is_refused_at_its_field(owners_page: Client, event: Event, client: Client) -> None:
    link = make_link(owners_page)
    sent = {"username": "nia", "full_name": "Nia Dam", "password": PASSWORD, "again": PASSWORD}
    before = User.objects.count()
    for wrong, sentence in [
        ({"username": "olga"}, "The login name olga is taken."),
        ({"username": "nia dam"}, "Enter a valid username."),
        ({"password": "short", "again": "short"}, "This password is too short."),
        (
            {"username": "dam-nia-dam", "password": "dam-nia-dam", "again": "dam-nia-dam"},
            "too similar to the",
        ),
        ({"again": "another-password"}, "The two passwords differ."),
        ({"full_name": ""}, "This field is required."),
    ]:
        answer = client.post(f"{link}login/", {**sent, **wrong})
        assert answer.status_code == 422, wrong
        assert re.search(rf'<span class="err"[^>]*>[^<]*{re.escape(sentence)}', answer.content.decode()), (
            wrong
        )
        assert (User.objects.count(), client.get("/password/").status_code) == (before, 302), wrong


def test_organiser_without_the_right_makes_no_logins(owners_page: Client, owner: User, event: Event) -> None:
    owner.makes_logins = False
    owner.save()
    assert "A new login" not in owners_page.get(PEOPLE).content.decode()
    sent = {"how": "password", "username": "nia", "name": "Nia Dam", "role": "arbiter"}
    answer = owners_page.post(PEOPLE, sent)
    assert answer.status_code == 403
    assert "Your login may not make logins." in answer.content.decode()
    assert not User.objects.filter(username="nia").exists()


def test_number_of_queries_does_not_grow(owners_page: Client, owner: User, event: Event) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as counted:
            assert owners_page.get(PEOPLE).status_code == 200
        return len(counted)

    def invite() -> None:
        invite_by_link(actor=Actor(owner), event=event, role="arbiter")
        invite_by_name(actor=Actor(owner), event=event, username=UserFactory().username, role="arbiter")
        EventRoleFactory(event=event)

    invite()
    few = queries()
    for _ in range(5):
        invite()
    assert queries() == few <= 14


def test_first_page_counts_no_query_for_each_invitation(db: None, log_in: LogIn) -> None:
    joost = UserFactory(username="joost")
    page = log_in(joost)
    page.get("/")  # the first request also asks whether the session exists

    def queries() -> int:
        with CaptureQueriesContext(connection) as counted:
            assert page.get("/").status_code == 200
        return len(counted)

    def invite() -> None:
        role = EventRoleFactory(role="owner", event__state="draft")
        invite_by_name(actor=Actor(role.user), event=role.event, username="joost", role="arbiter")

    invite()
    queries()  # the first page of a session looks whether the login works on an event
    few = queries()
    for _ in range(5):
        invite()
    assert queries() == few <= 12


@pytest.mark.parametrize("target", ["link/", "remove/"])
def test_name_that_no_login_can_have_is_refused_at_once(
    owners_page: Client, target: str, only_short_texts_normalized: None
) -> None:
    """Putting 60,000 marks in order takes Python seconds, in which it answers nobody."""
    answer = owners_page.post(PEOPLE + target, {"username": "a" + "\u0301\u0316" * 30_000})
    assert answer.status_code == 404


def test_hidden_sections_are_offered_neither_for_a_role_nor_for_a_copy(
    owners_page: Client, event: Event
) -> None:
    """A section that was made by mistake often has the name of the right one."""
    names = ("A", "B", "A")
    first, second, _hidden = (
        SectionFactory(event=event, name=name, taken_away=at == 2) for at, name in enumerate(names)
    )
    html = owners_page.get(PEOPLE).content.decode()
    offered = re.findall(r'name="sections"[^>]*value="(\d+)"', html)
    assert offered == [str(first.pk), str(second.pk)]
    html = owners_page.get("/rijswijk/-/copy-section/").content.decode()
    assert re.findall(r'<option value="(\d+)"', html) == offered


def test_new_section_has_the_settings_of_the_section_that_is_chosen_when_it_is_made(
    owners_page: Client, event: Event
) -> None:
    """Also if the page still shows the settings of another one."""
    SectionFactory(event=event, name="A", rounds=7)
    other = SectionFactory(event=event, name="B", rounds=5)
    page = "/rijswijk/-/copy-section/"
    html = owners_page.get(page).content.decode()
    [form] = re.findall(r'<form method="post"[^>]*>.*?name="name".*?</form>', html, re.DOTALL)
    assert '<select id="of" name="source"' in form
    looked = owners_page.post(page, {"source": other.pk, "name": "C", "do": "show"})
    assert looked.status_code == 200
    html = looked.content.decode()
    assert "What is copied from B" in html
    assert "inimum rating" not in html, "there is none"
    labels = re.findall(r'<th scope="row" class="nm">\s*([^<]*?)\s*</th>', html)
    assert {"Rounds", "Points for a win", "Tournament rating"} <= {*labels}, "the labels of its form"
    assert 'value="C"' in html
    assert not event.sections.filter(name="C").exists()
    owners_page.post(page, {"source": other.pk, "name": "C"})
    assert event.sections.get(name="C").rounds == 5
