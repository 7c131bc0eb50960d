from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from evenboard_engine import Result
from tests.web.public.conftest import MadeSection
from tests.web.public.tables import rows
from tournaments.models import ActionLog, Game, Participant, Round, Section, User
from tournaments.queries.standings import standings_table


def heading(content: str) -> str:
    return content.split("<h1>")[1].split("</h1>")[0]


def test_standings_are_by_points_then_aro_then_number(six: MadeSection, client: Client):
    response = client.get(f"{six.url}standings/1/")
    assert heading(response.content.decode()) == "Standings after round 1"
    assert rows(response)[1:] == [
        ["1", "Adams, Ann GM", "ENG", "2400", "1 5", "1", "2100", "1"],
        ["2", "Bauer, Bernd IM", "GER", "2300", "1 6", "1", "2000", "2"],
        ["3", "Ferrari, Fabio", "ITA", "1900", "½ 4", "½", "2200", "6"],
        ["4", "Costa, Carla", "POR", "2200", "½ 3", "½", "1900", "3"],
        ["5", "Dvořák, Dušan FM", "CZE", "2100", "0 1", "0", "2400", "4"],
        ["6", "Eriksson, Eva withdrawn", "SWE", "2000", "0 2", "0", "2300", "5"],
    ]


def test_standings_during_a_round_count_the_results_so_far(six: MadeSection, client: Client):
    response = client.get(f"{six.url}standings/")
    content = " ".join(response.content.decode().split())
    assert heading(content) == "Standings during round 2"
    assert "One result is missing: board 2." in content
    assert [(row[1], row[5], row[6]) for row in rows(response)[1:4]] == [
        ("Adams, Ann GM", "1½", "2200"),
        ("Bauer, Bernd IM", "1½", "2200"),
        ("Ferrari, Fabio", "1", "2200"),
    ]


def test_standings_are_final_only_without_open_and_adjourned_games(six: MadeSection, client: Client):
    final = '<span class="pill ok">Final</span>'
    six.row.rounds = 2
    six.row.save()
    assert final not in client.get(f"{six.url}standings/").content.decode()
    game = six.row.played_rounds.get(number=2).games.get(board=2)
    for result, expected in ((Result.ADJOURNED, False), (Result.DRAW, True)):
        game.result = result
        game.save()
        six.touch()
        assert (final in client.get(f"{six.url}standings/").content.decode()) is expected
    assert final not in client.get(f"{six.url}standings/1/").content.decode()


def test_an_adjourned_game_after_the_last_round_is_named_with_all_standings(six: MadeSection, client: Client):
    """VCL4THP.13 Q161: no list is called final while a result is open. When the result is in, every list is final."""
    six.row.rounds = 2
    six.row.save()
    game = six.row.played_rounds.get(number=2).games.get(board=2)
    note = "One adjourned game counts as a draw: round 2, board 2."
    places = ("standings/", "crosstable/", "print/standings/", "print/crosstable/")
    for result, expected in ((Result.ADJOURNED, True), (Result.DRAW, False)):
        game.result = result
        game.save()
        six.touch()
        for place in places:
            content = client.get(six.url + place).content.decode()
            assert (note in content, "Not final" in content) == (expected, expected), place
            if place.startswith("print/"):
                assert (f"Not final. {note}" in content) is expected, place
            assert ("Final standings" in content or "Final crosstable" in content) is not expected, place
        screen = client.get(f"{six.url}screen/?show=standings").content.decode()
        assert ("Standings after round 2, not final: 1 game adjourned" in screen) is expected
        assert ("Final standings" in screen) is not expected


def test_paper_says_when_it_was_made_and_what_is_missing(
    six: MadeSection, client: Client, monkeypatch: pytest.MonkeyPatch
):
    """Everybody gets the sheet that was made once after the last change, so it has the time of this change.

    A list of ARO that nobody has published is not on paper.
    """
    six.play(3, "published", (1, 6, ""), (2, 3, ""))
    six.row.event.time_zone = "Europe/Amsterdam"
    six.row.event.save()
    section, at = six.row, datetime(2026, 11, 22, 9, 5, tzinfo=UTC)
    ActionLog.objects.create(event=section.event, section=section, at=at, who="Ada", action="record_result")
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2026, 11, 22, 11, 30, tzinfo=UTC))
    note = "3 results are missing: round 2, board 2; round 3, boards 1, 2."
    assert client.get(f"{six.url}print/aro/4/").status_code == 404
    for document in ("standings", "crosstable"):
        content = " ".join(client.get(f"{six.url}print/{document}/").content.decode().split())
        assert "As of 22 Nov 2026, 10:05 (Europe/Amsterdam)." in content, document
        assert note in content, document


@pytest.mark.parametrize("document", ["starting-list", "check-in"])
def test_lists_of_players_on_paper_say_when_they_were_made(
    six: MadeSection, client: Client, arbiter: User, monkeypatch: pytest.MonkeyPatch, document: str
):
    client.force_login(arbiter)
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2026, 11, 22, 9, 5, tzinfo=UTC))
    six.row.event.time_zone = "Europe/Amsterdam"
    six.row.event.save()
    content = client.get(f"{six.url}print/{document}/").content.decode()
    assert "As of 22 Nov 2026, 10:05 (Europe/Amsterdam)." in content


def test_standings_before_round_1_are_the_ranking(six: MadeSection, client: Client):
    six.row.played_rounds.all().delete()
    response = client.get(f"{six.url}standings/")
    assert heading(response.content.decode()) == "Standings"
    assert [row[7] for row in rows(response)[1:]] == ["1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize("system", ["dubov", "round-robin"])
def test_nobody_has_a_place_before_the_first_result(six: MadeSection, client: Client, system: str):
    """The list is the starting list on pages, screens, paper, in files and the API, also while round 1 is played."""
    six.row.played_rounds.filter(number=2).delete()
    Game.objects.filter(round__section=six.row).update(result="", entered_at=None)
    six.row.played_rounds.update(state="published")
    Section.objects.filter(pk=six.row.pk).update(system=system)
    table = standings_table(Section.objects.get(pk=six.row.pk))
    listed = [1, 2, 3, 4, 5, 6] if system == "dubov" else [1, 2, 3, 4, 6]  # 5 left before half of the games
    assert ([row.tpn for row in table.rows], table.places) == (listed, {})
    for page in ("standings/", "crosstable/", "embed/standings/", "print/standings/", "print/crosstable/"):
        names = [row for row in rows(client.get(six.url + page)) if row[1:] and row[1].startswith("Adams")]
        assert names, page
        assert all(row[0] == ("1" if system != "dubov" and "cross" in page else "") for row in names), page
    assert "<dt>Place</dt>" not in client.get(f"{six.url}players/1/").content.decode()
    assert "None" not in client.get(f"{six.url}screen/?show=standings").content.decode().partition("<main")[2]
    assert "\r\n;1;Adams" in client.get(f"{six.url}lists/standings.csv").content.decode()
    public = client.get(reverse("api:v1:public-standings", args=[six.row.pk])).json()
    assert {row["place"] for row in public["results"]} == {None}
    assert client.get(f"{six.url}standings/1/1/").status_code == 404
    first = Game.objects.filter(round__section=six.row).first()
    assert first
    first.result = "1-0"
    first.save()
    assert standings_table(Section.objects.get(pk=six.row.pk)).places[first.white_id] == 1


@pytest.mark.parametrize("address", ["standings/3/", "aro/4/", "aro/0/"])
def test_a_list_about_a_future_round_is_404(six: MadeSection, client: Client, address: str):
    assert client.get(six.url + address).status_code == 404


def test_aro_list_is_by_score_group_and_ascending_aro(six: MadeSection, client: Client):
    content = rows(client.get(f"{six.url}aro/2/"))
    assert [row[0] for row in content if len(row) == 1] == [
        "1 point2 players, ARO 2000 to 2100, 1 due White, 1 due Black",
        "½ point2 players, ARO 1900 to 2200, 1 due White, 1 due Black",
        "0 pointsOne player, ARO 2400, due White",
    ]
    assert [(row[0], row[6], row[8].replace(",", " ").split()) for row in content[1:] if len(row) > 2] == [
        ("2", "2000", ["White", "strong"]),
        ("1", "2100", ["Black", "strong"]),
        ("3", "1900", ["Black", "strong"]),
        ("6", "2200", ["White", "strong"]),
        ("5", "2300", ["Black", "strong"]),
        ("4", "2400", ["White", "strong"]),
    ]


def test_aro_list_after_the_last_round_says_no_colour_that_is_due(six: MadeSection, client: Client):
    """On the page and on paper. A score group of withdrawn players has no active player."""
    for address in ("aro/2/", "print/aro/2/", "print/aro-names/2/"):
        assert re.search(r">\s*Due", client.get(six.url + address).content.decode()), address
    six.play(3, Round.State.FINISHED, (1, 6, Result.WHITE_WINS), (2, 3, Result.DRAW))
    six.row.played_rounds.get(number=2).games.filter(result="").update(result=Result.DRAW)
    six.row.rounds = 3
    six.row.save()
    six.players[4].status = Participant.Status.WITHDRAWN
    six.players[4].save()
    for address in ("aro/4/", "print/aro/4/", "print/aro-names/4/"):
        content = client.get(six.url + address).content.decode()
        assert (
            re.findall(r"[^>]*\b[Dd]ue\b[^<]*", content.partition("<table")[2].rpartition("</table>")[0])
            == []
        ), address
        widths = {
            len(re.findall("<t[hd]", row)) for row in re.findall(r"<tr(?! class).*?</tr>", content, re.DOTALL)
        }
        assert max(widths) == 10, address
    assert "would be due White, above the line" in client.get(f"{six.url}aro/4/").content.decode()
    for address in ("aro/4/", "print/aro/4/"):
        bands = [row[0] for row in rows(client.get(six.url + address))]
        assert "0 pointsNo active player" in bands, address
        assert "0 players" not in " ".join(bands), address


@pytest.mark.parametrize(
    ("query", "current"), [("", "By score"), ("?by=name", "By name"), ("?by=rank", "By rank")]
)
def test_aro_list_offers_its_orders(six: MadeSection, client: Client, query: str, current: str):
    content = client.get(f"{six.url}aro/2/{query}").content.decode()
    links = re.findall(r'<a class="btn"\s+href="([^"]+)"( aria-current="true")?>(By \w+)</a>', content)
    assert [(href, words) for href, _, words in links] == [
        (f"{six.url}aro/2/", "By score"),
        ("?by=name", "By name"),
        ("?by=rank", "By rank"),
    ]
    assert [words for _, mark, words in links if mark] == [current]


def test_aro_list_by_name(six: MadeSection, client: Client):
    response = client.get(f"{six.url}aro/2/", {"by": "name"})
    content = response.content.decode()
    assert [(row[0], row[1], row[4], row[6]) for row in rows(response)[1:] if len(row) > 2] == [
        ("1", "Adams, Ann GM", "1", "2100"),
        ("2", "Bauer, Bernd IM", "1", "2000"),
        ("3", "Costa, Carla", "½", "1900"),
        ("4", "Dvořák, Dušan FM", "0", "2400"),
        ("5", "Eriksson, Eva withdrawn", "0", "2300"),
        ("6", "Ferrari, Fabio", "½", "2200"),
    ]
    assert f'href="{six.url}print/aro-names/2/"' in content
    assert "In each score group the players due White are paired in this order" not in content
    assert '<input type="hidden" name="by" value="name">' in content
    found = rows(client.get(f"{six.url}aro/2/", {"by": "name", "q": "ferr"}))
    assert [row[0] for row in found] == ["TPN", "6", ""]
    assert len(rows(client.get(f"{six.url}aro/2/", {"by": "nonsense"}))) == 16


@pytest.mark.parametrize(("rounds", "times"), [(2, 1), (1, 0)])
def test_aro_list_says_how_it_is_used_until_the_last_round_is_paired(
    six: MadeSection, client: Client, rounds: int, times: int
):
    six.row.rounds = rounds
    six.row.save()
    content = client.get(f"{six.url}aro/2/").content.decode()
    assert content.count("In each score group the players due White are paired in this order") == times


def test_aro_list_without_a_number_is_that_of_the_running_round(six: MadeSection, client: Client):
    assert heading(client.get(f"{six.url}aro/").content.decode()) == "ARO list before round 2"


def test_aro_list_says_colours_and_upfloats(six: MadeSection, client: Client):
    game = six.row.played_rounds.get(number=2).games.get(board=2)
    game.result = Result.WHITE_WINS
    game.save()
    response = client.get(f"{six.url}aro/")
    content = response.content.decode()
    assert heading(content) == "ARO list before round 3"
    by_number = {row[0]: row for row in rows(response)[1:] if len(row) > 1}
    assert by_number["4"][9] == "1 (round 2)"
    assert by_number["3"][9] == ""
    assert 'role="img" aria-label="Black, White"' in content
    assert 'role="img" aria-label="Black, not played"' in content
    assert '<svg class="spread"' in content


def test_crosstable_shows_opponents_by_rank(six: MadeSection, client: Client):
    response = client.get(f"{six.url}crosstable/")
    content = rows(response)
    assert content[0] == ["Pl", "Name", "Round 1", "Round 2", "Points", "ARO"]
    assert [row[0] + " " + row[1] for row in content[1:]] == [
        "1 Adams, Ann GM",
        "2 Bauer, Bernd IM",
        "3 Ferrari, Fabio",
        "4 Costa, Carla",
        "5 Dvořák, Dušan FM",
        "6 Eriksson, Eva withdrawn",
    ]
    assert content[1][2:] == [
        "51White against Dvořák, Dušan: White wins",
        "2½Black against Bauer, Bernd: Draw",
        "1½",
        "2200",
    ]
    assert content[3][3] == "bye ½half-point bye"
    assert content[5][3] == "4·White against Costa, Carla: no result"
    assert content[6][3] == "–not paired"


def test_players_are_by_number_name_or_rating(six: MadeSection, client: Client):
    six.players[3].rating = 2450
    six.players[3].save()
    orders = {
        by: rows(client.get(f"{six.url}players/", {"by": by})) for by in ("", "name", "rating", "nonsense")
    }
    assert [row[0] for row in orders[""][1:]] == ["1", "2", "3", "4", "5", "6"]
    assert orders["nonsense"] == orders[""]
    assert [row[0] for row in orders["rating"][1:]] == ["3", "1", "2", "4", "5", "6"]
    assert orders["name"][5] == ["5", "Eriksson, Eva withdrawn", "SWE", "2000", ""]


def test_players_leave_out_expelled_players(six: MadeSection, client: Client):
    six.players[2].status = Participant.Status.EXPELLED
    six.players[2].save()
    assert "Bauer" not in client.get(f"{six.url}players/").content.decode()


def test_lists_of_an_empty_section(six: MadeSection, client: Client):
    Round.objects.all().delete()
    Participant.objects.all().delete()
    addresses = ("pairings/", "names/", "standings/", "aro/", "crosstable/", "players/")
    assert [client.get(six.url + address).status_code for address in addresses] == [200] * 6


def test_lists_do_not_count_a_draft(six: MadeSection, client: Client):
    pages = ("standings/", "crosstable/", "aro/", "players/", "players/1/", "pairings/")
    before = [client.get(six.url + page).content for page in pages]
    six.play(3, "draft", (1, 6, Result.WHITE_WINS))
    assert [client.get(six.url + page).content for page in pages] == before


def test_standings_show_the_list_of_the_section(six: MadeSection, client: Client):
    six.row.tie_breaks = ["BH/C1", "SB", "DE"]
    six.row.save()
    page = client.get(f"{six.url}standings/").content.decode()
    assert "By points, Buchholz cut 1, Sonneborn-Berger and direct encounter." in page
    heads = ["Buchholz cut 1", "Sonneborn-Berger", "Direct encounter"]
    assert re.findall(r'<abbr title="([^"]+)">(?:BH/C1|SB|DE)<', page) == heads
    assert re.findall(r'<td class="(pts[^"]*)">', page)[:3] == ["pts", "pts", "pts later"]


def test_standings_say_that_players_share_a_place(six: MadeSection, client: Client):
    six.row.tie_breaks = ["BH/C1", "DE"]
    six.row.save()
    page = client.get(f"{six.url}standings/").content.decode()
    assert "Players who are level in all of these share the place." in page
