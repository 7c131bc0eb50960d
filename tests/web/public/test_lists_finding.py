from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from base.spelling import CYRILLIC, GREEK, INITIAL, NASALS, OTHER, SCHEMES, SOUNDS
from base.text import PLAIN_LETTERS, alphabetical, folded
from tests.web.public.conftest import MadeSection
from tests.web.public.tables import rows
from tournaments.models import Participant
from web.views.public.lists import find_key, found, found_or_similar, keep_found

NAMES = Path(__file__).parents[2] / "scripts" / "names.json"


@pytest.mark.parametrize(("text", "plain"), json.loads(NAMES.read_text(encoding="utf-8")))
def test_folded_returns_lower_case_letters_without_accents(text: str, plain: str):
    """The script folds the same names to the same words: tests/scripts/folding.test.js."""
    assert folded(text) == plain


@pytest.mark.parametrize(
    "names",
    [
        "Гнатюк Ґудзь Демчук Ерстенюк Єрмак Жук Ильчук Іваненко Їжакевич Йосипенко Кравець",
        "Дачић Ђорђевић Ерић Илић Јовић Кнежевић Ловрић Љубић Митић Тадић Ћирић Ускоковић",
        "Çelik Costa Đurić Dvořák Ivanov Иванов",
    ],
    ids=["Ukrainian", "Serbian", "Latin and Cyrillic"],
)
def test_names_are_listed_in_the_order_of_their_alphabet(names: str):
    assert sorted(set(names.split()), key=alphabetical) == names.split()


def test_each_word_of_a_search_must_begin_a_word_of_the_row():
    key = find_key(12, "Szűcs-Baranyai, Örs", None)
    assert [found(key, search) for search in ("szucs", "ors bara", "ranyai", "12", "1", "")] == [
        True,
        True,
        False,
        True,
        False,
        True,
    ]


def test_initials_are_found_together_and_a_name_by_its_sound_is_marked():
    rows = [(name, find_key(name)) for name in ("A. M.", "Amadei, Rosa", "Ivanov, A", "Dąbkowska, Anna")]

    def names(search: str) -> tuple[list[str], bool]:
        hits, similar = found_or_similar(rows, search)
        return [name for name, _key in hits], similar

    assert names("am") == (["A. M.", "Amadei, Rosa"], False)
    assert names("dabkow") == (["Dąbkowska, Anna"], False)
    assert names("Домбковская") == names("dabkovska") == (["Dąbkowska, Anna"], True)
    assert names("nobody") == ([], False)


def test_keep_found_takes_the_search_as_typed():
    rows = [("a", find_key("Müller, Jörg")), ("b", find_key("Miller, Ann"))]
    assert keep_found(rows, "MÜL") == rows[:1]
    assert keep_found(rows, "") == rows


def test_the_script_has_the_same_table_of_letters(root: Path):
    script = (root / "static" / "js" / "folding.js").read_text(encoding="utf-8")
    table = re.search(r"const PLAIN = \{([^}]*)\}", script)[1]
    assert dict(re.findall(r'(\w): "(\w+)"', table)) == PLAIN_LETTERS


SPELLINGS = json.loads((Path(__file__).parents[2] / "scripts" / "spellings.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("typed", "places"), SPELLINGS["searches"])
def test_a_name_is_found_in_another_script_and_spelling(typed: str, places: list[int]):
    """The script finds the same names: tests/scripts/spelling.test.js."""
    rows = [(place, find_key(name)) for place, name in enumerate(SPELLINGS["names"])]
    assert [place for place, _key in keep_found(rows, typed)] == places


def test_the_script_has_the_same_tables_of_spellings(root: Path):
    script = (root / "static" / "js" / "spelling.js").read_text(encoding="utf-8")
    tables = [CYRILLIC, *SCHEMES[1:], INITIAL, OTHER, GREEK, NASALS]
    expected = [pair for table in tables for pair in table.items()]
    assert re.findall(r'(?<![\["\w])(\w+): "(\w*)"', script) == expected
    sounds = [(pattern, to.replace("\\1", "$1")) for pattern, to in SOUNDS]
    assert [
        tuple(json.loads(pair)) for pair in re.findall(r'^  (\["[^\n]*"\]),$', script, re.MULTILINE)
    ] == sounds


def test_the_page_of_an_event_finds_a_player_of_any_section(six: MadeSection, client: Client):
    """From the code on the wall: a name, then the card with the board. Expelled players have no card."""
    event = f"/{six.row.event.slug}/"

    def found_for(search: str) -> list[list[str]]:
        return [row for row in rows(client.get(event, {"q": search})) if row[3:] == ["Section A"]]

    assert found_for("dvorak") == [["4", "Dvořák, Dušan FM CZE", "2100", "Section A"]]
    assert f'<a href="{six.url}players/4/">' in client.get(event, {"q": "dvor"}).content.decode()
    assert found_for("") == found_for("zzz") == []
    assert "No player of the event has this name." in client.get(event, {"q": "zzz"}).content.decode()
    Participant.objects.filter(pk=six.players[4].pk).update(status=Participant.Status.EXPELLED)
    assert found_for("dvorak") == []
    six.row.taken_away = True
    six.row.save()
    assert found_for("bauer") == []


def test_a_search_in_an_event_is_bounded(
    six: MadeSection, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
):
    for tpn in range(10, 45):
        six.enter(tpn, f"Weiß, Nr {tpn}", 1500)
    with django_assert_max_num_queries(10):
        page = client.get(f"/{six.row.event.slug}/", {"q": "weiss"})
    assert len([row for row in rows(page) if row[3:] == ["Section A"]]) == 30
    assert "5 more players have such names." in page.content.decode()
