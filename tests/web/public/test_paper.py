from __future__ import annotations

import re

import pytest
import zxingcpp
from django.test import Client, override_settings

from tests.web.public.conftest import MadeSection
from tests.web.public.tables import rows
from tournaments.models import Bye, Participant, Player, User
from web.qr import qr_svg
from web.views.public.paper import LARGE_BOARD, LARGE_NAME, cutting_order, large_type

DOCUMENTS = (
    "boards",
    "boards-large",
    "names",
    "names-large",
    "starting-list",
    "aro",
    "aro-names",
    "standings",
    "crosstable",
)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_documents_have_the_head_of_the_event(six: MadeSection, client: Client, document: str):
    response = client.get(f"{six.url}print/{document}/")
    content = response.content.decode()
    assert response.status_code == 200
    assert "<h1>Veldhaven Open</h1><p>Section A." in content
    assert 'class="paper"' in content


def test_only_paper_waits_for_the_styles_of_paper(six: MadeSection, client: Client):
    """A browser shows a page before it has the styles of another medium."""
    style = re.compile(r'href="/static/css/print(?:\.\w+)?\.css"( media="print")? ?>')
    media = {
        path: style.findall(client.get(six.url + path).content.decode())
        for path in ("pairings/", "players/1/", "print/boards/")
    }
    assert media == {"pairings/": [' media="print"'], "players/1/": [' media="print"'], "print/boards/": [""]}


def test_board_list_has_room_for_results_and_ends_with_byes(six: MadeSection, client: Client):
    content = rows(client.get(f"{six.url}print/boards/"))
    assert content[2:] == [
        ["1", "Bauer, Bernd IM GER", "2300", "1", "½–½", "Adams, Ann GM ENG", "2400", "1"],
        ["2", "Dvořák, Dušan FM CZE", "2100", "0", "", "Costa, Carla POR", "2200", "½"],
        ["–", "Ferrari, Fabio ITA", "1900", "½", "", "half-point bye"],
    ]


def test_name_list_has_only_board_and_colour(six: MadeSection, client: Client):
    content = rows(client.get(f"{six.url}print/names/2/"))
    assert content[-5:] == [
        ["Adams, Ann ENG", "1", "Black"],
        ["Bauer, Bernd GER", "1", "White"],
        ["Costa, Carla POR", "2", "Black"],
        ["Dvořák, Dušan CZE", "2", "White"],
        ["Ferrari, Fabio ITA", "–", "bye ½"],
    ]


def test_documents_of_a_draft_are_only_for_arbiters_and_say_draft(
    six: MadeSection, client: Client, arbiter: User
):
    six.play(3, "draft", (1, 6, ""))
    assert client.get(f"{six.url}print/boards/3/").status_code == 404
    assert "Round 2" in client.get(f"{six.url}print/boards/").content.decode()
    client.force_login(arbiter)
    for document in ("boards", "names", "slips"):
        content = client.get(f"{six.url}print/{document}/3/").content.decode()
        assert "draft" in content.lower()
    assert "DRAFT, not published" in client.get(f"{six.url}print/boards/").content.decode()


def test_slips_are_only_for_arbiters(six: MadeSection, client: Client, arbiter: User):
    answer = client.get(f"{six.url}print/slips/2/")
    assert (answer.status_code, answer.headers["Location"].split("?")[0]) == (302, "/login/")
    client.force_login(User.objects.create_user("stranger"))
    assert client.get(f"{six.url}print/slips/2/").status_code == 403
    client.force_login(arbiter)
    content = client.get(f"{six.url}print/slips/2/").content.decode()
    assert content.count('<section class="slip">') == 8
    assert content.count("White signs") == 2


@pytest.mark.parametrize(
    ("document", "path"), [("wall", "/veldhaven/a/pairings/"), ("wall-event", "/veldhaven/")]
)
def test_a_code_for_the_wall_opens_the_public_pages(
    six: MadeSection, client: Client, arbiter: User, document: str, path: str
):
    client.force_login(arbiter)
    content = client.get(f"{six.url}print/{document}/").content.decode()
    printed = re.sub("</?span>", "", content)
    assert f'<p class="address">http://testserver{path}</p>' in printed
    assert "<span>veldhaven/</span>" in content, "a line of the address ends after a slash, never at a hyphen"
    assert qr_svg(f"http://testserver{path}") in content
    alone = client.get(f"{six.url}print/{document}/", headers={"Host": "localhost"}).content.decode()
    assert '<svg class="qr"' not in alone
    assert "Phones cannot reach this address" in alone
    assert f"/print/{document}/" in client.get(f"{six.url}documents/").content.decode()


def test_drafts_on_slips_and_cards_are_marked_on_each(six: MadeSection, client: Client, arbiter: User):
    six.play(3, "draft", (1, 6, ""), (2, 3, ""))
    client.force_login(arbiter)
    slips = client.get(f"{six.url}print/slips/3/").content.decode()
    cards = client.get(f"{six.url}print/cards/3/").content.decode()
    assert (slips.count(">DRAFT<"), cards.count(">DRAFT<")) == (2, 8)
    assert "DRAFT" not in client.get(f"{six.url}print/slips/2/").content.decode()


def codes(content: str) -> list[str]:
    """Return the text that an independent reader finds in each QR code of a page, pixel by pixel."""
    read = []
    for drawn in re.findall(r'<svg[^>]*class="qr"[^>]*>.*?</svg>', content):
        size = int(re.search(r'viewBox="0 0 (\d+) ', drawn)[1])
        image = bytearray(b"\xff" * (size * size))
        x = y = 0.0
        for command, values in re.findall(r"([MmhH])([-\d. ]*)", re.search(r' d="([^"]+)"', drawn)[1]):
            numbers = [float(value) for value in re.findall(r"-?[\d.]+", values)]
            if command == "M":
                x, y = numbers
            elif command == "m":
                x, y = x + numbers[0], y + numbers[1]
            else:
                for pixel in range(int(x), int(x + numbers[0])):
                    image[int(y) * size + pixel] = 0
                x += numbers[0]
        larger = b"".join(
            bytes(image[row * size + column // 4] for column in range(4 * size))
            for row in range(size)
            for _ in range(4)
        )
        (found,) = zxingcpp.read_barcodes(memoryview(larger).cast("B", (4 * size, 4 * size)))
        read.append(found.text)
    return read


def test_the_code_of_a_slip_leads_to_its_board(six: MadeSection, client: Client, arbiter: User):
    client.force_login(arbiter)
    here = client.get(f"{six.url}print/slips/2/", headers={"Host": "localhost:8000"}).content.decode()
    assert codes(here) == [f"http://localhost:8000{six.url}round/2/board/{board}/" for board in (1, 2)]
    assert "Phones cannot open these codes" in here
    with override_settings(PUBLIC_URL="https://chess.example"):
        public = client.get(f"{six.url}print/slips/2/").content.decode()
    assert codes(public) == [f"https://chess.example{six.url}round/2/board/{board}/" for board in (1, 2)]
    assert "Phones cannot open these codes" not in public


def test_slips_have_no_inline_style(six: MadeSection, client: Client, arbiter: User):
    client.force_login(arbiter)
    assert "style=" not in client.get(f"{six.url}print/slips/2/").content.decode()


def test_large_lists_have_board_and_colour(six: MadeSection, client: Client):
    assert rows(client.get(f"{six.url}print/names-large/2/"))[-5:] == [
        ["Adams, Ann", "1", "Black"],
        ["Bauer, Bernd", "1", "White"],
        ["Costa, Carla", "2", "Black"],
        ["Dvořák, Dušan", "2", "White"],
        ["Ferrari, Fabio", "–", "bye ½"],
    ]
    assert rows(client.get(f"{six.url}print/boards-large/2/"))[-3:] == [
        ["1", "Bauer, Bernd Adams, Ann"],
        ["2", "Dvořák, Dušan Costa, Carla"],
        ["–", "Ferrari, Fabio half-point bye"],
    ]


@pytest.mark.parametrize(
    ("document", "query", "large", "links"),
    [
        ("standings", "", False, ["?paper=large"]),
        ("standings", "?paper=large", True, ["?"]),
        ("aro", "?paper=large", True, ["?"]),
        ("boards-large", "?paper=large", False, []),
    ],
)
def test_every_list_can_be_printed_in_large_print(
    six: MadeSection, client: Client, document: str, query: str, large: bool, links: list[str]
):
    content = client.get(f"{six.url}print/{document}/{query}").content.decode()
    assert ('<body class="paper large-print"' in " ".join(content.split())) == large
    assert re.findall(r'class="btn" href="(\?[^"]*)"', content) == links


@pytest.mark.parametrize(("query", "large"), [("", False), ("?paper=a3", True), ("?paper=a0", False)])
def test_large_lists_are_for_a4_or_a3(six: MadeSection, client: Client, query: str, large: bool):
    content = client.get(f"{six.url}print/names-large/2/{query}").content.decode()
    assert ('class="a4 a3"' in content) == large


def test_cards_are_only_for_arbiters_and_name_each_player_twice(
    six: MadeSection, client: Client, arbiter: User
):
    assert client.get(f"{six.url}print/cards/").status_code == 302
    client.force_login(arbiter)
    everybody = client.get(f"{six.url}print/cards/").content.decode()
    assert (everybody.count("Adams, Ann"), everybody.count("Eriksson")) == (2, 0)
    assert everybody.index("Adams") < everybody.index("Ferrari")
    of_round = client.get(f"{six.url}print/cards/2/").content.decode()
    assert of_round.count("Board 1 ") == 4
    assert "Ferrari" not in of_round


def test_starting_list_is_in_the_order_of_the_pairing_numbers(six: MadeSection, client: Client):
    six.players[3].club, six.players[3].first_round = "SK Veldhaven", 3
    six.players[3].save()
    six.players[4].status = Participant.Status.EXPELLED
    six.players[4].save()
    Player.objects.filter(name="Adams, Ann").update(fide_id=1503014, birth_date="1987-06-05")
    response = client.get(f"{six.url}print/starting-list/")
    assert rows(response)[1:] == [
        ["TPN", "Name", "Title", "Fed", "Rating", "Club"],
        ["1", "Adams, Ann", "GM", "ENG", "2400", ""],
        ["2", "Bauer, Bernd", "IM", "GER", "2300", ""],
        ["3", "Costa, Carla from round 3", "", "POR", "2200", "SK Veldhaven"],
        ["5", "Eriksson, Eva withdrawn", "", "SWE", "2000", ""],
        ["6", "Ferrari, Fabio", "", "ITA", "1900", ""],
    ]
    content = response.content.decode()
    assert "Starting list in order of the pairing numbers" in content
    assert '<p class="rd">5 players</p>' in content
    assert [secret for secret in ("1987", "1503014") if secret in content] == []


def test_check_in_list_is_by_name_with_a_box_for_each_and_marks_byes(
    six: MadeSection, client: Client, arbiter: User
):
    six.row.played_rounds.all().delete()
    Bye.objects.update(round_number=1)
    client.force_login(arbiter)
    response = client.get(f"{six.url}print/check-in/")
    assert [row for row in rows(response) if len(row) == 4] == [
        ["Present", "Name", "Fed", "Rating"],
        ["", "Adams, Ann GM", "ENG", "2400"],
        ["", "Bauer, Bernd IM", "GER", "2300"],
        ["", "Costa, Carla", "POR", "2200"],
        ["", "Dvořák, Dušan FM", "CZE", "2100"],
        ["", "Ferrari, Fabio half-point bye", "ITA", "1900"],
    ]
    content = response.content.decode()
    assert "Check-in by name, 4 players expected, one with a bye" in content
    assert (content.count('class="box"'), content.count('class="box bye"')) == (4, 1)


def test_check_in_list_is_for_the_next_round_to_pair(six: MadeSection, client: Client, arbiter: User):
    Bye.objects.update(round_number=3)
    assert client.get(f"{six.url}print/check-in/").status_code == 302
    client.force_login(arbiter)
    content = client.get(f"{six.url}print/check-in/").content.decode()
    assert '<p class="rd">Round 3</p>' in content
    assert content.count("half-point bye") == 1
    assert "half-point bye" not in client.get(f"{six.url}print/check-in/4/").content.decode()
    assert client.get(f"{six.url}print/check-in/6/").status_code == 404
    six.row.rounds = 2
    six.row.save()
    assert client.get(f"{six.url}print/check-in/").status_code == 404


def test_aro_list_on_paper_by_name(six: MadeSection, client: Client):
    content = rows(client.get(f"{six.url}print/aro-names/2/"))
    assert [(row[0], row[1], row[5], row[6]) for row in content[2:] if len(row) > 2] == [
        ("1", "Adams, Ann GM", "1", "2100"),
        ("2", "Bauer, Bernd IM", "1", "2000"),
        ("3", "Costa, Carla", "½", "1900"),
        ("4", "Dvořák, Dušan FM", "0", "2400"),
        ("5", "Eriksson, Eva withdrawn", "0", "2300"),
        ("6", "Ferrari, Fabio", "½", "2200"),
    ]


def test_missing_documents_are_404(six: MadeSection, client: Client):
    addresses = (
        "print/anything/",
        "print/boards/7/",
        "print/standings/9/",
        "print/aro/9/",
        "print/crosstable/9/",
    )
    assert [client.get(six.url + address).status_code for address in addresses] == [404] * 5


def test_documents_before_the_first_round(six: MadeSection, client: Client):
    six.row.played_rounds.all().delete()
    answers = {name: client.get(f"{six.url}print/{name}/").status_code for name in DOCUMENTS}
    assert answers == {
        "boards": 404,
        "boards-large": 404,
        "names": 404,
        "names-large": 404,
        "starting-list": 200,
        "aro": 404,
        "aro-names": 404,
        "standings": 200,
        "crosstable": 200,
    }


def test_a_long_crosstable_is_printed_in_blocks_of_rounds(six: MadeSection, client: Client):
    six.row.rounds = 20
    six.row.save()
    for number in range(3, 21):
        six.play(number, "finished", (1, 2, "1/2"))
    content = client.get(f"{six.url}print/crosstable/").content.decode()
    assert content.count('<section tabindex="0" class="a4 wide">') == 2
    assert content.count("<table") == 2


@pytest.mark.parametrize("boards", [0, 1, 7, 8, 9, 30, 32, 61])
def test_slips_are_in_order_after_the_pile_is_cut(boards: int):
    sheets = cutting_order(range(1, boards + 1), 8)
    assert all(len(sheet) == 8 for sheet in sheets)
    pile = [sheet[place] for place in range(8) for sheet in sheets]
    assert [slip for slip in pile if slip is not None] == list(range(1, boards + 1))
    assert len(sheets) == -(-boards // 8)


def test_large_type_fills_the_sheets_and_cuts_no_word() -> None:
    def tenths(players: int, name: str = "Nguyen, Thi Hoa", *, a3: bool = False) -> int:
        return int(large_type([(name,)] * players, LARGE_NAME, a3=a3).rpartition("grow-")[2])

    sizes = [tenths(players) for players in range(1, 60)]
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], tenths(200, a3=True)) == (20, 10)
    long = "Weidenbrueckhohenstein, Maximilian Alexander"
    # In two lines, thirty such names still fill the sheet; a hundred in two lines are smaller, not on one sheet more.
    assert tenths(30, long) >= 10 > tenths(66, long)
    assert tenths(4, "Weidenbrueckhohensteinberg-Niederrhein, Ada") < 20
    assert large_type([("Nguyen, Thi Hoa", "Li, Jo")] * 4, LARGE_BOARD, a3=False) == "one grow-20"
    assert large_type([], LARGE_BOARD, a3=False) == "one grow-20"


def test_papers_of_a_round_come_in_one_document_in_the_order_of_the_printer(
    six: MadeSection, client: Client
) -> None:
    client.force_login(User.objects.create_superuser("ada"))
    page = client.get(f"{six.url}documents/").content.decode()
    assert f'action="{six.url}round/2/paper/#print"' in page
    assert [page.count(name) for name in ("After the round", "Before round 1")] == [1, 1]
    assert (
        re.findall(r"[>,] ?(\d+ sheets?)<", page) == ["1 sheet"] * 8
    )  # two lists in three sizes, slips, cards
    assert re.findall(r'name="(\w+)" value="on" checked', page) == ["boards", "names", "slips"]

    def sheets(query: str) -> list[str]:
        content = client.get(f"{six.url}round/2/paper/{query}").content.decode()
        assert content.count("<html") == content.count('class="paper-bar') == 1
        marks = ("board-list", "colour", "slips", "cards", "two large")
        return sorted(
            (name for name in marks if f"{name}" in content.partition("<main")[2]), key=content.index
        )

    assert sheets("") == ["board-list", "colour", "slips"]
    assert sheets("?boards=on&slips=on&cards=on") == ["board-list", "slips", "cards"]
    assert sheets("?boards=on&boards-size=large") == ["two large"]
    page = client.get(f"{six.url}documents/").content.decode()
    assert re.findall(r'name="(\w+)" value="on" checked', page) == ["boards"], (
        "the papers that were printed last"
    )
    assert '<option value="large" selected>' in page
    assert 'class="a4 a3"' in client.get(f"{six.url}round/2/paper/?names=on&names-size=a3").content.decode()
    client.get(f"{six.url}round/2/paper/?slips=on&slips-size=nonsense")
    client.force_login(User.objects.create_superuser("ben"))
    page = client.get(f"{six.url}documents/").content.decode()
    assert re.findall(r'name="(\w+)" value="on" checked', page) == ["names"], "for everybody in the section"
    assert '<option value="a3" selected>' in page
    assert client.get(f"{six.url}round/9/paper/").status_code == 404
    client.logout()
    assert client.get(f"{six.url}round/2/paper/").status_code == 302
