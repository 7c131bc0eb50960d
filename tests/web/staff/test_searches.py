"""A name is found however it is typed, wherever one can search: every page folds it as the table in names.json says.

The browser searches rows by their `data-find`, with the same table (tests/scripts/folding.test.js).
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.test import Client
from django.utils.html import escape

from tests.factories import ParticipantFactory, PlayerFactory
from tests.web.staff.conftest import address, paired
from tournaments.models import Section

NAMES: list[tuple[str, str]] = [
    (name, words)
    for name, words in json.loads((Path(__file__).parents[2] / "scripts" / "names.json").read_text("utf-8"))
    if re.search(r"[a-z]{4}", words)
]


@pytest.fixture
def named(section: Section) -> Section:
    section.participants.all().delete()
    for number, (name, _words) in enumerate(NAMES):
        player = PlayerFactory(event=section.event, name=name, federation="", title="")
        ParticipantFactory(section=section, player=player, rating=2400 - number, club="")
    return section


def keys(page: Client, path: str) -> str:
    """Return what the rows of a page are found by, one after the other."""
    answer = page.get(path)
    assert answer.status_code == 200
    return " ".join(re.findall(r'data-find="([^"]*)"', answer.content.decode()))


def test_entries_are_found_by_the_name_and_by_its_plain_letters(page: Client, named: Section) -> None:
    found = {}
    for name, words in NAMES:
        for search in (name, words):
            html = page.get(address(named, "entries/"), {"q": search}).content.decode()
            found[search] = escape(name) in re.findall(r'class="nm"><a [^>]*>([^<]*)</a>', html)
    assert [search for search, there in found.items() if not there] == []


@pytest.mark.parametrize("rest", ["check-in/", "results/"])
def test_rows_for_arbiters_are_found_by_the_plain_letters(page: Client, named: Section, rest: str) -> None:
    if rest == "check-in/":
        page.post(address(named, "check-in/open/"), {"after_round": 0})
    else:
        paired(named)
    there = keys(page, address(named, rest))
    assert [words for _name, words in NAMES if f" {words} " not in there] == []


def test_rows_for_visitors_are_found_by_the_plain_letters(client: Client, named: Section) -> None:
    there = keys(client, f"/{named.event.slug}/{named.slug}/players/")
    assert [words for _name, words in NAMES if f" {words} " not in there] == []
