"""The reasons of worked rounds: who gets the bye and why, who floats and why, and why pairs are switched."""

from __future__ import annotations

import pytest

from evenboard_engine import Colour, RoundPairing, Tournament
from evenboard_engine.systems.uschess.explaining.tracing import UsChessExplainer
from evenboard_engine.systems.uschess.field import UsChessRound
from evenboard_engine.systems.uschess.options import Occasion
from evenboard_engine.tests.systems.uschess.engine import worked
from evenboard_engine.tests.systems.uschess.enumeration import Man, Rules
from evenboard_engine.tests.systems.uschess.examples import examples
from evenboard_engine.words.explanation import Words
from evenboard_engine.words.registry import words_of

EXAMPLES = {example.name: example for example in examples()}


def explained(men: tuple[Man, ...], rules: Rules) -> UsChessExplainer:
    """Explain a round. The players have no games, so no rounds of earlier meetings are known."""
    work = worked(men, rules)
    numbers = tuple(entrant.number for entrant in work.field.entrants)
    initial = Colour.WHITE if rules.initial == "w" else Colour.BLACK
    occasion = Occasion(rules.round, rules.rounds, initial)
    tournament = Tournament(rounds=rules.rounds, round=rules.round, players=(), system="uschess")
    reading = UsChessRound(
        tournament, work.field, occasion, numbers, {key: at for at, key in enumerate(numbers)}
    )
    bye = None if work.bye is None else numbers[work.bye]
    return UsChessExplainer(tournament, RoundPairing(rules.round, (), bye), (reading, work))


def of_example(name: str) -> UsChessExplainer:
    return explained(EXAMPLES[name].men, EXAMPLES[name].rules)


def words() -> Words:
    tournament = Tournament(rounds=4, round=3, players=(), system="uschess")
    return words_of("uschess").explanation(str, tournament=tournament)


def bye_said(explainer: UsChessExplainer) -> list[str]:
    return [statement.text for statement in words().bye_given(explainer.trace.bye)]


def test_bye_is_said_with_its_reasons() -> None:
    assert bye_said(of_example("32")) == [
        "4 gets the bye.",
        "4 has had no full-point bye and has won no game by forfeit.",
        "4 has 0 points, the lowest score.",
        "4 has neither taken nor asked for a half-point bye. Players with such a bye come later.",
        "4 is rated. Unrated players come later.",
    ]


def test_bye_of_a_rated_player_says_the_rating() -> None:
    explainer = of_example("35")
    (lowest,) = (reason for reason in explainer.trace.bye.reasons if reason.code == "bye_rated_lowest")
    assert bye_said(explainer)[-1] == (
        f"Of the players who are left, {lowest.params['player']} is ranked lowest, with the rating "
        f"{lowest.params['rating']}."
    )


def test_only_player_of_a_score_group_is_not_called_the_lowest() -> None:
    reasons = of_example("8").player(1).answers[0].reasons
    assert [reason.code for reason in reasons] == ["float_natural", "gap_odd", "drop_only", "raise_highest"]


def test_two_who_do_not_meet_for_colours_are_first_said_to_be_due_the_same() -> None:
    why = words().reason(of_example("23").why_not(1, 3))
    assert why.text.startswith("Both are due White. If 1 met 3, then in their score group the sum of colour ")
    assert why.articles == ("29E4", "27A4", "29E5b")


def test_details_of_a_step_are_a_list_below_it() -> None:
    (bracket, *_others) = of_example("3").trace.brackets
    steps = words().steps_of_bracket(bracket)
    assert [step.text for step in words().bracket(bracket)] == [
        text for step in steps for text in (step.text, *(one.text for one in step.below))
    ]
    assert max(len(step.below) for step in steps) > 2


@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        ("33", ("bye_had_none", "bye_lowest_group", "bye_no_half", "bye_rated_cannot")),
        ("34", ("bye_had_none", "bye_lower_groups", "bye_rated_lowest")),
        ("35", ("bye_had_none", "bye_lowest_group", "bye_is_rated", "bye_rated_lowest")),
        ("36", ("bye_had_none", "bye_lowest_group", "bye_all_unrated", "bye_not_new")),
        ("37", ("bye_had_none", "bye_order_28l5")),
    ],
)
def test_bye_has_a_reason_for_each_rule_that_decides(name: str, reasons: tuple[str, ...]) -> None:
    assert tuple(reason.code for reason in of_example(name).trace.bye.reasons) == reasons


def test_rated_players_of_the_group_say_why_an_unrated_one_has_the_bye() -> None:
    passed = of_example("33").trace.bye.passed
    assert [(one.player, one.reason.code) for one in passed] == [
        (6, "bye_half"),
        (5, "bye_forfeit"),
        (4, "bye_full"),
    ]


def steps(explainer: UsChessExplainer) -> list[tuple[str, ...]]:
    """Codes and players of the switches of all groups."""
    return [
        (step.code, *(step.params[key] for key in ("player", "other") if key in step.params))
        for bracket in explainer.trace.brackets
        for step in bracket.steps
        if step.code.startswith(("would_", "switch"))
    ]


def test_switch_is_explained_by_the_pairs_that_would_repeat_a_game() -> None:
    assert steps(of_example("29")) == [
        ("would_repeat", 1, 4),
        ("would_repeat", 2, 5),
        ("would_repeat", 3, 6),
        ("switch", 1, 5),
        ("switch", 2, 6),
        ("switch", 3, 4),
    ]


def test_switch_is_explained_by_the_colours_that_both_are_due() -> None:
    assert steps(of_example("23")) == [
        ("would_be_due", 1, 3),
        ("would_be_due", 2, 4),
        ("switch", 1, 2),
        ("switch", 3, 4),
    ]


@pytest.mark.parametrize(("kind", "code"), [("team", "would_be_teammates"), ("club", "would_be_clubmates")])
@pytest.mark.parametrize("rule", ["if_required", "dont"])
def test_switch_is_explained_by_mates(kind: str, code: str, rule: str) -> None:
    codes = ("A", "B", "A", "C")
    men = tuple(
        Man(number, 2100 - 100 * number, 0, **{kind: code_of})
        for number, code_of in enumerate(codes, start=1)
    )
    found = explained(men, Rules(round=1, **{f"{kind}_rule": rule}))
    assert steps(found) == [(code, 1, 3), ("switch", 1, 4), ("switch", 2, 3)]


def test_both_players_of_a_switched_pair_are_told_whom_they_would_meet() -> None:
    found = of_example("29")
    answers = {key: found.player(key).answers[0].reasons for key in (1, 5)}
    assert {key: reasons[0].params["opponent"] for key, reasons in answers.items()} == {1: 4, 5: 2}
    met = [(reason.code, reason.params["player"], reason.params["other"]) for reason in answers[5][1:]]
    assert met == [("would_repeat", 1, 4), ("would_repeat", 2, 5)]


def test_float_by_ratings_names_the_place_of_both() -> None:
    reasons = of_example("5").player(25).answers[0].reasons
    assert [reason.code for reason in reasons] == ["float_natural", "gap_odd", "drop_lowest", "raise_highest"]
    assert (reasons[1].params["count"], reasons[1].params["points"]) == (25, 10)
    harkness = of_example("4").player(26).answers[0].reasons
    assert harkness[2].code == "drop_middle"
    unrated = of_example("11").player(2).answers[0].reasons
    assert unrated[2].code == "drop_lowest_rated"


def test_change_of_both_floaters_says_why_not_one_alone() -> None:
    reasons = of_example("3").player(2).answers[0].reasons
    assert [(reason.code, reason.params.get("other")) for reason in reasons][4:] == [
        ("met", 4),
        ("met", 5),
        ("met", 4),
    ]
