from __future__ import annotations

import csv
import io
import re

import pytest
from django.test import Client
from django.utils.translation import override

from evenboard_engine import Result
from tests.queries.sections import MadeSection, add_bye, make_section
from tournaments.files.entry_lists import read_entries
from tournaments.files.entry_preview import entry_list_preview
from tournaments.files.lists import aro_csv, entries_csv, pairings_csv, points, standings_csv
from tournaments.files.table_files import safe
from tournaments.models import Participant, Player, Round
from tournaments.queries.aro_list import aro_list

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def section() -> MadeSection:
    return make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1801}, "Anna 1-0 Bert; Carl U", "Carl 1/2 Anna; Bert H"
    )


def rows(data: bytes) -> list[list[str]]:
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";"))


def test_standings(section: MadeSection) -> None:
    assert rows(standings_csv(section.row)) == [
        ["Place", "No", "Name", "Title", "Federation", "Rating", "Points", "ARO", "Games", "Withdrawn"],
        ["1", "3", "Carl", "", "", "1801", "1½", "2000", "1", ""],
        ["2", "1", "Anna", "", "", "2000", "1½", "1851", "2", ""],
        ["3", "2", "Bert", "", "", "1900", "½", "2000", "1", ""],
    ]


def test_standings_have_a_column_for_each_tie_break() -> None:
    made = make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700, "Eva": 1600},
        "Anna 1-0 Dora; Eva 1/2 Bert; Carl U",
        "Bert 0-1 Anna; Carl 1/2 Eva; Dora U",
        "Anna 1/2 Carl; Dora 1-0 Eva; Bert U",
        tie_breaks=["AOB", "SB", "OTHER_LUCK", "TPN"],
    )
    head, *found = rows(standings_csv(made.row))
    assert head[6:11] == ["Points", "AOB", "SB", "OTHER_LUCK", "Games"]
    assert [[row[2], *row[6:10]] for row in found[:2]] == [
        ["Anna", "2½", "5.000", "4½", ""],
        ["Carl", "2", "5.500", "3¼", ""],
    ]
    page = Client().get(f"/{made.row.event.slug}/{made.row.slug}/standings/").content.decode()
    assert re.findall(r'#t1">([^<]*)</a>', page) == [row[7] for row in found]


def test_pairings(section: MadeSection) -> None:
    assert [row[:7] for row in rows(pairings_csv(section.row, 2))[1:]] == [
        ["1", "3", "Carl", "", "1801", "1", "½"],
        ["", "2", "Bert", "", "1900", "0", "bye H"],
    ]


def test_the_aro_list(section: MadeSection) -> None:
    assert [row[:2] + row[7:] for row in rows(aro_csv(aro_list(section.row)))[1:]] == [
        ["1½", "1", "2 (1900), 3 (1801)", "3701", "1851", "WB", "White", "mild", "", "yes"],
        ["1½", "3", "1 (2000)", "2000", "2000", ".W", "Black", "strong", "", "no"],
        ["½", "2", "1 (2000)", "2000", "2000", "B.", "White", "strong", "", "yes"],
    ]


def test_aro_list_names_what_is_missing_and_has_no_aro_without_a_game() -> None:
    made = make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1801, "Dora": 1700}, "Anna adj Bert; Carl +:- Dora"
    )
    made.row.played_rounds.update(state=Round.State.FINISHED)
    *players, last = rows(aro_csv(aro_list(made.row, 2)))[1:]
    assert [(row[2], row[9]) for row in players] == [
        ("Carl", ""),
        ("Anna", "1900"),
        ("Bert", "2000"),
        ("Dora", ""),
    ]
    assert last == ["1 adjourned game counted as a draw: round 1, board 1"]
    assert [row[7] for row in rows(standings_csv(made.row, 1))[1:5]] == ["", "2000", "1900", ""]


@pytest.mark.both_databases
@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "nl", "pl", "ru", "uk"])
def test_entries_can_be_read_again(section: MadeSection, language: str) -> None:
    """No and Status follow from the section: a list does not set them, and the page says so."""
    Player.objects.filter(name="Anna").update(
        name="Ibáñez, Ana", sex="w", title="WGM", federation="ESP", fide_id=77, birth_date="1990/05/00"
    )
    Participant.objects.filter(player__name="Bert").update(
        official_rating=1890, national_rating=1950, club="SC; “Tal”", note="late"
    )
    add_bye(section, "Bert", 3, "H")
    with override(language):
        table = read_entries(entries_csv(section.row))
    result = entry_list_preview(section.row, table)
    unused = [column.place for column in table.unused]
    assert (len(result.same), result.changed, unused) == (3, (), [0, 13])


def test_cells_that_begin_like_formulas_are_quoted(section: MadeSection) -> None:
    Participant.objects.filter(player__name="Bert").update(club='=HYPERLINK("http://example.org")', note="@x")
    (row,) = [row for row in rows(entries_csv(section.row)) if row[1] == "Bert"]
    assert (row[9], row[11]) == ('\'=HYPERLINK("http://example.org")', "'@x")


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("=1+1", "'=1+1"),
        ("+49", "'+49"),
        ("-:+", "'-:+"),
        ("@SUM", "'@SUM"),
        ("\t=1", "'\t=1"),
        ("\tAnna", "'\tAnna"),
        ("\rAnna", "'\rAnna"),
        ("\nAnna", "'\nAnna"),
        (" =1+1", "' =1+1"),
        ("\u3000=1", "'\u3000=1"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\uff0b1", "'\uff0b1"),
        ("\uff0d1", "'\uff0d1"),
        ("\uff20SUM", "'\uff20SUM"),
        ("\ufe661", "'\ufe661"),
        ("\ufe621", "'\ufe621"),
        ("\ufe631", "'\ufe631"),
        ("\ufe6bSUM", "'\ufe6bSUM"),
        ("\u00a0=1", "'\u00a0=1"),
        ("\u200b=1", "'\u200b=1"),
        ("\ufeff=1", "'\ufeff=1"),
        ("\x00=1", "'\x00=1"),
        (" \u200b \u2060\uff1d1", "' \u200b \u2060\uff1d1"),
        ("\u034f=1", "'\u034f=1"),
        ("\u200bAnna", "\u200bAnna"),
        (" Anna", " Anna"),
        ("1-0", "1-0"),
        ("O'Neil", "O'Neil"),
        (None, ""),
        (-5, "-5"),
    ],
)
def test_cells_are_safe(cell: str | int | None, expected: str) -> None:
    assert safe(cell) == expected


@pytest.mark.parametrize("result", Result)
def test_spreadsheets_do_not_read_results_as_dates(result: Result) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, f"Anna {result.value} Bert")
    ((_, *cells),) = rows(pairings_csv(section.row, 1))[1:]
    assert re.findall(r"\d[-/.]\d", cells[5]) == []
    assert cells[5].removeprefix("'").replace("–", "-").replace("½", "1/2") == result.value


@pytest.mark.parametrize(
    ("tenths", "text"), [(45, "4½"), (5, "½"), (30, "3"), (0, "0"), (105, "10½"), (33, "3 3/10")]
)
def test_spreadsheets_do_not_read_points_as_dates(tenths: int, text: str) -> None:
    assert points(tenths) == text


def test_only_arbiters_can_export_a_draft(db: None) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, "Anna . Bert", draft=True)
    with pytest.raises(Round.DoesNotExist):
        pairings_csv(section.row, 1)
    assert len(rows(pairings_csv(section.row, 1, include_drafts=True))) == 2
