"""The tie-breaks compared with definitions written from the text, on random tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from evenboard_engine.tests.random_results import random_results
from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.tests.tiebreak_comparison import CODES, differing
from evenboard_engine.tiebreaks import ranking, read_list, without_ratings


@for_seeds(400, in_a_case=200)
def test_swiss_tournaments_agree_with_the_definitions(seed: int) -> None:
    assert differing(seed) == []


@for_seeds(150, in_a_case=150)
def test_round_robins_agree_with_the_definitions(seed: int) -> None:
    assert differing(seed, fixed=True) == []


@for_seeds(120, in_a_case=120)
def test_points_by_decision_of_the_arbiter_agree_with_the_definitions(seed: int) -> None:
    """Decision 83: a bonus counts wherever the score of a player counts, and in no round."""
    assert differing(seed, fixed=seed % 4 == 0, ruled=True) == []


Item = TypeVar("Item")
SUMS = (
    ("BH", "BH/C1", "BH/C2", "BH/C3"),
    ("BH", "BH/M1", "BH/M2"),
    ("SB", "SB/C1", "SB/C2"),
    ("FB", "FB/C1", "FB/C2"),
)


@for_seeds(200, in_a_case=200)
def test_a_cut_never_raises_a_sum(seed: int) -> None:
    tournament = random_results(seed)
    for codes in (*SUMS, ("PS", "PS/C1", "PS/C2")):
        for values in ranking(tournament, read_list(",".join(codes))).values.values():
            assert list(values) == sorted(values, reverse=True), codes


@for_seeds(200, in_a_case=200)
def test_order_of_the_input_does_not_matter(seed: int) -> None:
    tournament = random_results(seed)
    rules = read_list(",".join(("PTS", *CODES)))
    mixed = replace(
        tournament,
        players=shuffled(seed, tournament.players),
        games=shuffled(seed, tournament.games),
        byes=shuffled(seed, tournament.byes),
    )
    found, again = ranking(tournament, rules), ranking(mixed, rules)
    assert found.values == again.values
    assert [set(group) for group in found.groups] == [set(group) for group in again.groups]


@for_seeds(100, in_a_case=100)
def test_each_tie_break_only_divides_players_who_are_tied(seed: int) -> None:
    """The order by a list is the order by its beginning, with some groups divided, and by its values."""
    tournament = random_results(seed)
    codes = shuffled(seed, CODES)[:5]
    before = ranking(tournament, read_list("PTS")).groups
    for length in range(1, 6):
        found = ranking(tournament, read_list(",".join(("PTS", *codes[:length]))))
        for group in before:
            parts = [part for part in found.groups if set(part) <= set(group)]
            assert {key for part in parts for key in part} == set(group)
        assert [found.values[group[0]] for group in found.groups] == sorted(
            (found.values[group[0]] for group in found.groups), reverse=True
        )
        before = found.groups


@for_seeds(100, in_a_case=100)
def test_players_who_are_left_out_keep_their_own_rating(seed: int) -> None:
    """Only tie-breaks from the ratings of opponents leave them out (VCL4THP.13 Q209)."""
    tournament = random_results(seed)
    rules = read_list("RTNG,RTNG/R,PT/ARO,PT/ARO97,PT/RTNG,PT/BH,BH,SB,DE")
    out = [player.id for player in tournament.players if player.tpn % 2]
    assert ranking(without_ratings(tournament, out), rules) == ranking(tournament, rules)


@for_seeds(50, in_a_case=50)
def test_tie_breaks_from_ratings_ignore_forfeits_as_games(seed: int) -> None:
    tournament = random_results(seed)
    for code in ("ARO", "ARO/C1", "ARO/M1", "TPR", "PTP", "APRO", "APPO"):
        assert ranking(tournament, read_list(f"{code}/P")).values == (
            ranking(tournament, read_list(code)).values
        )


def test_codes_are_computed_once_whatever_the_list() -> None:
    """A value does not depend on the tie-breaks before it, except that of direct encounter."""
    tournament = random_results(7)
    codes = [code for code in CODES if not code.startswith("DE")]
    together = ranking(tournament, read_list(",".join(codes))).values
    for at, code in enumerate(codes):
        alone = ranking(tournament, read_list(code)).values
        assert {key: values[at] for key, values in together.items()} == {
            key: value for key, (value,) in alone.items()
        }


def shuffled(seed: int, items: Sequence[Item]) -> tuple[Item, ...]:
    return tuple(Random(seed).sample(items, len(items)))
