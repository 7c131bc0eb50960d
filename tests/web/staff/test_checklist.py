"""The checklist before a round: what each pairing system looks at, on the page, on paper and as CSV. For arbiters."""

from __future__ import annotations

import csv
import io
import re
from html import unescape

import pytest
from django.test import Client

from tests.queries.sections import MadeSection, add_bye, add_round, make_section
from tests.web.staff.conftest import address
from tournaments.files.lists import checklist_csv
from tournaments.models import Participant, Round, Section

pytestmark = pytest.mark.django_db

RATINGS = {"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700, "Eva": 1600}
ROUNDS = ("Anna 1-0 Bert; Dora 1-0 Carl; Eva U", "Eva 1/2 Anna; Bert 1-0 Dora; Carl F")


def made_section(system: str) -> MadeSection:
    return make_section(RATINGS, *ROUNDS, system=system, options={})


def csv_of(section: Section, number: int | None = None) -> tuple[str, list[str]]:
    """Return the heads from the colours on, and for each player points, name and these cells."""
    text = checklist_csv(section, number).decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=";")
    first = head.index("Colours")
    return " ".join(head[first:]), [" ".join([row[0], row[2], *row[first:]]) for row in rows]


@pytest.mark.parametrize(
    ("system", "heads", "players"),
    [
        (
            "dutch",
            "Colours Due Strength Floats, later one last Bye Opponents",
            [
                "1½ Anna WB White mild .. yes 2, 5",
                "1½ Eva .W Black strong D. no 1",
                "1 Bert BW Black mild .U yes 1, 4",
                "1 Carl B. White strong .D no 4",
                "1 Dora WB White mild .D yes 3, 2",
            ],
        ),
        (
            "dubov",
            "Colours Due Strength Floats, later one last Bye Opponents",
            [
                "1½ Anna WB White mild .. yes 2, 5",
                "1½ Eva .W Black strong .. no 1",
                "1 Bert BW Black mild .U yes 1, 4",
                "1 Carl B. White strong .. no 4",
                "1 Dora WB White mild .. yes 3, 2",
            ],
        ),
        (
            "dubov-1997",
            "Colours Due Floats, later one last Bye Opponents",
            [
                "1½ Anna WB White .. yes 2, 5",
                "1½ Eva .W Black .. no 1",
                "1 Bert BW Black .U yes 1, 4",
                "1 Carl B. White .. no 4",
                "1 Dora WB White .. yes 3, 2",
            ],
        ),
        (
            "uschess",
            "Colours Due Bye Opponents",
            [
                "1½ Anna WB White yes 2, 5",
                "1½ Eva .W Black no 1",
                "1 Bert BW Black yes 1, 4",
                "1 Carl B. White no 4",
                "1 Dora WB White yes 3, 2",
            ],
        ),
        (
            "round-robin",
            "Colours Opponents",
            ["1½ Anna WB 2, 5", "1 Bert BW 1, 4", "1 Carl B. 4", "1 Dora WB 3, 2", "½ Eva .W 1"],
        ),
    ],
)
def test_the_line_of_each_player_has_what_the_system_looks_at(
    system: str, heads: str, players: list[str]
) -> None:
    """C.04.3, 1.4: an allocated bye and a full-point bye are downfloats. C2: nobody gets a bye after such a bye."""
    assert csv_of(made_section(system).row) == (heads, players)


def test_before_round_1_nothing_is_known_but_who_may_have_the_bye() -> None:
    heads, players = csv_of(made_section("dutch").row, 1)
    assert (heads, players[0]) == ("Colours Bye Opponents", "0 Anna  yes ")


def words(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", html)))


def test_page_and_paper_show_the_same(admin_client: Client) -> None:
    page, made = admin_client, made_section("dutch")
    html = page.get(address(made.row, "checklist/")).content.decode()
    paper = page.get(address(made.row, "print/checklist/")).content.decode()
    for shown in (html, paper):
        assert "Checklist before round 3" in words(shown)
        (eva,) = re.findall(r'<tr[^>]*id="player-5">.*?</tr>\s*<tr class="met">.*?</tr>', shown, re.DOTALL)
        assert ['aria-label="not played, White"' in eva, 'aria-label="downfloat, no float"' in eva] == [
            True,
            True,
        ]
        assert re.search(r"Eva .*1600 1 ½ Black, strong ↓ · no Opponents: 1", words(eva))
        assert "ARO" not in words(shown)
    assert "csv/checklist/" in html
    earlier = words(page.get(address(made.row, "checklist/2/")).content.decode())
    assert "Checklist before round 2" in earlier
    assert page.get(address(made.row, "checklist/9/")).status_code == 404
    documents = page.get(address(made.row, "documents/")).content.decode()
    assert address(made.row, "checklist/") in documents
    assert "print/checklist/" in documents


def test_players_who_are_not_paired_in_the_round_stand_at_the_end_with_the_reason(
    admin_client: Client,
) -> None:
    """Eva and Dora ask for byes, and Carl withdraws. Then a draft without Anna exists, and in it Bert has the bye."""
    made = made_section("dutch")
    add_bye(made, "Eva", 3, "H")
    add_bye(made, "Dora", 3, "Z")
    Participant.objects.filter(pk=made.people["Carl"].pk).update(status="withdrawn")
    assert csv_of(made.row) == (
        "Colours Due Strength Floats, later one last Bye Opponents Not paired in this round",
        [
            "1½ Anna WB White mild .. yes 2, 5 ",
            "1 Bert BW Black mild .U yes 1, 4 ",
            "1½ Eva .W   D.  1 half-point bye",
            "1 Carl B.   .D  4 withdrawn",
            "1 Dora WB   .D  3, 2 zero-point bye",
        ],
    )
    for path in ("checklist/", "print/checklist/"):
        html = admin_client.get(address(made.row, path)).content.decode()
        assert [
            words(band).strip() for band in re.findall(r'<tr class="band">.*?</tr>', html, re.DOTALL)
        ] == [
            "1½ points One player, due White",
            "1 point One player, due Black",
            "Not paired in this round",
        ]
        eva, carl = re.findall(
            r'<tr[^>]*id="player-[53]">.*?</tr>\s*<tr class="met">.*?</tr>', html, re.DOTALL
        )
        assert "half-point bye" in words(eva)
        assert "withdrawn" in words(carl)
        for shown in (eva, carl):
            assert not re.search(r"Black|White,|may not|\byes\b|\bno\b(?! float)", words(shown))
    add_round(made, 3, "Bert U", Round.State.DRAFT)
    _heads, players = csv_of(made.row)
    assert [(line.split()[1], line.rsplit(" ", 1)[1]) for line in players] == [
        ("Bert", ""),
        ("Anna", "paired"),
        ("Eva", "bye"),
        ("Carl", "withdrawn"),
        ("Dora", "bye"),
    ]
    assert "Anna" in csv_of(made.row, 2)[1][0]


def test_only_arbiters_see_it(client: Client, section: Section) -> None:
    for rest in ("checklist/", "print/checklist/", "csv/checklist/"):
        assert "login" in client.get(address(section, rest)).url
