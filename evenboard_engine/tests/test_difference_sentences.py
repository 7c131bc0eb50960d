"""The sentences on a round that differs from the rules: singular and plural."""

from __future__ import annotations

from types import ModuleType

import pytest

from evenboard_engine.findings import RoundDifference
from evenboard_engine.systems.dubov.articles import DubovRule
from evenboard_engine.words import round_robin
from evenboard_engine.words.dubov import differences as dubov
from evenboard_engine.words.dubov.differences import sentence
from evenboard_engine.words.dubov1997 import differences as dubov1997
from evenboard_engine.words.uschess import differences as uschess


def difference_text(code: str, rule: DubovRule, values: tuple[object, object]) -> str:
    difference = RoundDifference(
        round=3, code=code, rule=rule, article="", found=(4,), expected=(5,), values=values, score=10
    )
    return sentence(difference, with_round=False)


@pytest.mark.parametrize(
    ("rule", "values", "reason"),
    [
        (DubovRule.C5, (3, 1), "1 is enough"),
        (DubovRule.C5, (4, 2), "2 are enough"),
        (DubovRule.C7, (1, 0), "1 player does not get the colour that is due, but it should be 0"),
        (DubovRule.C7, (3, 1), "3 players do not get the colour they are due, but it should be 1"),
        (DubovRule.C8, (1, 0), "1 of them is a maximum upfloater, but it should be 0"),
        (DubovRule.C8, (2, 1), "2 of them are maximum upfloaters, but it should be 1"),
        (DubovRule.C9, (1, 0), "the maximum upfloaters have been upfloated 1 time, but it should be 0"),
        (DubovRule.C9, (4, 3), "the maximum upfloaters have been upfloated 4 times, but it should be 3"),
        (DubovRule.C10, (1, 0), "1 of them was upfloated in the round before, but it should be 0"),
        (DubovRule.C10, (2, 1), "2 of them were upfloated in the round before, but it should be 1"),
    ],
)
def test_reason_follows_the_number(rule: DubovRule, values: tuple[int, int], reason: str) -> None:
    assert difference_text("upfloaters", rule, values).endswith(f": {reason}")


@pytest.mark.parametrize(("games", "words"), [((1, 2), "1 game,"), ((2, 3), "2 games,")])
def test_games_of_the_player_with_the_bye_follow_the_number(games: tuple[int, int], words: str) -> None:
    assert f"4 has played {words} 5 has played {games[1]}" in difference_text(
        "bye", DubovRule.BYE_MOST_GAMES, games
    )


@pytest.mark.parametrize(
    ("number", "expected", "words"),
    [
        (1, (), "each pair must have one player of the upper half and one of the lower half"),
        (3, (), "each pair must have one player of the subgroup G1 and one of G2"),
        (3, (5, 6), "the players who move between the subgroups G1 and G2 must be 5 6"),
    ],
)
def test_wrong_pair_within_a_subgroup_is_explained(
    number: int, expected: tuple[int, ...], words: str
) -> None:
    """Where the rules move nobody, all pairs are between the two subgroups."""
    difference = RoundDifference(
        round=number,
        code="shifters",
        rule=DubovRule.SHIFTS,
        article="",
        found=(),
        expected=expected,
        score=10,
    )
    assert sentence(difference, with_round=False) == f"1.0 points: {words}"


@pytest.mark.parametrize("words", [dubov, dubov1997, uschess, round_robin])
def test_difference_without_its_round_begins_with_a_capital(words: ModuleType) -> None:
    """On a page the round is the heading, so that a word at the beginning begins a sentence."""
    for code in words._SENTENCES:
        difference = RoundDifference(3, code, DubovRule.COMPLETE, "", score=10)
        text = words.sentence(difference, with_round=False)
        assert not text[0].islower()
        assert words.sentence(difference).startswith("round 3: ")
        assert text[1:] in words.sentence(difference) or words is uschess
