"""The page Site: settings, rights of logins, and logins that site owners make."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import UserFactory
from tests.web.staff.conftest import LogIn
from tournaments.models import SiteLog, SiteSettings, User

SITE = "/site/"


@pytest.fixture
def root(db: None) -> User:
    return UserFactory(username="root", site_owner=True)


@pytest.fixture
def roots_page(root: User, log_in: LogIn) -> Client:
    return log_in(root)


def boxes(html: str) -> dict[str, bool]:
    """Return every box of the page, and whether it is ticked."""
    return {
        value: bool(ticked)
        for value, ticked in re.findall(r'name="on" value="([^"]+)" aria-label="[^"]+"( checked)?', html)
    }


def save(page: Client, *, on: set[str], was: set[str]) -> int:
    return page.post(f"{SITE}rights/", {"on": sorted(on), "was": sorted(was)}).status_code


def test_only_site_owners_open_the_page(page: Client, owners_page: Client, client: Client) -> None:
    for browser in (page, owners_page):
        answer = browser.get(SITE)
        assert answer.status_code == 403
        assert "Only site owners can use this page." in answer.content.decode()
        assert 'href="/site/"' not in browser.get("/").content.decode()
    assert client.get(SITE).url == "/login/?next=/site/"


def test_site_owner_chooses_the_settings(roots_page: Client) -> None:
    assert 'href="/site/"' in roots_page.get("/").content.decode()
    answer = roots_page.post(SITE, {"events_by": "everybody", "open_registration": "on"})
    assert (answer.status_code, answer.url) == (302, SITE)
    found = SiteSettings.objects.get()
    assert (found.events_by, found.open_registration) == ("everybody", True)
    html = roots_page.get(SITE).content.decode()
    assert re.search(r'value="everybody"[^>]* checked', html)
    assert "Events are made by everybody who has a login; Open registration switched on" in html
    assert roots_page.post(SITE, {"events_by": "king"}).status_code == 422


def test_rights_are_given_and_taken_by_boxes(roots_page: Client, root: User, log_in: LogIn) -> None:
    joost = UserFactory(username="joost")
    shown = boxes(roots_page.get(SITE).content.decode())
    assert shown == {
        f"{right}-{user.pk}": right == "site_owner" and user == root
        for user in (joost, root)
        for right in ("site_owner", "makes_events", "makes_logins", "keeps_lists")
    }
    assert log_in(joost).get("/new/").status_code == 403
    was = {box for box, ticked in shown.items() if ticked}
    assert save(roots_page, on={*was, f"makes_events-{joost.pk}"}, was=was) == 302
    assert log_in(joost).get("/new/").status_code == 200
    assert "joost: may make events" in roots_page.get(SITE).content.decode()


def test_box_that_was_not_touched_keeps_what_another_site_owner_changed(
    roots_page: Client, root: User
) -> None:
    joost = UserFactory(username="joost")
    was = {box for box, ticked in boxes(roots_page.get(SITE).content.decode()).items() if ticked}
    User.objects.filter(pk=joost.pk).update(makes_logins=True)
    save(roots_page, on={*was, f"makes_events-{joost.pk}"}, was=was)
    joost.refresh_from_db()
    assert (joost.makes_events, joost.makes_logins) == (True, True)


def test_last_site_owner_stays(roots_page: Client, root: User) -> None:
    answer = roots_page.post(f"{SITE}rights/", {"was": [f"site_owner-{root.pk}"]})
    assert answer.status_code == 422
    assert "Nobody would be site owner any more." in answer.content.decode()
    root.refresh_from_db()
    assert root.site_owner


def test_other_boxes_change_nothing(roots_page: Client, root: User) -> None:
    joost = UserFactory(username="joost")
    for box in ["is_superuser-{}", "password-{}", "site_owner-x", "site_owner", "-{}", ""]:
        assert save(roots_page, on={box.format(joost.pk)}, was=set()) == 302, box
        assert SiteLog.objects.count() == 0, box
        joost.refresh_from_db()
        assert (joost.is_superuser, joost.site_owner) == (False, False), box


def test_superuser_is_site_owner_and_cannot_be_removed_here(roots_page: Client) -> None:
    first = UserFactory(username="first", is_superuser=True)
    html = roots_page.get(SITE).content.decode()
    assert f"site_owner-{first.pk}" not in html
    assert "always" in html


def test_site_owner_makes_a_login(roots_page: Client) -> None:
    sent = {"new-username": "nia", "new-full_name": "Nia Dam", "new-makes_events": "on"}
    answer = roots_page.post(f"{SITE}login/", sent)
    found = re.search(r"<dt>Password</dt><dd><code>([^<]+)</code>", answer.content.decode())
    assert (answer.status_code, found is not None) == (200, True)
    client = Client()
    client.post("/login/", {"username": "nia", "password": found[1] if found else ""})
    assert client.get("/new/").status_code == 200
    assert client.get(SITE).status_code == 403
    assert roots_page.post(f"{SITE}login/", sent).status_code == 422
    assert "Login nia made" in roots_page.get(SITE).content.decode()


def test_logins_are_searched(roots_page: Client) -> None:
    UserFactory(username="joost", first_name="Joost", last_name="van der Meer")
    UserFactory(username="nia", first_name="Nia", last_name="Dam")
    names = [
        re.findall(
            r'<th scope="row" class="nm">([^<]*)', roots_page.get(f"{SITE}?q={words}").content.decode()
        )
        for words in ("meer", "JOOST%20meer", "ni", "%00nobody")
    ]
    assert names == [["Joost van der Meer"], ["Joost van der Meer"], ["Nia Dam"], []]


@pytest.mark.parametrize("query", ["page=0", "page=x", "page=99999", "q=" + "x" * 900])
def test_page_accepts_any_query(roots_page: Client, query: str) -> None:
    assert roots_page.get(f"{SITE}?{query}").status_code == 200


def test_number_of_queries_does_not_grow(roots_page: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as counted:
            assert roots_page.get(SITE).status_code == 200
        return len(counted)

    few = queries()
    UserFactory.create_batch(120)
    assert queries() == few <= 8
