"""The page of a player that shows the values of the standings as sums, and the sheet of all players."""

from __future__ import annotations

import datetime as dt
import html
import re
from itertools import pairwise, takewhile

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evenboard_engine import Result
from tests.web.public.conftest import MadeSection, crowd, new_section
from tests.web.public.tables import rows
from tournaments.models import Participant, Player, User


def with_ties(section: MadeSection, *codes: str) -> MadeSection:
    section.row.tie_breaks = list(codes)
    section.row.save()
    section.touch()
    return section


def rounds(answer: HttpResponse) -> list[list[str]]:
    """Return the rows of the values, without those that repeat the note of the row above, for phones."""
    found = list(takewhile(lambda row: row[0] != "Round without a game", rows(answer)))
    assert all(row[1:] == [above[-1]] for above, row in pairwise(found) if not row[0])
    return [row for row in found if row[0]]


def words(client: Client, address: str) -> str:
    content = client.get(address).content.decode()
    return html.unescape(" ".join(re.sub(r"<[^>]*>", " ", content.split("<main")[1]).split()))


def test_each_value_is_a_table_of_its_rounds(six: MadeSection, client: Client):
    """Ferrari drew with Costa (½ point), then had a half-point bye, which Buchholz cut 1 leaves out."""
    with_ties(six, "BH/C1", "SB", "TPN")
    answer = client.get(f"{six.url}standings/2/6/")
    found = [row[:-1] for row in rounds(answer)]
    assert found == [
        ["Rd", "Colour", "Opponent", "Points"],
        ["1", "Black", "Costa, Carla POR", "½"],
        ["2", "", "Half-point bye", "½"],
        ["Rd", "Colour", "Opponent", "Opponent’s points"],
        ["1", "Black", "Costa, Carla POR", "½"],
        ["2", "", "Half-point bye", "1"],
        ["Rd", "Colour", "Opponent", "Scored", "Opponent’s points", "Product"],
        ["1", "Black", "Costa, Carla POR", "½", "½", "¼"],
        ["2", "", "Half-point bye", "½", "1", "½"],
    ]
    notes = [row[-1] for row in rounds(answer)]
    assert [note for note in notes if "Cut" in note] == [notes[5]]
    assert re.findall("<s>(.*?)</s>", answer.content.decode()) == ["1"]
    page = words(client, f"{six.url}standings/2/6/")
    assert "Place 3 of 6, 1 point. Standings during round 2. One result is missing: board 2." in page
    assert "Buchholz cut 1 ½" in page
    assert "Sonneborn-Berger ¾" in page


def test_an_open_game_is_in_no_sum(six: MadeSection, client: Client):
    with_ties(six, "BH")
    assert rounds(client.get(f"{six.url}standings/2/3/"))[-2:] == [
        ["1", "White", "Ferrari, Fabio ITA", "1", ""],
        [
            "2",
            "",
            "Dvořák, Dušan FM CZE No result yet",
            "–",
            "It does not count yet, because the game has no result.",
        ],
    ]


def test_an_adjourned_game_has_a_note(six: MadeSection, client: Client):
    with_ties(six, "BH", "WIN")
    six.row.played_rounds.get(number=2).games.filter(board=2).update(result=Result.ADJOURNED)
    for tpn in (3, 4):
        for row in rounds(client.get(f"{six.url}standings/2/{tpn}/")):
            noted = row[-1].startswith("Adjourned: the game counts as a draw until its result is known.")
            assert noted == (row[0] == "2"), (tpn, row)


def test_the_neighbours_and_what_separates_them(six: MadeSection, client: Client):
    with_ties(six, "BH/C1", "ARO")
    page = client.get(f"{six.url}standings/2/6/").content.decode()
    found = re.findall(r'<span class="num">(\d+)</span>\s*<a href="([^"]*)">([^<]*)</a>', page)
    assert [(place, address) for place, address, _words in found] == [
        ("1", f"{six.url}standings/2/2/"),
        ("4", f"{six.url}standings/2/3/"),
    ]
    assert found[0][2] == "Behind Bauer, Bernd by points: 1 against 1½."
    first = client.get(f"{six.url}standings/2/1/").content.decode()
    assert "Level with Bauer, Bernd in points, Buchholz cut 1 and ARO." in first


def test_values_lead_to_their_table_and_opponents_to_theirs(six: MadeSection, client: Client):
    with_ties(six, "BH/C1", "ARO", "TPN")
    page = client.get(f"{six.url}standings/").content.decode()
    row = page.split("Ferrari, Fabio")[1].split("</tr>")[0]
    base = f"{six.url}standings/2/6/"
    assert re.findall(r'href="([^"]*)"', row) == [f"{base}#t0", f"{base}#t1", f"{base}#t2"]
    sums = client.get(base).content.decode()
    assert re.findall('id="(t[0-9]+)"', sums) == ["t0", "t1", "t2", "t3"]
    assert f'href="{six.url}standings/2/3/"' in sums
    assert f'href="{base}"' in client.get(f"{six.url}players/6/").content.decode()


def test_averaged_values_of_opponents_lead_to_their_table_or_have_their_sums(
    six: MadeSection, client: Client
):
    """Ferrari met only Costa, who has no other game with a result."""
    with_ties(six, "AOB", "WIN", "BH")
    sums = client.get(f"{six.url}standings/2/6/").content.decode()
    assert re.findall(r'href="([^"]*#t[^"]*)"', sums) == [
        f"{six.url}standings/2/3/{at}" for at in ("#t3", "#t3", "#t0", "#t0")
    ]
    with_ties(six, "AOB", "APRO")
    page = client.get(f"{six.url}standings/2/6/").content.decode()
    assert "#t" not in page
    assert "FIDE’s table has a difference of" in page


@pytest.mark.parametrize(
    ("code", "at"), [("BH", "#t0"), ("FB/C1", "#t0"), ("SB", "#t0"), ("KS", "#t0"), ("WIN", ""), ("ARO", "")]
)
def test_the_name_of_an_opponent_leads_to_the_sum_that_counts(
    six: MadeSection, client: Client, code: str, at: str
):
    with_ties(six, code)
    page = client.get(f"{six.url}standings/2/6/").content.decode().split('id="t1"')[1]
    assert re.findall(r'<a href="([^"]*)">Costa', page) == [f"{six.url}standings/2/3/{at}"]


SCHEDULED, DRAWS = "the points of the opponent of the pairing", "a draw in every round"
AS_GIVEN = "with the points that it gave"


@pytest.mark.parametrize(
    ("day", "edition", "head", "limits"),
    [
        (1, "edition of 1 March 2026", "at most", [DRAWS, SCHEDULED, DRAWS, DRAWS, SCHEDULED]),
        (-1, "edition before 1 March 2026", "", ["the player’s own points"] * 5),
    ],
)
def test_the_page_has_the_table_of_rounds_without_a_game(
    six: MadeSection, client: Client, day: int, edition: str, head: str, limits: list[str]
):
    """C.07, 16.2 to 16.5. Until February 2026 the dummy opponent had the player's points without a limit."""
    with_ties(six, "BH/C1")
    start = dt.date(2026, 3, 1) + dt.timedelta(days=min(day, 0))
    type(six.row.event).objects.update(start=start, end=start + dt.timedelta(days=8))
    page = client.get(f"{six.url}standings/2/6/")
    heads, *found = rows(page)[-6:]
    assert heads[1] == f"Dummy opponent has {head}".strip()
    assert [row[1] for row in found] == limits
    assert [row[2] for row in found] == [AS_GIVEN, AS_GIVEN, AS_GIVEN, "as a draw", AS_GIVEN]
    assert [row[3] for row in found] == ["no", "no", "yes", "yes", "yes"]
    assert edition in page.content.decode()


@pytest.mark.parametrize(("code", "system"), [("ARO", "dubov"), ("SB", "round-robin")])
def test_the_table_of_rounds_without_a_game_is_there_only_if_it_counts(
    six: MadeSection, client: Client, code: str, system: str
):
    six.row.system = system
    with_ties(six, code)
    assert "unplayed" not in client.get(f"{six.url}standings/2/6/").content.decode()


def test_standings_before_round_1_have_no_sums(six: MadeSection, client: Client):
    six.row.played_rounds.all().delete()
    assert "#t0" not in client.get(f"{six.url}standings/").content.decode()
    for place in ("standings/0/1/", "print/sums/", "print/sums/0/"):
        assert client.get(six.url + place).status_code == 404, place


def test_nobody_sees_the_sums_of_a_draft_or_of_a_player_without_a_place(
    six: MadeSection, client: Client, arbiter: User
):
    six.play(3, "draft", (1, 6, Result.WHITE_WINS))
    six.players[5].status = Participant.Status.EXPELLED
    six.players[5].save()
    six.touch()
    missing = ("standings/3/1/", "standings/9/1/", "standings/2/5/", "standings/2/77/", "print/sums/3/")
    for visitor in ("nobody", "arbiter"):
        assert [client.get(six.url + place).status_code for place in missing] == [404] * 5, visitor
        assert client.get(f"{six.url}standings/2/1/").status_code == 200
        client.force_login(arbiter)
    card = client.get(f"{six.url}players/1/").content.decode()
    assert "as sums" not in card  # the arbiter’s card counts the draft


@pytest.mark.django_db
def test_sums_of_a_private_event_are_for_its_people(client: Client):
    private = new_section(state="draft", slug="private")
    for tpn in (1, 2):
        private.enter(tpn, f"Player {tpn}", 2000)
    private.play(1, "published", (1, 2, Result.DRAW))
    assert [client.get(private.url + place).status_code for place in ("standings/1/1/", "print/sums/")] == [
        404
    ] * 2


def test_a_hostile_name_is_text(six: MadeSection, client: Client):
    Player.objects.filter(pk=six.players[3].player_id).update(name="<script>x</script>", title="<b>")
    with_ties(six, "BH", "DE")
    for place in ("standings/2/6/", "standings/2/3/", "standings/", "print/sums/"):
        page = client.get(six.url + place).content.decode()
        assert ("<script>x" in page, "&lt;script&gt;x" in page) == (False, True), place


def test_the_sheet_has_a_line_for_each_value_and_a_cell_for_each_round(six: MadeSection, client: Client):
    with_ties(six, "BH/C1", "SB", "DE", "TPN")
    page = client.get(f"{six.url}print/sums/")
    found = rows(page)
    assert found[1] == ["Tie-break", "1", "2", "Value"]
    at = next(number for number, row in enumerate(found) if "Ferrari" in row[0])
    assert found[at : at + 3] == [
        ["3 Ferrari, Fabio ITA 1 point", "½ 4", "½", ""],
        ["Buchholz cut 1", "½", "(1)", "½"],
        ["Sonneborn-Berger", "¼", "(½)", "¾"],
    ]
    assert "One result is missing: board 2." in page.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("place", ["standings/3/1/", "print/sums/"])
def test_queries_do_not_grow_with_the_field(client: Client, place: str):
    counts = []
    for size in (6, 20):
        section = crowd(size)
        client.get("/")  # what is read once
        with CaptureQueriesContext(connection) as queries:
            assert client.get(section.url + place).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 9
