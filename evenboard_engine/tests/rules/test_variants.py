"""Editions and acceleration, article by article."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenboard_engine import (
    Acceleration,
    Bye,
    ByeKind,
    Game,
    InvalidTournament,
    Pair,
    Player,
    PointSystem,
    Result,
    histories,
    pair_round,
)
from evenboard_engine.acceleration import baku, baku_group, size_of_ga
from evenboard_engine.systems.dubov.articles import DubovRule, article
from evenboard_engine.systems.dubov.options import Edition
from evenboard_engine.tests.rules.build import players, tournament
from evenboard_engine.tiebreaks import standings

WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS
E18, E25, E26 = Edition


# C2, the only difference between the editions that affects pairings


@pytest.mark.parametrize(("edition", "barred"), [(E18, [4, 5]), (E25, [3, 4, 5]), (E26, [3, 4, 5])], ids=str)
def test_full_point_bye_bars_since_2025(edition: Edition, barred: list[int]) -> None:
    asked = tournament(
        7,
        (1, 1, 2, WIN),
        (1, 5, 6, Result.WHITE_WINS_BY_FORFEIT),
        at=2,
        byes=(Bye(1, 3, ByeKind.FULL), Bye(1, 4, ByeKind.ALLOCATED), Bye(1, 7, ByeKind.HALF)),
        options={"edition": edition},
    )
    assert [key for key, past in histories(asked).items() if past.bye_barred] == barred


def test_forfeit_win_bars_in_2018_whatever_it_is_worth() -> None:
    asked = tournament(2, (1, 1, 2, Result.BLACK_WINS_BY_FORFEIT), points=PointSystem(forfeit_win=5))
    assert [histories(replace(asked, options={"edition": edition}))[2].bye_barred for edition in Edition] == [
        True,
        False,
        False,
    ]


def test_half_point_bye_worth_a_win_does_not_bar_in_2018() -> None:
    asked = tournament(3, at=2, byes=(Bye(1, 3, ByeKind.HALF),), points=PointSystem(half_bye=10))
    assert [histories(replace(asked, options={"edition": edition}))[3].bye_barred for edition in Edition] == [
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(("edition", "bye"), [(E18, 5), (E25, 2), (E26, 2)], ids=str)
def test_edition_decides_who_gets_the_bye(edition: Edition, bye: int) -> None:
    """5 has the lowest score and had a full-point bye; if 3 or 4 has the bye, 1 and 2 would meet again."""
    asked = tournament(
        5,
        *(
            (1, 1, 2, DRAW),
            (1, 3, 4, DRAW),
            (2, 1, 5, WIN),
            (2, 2, 3, DRAW),
            (3, 5, 2, LOSS),
            (3, 4, 1, DRAW),
        ),
        byes=(Bye(1, 5, ByeKind.FULL), Bye(2, 4, ByeKind.HALF), Bye(3, 3, ByeKind.HALF)),
        options={"edition": edition},
    )
    assert pair_round(asked).bye == bye


# article numbers


def test_articles_have_the_numbers_of_their_edition() -> None:
    shown = {
        rule.name: tuple(article(rule, edition) for edition in Edition)
        for rule in (
            DubovRule.RATING,
            DubovRule.BRACKET,
            DubovRule.COLOUR_DIFFERENCE,
            DubovRule.ABSOLUTE,
            DubovRule.ARO,
            DubovRule.MAXIMUM_UPFLOATER,
            DubovRule.NO_PAIRING,
            DubovRule.BYE_LOWEST_SCORE,
            DubovRule.SECOND_SHIFT,
            DubovRule.C2,
            DubovRule.C10,
            DubovRule.ORDER_OF_SHIFTERS,
            DubovRule.COLOUR_ALTERNATE,
        )
    }
    assert shown == {
        "RATING": ("A.1", "1.1", "1.1"),
        "BRACKET": ("A.3", "1.3.2", "1.3.2"),
        "COLOUR_DIFFERENCE": ("A.5", "1.5.1", "1.5"),
        "ABSOLUTE": ("A.5.a", "1.5.2.1", "1.6.1"),
        "ARO": ("A.6", "1.6", "1.7"),
        "MAXIMUM_UPFLOATER": ("A.7", "1.7", "1.8"),
        "NO_PAIRING": ("A.8", "1.8.3", "1.9.3"),
        "BYE_LOWEST_SCORE": ("B.0.c", "2.1.3", "3.1.3"),
        "SECOND_SHIFT": ("B.4", "2.2.4.2", "3.2.4.2"),
        "C2": ("C.2", "3.1.2", "2.1.2"),
        "C10": ("C.10", "3.3.6", "2.3.6"),
        "ORDER_OF_SHIFTERS": ("D.2", "4.3", "4.3"),
        "COLOUR_ALTERNATE": ("E.3", "5.2.4", "5.2.4"),
    }


def test_every_rule_has_an_article_in_every_edition() -> None:
    assert all(article(rule, edition) for rule in DubovRule for edition in Edition)


# Baku (C.04.7, 1)


@pytest.mark.parametrize(
    ("count", "size"), [(2, 2), (4, 2), (5, 4), (8, 4), (9, 6), (160, 80), (161, 82), (164, 82)]
)
def test_ga_is_the_first_half_rounded_up_to_an_even_number(count: int, size: int) -> None:
    assert size_of_ga(count) == size
    assert baku_group(players(count)) == set(range(1, size + 1))


@pytest.mark.parametrize(
    ("rounds", "whole", "half"),
    [
        (1, (1, 1), None),
        (3, (1, 1), (2, 2)),
        (5, (1, 2), (3, 3)),
        (6, (1, 2), (3, 3)),
        (7, (1, 2), (3, 4)),
        (8, (1, 2), (3, 4)),
        (9, (1, 3), (4, 5)),
        (10, (1, 3), (4, 5)),
        (11, (1, 3), (4, 6)),
        (12, (1, 3), (4, 6)),
    ],
)
def test_first_half_of_the_rounds_is_accelerated(
    rounds: int, whole: tuple[int, int], half: tuple[int, int] | None
) -> None:
    given = baku({1, 2}, rounds=rounds, win=10)
    assert [(a.first_round, a.last_round, a.points) for a in given] == [
        (*span, points) for span, points in ((whole, 10), (half, 5)) if span
    ]


def test_late_entry_above_the_last_player_of_ga_joins_it() -> None:
    """Eight players were split, and 5 is the last of GA; 2 entered above 5, 9 below."""
    assert baku_group(players(10), late={2, 9}) == {1, 2, 3, 4, 5}


def test_empty_field_has_no_acceleration() -> None:
    assert baku_group(()) == frozenset()
    assert baku(frozenset(), rounds=9, win=10) == ()


def test_round_1_pairs_each_half_with_itself() -> None:
    asked = replace(tournament(8, rounds=9), accelerations=baku(range(1, 5), rounds=9, win=10))
    assert [(pair.white, pair.black) for pair in pair_round(asked).pairs] == [(1, 3), (4, 2), (5, 7), (8, 6)]


def test_pairing_score_makes_groups_boards_and_ranks_and_points_stay() -> None:
    """After round 1 the losers of GA have the pairing score of the winners of GB; the winners of GA have more."""
    asked = tournament(8, (1, 1, 3, WIN), (1, 4, 2, LOSS), (1, 5, 7, WIN), (1, 8, 6, LOSS), rounds=9)
    asked = replace(asked, accelerations=baku(range(1, 5), rounds=9, win=10))
    pairing = pair_round(asked)
    assert [bracket.score for bracket in pairing.brackets] == [20, 10, 0]
    assert [bracket.residents for bracket in pairing.brackets] == [(1, 2), (3, 4, 5, 6), (7, 8)]
    assert {pairing.pairs[0].white, pairing.pairs[0].black} == {1, 2}
    known = histories(asked)
    assert [known[key].score for key in range(1, 9)] == [10, 10, 0, 0, 10, 10, 0, 0]
    assert [known[key].pairing_score for key in range(1, 9)] == [20, 20, 10, 10, 10, 10, 0, 0]
    assert [row.points for row in standings(asked, ())] == [10, 10, 10, 10, 0, 0, 0, 0]


def test_upfloats_are_judged_by_the_pairing_score_of_their_round() -> None:
    """In round 2 all four have 10 points with acceleration; without it 3 and 4 have fewer."""
    games = (Game(1, 1, 2, WIN), Game(1, 3, 4, DRAW), Game(2, 1, 4, WIN))
    asked = replace(tournament(4, rounds=5), games=games, round=3)
    lent = (Acceleration(2, 2, 5, frozenset({4})),)
    assert histories(asked)[4].upfloats == (2,)
    assert histories(replace(asked, accelerations=lent))[4].upfloats == ()
    assert histories(replace(asked, accelerations=lent * 2))[1].upfloats == (2,)
    assert histories(replace(asked, accelerations=lent * 2))[1].score == 20


def test_bye_goes_to_the_lowest_pairing_score() -> None:
    asked = tournament(5, (1, 1, 2, WIN), (1, 3, 4, WIN), byes=(Bye(1, 5, ByeKind.HALF),), rounds=5)
    assert pair_round(asked).bye == 4
    lent = (Acceleration(1, 5, 10, frozenset({2, 4})),)
    assert pair_round(replace(asked, accelerations=lent)).bye == 5


def test_higher_ranked_for_colours_is_by_pairing_score() -> None:
    """Both had the same colours; 2 has the higher pairing score, so 2 gets the due colour."""
    games = (Game(1, 1, 3, DRAW), Game(1, 2, 4, DRAW))
    asked = replace(tournament(4, rounds=5), games=games, round=2, absent=frozenset({3, 4}))
    assert pair_round(asked).pairs == (Pair(2, 1, pair_round(asked).pairs[0].colours),)
    lent = (Acceleration(2, 2, 5, frozenset({2})),)
    accelerated = pair_round(replace(asked, accelerations=lent))
    assert (accelerated.pairs[0].white, accelerated.pairs[0].black) == (1, 2)


def test_acceleration_of_an_unknown_player_is_refused() -> None:
    asked = replace(tournament(4), accelerations=(Acceleration(1, 2, 10, frozenset({9})),))
    with pytest.raises(InvalidTournament) as refused:
        pair_round(asked)
    assert (refused.value.code, refused.value.params) == ("unknown_player", {"player": 9, "round": 1})


def test_ga_does_not_depend_on_the_order_of_the_input() -> None:
    assert baku_group([Player(7, 2, 2000), Player(3, 1, 2100), Player(5, 3, 1900)]) == {3, 7}
