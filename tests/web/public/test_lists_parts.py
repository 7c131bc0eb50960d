"""Lists of more than 300 rows come in parts. Here a list is long with more than three rows, and a part has two."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.web.public.conftest import MadeSection, crowd
from tests.web.public.tables import rows
from tournaments.models import User
from tournaments.queries.crosstables import crosstable
from web.page_cache import store
from web.views.public import lists as parts
from web.views.public import rounds, standings
from web.views.public.public_page import Visit


@pytest.fixture
def eight(db: None, monkeypatch: pytest.MonkeyPatch) -> MadeSection:
    """Return a section of eight players in round 3, whose lists are long: four boards in two parts."""
    for module in (parts, standings):
        monkeypatch.setattr(module, "WHOLE", 3)
    monkeypatch.setattr(parts, "PART", 2)
    return crowd(8)


def first_cells(response: HttpResponse) -> list[str]:
    """Return the first cell of each row, without heads and the lines below the players of the ARO list."""
    return [row[0] for row in rows(response)[1:] if row[0] not in ("Name", "")]


def links(response: HttpResponse) -> dict[str, str]:
    """Return the addresses of the parts before and after."""
    found = re.findall(r'rel="(prev|next)" href="([^"]*)"', response.content.decode())
    return {name: address.replace("&amp;", "&") for name, address in found}


def all_parts(client: Client, address: str) -> list[list[str]]:
    """Follow the links from part to part; return the first cells of each."""
    found = []
    while address:
        response = client.get(address)
        found.append(first_cells(response))
        address = links(response).get("next", "")
    return found


def test_the_parts_of_a_list_are_the_list(eight: MadeSection, client: Client):
    for page, cells in [
        ("pairings/", [["1", "2"], ["3", "4"]]),
        ("results/", [["1", "2"], ["3", "4"]]),
        ("results/?by=newest", [["1", "2"], ["3", "4"]]),
        ("standings/", [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]]),
        ("crosstable/", [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]]),
        ("players/", [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]]),
        ("aro/?by=name", [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]]),
    ]:
        assert all_parts(client, eight.url + page) == cells, page


def test_the_parts_of_the_names_are_all_names(eight: MadeSection, client: Client):
    names = [row for part in all_parts(client, f"{eight.url}names/") for row in part]
    assert [name.removesuffix(", A NED") for name in names] == [
        f"Player 00{number}" for number in range(1, 9)
    ]


def test_a_part_says_where_it_is_and_leads_both_ways(eight: MadeSection, client: Client):
    path = f"{eight.url}standings/"
    response = client.get(path, {"part": "2"})
    html = response.content.decode()
    assert "Rows 3 to 4 of 8." in html
    assert 'aria-rowcount="9" data-before="2"' in html
    assert links(response) == {"prev": path, "next": f"{path}?part=3"}
    assert links(client.get(path, {"part": "99"})) == {"prev": f"{path}?part=3"}


def test_a_short_list_has_no_parts(six: MadeSection, client: Client):
    for page in ("pairings/", "names/", "standings/", "crosstable/", "players/", "aro/"):
        html = client.get(six.url + page).content.decode()
        assert ("data-part-after" in html, "js/parts.js" in html, "data-before" in html) == (False,) * 3, page


def test_a_search_finds_rows_of_every_part(eight: MadeSection, client: Client):
    response = client.get(f"{eight.url}pairings/", {"q": "player 008"})
    assert (len(first_cells(response)), links(response)) == (1, {})
    response = client.get(f"{eight.url}names/", {"q": "player"})
    assert links(response) == {"next": f"{eight.url}names/?q=player&part=2"}
    assert 'data-list="names" data-parts' in response.content.decode()


def test_what_is_found_in_a_short_list_comes_whole(db: None, client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(parts, "PART", 2)
    assert len(first_cells(client.get(f"{crowd(8).url}names/", {"q": "player"}))) == 8


def test_who_has_no_board_comes_with_the_last_part(eight: MadeSection, client: Client):
    eight.enter(9, "Late, Lea", 1500)
    before, after = (client.get(f"{eight.url}pairings/", {"part": part}) for part in ("1", "2"))
    assert ("Late, Lea" in before.content.decode(), "Late, Lea" in after.content.decode()) == (False, True)


def test_an_open_page_asks_for_news_of_its_part(eight: MadeSection, client: Client):
    html = client.get(f"{eight.url}pairings/", {"part": "2"}).content.decode()
    assert f'hx-get="{eight.url}pairings/?part=2&amp;seen=0&amp;round=3"' in html


def test_the_server_sorts_a_long_list(eight: MadeSection, client: Client):
    for sort, numbers in [
        ("rating", ["1", "2"]),
        ("-rating", ["8", "7"]),
        ("-number", ["8", "7"]),
        ("name", ["1", "2"]),
        ("-name", ["8", "7"]),
    ]:
        response = client.get(f"{eight.url}standings/", {"sort": sort})
        assert [row[-1] for row in rows(response)[1:]] == numbers, sort


def test_a_column_that_does_not_exist_makes_no_other_page(eight: MadeSection, client: Client):
    client.get(f"{eight.url}standings/")
    kept = len(store)
    for sort in ("invented", "--rating", "t60"):
        client.get(f"{eight.url}standings/", {"sort": sort})
    assert len(store) == kept


@pytest.mark.parametrize("direction", ["", "-"])
def test_rows_without_a_value_are_last_in_both_directions(six: MadeSection, direction: str):
    six.players[2].rating = 0
    six.players[2].save()
    table = crosstable(six.row).standings
    ordered = [table.rows[at] for at in standings.in_order(table, f"{direction}rating")]
    ratings = sorted((row.rating for row in ordered if row.rating), reverse=not direction)
    assert [row.rating for row in ordered] == [*ratings, 0]
    assert standings.in_order(table, f"{direction}t59") == list(range(6))


def test_a_head_leads_to_the_list_in_its_order_and_back(eight: MadeSection, client: Client):
    response = client.get(f"{eight.url}standings/", {"sort": "rating", "q": "player"})
    html = response.content.decode().replace(" >", ">")
    path = f"{eight.url}standings/?q=player&amp;sort="
    assert f'data-sort="rating" aria-sort="descending"><a href="{path}-rating">Rating</a>' in html
    assert f'data-sort="name"><a href="{path}name">Name</a>' in html
    assert f'<a href="{eight.url}standings/?q=player"><abbr title="Place">' in html
    assert 'name="sort" value="rating"' in html
    assert links(response) == {"next": f"{eight.url}standings/?sort=rating&q=player&part=2"}


def test_groups_of_the_aro_list_go_on_in_the_next_part(eight: MadeSection, client: Client):
    first, second = (client.get(f"{eight.url}aro/", {"part": part}).content.decode() for part in ("1", "2"))
    groups = [re.findall(r'<tbody data-group="(\d+)">', html) for html in (first, second)]
    assert groups == [["10"], ["10"]]
    assert second.count("8 players") == 1


def test_all_parts_come_from_one_reading_of_the_section(eight: MadeSection, client: Client):
    with patch.object(rounds, "round_board_list", wraps=rounds.round_board_list) as read:
        all_parts(client, f"{eight.url}pairings/")
        client.get(f"{eight.url}pairings/", {"q": "player 008"})
        all_parts(client, f"{eight.url}results/3/")
        all_parts(client, f"{eight.url}names/")
        assert read.call_count == 1
        eight.touch()
        all_parts(client, f"{eight.url}pairings/")
        assert read.call_count == 2


def test_what_arbiters_see_is_not_kept_for_visitors(
    eight: MadeSection, client: Client, django_user_model: type[User]
):
    eight.play(4, "draft", (1, 8, ""), (2, 7, ""), (3, 6, ""), (4, 5, ""))
    chief = Client()
    chief.force_login(django_user_model.objects.create_superuser("chief"))
    path = f"{eight.url}round/4/pairings/"
    assert (chief.get(path).status_code, client.get(path).status_code) == (200, 404)
    store.clear()
    assert client.get(f"{eight.url}pairings/").content.count(b"Round 4") == 0


def test_a_list_is_not_kept_if_nobody_knows_from_which_facts(eight: MadeSection):
    visit = Visit(section=eight.row, staff=False)
    answers = iter("ab")
    found = [parts.worked_out(visit, "list", lambda: next(answers) * 9, len) for _ in range(2)]
    assert found == ["a" * 9, "b" * 9]


def test_a_short_list_is_read_each_time(six: MadeSection, client: Client):
    with patch.object(standings, "player_list", wraps=standings.player_list) as read:
        for page in ("players/", "players/?by=name", "players/"):
            client.get(six.url + page)
            store.clear()
    assert read.call_count == 3


def test_a_link_to_a_player_leads_to_the_part_with_the_row(eight: MadeSection, client: Client) -> None:
    for page, shown in (
        ("standings/", "standings/"),
        ("crosstable/", "crosstable/"),
        ("players/?by=rating", "players/?by=rating"),
        ("names/", "names/"),
        ("aro/?by=name", "aro/?by=name"),
    ):
        joint = "&" if "?" in page else "?"
        for number in (1, 4, 8):
            response = client.get(f"{eight.url}{page}{joint}player={number}")
            assert response.status_code == 302, page
            address, _hash, row = response["Location"].partition("#")
            assert address.split("part=")[0].rstrip("?&") == eight.url + shown
            assert f'id="{row}"' in client.get(address).content.decode()
            assert row == f"player-{number}"
        assert client.get(f"{eight.url}{page}{joint}player=99").status_code == 200
    card = client.get(f"{eight.url}players/4/").content.decode()
    assert f'href="{eight.url}standings/?player=4"' in card
