from __future__ import annotations

import codecs

import pytest

from tournaments.files.list_refusals import FileRefused
from tournaments.files.spreadsheets import clean_cell, decode

GERMAN = "Name;Elo\nMüller, Jürgen;1800\nWeiß, Björn;1700\n"
FRENCH = "Nom;Elo\nLefèvre, Étienne;1800\nGarçon, Noël;1700\nBeauchêne, Hélène;1650\n"
NORDIC = "Navn;Elo\nØstergård, Søren;1800\nÅkesson, Märta;1700\n"
POLISH = "Nazwisko;Elo\nWąsowski, Błażej;1800\nŻurawska, Łucja;1700\nDąbek, Święta;1600\n"
CYRILLIC = "Name;Elo\nШевчук, Андрій;1800\nКоваленко, Марія;1700\n"
RUSSIAN = "Name;Elo\nИванов, Пётр;1800\nЩукина, Ольга;1700\n"
CAPITALS = "ФИО;РЕЙТИНГ\nИВАНОВ ПЁТР;1800\nСМИРНОВА АННА;1500\n"


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [
        (GERMAN, "utf-8", "UTF-8"),
        (POLISH, "utf-8-sig", "UTF-8"),
        (POLISH, "utf-16", "UTF-16"),
        (CYRILLIC, "utf-32", "UTF-32"),
        (GERMAN, "cp1252", "Windows-1252"),
        (FRENCH, "cp1252", "Windows-1252"),
        (NORDIC, "latin-1", "Windows-1252"),
        (POLISH, "cp1250", "Windows-1250"),
        (POLISH, "iso8859_2", "ISO 8859-2"),
        (CYRILLIC, "cp1251", "Windows-1251"),
        (CYRILLIC, "koi8_u", "KOI8-U"),
        (RUSSIAN, "cp1251", "Windows-1251"),
        (RUSSIAN, "koi8_r", "KOI8-R"),
        (RUSSIAN, "cp866", "DOS 866"),
        (RUSSIAN, "iso8859_5", "ISO 8859-5"),
        (CAPITALS, "cp1251", "Windows-1251"),
        (CAPITALS, "koi8_r", "KOI8-R"),
        (CYRILLIC, "utf-16-le", "UTF-16"),
        (GERMAN, "utf-16-be", "UTF-16"),
        ("Name;Elo\nSmith, John;1500\n", "ascii", "UTF-8"),
    ],
)
def test_the_encoding_of_a_list_is_found(text: str, codec: str, label: str) -> None:
    assert decode(text.encode(codec)) == (text, label)


def test_utf_16_of_either_order_is_read() -> None:
    assert decode(codecs.BOM_UTF16_BE + POLISH.encode("utf-16-be"))[0] == POLISH


def test_encoding_that_the_arbiter_chose_is_used() -> None:
    czech = "Name;Elo\nDvořák, Jiří;1800\n"
    assert decode(czech.encode("cp1250"), "cp1250") == (czech, "Windows-1250")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"PK\x03\x04rest of a workbook", "workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1old workbook", "workbook"),
        (b"%PDF-1.7", "workbook"),
        (b"Name;Elo\nA\x00B;1500\n", "not_text"),
        (b"\xff\xfea", "not_text"),
        (b"Name\x01\x02\x03\x04\x05\x06\x07;Elo\n", "not_text"),
        (b"\xe9\x01\xe8\n" * 10, "not_text"),
    ],
)
def test_file_that_is_not_text_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(FileRefused) as refused:
        decode(data)
    assert refused.value.reason.code == code


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  two   spaces\t", "two spaces"),
        ("Zoe\u0308", "Zoë"),
        ("no\u00a0break", "no break"),
        ("two\r\nlines", "two lines"),
        ("a\u202eb\u200bc\ufeffd", "abcd"),
    ],
)
def test_cells_are_cleaned(text: str, expected: str) -> None:
    assert clean_cell(text) == expected
