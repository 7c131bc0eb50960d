"""Test the public tab Results, while a round is played and after it."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evenboard_engine import Result
from pairing.rounds import publish_round
from tests.actions.test_rounds import pair, play
from tests.factories import section_of
from tests.web.public.conftest import WHEN, MadeSection
from tests.web.public.tables import rows
from tests.web.public.test_lists import heading
from tournaments.actions.corrections import correct_result
from tournaments.actions.ledger import Actor
from tournaments.models import Game, User
from web.page_cache import FOR_ALL


def enter(six: MadeSection, number: int, board: int, result: Result, minute: int) -> None:
    """Enter a result this many minutes after the round was published."""
    games = Game.objects.filter(round__section=six.row, round__number=number, board=board)
    games.update(result=result, entered_at=WHEN + dt.timedelta(minutes=minute))
    six.touch()


def tabs(content: str) -> list[str]:
    inside = content.split('<nav class="tabs"')[1].split("</nav>")[0]
    return re.findall(r">([^<]+)</a>", inside)


def test_results_are_a_tab_of_their_own(six: MadeSection, client: Client):
    content = client.get(f"{six.url}results/").content.decode()
    assert tabs(content) == ["Pairings", "Results", "Standings", "ARO list", "Players"]
    assert f'<a href="{six.url}results/" aria-current="page"' in content
    assert f'<a href="{six.url}results/1/" class="done"' in content


def test_results_are_by_board_with_the_time_of_each(six: MadeSection, client: Client):
    enter(six, 2, 1, Result.DRAW, minute=100)
    response = client.get(f"{six.url}results/")
    assert heading(response.content.decode()) == "Results, round 2"
    assert "1 of 2 results are in." in response.content.decode()
    assert rows(response) == [
        ["Board", "White", "Result", "Black", "Entered"],
        ["1", "Bauer, Bernd IM GER", "½–½", "Adams, Ann GM ENG", "16:32"],
        ["2", "Dvořák, Dušan FM CZE", "no result", "Costa, Carla POR", ""],
        ["Name", "Reason"],
        ["Ferrari, Fabio ITA", "half-point bye"],
    ]


def test_newest_results_are_above_the_boards_while_the_round_is_played(six: MadeSection, client: Client):
    enter(six, 2, 1, Result.DRAW, minute=100)
    content = client.get(f"{six.url}results/").content.decode()
    newest = content.split('<h2 id="newest">Newest results</h2>')[1].split("</section>")[0]
    assert (
        newest.index("Board 1") < newest.index("Bauer, Bernd") < newest.index("½–½") < newest.index("16:32")
    )
    assert newest.count("<li>") == 1
    enter(six, 2, 2, Result.DRAW, minute=120)
    assert "Newest results" not in client.get(f"{six.url}results/").content.decode()


def test_newest_results_come_first_on_request(six: MadeSection, client: Client):
    six.row.played_rounds.get(number=2).delete()
    for board, minute in ((1, 30), (2, 95), (3, 60)):
        enter(six, 1, board, Result.DRAW, minute)
    by_board = rows(client.get(f"{six.url}results/1/", {"by": "nonsense"}))
    newest = rows(client.get(f"{six.url}results/1/", {"by": "newest"}))
    assert [row[0] for row in by_board[1:]] == ["1", "2", "3"]
    assert [(row[0], row[4]) for row in newest[1:]] == [("2", "16:27"), ("3", "15:52"), ("1", "15:22")]


def test_a_finished_round_stays_until_the_next_round_has_a_result(six: MadeSection, client: Client):
    enter(six, 2, 2, Result.WHITE_WINS, minute=200)
    six.play(3, "published", (1, 4, ""), (2, 3, ""))
    content = client.get(f"{six.url}results/").content.decode()
    assert heading(content) == "Results, round 2"
    assert "All results are in." in content
    assert "Round 3 has no result yet." in content
    enter(six, 3, 2, Result.WHITE_WINS, minute=900)
    assert "Results of round 3" in client.get(f"{six.url}results/2/").content.decode()
    content = client.get(f"{six.url}results/").content.decode()
    assert heading(content) == "Results, round 3"
    assert "1 of 2 results are in." in content


def test_the_first_round_shows_its_boards_before_it_has_a_result(six: MadeSection, client: Client):
    six.row.played_rounds.get(number=2).delete()
    Game.objects.update(result="")
    response = client.get(f"{six.url}results/")
    assert heading(response.content.decode()) == "Results, round 1"
    assert [row[2] for row in rows(response)[1:]] == ["no result"] * 3


def test_before_round_1_the_page_says_what_will_be_here(six: MadeSection, client: Client):
    six.row.played_rounds.all().delete()
    content = client.get(f"{six.url}results/").content.decode()
    assert heading(content) == "Results"
    assert "No round has been published yet." in content
    assert f'hx-get="{six.url}results/?seen=' in content


def test_results_never_show_a_draft_not_even_to_arbiters(six: MadeSection, client: Client, arbiter: User):
    six.play(3, "draft", (1, 6, Result.WHITE_WINS))
    for _ in range(2):
        assert heading(client.get(f"{six.url}results/").content.decode()) == "Results, round 2"
        assert client.get(f"{six.url}results/3/").status_code == 404
        client.force_login(arbiter)


def test_arbiters_stay_in_their_own_tab(six: MadeSection, client: Client, arbiter: User):
    client.force_login(arbiter)
    content = client.get(f"{six.url}results/").content.decode()
    assert f'<a href="{six.url}round/2/results/" aria-current="page"' in content


def test_results_do_not_show_who_entered_them(six: MadeSection, client: Client, arbiter: User):
    User.objects.filter(pk=arbiter.pk).update(username="winifred")
    Game.objects.filter(round__number=2, board=1).update(entered_by=arbiter, entered_at=WHEN)
    assert "winifred" not in client.get(f"{six.url}results/").content.decode().lower()


def test_a_search_shows_only_matching_boards(six: MadeSection, client: Client):
    enter(six, 2, 1, Result.DRAW, minute=100)
    found = rows(client.get(f"{six.url}results/", {"q": "dvorak"}))
    assert [row[0] for row in found] == ["Board", "2"]


def ask(client: Client, six: MadeSection, seen: int, number: int = 2, path: str = "results/", **more: str):
    query = {"seen": seen, "round": number, **more}
    return client.get(f"{six.url}{path}", query, headers={"HX-Request": "true", "HX-Target": "boards"})


def test_a_poll_without_a_change_gets_nothing(six: MadeSection, client: Client):
    answer = ask(client, six, seen=six.row.revision)
    assert (answer.status_code, answer.content) == (204, b"")


def test_a_poll_gets_the_new_result_in_the_order_of_the_page(six: MadeSection, client: Client):
    enter(six, 2, 2, Result.BLACK_WINS, minute=120)
    answer = ask(client, six, seen=0, by="newest")
    content = answer.content.decode()
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, FOR_ALL)
    assert [row[0] for row in rows(answer)[1:3]] == ["2", "1"]
    assert 'hx-select="#boards" hx-select-oob="#facts,#as-of"' in content
    assert "?by=newest&amp;seen=1&amp;round=2" in content


def test_a_poll_opens_the_round_that_has_its_first_result(six: MadeSection, client: Client):
    enter(six, 2, 2, Result.DRAW, minute=120)
    six.play(3, "published", (1, 4, ""), (2, 3, ""))
    assert "HX-Refresh" not in ask(client, six, seen=0).headers
    enter(six, 3, 1, Result.DRAW, minute=900)
    assert ask(client, six, seen=0).headers["HX-Refresh"] == "true"
    assert "HX-Refresh" not in ask(client, six, seen=0, path="results/2/").headers


def test_a_reload_costs_one_query_while_nothing_changes(six: MadeSection, client: Client):
    first = client.get(f"{six.url}results/")
    with CaptureQueriesContext(connection) as queries:
        again = client.get(f"{six.url}results/", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content, len(queries)) == (304, b"", 1)
    enter(six, 2, 2, Result.DRAW, minute=120)
    changed = client.get(f"{six.url}results/", headers={"If-None-Match": first.headers["ETag"]})
    assert changed.status_code == 200


@pytest.mark.parametrize("page", ["results", "pairings"])
def test_an_adjourned_game_is_no_result_that_is_in(six: MadeSection, client: Client, page: str):
    enter(six, 2, 2, Result.ADJOURNED, minute=200)
    answer = client.get(f"{six.url}{page}/2/" if page == "results" else f"{six.url}round/2/{page}/")
    content = " ".join(answer.content.decode().split())
    assert "One game is adjourned. All other results are in." in content
    assert "All results are in." not in content


@pytest.mark.django_db
def test_a_result_corrected_after_the_next_pairing_is_marked_where_it_stands(client: Client):
    """The round that was paired with the former result says so; other rounds and other games do not."""
    actor, section = Actor.command(), section_of(6, event__state="public")
    first, second = play(actor, section), play(actor, section)
    game = first.games.get(board=2)
    about = {"actor": actor, "game_id": game.pk, "reason": "the slip", "confirmed": True}
    correct_result(**about, result=Result.DRAW, seen_version=game.version)
    third = pair(actor, section)
    publish_round(actor=actor, round_id=third.pk, seen_version=third.version)
    base = f"/{section.event.slug}/{section.slug}/"
    assert [row.number for row in (second, third)] == [2, 3]

    def corrected(page: str) -> tuple[int, bool]:
        content = client.get(base + page).content.decode()
        return content.count(
            ">corrected</small>"
        ), "A result of an earlier round was corrected later." in content

    pages = ("round/1/pairings/", "results/1/", "round/2/pairings/", "round/3/pairings/")
    assert [corrected(page) for page in pages] == [(1, False), (1, False), (0, True), (0, False)]
    numbers = {game.white.tpn, game.black.tpn}
    cards = {tpn for tpn in range(1, 7) if corrected(f"players/{tpn}/")[0]}
    assert cards == numbers
