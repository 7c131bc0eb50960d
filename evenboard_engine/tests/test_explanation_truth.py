"""Every sentence of the explanation is true of the round: it is read back, and compared with the oracle.

Nothing is taken from the codes: a sentence is recognised by its words, and its players and numbers are read from it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import pytest

from evenboard_engine import Game, Result, Tournament, pair_round
from evenboard_engine.model import Colour
from evenboard_engine.systems.dubov.explaining.why import OF_SCORES, DubovExplainer
from evenboard_engine.tests.brute_history import virtual_points
from evenboard_engine.tests.comparison import engine_answer
from evenboard_engine.tests.random_rounds import random_rounds
from evenboard_engine.tests.truth.scene import CHECKS, WORDS, Scene, ids
from evenboard_engine.tests.worked import field
from evenboard_engine.words.catalogue import Coloured, Counted, Sentence
from evenboard_engine.words.dubov.sentences import SENTENCES
from evenboard_engine.words.dubov.words import STEPS
from evenboard_engine.words.explanation import VIRTUAL

SEEDS = range(120)

TEXTS: dict[str, tuple[Sentence, ...]] = {
    **{code: (sentence,) for code, sentence in SENTENCES.items()},
    **{
        code: (sentence,)
        for code, sentence in STEPS.items()
        if not code.startswith("due_") and code != "floated"
    },
    "due": (STEPS["due_white"], STEPS["due_black"]),
}
"""The sentences of a statement, by code; two of them stand together. "floated" has the words of "upfloaters"."""

PLAYERS = r"[P\d,; ]+(?:(?: and| or) P\d+)?"

ONE_PLAYER = r"P\d+"

PATTERNS = {
    **dict.fromkeys(("players", "stuck", "opponents", "passers", "others", "numbers", "player"), PLAYERS),
    **dict.fromkeys(("other", "opponent", "by", "white", "black", "higher", "granted"), ONE_PLAYER),
    "colour": "White|Black",
    "initial": "White|Black",
    "side": "G1|G2",
    "other_side": "G1|G2",
    "points": r"[\d½.]+ points?",
    "rounds": r"\d+(?:, \d+)*(?: and \d+)?",
}

WITH_NUMBERS = r"P\d+ \((?:no ARO|[\d½.+]+)\)(?:(?:, | and )P\d+ \((?:no ARO|[\d½.+]+)\))*"


def _pattern(sentences: Iterable[str], code: str) -> re.Pattern[str]:
    parts = []
    for at, text in enumerate(re.split(r"%\((\w+)\)s", " ".join(sentences))):
        name = text if at % 2 else ""
        parts.append("" if name else re.escape(text))
        if name:
            numbered = name == "players" and code in ("s1", "pool_by_aro", "virtual")
            free = WITH_NUMBERS if numbered else PATTERNS.get(name, r"\d+")
            parts.append(
                f"(?P={name})" if any(f"?P<{name}>" in part for part in parts) else f"(?P<{name}>{free})"
            )
    return re.compile("".join(parts))


def _with_colour(white: str, black: str) -> str:
    """Return the text of both colours with a placeholder for the word in which they differ."""
    words = zip(white.split(" "), black.split(" "), strict=True)
    return " ".join(one if one == other else one.replace("White", "%(colour)s") for one, other in words)


def _forms(sentence: Sentence) -> tuple[str, ...]:
    if isinstance(sentence, Coloured):
        return tuple(map(_with_colour, _forms(sentence.white), _forms(sentence.black)))
    return (sentence.one, sentence.many) if isinstance(sentence, Counted) else (sentence,)


@lru_cache(maxsize=1)
def patterns() -> list[tuple[str, re.Pattern[str]]]:
    found = []
    for code, sentences in TEXTS.items():
        forms = [()]
        for sentence in sentences:
            forms = [(*before, form) for before in forms for form in _forms(sentence)]  # type: ignore[misc]
        found += [(code, _pattern(form, code)) for form in forms]
    return found


def read(text: str) -> tuple[str, dict[str, str]]:
    """Return the code of the one sentence with these words, and the values in it."""
    matches = [
        (code, match.groupdict()) for code, pattern in patterns() if (match := pattern.fullmatch(text))
    ]
    assert len({code for code, _ in matches}) == 1, text
    return matches[0]


LENT = VIRTUAL.partition("%")[0]


def virtual_now(scene: Scene, key: int) -> int:
    return virtual_points(scene.tournament, key, scene.tournament.round)


def held(scene: Scene) -> Counter[str]:
    """Check every sentence about a round with the oracle. Returns how often each sentence was used."""
    used: Counter[str] = Counter()
    for statement, bracket in scene.statements():
        text, begins, lent = statement.text.partition(f" {LENT}")
        code, values = read(text)
        scene.bracket = None
        if begins:
            assert CHECKS["virtual"](scene, {"players": lent}), (scene.tournament, statement.text)
        if code in OF_SCORES and code.startswith("bye_"):
            named = {scene.one(values), scene.two(values)}
            assert {*ids(lent)} == {key for key in named if virtual_now(scene, key)}, statement.text
        scene.bracket = bracket
        assert CHECKS[code](scene, {**values, "code": code}), (scene.tournament, statement.text)
        used[code] += 1
    return used


def test_every_sentence_is_checked() -> None:
    assert set(CHECKS) == set(TEXTS)


@pytest.mark.slow
def test_sentences_are_true_of_random_rounds() -> None:
    used: Counter[str] = Counter()
    for seed in SEEDS:
        for tournament, answer in random_rounds(seed, engine_answer):
            if answer is not None:
                used += held(Scene(tournament))
    rare = {"meet_maximum", "meet_times", "meet_again", "unlisted"}
    assert set(TEXTS) - set(used) <= rare


@pytest.mark.parametrize("seed", [919, 2528])
def test_sentences_are_true_of_rare_rounds(seed: int) -> None:
    for tournament, answer in random_rounds(seed, engine_answer):
        if answer is not None:
            held(Scene(tournament))


def test_player_who_moves_down_does_not_keep_the_order_in_the_sentences() -> None:
    """1 to 4 meet 5 to 8. 1 must not meet 5, so 2 meets 5, and 1 meets 6."""
    tournament = Tournament(
        rounds=5, round=1, players=field(8), forbidden=frozenset({(1, 5)}), initial_colour=Colour.WHITE
    )
    explainer = DubovExplainer(tournament, pair_round(tournament))
    statements = {key: WORDS.reasons(explainer.player(key).answers[0].reasons) for key in (5, 6, 7)}
    apart = "The arbiter keeps P1 and P5 apart. This is outside FIDE's rules."
    assert [one.text for one in statements[5]] == [
        "P5 moves down from place 1 to place 2 because P1 cannot be paired with P5.",
        apart,
    ]
    assert [one.text for one in statements[6]] == [
        "P6 moves up from place 2 to place 1 because P1 cannot be paired with P5.",
        apart,
    ]
    assert [one.text for one in statements[7]] == [
        "P7 and P3 meet because both have place 3 in the order of their side."
    ]


def test_player_who_moves_down_is_said_to_have_met_the_opponent() -> None:
    """All games of round 1 are drawn. In round 2, 6 is second in S1, and 3 is second in G2; the two have met."""
    first = Tournament(rounds=5, round=1, players=field(6), initial_colour=Colour.WHITE)
    games = tuple(Game(1, pair.white, pair.black, Result.DRAW) for pair in pair_round(first).pairs)
    second = replace(first, round=2, games=games)
    explainer = DubovExplainer(second, pair_round(second))
    down = "P3 moves down from place 2 to place 3 because P6 has already met P3."
    up = "P5 moves up from place 3 to place 2 because P6 has already met P3."
    for players, moved in (((3, 4), down), ((5, 6), up)):
        for player in players:
            statements = WORDS.reasons(explainer.player(player).answers[0].reasons)
            assert (statements[0].text, statements[0].articles) == (moved, ("C1 3.1.1", "2.2.6"))
