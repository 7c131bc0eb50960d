"""What is read from FIDE's text and XML and from files of columns, and what is refused."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from ratings.errors import ListRefused
from ratings.formats import ListFile, packed
from ratings.formats.columns import ColumnReading
from ratings.models import RatingList
from ratings.players import BadLine, ListedPlayer

from .made import COMBINED, RAPID, combined_line, rapid_line, read, text, xml, zipped

CARLSEN = ListedPlayer(
    fide_id=1503014, name="Carlsen, Magnus", federation="NOR", sex="m", born="1990", title="GM", standard=2839,
    rapid=2825, blitz=2890, k_standard=20, k_rapid=20, k_blitz=20,
)  # fmt: skip
LINE = combined_line(1503014, "Carlsen, Magnus", 2839, 2825, 2890, title="GM")


def facts(path: Path, data: bytes, name: str = "") -> tuple[str, str]:
    path.write_bytes(data)
    file = ListFile(path, name=name)
    file.close()
    return file.facts.kind, file.facts.period


def test_combined_text(tmp_path: Path) -> None:
    assert read(tmp_path / "a.txt", text(LINE)) == ([CARLSEN], [])


def test_columns_stand_where_the_header_says(tmp_path: Path) -> None:
    """The older list has no column for online titles: everything after it stands four characters further left."""
    legacy = text(LINE[:109] + LINE[113:], header=COMBINED.replace("FOA ", ""))
    assert read(tmp_path / "a.txt", legacy) == ([CARLSEN], [])


def test_single_text_has_the_kind_of_its_name_and_the_month_of_its_header(tmp_path: Path) -> None:
    data = text(rapid_line(12, "Müller, Eva", 2100), header=RAPID)
    assert facts(tmp_path / "a", data, "rapid_rating_list.txt") == ("rapid", "2026-10")
    (player,), _ = read(tmp_path / "a", data, "rapid_rating_list.txt")
    assert (player.rapid, player.k_rapid, player.standard, player.women_title) == (2100, 10, 0, "WGM")
    assert (player.sex, player.flag, player.born) == ("w", "w", "1985")


def test_month_is_in_the_name_of_archived_files(tmp_path: Path) -> None:
    data = zipped("standard_sep26frl.txt", text(LINE, header=COMBINED))
    assert facts(tmp_path / "a", data) == ("combined", "2026-09")


def test_older_lists_are_in_latin_1(tmp_path: Path) -> None:
    data = text(combined_line(1, "Muller, Andr\xe9", 2000)).decode().encode("latin-1")
    assert read(tmp_path / "a", data)[0][0].name == "Muller, André"


def test_other_titles_that_run_over_their_column_lose_nobody(tmp_path: Path) -> None:
    long = LINE[:94] + "IA,IO,FT,DI,NI,LSI" + LINE[109:]
    (player,), bad = read(tmp_path / "a", text(long))
    assert (player.standard, player.born, player.other_titles, bad) == (
        2839,
        "1990",
        "IA,IO,FT,DI,NI,LSI",
        [],
    )


def test_unknown_title_is_kept_as_text(tmp_path: Path) -> None:
    ((player,), _) = read(tmp_path / "a", text(combined_line(1, "New, One", 2000, title="XYZ")))
    assert player.title == "XYZ"


def test_bad_lines_are_counted_with_their_number_and_reason(tmp_path: Path) -> None:
    lines = [
        LINE,
        combined_line("12x", "No, Id", 2000),
        combined_line(7, "", 2000),
        combined_line(8, "Odd, Rating", "2x00"),
        "short",
    ]
    players, bad = read(tmp_path / "a", text(*lines, "", "\x1a"))
    assert players == [CARLSEN]
    assert [(one.line, one.code) for one in bad] == [
        (3, "id_unreadable"), (4, "name_missing"), (5, "number_unreadable"), (6, "id_unreadable"), (8, "id_unreadable"),
    ]  # fmt: skip


PLAYER = {
    "fideid": 1503014, "name": "Carlsen, Magnus", "country": "NOR", "sex": "M", "title": "GM", "rating": 2839, "k": 20,
    "rapid_rating": 2825, "rapid_k": 20, "blitz_rating": 2890, "blitz_k": 20, "birthday": 1990, "flag": "",
}  # fmt: skip


def test_xml(tmp_path: Path) -> None:
    data = zipped("players_list_xml_foa.xml", xml(PLAYER, {**PLAYER, "fideid": ""}))
    assert read(tmp_path / "a", data) == ([CARLSEN], [BadLine(2, "id_unreadable", "Carlsen, Magnus")])


def test_single_xml_has_the_kind_of_its_name(tmp_path: Path) -> None:
    one = {"fideid": 5, "name": "Blitz, Ben", "country": "GER", "rating": 2400, "k": 10}
    (player,), _ = read(tmp_path / "a", xml(one), "blitz_rating_list.xml")
    assert (player.blitz, player.k_blitz, player.standard) == (2400, 10, 0)


def test_xml_entities_are_refused(tmp_path: Path) -> None:
    declared = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]>'
    with pytest.raises(ListRefused, match="xml_declarations"):
        read(tmp_path / "a", declared + b"<playerslist><player><name>&a;</name></player></playerslist>")


@pytest.mark.parametrize("cut", [30, 200])
def test_broken_xml_is_refused(tmp_path: Path, cut: int) -> None:
    with pytest.raises(ListRefused, match="xml_broken"):
        read(tmp_path / "a", xml(PLAYER)[:-cut])


def test_columns_of_a_national_list(tmp_path: Path) -> None:
    rows = "Nr;Surname;Given;DWZ;Born;FIDE\n17;Groß;Jürgen;1834-12;04.03.1971;4600001\n;;;;;\n18;Kurz;Eva;viel;1990;\n"
    reading = ColumnReading(
        columns={"number": 0, "last_name": 1, "first_name": 2, "rating": 3, "born": 4, "fide_id": 5},
        encoding="cp1252",
        federation="GER",
    )
    players, bad = read(tmp_path / "a", rows.encode("cp1252"), reading=reading.stored())
    expected = ListedPlayer(
        fide_id=4600001, number="17", name="Groß, Jürgen", federation="GER", born="1971-03-04", national=1834
    )
    assert (players, bad) == ([expected], [BadLine(4, "number_unreadable", "18;Kurz;Eva;viel;1990;")])


@pytest.mark.parametrize(
    ("reading", "code"),
    [
        (ColumnReading(columns={"rating": 0}), "columns_missing"),
        (ColumnReading(columns={"name": 0}), "columns_missing"),
        (ColumnReading(columns={"name": 0, "rating": 1}, delimiter=""), "columns_missing"),
        (ColumnReading(columns={"name": 0, "rating": 1}, encoding="klingon"), "encoding_unknown"),
    ],
    ids=["nobody", "no rating", "no delimiter", "no encoding"],
)
def test_columns_without_what_is_needed_are_refused(
    tmp_path: Path, reading: ColumnReading, code: str
) -> None:
    with pytest.raises(ListRefused, match=code):
        read(tmp_path / "a", b"a;b\n", reading=reading.stored())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"hello\nworld", "not_a_list"),
        (b"", "not_a_list"),
        (text(header="ID Number  Name  Sex  SRtng"), "not_a_list"),
        (text(header="ID Number  Name  Fed  Sex"), "header_unknown"),
        (b"PK\x03\x04 no zip", "packed_badly"),
        (zipped("virus.exe", b"x"), "packed_empty"),
        (zipped("bomb.txt", b"\n" * 6_000_000), "packed_bomb"),
        (text("x" * 1_200_000), "line_too_long"),
    ],
    ids=[
        "words",
        "empty",
        "federations",
        "ratings",
        "packed_badly",
        "packed_empty",
        "packed_bomb",
        "line_too_long",
    ],
)
def test_files_that_are_no_lists_are_refused(tmp_path: Path, data: bytes, code: str) -> None:
    with pytest.raises(ListRefused, match=code):
        read(tmp_path / "a", data)


def test_file_that_is_larger_than_it_says_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(text(LINE))
    file = packed.Packed(path)
    file.size = 10
    with pytest.raises(ListRefused, match="packed_bomb"):
        list(file.lines())
    file.close()
    monkeypatch.setattr(packed, "MOST_BYTES", 100)
    with pytest.raises(ListRefused, match="too_large"):
        packed.Packed(path)


@pytest.mark.parametrize("most_entries", [65_535, 1], ids=["zip", "zip64"])
def test_zip_with_a_huge_table_of_members_is_refused_before_the_table_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_entries: int
) -> None:
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", most_entries)  # with more, the end is that of ZIP64
    path = tmp_path / "a"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("list.txt", text(LINE))
        for number in range(3):
            file.writestr(f"{number}{'x' * 60_000}", b"")
    packed.Packed(path).close()
    monkeypatch.setattr(packed, "MOST_TABLE", 100_000)
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(ListRefused, match="packed_badly"):
        packed.Packed(path)


def test_kinds_of_lists_are_those_of_the_model() -> None:
    assert set(RatingList.Kind.values) == {"standard", "rapid", "blitz", "combined", "national"}
