"""Two phones and an arbiter at the end of a game: the pages behind the codes of a slip, without a login."""

from __future__ import annotations

import re
from unittest import mock

import pytest
from django.test import Client

from evenboard_engine import Colour
from tests.factories import section_of
from tests.web.staff.conftest import address, enter, paired
from tournaments.models import Event, Game, Section
from tournaments.queries.player_results import player_links
from web.views.public import player_results

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(event: Event) -> Section:
    section = section_of(4, event=event, name="Section A", slug="a", players_confirm="instead")
    paired(section)
    return section


class Phone:
    """A player's phone, which keeps cookies and sends forms as a browser does."""

    def __init__(self, section: Section, colour: Colour, board: int = 1) -> None:
        game = Game.objects.get(round__section=section, round__number=1, board=board)
        self.browser, self.token = Client(enforce_csrf_checks=True), ""
        self.path = address(section, f"board/{player_links(section, 1)[game.pk, colour]}/")

    def look(self, status: int = 200) -> str:
        answer = self.browser.get(self.path)
        assert answer.status_code == status
        return text_of(answer.content.decode())

    def press(self, result: str, status: int = 200) -> str:
        shown = self.browser.get(self.path).content.decode()
        for self.token in re.findall(r'csrfmiddlewaretoken" value="(\w+)"', shown):
            pass  # a page that takes no result any more has none: the player pressed on the page of before
        answer = self.browser.post(self.path, {"result": result, "csrfmiddlewaretoken": self.token})
        assert answer.status_code == status
        return text_of(answer.content.decode())


def text_of(page: str) -> str:
    main = page[page.index("<main") : page.index("</main>")]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


def test_two_players_press_the_result_without_a_login(section: Section, page: Client) -> None:
    white, black = Phone(section, Colour.WHITE), Phone(section, Colour.BLACK)
    game = Game.objects.get(round__section=section, board=1)
    shown = white.look()
    assert "Board 1, round 1" in shown
    assert all(side.player.name in shown for side in (game.white, game.black))
    assert shown.index("you") < shown.index("Black")
    assert all(button in shown for button in ("White wins", "Draw", "Black wins"))
    assert "You pressed: Draw. It counts when your opponent presses the same result." in white.press("1/2")
    assert "Draw." not in black.look()  # nobody copies what the opponent pressed
    assert "You pressed: Black wins. Your opponent pressed: Draw." in black.press("0-1")
    cockpit = text_of(page.get(address(section, "cockpit/")).content.decode())
    assert "Two results" in cockpit
    assert "White pressed ½–½, Black pressed 0–1." in cockpit
    results = page.get(address(section, "round/1/results/?show=clashes")).content.decode()
    assert "White pressed ½–½, Black pressed 0–1." in text_of(results)
    assert '<span data-count="clashes">1</span>' in results
    overview = page.get("/rijswijk/").content.decode()
    assert "White pressed ½–½, Black pressed 0–1." in text_of(overview)
    assert "The result is entered: Draw. Both of you pressed it." in black.press("1/2")
    assert "If it is wrong, call an arbiter." in white.look()
    assert "already entered" in white.press("1-0", status=409)
    log = text_of(page.get(address(section, "log/")).content.decode())
    assert "A player, by phone" in log
    assert "½–½, because Black pressed the same result as White on a phone" in log
    public = Client().get(address(section, "results/")).content.decode()
    assert "½–½" in public
    assert "pressed" not in text_of(public)


def test_arbiter_settles_what_players_pressed_differently(section: Section, page: Client) -> None:
    white, black = Phone(section, Colour.WHITE), Phone(section, Colour.BLACK)
    white.press("1-0")
    black.press("0-1")
    game = Game.objects.get(round__section=section, board=1)
    page.post(address(section, f"game/{game.pk}/settle/"), {"result": "0-1", "version": game.version})
    assert "The result is entered: Black wins. If it is wrong" in white.look()
    game.refresh_from_db()
    assert (game.result, game.second_result) == ("0-1", "")


def test_page_of_a_player_is_private_and_takes_no_forged_form(section: Section) -> None:
    phone = Phone(section, Colour.WHITE)
    answer = phone.browser.get(phone.path)
    assert {name: answer[name] for name in ("Referrer-Policy", "Cache-Control", "X-Robots-Tag")} == {
        "Referrer-Policy": "same-origin",
        "Cache-Control": "no-store, private",
        "X-Robots-Tag": "noindex",
    }
    assert Client(enforce_csrf_checks=True).post(phone.path, {"result": "1-0"}).status_code == 403
    phone.press("+:-", status=422)
    assert Game.objects.get(round__section=section, board=1).white_pressed == ""
    section.event.state = "draft"
    section.event.save()
    assert "You pressed: White wins." in phone.press("1-0")  # the slip is enough in a private event
    assert Client().get(address(section, "pairings/")).status_code == 404
    Section.objects.update(taken_away=True)
    phone.look(404)


def test_link_is_worthless_after_the_arbiter_says_so(section: Section, page: Client) -> None:
    lost, black = Phone(section, Colour.WHITE), Phone(section, Colour.BLACK)
    lost.press("1-0")
    board = address(section, "round/1/board/1/")
    shown = page.get(board).content.decode()
    assert "Pressed: White wins." in text_of(shown)
    assert lost.path in shown
    game = Game.objects.get(round__section=section, board=1)
    shown = page.post(
        address(section, f"game/{game.pk}/link/"), {"colour": "w"}, follow=True
    ).content.decode()
    assert shown.count("<details open>") == 1  # the player scans the new code from the screen
    assert "This link opens no board" in lost.look(404)
    new = Phone(section, Colour.WHITE)
    assert (lost.path in page.get(board).content.decode(), new.path in page.get(board).content.decode()) == (
        False,
        True,
    )
    black.press("0-1")
    assert "The result is entered: Black wins." in new.press("0-1")
    assert "Phones of the players" not in page.get(board).content.decode()


def test_limits_stop_guessing_and_not_a_hall(section: Section) -> None:
    white, black = Phone(section, Colour.WHITE), Phone(section, Colour.BLACK)
    forged = re.sub("(?<=[0-9]w).{3}", "AAA", white.path, count=1)
    with mock.patch.object(player_results, "UNKNOWN", 3), mock.patch.object(player_results, "PRESSES", 2):
        answers = [Client().get(forged).status_code for _ in range(5)]
        assert answers == [404, 404, 404, 429, 429]
        white.press("1-0")  # from the same address
        white.press("1/2")
        assert "You pressed too often." in white.press("0-1", status=429)
        black.press("1/2")
    assert Game.objects.get(round__section=section, board=1).result == "1/2"


def test_states_in_which_nothing_can_be_pressed(section: Section, page: Client) -> None:
    phone = Phone(section, Colour.BLACK)
    row = section.played_rounds.get()
    with mock.patch.object(type(row), "is_draft", new=True):
        shown = phone.look()
    assert "not published yet" in shown
    assert Game.objects.get(round=row, board=1).white.player.name not in shown
    Section.objects.update(players_confirm="off")
    assert "Give the slip to an arbiter." in phone.look()
    Section.objects.update(players_confirm="beside")
    assert "Sign the slip" in phone.press("1/2")
    section.refresh_from_db()
    assert "Both of you pressed: Draw. Sign the slip" in Phone(section, Colour.WHITE).press("1/2")
    for game in Game.objects.filter(round=row):
        enter(game, "1/2")
    paired(section)
    assert "The result is entered: Draw." in phone.look()


def test_slip_has_a_code_for_each_player(section: Section, page: Client) -> None:
    slips = page.get(address(section, "print/slips/1/")).content.decode()
    for board in (1, 2):
        for colour in Colour:
            assert slips.count(Phone(section, colour, board).path) == 1
    assert slips.count("scan and press the result") == 4
    Section.objects.update(players_confirm="off")
    slips = page.get(address(section, "print/slips/1/")).content.decode()
    assert ("scan and press the result" in slips, "/board/" in slips.replace("/round/1/board/", "")) == (
        False,
        False,
    )


def test_arbiter_who_scans_the_code_of_a_player_gets_the_own_page(section: Section, page: Client) -> None:
    answer = page.get(Phone(section, Colour.WHITE).path)
    assert (answer.status_code, answer["Location"]) == (302, address(section, "round/1/board/1/"))
