"""Readings that pair nearly all rounds alike, and of which the worked examples and random rounds show little."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenboard_engine import Acceleration, Bye, ByeKind, NoLegalPairing, PointSystem, Result, Tournament
from evenboard_engine.acceleration import suits_baku
from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.model import Ruling
from evenboard_engine.preference import Strength
from evenboard_engine.systems.colours import colour_due
from evenboard_engine.systems.dutch.articles import DutchRule
from evenboard_engine.systems.dutch.pairing import exact, pair_round
from evenboard_engine.systems.dutch.pairing.colours import DutchColourAllocator
from evenboard_engine.systems.dutch.pairing.costs import BracketCosts, Criterion
from evenboard_engine.systems.dutch.pairing.exact import key_of, quality_of
from evenboard_engine.systems.dutch.pairing.field import DutchField
from evenboard_engine.tests.rules.build import tournament
from evenboard_engine.tests.systems.dutch.comparison import compare_seed
from evenboard_engine.tests.systems.dutch.examples import examples
from evenboard_engine.tests.systems.dutch.literal_search import literal_round

WIN, DRAW = Result.WHITE_WINS, Result.DRAW


def test_exchange_has_the_numbers_of_the_remainder_and_a_floater_of_s1_moves_down() -> None:
    """1 moved down and meets 2. The remainder 3 to 7 has the numbers 1 to 5; 3 floats, so 5 joins S1."""
    assert key_of([1], [2, 3, 4, 5, 6, 7], [(1, 2), (4, 6), (5, 7)]) == [
        (DutchRule.MOVED_DOWN_SET, (1,)),
        (DutchRule.TRANSPOSITION, (2,)),
        (DutchRule.FEWEST_EXCHANGED, (1,)),
        (DutchRule.LEAST_SUM, (2,)),
        (DutchRule.MOVED_DOWN_FIRST, (-1,)),
        (DutchRule.MOVED_UP_FIRST, (3,)),
        (DutchRule.TRANSPOSITION, (4, 5)),
    ]


def test_absent_players_make_no_bracket_and_no_bye() -> None:
    """3 and 6 have half a point and are away. Nobody is over."""
    pairing = pair_round(
        tournament(6, (1, 1, 4, WIN), (1, 2, 5, WIN), (1, 3, 6, DRAW), absent=frozenset({3, 6}))
    )
    assert ([bracket.score for bracket in pairing.brackets], pairing.bye) == ([10, 0], None)


def test_points_by_decision_make_a_bracket_of_their_own() -> None:
    pairing = pair_round(tournament(4, at=1, rulings=(Ruling(1, 0, 7),)))
    assert [(bracket.score, bracket.floaters) for bracket in pairing.brackets] == [(7, (1,)), (0, ())]


def test_bye_goes_to_nobody_of_another_score() -> None:
    """1 has a point, 2 and 3 have none. The bye for half a point would be for nobody, not for the lower ones."""
    given = tournament(3, (1, 1, 2, WIN), byes=(Bye(1, 3, ByeKind.ZERO),))
    field = DutchField(given)
    colours = DutchColourAllocator(field, given.initial_colour)
    able = [quality_of(field, colours, [], [0], [[1, 2]], score, []) is not None for score in (10, 0, 5)]
    assert able == [True, True, False]


def test_no_round_exists_if_everybody_present_is_barred_from_the_bye() -> None:
    byes = tuple(Bye(number, number, ByeKind.ALLOCATED) for number in (1, 2, 3))
    with pytest.raises(NoLegalPairing, match="no_bye"):
        pair_round(tournament(3, byes=byes, at=4))


@pytest.mark.parametrize(("sides", "due"), [("WWWWBB", "B"), ("WWWBB", "W"), ("BBWW", "B")])
def test_difference_above_one_decides_before_the_last_two_games(sides: str, due: str) -> None:
    """Each preference is absolute. The first player was paired by hand."""
    side = {"W": WHITE_SIDE, "B": BLACK_SIDE}
    assert colour_due(bytes(map(side.__getitem__, sides))) == (side[due], Strength.ABSOLUTE)


def test_unplayed_games_count_only_where_one_player_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    """C9. The literal search pairs a round of this seed otherwise than an engine that always counts them."""

    def always(graph: exact.BracketGraph) -> tuple[list[int], dict[Criterion, int]] | None:
        mate = graph._first()
        return mate and (mate, graph.costs.layout.read(graph._total(mate)))

    assert not compare_seed(588).differences
    monkeypatch.setattr(exact.BracketGraph, "best", always)
    assert compare_seed(588).differences


def test_players_in_limbo_are_of_the_next_bracket(monkeypatch: pytest.MonkeyPatch) -> None:
    """C8 counts them. The literal search pairs a round of this seed otherwise than an engine that forgets them."""
    floater = BracketCosts.floater

    def of_residents(costs: BracketCosts, one: int, opponent: int | None) -> int:
        cost, score = floater(costs, one, opponent), costs.field.score[one]
        forgotten = one in costs.moved and opponent not in costs.following
        return cost - forgotten * sum(costs.layout.unit[Criterion("C8", of)] for of in (None, score))

    assert not compare_seed(1517).differences
    monkeypatch.setattr(BracketCosts, "floater", of_residents)
    assert compare_seed(1517).differences


# Sections of the text without a worked example: colours and numbers, the bye, the last round, acceleration.


def colours(given: Tournament) -> set[tuple[int, int]]:
    return {(pair.white, pair.black) for pair in pair_round(given).pairs}


def test_who_has_arrived_is_numbered_for_ever_and_an_entry_without_an_opponent_is_no_arrival() -> None:
    """5.2.5, GHR 2.4: 1 played round 1 and is away, so 2 is number 2. If 1 only had a full bye, 2 is number 1."""
    others = ((1, 4, 5, DRAW),)
    played = tournament(6, (1, 1, 6, DRAW), *others, absent=frozenset({1, 4, 5, 6}))
    numbers = DutchField(played).numbers
    assert [numbers[place] for place in (0, 1, 2)] == [1, 2, 3]
    assert colours(played) == {(3, 2)}
    full = tournament(6, *others, byes=(Bye(1, 1, ByeKind.FULL),), absent=frozenset({1, 4, 5, 6}))
    assert colours(full) == {(2, 3)}


@pytest.mark.parametrize("kind", [ByeKind.ALLOCATED, ByeKind.FULL, ByeKind.HALF, ByeKind.ZERO])
@pytest.mark.parametrize("points", [PointSystem(), PointSystem(allocated_bye=0, full_bye=0)])
def test_allocated_bye_bars_whatever_it_is_worth_and_others_only_if_worth_a_win(
    kind: ByeKind, points: PointSystem
) -> None:
    """1.6, C.04.1 article 4."""
    given = tournament(3, (1, 1, 2, DRAW), byes=(Bye(1, 3, kind),), points=points)
    barred = kind is ByeKind.ALLOCATED or (kind is ByeKind.FULL and points.full_bye > 0)
    assert (2 in DutchField(given).past.barred) is barred


def test_half_point_and_zero_byes_never_bar_however_many() -> None:
    byes = tuple(Bye(number, 3, ByeKind.HALF) for number in range(1, 6))
    assert DutchField(tournament(3, byes=byes, at=6)).past.barred == frozenset()


def test_rounds_before_entering_and_after_leaving_are_unplayed_no_float_and_no_colour() -> None:
    """6.3: 5 enters in round 3; 6 left after round 1."""
    given = tournament(6, (1, 1, 6, DRAW), (1, 2, 3, DRAW), (2, 1, 2, WIN), (2, 3, 4, DRAW), at=3)
    field = DutchField(given)
    late, left = 4, 5
    assert [field.unplayed(place) for place in (0, late, left)] == [0, 2, 1]
    assert not any(field.up(late, at) or field.down(late, at) for at in (0, 1))
    assert not any(field.up(left, at) or field.down(left, at) for at in (0,))
    assert field.colours[late].sides == b""


@pytest.mark.parametrize("number", [29, 31])
def test_float_criteria_stay_in_force_in_the_last_round(number: int) -> None:
    """6.4: C14 and C15 decide these examples, of which nobody is a topscorer."""
    example = examples()[number - 1]
    last = replace(example.tournament, rounds=example.tournament.round)
    pairing = pair_round(last)
    found = {(pair.white, pair.black) for pair in pairing.pairs}
    expected = literal_round(last)
    assert (found, pairing.bye) == (expected.pairs, expected.bye)
    without = "C14" if number == 29 else "C15"
    assert literal_round(last, frozenset((without,))).pairs != expected.pairs


def test_topscorers_exist_in_the_last_round_only_and_by_the_pairing_score() -> None:
    """1.8, 6.4, 6.5: 2 has half of the points, and more only with virtual points."""
    games = ((1, 1, 2, WIN), (1, 3, 4, WIN), (2, 1, 3, WIN), (2, 2, 4, WIN))
    lent = (Acceleration(3, 3, 5, frozenset({2})),)
    for rounds, given, top in ((3, (), {0}), (4, (), set()), (3, lent, {0, 1})):
        field = DutchField(tournament(4, *games, rounds=rounds, accelerations=given))
        assert field.topscorers == top


def test_ratings_do_not_count_but_through_the_pairing_number() -> None:
    """6.6."""
    given = tournament(7, (1, 1, 4, WIN), (1, 5, 2, DRAW), (1, 3, 6, DRAW), system="dutch")
    unrated = tuple(replace(player, rating=None) for player in given.players)
    turned = tuple(replace(player, rating=1000 + player.tpn) for player in given.players)
    for players in (unrated, turned):
        found = pair_round(replace(given, players=players))
        assert (found.pairs, found.bye) == (pair_round(given).pairs, pair_round(given).bye)


@pytest.mark.parametrize(
    ("points", "suits"),
    [
        (PointSystem(), True),
        (PointSystem(*(20, 20, 10, 10, 0, 0)), True),
        (PointSystem(*(30, 30, 10, 10, 0, 0)), False),
        (PointSystem(*(30, 30, 20, 20, 10, 10)), False),
        (PointSystem(black_loss=5), False),
    ],
)
def test_baku_is_for_a_win_of_two_draws_and_a_loss_of_nothing(points: PointSystem, suits: bool) -> None:
    """C.04.7, 1.1; trap 18."""
    assert suits_baku(points) is suits
