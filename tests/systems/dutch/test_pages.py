"""A section of the Dutch System on its pages: nothing of another system, and why two players meet."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.systems.every_address import ARO, OTHER_SYSTEM, words_found
from tests.systems.toy_desk import SETTINGS, Desk

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def text(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", html)))


def test_pages_name_no_other_system_and_say_why_players_meet() -> None:
    desk = Desk({**SETTINGS, "system": "dutch", "rounds": "5", "dutch_edition": "2026"})
    desk.enter(9)
    desk.done("initial-colour/", colour="w")
    desk.pair()
    desk.publish()
    desk.results()
    desk.pair()
    shown = desk.get("round/2/why/")
    page_text = text(shown)
    assert "The number of players is odd, so one gets the bye" in page_text
    assert "S1 and S2" in page_text or "same place of S2" in page_text
    assert "An arrow is a player who meets an opponent with fewer points" in page_text
    assert "cost in points of rating" not in page_text
    assert 'class="sides"' in shown
    desk.publish()
    assert words_found(desk.client, desk.section, OTHER_SYSTEM, ARO) == {}
