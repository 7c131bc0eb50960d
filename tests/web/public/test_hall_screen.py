"""The screen of the hall, as the server sends it. A browser test checks that it changes its pages."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evenboard_engine import Result
from tests.factories import section_of
from tests.web.public.conftest import MadeSection
from tests.web.public.tables import rows
from tournaments.models import Game, Round, Section, User
from web.page_cache import FOR_ONE
from web.views.public.hall import ScreenSheet


def labels(answer: object) -> list[str]:
    return re.findall(r'data-label="([^"]*)"', answer.content.decode())


def with_boards(boards: int) -> Section:
    section = section_of(2 * boards)
    players = list(section.participants.order_by("tpn"))
    shown = Round.objects.create(section=section, number=1, state=Round.State.PUBLISHED)
    Game.objects.bulk_create(
        Game(round=shown, board=board, white=white, black=black)
        for board, (white, black) in enumerate(zip(players[::2], players[1::2], strict=True), 1)
    )
    return section


def path(section: Section, query: str = "") -> str:
    return f"/{section.event.slug}/{section.slug}/screen/{query}"


def test_boards_have_points_and_byes(six: MadeSection, client: Client):
    assert rows(client.get(f"{six.url}screen/"))[-3:] == [
        ["1", "Bauer, Bernd IM GER", "1", "Adams, Ann GM ENG", "1"],
        ["2", "Dvořák, Dušan FM CZE", "0", "Costa, Carla POR", "½"],
        ["–", "Ferrari, Fabio ITA", "½", "half-point bye"],
    ]


@pytest.mark.parametrize(
    ("longest", "classes"), [(99, ""), (100, " hundreds"), (1000, " hundreds thousands")]
)
def test_long_numbers_of_boards_get_room(longest: int, classes: str) -> None:
    assert ScreenSheet(None, "boards", "", 1, longest=longest).classes == f"boards{classes}"


def test_names_have_board_and_colour(six: MadeSection, client: Client):
    assert rows(client.get(f"{six.url}screen/?show=names"))[-2:] == [
        ["Dvořák, Dušan CZE", "2", "White"],
        ["Ferrari, Fabio ITA", "–", "bye"],
    ]


def test_standings_and_aro_list(six: MadeSection, client: Client):
    assert rows(client.get(f"{six.url}screen/?show=standings"))[1][1] == "Adams, Ann GM ENG"
    listed = rows(client.get(f"{six.url}screen/?show=aro"))
    assert listed[1] == ["2", "Bauer, Bernd IM GER", "1", "2000", "White"]
    assert "Eriksson" not in str(listed)


@pytest.mark.parametrize(
    ("result", "heading"),
    [
        ("", "Provisional standings, round 2: 1 result missing"),
        (Result.ADJOURNED, "Provisional standings after round 2: 1 game adjourned"),
        (Result.DRAW, "Standings after round 2"),
    ],
)
def test_standings_on_a_screen_say_that_they_can_still_change(
    six: MadeSection, client: Client, result: str, heading: str
):
    six.row.played_rounds.get(number=2).games.filter(board=2).update(result=result)
    assert f">{heading}</h1>" in client.get(f"{six.url}screen/?show=standings").content.decode()


def test_standings_on_a_screen_name_adjourned_games_while_results_are_missing(
    six: MadeSection, client: Client
):
    six.play(3, "published", (1, 6, ""), (2, 3, "1-0"))
    six.row.played_rounds.get(number=2).games.filter(board=2).update(result=Result.ADJOURNED)
    for rounds, heading in (
        (9, "Provisional standings, round 3: 1 result missing, 1 game adjourned"),
        (3, "Standings, round 3, not final: 1 result missing, 1 game adjourned"),
    ):
        six.row.rounds = rounds
        six.row.save()
        six.touch()
        assert f">{heading}</h1>" in client.get(f"{six.url}screen/?show=standings").content.decode()


def test_pages_are_labelled_with_their_first_and_last_row(db: None, client: Client):
    section = with_boards(23)
    for query, wanted in [
        ("", ["1–10", "11–20", "21–23"]),
        ("?rows=12", ["1–12", "13–23"]),
        ("?rows=99", ["1–12", "13–23"]),
        ("?rows=0", ["1–6", "7–12", "13–18", "19–23"]),
        ("?rows=ten", ["1–10", "11–20", "21–23"]),
        ("?show=standings", ["1–20", "21–40", "41–46"]),
        ("?show=nothing", ["1–10", "11–20", "21–23"]),
    ]:
        assert labels(client.get(path(section, query))) == wanted, query


def test_a_screen_never_shows_a_draft(six: MadeSection, client: Client, arbiter: User):
    six.play(3, "draft", (1, 6, ""))
    client.force_login(arbiter)
    assert '<h1 id="heading">Round 2</h1>' in client.get(f"{six.url}screen/").content.decode()


def test_screen_before_round_1(six: MadeSection, client: Client):
    six.row.played_rounds.all().delete()
    content = client.get(f"{six.url}screen/").content.decode()
    assert "Round 1 is not paired yet." in content
    assert client.get(f"{six.url}screen/?show=names").status_code == 200


def test_an_open_screen_gets_only_news(six: MadeSection, client: Client):
    revision = six.row.revision
    asks = {"HX-Request": "true"}
    same = client.get(f"{six.url}screen/?seen={revision}", headers=asks)
    assert (same.status_code, same.content) == (204, b"")
    assert abs(int(same["X-Now"]) - timezone.now().timestamp() * 1000) < 5000
    assert re.fullmatch(r"\d\d:\d\d", same["X-Clock"])
    six.touch()
    news = client.get(f"{six.url}screen/?seen={revision}", headers=asks)
    assert (news.status_code, news["Cache-Control"]) == (200, FOR_ONE)
    assert news.content == client.get(f"{six.url}screen/").content


def test_a_question_costs_little_and_a_screen_costs_the_same_for_many_players(db: None, client: Client):
    few, many = with_boards(4), with_boards(60)
    counts = []
    for section in (few, many):
        with CaptureQueriesContext(connection) as captured:
            client.get(path(section))
        counts.append(len(captured))
    assert counts[0] == counts[1] <= 8
    with CaptureQueriesContext(connection) as captured:
        client.get(path(many, f"?seen={many.revision}"), headers={"HX-Request": "true"})
    assert len(captured) == 1


def test_countdown_and_message_are_in_the_page(six: MadeSection, client: Client):
    to = timezone.now() + timedelta(minutes=8)
    six.row.countdown_to, six.row.hall_message = to, "Phones <off> & away"
    six.row.save()
    content = client.get(f"{six.url}screen/").content.decode()
    assert f'data-countdown="{round(to.timestamp() * 1000)}"' in content
    assert "Phones &lt;off&gt; &amp; away" in content


def test_theme_and_seconds_come_from_the_address(six: MadeSection, client: Client):
    content = client.get(f"{six.url}screen/?theme=dark&seconds=20").content.decode()
    assert 'data-theme="dark"' in content
    assert 'data-seconds="20"' in content
    odd = client.get(f"{six.url}screen/?theme=%22%3E&seconds=-1").content.decode()
    assert 'data-theme="light"' in odd
    assert 'data-seconds="12"' in odd


def test_a_screen_has_all_tie_breaks_that_fit_and_then_one_list_on_a_page(six: MadeSection, client: Client):
    six.row.tie_breaks = ["BH", "BH/C1", "SB", "ARO", "PS", "WIN", "WON", "BPG"]
    six.row.save()
    found = client.get(f"{six.url}screen/?show=standings&rows=6")
    heads = ["BH", "BH/C1", "SB", "ARO", "PS", "WIN", "WON"]
    assert rows(found)[0] == ["Place", "Name", "Pts", *heads]
    assert "standings single" in found.content.decode()
    six.row.tie_breaks = ["BH"]
    six.row.save()
    six.touch()
    assert "single" not in client.get(f"{six.url}screen/?show=standings&rows=6").content.decode()
