"""Result entry: the page, the keys, two desks at once, and the form without a script."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client, override_settings

from tests.answers import answers_in
from tests.web.staff.conftest import address, enter, paired, played
from tournaments.models import Game, Section

JSON = {"Accept": "application/json"}


@pytest.fixture
def games(section: Section) -> list[Game]:
    """Four boards of a running round."""
    return list(paired(section).games.order_by("board"))


def record(
    page: Client, section: Section, game: Game, result: str, version: object = 0, **more: str
) -> tuple[int, dict]:
    sent = {"result": result, "version": version, **more}
    answer = page.post(address(section, f"game/{game.pk}/result/"), sent, headers=JSON)
    return answer.status_code, answer.json()


def stands(answer: dict) -> tuple[str, int]:
    return answer["result"], answer["version"]


def results(section: Section) -> list[str]:
    return list(
        Game.objects.filter(round__section=section).order_by("board").values_list("result", flat=True)
    )


def test_page_has_a_menu_for_every_board(page: Client, section: Section, games: list[Game]) -> None:
    html = page.get(address(section, "round/1/results/")).content.decode()
    assert html.count('<select name="result-') == 4
    assert all(f'name="result-{game.pk}"' in html for game in games)
    assert html.count('<option value="1/2"') == 4
    assert 'data-count="missing">4<' in html


def test_page_of_missing_boards_leaves_the_others_out(
    page: Client, section: Section, games: list[Game]
) -> None:
    enter(games[0], "1-0")
    html = page.get(address(section, "round/1/results/?show=missing")).content.decode()
    assert [f'name="result-{game.pk}"' in html for game in games] == [False, True, True, True]


def test_key_records_a_result(page: Client, section: Section, games: list[Game]) -> None:
    status, answer = record(page, section, games[0], "1-0")
    assert (status, stands(answer)) == (200, ("1-0", 1))
    assert results(section) == ["1-0", "", "", ""]


@pytest.mark.parametrize(
    "result", ["1-0", "1/2", "0-1", "+:-", "-:+", "-:-", "adj", "1/2-0", "0-1/2", "0-0", "W-L", "D-D", "L-W"]
)
def test_every_kind_of_result_can_be_recorded(
    page: Client, section: Section, games: list[Game], result: str
) -> None:
    status, answer = record(page, section, games[1], result)
    assert (status, stands(answer)) == (200, (result, 1))


def test_result_can_be_changed_and_cleared(page: Client, section: Section, games: list[Game]) -> None:
    record(page, section, games[0], "1-0")
    status, answer = record(page, section, games[0], "0-1", 1)
    assert (status, stands(answer)) == (200, ("0-1", 2))
    status, answer = record(page, section, games[0], "", 2)
    assert (status, stands(answer)) == (200, ("", 3))


def test_two_desks_with_different_results_see_both(
    page: Client, owners_page: Client, section: Section, games: list[Game]
) -> None:
    record(page, section, games[0], "1-0")
    status, answer = record(owners_page, section, games[0], "1/2")
    assert status == 409
    assert answer["code"] == "stale_result"
    assert (answer["theirs"], answer["version"], answer["by"]) == ("1-0", 2, "ada")
    assert (answer["stands"]["result"], answer["stands"]["second"]) == ("1-0", "1/2")  # as every seat sees it
    assert answer["sentence"] == "Board 1: ada entered 1–0 first."
    assert results(section)[0] == "1-0"


@override_settings(TIME_ZONE="Asia/Tokyo")
def test_two_desks_get_the_time_of_the_hall_in_24_hours(
    page: Client, owners_page: Client, section: Section, games: list[Game]
) -> None:
    record(page, section, games[0], "1-0")
    Game.objects.filter(pk=games[0].pk).update(entered_at=datetime(2026, 7, 2, 6, 5, tzinfo=UTC))
    assert record(owners_page, section, games[0], "1/2")[1]["at"] == "15:05"


def test_two_desks_with_the_same_result_agree(
    page: Client, owners_page: Client, section: Section, games: list[Game]
) -> None:
    record(page, section, games[0], "1-0")
    status, answer = record(owners_page, section, games[0], "1-0")
    assert (status, stands(answer)) == (200, ("1-0", 1))


@pytest.mark.parametrize("result", ["2-0", "x" * 5_000, "\x00", "1–0"])
def test_unknown_result_is_refused(page: Client, section: Section, games: list[Game], result: str) -> None:
    status, answer = record(page, section, games[0], result)
    assert (status, answer["code"]) == (422, "unknown_result")


@pytest.mark.parametrize("result", ["2-0", "x" * 5_000, "1–0"])
def test_unknown_result_of_the_form_is_refused_beside_its_board(
    page: Client, section: Section, games: list[Game], result: str
) -> None:
    game = games[0]
    sent = {f"result-{game.pk}": result, f"version-{game.pk}": game.version, f"was-{game.pk}": ""}
    answer = page.post(address(section, "round/1/results/"), sent)
    assert answer.status_code == 422
    assert f'id="why-{game.board}"' in answer.content.decode()


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 400])
def test_impossible_version_is_stale(page: Client, section: Section, games: list[Game], version: str) -> None:
    assert record(page, section, games[0], "1-0", version)[0] == 409


def test_result_of_a_draft_is_refused(page: Client, section: Section) -> None:
    game = paired(section, published=False).games.first()
    status, answer = record(page, section, game, "1-0")
    assert (status, answer["code"]) == (422, "round_not_published")


def test_result_of_a_finished_round_is_refused_and_says_so(page: Client, section: Section) -> None:
    game = played(section).games.first()
    paired(section)
    status, answer = record(page, section, game, "1-0", 1)
    assert (status, answer["code"]) == (422, "round_finished")
    assert answer["sentence"].startswith("Round 1 is finished")


def test_adjourned_game_of_a_finished_round_keeps_its_menu(page: Client, section: Section) -> None:
    row = played(section)
    game = row.games.get(board=3)
    enter(game, "adj")
    paired(section)
    html = page.get(address(section, "round/1/results/")).content.decode()
    assert html.count('<select name="result-') == 1
    assert f'name="result-{game.pk}"' in html
    status, answer = record(page, section, game, "1-0", 2)
    assert (status, answer["code"], stands(answer["stands"])) == (422, "adjourned_to_confirm", ("adj", 2))
    assert answer["sentence"].startswith("Board 3 was adjourned in round 1 and has counted as a draw")
    status, answer = record(page, section, game, "1-0", 2, answer=answer["answer"])
    assert (status, stands(answer)) == (200, ("1-0", 3))


def test_result_of_an_adjourned_game_asks_first_without_a_script(page: Client, section: Section) -> None:
    game = played(section).games.get(board=3)
    game = enter(game, "adj")
    paired(section)
    here = address(section, "round/1/results/")
    sent = form([game], board3="1-0")
    answer = page.post(here, sent)
    asked = answer.content.decode()
    assert answer.status_code == 422
    assert "Save again to enter 1–0, or choose “adj.” to leave it adjourned." in asked
    yes = {"answer": answers_in(answer)}
    assert page.post(here, form([game], board3="0-1") | yes).status_code == 422
    assert page.post(here, sent | yes).status_code == 302
    game.refresh_from_db()
    assert game.result == "1-0"


def test_game_of_another_section_is_not_found(page: Client, section: Section, games: list[Game]) -> None:
    for key in (games[-1].pk + 100, 10**18, 10**40):
        answer = page.post(address(section, f"game/{key}/result/"), {"result": "1-0", "version": 0})
        assert answer.status_code == 404


def test_open_page_asks_what_changed(page: Client, section: Section, games: list[Game]) -> None:
    enter(games[1], "0-1")
    section.refresh_from_db()
    here = address(section, "round/1/results/")
    answer = page.get(f"{here}?seen=0", headers=JSON).json()
    assert answer["revision"] == section.revision
    assert [board["result"] for board in answer["boards"]] == ["", "0-1", "", ""]
    assert page.get(f"{here}?seen={section.revision}", headers=JSON).status_code == 204


def form(games: list[Game], **chosen: str) -> dict[str, object]:
    """Return what a browser without scripts sends: for each board the menu, the shown value and the version."""
    sent: dict[str, object] = {}
    for game in games:
        sent[f"was-{game.pk}"] = game.result
        sent[f"version-{game.pk}"] = game.version
        sent[f"result-{game.pk}"] = chosen.get(f"board{game.board}", game.result)
    return sent


def test_form_without_a_script_saves_what_was_chosen(
    page: Client, section: Section, games: list[Game]
) -> None:
    here = address(section, "round/1/results/")
    answer = page.post(here, form(games, board1="1-0", board3="1/2"))
    assert (answer.status_code, answer.url) == (302, here)
    assert results(section) == ["1-0", "", "1/2", ""]


def test_form_does_not_change_results_that_others_entered_meanwhile(
    page: Client, section: Section, games: list[Game]
) -> None:
    sent = form(games, board1="1-0")
    enter(games[1], "0-1")
    page.post(address(section, "round/1/results/"), sent)
    assert results(section) == ["1-0", "0-1", "", ""]


def test_form_with_a_conflict_saves_the_rest_and_shows_both(
    page: Client, section: Section, games: list[Game]
) -> None:
    sent = form(games, board1="1-0", board2="1/2")
    enter(games[1], "0-1")
    answer = page.post(address(section, "round/1/results/"), sent)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert results(section) == ["1-0", "0-1", "", ""]
    assert "entered 0–1 first" in html
    assert "You chose ½–½" in html
    assert f'name="version-{games[1].pk}" value="2"' in html


def test_missing_round_is_not_found(page: Client, section: Section) -> None:
    for number in (1, 0, 99, 10**18, 10**40):
        assert page.get(address(section, f"round/{number}/results/")).status_code == 404


def test_page_of_a_draft_does_not_say_that_all_results_are_in(page: Client, section: Section) -> None:
    paired(section, published=False)
    html = page.get(address(section, "round/1/results/")).content.decode()
    assert "To the cockpit" in html
    assert "All in" not in html


def test_page_of_missing_results_does_not_count_an_adjourned_game_as_in(
    page: Client, section: Section
) -> None:
    enter(played(section).games.get(board=2), "adj")
    html = page.get(address(section, "round/1/results/?show=missing")).content.decode()
    assert "<b>No result is missing.</b>One game is adjourned.</div>" in html
