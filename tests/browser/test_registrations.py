"""Registrations in a browser: a player on a phone, and an organiser who decides from the keyboard."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from registrations.actions.money import charge
from registrations.models import EventRegistration, Registration, SectionRegistration
from registrations.queries.mails import token_of
from registrations.web.forms import registration
from tests.browser.conftest import LogIn, PageMaker, kept_by_worker
from tests.browser.results import PHONE, Cut, look, send_now
from tests.factories import EventRoleFactory, UserFactory, section_of
from tests.registrations.factories import ORGANISER, desk, section, sent
from tests.waiting import until
from tests.web.staff.conftest import paired
from tournaments.models import EventRole, Participant


def test_a_player_registers_on_a_phone_and_withdraws_with_two_taps(
    new_page: PageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registration, "QUICKEST", timedelta(0))
    into = desk(acceptance="complete", fee=2500)
    page = new_page(**PHONE)
    page.goto(f"/{into.event.slug}/-/register/")
    page.get_by_label("Name", exact=True).fill("Lovelace, Ada")
    page.get_by_label("Rating").fill("1815")
    page.get_by_label("Birth date").fill("1990-12-10")
    page.get_by_label("E-mail address", exact=True).fill("ada@example.org")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Send the registration").tap()
    expect(page.get_by_role("heading", name="Your registration")).to_be_visible()
    expect(page.locator("main")).to_contain_text("To pay: 25.00 EUR")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    withdraw = page.get_by_role("button", name="Withdraw the registration")
    expect(withdraw).to_be_hidden()
    page.locator("summary", has_text="Withdraw the registration").tap()
    withdraw.tap()
    expect(page.locator("main")).to_contain_text("Your registration is withdrawn.")
    assert (Registration.objects.get().state, Participant.objects.count()) == ("withdrawn", 0)


def test_an_organiser_decides_row_by_row_without_leaving_the_keyboard(
    new_page: PageMaker, log_in: LogIn
) -> None:
    into = desk()
    for name in "ABCD":
        sent(into, f"{name}, X")
    page = new_page()
    log_in(page, EventRoleFactory(event=into.event).user)
    page.goto(f"/{into.event.slug}/-/registration/")
    for key in "jja":
        page.keyboard.press(key)
    expect(page.get_by_role("checkbox", name="C, X")).to_be_focused()
    page.keyboard.press("a")
    expect(page.get_by_role("checkbox", name="D, X")).to_be_focused()
    assert Participant.objects.filter(section=into).count() == 2
    page.keyboard.press("u")  # undoes the last decision, not one about the row that has the focus now
    expect(page.get_by_role("checkbox", name="C, X")).to_be_visible()
    assert Participant.objects.get(section=into).player.name == "B, X"
    page.keyboard.press("j")
    page.keyboard.press("r")
    expect(page.get_by_label("Reason for the player")).to_be_focused()


def test_labels_notes_and_the_last_row_of_a_pile_are_undone_by_the_key_u(
    new_page: PageMaker, log_in: LogIn
) -> None:
    into = desk()
    one = sent(into, "A, X")
    page = new_page()
    log_in(page, EventRoleFactory(event=into.event).user)
    page.goto(f"/{into.event.slug}/-/registration/")
    for key in "jxl":
        page.keyboard.press(key)
    page.keyboard.type("hotel")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 registration has the label “hotel” now.")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_text("The change of the labels of 1 registration is undone.")).to_be_visible()
    assert not one.labels.exists()
    for key in "ja":
        page.keyboard.press(key)
    expect(page.get_by_text("Nothing in this list.")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_role("checkbox", name="A, X")).to_be_visible()
    page.get_by_role("link", name="A, X").click()
    page.get_by_label("Note", exact=True).fill("Comes late")
    page.get_by_label("Note", exact=True).press("Enter")
    expect(page.get_by_text("Comes late")).to_be_visible()
    page.get_by_role("heading", name="Decision").click()
    page.keyboard.press("u")
    expect(page.get_by_text("1 note is deleted.")).to_be_visible()
    assert not one.notes.exists()


def test_the_queue_works_on_after_all_were_accepted_and_undone(new_page: PageMaker, log_in: LogIn) -> None:
    into = desk()
    for name in "ABC":
        sent(into, f"{name}, X")
    page = new_page()
    log_in(page, EventRoleFactory(event=into.event).user)
    page.goto(f"/{into.event.slug}/-/registration/")
    for key in "jxjxjxa":
        page.keyboard.press(key)
    expect(page.get_by_text("Nothing in this list.")).to_be_visible()
    assert Participant.objects.filter(section=into).count() == 3
    page.keyboard.press("u")
    expect(page.get_by_role("checkbox", name="C, X")).to_be_visible()
    assert not Participant.objects.filter(section=into).exists()
    search = page.get_by_role("searchbox")
    search.fill("B, X")
    search.press("Enter")
    expect(page.get_by_role("checkbox", name="A, X")).to_have_count(0)
    for key in "ja":
        page.keyboard.press(key)
    expect(page.get_by_text("Nothing in this list.")).to_be_visible()
    assert Participant.objects.get(section=into).player.name == "B, X"


def test_the_desk_finds_and_marks_a_player_whom_another_browser_put_in(
    new_page: PageMaker, log_in: LogIn
) -> None:
    into = desk(acceptance="complete")
    sent(into, "Abel, Ann")
    page = new_page()
    log_in(page, EventRoleFactory(event=into.event, role="check-in").user)
    with page.expect_request_finished(lambda request: "/desk/people/" in request.url):
        page.goto(f"/{into.event.slug}/-/registration/desk/")
    field = page.get_by_role("searchbox")
    field.fill("Zora")
    expect(page.get_by_text("No player found.")).to_be_visible()
    new = sent(into, "Babel, Zora", by=ORGANISER)
    look(page)
    expect(page.get_by_text("No player found.")).to_be_hidden()
    for name in ("Babel, Zora", "Abel, Ann"):
        field.fill(name[:4])
        page.get_by_role("button", name=f"{name} is here").click()
        expect(page.get_by_role("status").filter(has_text=f"{name} is here")).to_be_visible()
    until(lambda: Registration.objects.filter(present_at__isnull=False).count() == 2)
    expect(page.locator("#present")).to_have_text("here: 2")
    new.refresh_from_db()
    assert new.present_at is not None


def test_the_second_late_player_is_accepted_on_the_page_that_the_first_one_left(
    new_page: PageMaker, log_in: LogIn
) -> None:
    """The buttons of this page replace it without loading it again."""
    into = section_of(6, name="A", slug="a")
    EventRegistration.objects.create(event=into.event, confirm_by_mail=False)
    SectionRegistration.objects.create(section=into)
    for name in ("Late, Lia", "Later, Leo", "Latest, Lou"):
        sent(into, name, by=ORGANISER)
    paired(into)
    page = new_page()
    log_in(page, EventRoleFactory(event=into.event, role=EventRole.Role.ARBITER).user)
    page.goto(f"/{into.event.slug}/-/registration/late/a/")
    page.evaluate("window.same = true")
    for name in ("Late, Lia", "Later, Leo"):
        page.get_by_role("button", name=f"Accept {name}").click()
        expect(page.get_by_role("heading", name=name)).to_have_count(0)
    page.locator("summary", has_text="Refuse").click()
    page.get_by_label("Reason for the player").fill("Too late")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nobody waits.")).to_be_visible()
    assert page.evaluate("window.same")
    assert Participant.objects.filter(section=into).count() == 8


ROWS_IN_VIEW = """() => {
  const bar = document.querySelector(".deciding").getBoundingClientRect().top;
  const rows = [...document.querySelectorAll(".queue tbody tr")].map((row) => row.getBoundingClientRect());
  return rows.filter((row) => row.bottom <= bar).length;
}"""


def test_the_rows_have_the_screen_and_the_bar_one_row(new_page: PageMaker, log_in: LogIn) -> None:
    into = desk(capacity=20)
    for _ in "BC":
        section(into.event, capacity=20)
    for number in range(25):
        sent(into, f"Player{number:02}, Ada", club="Schachfreunde")
    owner = EventRoleFactory(event=into.event).user
    for options, least in (({}, 10), (PHONE, 3)):
        page = new_page(**options)
        page.set_viewport_size({"width": 360, "height": 740} if options else {"width": 1366, "height": 768})
        log_in(page, owner)
        for language in ("", "/de", "/fr"):
            page.goto(f"{language}/{into.event.slug}/-/registration/")
            assert page.evaluate(ROWS_IN_VIEW) >= least
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.goto(f"/{into.event.slug}/-/registration/")
        if options:
            page.locator(".which > summary").tap()
        page.get_by_role("link", name="Waiting list").filter(visible=True).click()
        expect(page.get_by_role("button", name="Offer a place")).to_be_visible()
        expect(page.get_by_role("button", name="Remove the label")).to_be_hidden()
        page.locator(".more > summary").click()
        expect(page.get_by_role("button", name="Remove the label")).to_be_visible()


def test_two_organisers_see_on_which_row_the_other_works(new_page: PageMaker, log_in: LogIn) -> None:
    into = desk()
    one, two = sent(into, "A, X"), sent(into, "B, X")
    olga, ada = new_page(), new_page()
    for page, name in ((olga, "olga"), (ada, "ada")):
        log_in(page, EventRoleFactory(event=into.event, user=UserFactory(username=name)).user)
        page.goto(f"/{into.event.slug}/-/registration/")
    with ada.expect_response(re.compile(f"row={two.pk}&")):
        ada.keyboard.press("j")
        ada.keyboard.press("j")
    look(olga)
    expect(olga.locator("tr", has_text="B, X")).to_contain_text("ada has this registration open")
    with ada.expect_response(re.compile(f"/{one.pk}/.*row=")):
        ada.goto(f"/{into.event.slug}/-/registration/{one.pk}/")
    look(olga)
    expect(olga.locator("tr", has_text="A, X")).to_contain_text("ada has this registration open")
    expect(olga.locator("tr", has_text="B, X")).not_to_contain_text("ada has this registration open")


def test_a_scanner_at_the_desk_needs_no_mouse(new_page: PageMaker, log_in: LogIn) -> None:
    into = desk(acceptance="complete", fee=1000)
    ann, bob = sent(into, "A, X"), sent(into, "B, X")
    page = new_page()
    log_in(page, EventRoleFactory(event=into.event).user)
    with page.expect_request_finished(lambda request: "/desk/people/" in request.url):
        page.goto(f"/{into.event.slug}/-/registration/desk/")
    for one, code in (
        (ann, str(ann.pk)),
        (bob, f"https://x.example/{into.event.slug}/-/entry/{token_of(bob)}/"),
    ):
        page.keyboard.type(code)
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=f"{one.name} is here and has paid")).to_be_visible()
        expect(page.get_by_role("searchbox")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text(f"{one.name} is here and has paid")
        expect(page.get_by_role("searchbox")).to_be_focused()
        expect(page.locator("[data-is=waits]:visible")).to_have_count(0)  # the server has it
    assert Registration.objects.filter(present_at__isnull=False, balance=0).count() == 2


def test_the_desk_works_through_a_network_gap_and_sends_everything_afterwards(
    new_page: PageMaker, log_in: LogIn
) -> None:
    """Three marks without a network, also by code, survive a reload. Somebody else's payment is not overwritten."""
    into = desk(acceptance="complete", fee=2500, event={"start": "2090-10-17", "end": "2090-10-25"})
    ann, bob, cy = sent(into, "Abel, Ann"), sent(into, "Babel, Bob", fide_id=4711), sent(into, "Cabel, Cy")
    page = new_page(service_workers="allow", **PHONE)
    user = EventRoleFactory(event=into.event, role="check-in").user
    log_in(page, user)
    page.goto(f"/{into.event.slug}/-/registration/desk/")
    page.evaluate("navigator.serviceWorker.ready")
    wire = Cut(page, r"/desk/\d+/")  # reloaded through the worker, which keeps the page
    kept_by_worker(page, f"/{into.event.slug}/-/registration/desk/")
    field, state = page.get_by_role("searchbox"), page.locator("#desk-state")
    stored = "Object.keys(localStorage).filter((key) => key.startsWith('evenboard:desk:')).length"
    until(lambda: page.evaluate(stored) == 1, "the list of the players")
    page.context.set_offline(True)
    field.fill("abe")
    page.get_by_role("button", name="Abel, Ann is here and has paid").tap()
    expect(page.get_by_role("status").filter(has_text="Abel, Ann is here and has paid")).to_be_visible()
    field.fill("4711")
    field.press("Enter")
    expect(page.get_by_role("button", name="Babel, Bob is here and has paid")).to_be_visible()
    field.press("Enter")
    field.fill("cab")
    page.locator("summary", has_text="Correct").tap()
    page.get_by_label("Club").fill("Offline Chess")
    page.get_by_role("button", name="Save").tap()
    expect(state).to_contain_text("3 marks wait on this device")
    expect(page.locator("#present")).to_have_text("here: 2")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.reload()
    expect(state).to_contain_text("3 marks wait on this device")
    field.fill("abe")
    expect(page.locator("#desk-rows")).to_contain_text("not sent yet")
    assert not Registration.objects.filter(present_at__isnull=False).exists()
    charge(registration_id=bob.pk, kind="payment", cents=2500, by=ORGANISER)  # at another desk
    wire.mend()
    page.context.set_offline(False)
    send_now(page)
    differs = page.locator("#desk-differs")
    expect(differs).to_contain_text(
        "You noted that Babel, Bob paid 25.00 EUR. Meanwhile somebody changed the account"
    )
    expect(state).to_be_hidden()
    for one in (ann, bob, cy):
        one.refresh_from_db()
    assert [(one.balance, one.present_at is not None, one.club) for one in (ann, bob, cy)] == [
        (0, True, ""),
        (0, True, ""),
        (2500, False, "Offline Chess"),
    ]
    differs.get_by_role("button", name="Leave it as it is").tap()
    expect(differs).to_be_empty()
    assert page.evaluate(stored) == 1  # the list
    page.locator(".menu.who > summary").click()
    page.get_by_role("button", name="Log out").tap()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    assert page.evaluate(stored) == 0
    desks = "caches.keys().then((names) => names.filter((name) => name.includes('desks')).length)"
    until(lambda: page.evaluate(desks) == 0, "the end of the kept desk")


CAMERA = """
window.shown = [];
window.allowed = true;
window.BarcodeDetector = class {
  static getSupportedFormats = async () => ["qr_code"];
  detect = async () => window.shown;
};
navigator.mediaDevices.getUserMedia = async () => {
  if (!window.allowed) throw new DOMException("", "NotAllowedError");
  const canvas = document.createElement("canvas");
  setInterval(() => canvas.getContext("2d").fillRect(0, 0, 9, 9), 50);
  return canvas.captureStream();
};
"""


def test_the_camera_of_a_phone_reads_codes_one_after_another(new_page: PageMaker, log_in: LogIn) -> None:
    """Chromium on a desktop reads no codes: the test stands in for the camera and for what it reads."""
    into = desk(acceptance="complete")
    ann, bob = sent(into, "Abel, Ann"), sent(into, "Babel, Bob")
    page = new_page(**PHONE)
    page.add_init_script(CAMERA)
    log_in(page, EventRoleFactory(event=into.event, role="check-in").user)
    with page.expect_request_finished(lambda request: "/desk/people/" in request.url):
        page.goto(f"/{into.event.slug}/-/registration/desk/")
    scan, picture = page.get_by_role("button", name="Scan"), page.get_by_label("Picture of the camera")
    page.evaluate("window.allowed = false")
    scan.tap()
    expect(page.locator("#desk-state")).to_contain_text("The camera does not work.")
    expect(picture).to_be_hidden()
    page.evaluate("window.allowed = true")
    scan.tap()
    expect(picture).to_be_visible()
    for one in (ann, bob):
        address = f"https://x.example/{into.event.slug}/-/entry/{token_of(one)}/"
        page.evaluate("address => { window.shown = [{rawValue: address}] }", address)
        page.get_by_role("button", name=f"{one.name} is here").tap()
        expect(page.get_by_role("status").filter(has_text=f"{one.name} is here")).to_be_visible()
        expect(page.get_by_role("searchbox")).not_to_be_focused()  # no keyboard over the picture
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Stop the camera").tap()
    expect(picture).to_be_hidden()
    until(lambda: Registration.objects.filter(present_at__isnull=False).count() == 2)


LINES_AND_COLUMNS = """() => [...document.querySelectorAll("main .fields")].map((row) => {
  const boxes = [...row.querySelectorAll(".field > input, .field > select")].map((box) => box.getBoundingClientRect());
  const different = (side) => new Set(boxes.map((box) => Math.round(box[side]))).size;
  return [different("top"), different("left"), boxes.length];
})"""


def test_boxes_of_one_row_are_on_one_line_where_a_label_wraps(new_page: PageMaker, log_in: LogIn) -> None:
    into = desk()
    page = new_page(viewport={"width": 1366, "height": 900})
    log_in(page, EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user)
    for language in ("", "/de"):
        page.goto(f"{language}/{into.event.slug}/-/registration/settings/")
        rows = page.evaluate(LINES_AND_COLUMNS)
        assert len(rows) == 4
        for lines, columns, boxes in rows:
            assert lines == -(-boxes // columns)
