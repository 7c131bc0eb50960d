"""Test the public lists as CSV files."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.web.public.conftest import MadeSection
from tests.workbooks import same_rows
from tournaments.models import Participant, Player, User
from web.page_cache import FOR_ALL

LISTS = ("pairings", "standings", "crosstable", "aro", "aro-names", "players")


def table(response: HttpResponse) -> list[list[str]]:
    """Return the rows of a file, headings first, without the last line, which says what is missing."""
    rows = csv.reader(io.StringIO(response.content.decode("utf-8-sig")), delimiter=";")
    return [row for row in rows if len(row) > 1]


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_sent_as_a_file_with_a_name_of_its_own(six: MadeSection, client: Client, name: str):
    answer = client.get(f"{six.url}lists/{name}.csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="veldhaven-a-{name}.csv"'
    assert answer.headers["Cache-Control"] == FOR_ALL


def test_each_list_is_a_workbook_with_the_same_rows(six: MadeSection, client: Client):
    for name in LISTS:
        for list_ in ("lists/", "lists/1/"):
            found = same_rows(client, f"{six.url}{list_}{name}.csv", f"{six.url}{list_}{name}.xlsx")
            assert any(isinstance(value, int) for value in found[1]), name
        assert client.get(f"{six.url}lists/{name}.xlsx").headers["Cache-Control"] == FOR_ALL, name


def test_the_file_name_of_a_list_has_its_round(six: MadeSection, client: Client):
    answer = client.get(f"{six.url}lists/1/standings.csv")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="veldhaven-a-standings-1.csv"'
    assert [row[0:3] for row in table(answer)[1:3]] == [["1", "1", "Adams, Ann"], ["2", "2", "Bauer, Bernd"]]


def test_each_page_links_to_its_list(six: MadeSection, client: Client):
    for page, file in [
        ("pairings/", "lists/2/pairings.csv"),
        ("round/1/pairings/", "lists/1/pairings.csv"),
        ("names/", "lists/2/pairings.csv"),
        ("results/1/", "lists/1/pairings.csv"),
        ("standings/", "lists/2/standings.csv"),
        ("crosstable/", "lists/crosstable.csv"),
        ("aro/1/", "lists/1/aro.csv"),
        ("aro/1/?by=name", "lists/1/aro-names.csv"),
        ("players/", "lists/players.csv"),
    ]:
        content = client.get(six.url + page).content.decode()
        assert re.findall(r'href="([^"]+\.csv)"', content) == [six.url + file], page
        assert client.get(six.url + file).status_code == 200, page
        workbook = file.replace(".csv", ".xlsx")
        assert re.findall(r'href="([^"]+\.xlsx)"', content) == [six.url + workbook], page


def test_standings_before_round_1_have_a_file_too(six: MadeSection, client: Client):
    six.row.played_rounds.all().delete()
    (file,) = re.findall(r'href="([^"]+\.csv)"', client.get(f"{six.url}standings/").content.decode())
    assert len(table(client.get(file))) == 7
    assert client.get(f"{six.url}lists/pairings.csv").status_code == 404


def test_aro_list_by_name_is_in_the_order_of_its_page(six: MadeSection, client: Client):
    by_score = table(client.get(f"{six.url}lists/2/aro.csv"))
    by_name = table(client.get(f"{six.url}lists/2/aro-names.csv"))
    assert [row[2] for row in by_name[1:]] == sorted(row[2] for row in by_score[1:])
    assert by_name[0] == by_score[0]
    assert sorted(by_name) == sorted(by_score)


def test_players_hold_only_what_their_page_shows(six: MadeSection, client: Client):
    six.players[2].status = Participant.Status.EXPELLED
    six.players[2].save()
    six.players[3].club, six.players[3].first_round = "SK Veldhaven", 2
    six.players[3].save()
    assert table(client.get(f"{six.url}lists/players.csv")) == [
        ["No", "Name", "Title", "Federation", "Rating", "Club", "From round", "Withdrawn"],
        ["1", "Adams, Ann", "GM", "ENG", "2400", "", "1", ""],
        ["3", "Costa, Carla", "", "POR", "2200", "SK Veldhaven", "2", ""],
        ["4", "Dvořák, Dušan", "FM", "CZE", "2100", "", "1", ""],
        ["5", "Eriksson, Eva", "", "SWE", "2000", "", "1", "withdrawn"],
        ["6", "Ferrari, Fabio", "", "ITA", "1900", "", "1", ""],
    ]


def test_crosstable_says_place_colour_and_result(six: MadeSection, client: Client):
    content = table(client.get(f"{six.url}lists/crosstable.csv"))
    assert content[0][4:] == ["Federation", "Rating", "Round 1", "Round 2", "Points", "ARO"]
    assert [(row[2], *row[6:9]) for row in content[1:]] == [
        ("Adams, Ann", "5w1", "2b½", "1½"),
        ("Bauer, Bernd", "6b1", "1w½", "1½"),
        ("Ferrari, Fabio", "4b½", "bye ½", "1"),
        ("Costa, Carla", "3w½", "5b", "½"),
        ("Dvořák, Dušan", "1b0", "4w", "0"),
        ("Eriksson, Eva", "2w0", "–", "0"),
    ]


@pytest.mark.parametrize(
    ("result", "white", "black"), [("+:-", "5+", "4–"), ("adj", "5wadj.", "4badj."), ("-:-", "5–", "4–")]
)
def test_crosstable_shows_no_colour_without_a_game(
    six: MadeSection, client: Client, result: str, white: str, black: str
):
    six.play(3, "published", (3, 4, result))
    content = {row[2]: row[8] for row in table(client.get(f"{six.url}lists/crosstable.csv"))}
    found = {name: content[name] for name in ("Costa, Carla", "Dvořák, Dušan")}
    assert [re.sub(r"^\d+", "", cell) for cell in found.values()] == [white[1:], black[1:]]


@pytest.mark.parametrize("name", LISTS)
def test_public_files_have_nothing_private(six: MadeSection, client: Client, name: str):
    Player.objects.update(birth_date="1987-06-05", sex="f")
    Player.objects.filter(name="Adams, Ann").update(fide_id=1503014)
    Participant.objects.update(note="pays in cash", half_bye_allowed=False)
    content = client.get(f"{six.url}lists/{name}.csv").content.decode("utf-8-sig")
    assert "Adams" in content
    assert [secret for secret in ("1987", "1503014", "cash", ";f;") if secret in content] == []


@pytest.mark.parametrize("name", LISTS)
def test_no_cell_is_a_formula(six: MadeSection, client: Client, name: str):
    Player.objects.filter(name="Adams, Ann").update(name='=HYPERLINK("http://example.org")', title="+GM")
    Participant.objects.update(club="@SUM(A1)")
    rows = table(client.get(f"{six.url}lists/{name}.csv"))
    assert any('\'=HYPERLINK("http://example.org")' in row for row in rows)
    assert [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))] == []


def test_only_the_files_of_arbiters_have_drafts(six: MadeSection, client: Client, arbiter: User):
    six.play(3, "draft", (1, 6, ""))
    assert client.get(f"{six.url}lists/3/pairings.csv").status_code == 404
    assert client.get(f"{six.url}lists/4/aro.csv").status_code == 404
    assert len(table(client.get(f"{six.url}lists/pairings.csv"))) == 4
    client.force_login(arbiter)
    assert len(table(client.get(f"{six.url}lists/3/pairings.csv"))) == 2


@pytest.mark.parametrize("file", ["lists/entries.csv", "lists/9/standings.csv", "lists/9/crosstable.csv"])
def test_a_missing_file_is_404(six: MadeSection, client: Client, file: str):
    assert client.get(six.url + file).status_code == 404


@pytest.mark.parametrize("name", ["standings", "crosstable"])
def test_the_last_line_of_a_file_says_whether_it_is_final(six: MadeSection, client: Client, name: str):
    def last_line() -> str:
        return client.get(f"{six.url}lists/{name}.csv").content.decode("utf-8-sig").splitlines()[-1]

    assert last_line() == "Provisional, 1 result missing: round 2, board 2"
    six.row.rounds = 2
    six.row.save()
    game = six.row.played_rounds.get(number=2).games.get(board=2)
    for result, line in (
        ("", "Not final, 1 result missing: round 2, board 2"),
        ("adj", "Not final, 1 adjourned game counted as a draw: round 2, board 2"),
        ("1-0", "Final standings"),
    ):
        game.result = result
        game.save()
        six.touch()
        assert last_line() == line
