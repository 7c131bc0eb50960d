"""Readings that pair nearly all rounds alike, and of which the worked examples and random rounds show little."""

from __future__ import annotations

import pytest

from evenboard_engine import Bye, ByeKind, NoLegalPairing, Result
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
