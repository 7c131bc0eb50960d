"""Buttons of the cockpit: draw by lot, pair, publish, unpublish, unpair."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.answers import answers_in
from tests.factories import section_of
from tests.web.staff.conftest import address, enter, paired, played
from tournaments.models import Event, Round, Section


def states(section: Section) -> list[str]:
    return list(section.played_rounds.order_by("number").values_list("state", flat=True))


def test_lot_sets_the_initial_colour_and_comes_back_to_the_cockpit(page: Client, event: Event) -> None:
    section = section_of(4, event=event, initial_colour="")
    answer = page.post(address(section, "initial-colour/"))
    section.refresh_from_db()
    assert (answer.status_code, answer.url) == (302, address(section, "cockpit/"))
    assert section.initial_colour in {"w", "b"}


def test_colour_drawn_in_the_hall_can_be_set(page: Client, event: Event) -> None:
    section = section_of(4, event=event, initial_colour="")
    page.post(address(section, "initial-colour/"), {"colour": "b"})
    section.refresh_from_db()
    assert section.initial_colour == "b"


def test_lot_with_another_colour_is_refused(page: Client, event: Event) -> None:
    section = section_of(4, event=event, initial_colour="")
    answer = page.post(address(section, "initial-colour/"), {"colour": "green"})
    section.refresh_from_db()
    assert (answer.status_code, section.initial_colour) == (422, "")


def test_pair_makes_a_draft(page: Client, section: Section) -> None:
    answer = page.post(address(section, "pair/"), {"after_round": "0"})
    assert (answer.status_code, answer.url) == (302, address(section, "cockpit/"))
    assert states(section) == ["draft"]


def test_pair_from_an_old_page_is_refused(page: Client, section: Section) -> None:
    for after in ["1", "", "x", "-1", "9" * 300, "²"]:
        answer = page.post(address(section, "pair/"), {"after_round": after})
        assert answer.status_code == 409, after
        assert "Nothing was done" in answer.content.decode(), after
        assert states(section) == [], after


def test_pair_pressed_twice_makes_one_round(page: Client, section: Section) -> None:
    answers = [page.post(address(section, "pair/"), {"after_round": "0"}).status_code for _ in range(2)]
    assert answers == [302, 409]
    assert states(section) == ["draft"]


def test_pair_while_results_are_missing_says_which(page: Client, section: Section) -> None:
    paired(section)
    answer = page.post(address(section, "pair/"), {"after_round": "1"})
    assert answer.status_code == 422
    assert "Round 1: 4 boards have no result (1, 2, 3 and 4)." in answer.content.decode()


def test_publish_shows_the_round_to_everybody(page: Client, client: Client, section: Section) -> None:
    row = paired(section, published=False)
    pairings = address(section, "round/1/pairings/")
    before = client.get(pairings)
    answer = page.post(address(section, "round/1/publish/"), {"version": row.version})
    after = client.get(pairings)
    assert (before.status_code, answer.status_code, after.status_code) == (404, 302, 200)


def test_publish_of_another_version_is_refused(page: Client, section: Section) -> None:
    paired(section, published=False)
    assert page.post(address(section, "round/1/publish/"), {"version": "7"}).status_code == 409
    assert states(section) == ["draft"]


def test_unpublish_hides_the_round_from_the_public(page: Client, section: Section) -> None:
    row = paired(section)
    answer = page.post(address(section, "round/1/unpublish/"), {"version": row.version})
    assert answer.status_code == 302
    assert states(section) == ["draft"]


def test_unpublish_with_a_result_says_what_to_clear(page: Client, section: Section) -> None:
    row = paired(section)
    enter(row.games.get(board=2), "0-1")
    answer = page.post(address(section, "round/1/unpublish/"), {"version": row.version})
    assert answer.status_code == 422
    assert "board 2 has a result" in answer.content.decode()


def test_unpair_deletes_the_draft(page: Client, section: Section) -> None:
    played(section)
    row = paired(section, published=False)
    answer = page.post(address(section, "round/2/unpair/"), {"version": row.version})
    assert answer.status_code == 302
    assert states(section) == [Round.State.PUBLISHED]


@pytest.mark.parametrize("action", ["publish", "unpublish", "unpair"])
def test_missing_round_is_not_found(page: Client, section: Section, action: str) -> None:
    for number in (3, 0, 10**18):
        assert page.post(address(section, f"round/{number}/{action}/"), {"version": "0"}).status_code == 404


def test_pairing_asks_about_games_adjourned_before_the_last_round(page: Client, section: Section) -> None:
    """VCL4THP.13 Q168: the question is answered by its own button alone."""
    game = played(section).games.get(board=2)
    enter(game, "adj")
    assert page.post(address(section, "pair/"), {"after_round": 1}).status_code == 302
    row = section.played_rounds.get(number=2)
    page.post(address(section, "round/2/publish/"), {"version": row.version})
    for board in row.games.all():
        enter(board, "1-0")
    asked = page.post(address(section, "pair/"), {"after_round": 2})
    content = asked.content.decode()
    assert (asked.status_code, section.played_rounds.count()) == (422, 2)
    assert content.count("One game is still adjourned: round 1, board 2.") == 1
    assert f'href="{address(section, "round/1/results/")}#board-2"' in content
    assert 'name="after_round" value="2"' in content
    yes = answers_in(asked)
    assert page.post(address(section, "pair/"), {"after_round": 2, "proceed": "yes"}).status_code == 422
    assert page.post(address(section, "pair/"), {"after_round": 2, "answer": yes}).status_code == 302
    assert section.played_rounds.count() == 3
