from __future__ import annotations

import pytest
from django.test import Client

from evenboard_engine import Result
from tests.factories import SectionFactory
from tests.web.public.conftest import MadeSection
from tests.web.public.tables import rows
from tournaments.models import User
from web.page_cache import FOR_ALL


def test_pairings_show_the_boards_of_the_latest_round_with_results(six: MadeSection, client: Client):
    response = client.get(f"{six.url}pairings/")
    assert response.status_code == 200
    assert rows(response)[1:3] == [
        ["1", "Bauer, Bernd IM GER", "2300", "1", "½–½", "Adams, Ann GM ENG", "2400", "1"],
        ["2", "Dvořák, Dušan FM CZE", "2100", "0", "no result", "Costa, Carla POR", "2200", "½"],
    ]
    assert "1 of 2 results are in." in response.content.decode()


def test_pairings_name_the_byes_and_leave_out_withdrawn_players(six: MadeSection, client: Client):
    content = rows(client.get(f"{six.url}pairings/"))
    assert content[4:] == [["Ferrari, Fabio ITA", "½", "half-point bye"]]


def test_pairings_of_an_earlier_round(six: MadeSection, client: Client):
    content = rows(client.get(f"{six.url}round/1/pairings/"))
    assert [row[4] for row in content[1:4]] == ["1–0", "0–1", "½–½"]
    assert [row[3] for row in content[1:4]] == ["0", "0", "0"]


def test_pairings_link_each_player_to_the_card(six: MadeSection, client: Client):
    content = client.get(f"{six.url}pairings/").content.decode()
    assert f'<a href="{six.url}players/4/">Dvořák, Dušan</a>' in content


def test_pairings_before_the_first_round_say_so(six: MadeSection, client: Client):
    six.row.played_rounds.all().delete()
    response = client.get(f"{six.url}pairings/")
    assert (response.status_code, "No round has been published yet." in response.content.decode()) == (
        200,
        True,
    )


def test_a_missing_round_is_404(six: MadeSection, client: Client):
    addresses = (
        "round/0/pairings/",
        "round/3/pairings/",
        "round/99999999999999999999/pairings/",
        "round/3/names/",
    )
    assert [client.get(six.url + address).status_code for address in addresses] == [404, 404, 404, 404]


def test_only_arbiters_see_a_draft(six: MadeSection, client: Client, arbiter: User):
    six.play(3, "draft", (1, 6, ""))
    assert client.get(f"{six.url}round/3/pairings/").status_code == 404
    assert client.get(f"{six.url}round/3/names/").status_code == 404
    assert "Round 2" in client.get(f"{six.url}pairings/").content.decode()
    assert "Round 3" not in client.get(f"{six.url}pairings/").content.decode()
    client.force_login(arbiter)
    response = client.get(f"{six.url}pairings/")
    assert "Draft" in response.content.decode()
    assert rows(response)[1][1] == "Adams, Ann GM ENG"


def test_page_of_an_earlier_round_names_the_draft(six: MadeSection, client: Client, arbiter: User):
    six.play(3, "draft", (1, 6, ""))
    client.force_login(arbiter)
    html = client.get(f"{six.url}round/2/pairings/").content.decode()
    assert "Round 3 is a draft." in html
    assert "Round 3 is published." not in html


def test_a_search_shows_only_matching_rows(six: MadeSection, client: Client):
    response = client.get(f"{six.url}pairings/", {"q": "DVORAK"})
    assert [row[0] for row in rows(response)] == ["Board", "2"]
    nothing = client.get(f"{six.url}pairings/", {"q": "<b>nobody"}).content.decode()
    assert ("Nothing found." in nothing, "<b>nobody" in nothing) == (True, False)


@pytest.mark.django_db
def test_a_section_without_players_says_so(client: Client):
    section = SectionFactory()
    shown = client.get(f"/{section.event.slug}/{section.slug}/standings/").content.decode()
    assert "There are no entries yet." in shown
    assert "data-nothing hidden" in shown


def test_names_are_sorted_by_plain_letters(six: MadeSection, client: Client):
    six.enter(7, "Đurić, Đorđe", 1800, federation="SRB")
    six.play(3, "published", (7, 1, ""), (2, 3, ""))
    content = rows(client.get(f"{six.url}names/"))[1:]
    assert [row[:3] for row in content] == [
        ["Adams, Ann GM ENG", "1", "Black"],
        ["Bauer, Bernd IM GER", "2", "White"],
        ["Costa, Carla POR", "2", "Black"],
        ["Đurić, Đorđe SRB", "1", "White"],
        ["Dvořák, Dušan FM CZE", "–", "not paired"],
        ["Ferrari, Fabio ITA", "–", "not paired"],
    ]


def poll(client: Client, six: MadeSection, seen: int, number: int = 2, path: str = "pairings/") -> object:
    return client.get(
        f"{six.url}{path}",
        {"seen": seen, "round": number},
        headers={"HX-Request": "true", "HX-Target": "boards"},
    )


def test_a_poll_without_a_change_gets_nothing(six: MadeSection, client: Client):
    response = poll(client, six, seen=six.row.revision)
    assert (response.status_code, response.content) == (204, b"")


def test_a_poll_gets_the_new_result(six: MadeSection, client: Client):
    game = six.row.played_rounds.get(number=2).games.get(board=2)
    game.result = Result.BLACK_WINS
    game.save()
    six.touch()
    response = poll(client, six, seen=0)
    content = response.content.decode()
    assert (response.status_code, response.headers["Cache-Control"]) == (200, FOR_ALL)
    assert rows(response)[2][4] == "0–1"
    assert 'hx-select="#boards" hx-select-oob="#facts,#as-of"' in content
    assert "All results are in." in content
    assert "?seen=1&amp;round=2" in content


def test_a_poll_opens_the_new_round(six: MadeSection, client: Client):
    six.play(3, "published", (1, 3, ""))
    six.touch()
    assert poll(client, six, seen=0).headers["HX-Refresh"] == "true"
    numbered = poll(client, six, seen=0, path="round/2/pairings/")
    assert "HX-Refresh" not in numbered.headers
    assert "Round 3 is published." in numbered.content.decode()


def test_rows_name_their_players_for_the_script_that_marks_the_visitor(six: MadeSection, client: Client):
    content = client.get(f"{six.url}pairings/").content.decode()
    white, black, out = six.players[4].pk, six.players[3].pk, six.players[6].pk
    assert f'data-player="{white} {black}"><th role="rowheader" scope="row" class="bd"><a href=' in content
    assert f'data-player="{out}" data-bye>' in content
    assert f'data-plates data-section="{six.row.pk}"' in content
