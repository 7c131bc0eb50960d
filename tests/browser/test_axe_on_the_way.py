"""axe finds no error in what only an action shows: dialogs, questions, messages, links that work once, error pages."""

from __future__ import annotations

from functools import partial
from time import time

from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory
from playwright.sync_api import Route, expect

from server.failures import FULL
from tests.browser.axe import errors
from tests.browser.conftest import LogIn, PageMaker
from tests.browser.states import by_hand, person, running, stuck
from tests.factories import (
    EventRoleFactory,
    UserFactory,
)
from tests.web.staff.conftest import address
from tournaments.actions.logins.second_factor import secret_of
from tournaments.actions.logins.totp import hotp, step_at
from tournaments.models import EventRole, Game, SecondFactor, SiteSettings, User

LIST = """Name;Rating;Federation;Title
Novák, Jan;2010;CZE;FM
Lindqvist, Åke;;SWE;
Berg, Bo;2l00;HOL;
Novák, Jan;2020;CZE;
"""


ERROR_PAGES = ("400.html", "403_csrf.html", "413.html", "500.html", "failure.html")


def test_axe_finds_no_error_on_the_way_of_an_invitation(
    server: str, new_page: PageMaker, log_in: LogIn
) -> None:
    event = EventRoleFactory(role=EventRole.Role.OWNER, user=UserFactory(username="olga")).event
    joost = UserFactory(username="joost")
    organiser, visitor, invited = (new_page(reduced_motion="reduce") for _ in range(3))
    log_in(organiser, User.objects.get(username="olga"))
    log_in(invited, joost)
    found = []
    organiser.goto(f"/{event.slug}/-/people/")
    organiser.get_by_label("The user name of a login").check()
    organiser.get_by_label("User name", exact=True).fill("joost")
    organiser.get_by_label("Role").select_option("arbiter")
    organiser.get_by_role("button", name="Add the person").click()
    expect(organiser.get_by_text("If there is a login joost")).to_be_visible()
    found += errors(organiser)
    organiser.get_by_label("Name", exact=True).fill("Nia")
    organiser.get_by_label("Role").select_option("clerk")
    organiser.get_by_role("button", name="Add the person").click()
    link = organiser.get_by_label("Link", exact=True).input_value()
    found += errors(organiser)
    invited.goto("/")
    found += errors(invited)
    invited.goto(link)
    found += errors(invited)
    visitor.goto(link)
    found += errors(visitor)
    visitor.locator("main form").evaluate("form => { form.noValidate = true; }")
    visitor.get_by_role("button", name="Make my login").click()
    expect(visitor.locator("main .wrong").first).to_be_visible()
    found += errors(visitor)
    visitor.goto(f"/invitation/{'x' * 43}/")
    found += errors(visitor)
    SiteSettings.objects.create(pk=SiteSettings.ONLY, open_registration=True)
    visitor.goto("/sign-up/")
    found += errors(visitor)
    assert found == []


def test_axe_finds_no_error_in_dialogs_questions_and_messages(
    server: str, new_page: PageMaker, log_in: LogIn
) -> None:
    section = running()
    page = new_page(reduced_motion="reduce")
    found = []
    page.goto("/login/")
    page.get_by_label("User name").fill("nobody")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    found += errors(page)
    log_in(page, person("arbiter", section))
    for rest in ("cockpit/", "round/3/results/"):
        page.goto(address(section, rest))
        page.keyboard.press("?")
        expect(page.locator("dialog[open]")).to_be_visible()
        found += errors(page)
    page.goto(address(section, "entries/add/"))
    page.locator("main form[method=post]").evaluate("form => { form.noValidate = true; }")
    page.locator("main form button.go").first.click()
    expect(page.locator("main .wrong").first).to_be_visible()
    found += errors(page)
    page.goto(address(section, "entries/import/"))
    file = {"name": "entries.csv", "mimeType": "text/csv", "buffer": LIST.encode()}
    page.locator("input[type=file]").first.set_input_files(file)
    page.locator("main form button.go").first.click()
    page.wait_for_url("**/import/check/**")
    for compare in page.locator("details.rivals summary").all():
        compare.click()
    expect(page.locator("details.rivals[open] table").first).to_be_visible()
    found += errors(page)
    page.goto(address(section, "byes/"))
    page.get_by_label("Player").select_option(str(section.participants.get(tpn=16).pk))
    page.get_by_role("textbox", name="Rounds").fill("5")
    page.get_by_role("button", name="Give the bye").click()
    expect(page.locator("#question")).to_be_visible()
    found += errors(page)
    page.get_by_role("button", name="Give the bye anyway").click()
    expect(page.locator("[data-toast]")).to_be_visible()
    found += errors(page)
    assert found == []


def test_axe_finds_no_error_in_a_question_of_pairing_by_hand(
    server: str, new_page: PageMaker, log_in: LogIn
) -> None:
    section = by_hand()
    page = new_page(reduced_motion="reduce")
    log_in(page, person("arbiter", section))
    page.goto(address(section, "round/2/by-hand/"))
    had_the_bye = section.participants.get(byes__round_number=1)
    page.locator(f"#p-{had_the_bye.pk}").focus()
    page.keyboard.press("r")
    expect(page.locator("#ask")).to_be_visible()
    assert errors(page) == []


def test_axe_finds_no_error_on_the_way_into_a_login(server: str, new_page: PageMaker) -> None:
    """A link of an organiser, a new password, a second factor, and the code at the next login."""
    event = EventRoleFactory(user=UserFactory(username="olga"), role=EventRole.Role.OWNER).event
    ada = EventRoleFactory(event=event, user=UserFactory(username="ada", first_name="Ada")).user
    found = []
    page = new_page(reduced_motion="reduce")

    def log_in_as(name: str, password: str) -> None:
        page.goto("/login/")
        page.get_by_label("User name").fill(name)
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Log in").click()

    log_in_as("olga", "a long password")
    page.goto(f"/{event.slug}/-/people/")
    page.get_by_label("Person", exact=True).select_option("ada")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#link input").input_value()
    found += errors(page)
    page.locator(".menu.who > summary").click()
    page.get_by_role("button", name="Log out").click()
    page.goto(link)
    found += errors(page)
    page.get_by_label("New password", exact=True).fill("bishops-behind-pawns")
    page.get_by_label("New password confirmation").fill("bishops-behind-pawns")
    page.get_by_role("button", name="Save the new password").click()
    log_in_as("ada", "bishops-behind-pawns")
    page.goto("/account/second-factor/")
    secret = secret_of(SecondFactor.objects.get(user=ada))
    page.get_by_label("Code that the app shows").fill(hotp(secret, step_at(time())))
    page.get_by_label("Your password").fill("bishops-behind-pawns")
    page.get_by_role("button", name="Turn on the second factor").click()
    code = page.locator(".codes code").first.inner_text()
    found += errors(page)
    page.goto("/account/second-factor/")
    found += errors(page)
    page.goto("/account/new-phone/")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#link code").inner_text()
    found += errors(page)
    page.goto("/account/")
    found += errors(page)
    page.locator(".menu.who > summary").click()
    page.get_by_role("button", name="Log out").click()
    page.goto(link)
    found += errors(page)
    log_in_as("ada", "bishops-behind-pawns")
    expect(page.get_by_role("heading", name="Your code")).to_be_visible()
    page.keyboard.type("000000")
    page.keyboard.press("Enter")
    expect(page.locator(".err")).to_be_visible()
    found += errors(page)
    page.get_by_label("Code").fill(code)
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Account")).to_be_visible()
    assert found == []


def test_axe_finds_no_error_where_the_rules_cannot_finish(
    server: str, new_page: PageMaker, log_in: LogIn
) -> None:
    """The page of the offer. Enter, its key, takes the offer over."""
    section = stuck()
    page = new_page(reduced_motion="reduce")
    log_in(page, person("arbiter", section))
    page.goto(address(section, "cockpit/"))
    page.get_by_role("button", name="Pair round 2").click()
    expect(page.get_by_role("heading", name="The rules cannot finish round 2")).to_be_visible()
    assert errors(page) == []
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Publish round 2")).to_be_visible()
    boards = Game.objects.filter(round__section=section, round__number=2).order_by("board")
    assert [*boards.values_list("white__tpn", "black__tpn")] == [(2, 1), (3, 5)]


def answer(route: Route, *, html: str) -> None:
    route.fulfill(body=html, content_type="text/html")


def test_axe_finds_no_error_on_error_pages(server: str, new_page: PageMaker) -> None:
    """No address leads to these pages, so the browser gets their HTML directly."""
    page = new_page(reduced_motion="reduce")
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    found = []
    for template in ERROR_PAGES:
        html = render_to_string(
            template, {"reason": "", "limit": 10, "failure": FULL, "sent": True}, request=request
        )
        page.route(f"**/{template}", partial(answer, html=html))
        page.goto(f"/{template}")
        found += errors(page)
    assert found == []
