"""Result entry of a long round. Here a round is long with more than three boards, and a part has two."""

from __future__ import annotations

import json
import re

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.web.staff.conftest import address, enter, paired
from tournaments.models import Game, Round, Section
from web.views.public import lists
from web.views.staff import results

PAGE = "round/1/results/"


@pytest.fixture
def games(section: Section, monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    """Four boards of a running round, in two parts."""
    monkeypatch.setattr(results, "WHOLE", 3)
    for module in (lists, results):
        monkeypatch.setattr(module, "PART", 2)
    return list(paired(section).games.order_by("board"))


def boards(response: HttpResponse) -> list[int]:
    return list(map(int, re.findall(r'data-board="(\d+)"', response.content.decode())))


def states(response: HttpResponse) -> list[dict]:
    found = re.search(r'<script id="boards-state"[^>]*>(.*?)</script>', response.content.decode())
    return json.loads(found[1]) if found else []


def test_a_part_has_its_boards_and_what_is_stored_of_all(
    page: Client, section: Section, games: list[Game]
) -> None:
    enter(games[3], "1-0")
    response = page.get(address(section, PAGE), {"part": 2})
    assert boards(response) == [3, 4]
    assert [(state["id"], state.get("result"), state.get("version")) for state in states(response)] == [
        (games[0].pk, None, None),
        (games[1].pk, None, None),
        (games[2].pk, None, None),
        (games[3].pk, "1-0", 1),
    ]


def test_filters_have_parts_too(page: Client, section: Section, games: list[Game]) -> None:
    enter(games[0], "1-0")
    shown = [boards(page.get(address(section, PAGE), {"show": "missing", "part": part})) for part in (1, 2)]
    assert shown == [[2, 3], [4]]


def test_the_script_gets_the_boards_of_a_part_alone(
    page: Client, section: Section, games: list[Game]
) -> None:
    asked = [boards(page.get(address(section, PAGE), {"rows": part})) for part in (1, 2, 3, "x")]
    assert asked == [[1, 2], [3, 4], [], [1, 2]]
    assert b"<html" not in page.get(address(section, PAGE), {"rows": 1}).content


def test_the_form_of_a_part_saves_its_boards_and_comes_back_to_it(
    page: Client, section: Section, games: list[Game]
) -> None:
    place = address(section, f"{PAGE}?part=2")
    sent = {f"result-{games[2].pk}": "0-1", f"version-{games[2].pk}": 0, f"was-{games[2].pk}": ""}
    assert page.post(place, sent)["Location"] == place
    stored = Game.objects.filter(round=games[0].round).order_by("board").values_list("result", flat=True)
    assert list(stored) == ["", "", "0-1", ""]


def test_a_finished_round_comes_in_parts_unless_games_are_adjourned(
    page: Client, section: Section, games: list[Game]
) -> None:
    for game in games:
        enter(game, "1-0")
    Round.objects.update(state=Round.State.FINISHED)
    first = page.get(address(section, PAGE))
    assert (boards(first), states(first)) == ([1, 2], [])
    Game.objects.filter(pk=games[3].pk).update(result="adj")
    assert boards(page.get(address(section, PAGE))) == [1, 2, 3, 4]
