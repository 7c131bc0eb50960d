"""A section of US Chess pairing on its pages: entries with unrated players, rounds, explanations, sheets and files."""

from __future__ import annotations

import pytest

from tests.systems.every_address import ARO, OTHER_SYSTEM, words_found
from tests.systems.test_toy_pages import SETTINGS, Desk
from tournaments.models import Bye

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

OPTIONS = {
    "uschess_high": "200",
    "uschess_low": "80",
    "uschess_avoid_unrated": "on",
    "uschess_max_drop": "",
    "uschess_team_rule": "dont",
    "uschess_club_rule": "ignore",
}


@pytest.fixture
def desk() -> Desk:
    """Round 1 of nine players, two of them unrated, is played, and round 2 is paired."""
    made = Desk({**SETTINGS, **OPTIONS, "system": "uschess", "rounds": "4"})
    made.enter(7)
    for name in ("New, One", "New, Two"):
        made.done("entries/add/", name=name, rating="", rating_source="typed", first_round="1", team="Delft")
    made.done("initial-colour/", colour="w")
    made.pair()
    made.publish()
    made.results()
    made.pair()
    return made


def test_every_page_of_a_section_answers(desk: Desk) -> None:
    assert desk.section.options["team_rule"] == "dont"
    desk.publish()
    assert words_found(desk.client, desk.section, OTHER_SYSTEM, ARO) == {}


def test_round_is_explained(desk: Desk) -> None:
    page = desk.get("round/2/why/")
    assert "is dropped to" in page
    assert "gets the bye" in page
    assert 'class="floats"' in page
    bye = Bye.objects.get(participant__section=desk.section, round_number=2)
    assert "Why does the player have the bye?" in desk.get(f"round/2/why/{bye.participant.tpn}/")
