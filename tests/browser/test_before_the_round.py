"""The minutes before a round in a real browser: check-in on two phones, absences, late entries, withdrawals."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LogIn, PageMaker, ask_now, before_script, follow
from tests.browser.made import made_once
from tests.browser.people import section_of_people
from tests.browser.results import Cut, Wire, send_now
from tests.factories import EventRoleFactory
from tests.waiting import until
from tests.web.staff.conftest import address, paired
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import check_in, open_check_in
from tournaments.models import Bye, CheckIn, Participant, Section

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LAPTOP: dict[str, object] = {}


def twelve_people() -> Section:
    """Twelve people, check-in for round 1 open."""
    made: Section = section_of_people(12, initial_colour="w", rounds=7)
    open_check_in(actor=Actor.command(), section_id=made.pk, after_round=0)
    return made


@pytest.fixture
def section(server: str) -> Section:
    return made_once(twelve_people)


def seat(new_page: PageMaker, log_in: LogIn, section: Section, rest: str, device: dict[str, object]) -> Page:
    page = new_page(**device)
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(section, rest))
    return page


def row(page: Page, name: str) -> Page:
    return page.get_by_role("button", name=re.compile(name))


def here(section: Section) -> int:
    return CheckIn.objects.filter(participant__section=section).count()


def test_check_in_on_a_phone(new_page: PageMaker, log_in: LogIn, section: Section) -> None:
    """The toast stays until the next action, and no row is under it: the arbiter marks the next player."""
    phone = seat(new_page, log_in, section, "check-in/", PHONE)
    expect(phone.locator(".count")).to_have_text("12 not here yet")
    assert min(seat.bounding_box()["height"] for seat in phone.locator(".seat").all()) >= 44
    row(phone, "Hrubeš").tap()
    expect(row(phone, "Hrubeš")).to_have_attribute("aria-pressed", "true")
    expect(phone.locator("#toast")).to_contain_text("Hrubeš, Vojtěch is here.")
    expect(phone.locator(".count")).to_have_text("11 not here yet")
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    last, toast = phone.locator(".seat").last.bounding_box(), phone.locator("#toast").bounding_box()
    assert last["y"] + last["height"] <= toast["y"]
    phone.locator("#toast [data-undo]").tap()
    expect(row(phone, "Hrubeš")).to_have_attribute("aria-pressed", "false")
    expect(phone.locator(".count")).to_have_text("12 not here yet")
    assert here(section) == 0
    assert phone.evaluate("document.documentElement.scrollWidth") == 360


def test_check_in_on_two_phones_at_once_loses_no_tap(
    new_page: PageMaker, log_in: LogIn, section: Section
) -> None:
    one, two = (seat(new_page, log_in, section, "check-in/", PHONE) for _ in range(2))
    names = [person.split(",")[0].split()[0] for person in one.locator(".seat b").all_text_contents()][:8]
    for number, name in enumerate(names):
        row((one, two)[number % 2], name).tap()
    until(lambda: here(section) == 8)
    for phone in (one, two):
        ask_now(phone)
        expect(phone.locator(".count")).to_have_text("4 not here yet")
        expect(phone.locator('.seat[aria-pressed="true"]')).to_have_count(8)


def test_taps_without_a_network_are_sent_later_from_any_page(
    new_page: PageMaker, log_in: LogIn, section: Section
) -> None:
    phone = seat(new_page, log_in, section, "check-in/", PHONE)
    laptop = seat(new_page, log_in, section, "cockpit/", LAPTOP)
    wire = Cut(phone, r"/check-in/\d+/")
    for name in ("Hrubeš", "Szűcs"):
        row(phone, name).tap()
    expect(row(phone, "Hrubeš").locator(".state")).to_have_text("not sent yet")
    expect(phone.locator("#trouble")).to_contain_text("2 marks wait on this device")
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    message, search = phone.locator("#trouble").bounding_box(), phone.locator("#q").bounding_box()
    assert message
    assert search
    assert message["y"] + message["height"] <= search["y"]
    phone.reload()
    expect(row(phone, "Szűcs").locator(".state")).to_have_text("not sent yet")
    phone.goto(address(section, "cockpit/"))
    box = phone.locator("#waiting")
    expect(box).to_contain_text("2 marks made on this device are not saved. The server does not answer")
    expect(box).to_contain_text("Hrubeš")
    expect(phone.locator(".plate > summary")).to_contain_text("2 not saved")
    assert here(section) == 0
    elsewhere = laptop.get_by_text("2 players are marked as here only on a device of")
    ask_now(laptop)
    expect(elsewhere).to_be_visible()
    expect(phone.get_by_text("marked as here only on a device of")).to_be_hidden()
    wire.mend()
    expect(phone.locator(".plate")).to_be_hidden()
    assert here(section) == 2
    ask_now(laptop)
    expect(elsewhere).to_have_count(0)


def test_mark_that_waits_while_its_row_is_not_on_the_page_is_sent(
    new_page: PageMaker, log_in: LogIn, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check-in in parts of four rows. Marks do not reach the server, and searches do."""
    monkeypatch.setattr("web.views.staff.presence.WHOLE", 4)
    monkeypatch.setattr("web.views.public.lists.PART", 4)
    page = seat(new_page, log_in, section, "check-in/", LAPTOP)
    wire = Wire(page, "**/check-in/*/")
    search, rows = page.get_by_role("searchbox"), page.locator("#seats li")
    for name in ("hrub", "szucs"):
        search.press_sequentially(name)
        search.press("Enter")  # before the answer to the search
        expect(page.locator("#toast")).to_contain_text("is here.")
        expect(search).to_have_value("")
    search.press_sequentially("thorv")
    expect(rows).to_have_count(1)
    assert here(section) == 0
    search.fill("hrub")
    expect(rows).to_have_attribute("data-busy", "")
    expect(row(page, "Hrubeš")).to_have_attribute("aria-pressed", "true")
    wire.mend()
    expect(page.locator(".count")).to_have_text("10 not here yet")
    assert here(section) == 2
    search.fill("")
    expect(rows).not_to_have_count(1)
    page.mouse.wheel(0, 3000)
    expect(rows).to_have_count(12)  # three parts, the last two added near the end
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    expect(row(page, "Hrubeš")).to_have_count(0)


def test_phone_shows_its_mark_that_lost_and_desk_shows_the_mark_that_won(
    new_page: PageMaker, log_in: LogIn, section: Section
) -> None:
    """A phone without a connection marks one player before the desk does, and another one after the desk did."""
    desk = seat(new_page, log_in, section, "check-in/", LAPTOP)
    names = [person.split(",")[0] for person in desk.locator(".seat b").all_text_contents()]
    first, last = names[0], names[-1]
    row(desk, last).click()
    expect(desk.locator(".count")).to_have_text("11 not here yet")
    phone = seat(new_page, log_in, section, "check-in/", PHONE)
    phone.context.set_offline(True)
    expect(phone.locator("#live-state")).to_be_visible()  # it moves the rows
    for name in (last, first):
        row(phone, name).tap()
        expect(row(phone, name).locator(".state")).to_have_text("not sent yet")
        expect(phone.locator("#trouble")).to_be_visible()
    for state in ("true", "false"):
        row(desk, first).click()
        expect(row(desk, first)).to_have_attribute("aria-pressed", state)
        expect(desk.locator("[data-busy]")).to_have_count(0)
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    phone.context.set_offline(False)
    send_now(phone)
    expect(phone.locator("#trouble")).to_contain_text(re.compile(f"{first}, .*is still not here"))
    expect(phone.locator("#toast")).to_be_hidden()  # it would say that the first one is here
    expect(phone.locator("#trouble")).to_be_in_viewport(ratio=1)
    expect(row(phone, first)).to_have_attribute("aria-pressed", "false")
    assert not CheckIn.objects.filter(participant__player__name__startswith=first).exists()
    ask_now(desk)
    expect(desk.locator("#c-late")).to_contain_text(
        re.compile(f"{last}, .*is not here. A phone without a connection")
    )
    desk.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(desk.locator("#c-late")).to_be_in_viewport(ratio=1)
    desk.goto(address(section, "cockpit/"))
    expect(desk.locator("#d-log")).to_contain_text("is still not here. A phone without a connection")


def test_name_that_is_typed_before_the_script_comes_is_found_by_the_server(
    new_page: PageMaker, log_in: LogIn, section: Section
) -> None:
    page = new_page(**LAPTOP)
    log_in(page, EventRoleFactory(event=section.event).user)
    with before_script(page, "presence", address(section, "check-in/")):
        page.locator("#q").fill("hrub")
        page.locator("#q").press("Enter", no_wait_after=True)
        expect(page.locator("#seats li")).to_have_count(1)
    page.locator("#q").press("Enter")
    expect(page.locator("#seats li")).to_have_count(12)
    expect(page.locator(".count")).to_have_text("11 not here yet")


def test_search_finds_names_while_others_check_in_and_after_all_are_here(
    new_page: PageMaker, log_in: LogIn, section: Section
) -> None:
    """Check-in is opened from the cockpit."""
    Section.objects.filter(pk=section.pk).update(check_in_round=None)
    page = seat(new_page, log_in, section, "cockpit/", LAPTOP)
    page.keyboard.press("i")
    expect(page.locator(".count")).to_have_text("12 not here yet")
    search = page.get_by_role("searchbox")
    search.press_sequentially("hrub")
    expect(page.locator("#seats li:visible")).to_have_count(1)
    search.press("Enter")  # marks the only player that the search shows
    expect(page.locator("#toast")).to_contain_text("is here.")
    expect(page.locator(".count")).to_have_text("11 not here yet")
    # The search stays while others check in.
    search.press_sequentially("thorv")
    expect(page.locator("#seats li:visible")).to_have_count(1)
    other = section.participants.get(tpn=2)
    check_in(actor=Actor.command(), participant_id=other.pk, round_number=1)
    ask_now(page)
    expect(page.locator(".count")).to_have_text("10 not here yet")
    expect(search).to_be_focused()
    expect(search).to_have_value("thorv")
    expect(page.locator("#seats li:visible")).to_have_count(1)
    search.press("Enter")
    expect(page.locator(".count")).to_have_text("9 not here yet")
    expect(search).to_have_value("")
    page.locator("h1").click()
    page.keyboard.press("m")
    expect(page.locator("#seats li:visible")).to_have_count(9)
    page.keyboard.press("m")
    expect(page.locator("#seats li:visible")).to_have_count(12)
    # The button brings the page again, without its scripts.
    page.get_by_role("button", name="All others are here").click()
    expect(page.locator(".count")).to_have_text("All 12 are here")
    search.press_sequentially("hrub")
    expect(page.locator("#seats li:visible")).to_have_count(1)
    page.locator("#seats li:visible button").click()
    expect(page.locator(".count")).to_have_text("1 not here yet")
    search.press("Enter")
    expect(page.locator(".count")).to_have_text("All 12 are here")


def test_check_in_without_a_script(new_page: PageMaker, log_in: LogIn, section: Section) -> None:
    page = seat(new_page, log_in, section, "check-in/?show=missing", {"java_script_enabled": False})
    follow(row(page, "Hrubeš"))
    assert here(section) == 1
    page.goto(address(section, "absences/"))
    follow(page.get_by_role("button", name=re.compile("^Bye 0 ?, Szűcs")))
    assert Bye.objects.get().kind == "Z"


def test_absent_players_get_byes_or_leave_and_the_round_is_paired(
    new_page: PageMaker, log_in: LogIn, section: Section
) -> None:
    for entry in section.participants.filter(tpn__gt=4):
        check_in(actor=Actor.command(), participant_id=entry.pk, round_number=1)
    page = seat(new_page, log_in, section, "cockpit/", LAPTOP)
    expect(page.locator(".line .now")).to_contain_text("Check-in")
    page.get_by_role("button", name=re.compile("^Bye ½ ?, Hrubeš")).click()
    expect(page.locator("main")).to_contain_text("Half-point bye: 1 Hrubeš, Vojtěch.")
    page.goto(address(section, "absences/"))
    page.get_by_role("button", name=re.compile("^Withdraw ?, Szűcs")).click()
    expect(page.locator("#a-list li")).to_have_count(2)
    page.keyboard.press("z")
    expect(page.locator("#a-list h2")).to_have_text("Give 2 players a zero-point bye in round 1?")
    page.keyboard.press("Enter")
    expect(page.locator(".head .btn.go")).to_contain_text("Pair round 1")
    page.keyboard.press("Enter")
    expect(page.locator(".head .btn.go")).to_contain_text("Check round 1")
    kinds = Bye.objects.filter(source="absent").order_by("participant__tpn").values_list("kind", flat=True)
    assert list(kinds) == ["H", "Z", "Z"]
    assert section.participants.get(tpn=2).status == "withdrawn"
    assert section.played_rounds.get().games.count() == 4


def test_player_who_goes_home_during_the_round(new_page: PageMaker, log_in: LogIn, section: Section) -> None:
    Section.objects.filter(pk=section.pk).update(check_in_round=None)
    section.refresh_from_db()
    game = paired(section).games.select_related("black__player").get(board=2)
    page = seat(new_page, log_in, section, f"entries/{game.black_id}/", LAPTOP)
    page.get_by_role("link", name="Withdraw…").click()
    expect(page.get_by_label(re.compile("Forfeit this board"))).to_be_checked()
    page.get_by_label("Reason").fill("ill")
    page.get_by_role("button", name="Withdraw", exact=True).click()
    expect(page.locator("#d-away")).to_contain_text("withdrew after round 1")
    game.refresh_from_db()
    assert (game.result, Participant.objects.get(pk=game.black_id).left_after) == ("+:-", 1)


def test_late_entry_comes_in_with_the_next_round(
    new_page: PageMaker, log_in: LogIn, section: Section
) -> None:
    Section.objects.filter(pk=section.pk).update(check_in_round=None)
    section.refresh_from_db()
    paired(section)
    page = seat(new_page, log_in, section, "entries/add/", LAPTOP)
    page.get_by_label("Name", exact=True).fill("Laat, Anke")
    page.locator("#id_rating").fill("2440")
    page.get_by_label("Missed rounds").select_option("H")
    page.get_by_role("button", name="Add player").click()
    expect(page.locator("#question")).to_contain_text("4 pairing numbers of Open change")
    page.get_by_role("button", name="Give the new numbers").click()
    expect(page.get_by_text("Laat, Anke is entered as number 9 and plays from round 2 on.")).to_be_visible()
    assert Bye.objects.get(participant__player__name="Laat, Anke").round_number == 1
