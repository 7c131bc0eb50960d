"""Warnings about pairs made by hand. Each has a position with the warning, and a similar one without it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenboard_engine import Acceleration, Bye, ByeKind, Result, Tournament
from evenboard_engine.findings import Concern, HandMadeDraft, Level
from evenboard_engine.systems.dubov.checking import colours_of, concerns
from evenboard_engine.systems.dubov.options import Edition
from evenboard_engine.tests.rules.build import BLACK, WHITE, tournament

WIN, DRAW = Result.WHITE_WINS, Result.DRAW
FORFEIT = Result.WHITE_WINS_BY_FORFEIT


def concerns_of(value: Tournament, *pairs: tuple[int, int], bye: int | None = None) -> dict[str, Concern]:
    return {concern.code: concern for concern in concerns(value, HandMadeDraft(pairs, bye))}


# --- C1


def test_rematch_is_reported_with_its_rounds_and_c1() -> None:
    value = tournament(4, (1, 1, 2, DRAW), (1, 3, 4, DRAW))
    concern = concerns_of(value, (2, 1), (4, 3))["rematch"]
    assert (concern.level, concern.players, concern.articles, concern.rounds) == (
        Level.PROCEED,
        (4, 3),
        ("C1 3.1.1",),
        (1,),
    )


def test_meeting_that_was_not_played_is_no_rematch() -> None:
    """GHR 3.5."""
    value = tournament(4, (1, 1, 2, FORFEIT), (1, 3, 4, DRAW))
    assert "rematch" not in concerns_of(value, (2, 1))
    assert "rematch" in concerns_of(value, (4, 3))


def test_forbidden_pair_is_outside_the_rules_and_has_no_article() -> None:
    value = tournament(4, forbidden=frozenset({(1, 3)}))
    concern = concerns_of(value, (3, 1))["forbidden"]
    assert (concern.level, concern.articles) == (Level.PROCEED, ())
    assert "forbidden" not in concerns_of(value, (1, 4))


# --- colours: Basic Rules 6 and 7, C3, 5.2


def whites(player: int, *opponents: int) -> list[tuple[int, int, int, Result]]:
    """Return games in which the player has White, one in each round."""
    return [(number, player, other, DRAW) for number, other in enumerate(opponents, start=1)]


def test_third_equal_colour_in_a_row() -> None:
    value = tournament(6, *whites(1, 2, 3))
    concern = concerns_of(value, (1, 4))["third_colour"]
    assert (concern.level, concern.players, concern.colour, concern.count) == (Level.PROCEED, (1,), WHITE, 3)
    assert concern.articles == ("C.04.1, 7", "1.5.2.1")
    assert "third_colour" not in concerns_of(value, (4, 1))


def test_two_equal_colours_with_an_unplayed_round_between_are_in_a_row() -> None:
    """GHR 3.4: only played games count."""
    value = tournament(6, (1, 1, 2, DRAW), (2, 1, 3, FORFEIT), (3, 1, 4, DRAW), at=4)
    assert "third_colour" in concerns_of(value, (1, 5))
    broken = tournament(6, (1, 1, 2, DRAW), (2, 3, 1, DRAW), (3, 1, 4, DRAW), at=4)
    assert "third_colour" not in concerns_of(broken, (1, 5))


def test_third_colour_is_reported_in_the_last_round_too() -> None:
    assert "third_colour" in concerns_of(tournament(6, *whites(1, 2, 3), rounds=3), (1, 4))


def test_fourth_colour_is_counted() -> None:
    assert concerns_of(tournament(6, *whites(1, 2, 3, 4)), (1, 5))["third_colour"].count == 4


def wwbw(**settings: object) -> Tournament:
    """Return a tournament in which player 1 had White, White, Black, White: a colour difference of two."""
    games = (1, 1, 2, DRAW), (2, 1, 3, DRAW), (3, 4, 1, DRAW), (4, 1, 5, DRAW)
    return tournament(8, *games, **settings)


def test_difference_of_colours_above_two_before_the_last_round() -> None:
    concern = concerns_of(wwbw(), (1, 6))["colour_difference"]
    assert (concern.level, concern.players, concern.count) == (Level.PROCEED, (1,), 3)
    assert concern.articles == ("C.04.1, 6", "1.5.1")
    assert "third_colour" not in concerns_of(wwbw(), (1, 6))
    assert "colour_difference" not in concerns_of(wwbw(), (6, 1))
    assert "colour_difference" not in concerns_of(wwbw(rounds=5), (1, 6))


def test_difference_of_two_is_within_the_rule() -> None:
    value = tournament(8, (1, 1, 2, DRAW), (2, 3, 1, DRAW), (3, 1, 4, DRAW))
    assert "colour_difference" not in concerns_of(value, (1, 5))


def test_two_players_absolutely_due_the_same_colour_clash() -> None:
    games = (1, 1, 2, DRAW), (1, 3, 4, DRAW), (2, 1, 4, DRAW), (2, 3, 2, DRAW)
    concern = concerns_of(tournament(6, *games), (1, 3))["absolute_clash"]
    assert (concern.level, concern.players, concern.colour, concern.articles) == (
        Level.PROCEED,
        (1, 3),
        BLACK,
        ("C3 3.1.3",),
    )


def test_strong_against_absolute_is_no_clash() -> None:
    games = (1, 1, 2, DRAW), (2, 1, 4, DRAW), (2, 3, 5, DRAW)
    assert "absolute_clash" not in concerns_of(tournament(6, *games), (1, 3))


def test_both_players_with_the_opposite_of_their_due_colour() -> None:
    value = tournament(6, (1, 1, 2, DRAW), (1, 3, 4, DRAW))
    concern = concerns_of(value, (1, 4))["both_opposite"]
    assert (concern.level, concern.players, concern.articles) == (Level.ACKNOWLEDGE, (1, 4), ("1.5.2",))
    assert concerns_of(value, (4, 1)) == {}


def test_one_player_with_the_opposite_colour_is_reported_with_the_article_that_decides() -> None:
    """Both are due Black; by 5.2.3 player 1 gets it."""
    value = tournament(6, (1, 1, 2, DRAW), (2, 1, 5, DRAW), (2, 3, 6, DRAW))
    found = concerns_of(value, (1, 3))
    assert "both_opposite" not in found
    assert (found["colours"].level, found["colours"].players, found["colours"].articles) == (
        Level.SHOW,
        (3, 1),
        ("5.2.3",),
    )
    assert "colours" not in concerns_of(value, (3, 1))


def test_colours_of_a_new_pair_follow_5_2() -> None:
    value = tournament(6, (1, 1, 2, DRAW), (1, 3, 4, DRAW))
    pair = colours_of(value, 1, 4)
    assert (pair.white, pair.black) == (4, 1)


# --- floats


def test_difference_in_score_is_a_float() -> None:
    value = tournament(4, (1, 1, 2, WIN), (1, 3, 4, DRAW))
    concern = concerns_of(value, (3, 1))["float"]
    assert (concern.level, concern.players, concern.points, concern.articles) == (
        Level.SHOW,
        (3, 1),
        (5, 10),
        ("1.3.2",),
    )
    assert "float" not in concerns_of(value, (4, 3))


def test_scores_of_a_concern_have_their_virtual_points() -> None:
    """Nobody has a point: 1 and the holder of the bye, 2, are ahead by acceleration only."""
    value = tournament(5, at=1, accelerations=(Acceleration(1, 2, 10, frozenset({1, 2})),))
    found = concerns_of(value, (3, 1), (4, 5), bye=2)
    assert (found["float"].points, found["float"].lent) == ((0, 10), (0, 10))
    assert (found["bye_score"].points, found["bye_score"].lent) == ((10, 0), (10, 0))
    assert concerns_of(tournament(5, (1, 1, 2, WIN)), (3, 1))["float"].lent == ()


def floated_in_round_2() -> Tournament:
    """Return a tournament in which 1 wins in round 1 and meets 3, who drew, in round 2."""
    games = (1, 1, 2, WIN), (1, 3, 4, DRAW), (1, 5, 6, DRAW), (2, 3, 1, DRAW), (2, 2, 4, DRAW), (2, 6, 5, WIN)
    return tournament(6, *games, at=3)


def test_second_upfloat_and_second_downfloat_in_a_row_are_reported() -> None:
    """Before round 3: 1 and 6 have 1½, 3 has 1."""
    found = concerns_of(floated_in_round_2(), (6, 3))
    assert (found["upfloat_again"].players, found["upfloat_again"].rounds) == ((3,), (2,))
    assert (found["upfloat_again"].level, found["upfloat_again"].articles) == (
        Level.ACKNOWLEDGE,
        ("C10 3.3.6",),
    )
    assert "downfloat_again" not in found
    found = concerns_of(floated_in_round_2(), (4, 1))
    assert (found["downfloat_again"].players, found["downfloat_again"].articles) == ((1,), ())
    assert "upfloat_again" not in found


def test_upfloats_do_not_count_in_the_last_round() -> None:
    last = replace(floated_in_round_2(), rounds=3)
    found = concerns_of(last, (6, 3))
    assert "float" in found
    assert "upfloat_again" not in found


def test_upfloat_after_one_two_rounds_ago_is_not_reported() -> None:
    value = replace(
        floated_in_round_2(),
        round=4,
        games=(*floated_in_round_2().games, *tournament(6, (3, 1, 6, DRAW), (3, 3, 5, DRAW)).games),
    )
    assert "upfloat_again" not in concerns_of(value, (6, 3))


def often_floated(rounds: int) -> Tournament:
    """Return a tournament in which 6 was upfloated in rounds 2, 3 and 4, and 5 has half a point."""
    first = (1, 1, 6, WIN), (1, 2, 7, WIN), (1, 3, 8, WIN), (1, 4, 9, WIN), (1, 5, 10, DRAW)
    return tournament(10, *first, (2, 2, 6, WIN), (3, 3, 6, WIN), (4, 4, 6, WIN), rounds=rounds, at=5)


def test_maximum_upfloater_is_reported_with_c8() -> None:
    """Three upfloats are MaxT with 9 planned rounds, and below MaxT with 10 (1.7.2)."""
    concern = concerns_of(often_floated(9), (6, 5))["maximum_upfloater"]
    assert (concern.level, concern.players, concern.count, concern.rounds) == (
        Level.ACKNOWLEDGE,
        (6,),
        3,
        (2, 3, 4),
    )
    assert concern.articles == ("C8 3.3.4", "1.7")
    assert "maximum_upfloater" not in concerns_of(often_floated(10), (6, 5))
    assert "maximum_upfloater" not in concerns_of(often_floated(5), (6, 5))


# --- the bye


def odd(*games: tuple[int, int, int, Result], **more: object) -> Tournament:
    return tournament(5, *games, **more)


def test_second_bye_is_reported_with_c2() -> None:
    games = (1, 1, 2, DRAW), (1, 3, 4, DRAW)
    value = odd(*games, byes=(Bye(1, 5, ByeKind.ALLOCATED),))
    concern = concerns_of(value, bye=5)["bye_had"]
    assert (concern.level, concern.players, concern.rounds, concern.articles) == (
        Level.PROCEED,
        (5,),
        (1,),
        ("C2 3.1.2",),
    )
    assert concerns_of(value, bye=4) == {}


def test_forfeit_win_bars_and_a_forfeit_loss_does_not() -> None:
    value = odd((1, 1, 2, DRAW), (1, 3, 4, FORFEIT), byes=(Bye(1, 5, ByeKind.HALF),))
    assert concerns_of(value, bye=3)["bye_forfeit_win"].rounds == (1,)
    assert "bye_forfeit_win" not in concerns_of(value, bye=4)


def test_full_point_bye_bars_and_a_half_point_bye_does_not() -> None:
    games = (1, 1, 2, DRAW), (1, 3, 4, DRAW)
    full = odd(*games, byes=(Bye(1, 5, ByeKind.FULL),))
    assert concerns_of(full, bye=5)["bye_points_unplayed"].rounds == (1,)
    half = odd(*games, byes=(Bye(1, 5, ByeKind.HALF),))
    assert concerns_of(half, bye=5) == {}
    old = replace(full, options={"edition": Edition.E2018})
    assert "bye_points_unplayed" not in concerns_of(old, bye=5)


def test_bye_above_the_lowest_score_is_reported_with_2_1_3() -> None:
    value = odd((1, 1, 2, WIN), (1, 3, 4, DRAW), byes=(Bye(1, 5, ByeKind.HALF),))
    concern = concerns_of(value, bye=3)["bye_score"]
    assert (concern.level, concern.players, concern.points, concern.articles) == (
        Level.PROCEED,
        (3, 2),
        (5, 0),
        ("2.1.3",),
    )
    assert "bye_score" not in concerns_of(value, bye=2)


def test_bye_within_the_lowest_score_is_left_to_the_comparison() -> None:
    """2.1.5 would give it to 5; the score is the same."""
    assert concerns_of(odd(), bye=1) == {}


def test_articles_are_those_of_the_edition() -> None:
    value = tournament(4, (1, 1, 2, DRAW), (1, 3, 4, DRAW), options={"edition": Edition.E2026})
    assert concerns_of(value, (2, 1))["rematch"].articles == ("C1 2.1.1",)
    value = replace(value, options={"edition": Edition.E2018})
    assert concerns_of(value, (2, 1))["rematch"].articles == ("C1 C.1",)


@pytest.mark.parametrize("pair", [(1, 2), (2, 1)])
def test_first_round_is_judged_without_a_history(pair: tuple[int, int]) -> None:
    """1 has the initial-colour because its number is odd (5.2.1)."""
    found = concerns_of(tournament(4), pair)
    assert ("colours" in found) is (pair == (2, 1))


def test_concerns_come_in_the_order_of_boards_and_the_gravest_first_on_each() -> None:
    value = tournament(6, (1, 1, 2, WIN), (1, 3, 4, DRAW), (1, 5, 6, DRAW))
    order = [concern.code for concern in concerns(value, HandMadeDraft(((1, 2), (3, 5)), None))]
    assert order[0] == "rematch"
    assert order.index("both_opposite") < order.index("float")
