"""The pages of a result clerk with own boards, and the fields of the page People that give them."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.factories import EventRoleFactory, UserFactory, section_of
from tests.web.staff.conftest import LogIn, address, paired
from tests.web.staff.test_people import PEOPLE, make_link
from tournaments.models import Event, EventRole, Game, Invitation, Section
from tournaments.models.events import Boards
from web.views.public import lists
from web.views.staff import results


@pytest.fixture
def hall(event: Event) -> Section:
    """Twelve players at six boards of a published round."""
    made = section_of(12, event=event, name="Hall", slug="hall")
    paired(made)
    return made


@pytest.fixture
def clerk(hall: Section, log_in: LogIn) -> Client:
    """The browser of a result clerk of boards 2 to 4."""
    boards = {"first_board": 2, "last_board": 4}
    row = EventRoleFactory(event=hall.event, section=hall, role="clerk", user=UserFactory(), **boards)
    return log_in(row.user)


def boards_of(html: str) -> list[int]:
    return [int(number) for number in re.findall(r'data-board="(\d+)"', html)]


def test_page_results_shows_own_boards_and_says_so(clerk: Client, hall: Section, page: Client) -> None:
    html = clerk.get(address(hall, "round/1/results/")).text
    assert boards_of(html) == [2, 3, 4]
    assert "Own boards 2–4" in re.sub(r"\s+", " ", html)
    assert 'data-count="total">3<' in html
    state = clerk.get(address(hall, "round/1/results/"), headers={"Accept": "application/json"}).json()
    assert [row["board"] for row in state["boards"]] == [2, 3, 4]
    others = page.get(address(hall, "round/1/results/")).text
    assert (boards_of(others), "own-boards" in others) == ([1, 2, 3, 4, 5, 6], False)


def test_result_of_another_board_is_refused_by_key_by_form_and_on_its_page(
    clerk: Client, hall: Section
) -> None:
    games = {game.board: game for game in Game.objects.filter(round__section=hall)}
    sent = {"result": "1-0", "version": "0"}
    keys = {board: clerk.post(address(hall, f"game/{games[board].pk}/result/"), sent) for board in (2, 5)}
    assert (keys[2].status_code, keys[5].status_code, keys[5].json()["code"]) == (200, 422, "not_own_board")
    assert keys[5].json()["sentence"].startswith("Board 5 is not one of your boards (2–4)")
    form = {f"result-{games[5].pk}": "1-0", f"was-{games[5].pk}": "", f"version-{games[5].pk}": "0"}
    clerk.post(address(hall, "round/1/results/"), form)
    assert clerk.get(address(hall, "round/1/board/3/")).status_code == 200
    for method in (clerk.get, clerk.post):
        answer = method(address(hall, "round/1/board/5/"))
        assert (answer.status_code, "Board 5 is not one of your boards" in answer.text) == (403, True)
    assert clerk.get(address(hall, "round/1/board/9/")).status_code == 403
    assert list(Game.objects.exclude(result="").values_list("board", flat=True)) == [2]


def test_page_of_a_board_leads_to_own_boards_only(clerk: Client, hall: Section) -> None:
    links = re.findall(r'/round/1/board/(\d+)/"', clerk.get(address(hall, "round/1/board/2/")).text)
    assert set(links) <= {"2", "3"}


def test_round_with_none_of_the_boards_says_so(clerk: Client, hall: Section) -> None:
    EventRole.objects.filter(role="clerk").update(first_board=40, last_board=80)
    html = clerk.get(address(hall, "round/1/results/")).text
    assert (boards_of(html), "None of your boards plays in this round." in html) == ([], True)


@pytest.mark.parametrize("link", [True, False])
def test_boards_are_given_with_the_role(
    owners_page: Client, event: Event, log_in: LogIn, *, link: bool
) -> None:
    """Only a result clerk has them; the fields of other roles are not shown, so they do not count."""
    if link:
        target = make_link(owners_page, role="clerk", first_board="1", last_board="40")
    else:
        sent = {
            "how": "account",
            "username": "joost",
            "role": "clerk",
            "first_board": "1",
            "last_board": "40",
        }
        joost = UserFactory(username="joost")
        owners_page.post(PEOPLE, sent)
        target = "/"
    assert Invitation.objects.get().boards == Boards(1, 40)
    assert "boards 1–40" in re.sub(r"\s+", " ", owners_page.get(PEOPLE).text)
    visitor = Client() if link else log_in(joost)
    assert "You enter results of these boards only: 1–40." in re.sub(r"\s+", " ", visitor.get(target).text)
    make_link(owners_page, role="arbiter", first_board="1", last_board="40")
    assert Invitation.objects.latest("pk").boards is None
    by_link = {"how": "link", "name": "Nia", "role": "clerk"}
    half = owners_page.post(PEOPLE, {**by_link, "first_board": "3"})
    assert (half.status_code, "Write the first and the last board" in half.text) == (422, True)
    turned = owners_page.post(PEOPLE, {**by_link, "first_board": "9", "last_board": "3"})
    assert (turned.status_code, "9 to 3 is no range of boards" in turned.text) == (422, True)


def test_boards_of_a_role_change_on_the_page(owners_page: Client, hall: Section, clerk: Client) -> None:
    row = EventRole.objects.get(role="clerk")
    target = f"{PEOPLE}role/{row.pk}/boards/"
    assert target in owners_page.get(PEOPLE).text
    assert owners_page.post(target, {"first_board": "5", "last_board": "6"}).url == PEOPLE
    assert boards_of(clerk.get(address(hall, "round/1/results/")).text) == [5, 6]
    for first, last in (("5", ""), ("x", "6"), ("6", "5")):
        answer = owners_page.post(target, {"first_board": first, "last_board": last})
        assert (answer.status_code, 'role="alert"' in answer.text) == (422, True)
    owners_page.post(target, {"first_board": "", "last_board": ""})
    row.refresh_from_db()
    assert row.boards is None


def test_long_round_comes_in_parts_of_own_boards(
    clerk: Client, hall: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here a round is long with more than two boards, and a part has two."""
    monkeypatch.setattr(results, "WHOLE", 2)
    for module in (lists, results):
        monkeypatch.setattr(module, "PART", 2)
    place = address(hall, "round/1/results/")
    html = clerk.get(place).text
    states = html.split('id="boards-state"')[1].split("</script>")[0]
    assert re.findall(r'"board": (\d+)', states) == ["2", "3", "4"]
    assert [boards_of(clerk.get(place, {"rows": part}).text) for part in (1, 2)] == [[2, 3], [4]]


def test_person_with_own_boards_undoes_no_results_in_the_log(hall: Section, log_in: LogIn) -> None:
    """The person is organiser too, and so may open the page of an undo."""
    user = EventRoleFactory(event=hall.event, role="organiser", user=UserFactory()).user
    EventRoleFactory(event=hall.event, section=hall, role="clerk", user=user, first_board=1, last_board=2)
    game, browser = Game.objects.get(round__section=hall, board=1), log_in(user)
    browser.post(address(hall, f"game/{game.pk}/result/"), {"result": "1-0", "version": str(game.version)})
    revision = hall.log.latest("revision").revision
    assert browser.post(address(hall, f"log/{revision}/undo/")).status_code == 403
    EventRole.objects.filter(role="clerk").update(first_board=None, last_board=None)
    assert browser.post(address(hall, f"log/{revision}/undo/")).status_code == 302
