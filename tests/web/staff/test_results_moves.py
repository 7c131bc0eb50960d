"""Second readings and marks by single keys, and who made them; the page of a board; the keys of each person."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import EventRoleFactory, section_of
from tests.web.staff.conftest import LogIn, address, enter, paired, played
from tournaments.models import Event, Game, Section, User

JSON = {"Accept": "application/json"}


@pytest.fixture
def game(section: Section) -> Game:
    """Board 2 of four, with a result."""
    return enter(paired(section).games.get(board=2), "1-0")


def send(
    page: Client, section: Section, game: Game, move: str, result: str, **more: object
) -> tuple[int, dict]:
    sent = {"result": result, "version": game.version, **more}
    answer = page.post(address(section, f"game/{game.pk}/{move}/"), sent, headers=JSON)
    return answer.status_code, answer.json()


def test_second_reading_is_shown_with_its_reader(page: Client, section: Section, game: Game) -> None:
    status, answer = send(page, section, game, "confirm", "1-0")
    assert status == 200
    assert [answer[name] for name in ("result", "second", "second_by", "version")] == ["1-0", "1-0", "ada", 2]


def test_late_second_reading_gets_the_current_result(page: Client, section: Section, game: Game) -> None:
    game.version = 0
    status, answer = send(page, section, game, "confirm", "0-1")
    assert (status, answer["code"], answer["theirs"], answer["stands"]["result"]) == (
        409,
        "stale_result",
        "1-0",
        "1-0",
    )


def test_game_is_marked_as_ended(page: Client, section: Section, game: Game) -> None:
    open_game = Game.objects.get(round__section=section, board=1)
    status, answer = send(page, section, open_game, "over", "over")
    assert (status, answer["over"], answer["over_by"]) == (200, True, "ada")
    status, answer = send(page, section, game, "over", "over")
    assert (status, answer["code"]) == (422, "game_has_result")


@pytest.mark.parametrize("move", ["result", "confirm", "over"])
def test_result_typed_by_one_person_is_refused_from_another(
    page: Client, section: Section, game: Game, arbiter: User, move: str
) -> None:
    before = Game.objects.values().get(pk=game.pk)
    for user in (str(arbiter.pk + 1), "", "x"):
        assert send(page, section, game, move, "0-1", user=user) == (403, {"code": "other_user"})
    assert Game.objects.values().get(pk=game.pk) == before
    assert send(page, section, game, "result", "0-1", user=arbiter.pk)[0] == 200


@pytest.mark.parametrize(("version", "move"), [(1, "result"), (0, "result"), (1, "confirm"), (0, "confirm")])
def test_result_of_a_round_that_is_over_leads_to_its_correction(
    page: Client, section: Section, version: int, move: str
) -> None:
    """Also if somebody else has changed the result meanwhile: in a finished round nobody can decide between the two."""
    played(section)
    paired(section)
    game = Game.objects.get(round__section=section, round__number=1, board=2)
    before = Game.objects.values().get(pk=game.pk)
    status, answer = send(page, section, game, move, "0-1", version=version)
    assert (status, answer["code"] in ("round_finished", "reading_differs")) == (422, True)
    assert Game.objects.values().get(pk=game.pk) == before
    assert answer["correct"] == address(section, "round/1/corrections/2/?result=0-1")
    form = page.get(answer["correct"])
    assert form.context["form"]["result"].value() == "0-1"


def test_clerk_is_not_led_to_a_correction(log_in: LogIn, section: Section, event: Event) -> None:
    played(section)
    paired(section)
    game = Game.objects.get(round__section=section, round__number=1, board=2)
    clerk = log_in(EventRoleFactory(event=event, role="clerk").user)
    status, answer = send(clerk, section, game, "result", "0-1")
    assert (status, "correct" in answer) == (422, False)


def test_state_says_who_is_logged_in(page: Client, section: Section, game: Game, arbiter: User) -> None:
    answer = page.get(address(section, "round/1/results/"), headers=JSON).json()
    assert answer["user"] == arbiter.pk
    assert answer["boards"][1]["by"] == ""
    assert [board["over"] for board in answer["boards"]] == [False] * 4


def test_the_types_of_the_scripts_name_each_field_of_the_state(
    page: Client, section: Section, game: Game, root: Path
) -> None:
    """The type checker of the scripts believes types/browser.d.ts, not the server."""
    types = (root / "types" / "browser.d.ts").read_text(encoding="utf-8")
    kinds = {"number": int, "string": str, "boolean": bool, "Board[]": list}

    def fields(name: str) -> dict[str, type]:
        body = re.search(rf"^interface {name} {{(.+?)^}}", types, re.DOTALL | re.MULTILINE)
        assert body is not None
        return {field: kinds[kind] for field, kind in re.findall(r"^  (\w+): (.+);$", body[1], re.MULTILINE)}

    answer = page.get(address(section, "round/1/results/"), headers=JSON).json()
    assert fields("RoundState") == {name: type(value) for name, value in answer.items()}
    assert fields("Board") == {name: type(value) for name, value in answer["boards"][1].items()}


def test_page_of_a_board_is_a_form(page: Client, section: Section, game: Game) -> None:
    here = address(section, "round/1/board/2/")
    html = page.get(here).content.decode()
    assert html.count('<select name="result-') == 1
    sent = {f"result-{game.pk}": "1/2", f"was-{game.pk}": "1-0", f"version-{game.pk}": game.version}
    answer = page.post(here, sent)
    assert (answer.status_code, answer.url) == (302, here)
    game.refresh_from_db()
    assert game.result == "1/2"
    answer = page.post(here, {**sent, f"result-{game.pk}": "0-1"})
    assert answer.status_code == 409
    assert "entered ½–½ first" in answer.content.decode()


@pytest.mark.parametrize("board", [0, 5, 10**18])
def test_missing_board_is_not_found(page: Client, section: Section, game: Game, board: int) -> None:
    assert page.get(address(section, f"round/1/board/{board}/")).status_code == 404
    assert page.get(address(section, "round/9/board/1/")).status_code == 404


def test_number_typed_on_the_page_of_a_board_leads_to_that_board(
    page: Client, section: Section, game: Game
) -> None:
    answer = page.get(address(section, "round/1/results/?board=3"))
    assert (answer.status_code, answer.url) == (302, address(section, "round/1/board/3/"))
    for nothing in ("", "99", "x"):
        assert page.get(address(section, f"round/1/results/?board={nothing}")).status_code == 200


def test_page_of_a_board_asks_as_often_in_a_large_section(page: Client, event: Event) -> None:
    counted = []
    for players, slug in ((8, "few"), (60, "many")):
        section = section_of(players, event=event, slug=slug)
        played(section)
        paired(section)
        with CaptureQueriesContext(connection) as captured:
            assert page.get(address(section, "round/2/board/3/")).status_code == 200
        counted.append(len(captured))
    assert counted[0] == counted[1] <= 15


def test_keys_of_a_person_are_chosen_by_form_and_by_script(page: Client, arbiter: User) -> None:
    assert page.get("/keys/").status_code == 200
    assert page.post("/keys/", {"keys": "vega"}).url == "/keys/"
    arbiter.refresh_from_db()
    assert arbiter.result_keys == "vega"
    answer = page.post("/keys/", {"keys": "swiss-manager"}, headers=JSON)
    assert (answer.status_code, answer.json()) == (200, {"keys": "swiss-manager"})
    assert page.post("/keys/", {"keys": "qwerty"}).status_code == 422
    assert page.post("/keys/", {"keys": "qwerty"}, headers=JSON).status_code == 422
    arbiter.refresh_from_db()
    assert arbiter.result_keys == "swiss-manager"
