"""Codes of an app and recovery codes."""

from __future__ import annotations

import re

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from tests.web.logins.conftest import (
    ELSEWHERE,
    RIGHT,
    WRONG,
    Clock,
    CodeOf,
    attempt,
    browser,
    is_in,
    shown,
)
from tournaments.actions.logins import second_factor, totp
from tournaments.models import RecoveryCode, SecondFactor, User

ON = tuple[CodeOf, list[str]]


def send_code(page: Client, code: str) -> int:
    return page.post("/login/code/", {"code": code}).status_code


def half_in(address: str = "192.0.2.7") -> Client:
    page = browser(address)
    answer = attempt(page, password=RIGHT)
    assert (answer.status_code, answer.url) == (302, "/login/code/")
    return page


# RFC 6238, appendix B, the column for SHA-1; the last six of its eight digits
SECRET = b"12345678901234567890"
VECTORS = [
    (59, "94287082"),
    (1111111109, "07081804"),
    (1111111111, "14050471"),
    (1234567890, "89005924"),
    (2000000000, "69279037"),
    (20000000000, "65353130"),
]
# RFC 4226, appendix D
HOTP = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]


@pytest.mark.parametrize(("seconds", "code"), VECTORS)
def test_codes_are_those_of_rfc_6238(seconds: int, code: str) -> None:
    step = totp.step_at(seconds)
    assert (totp.hotp(SECRET, step, 8), totp.hotp(SECRET, step)) == (code, code[2:])
    assert totp.matching_step(SECRET, code[2:], seconds, after=0) == step


def test_codes_are_those_of_rfc_4226() -> None:
    assert [totp.hotp(SECRET, counter) for counter in range(10)] == HOTP


@pytest.mark.parametrize(("late", "accepted"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_a_clock_may_be_half_a_minute_wrong(late: int, accepted: bool) -> None:
    code = totp.hotp(SECRET, 1000 + late)
    assert (totp.matching_step(SECRET, code, 1000 * 30, after=0) is not None) == accepted


@pytest.mark.parametrize("code", ["", "28708", "2870820", "ééé", "٢٨٧٠٨٢"])
def test_text_that_is_not_a_code_matches_nothing(code: str) -> None:
    assert totp.matching_step(SECRET, code, 59, after=0) is None


def test_address_for_the_app() -> None:
    assert totp.app_address(SECRET, issuer="Evenboard", name="ada b@c") == (
        "otpauth://totp/Evenboard%3Aada%20b%40c?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Evenboard"
    )


def test_turning_it_on_takes_the_password_and_a_code_and_shows_recovery_codes_once(
    ada: User, clock: Clock
) -> None:
    page = browser()
    attempt(page, password=RIGHT)
    html = page.get("/account/second-factor/").text
    row = SecondFactor.objects.get(user=ada)
    key = re.search(r"<code>([A-Z2-7 ]+)</code>", html)
    assert key is not None
    assert key[1].replace(" ", "") == totp.base32(second_factor.secret_of(row))
    assert ('<svg class="qr"' in html or 'class="qr"' in html) is True
    wrong = page.post("/account/second-factor/", {"code": "000000", "password": RIGHT})
    assert (wrong.status_code, "This code is not valid." in wrong.text) == (422, True)
    wrong = page.post("/account/second-factor/", {"code": shown(row, clock), "password": WRONG})
    assert (wrong.status_code, "This is not your current password." in wrong.text) == (422, True)
    assert second_factor.is_on(ada) is False
    done = page.post("/account/second-factor/", {"code": shown(row, clock), "password": RIGHT})
    codes = re.findall(r"<li><code>([a-z2-9-]+)</code></li>", done.text)
    assert (done.status_code, len(set(codes)), second_factor.is_on(ada)) == (200, 10, True)
    assert codes[0] not in page.get("/account/second-factor/").text
    assert "On. 10 recovery codes are left." in page.get("/account/").text
    assert "no-store" in done["Cache-Control"]


def test_turning_it_on_ends_all_sessions_without_a_code(ada: User, clock: Clock) -> None:
    """Somebody who knows the password may be logged in already: that is why people turn it on."""
    page, thief = browser(), browser(ELSEWHERE)
    for each in (page, thief):
        attempt(each, password=RIGHT)
        assert is_in(each) is True
    copied = browser(ELSEWHERE)
    copied.cookies["sessionid"] = page.cookies["sessionid"].value
    page.get("/account/second-factor/")
    sent = {"code": shown(SecondFactor.objects.get(user=ada), clock), "password": RIGHT}
    thief.post("/account/second-factor/", {**sent, "code": "000000"})
    assert [is_in(each) for each in (page, thief)] == [True, True]
    done = page.post("/account/second-factor/", sent)
    assert "All other sessions are ended." in done.text
    assert [is_in(each) for each in (page, thief, copied)] == [True, False, False]
    assert page.get("/account/").text.count("This browser") == 1
    page.post("/account/second-factor/", {**sent, "code": "000000", "do": "codes"})
    assert is_in(page) is True


def test_a_key_that_was_shown_but_not_confirmed_does_not_count(ada: User) -> None:
    page = browser()
    attempt(page, password=RIGHT)
    page.get("/account/second-factor/")
    assert attempt(browser(), password=RIGHT).url == "/"


def test_password_alone_opens_nothing(ada: User, code_of_ada: ON) -> None:
    page = half_in()
    assert is_in(page) is False
    assert page.post("/new/", {"name": "x"}).status_code == 403


def test_code_opens_and_leads_to_the_page_that_was_asked_for(ada: User, code_of_ada: ON) -> None:
    page = browser()
    page.post("/login/?next=/new/", {"username": "ada", "password": RIGHT, "next": "/new/"})
    answer = page.post("/login/code/", {"code": code_of_ada[0]()})
    assert (answer.status_code, answer.url, is_in(page)) == (302, "/new/", True)


@pytest.mark.parametrize("after", ["foo", "new-password", "https://example.org/", "/login/"])
def test_code_leads_home_if_no_page_was_asked_for(ada: User, code_of_ada: ON, after: str) -> None:
    page = browser()
    page.post("/login/", {"username": "ada", "password": RIGHT, "next": after})
    answer = page.post("/login/code/", {"code": code_of_ada[0]()})
    assert (answer.status_code, answer.url, is_in(page)) == (302, "/", True)


def test_code_may_be_written_with_a_space(ada: User, code_of_ada: ON) -> None:
    code = code_of_ada[0]()
    assert send_code(half_in(), f" {code[:3]} {code[3:]} ") == 302


def test_code_works_only_once(ada: User, code_of_ada: ON, clock: Clock) -> None:
    code = code_of_ada[0]()
    assert send_code(half_in(), code) == 302
    assert send_code(half_in(ELSEWHERE), code) == 422
    clock.forward(seconds=30)
    assert send_code(half_in(ELSEWHERE), code) == 422
    assert send_code(half_in(ELSEWHERE), code_of_ada[0]()) == 302


def test_code_of_an_earlier_step_does_not_work_after_a_later_one(
    ada: User, code_of_ada: ON, clock: Clock
) -> None:
    early = code_of_ada[0]()
    clock.forward(seconds=30)
    assert send_code(half_in(), code_of_ada[0]()) == 302
    assert send_code(half_in(ELSEWHERE), early) == 422


def test_recovery_code_works_once_in_any_writing(ada: User, code_of_ada: ON) -> None:
    first, second = code_of_ada[1][:2]
    assert send_code(half_in(), first) == 302
    assert send_code(half_in(ELSEWHERE), first) == 422
    assert send_code(half_in(ELSEWHERE), second.replace("-", " ").upper()) == 302
    assert RecoveryCode.objects.filter(user=ada).count() == 8


def test_recovery_code_of_somebody_else_does_not_work(ada: User, code_of_ada: ON) -> None:
    other = User.objects.create_user("bo", password=RIGHT)
    SecondFactor.objects.create(user=other, nonce="n", confirmed_at="2026-01-01T00:00Z")
    page = browser()
    attempt(page, "bo", RIGHT)
    assert send_code(page, code_of_ada[1][0]) == 422


def test_database_holds_neither_the_key_nor_the_recovery_codes(ada: User, code_of_ada: ON) -> None:
    row = SecondFactor.objects.get()
    secret = second_factor.secret_of(row)
    kept = "".join(RecoveryCode.objects.values_list("digest", flat=True)) + row.nonce
    assert [code for code in code_of_ada[1] if code.replace("-", "") in kept] == []
    assert (totp.base32(secret) in kept, secret.hex() in kept) == (False, False)


def test_another_server_key_makes_other_codes(ada: User, code_of_ada: ON, settings: Settings) -> None:
    row = SecondFactor.objects.get()
    before = second_factor.secret_of(row)
    settings.SECRET_KEY = "another key"
    assert second_factor.secret_of(row) != before


def test_app_and_recovery_codes_work_after_a_change_of_the_server_key(
    ada: User, code_of_ada: ON, clock: Clock, settings: Settings
) -> None:
    now, codes = code_of_ada
    code = now()
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key"
    assert [send_code(half_in(), sent) for sent in (code, codes[0], codes[0])] == [302, 302, 422]


def test_guessing_codes_is_slowed_down_even_with_the_right_password(
    ada: User, code_of_ada: ON, clock: Clock
) -> None:
    page = half_in()
    assert [send_code(page, "000000") for _ in range(6)] == [422] * 5 + [429]
    assert send_code(page, code_of_ada[0]()) == 429
    clock.forward(seconds=10)
    assert send_code(page, code_of_ada[0]()) == 302


def test_guessing_codes_from_many_addresses_is_slowed_down(ada: User, code_of_ada: ON, clock: Clock) -> None:
    pages = [half_in(f"10.0.0.{n}") for n in range(25)]
    assert [send_code(page, "000000") for page in pages] == [422] * 20 + [429] * 5
    answer = pages[-1].post("/login/code/", {"code": "000000"})
    assert answer["Retry-After"] == "120"


@pytest.mark.parametrize("minutes", [11, -1])
def test_step_after_the_password_ends_after_ten_minutes(
    ada: User, code_of_ada: ON, clock: Clock, minutes: int
) -> None:
    page = half_in()
    clock.forward(minutes=minutes)
    answer = page.post("/login/code/", {"code": code_of_ada[0]()})
    assert (answer.status_code, answer.url, is_in(page)) == (302, "/login/", False)


def test_step_after_the_password_ends_when_the_password_changes(ada: User, code_of_ada: ON) -> None:
    page = half_in()
    ada.set_password("bishops-behind-pawns")
    ada.save()
    page.post("/login/code/", {"code": code_of_ada[0]()})
    assert is_in(page) is False


def test_code_without_a_password_leads_to_the_login(ada: User, code_of_ada: ON) -> None:
    page = browser()
    answer = page.post("/login/code/", {"code": code_of_ada[0]()})
    assert (answer.status_code, answer.url, is_in(page)) == (302, "/login/", False)


def signed_in(code: str) -> Client:
    page = half_in()
    assert send_code(page, code) == 302
    return page


def test_turning_it_off_takes_password_and_code(ada: User, code_of_ada: ON, clock: Clock) -> None:
    now, codes = code_of_ada
    page = signed_in(now())
    clock.forward(minutes=1)
    path = "/account/second-factor/"
    assert page.post(path, {"password": WRONG, "code": now(), "do": "off"}).status_code == 422
    assert page.post(path, {"password": RIGHT, "code": "000000", "do": "off"}).status_code == 422
    assert second_factor.is_on(ada) is True
    answer = page.post(path, {"password": RIGHT, "code": codes[0], "do": "off"})
    assert (answer.status_code, second_factor.is_on(ada)) == (302, False)
    assert RecoveryCode.objects.count() == 0
    assert attempt(browser(), password=RIGHT).url == "/"


def test_new_recovery_codes_end_the_old_ones(ada: User, code_of_ada: ON, clock: Clock) -> None:
    now, old = code_of_ada
    page = signed_in(now())
    clock.forward(minutes=1)
    done = page.post("/account/second-factor/", {"password": RIGHT, "code": now(), "do": "codes"})
    fresh = re.findall(r"<li><code>([a-z2-9-]+)</code></li>", done.text)
    assert (len(fresh), set(fresh) & set(old)) == (10, set())
    assert send_code(half_in(ELSEWHERE), old[0]) == 422
    assert send_code(half_in(ELSEWHERE), fresh[0]) == 302


def test_person_at_the_server_turns_it_off(
    ada: User, code_of_ada: ON, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("turn_off_second_factor", "ada")
    assert capsys.readouterr().out == "ada now logs in with the password alone.\n"
    assert attempt(browser(), password=RIGHT).url == "/"
    for name, message in (("ada", "ada has no second factor."), ("nobody", "No such login: nobody.")):
        with pytest.raises(CommandError, match=message):
            call_command("turn_off_second_factor", name)
