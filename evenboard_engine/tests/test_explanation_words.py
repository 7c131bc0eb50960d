"""Test the sentences of the explanation: every code has one, and it uses only parameters of the code."""

from __future__ import annotations

import re

import pytest

from evenboard_engine import Acceleration, pair_round
from evenboard_engine.model import Colour, Tournament
from evenboard_engine.systems.dubov.articles import DubovRule, article
from evenboard_engine.systems.dubov.explaining.reasons import REASONS
from evenboard_engine.systems.dubov.explaining.why import DubovExplainer
from evenboard_engine.systems.dubov.options import Edition
from evenboard_engine.tests.comparison import engine_answer
from evenboard_engine.tests.random_rounds import random_rounds
from evenboard_engine.tests.worked import field
from evenboard_engine.trace import QUESTIONS as ASKED
from evenboard_engine.trace import Reason, WhyAnswer
from evenboard_engine.words.catalogue import QUESTIONS, Coloured, Counted, Language, Sentence, points_text
from evenboard_engine.words.dubov.sentences import SENTENCES
from evenboard_engine.words.dubov.words import DubovWords

OF = {edition: Tournament(rounds=1, round=1, players=(), options={"edition": edition}) for edition in Edition}
WORDS = DubovWords(lambda key: f"P{key}", tournament=OF[Edition.E2025])


def forms_of(sentence: Sentence) -> tuple[str, ...]:
    if isinstance(sentence, Coloured):
        return forms_of(sentence.white) + forms_of(sentence.black)
    return (sentence.one, sentence.many) if isinstance(sentence, Counted) else (sentence,)


@pytest.mark.parametrize("code", sorted(REASONS))
def test_every_reason_has_a_sentence_with_its_parameters(code: str) -> None:
    named = {name for form in forms_of(SENTENCES[code]) for name in re.findall(r"%\((\w+)\)s", form)}
    assert named <= set(REASONS[code][1])


def test_every_sentence_belongs_to_a_reason() -> None:
    assert set(SENTENCES) == {*REASONS, "blocked_alone"}


def test_every_question_has_words() -> None:
    assert set(QUESTIONS) == {*ASKED, "colour_again"}


@pytest.mark.parametrize("edition", list(Edition))
def test_every_article_is_one_of_the_edition(edition: Edition) -> None:
    numbers = [article(DubovRule(number), edition) for articles, _ in REASONS.values() for number in articles]
    assert all(numbers)


@pytest.mark.parametrize("seed", range(12))
def test_random_rounds_have_a_sentence_for_everything(seed: int) -> None:
    for tournament, answer in random_rounds(seed, engine_answer):
        if answer is None:
            continue
        explainer = DubovExplainer(tournament, pair_round(tournament))
        statements = WORDS.bye(explainer.trace.bye)
        for bracket in explainer.trace.brackets:
            statements += WORDS.bracket(bracket)
        for player in tournament.players:
            explanation = explainer.player(player.id)
            for asked in explanation.answers:
                statements += WORDS.reasons(asked.reasons)
                assert "%" not in WORDS.question(
                    asked, explanation.player, explanation.opponent, Colour.WHITE
                )
        assert [one.text for one in statements if "%" in one.text or not one.text] == []


def test_sentences_of_a_bracket_follow_the_handbook() -> None:
    tournament = Tournament(rounds=5, round=1, players=field(4), initial_colour=Colour.WHITE)
    explainer = DubovExplainer(tournament, pair_round(tournament))
    statements = WORDS.bracket(explainer.trace.brackets[0])
    assert [(one.text, one.articles) for one in statements] == [
        ("4 players with 0 points are still to be paired.", ("1.3.1",)),
        ("They can all be paired with each other, so nobody is floated up.", ("2.2.1",)),
        (
            "Nobody here has played. G1 is the first half by pairing number (2), G2 is the second half (2).",
            ("2.2.3.1",),
        ),
        ("Both sides are equal, so nobody changes sides.", ("2.2.4",)),
        (
            "G1 is put in order of pairing numbers, because nobody has an ARO yet (S1): P1 and P2.",
            ("2.2.5",),
        ),
        ("G2 is put in order of pairing numbers: P3 and P4.", ("4.4",)),
        ("Each player meets the one at the same place on the other side.", ("2.2.6",)),
    ]


def test_players_with_the_same_reason_share_a_sentence() -> None:
    reasons = [Reason("up_colours", {"player": key}) for key in (1, 2, 3)]
    (statement,) = WORDS.reasons(reasons)
    assert (
        statement.text == "With P1, P2 or P3 floated up, more players would not get the colour they are due."
    )
    assert statement.articles == ("C7 3.3.3",)


def test_player_left_without_an_opponent_is_named() -> None:
    reason = Reason("blocked", {"player": 1, "other": 2, "stuck": (3,), "opponents": ()})
    assert WORDS.reason(reason).text == "If P1 played P2, P3 would have no opponent left."


def test_edition_numbers_the_articles() -> None:
    words = DubovWords(str, tournament=OF[Edition.E2026])
    assert words.reason(Reason("met", {"player": 1, "other": 2, "rounds": (3, 4)})).articles == ("C1 2.1.1",)


def test_virtual_points_are_named_with_their_players() -> None:
    tournament = Tournament(
        rounds=5,
        round=1,
        players=field(4),
        initial_colour=Colour.WHITE,
        accelerations=(Acceleration(1, 1, 10, frozenset({1})), Acceleration(1, 1, 5, frozenset({2}))),
    )
    trace = pair_round(tournament, trace=True).trace
    assert trace is not None
    statement = WORDS.bracket(trace.brackets[0])[1]
    assert (statement.text, statement.articles) == (
        "Scores here include virtual points of the acceleration: P1 (+1) and P2 (+½).",
        (),
    )


def test_long_lists_are_cut() -> None:
    words = DubovWords(str, tournament=OF[Edition.E2025], longest=2)
    reason = Reason("count_residents", {"residents": 9, "count": 3, "players": (1, 2, 3, 4)})
    assert "left over: 1, 2 and 2 more." in words.reason(reason).text


def test_names_with_commas_are_separated_by_semicolons() -> None:
    words = DubovWords({1: "Short, Nigel", 2: "Tal, Mikhail"}.__getitem__, tournament=OF[Edition.E2025])
    reason = Reason("blocked", {"player": 1, "other": 2, "stuck": (1, 2), "opponents": (1,)})
    assert "Short, Nigel; Tal, Mikhail would have only" in words.reason(reason).text


def test_sentences_have_singular_and_plural() -> None:
    met = [Reason("met", {"player": 1, "other": 2, "rounds": rounds}) for rounds in ((3,), (3, 5))]
    assert [WORDS.reason(one).text for one in met] == [
        "P1 and P2 have already met in round 3.",
        "P1 and P2 have already met in rounds 3 and 5.",
    ]
    moved = [
        Reason("pair_down_met", {"player": 38, "passers": passers, "place": 1, "row": 2})
        for passers in ((100,), (100, 101))
    ]
    assert [WORDS.reason(one).text for one in moved] == [
        "P38 moves down from place 1 to place 2 because P100 has already met P38.",
        "P38 moves down from place 1 to place 2 because P100 and P101 have already met P38.",
    ]


def test_plural_follows_the_language() -> None:
    """Uses a translation whose plural begins at 3, as in some languages."""
    language = Language(ngettext=lambda one, many, number: many if number > 2 else one)
    words = DubovWords(str, tournament=OF[Edition.E2025], language=language)
    reason = Reason("met", {"player": 1, "other": 2, "rounds": (3, 4)})
    assert words.reason(reason).text == "1 and 2 have already met in round 3 and 4."


@pytest.mark.parametrize(
    ("tenths", "text"), [(10, "1 point"), (5, "½ point"), (0, "0 points"), (15, "1½ points")]
)
def test_points_have_their_noun(tenths: int, text: str) -> None:
    assert WORDS.points(tenths) == text


def test_question_about_a_repeated_colour_says_again() -> None:
    again = Reason("colour_again", {"player": 1, "colour": Colour.BLACK, "round": 2})
    assert (
        WORDS.question(WhyAnswer("colour", (again,)), 1, 2, Colour.BLACK)
        == "Why does the player have Black again?"
    )
    assert WORDS.question(WhyAnswer("colour", ()), 1, 2, Colour.WHITE) == "Why does the player have White?"
    floated = WORDS.question(WhyAnswer("opponent_upfloated", ()), 1, 2, Colour.WHITE)
    assert floated == "Why was P2 floated up to play P1?"
    assert WORDS.question(WhyAnswer("opponent", ()), 1, 2, Colour.WHITE) == "Why is P2 the opponent?"


@pytest.mark.parametrize(("tenths", "text"), [(45, "4½"), (5, "½"), (0, "0"), (100, "10"), (12, "1.2")])
def test_points_are_written_with_halves(tenths: int, text: str) -> None:
    assert points_text(tenths) == text
