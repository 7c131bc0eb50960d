from __future__ import annotations

import pytest
from django.test import Client

from tests.web.public.conftest import Section
from tests.web.public.tables import rows
from tournaments.models import User
from tournaments.web.views.public.paper import cutting_order

DOCUMENTS = ("boards", "names", "aro", "standings", "crosstable")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_documents_bear_the_head_of_the_event(six: Section, client: Client, document: str):
    response = client.get(f"{six.url}print/{document}/")
    content = response.content.decode()
    assert response.status_code == 200
    assert "<h1>Veldhaven Open</h1><p>Section A." in content
    assert 'class="paper"' in content


def test_boards_leave_room_for_results_and_end_with_byes(six: Section, client: Client):
    content = rows(client.get(f"{six.url}print/boards/"))
    assert content[2:] == [
        ["1", "Bauer, Bernd IM GER", "2300", "1", "½–½", "Adams, Ann GM ENG", "2400", "1"],
        ["2", "Dvořák, Dušan FM CZE", "2100", "0", "", "Costa, Carla POR", "2200", "½"],
        ["–", "Ferrari, Fabio ITA", "1900", "½", "", "half-point bye"],
    ]


def test_names_say_board_and_colour_and_nothing_else(six: Section, client: Client):
    content = rows(client.get(f"{six.url}print/names/2/"))
    assert content[-5:] == [
        ["Adams, Ann ENG", "1", "Black"],
        ["Bauer, Bernd GER", "1", "White"],
        ["Costa, Carla POR", "2", "Black"],
        ["Dvořák, Dušan CZE", "2", "White"],
        ["Ferrari, Fabio ITA", "–", "bye ½"],
    ]


def test_documents_of_a_draft_are_for_arbiters_and_say_draft(six: Section, client: Client, arbiter: User):
    six.play(3, "draft", (1, 6, ""))
    assert client.get(f"{six.url}print/boards/3/").status_code == 404
    assert "Round 2" in client.get(f"{six.url}print/boards/").content.decode()
    client.force_login(arbiter)
    for document in ("boards", "names", "slips"):
        content = client.get(f"{six.url}print/{document}/3/").content.decode()
        assert "draft" in content.lower()
    assert "Draft, not published" in client.get(f"{six.url}print/boards/").content.decode()


def test_slips_are_for_arbiters(six: Section, client: Client, arbiter: User):
    answer = client.get(f"{six.url}print/slips/2/")
    assert (answer.status_code, answer.headers["Location"].split("?")[0]) == (302, "/login/")
    client.force_login(User.objects.create_user("stranger"))
    assert client.get(f"{six.url}print/slips/2/").status_code == 403
    client.force_login(arbiter)
    content = client.get(f"{six.url}print/slips/2/").content.decode()
    assert content.count('<section class="slip">') == 8
    assert content.count("White signs") == 2


def test_documents_that_are_not_there(six: Section, client: Client):
    addresses = (
        "print/anything/",
        "print/boards/7/",
        "print/standings/9/",
        "print/aro/9/",
        "print/crosstable/9/",
    )
    assert [client.get(six.url + address).status_code for address in addresses] == [404] * 5


def test_documents_before_the_first_round(six: Section, client: Client):
    six.tournament.played_rounds.all().delete()
    answers = {name: client.get(f"{six.url}print/{name}/").status_code for name in DOCUMENTS}
    assert answers == {"boards": 404, "names": 404, "aro": 200, "standings": 200, "crosstable": 200}


def test_a_long_crosstable_is_printed_in_blocks_of_rounds(six: Section, client: Client):
    six.tournament.rounds = 20
    six.tournament.save()
    for number in range(3, 21):
        six.play(number, "finished", (1, 2, "1/2"))
    content = client.get(f"{six.url}print/crosstable/").content.decode()
    assert content.count('<section class="a4 wide">') == 2
    assert content.count("<table") == 2


@pytest.mark.parametrize("boards", [0, 1, 7, 8, 9, 30, 32, 61])
def test_a_cut_pile_of_slips_runs_in_order(boards: int):
    sheets = cutting_order(range(1, boards + 1), 8)
    assert all(len(sheet) == 8 for sheet in sheets)
    pile = [sheet[place] for place in range(8) for sheet in sheets]
    assert [slip for slip in pile if slip is not None] == list(range(1, boards + 1))
    assert len(sheets) == -(-boards // 8)
