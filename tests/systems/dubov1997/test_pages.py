"""A section of the Dubov System of 1997 on its pages: players without a rating, and the ARO of the standings."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from evenboard_engine.systems.dubov1997.system import DUBOV_1997
from evenboard_engine.tests.systems.dubov1997.test_system import STUCK
from evenboard_engine.words.dubov1997.words import DUBOV_1997_WORDS
from tests.systems.toy_desk import SETTINGS, Desk

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def text(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", html)))


@pytest.fixture
def desk() -> Desk:
    return Desk({**SETTINGS, "system": "dubov-1997", "rounds": "3"})


def test_missing_estimates_are_named_at_the_entry_and_until_the_players_have_one(desk: Desk) -> None:
    desk.enter(4)
    assert "counts as 0" not in text(desk.get("cockpit/"))
    entry = {"name": "New, One", "rating": "", "rating_source": "typed", "first_round": "1"}
    shown = desk.client.post(f"{desk.base}entries/add/", entry, follow=True).content.decode()
    asked = "New, One has no rating and counts as 0. The rules ask for an estimate before the pairing"
    assert f"{asked}: edit the entry and type one." in text(shown)
    assert f"{asked}." in text(desk.get("cockpit/"))
    assert "New, One" in text(desk.get("entries/?without=rating"))
    assert "Surname0" not in desk.get("entries/?without=rating").partition('id="list"')[2]
    one = desk.section.participants.get(rating=0)
    desk.done(f"entries/{one.pk}/", **{**entry, "rating": "1400"})
    assert "counts as 0" not in text(desk.get("cockpit/"))


def test_missing_estimates_are_named_before_a_list_is_imported(desk: Desk) -> None:
    rows = SimpleUploadedFile("entries.csv", b"Name;Rating\nRated, A;1800\nNew, One;\nNew, Two;\n")
    shown = desk.client.post(f"{desk.base}entries/import/", {"file": rows}, follow=True)
    asked = "New, One and New, Two have no rating and would count as 0."
    assert asked in text(shown.content.decode())


@pytest.mark.parametrize("system", ["dubov", "uschess"])
def test_other_systems_ask_for_no_estimates(system: str) -> None:
    desk = Desk({**SETTINGS, "system": system, "uschess_high": "200", "uschess_low": "80",
                 "uschess_team_rule": "ignore", "uschess_club_rule": "ignore"})  # fmt: skip
    rows = SimpleUploadedFile("entries.csv", b"Name;Rating\nRated, A;1800\nNew, One;\n")
    shown = desk.client.post(f"{desk.base}entries/import/", {"file": rows}, follow=True)
    assert "would count as 0" not in text(shown.content.decode())


def test_standings_say_that_their_aro_is_rounded(desk: Desk) -> None:
    desk.enter(4)
    desk.done("initial-colour/", colour="w")
    desk.pair()
    desk.publish()
    desk.results()
    rounded = "By points, ARO rounded to a whole number, direct encounter,"
    assert rounded in text(desk.get("standings/"))
    assert "ARO rounded" in text(desk.get("print/standings/"))


@pytest.mark.parametrize(
    ("system", "sentence"),
    [
        (
            "dubov",
            "A due colour that is absolute must be given. Strong comes before mild. A player is upfloated more",
        ),
        (
            "dubov-1997",
            "Before the last round, nobody is transferred up who was in the round before, or 3 times already.",
        ),
    ],
    ids=["2026", "1997"],
)
def test_aro_list_says_the_rules_of_its_system(system: str, sentence: str) -> None:
    desk = Desk({**SETTINGS, "system": system, "rounds": "3"})
    desk.enter(4)
    desk.done("initial-colour/", colour="w")
    desk.pair()
    desk.publish()
    desk.results()
    shown = text(desk.get("aro/"))
    assert sentence in shown
    assert "Dubov System of 1997, " not in shown + text(desk.get("settings/") + desk.get("print/aro/"))
    assert ("absolute" in shown) == (system == "dubov")


def test_pictures_say_only_what_this_edition_has(desk: Desk) -> None:
    desk.enter(6)
    desk.done("initial-colour/", colour="w")
    desk.pair()
    desk.publish()
    desk.results()
    desk.pair()
    shown = text(desk.get("round/2/why/"))
    assert "An arrow is a player who meets an opponent with fewer points" in shown
    assert "cost in points of rating" not in shown
    draft = desk.section.played_rounds.get(number=2)
    desk.done("round/2/by-hand/begin/", version=draft.version)
    assert [mark in text(desk.get("round/2/by-hand/")) for mark in ("mild", "absolute")] == [False, False]


def test_column_is_named_after_a_colour_only_if_its_players_have_it() -> None:
    offer = DUBOV_1997.offer(STUCK)
    assert offer is not None
    words = DUBOV_1997_WORDS.explanation(str, tournament=STUCK)
    brackets = DUBOV_1997.explain(STUCK, offer.pairing).trace.brackets
    named = [[column.name for column in words.columns(bracket)] for bracket in brackets]
    white = [all(pair.first == pair.white for pair in bracket.pairs) for bracket in brackets]
    assert named == [["White's side", "Black's side"] if one else ["Player", "Opponent"] for one in white]
    assert not all(white)
