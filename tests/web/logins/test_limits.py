"""Guessers are slowed down; arbiters and halls are not locked out.

A refused attempt is answered 429 and checks no password.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import UserFactory
from tests.waiting import LONG
from tests.web.logins.conftest import (
    ELSEWHERE,
    HALL,
    RIGHT,
    WRONG,
    Clock,
    attempt,
    browser,
    is_in,
    statuses,
)
from tournaments.actions.chores import trust_clock
from tournaments.actions.logins import attempts as login_attempts
from tournaments.actions.logins.attempts import network
from tournaments.models import LoginTrials, User

FAILED, TOO_MANY, IN = 200, 429, 302


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Count how many passwords were hashed."""
    counted: list[str] = []
    encode = MD5PasswordHasher.encode

    def counting(self: MD5PasswordHasher, password: str, salt: str) -> str:
        counted.append(password)
        return str(encode(self, password, salt))

    monkeypatch.setattr(MD5PasswordHasher, "encode", counting)
    return lambda: len(counted)


def test_five_mistakes_are_free_then_the_wait_doubles(ada: User, clock: Clock) -> None:
    page = browser()
    assert statuses(page, 6) == [FAILED] * 5 + [TOO_MANY]
    waits = []
    for _ in range(4):
        waits.append(int(attempt(page)["Retry-After"]))
        clock.forward(seconds=waits[-1])
        assert attempt(page).status_code == FAILED
    assert waits == [5, 10, 20, 40]


def test_wait_grows_to_fifteen_minutes_and_not_longer(ada: User, clock: Clock) -> None:
    page = browser()
    for _ in range(20):
        attempt(page)
        clock.forward(minutes=15)
    attempt(page)
    assert attempt(page)["Retry-After"] == "900"
    assert "Try again in 15 minutes." in attempt(page).text


def test_page_says_how_long_to_wait_and_keeps_the_name(ada: User, clock: Clock) -> None:
    page = browser()
    statuses(page, 5)
    answer = attempt(page)
    assert "Too many attempts have failed. Nothing was checked. Try again in 5 seconds." in answer.text
    assert 'value="ada"' in answer.text
    assert "no-store" in answer["Cache-Control"]


def test_page_says_what_the_victim_can_do_during_a_wait_and_only_then(ada: User, clock: Clock) -> None:
    page = browser()
    advice = "A browser in which you have logged in before does not wait."
    assert [advice in attempt(page).text for _ in range(6)] == [False] * 5 + [True]


def test_right_password_ends_the_wait_and_the_count(ada: User, clock: Clock) -> None:
    page = browser()
    statuses(page, 5)
    clock.forward(seconds=5)
    assert attempt(page, password=RIGHT).status_code == IN
    assert statuses(browser(), 6) == [FAILED] * 5 + [TOO_MANY]


def test_right_password_is_not_checked_during_the_wait(
    ada: User, clock: Clock, hashed: Callable[[], int]
) -> None:
    page = browser()
    statuses(page, 5)
    before = hashed()
    answer = attempt(page, password=RIGHT)
    assert (answer.status_code, hashed() - before, is_in(page)) == (TOO_MANY, 0, False)


def test_refused_attempt_writes_nothing(ada: User, clock: Clock) -> None:
    page = browser()
    statuses(page, 5)
    with CaptureQueriesContext(connection) as captured:
        attempt(page)
    assert [query["sql"] for query in captured if not query["sql"].startswith("SELECT")] == []
    assert len(captured) == 3  # the last one asks whether registration is open, for the link on the page


def test_wait_goes_on_while_attempts_are_refused(ada: User, clock: Clock) -> None:
    page = browser()
    statuses(page, 5)
    clock.forward(seconds=4)
    assert attempt(page).status_code == TOO_MANY
    clock.forward(seconds=1)
    assert attempt(page, password=RIGHT).status_code == IN


def test_mistakes_of_yesterday_do_not_count(ada: User, clock: Clock) -> None:
    page = browser()
    statuses(page, 5)
    clock.forward(days=1, seconds=1)
    assert statuses(page, 6) == [FAILED] * 5 + [TOO_MANY]


def test_unknown_name_behaves_like_a_known_one(ada: User, clock: Clock, hashed: Callable[[], int]) -> None:
    seen = {}
    for name in ("ada", "nobody"):
        page = browser(f"192.0.2.{len(seen) + 1}")
        before = hashed()
        answers = [attempt(page, name) for _ in range(6)]
        pages = [(answer.status_code, answer.text.replace(name, "NAME")) for answer in answers]
        plain = [(status, text.split("csrfmiddlewaretoken")[0]) for status, text in pages]
        seen[name] = (plain, hashed() - before)
    assert seen["ada"] == seen["nobody"]


@pytest.mark.parametrize("written", ["ADA", " ada", "ada ", "ａｄａ"])
def test_other_ways_to_write_a_name_share_its_count(ada: User, clock: Clock, written: str) -> None:
    page = browser()
    statuses(page, 5)
    assert attempt(page, written).status_code == TOO_MANY


def test_mistakes_of_one_arbiter_do_not_delay_another_in_the_same_hall(ada: User, clock: Clock) -> None:
    User.objects.create_user("bo", password=RIGHT)
    statuses(browser(), 20, "bo")
    assert attempt(browser(), "ada", RIGHT).status_code == IN


@pytest.mark.one_database
def test_two_hundred_phones_that_read_do_not_delay_an_arbiter(ada: User, clock: Clock) -> None:
    for _ in range(200):
        browser().get("/login/")
    assert attempt(browser(), "ada", RIGHT).status_code == IN


def test_guessing_in_the_hall_does_not_delay_the_arbiters_own_browser(ada: User, clock: Clock) -> None:
    own = browser()
    attempt(own, password=RIGHT)
    own.post("/logout/")
    statuses(browser(), 40)
    assert attempt(browser()).status_code == TOO_MANY
    assert attempt(own, password=RIGHT).status_code == IN


@pytest.mark.one_database  # the same statements as in the tests of few addresses
def test_guessing_from_thousands_of_addresses_delays_neither_known_browsers_nor_known_addresses(
    ada: User, clock: Clock
) -> None:
    own = browser()
    attempt(own, password=RIGHT)
    own.post("/logout/")
    seen = [attempt(browser(f"10.0.{n // 250}.{n % 250}")).status_code for n in range(60)]
    assert seen == [FAILED] * 20 + [TOO_MANY] * 40
    own.defaults["REMOTE_ADDR"] = ELSEWHERE
    assert attempt(own, password=RIGHT).status_code == IN
    assert attempt(browser(HALL), password=RIGHT).status_code == IN
    assert attempt(browser(ELSEWHERE), password=RIGHT).status_code == IN


@pytest.mark.one_database
def test_a_name_that_many_addresses_guess_waits_five_minutes_at_most(ada: User, clock: Clock) -> None:
    waits = []
    for n in range(40):
        answer = attempt(browser(f"10.0.0.{n}"))
        if answer.status_code == TOO_MANY:
            waits.append(int(answer["Retry-After"]))
            clock.forward(seconds=waits[-1])
            attempt(browser(f"10.0.0.{n}"))
    assert waits[:6] == [10, 20, 40, 80, 160, 300]
    assert max(waits) == 300


@pytest.mark.one_database
def test_one_who_tries_ever_new_names_delays_neither_a_new_phone_nor_other_names_there(
    ada: User, clock: Clock
) -> None:
    """The phone has never logged in at this address. Whether a name exists makes no difference."""
    seen = [attempt(browser(), f"name{n}").status_code for n in range(60)]
    assert seen == [FAILED] * 60
    assert attempt(browser(), "stranger").status_code == FAILED
    assert attempt(browser(), password=RIGHT).status_code == IN


def test_own_browser_is_limited_too(ada: User, clock: Clock) -> None:
    own = browser()
    attempt(own, password=RIGHT)
    own.post("/logout/")
    assert statuses(own, 6) == [FAILED] * 5 + [TOO_MANY]


def test_known_browser_is_known_only_for_its_own_names(ada: User, clock: Clock) -> None:
    User.objects.create_user("mallory", password=RIGHT)
    own = browser()
    attempt(own, "mallory", RIGHT)
    own.post("/logout/")
    statuses(browser(), 5)
    assert attempt(own).status_code == TOO_MANY


def test_forged_cookie_makes_no_known_browser(ada: User, clock: Clock) -> None:
    page = browser()
    attempt(page, password=RIGHT)
    forged = browser()
    forged.cookies["evenboard-device"] = page.cookies["evenboard-device"].value[:-2] + "xx"
    statuses(browser(), 5)
    assert attempt(forged).status_code == TOO_MANY


def test_cookie_of_the_browser_cannot_be_read_by_scripts(ada: User) -> None:
    page = browser()
    attempt(page, password=RIGHT)
    kept = page.cookies["evenboard-device"]
    assert (kept["httponly"], kept["samesite"], kept["max-age"]) == (True, "Lax", 365 * 24 * 3600)
    assert "ada" not in kept.value


def test_empty_fields_are_no_attempt(ada: User, clock: Clock) -> None:
    for _ in range(8):
        assert browser().post("/login/", {"username": "ada", "password": ""}).status_code == FAILED
    assert not LoginTrials.objects.exists()


def test_table_holds_no_names_and_no_addresses(ada: User) -> None:
    attempt(browser(), "my-secret-password-in-the-wrong-field")
    row = LoginTrials.objects.get()
    assert (len(row.name), len(row.source)) == (32, 32)
    assert set(row.name + row.source) <= set("0123456789abcdef")


def test_old_rows_are_deleted_and_their_number_is_limited(
    ada: User, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login_attempts, "MOST_ROWS", 30)
    monkeypatch.setattr(login_attempts, "SWEEP", 1)
    attempt(browser(HALL), password=RIGHT)
    for n in range(40):
        attempt(browser(f"10.0.0.{n}"), f"name{n}")
    assert (LoginTrials.objects.count(), LoginTrials.objects.exclude(good_at=None).count()) == (30, 1)
    clock.forward(days=2)
    trust_clock()
    attempt(browser(), password=RIGHT)
    assert LoginTrials.objects.count() == 1


def test_many_invented_names_do_not_push_out_the_name_that_somebody_guesses(
    ada: User, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login_attempts, "MOST_ROWS", 10)
    monkeypatch.setattr(login_attempts, "SWEEP", 1)
    statuses(browser(), 5)
    for n in range(30):
        attempt(browser(), f"name{n}")
    assert (LoginTrials.objects.count(), attempt(browser()).status_code) == (10, TOO_MANY)


def test_two_attempts_at_once_both_count_before_either_is_checked(ada: User, clock: Clock) -> None:
    """A second process reads in the database what the first has begun."""
    statuses(browser(), 4)
    source = login_attempts.LoginSource(HALL)
    with login_attempts.trial(login_attempts.PASSWORD, "ada", source):
        assert attempt(browser(), password=RIGHT).status_code == TOO_MANY


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_of_twelve_attempts_at_the_same_moment_five_are_checked() -> None:
    UserFactory(username="ada", password=RIGHT)
    together = Barrier(12)

    def guess() -> int:
        try:
            page = browser()
            together.wait(LONG)
            return attempt(page).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        seen = sorted(each.result() for each in [pool.submit(guess) for _ in range(12)])
    assert seen == [FAILED] * 5 + [TOO_MANY] * 7


@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::2"),
        ("", "unix:"),
    ],
)
def test_addresses_of_one_line_are_one_source(address: str, same: str) -> None:
    assert network(address) == network(same)


@pytest.mark.parametrize(
    ("address", "other"), [("2001:db8:1:2::1", "2001:db8:1:3::1"), ("192.0.2.7", "192.0.2.8")]
)
def test_addresses_of_two_lines_are_two_sources(address: str, other: str) -> None:
    assert network(address) != network(other)


def test_guesser_with_many_addresses_of_one_ipv6_line_is_one_guesser(ada: User, clock: Clock) -> None:
    seen = [attempt(browser(f"2001:db8:1:2::{n:x}")).status_code for n in range(1, 8)]
    assert seen == [FAILED] * 5 + [TOO_MANY] * 2


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/password/", "old_password"),
        ("/account/mail/", "password"),
        ("/account/second-factor/", "password"),
    ],
)
def test_person_with_a_stolen_session_cannot_guess_the_password(
    ada: User, clock: Clock, path: str, field: str
) -> None:
    page: Client = browser()
    attempt(page, password=RIGHT)
    sent = {
        "old_password": WRONG,
        "new_password1": "bishops-behind-pawns",
        "new_password2": "bishops-behind-pawns",
    }
    sent |= {"email": "x@example.org", "code": "123456", "password": WRONG}
    seen = [page.post(path, sent).status_code for _ in range(6)]
    assert seen == [422] * 5 + [TOO_MANY]
    refused = page.post(path, {**sent, field: RIGHT})
    assert (refused.status_code, refused["Retry-After"]) == (TOO_MANY, "5")


@pytest.mark.parametrize("spaces", ["", " " * 200], ids=["alone", "after-spaces"])
def test_name_that_no_login_can_have_is_refused_at_once(
    ada: User, spaces: str, hashed: Callable[[], int], only_short_texts_normalized: None
) -> None:
    """Putting 60,000 marks in order takes Python seconds, in which it answers nobody."""
    answer = attempt(browser(), name=f"{spaces}a" + "\u0301\u0316" * 30_000)
    assert (answer.status_code, LoginTrials.objects.count(), hashed()) == (FAILED, 0, 0)
    assert "Ensure this value has at most 150 characters" in answer.text


def test_spaces_around_a_name_do_not_hide_an_attempt(ada: User, clock: Clock) -> None:
    page = browser()
    assert statuses(page, 5, name=" " * 200 + "ada") == [FAILED] * 5
    assert attempt(page).status_code == TOO_MANY


def test_a_wrong_clock_forgets_no_address_from_which_somebody_has_logged_in(
    ada: User, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login_attempts, "SWEEP", 1)
    assert attempt(browser(), password=RIGHT).status_code == IN
    clock.forward(days=120)
    attempt(browser(ELSEWHERE), name="nobody")
    assert LoginTrials.objects.filter(good_at__isnull=False).exists()
