from __future__ import annotations

from django.test import Client

from evenboard_engine import ByeKind
from tests.web.public.conftest import MadeSection
from tests.web.public.tables import rows
from tournaments.models import Bye, User


def test_card_has_the_rounds(six: MadeSection, client: Client):
    response = client.get(f"{six.url}players/1/")
    assert rows(response) == [
        ["Rd", "Colour", "Opponent", "Rating", "Opponent’s ARO", "Result", "Total", "Own ARO", "Place"],
        ["1", "White", "Dvořák, Dušan FM CZE", "2100", "2400", "1 Why?", "1", "2100", "1"],
        ["2", "Black", "Bauer, Bernd IM GER", "2300", "2200", "½ Why?", "1½", "2200", "1"],
    ]
    content = response.content.decode()
    assert "<dt>ARO</dt><dd>2200</dd>" in content
    assert "Due in round 3:" in content


def test_card_shows_the_running_game(six: MadeSection, client: Client):
    response = client.get(f"{six.url}players/3/")
    assert rows(response)[1:] == [
        ["1", "White", "Ferrari, Fabio ITA", "1900", "2200", "½ Why?", "½", "1900", "4↓1, 1 place down"],
        ["2", "Black", "Dvořák, Dušan FM CZE", "2100", "2400", "board 2 Why?", "", "", ""],
    ]
    assert 'class="me"' in response.content.decode()


def test_card_has_byes_and_absences(six: MadeSection, client: Client):
    assert rows(client.get(f"{six.url}players/6/"))[2] == [
        "2",
        "",
        "half-point bye",
        "",
        "",
        "½",
        "1",
        "",
        "3",
    ]
    response = client.get(f"{six.url}players/5/")
    assert rows(response)[2] == ["2", "", "not paired", "", "", "–", "0", "", "6"]
    assert '<span class="pill">withdrawn</span>' in response.content.decode()


def test_card_of_an_unknown_player_is_404(six: MadeSection, client: Client):
    addresses = ("players/0/", "players/7/", "players/99999999999999999999/")
    assert [client.get(six.url + address).status_code for address in addresses] == [404, 404, 404]


def test_card_does_not_show_requested_byes_to_the_public(six: MadeSection, client: Client, arbiter: User):
    Bye.objects.create(participant=six.players[1], round_number=4, kind=ByeKind.HALF)
    asked = "Requested byes"
    assert asked not in client.get(f"{six.url}players/1/").content.decode()
    client.force_login(arbiter)
    assert asked in client.get(f"{six.url}players/1/").content.decode()


def test_a_seat_is_the_row_of_the_player(six: MadeSection, client: Client):
    """On a board, with a bye, and in an earlier round; a withdrawn player has none."""
    row = rows(client.get(f"{six.url}seat/{six.players[3].pk}/"))[0]
    assert row == rows(client.get(f"{six.url}seat/{six.players[4].pk}/"))[0]
    assert (row[0], row[1][:13], row[3][:12]) == ("2", "Dvořák, Dušan", "Costa, Carla")
    assert rows(client.get(f"{six.url}seat/{six.players[6].pk}/"))[0][1] == "half-point bye"
    assert rows(client.get(f"{six.url}round/1/seat/{six.players[5].pk}/"))[0][0] == "2"
    for missing in (f"seat/{six.players[5].pk}/", "seat/0/", f"round/4/seat/{six.players[3].pk}/"):
        assert client.get(six.url + missing).status_code == 404, missing
