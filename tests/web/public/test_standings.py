"""The page and the sheet of standings: the strip of rounds, what there is room for, and news for open pages."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from evenboard_engine import Result
from tests.web.public.conftest import MadeSection
from web.views.public.standings import PaperLayout, StandingsLayout, paper_layout, standings_layout


def strip(page: str, place: int) -> list[tuple[str, str, str]]:
    """Return class, words and text of each box in the row of a place."""
    cell = re.findall(r'<td class="rds[^"]*">(.*?)</td>', page)[place - 1]
    boxes = re.findall(r'<i class="([^"]*)"(?: role="img" title="([^"]*)")?>(.*?)</i>', cell)
    return [(kind, words, re.sub("<[^>]*>", "", text)) for kind, words, text in boxes]


def test_strip_shows_result_colour_and_opponent_of_each_round(six: MadeSection, client: Client):
    six.row.played_rounds.get(number=1).games.filter(board=1).update(result=Result.WHITE_WINS_BY_FORFEIT)
    page = client.get(f"{six.url}standings/").content.decode()
    assert strip(page, 1) == [
        ("n", "Round 1: White against Dvořák, Dušan: White wins by forfeit", "+ 6"),
        ("b", "Round 2: Black against Bauer, Bernd: Draw", "½ 2"),
    ]
    assert strip(page, 2) == [
        ("b", "Round 1: Black against Eriksson, Eva: Black wins", "1 5"),
        ("w", "Round 2: White against Adams, Ann: Draw", "½ 1"),
    ]
    assert strip(page, 3)[1] == ("n", "Round 2: half-point bye", "½")
    assert strip(page, 4)[1] == ("b o", "Round 2: Black against Dvořák, Dušan: no result", "· 6")


def test_an_adjourned_game_counts_as_a_draw_that_is_not_certain(six: MadeSection, client: Client):
    six.row.played_rounds.get(number=2).games.filter(board=2).update(result=Result.ADJOURNED)
    page = client.get(f"{six.url}standings/").content.decode()
    assert strip(page, 4)[1] == ("b o", "Round 2: Black against Dvořák, Dušan: Adjourned", "½ 5")


def test_page_says_what_the_small_number_is_where_there_can_be_one(six: MadeSection, client: Client):
    sentence = "The small number beside a result is the place of the opponent."
    assert sentence in client.get(f"{six.url}standings/").content.decode()
    six.row.tie_breaks = [
        "BH",
        "BH/C1",
        "BH/C2",
        "SB",
        "SB/C1",
        "ARO",
        "PS",
        "WIN",
        "WON",
    ]  # no room for a strip
    six.row.save()
    six.touch()
    assert sentence not in client.get(f"{six.url}standings/").content.decode()


@pytest.mark.parametrize("sheet", ["standings", "crosstable"])
def test_a_sheet_with_many_tie_breaks_has_their_names_below_the_list(
    six: MadeSection, client: Client, sheet: str
):
    for codes, dense in (
        (["BH/C1", "BH", "SB", "WIN", "PS", "ARO", "TPR", "STD"], False),
        (["BH/C1", "BH", "SB", "WIN", "PS", "ARO", "TPR", "STD", "OTHER_PLAYOFF"], True),
    ):
        six.row.tie_breaks = codes
        six.row.save()
        six.touch()
        page = client.get(f"{six.url}print/{sheet}/").content.decode()
        legend = re.findall(r'<p class="small legend">\s*(.*?)\s*</p>', page)
        assert (" dense" in page, len(legend), "a4 wide" in page) == (
            dense,
            dense,
            dense or sheet == "standings",
        )
    assert legend[0].startswith("BH/C1 = Buchholz cut 1; BH = Buchholz; SB = Sonneborn-Berger; WIN = ")


def test_a_play_off_is_named_in_words(six: MadeSection, client: Client):
    six.row.tie_breaks = ["OTHER_PLAYOFF"]
    six.row.save()
    six.players[1].tie_values = {"OTHER_PLAYOFF": "1"}
    six.players[1].save()
    six.touch()
    for place in ("standings/", "standings/1/1/", "print/standings/", "print/sums/"):
        page = client.get(six.url + place).content.decode()
        assert ("OTHER_PLAYOFF" in page, "lay-off" in page) == (False, True), place
    assert "By points and play-off." in client.get(f"{six.url}standings/").content.decode()


def test_paper_has_the_strip_too(six: MadeSection, client: Client):
    page = client.get(f"{six.url}print/standings/").content.decode()
    assert strip(page, 1) == [("w", "", "1 5"), ("b", "", "½ 2")]
    six.row.tie_breaks = ["ARO", "BH", "SB", "PS"]
    six.row.save()
    six.touch()
    page = client.get(f"{six.url}print/standings/").content.decode()
    assert [text for _kind, _words, text in strip(page, 1)] == ["1 6", "½ 2"]


@pytest.mark.parametrize(
    ("rounds", "columns", "screen", "paper"),
    [
        (
            0,
            1,
            StandingsLayout(strip=False, css="few", frame=False),
            PaperLayout(strip=False, places=False, wide=False, dense=False),
        ),
        (
            9,
            3,
            StandingsLayout(strip=True, css="few", frame=False),
            PaperLayout(strip=True, places=False, wide=False, dense=False),
        ),
        (
            9,
            5,
            StandingsLayout(strip=True, css="some", frame=False),
            PaperLayout(strip=False, places=False, wide=False, dense=False),
        ),
        (
            10,
            1,
            StandingsLayout(strip=True, css="few long", frame=False),
            PaperLayout(strip=True, places=False, wide=False, dense=False),
        ),
        (
            15,
            8,
            StandingsLayout(strip=True, css="many long", frame=False),
            PaperLayout(strip=True, places=False, wide=True, dense=False),
        ),
        (
            3,
            3,
            StandingsLayout(strip=True, css="few", frame=False),
            PaperLayout(strip=True, places=True, wide=False, dense=False),
        ),
        (
            16,
            2,
            StandingsLayout(strip=False, css="few long", frame=False),
            PaperLayout(strip=False, places=False, wide=False, dense=False),
        ),
        (
            5,
            9,
            StandingsLayout(strip=False, css="most", frame=True),
            PaperLayout(strip=False, places=False, wide=True, dense=True),
        ),
    ],
)
def test_what_there_is_room_for(rounds: int, columns: int, screen: StandingsLayout, paper: PaperLayout):
    assert (standings_layout(rounds, columns, 60), paper_layout(rounds, columns, 60)) == (screen, paper)


@pytest.mark.parametrize(("players", "css"), [(99, "few"), (100, "few hundreds")])
def test_places_of_three_digits_have_more_room(players: int, css: str):
    assert standings_layout(9, 3, players).css == css


def test_without_a_strip_the_number_of_games_is_shown(six: MadeSection, client: Client):
    six.row.tie_breaks = ["BH", "BH/C1", "BH/C2", "SB", "SB/C1", "ARO", "PS", "WIN", "WON"]
    six.row.save()
    for place in ("standings/", "print/standings/"):
        page = client.get(six.url + place).content.decode()
        assert ("Games</th>" in page, 'class="rds' in page) == (True, False), place


LIVE = 'hx-select="#standings"'


def poll(client: Client, section: MadeSection, seen: int, rest: str = "standings/") -> object:
    asked = {"seen": seen, "round": 2}
    return client.get(section.url + rest, asked, headers={"HX-Request": "true"})


def test_open_pages_ask_for_news_until_the_standings_are_final(six: MadeSection, client: Client):
    six.row.rounds = 2
    six.row.save()
    assert LIVE in client.get(f"{six.url}standings/").content.decode()
    assert LIVE not in client.get(f"{six.url}standings/1/").content.decode()
    assert poll(client, six, seen=six.row.revision).status_code == 204
    six.row.played_rounds.get(number=2).games.update(result=Result.DRAW)
    six.touch()
    answer = poll(client, six, seen=six.row.revision - 1)
    assert "Final standings" in answer.content.decode()
    assert LIVE not in answer.content.decode()


def test_an_open_page_of_the_latest_standings_goes_on_to_the_next_round(six: MadeSection, client: Client):
    six.play(3, "published", (1, 6, ""), (2, 3, ""))
    six.touch()
    assert poll(client, six, seen=0).headers["HX-Refresh"] == "true"
    assert "HX-Refresh" not in poll(client, six, seen=0, rest="standings/2/").headers


@pytest.mark.parametrize(
    ("result", "provisional"), [("", True), (Result.ADJOURNED, True), (Result.DRAW, False)]
)
def test_standings_say_everywhere_that_they_are_provisional(
    six: MadeSection, client: Client, result: str, provisional: bool
):
    """On pages, on paper, in files, in JSON and on the screen: while a game is open, and while one is adjourned."""
    six.row.played_rounds.get(number=2).games.filter(board=2).update(result=result)
    six.touch()
    found = {
        place: "Provisional" in client.get(six.url + place).content.decode()
        for place in (
            "standings/",
            "standings/2/1/",
            "crosstable/",
            "print/standings/",
            "print/sums/",
            "print/crosstable/",
            "lists/standings.csv",
            "lists/crosstable.csv",
            "screen/?show=standings",
        )
    }
    found["api"] = client.get(f"/api/v1/public/sections/{six.row.pk}/standings/").json()["provisional"]
    assert found == dict.fromkeys(found, provisional)
