"""Allow a new phone: a link that a person makes where they are logged in lets another browser log in without a wait."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from tests.factories import UserFactory
from tests.web.logins.conftest import (
    ELSEWHERE,
    HALL,
    RIGHT,
    Clock,
    CodeOf,
    attempt,
    browser,
    is_in,
    statuses,
)
from tournaments.actions.logins import DEVICE_LINK_LIFETIME, MOST_DEVICE_LINKS_A_DAY, use_device_link
from tournaments.errors import DomainError
from tournaments.models import DeviceLink, LoginSession, SiteLog, User

PAGE = "/account/new-phone/"


@pytest.fixture
def laptop(ada: User) -> Client:
    """Return a browser in which Ada is logged in, at another address than the hall."""
    page = browser(ELSEWHERE)
    assert attempt(page, password=RIGHT).status_code == 302
    return page


def link_from(page: Client) -> str:
    """Make a link; return its path."""
    answer = page.post(PAGE)
    found = re.search(r"<code>http://testserver(/login/new-phone/[\w-]{43}/)</code>", answer.text)
    assert found is not None
    return found[1]


def guess(times: int = 8) -> None:
    """Guess Ada's password from the hall, without a pause."""
    statuses(browser(), times)


def test_person_lets_a_phone_in_while_somebody_in_the_hall_guesses(
    ada: User, laptop: Client, clock: Clock
) -> None:
    """The guesser goes on without a pause: after each wait the guesser is first."""
    guess()
    phone = browser()
    refused = attempt(phone, password=RIGHT)
    assert refused.status_code == 429
    assert "open <b>Your account</b>, <b>Allow a new phone</b>" in refused.text
    assert "Ask an owner of your event for a link" in refused.text
    path = link_from(laptop)
    assert "may log in as ada without waiting, even while somebody else" in phone.get(path).text
    answer = phone.post(path)
    assert (answer.status_code, answer.url) == (302, "/login/?name=ada")
    form = phone.get(answer.url)
    assert 'value="ada"' in form.text
    assert "Log in with your password." in form.text
    assert is_in(phone) is False
    guess()
    assert (attempt(phone, password=RIGHT).status_code, is_in(phone)) == (302, True)
    assert is_in(laptop) is True


def test_page_account_leads_to_it(laptop: Client) -> None:
    assert f'href="{PAGE}"' in laptop.get("/account/").text


def test_looking_at_the_page_makes_no_link_and_opening_a_link_does_not_use_it(
    laptop: Client, clock: Clock
) -> None:
    laptop.get(PAGE)
    assert DeviceLink.objects.exists() is False
    path = link_from(laptop)
    assert [browser().get(path).status_code for _ in range(3)] == [200] * 3
    guess()
    phone = browser()
    phone.get(path)
    assert attempt(phone, password=RIGHT).status_code == 429


def test_link_is_used_once(laptop: Client) -> None:
    path = link_from(laptop)
    assert [browser().post(path).status_code for _ in range(2)] == [302, 410]
    gone = browser().get(path)
    assert (gone.status_code, "This link was used already, or it is too old." in gone.text) == (410, True)


def test_of_two_browsers_that_have_looked_up_the_link_one_uses_it(laptop: Client) -> None:
    token = link_from(laptop).split("/")[-2]
    use_device_link(token=token, origin="")
    with pytest.raises(DomainError, match="link_gone"):
        use_device_link(token=token, origin="")


@pytest.mark.parametrize(("minutes", "status"), [(9.9, 200), (10.1, 410)])
def test_link_ends_after_ten_minutes(laptop: Client, clock: Clock, minutes: float, status: int) -> None:
    path = link_from(laptop)
    clock.forward(minutes=minutes)
    assert browser().get(path).status_code == status


def test_lifetime_is_the_one_that_the_page_names(laptop: Client) -> None:
    assert timedelta(minutes=10) == DEVICE_LINK_LIFETIME
    assert "within 10 minutes" in laptop.get(PAGE).text


def test_newer_link_ends_the_older_one(laptop: Client) -> None:
    older, newer = link_from(laptop), link_from(laptop)
    assert [browser().get(path).status_code for path in (older, newer)] == [410, 200]


def test_new_password_ends_the_link(laptop: Client) -> None:
    path = link_from(laptop)
    changed = "queens-on-open-files"
    sent = {"old_password": RIGHT, "new_password1": changed, "new_password2": changed}
    assert laptop.post("/password/", sent).status_code == 302
    assert browser().get(path).status_code == 410


def test_closed_login_cannot_use_its_link(ada: User, laptop: Client) -> None:
    path = link_from(laptop)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert [browser().get(path).status_code, browser().post(path).status_code] == [410, 410]


def test_link_of_one_person_does_not_help_with_the_name_of_another(laptop: Client, clock: Clock) -> None:
    UserFactory(username="bo", password=RIGHT)
    statuses(browser(), 8, "bo")
    phone = browser()
    phone.post(link_from(laptop))
    assert attempt(phone, "bo", RIGHT).status_code == 429


def test_link_without_the_right_password_opens_nothing(laptop: Client, clock: Clock) -> None:
    phone = browser()
    phone.post(link_from(laptop))
    assert statuses(phone, 6) == [200] * 5 + [429]
    assert is_in(phone) is False


def test_link_does_not_replace_the_second_factor(
    ada: User, clock: Clock, code_of_ada: tuple[CodeOf, list[str]]
) -> None:
    laptop = browser()
    laptop.force_login(ada)
    phone = browser()
    phone.post(link_from(laptop))
    answer = attempt(phone, password=RIGHT)
    assert (answer.url, is_in(phone)) == ("/login/code/", False)


def test_sessions_stay_as_they_were(laptop: Client) -> None:
    before = list(LoginSession.objects.values_list("session_key", flat=True))
    browser().post(link_from(laptop))
    assert list(LoginSession.objects.values_list("session_key", flat=True)) == before
    assert is_in(laptop) is True


def test_log_of_the_site_says_who_made_the_link_and_where_it_was_used(laptop: Client) -> None:
    browser().post(link_from(laptop))
    logged = SiteLog.objects.order_by("pk").values_list("action", "who", "subject", "origin")
    assert list(logged) == [
        ("make_device_link", "ada", "ada", ELSEWHERE),
        ("use_device_link", "ada", "ada", HALL),
    ]


def test_link_is_shown_once_and_its_token_is_stored_nowhere(laptop: Client) -> None:
    token = link_from(laptop).split("/")[-2]
    assert token not in laptop.get(PAGE).text
    kept = list(DeviceLink.objects.values()) + list(SiteLog.objects.values())
    assert token not in json.dumps(kept, default=str)


def test_stolen_session_makes_ten_links_a_day_and_no_more(laptop: Client, clock: Clock) -> None:
    """Each new browser has free attempts of its own."""
    for _ in range(MOST_DEVICE_LINKS_A_DAY):
        clock.forward(minutes=1)
        link_from(laptop)
    refused = laptop.post(PAGE)
    assert (refused.status_code, "You have made 10 links for a new phone" in refused.text) == (422, True)
    clock.forward(days=1, minutes=1)
    link_from(laptop)
    assert DeviceLink.objects.count() == 1


def test_nobody_makes_a_link_without_a_login(ada: User) -> None:
    stranger = browser()
    assert stranger.get(PAGE).url == f"/login/?next={PAGE}"
    assert (stranger.post(PAGE).status_code, DeviceLink.objects.count()) == (403, 0)


def test_wrong_link_works_for_nobody(ada: User) -> None:
    path = f"/login/new-phone/{'x' * 43}/"
    assert [browser().get(path).status_code, browser().post(path).status_code] == [410, 410]
    assert browser().get("/login/new-phone/short/").status_code == 404


@pytest.mark.parametrize(("public", "codes"), [("", 0), ("http://192.0.2.1:8000", 1)])
def test_code_is_shown_if_a_phone_can_reach_its_address(
    laptop: Client, settings: Settings, public: str, codes: int
) -> None:
    settings.PUBLIC_URL = public
    settings.ALLOWED_HOSTS = ["localhost"]
    answer = laptop.post(PAGE, HTTP_HOST="localhost")
    assert answer.text.count('class="qr"') == codes
    assert (public or "http://localhost") + "/login/new-phone/" in answer.text


def test_pages_take_few_queries(laptop: Client) -> None:
    path = link_from(laptop)
    laptop.get("/")
    counts = {}
    for name, client, address in (("make", laptop, PAGE), ("open", browser(), path)):
        with CaptureQueriesContext(connection) as captured:
            client.get(address)
        counts[name] = len(captured)
    assert counts == {"make": 2, "open": 1}


def test_browser_that_loads_the_form_gets_a_cookie_without_any_name(ada: User, clock: Clock) -> None:
    """It tells browsers of one address apart when many log in. It does not make one that is known."""
    page = browser()
    page.get("/login/")
    kept = page.cookies["evenboard-device"]
    assert (kept["httponly"], kept["samesite"], kept["max-age"]) == (True, "Lax", 12 * 3600)
    page.get("/login/")
    assert page.cookies["evenboard-device"].value == kept.value
    guess()
    assert attempt(page, password=RIGHT).status_code == 429
