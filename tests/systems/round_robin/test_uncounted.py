"""Points of a round robin in which somebody left too early: every page and the interface for programs show the same."""

from __future__ import annotations

import pytest
from django.test import Client

from evenboard_engine import Result
from tests.systems.round_robin.test_section import all_published, by_number, leave_after, play
from tournaments.files.lists import crosstable_csv
from tournaments.models import Section
from tournaments.queries.crosstables import results_table
from tournaments.queries.player_card import player_card
from tournaments.queries.rounds import round_board_list
from tournaments.queries.standings import standings_table

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

COUNTED = {1: 10, 2: 15, 3: 5, 4: 0}
"""Points by number: 1-4 in round 1 does not count; 2-3 won by White in round 1, the others are drawn."""


@pytest.fixture
def section() -> Section:
    """Four players, all rounds played. Number 4 left after one of three games, which number 1 won."""
    made = all_published(4, event__state="public")
    leave_after(made, 4, 1)
    play(made, 2)
    play(made, 3)
    return made


def test_standings_crosstable_and_cards_have_the_same_points(section: Section) -> None:
    assert {row.tpn: row.points for row in standings_table(section).rows} == {
        number: points for number, points in COUNTED.items() if number != 4
    }
    assert {row.tpn: row.points for row in results_table(section).rows} == COUNTED
    cards = {number: player_card(by_number(section, number)) for number in COUNTED}
    assert {number: card.points for number, card in cards.items()} == COUNTED
    assert {number: card.rows[-1].total for number, card in cards.items()} == COUNTED
    assert {number: card.games for number, card in cards.items()} == {1: 2, 2: 2, 3: 2, 4: 0}
    assert [row.counted for row in cards[1].rows] == [False, True, True]
    assert [row.counted for row in cards[4].rows] == [False, False, False]
    assert {tuple(one.tpn for one in card.uncounted) for card in cards.values()} == {(4,)}


def test_pairings_have_the_points_of_the_standings(section: Section) -> None:
    shown = {}
    for board in round_board_list(section, 3).boards:
        shown |= {side.tpn: side.points for side in (board.white, board.black)}
    assert shown == {1: 5, 2: 15, 3: 0, 4: 0}
    api = Client().get(f"/api/v1/public/sections/{section.pk}/rounds/3/").json()
    sides = [side for board in api["boards"] for side in (board["white"], board["black"])]
    assert {side["tpn"]: side["points"] for side in sides} == shown


def test_pages_say_why_a_game_does_not_count(section: Section) -> None:
    gone = by_number(section, 4).player.name
    for number in COUNTED:
        page = Client().get(f"/{section.event.slug}/{section.slug}/players/{number}/").content.decode()
        assert f"{gone} left after 1 of 3 games." in page
        assert page.count("does not count") == (3 if number == 4 else 1)


def test_files_give_a_player_without_counted_games_no_points(section: Section) -> None:
    lines = crosstable_csv(section).decode("utf-8-sig").splitlines()
    ends = [line.rsplit(";", 2)[1:] for line in lines[1:5]]
    assert ends[3] == ["", ""]
    assert ends[1][1] == "1"


def test_games_of_a_player_who_stays_count(section: Section) -> None:
    stays = all_published(4)
    play(stays, 1, Result.WHITE_WINS)
    card = player_card(by_number(stays, 1))
    assert (card.points, [row.counted for row in card.rows], card.uncounted) == (10, [True] * 3, ())
    assert section.pk != stays.pk
