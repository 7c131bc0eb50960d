"""Each sentence of an explanation of the Dutch System is true: the literal search recomputes it."""

from __future__ import annotations

import re
from random import Random

import pytest

from evenboard_engine.model import Acceleration, Bye, ByeKind, Result, Tournament
from evenboard_engine.systems.dutch.explaining import verdicts
from evenboard_engine.systems.dutch.explaining.reasons import BY_KEY, REASONS
from evenboard_engine.systems.dutch.explaining.tracing import pair_and_trace
from evenboard_engine.systems.dutch.explaining.why import DutchExplainer
from evenboard_engine.systems.dutch.pairing import exact
from evenboard_engine.tests.rules import build
from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.tests.systems.dutch.claims import CRITERIA, DECIDED, VERDICTS, Claims
from evenboard_engine.tests.systems.dutch.dutch_rounds import crowded_round, dutch_rounds, literal_answer
from evenboard_engine.tests.systems.dutch.examples import examples
from evenboard_engine.tests.systems.dutch.literal_search import LiteralRound
from evenboard_engine.trace import Reason
from evenboard_engine.words.dutch.sentences import SENTENCES
from evenboard_engine.words.dutch.sentences import VERDICTS as SAID
from evenboard_engine.words.dutch.words import DutchWords

UP_TO_EIGHT = (4, 5, 6, 6, 7, 7, 8)


def is_true(claims: Claims, player: int, reason: Reason) -> bool:
    """Return whether a reason about players is true. The player whom a pair is about is one of its two."""
    code = reason.code
    if code in VERDICTS:
        return claims.verdict(reason)
    if code in ("met", "forbidden", "absolute"):
        return claims.apart(reason)
    if code == "virtual":
        bye = () if claims.found.bye is None else (claims.found.bye,)
        return claims.virtual(
            reason.params, next((pair for pair in claims.found.pairs if player in pair), bye)
        )
    if code in ("row", "first_free", "moved_pair", "floated", "alone", "no_opponent", "no_resident"):
        return claims.row(player, reason)
    if code.startswith("bye_"):
        return claims.of_bye(reason)
    if code == "has_bye":
        return reason.params["player"] == claims.found.bye
    if code == "paired":
        names = reason.params["player"], reason.params["other"]
        return names in claims.found.pairs or names[::-1] in claims.found.pairs
    if code == "not_here":
        return reason.params["player"] not in claims.place
    if code == "colour_again":
        return claims.man(reason.params["player"]).colours[-1] == reason.params["colour"].value.upper()
    return claims.colours(reason)


def check_seed(seed: int) -> None:
    for tournament, found in dutch_rounds(seed, UP_TO_EIGHT):
        if found is not None:
            check_everything(tournament, found)


@for_seeds(40, in_a_case=40)
def test_everything_that_is_said_is_true(seed: int) -> None:
    check_seed(seed)


@for_seeds(15, in_a_case=15)
def test_everything_that_is_said_by_kinds_is_true(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bracket is compared as if it were large."""
    monkeypatch.setattr(exact, "MANY", 0)
    for module in (exact, verdicts):
        monkeypatch.setattr(module, "has_few_edges", lambda _rows: False)
    monkeypatch.setattr(verdicts, "COMPARED_TOGETHER", 0)
    check_seed(40 + seed)


def test_everything_that_is_said_of_the_examples_is_true() -> None:
    """They have the reasons that random rounds rarely have."""
    codes: set[str] = set()
    for example in examples():
        found = literal_answer(example.tournament)
        if found is not None and len(example.tournament.players) <= 8:
            codes |= check_everything(example.tournament, found)
    assert set(REASONS) - codes == {
        *(
            "gap_up_before",
            "later_exchange_up",
            "later_opponent",
            "next_floaters",
            "no_legal_round",
            "up_before",
        )
    }


def test_colour_difference_alone_is_what_a_topscorer_exceeds() -> None:
    """1 and 2 had White, White, Black, White. They meet in the last round, and 2 has White again, but not thrice."""
    won = ((1, 1, 3), (1, 2, 4), (2, 1, 5), (2, 2, 6), (4, 1, 4), (4, 2, 3))
    lost = ((3, 7, 1), (3, 8, 2))
    given = build.tournament(
        8,
        *((*game, Result.WHITE_WINS) for game in won),
        *((*game, Result.BLACK_WINS) for game in lost),
        at=5,
        rounds=5,
        system="dutch",
    )
    found = literal_answer(given)
    assert found is not None
    codes = check_everything(given, found)
    assert (2, 1) in found.pairs
    assert "lifted_difference" in codes
    assert "lifted_third" not in codes


def check_everything(tournament: Tournament, found: LiteralRound) -> set[str]:
    """Check all reasons of a round, and return their codes."""
    claims = Claims(tournament, found)
    pairing = pair_and_trace(tournament)
    explainer = DutchExplainer(tournament, pairing)
    words = DutchWords(lambda key: f"P{key} A.", tournament=tournament)
    assert explainer.trace == pairing.trace
    reasons_of_round = [
        *explainer.trace.bye.reasons,
        *(passed.reason for passed in explainer.trace.bye.passed),
    ]
    assert all(is_true(claims, 0, reason) for reason in reasons_of_round)
    criteria = {code: name for name, code in CRITERIA.items()}
    parts = {**criteria, **dict.fromkeys(BY_KEY, "bye_later"), "rest_bye": "bye_stuck"}
    bye = explainer.trace.bye
    assert {
        player: reason.params.get("criterion", reason.code)
        for reason in bye.reasons
        if reason.code in DECIDED
        for player in reason.params["players"]
    } == {one.player: parts[one.reason.code] for one in bye.passed if one.reason.code in parts}
    for bracket in explainer.trace.brackets:
        for step in bracket.steps:
            assert claims.step(bracket, step), step
        reasons_of_round += bracket.steps
    for player in tournament.players:
        reasons = [reason for answer in explainer.player(player.id).answers for reason in answer.reasons]
        reasons.append(explainer.why_not_bye(player.id))
        assert claims.names_virtual(reasons[-1], player.id, pairing.bye or 0)
        for other in (one.id for one in tournament.players if one.tpn > player.tpn):
            reasons.append(explainer.why_not(player.id, other))
            assert claims.names_virtual(reasons[-1], player.id, other)
        for reason in reasons:
            assert is_true(claims, player.id, reason), reason
        reasons_of_round += reasons
    for statement in words.reasons(reasons_of_round):
        assert statement.text
        assert "%" not in statement.text
        assert ".." not in statement.text
    return {reason.code for reason in reasons_of_round}


def test_higher_score_for_the_bye_names_its_virtual_points() -> None:
    """Before round 1 nobody has a point: 1 has a higher score than 5 only by acceleration."""
    given = build.tournament(
        5, at=1, system="dutch", accelerations=(Acceleration(1, 2, 10, frozenset({1, 2})),)
    )
    why = DutchExplainer(given, pair_and_trace(given))
    words = DutchWords(lambda key: f"P{key}", tournament=given)
    lent = "Scores here include virtual points of the acceleration:"
    assert (
        words.reason(why.why_not_bye(1)).text
        == f"P1 has a higher score than P5, who has the bye. {lent} P1 (+1)."
    )
    assert words.reason(why.why_not(1, 3)).text.endswith(f"{lent} P1 (+1).")
    assert lent not in words.reason(why.why_not_bye(3)).text


def test_bye_says_that_the_last_player_has_an_unplayed_game() -> None:
    """7 was absent in round 1. Of those who lost, the last who may float has the bye."""
    lost = ((1, 1, 4), (1, 5, 2), (1, 3, 6))
    results = (Result.WHITE_WINS, Result.BLACK_WINS, Result.WHITE_WINS)
    games = [(*game, result) for game, result in zip(lost, results, strict=True)]
    given = build.tournament(7, *games, byes=(Bye(1, 7, ByeKind.ZERO),), at=2, system="dutch")
    found = literal_answer(given)
    assert found is not None
    check_everything(given, found)
    reasons = pair_and_trace(given).trace.bye.reasons
    assert Reason("bye_able", {"count": 3}) in reasons
    assert Reason("bye_worse", {"players": (7,), "criterion": "C9"}) in reasons


def test_bye_of_a_large_bracket_compares_the_nearest_before_its_holder() -> None:
    bye = pair_and_trace(build.tournament(15, at=1, system="dutch")).trace.bye
    assert (bye.player, [one.player for one in bye.passed]) == (15, [14, 13, 12, 11])
    assert [reason.code for reason in bye.reasons] == ["bye_lowest", "bye_able"]


def test_round_says_why_the_first_row_has_another_opponent() -> None:
    """All drew round 1. 1 has met 5. 3 meets 5, the first of S2; 4 meets 6, and only 5 comes before 6."""
    drawn = ((1, *pair, Result.DRAW) for pair in ((1, 5), (6, 2), (3, 7), (8, 4)))
    given = build.tournament(8, *drawn, at=2, system="dutch")
    explainer = DutchExplainer(given, pair_and_trace(given))
    (bracket,) = explainer.trace.brackets
    words = DutchWords(lambda key: f"P{key}", tournament=given)
    step = words.steps_of_bracket(bracket)[1]
    assert "(BSN): P1, P2, P3, P4, P5, P6, P7 and P8." in step.text
    assert step.text.endswith("The first is row 1, where P1 does not meet P5.")
    assert [each.text for each in step.below] == ["P1 and P5 have already met in round 1."]
    codes = [[reason.code for reason in explainer.player(player).answers[0].reasons] for player in (3, 4)]
    assert codes == [["row"], ["row", "first_free"]]


def test_row_of_a_large_bracket_compares_those_whom_it_passed() -> None:
    """All of 84 drew round 1, so they are one bracket, in which 1 and 43 have met, and 1 and 44 are due Black."""
    drawn = tuple((1, *((n, n + 42) if n % 2 else (n + 42, n)), Result.DRAW) for n in range(1, 43))
    given = build.tournament(84, *drawn, at=2, system="dutch")
    (bracket,) = pair_and_trace(given).trace.brackets
    reasons = [passed.reason for pair in bracket.pairs[:2] for passed in pair.passed]
    assert {reason.code for reason in reasons} == {"met", "colour"}
    explainer = DutchExplainer(given, pair_and_trace(given))
    compared = [Reason(r.code, r.params) for r in reasons if r.code != "met"]
    assert compared == [explainer.why_not(r.params["player"], r.params["other"]) for r in compared]


def test_each_bracket_that_a_floater_passed_says_why_it_did_not_pair_the_player() -> None:
    """1 has 2 points and has met 2 (1 point) and 3, so 1 meets 4, two brackets further down."""
    won = ((1, 1, 2, Result.WHITE_WINS), (1, 3, 4, Result.DRAW), (2, 3, 1, Result.BLACK_WINS))
    given = build.tournament(4, *won, (2, 2, 4, Result.WHITE_WINS), system="dutch")
    explained = DutchExplainer(given, pair_and_trace(given)).player(1)
    reasons = [(one.code, one.params.get("bracket")) for one in explained.answers[0].reasons]
    assert explained.opponent == 4
    assert [one for one in reasons if one[0] in ("alone", "no_opponent", "no_resident")] == [
        ("alone", 20),
        ("no_resident", 10),
    ]


@pytest.mark.parametrize(
    ("seed", "code"), [(1044, "rest_bye"), (2252, "higher_floaters")], ids=["the rest", "a criterion"]
)
def test_another_player_with_the_bye_does_not_only_float(seed: int, code: str) -> None:
    """Of three floaters one has the bye. Number 4 could be one of them, but the bye would go to another one."""
    given = crowded_round(Random(seed), (7, 9, 11))
    found = literal_answer(given)
    assert found is not None
    check_everything(given, found)
    assert DutchExplainer(given, pair_and_trace(given)).why_not_bye(4).code == code


def test_two_who_moved_down_may_meet_but_then_the_round_cannot_be_completed() -> None:
    """1 and 2 may meet each other and not 3. Of 4, 5 and 6, two would be left who must not meet."""
    asked = {1: ByeKind.FULL, 2: ByeKind.FULL, 3: ByeKind.HALF}
    byes = tuple(Bye(1, one, asked.get(one, ByeKind.ZERO)) for one in range(1, 7))
    apart = frozenset({(1, 3), (2, 3), (4, 5), (4, 6), (5, 6)})
    given = build.tournament(6, byes=byes, forbidden=apart, at=2, system="dutch")
    found = literal_answer(given)
    assert found is not None
    check_everything(given, found)
    first, second, _last = pair_and_trace(given).trace.brackets
    assert [step.code for step in first.steps] == ["residents", "floaters", "pairs_none_rest"]
    assert [step.code for step in second.steps] == [
        *("residents", "moved_down", "floaters", "pairs_none_rest", "limbo", "no_resident", "no_resident")
    ]


def test_floaters_of_before_are_counted_with_the_score_of_the_bracket() -> None:
    """C14 and C16 are of residents: who is in limbo floats as well, and does not count."""
    words = DutchWords(str, tournament=build.tournament(2, system="dutch"))
    numbers = {"player": 1, "bracket": 15, "found": 1, "best": 0}
    for code in ("down_last", "down_before"):
        assert "the number of floaters with 1½ points who also" in words.reason(Reason(code, numbers)).text


def test_every_reason_has_a_sentence() -> None:
    assert set(SENTENCES) == set(REASONS)
    assert set(SAID) == VERDICTS


def test_sentences_have_no_placeholder_but_names() -> None:
    for sentence in map(str, SENTENCES.values()):
        assert not re.search(r"%(?!\(\w+\)s)", sentence)
