"""The row above the entries that adds a player, with its errors, questions and the look-up in the rating lists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from tests.answers import answers_in
from tests.rating_lists.conftest import lists
from tests.rating_lists.made import combined_line, imported, text
from tests.web.staff.conftest import address, paired
from tournaments.models import Participant, Section

__all__ = ["lists"]

HTMX = {"HX-Request": "true"}
ROW = {"row": "1", "rating_source": "typed", "rating": "", "given": ""}
LIST = [
    combined_line(10, "de Vries, Anna", 1431, 0, 0, fed="NED"),
    combined_line(11, "de Vries, Anna-Marijke", 0, 1716, 0, fed="NED"),
]


def added(page: Client, section: Section, **typed: str) -> Participant:
    answer = page.post(address(section, "entries/add/"), {**ROW, **typed})
    assert answer.status_code == 302, answer.content.decode()
    return section.participants.latest("pk")


@pytest.mark.parametrize(
    ("typed", "counts"),
    [
        ({"official_rating": "1888", "national_rating": "1902"}, (1888, "official", 1888, 1902)),
        ({"national_rating": "1902"}, (1902, "national", None, 1902)),
        ({"given": "1400"}, (1400, "provisional", None, None)),
    ],
)
def test_typed_player_has_an_official_and_a_national_rating(
    page: Client, section: Section, typed: dict[str, str], counts: tuple[object, ...]
) -> None:
    entry = added(page, section, name="Novák, Jan", **typed)
    found = (entry.rating, entry.rating_source, entry.official_rating, entry.national_rating)
    assert found == counts


def test_script_gets_the_empty_row_with_a_sentence_and_the_list_offers_undo(
    page: Client, section: Section
) -> None:
    sent = {**ROW, "name": "Novák, Jan", "official_rating": "1888"}
    html = page.post(address(section, "entries/add/"), sent, headers=HTMX).content.decode()
    assert html.lstrip().startswith("<form")
    assert "Novák, Jan is entered." in html
    assert 'value="1888"' not in html
    listed = page.get(address(section, "entries/")).content.decode()
    assert listed.count(">added<") == 1
    [undo] = re.findall(r'action="([^"]*/undo/)"', listed)
    assert listed.index("Novák, Jan") < listed.index("Surname0000")
    page.post(undo)
    assert not section.participants.filter(player__name="Novák, Jan").exists()
    assert ">added<" not in page.get(address(section, "entries/")).content.decode()


@pytest.mark.parametrize("headers", [HTMX, {}], ids=["script", "no script"])
def test_error_stands_in_the_row_with_a_way_out(
    page: Client, section: Section, headers: dict[str, str]
) -> None:
    sent = {**ROW, "name": "Novák, Jan", "official_rating": "1888", "federation": "HOL", "club": "Zuid"}
    answer = page.post(address(section, "entries/add/"), sent, headers=headers)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "Federation “HOL” is not a FIDE code. Use NED (Netherlands)." in html
    assert 'data-use="NED" data-for="federation"' in " ".join(html.split())
    assert ('value="Novák, Jan"' in html, 'value="Zuid"' in html, "data-add-row" in html) == (True,) * 3
    assert ("<main" in html) == (not headers)


def test_player_without_any_rating_gets_a_field_for_one(page: Client, section: Section) -> None:
    hidden = "<div data-given hidden>"
    assert hidden in page.get(address(section, "entries/")).content.decode()
    html = page.post(address(section, "entries/add/"), {**ROW, "name": "Novák, Jan"}).content.decode()
    assert "Novák, Jan needs a rating." in html
    assert hidden not in html


def test_name_without_a_comma_is_asked_about_in_the_row(page: Client, section: Section) -> None:
    sent = {**ROW, "name": "Anna de Vries", "official_rating": "1431"}
    answer = page.post(address(section, "entries/add/"), sent, headers=HTMX)
    ways = re.findall(r'name="name_as" value="([^"]*)"', answer.content.decode())
    assert ways[0] == "de Vries, Anna"
    assert answer.content.decode().count("btn go") == 1
    page.post(address(section, "entries/add/"), {**sent, "name_as": ways[0]}, headers=HTMX)
    page.post(
        address(section, "entries/add/"),
        {**sent, "name": "Ola Nordmann", "answer": answers_in(answer)},  # an answer about another name
        headers=HTMX,
    )
    assert section.participants.latest("pk").player.name == "de Vries, Anna"


def test_comma_at_the_end_takes_the_order_that_is_offered(page: Client, section: Section) -> None:
    html = page.get(address(section, "entries/add/?row=1&q=Jan+van+der+Berg"), headers=HTMX).content.decode()
    assert 'data-use="van der Berg, Jan"' in html
    entry = added(page, section, name="Jan van der Berg,", official_rating="1500")
    assert entry.player.name == "van der Berg, Jan"


def test_list_is_looked_up_by_name_and_by_fide_id(lists: Path, page: Client, section: Section) -> None:
    imported(text(*LIST), period="2026-01")
    look = address(section, "entries/add/?row=1&q=")
    html = page.get(f"{look}anna+de+vries", headers=HTMX).content.decode()
    assert re.findall(r'role="option".*?data-name="([^"]*)"', html, re.DOTALL) == [
        "de Vries, Anna",
        "de Vries, Anna-Marijke",
    ]
    values = [dict(re.findall(r'data-(\w+)="([^"]*)"', each)) for each in html.split('role="option"')[1:]]
    assert [(one["fide_id"], one["official_rating"], one["rating"]) for one in values] == [
        ("10", "1431", "1431"),
        ("11", "", ""),  # only the main list gives a rating by itself
    ]
    assert 'data-fide_id="10"' in page.get(f"{look}10", headers=HTMX).content.decode()
    entry = added(page, section, name="10")
    assert (entry.player.name, entry.player.fide_id, entry.rating, entry.rating_source) == (
        "de Vries, Anna",
        10,
        1431,
        "standard",
    )


def test_late_player_of_the_row_plays_from_the_next_round(page: Client, section: Section) -> None:
    paired(section)
    sent = {**ROW, "name": "Laat, Anke", "official_rating": "1200"}
    page.post(address(section, "entries/add/"), sent, headers=HTMX)
    assert section.participants.get(player__name="Laat, Anke").first_round == 2
