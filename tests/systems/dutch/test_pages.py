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


def one_choice(html: str) -> list[str]:
    """Return the lists of a page that leave nothing to choose."""
    return [
        found for found in re.findall(r"<select.*?</select>", html, re.DOTALL) if found.count("<option") < 2
    ]


def test_pages_name_no_other_system_and_say_why_players_meet() -> None:
    desk = Desk({**SETTINGS, "system": "dutch", "rounds": "5", "acceleration": "baku"})
    desk.enter(9)
    for page in (desk.client.get(desk.new), desk.client.get(f"{desk.base}settings/?change=pairing")):
        assert "Dutch System" in page.content.decode()
        assert one_choice(page.content.decode()) == []
    settings, rules = text(desk.get("settings/")), text(desk.get("rules/"))
    assert ("Edition of the rules" in settings, "Edition of the rules" in rules) == (False, False)
    assert "Dutch System, FIDE C.04.3, edition of 2026" in rules
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
    assert "Scores here include virtual points of the acceleration: 1 Surname0 (+1)" in page_text
    assert "grey if no colour is due" in page_text
    assert "A bar marks a player from another score group." in page_text
    assert "cost in points of rating" not in page_text
    assert 'class="sides"' in shown
    desk.done("round/2/by-hand/begin/", version=desk.section.played_rounds.get(number=2).version)
    by_hand = desk.get("round/2/by-hand/")
    assert re.search(r"meets [^<]*\. Scores here include virtual points of the acceleration: ", text(by_hand))
    desk.end_by_hand(2)
    desk.publish()
    assert words_found(desk.client, desk.section, OTHER_SYSTEM, ARO) == {}


def test_bracket_without_a_pair_has_no_steps_to_work_out() -> None:
    """After two rounds one player is alone with two points, and floats down."""
    desk = Desk({**SETTINGS, "system": "dutch", "rounds": "3"})
    desk.enter(4)
    desk.done("initial-colour/", colour="w")
    for _round in range(2):
        desk.pair()
        desk.publish()
        desk.results()
    desk.pair()
    desk.publish()
    explained = text(desk.get("round/3/explained/"))
    assert "Nobody else is in the bracket of 2 points." in explained
    assert "Work out this pair step by step" in explained
    pages = [desk.get(f"round/3/explained/work/{number}/") for number in (1, 2)]
    assert [('id="next"' in page, "why_work" in page, "data-first=" in page) for page in pages] == [
        (False, False, False),
        (True, True, True),
    ]
