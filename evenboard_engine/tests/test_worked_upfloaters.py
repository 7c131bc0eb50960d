"""Choices of upfloaters worked out on paper from the rule text: the oracle and the engine must both find them.

Points come from byes, and upfloats from games that both players forfeited. Random rounds rarely reach these cases.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import pytest

from evenboard_engine.model import Bye, ByeKind, Colour, Game, Result, Tournament
from evenboard_engine.systems.dubov.options import UpfloatCount
from evenboard_engine.tests.worked import Answer, Pairs, by_oracle_and_engine, field, pairs_of

pytestmark = by_oracle_and_engine


def all_but(allowed: Iterable[tuple[int, int]], size: int) -> frozenset[tuple[int, int]]:
    """Return as forbidden all pairs of players 1 to size except these."""
    return frozenset(combinations(range(1, size + 1), 2)) - frozenset(allowed)


def with_scores(scores: dict[int, int]) -> tuple[Bye, ...]:
    """Return full-point byes from round 1 that give these scores, in tenths (0, 10, 20 ...)."""
    return tuple(
        Bye(number, player, ByeKind.FULL)
        for player, score in scores.items()
        for number in range(1, score // 10 + 1)
    )


def choice_of_upfloaters(allowed: set[tuple[int, int]], scores: dict[int, int], **more: object) -> Tournament:
    """Return round 5 of 14, in which only these pairs may meet and nobody has played."""
    settings: dict[str, object] = {
        "rounds": 14,
        "round": 5,
        "players": field(len(scores)),
        "byes": with_scores(scores),
        "forbidden": all_but(allowed, len(scores)),
        "initial_colour": Colour.WHITE,
    }
    return Tournament(**{**settings, **more})  # type: ignore[arg-type]


def test_c4_needs_upfloaters_even_if_the_residents_could_meet(answer: Answer) -> None:
    """1 and 2 could meet, but 3 and 4 below them could not."""
    tournament = choice_of_upfloaters({(1, 2), (1, 3), (2, 4)}, {1: 10, 2: 10, 3: 0, 4: 0})
    assert pairs_of(answer(tournament)) == {(1, 3), (4, 2)}


def test_c5_takes_no_more_upfloaters_than_needed(answer: Answer) -> None:
    tournament = choice_of_upfloaters({(1, 2), (1, 3), (2, 4), (3, 4)}, {1: 10, 2: 10, 3: 0, 4: 0})
    assert pairs_of(answer(tournament)) == {(1, 2), (3, 4)}


def test_c6_looks_at_the_lowest_score_first(answer: Answer) -> None:
    """{3, 6} with 30 and 10 tenths compared with {4, 5} with 20 and 20."""
    allowed = {(1, 3), (2, 6), (4, 5), (1, 4), (2, 5), (3, 6)}
    tournament = choice_of_upfloaters(allowed, {1: 40, 2: 40, 3: 30, 4: 20, 5: 20, 6: 10})
    assert pairs_of(answer(tournament)) == {(1, 4), (5, 2), (3, 6)}


def test_4_2_prefers_the_higher_ranking_if_all_else_is_equal(answer: Answer) -> None:
    allowed = {(1, 3), (1, 4), (2, 3), (2, 4), (3, 4), (1, 5), (2, 5), (3, 5), (4, 5), (5, 6), (4, 6)}
    tournament = choice_of_upfloaters(allowed, {1: 40, 2: 40, 3: 30, 4: 30, 5: 30, 6: 0})
    assert pairs_of(answer(tournament)) == {(1, 3), (4, 2), (5, 6)}


def test_c7_chooses_the_upfloater_who_is_due_the_other_colour(answer: Answer) -> None:
    """1 won with White and is due Black, as are 2 and 3 who drew with White; 4 drew with Black and floats up."""
    tournament = Tournament(
        rounds=5,
        round=2,
        players=field(8),
        games=(
            Game(1, 1, 5, Result.WHITE_WINS),
            Game(1, 2, 6, Result.DRAW),
            Game(1, 3, 7, Result.DRAW),
            Game(1, 8, 4, Result.DRAW),
        ),
        absent=frozenset({5, 6, 7, 8}),
    )
    assert pairs_of(answer(tournament)) == {(4, 1), (3, 2)}


RESIDENTS_1_2 = {(1, 5), (2, 6), (1, 3), (2, 4), (3, 4), (5, 6)}
"""Above are 1 and 2, who must not meet; {3, 4} and {5, 6} are the two possible sets of upfloaters."""


def with_upfloats(counts: dict[int, int], *, last: Iterable[int] = (), **more: object) -> Tournament:
    """Return round 13 of 14 (MaxT is 4).

    counts: how often players 3 to 6 were upfloated. last: those of them who were upfloated in round 12. Their
    opponents, 7 to 10, had one more full-point bye and are absent.
    """
    games = [
        Game(number, player + 4, player, Result.DOUBLE_FORFEIT)
        for player, count in counts.items()
        for number in range(3, 3 + count - (player in last))
    ]
    games += [Game(12, player + 4, player, Result.DOUBLE_FORFEIT) for player in last]
    settings: dict[str, object] = {
        "round": 13,
        "games": tuple(games),
        "absent": frozenset(range(7, 11)),
        "options": {"upfloats": UpfloatCount.PAIRED},
    }
    scores = {1: 20, 2: 20, 3: 10, 4: 10, 5: 10, 6: 10, 7: 20, 8: 20, 9: 20, 10: 20}
    return choice_of_upfloaters(RESIDENTS_1_2, scores, **{**settings, **more})


THREE_AND_FOUR = {(1, 3), (4, 2), (5, 6)}
FIVE_AND_SIX = {(1, 5), (6, 2), (3, 4)}


@pytest.mark.parametrize(
    ("counts", "pairs"),
    [
        ({}, THREE_AND_FOUR),
        ({3: 3, 4: 3}, THREE_AND_FOUR),
        ({3: 4}, FIVE_AND_SIX),
        ({3: 4, 5: 4, 6: 4}, THREE_AND_FOUR),
        ({3: 4, 4: 4, 5: 6}, FIVE_AND_SIX),
    ],
    ids=["nobody", "below MaxT", "one against none", "one against two", "two against one"],
)
def test_c8_counts_maximum_upfloaters(answer: Answer, counts: dict[int, int], pairs: Pairs) -> None:
    assert pairs_of(answer(with_upfloats(counts))) == pairs


@pytest.mark.parametrize(
    ("counts", "pairs"),
    [
        ({3: 5, 5: 4}, FIVE_AND_SIX),
        ({3: 4, 4: 5, 5: 4, 6: 4}, FIVE_AND_SIX),
        ({3: 4, 4: 6, 5: 5, 6: 5}, THREE_AND_FOUR),
        ({3: 5, 4: 5, 5: 4, 6: 6}, THREE_AND_FOUR),
        ({3: 4, 4: 3, 5: 4, 6: 0}, THREE_AND_FOUR),
    ],
    ids=["one each", "two each", "equal sums", "equal sums reversed", "others do not count"],
)
def test_c9_adds_the_upfloats_of_maximum_upfloaters(
    answer: Answer, counts: dict[int, int], pairs: Pairs
) -> None:
    """Reading D2: the sum decides, not the highest single count."""
    assert pairs_of(answer(with_upfloats(counts))) == pairs


def test_c8_comes_before_c9(answer: Answer) -> None:
    """One maximum upfloater with 9 upfloats is better than two with 4 each."""
    assert pairs_of(answer(with_upfloats({3: 4, 4: 4, 5: 9}))) == FIVE_AND_SIX


def test_c10_avoids_players_upfloated_in_the_previous_round(answer: Answer) -> None:
    assert pairs_of(answer(with_upfloats({4: 1}, last=[4]))) == FIVE_AND_SIX
    assert pairs_of(answer(with_upfloats({4: 2, 5: 1, 6: 1}, last=[4, 5, 6]))) == THREE_AND_FOUR


def test_c9_comes_before_c10(answer: Answer) -> None:
    assert pairs_of(answer(with_upfloats({3: 4, 5: 5}, last=[3]))) == THREE_AND_FOUR


def test_c8_to_c10_are_dropped_in_the_last_round(answer: Answer) -> None:
    assert pairs_of(answer(with_upfloats({3: 5, 4: 5}, last=[3, 4]))) == FIVE_AND_SIX
    assert pairs_of(answer(with_upfloats({3: 5, 4: 5}, last=[3, 4], rounds=13))) == THREE_AND_FOUR


def test_forfeited_games_are_no_upfloats_unless_pairings_count(answer: Answer) -> None:
    assert (
        pairs_of(answer(with_upfloats({3: 5, 4: 5}, options={"upfloats": UpfloatCount.PLAYED})))
        == THREE_AND_FOUR
    )
