"""The map of the hall: an arbiter types the rooms, players find the room of their board."""

from __future__ import annotations

import pytest
from django.test import Client

from evenboard_engine import Result
from tests.actions.refusals import refused
from tests.factories import section_of
from tests.web.staff.conftest import enter, paired
from tournaments.actions.fixed_boards import fix_board
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import edit_section
from tournaments.models import Section
from tournaments.models.hall_map import HallRoom, rooms_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

ROOMS = "1-2/1 Main hall, ground floor\r\n\r\n3 – 12: Room <B>"


def path(section: Section, page: str) -> str:
    return f"/{section.event.slug}/{section.slug}/{page}"


@pytest.mark.parametrize(
    "wrong",
    ["Main hall", "1-40", "5-4 Hall", "0-4 Hall", "1-4/0 Hall", "1-3000 Hall", "1-40 Hall\n40-50 Room B"],
)
def test_a_line_that_cannot_be_read_is_named(wrong: str) -> None:
    section = section_of(6)
    with refused("hall_rooms_unreadable", line=wrong.splitlines()[-1]):
        edit_section(actor=Actor.command(), section_id=section.pk, hall_rooms=wrong)
    section.refresh_from_db()
    assert section.hall_rooms == ""


def test_rooms_are_read_with_and_without_the_boards_in_a_row() -> None:
    main, other = HallRoom(1, 2, 1, "Main hall, ground floor"), HallRoom(3, 12, 8, "Room <B>")
    assert rooms_of(ROOMS) == ((main, other), "")
    assert [list(row) for row in other.rows] == [[*range(3, 11)], [11, 12]]


def test_players_find_the_room_of_their_board(client: Client) -> None:
    section = section_of(8)
    assert client.get(path(section, "hall-map/")).status_code == 404
    assert "hall-map" not in client.get(path(section, "players/")).text
    edit_section(actor=Actor.command(), section_id=section.pk, hall_rooms=ROOMS)
    first = section.participants.get(tpn=1)
    fix_board(actor=Actor.command(), participant_id=first.pk, board=3, step_free=True)
    games = {game.board: game for game in paired(section).games.all()}
    shown = client.get(path(section, "hall-map/")).text
    assert [f'id="board-{number}"' in shown for number in (1, 3, 12, 13)] == [True, True, True, False]
    assert (shown.count("step-free"), "Room &lt;B&gt;" in shown, "Boards 3 to 12" in shown) == (1, True, True)
    paper = client.get(path(section, "print/hall-map/")).text
    assert ("Main hall, ground floor" in paper, paper.count("step-free")) == (True, 1)
    card = client.get(path(section, "players/1/")).text
    assert f'href="{path(section, "hall-map/")}#board-3">Room &lt;B&gt;</a>' in card
    enter(games[3], Result.DRAW.value)
    assert "hall-map/#" not in client.get(path(section, "players/1/")).text
