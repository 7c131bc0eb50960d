"""Tie-breaks (C.07), compared with values computed by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenboard_engine import Bye, ByeKind, OpenGame, PointSystem, Result, Tournament
from evenboard_engine.generating.tournament import generate
from evenboard_engine.tests.crosstables import crosstable
from evenboard_engine.tests.rules.build import tournament
from evenboard_engine.tiebreaks import MANDATORY, ranking, read_list, shown, table
from evenboard_engine.tiebreaks.cards import last_round_drawn
from evenboard_engine.tiebreaks.ratings import expected, rating_difference

WHITE, DRAW, BLACK = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS

FOUR = replace(
    tournament(
        4,
        (1, 1, 3, WHITE),
        (1, 2, 4, DRAW),
        (2, 4, 1, BLACK),
        (2, 2, 3, Result.WHITE_WINS_BY_FORFEIT),
        (3, 1, 2, DRAW),
        at=4,
    ),
    byes=(Bye(3, 3, ByeKind.HALF), Bye(3, 4, ByeKind.ZERO)),
)
"""Ratings 2390, 2380, 2370, 2360; scores 2.5, 2, 0.5, 0.5. For opponents, 3 counts 0.5 and 4 counts 1.0 (16.3)."""


def values(played: Tournament, code: str, **more: bool) -> list[str]:
    (rule,) = read_list(code)
    found = ranking(played, (rule,), **more)
    return [shown(rule, found.values[key][0]) for key in sorted(found.values)]


@pytest.mark.parametrize(
    ("code", "expected_values"),
    [
        ("PTS", "2.5 2.0 0.5 0.5"),
        ("WIN", "2 1 0 0"),
        ("WON", "2 0 0 0"),
        ("BPG", "1 1 1 1"),
        ("BWG", "1 0 0 0"),
        ("PS", "5.5 4.0 0.5 1.5"),
        ("PS/C1", "4.5 3.5 0.5 1.0"),
        ("REP", "3 3 1 2"),
        ("STD", "2.5 2.0 0.5 0.5"),
        ("TPN", "1 2 3 4"),
        ("tpn/r", "1 2 3 4"),
        ("RTNG", "2390 2380 2370 2360"),
        ("RTNG/R", "2390 2380 2370 2360"),
        ("BH", "3.5 4.0 3.5 5.0"),
        ("BH/P", "3.5 4.0 5.0 5.0"),
        ("BH/C1", "3.0 3.5 3.0 4.5"),
        ("BH/C2", "2.0 2.5 2.5 2.5"),
        ("BH/M1", "1.0 1.0 0.5 2.0"),
        ("FB", "3.5 4.0 3.5 5.0"),
        ("SB", "2.50 2.25 0.25 1.00"),
        ("SB/C1", "2.00 1.75 0.25 1.00"),
        ("KS", "0.5 0.5 0.0 0.5"),
        ("KS/L2", "0.0 0.5 0.0 0.0"),
        ("KS/L+1", "0.5 0.5 0.0 0.5"),
        ("KS/L-2", "2.5 2.0 0.0 0.5"),
        ("AOB", "4.167 4.250 3.500 3.750"),
        ("AOB/F", "4.167 4.250 3.500 3.750"),
        ("ARO", "2370 2375 2390 2385"),
        ("ARO/C1", "2375 2390 0 2390"),
        ("ARO/M1", "2370 0 0 0"),
        ("TPR", "2643 2375 1590 2192"),
        ("PTP", "2648 2373 1590 2192"),
        ("APRO", "2052 2418 2643 2509"),
        ("APPO", "2052 2420 2648 2511"),
    ],
)
def test_values_are_those_computed_by_hand(code: str, expected_values: str) -> None:
    assert values(FOUR, code) == expected_values.split()


def test_before_march_2026_the_dummy_opponent_had_the_player_s_own_score() -> None:
    assert values(FOUR, "BH", capped=False) == ["3.5", "5.5", "3.5", "5.0"]


def test_fore_buchholz_counts_the_last_round_as_drawn() -> None:
    decided = replace(FOUR, games=(*FOUR.games[:-1], FOUR.games[-1]._replace(result=WHITE)))
    assert values(decided, "BH") == ["3.0", "4.5", "4.0", "5.0"]
    assert values(decided, "FB") == ["3.5", "4.0", "3.5", "5.0"]
    assert values(decided, "BH/F") == values(decided, "FB")


def test_nobody_who_forfeits_a_game_that_counts_as_drawn_was_away_before() -> None:
    """16.2.5: with the last round drawn, the half-point bye of 1 is followed by a game."""
    played = table(
        crosstable("""
        1 2400 | 2w1 H 2b-
        2 2300 | 1b0 Z 1w+
    """)
    )
    assert [turn.away for turn in played.cards[1].turns] == [False, True, False]
    assert [turn.away for turn in last_round_drawn(played).cards[1].turns] == [False, False, False]


def test_a_bye_before_the_last_game_does_not_count_as_a_draw() -> None:
    played = replace(
        tournament(4, (1, 1, 2, WHITE), (2, 1, 3, WHITE), (3, 1, 4, WHITE), at=4),
        byes=(Bye(2, 4, ByeKind.ZERO), Bye(1, 4, ByeKind.ALLOCATED)),
    )
    assert values(played, "BH") == ["2.5", "3.0", "3.0", "5.0"]


def test_unplayed_round_is_cut_before_a_lower_product() -> None:
    """16.5: 4 has half a point from an unplayed round (0.25), and no point against the player with the lowest score."""
    played = replace(
        tournament(4, (1, 4, 3, BLACK), (2, 4, 2, BLACK), (2, 3, 1, BLACK), (1, 2, 1, BLACK), at=4),
        byes=(Bye(3, 4, ByeKind.HALF),),
    )
    assert values(played, "SB")[3] == "0.25"
    assert values(played, "SB/C1")[3] == "0.00"


def test_lowest_unplayed_round_is_the_one_with_the_lowest_contribution() -> None:
    """16.5: "the lowest contribution coming from such rounds", not the one with the lowest opponent.

    1 has a half-point bye (the dummy counts four draws, 2.0: contribution 1.0) and forfeits to 2 (the dummy counts 2.5:
    contribution 0). The least significant value is the win against 6: 0.5. It is higher than 0, so it is cut.
    """
    played = crosstable("""
        1 2400 | 6w1   H 2b- 3w1
        2 2300 | 5w1 3w1 1w+ 4w1
        3 2200 | 4w1 2b0 6w1 1b0
        4 2100 | 3b0 5w1   H 2b0
        5 2000 | 2b0 4b0   U 6w=
        6 1900 | 1b0   Z 3b0 5b=
    """)
    assert [values(played, code)[0] for code in ("SB", "SB/C1", "SB/C2")] == ["3.50", "3.00", "2.00"]


def test_next_cut_takes_the_least_significant_value_where_no_unplayed_round_is_left() -> None:
    """16.5.2: the half-point bye contributes 1.0 and is cut before the least significant value, 0.5."""
    played = crosstable("""
        1 2400 | 6w1   H 2b0 3w1
        2 2300 | 5w1 3w1 1w1 4w1
        3 2200 | 4w1 2b0 6w1 1b0
        4 2100 | 3b0 5w1   H 2b0
        5 2000 | 2b0 4b0   U 6w=
        6 1900 | 1b0   Z 3b0 5b=
    """)
    assert [values(played, code)[0] for code in ("SB", "SB/C1", "SB/C2")] == ["3.50", "2.50", "2.00"]


def test_lowest_unplayed_round_of_a_generated_tournament() -> None:
    """28 has a forfeit loss (contribution 0) and a half-point bye (4.5 x 0.5); the least significant value is 1.5."""
    played = generate("903").tournament
    assert [values(played, code)[27] for code in ("SB", "SB/C1")] == ["20.25", "18.75"]


def test_unplayed_round_is_cut_where_it_contributes_as_much_as_the_least_significant_value() -> None:
    """16.5: "not lower". 17 lost the game with the lowest opponent, and forfeited another: both contribute 0.

    The forfeit is cut first, so the second cut takes the lost game and not a draw.
    """
    played = generate("104").tournament
    assert [values(played, code)[16] for code in ("SB", "SB/C1", "SB/C2")] == ["15.25", "15.25", "15.25"]


def test_a_double_forfeit_gives_no_standard_points() -> None:
    """7.7, as TieBreakServer reads it: nobody played, so the points are compared with those of a draw."""
    played = tournament(4, (1, 1, 2, Result.DOUBLE_FORFEIT), (1, 3, 4, Result.BLACK_WINS_BY_FORFEIT))
    assert values(played, "STD") == ["0.0", "0.0", "0.0", "1.0"]


def test_missing_game_could_have_given_the_most_that_a_win_is_worth() -> None:
    """6.3: 1 has 1.7 points; 3 has half a point, and could have beaten 2 with Black (1.2)."""
    played = tournament(3, (1, 2, 1, BLACK), (2, 1, 3, DRAW), points=PointSystem(black_win=12))
    assert groups(played) == ((1, 2, 3),)


def test_free_round_of_a_round_robin_is_no_part_of_a_sum() -> None:
    """15.2: 3 beat 1 and 2. The free round is not the least significant value, and not in half of the points either."""
    played = crosstable(
        """
        1 2400 |   U 2w1 3b0
        2 2300 | 3b0 1b0   U
        3 2200 | 2w1   U 1w1
        """,
        system="round-robin",
        points=PointSystem(allocated_bye=0),
    )
    assert [values(played, code)[2] for code in ("SB", "SB/C1", "SB/C2")] == ["1.00", "1.00", "0.00"]
    assert values(played, "KS") == ["0.0", "0.0", "1.0"]


def test_direct_encounter_of_a_round_robin_counts_forfeits() -> None:
    played = tournament(2, (1, 1, 2, Result.BLACK_WINS_BY_FORFEIT), system="round-robin")
    assert groups(played) == ((2,), (1,))


def test_byes_of_the_next_round_do_not_count() -> None:
    assert values(replace(FOUR, byes=(*FOUR.byes, Bye(4, 1, ByeKind.HALF))), "PTS")[0] == "2.5"


def test_without_games_there_are_no_ratings() -> None:
    for code in ("ARO", "TPR", "PTP", "APRO", "APPO"):
        assert values(tournament(2), code) == ["0", "0"]
    assert values(tournament(2), "AOB") == ["0.000", "0.000"]


@pytest.mark.parametrize(
    ("difference", "hundredths"), [(0, 50), (3, 50), (4, 51), (-4, 49), (735, 99), (736, 100), (-736, 0)]
)
def test_expected_scores_are_those_of_the_table(difference: int, hundredths: int) -> None:
    assert expected(difference) == hundredths


@pytest.mark.parametrize(
    ("hundredths", "difference"), [(50, 0), (51, 7), (49, -7), (83, 273), (100, 800), (0, -800)]
)
def test_rating_differences_are_those_of_the_table(hundredths: int, difference: int) -> None:
    assert rating_difference(hundredths) == difference


# --- direct encounter


def groups(played: Tournament, code: str = "DE") -> tuple[tuple[int, ...], ...]:
    return ranking(played, read_list(code)).groups


def test_all_have_met_and_are_ranked_by_their_games() -> None:
    played = tournament(3, (1, 1, 2, BLACK), (2, 2, 3, DRAW), (3, 3, 1, DRAW))
    assert groups(played) == ((2,), (3,), (1,))


def test_players_who_stay_tied_are_compared_again() -> None:
    """2, 3 and 4 have 1.5 points each; 3 beat 4 and did not lose to 2, so 3 is first of these three."""
    played = tournament(
        4,
        (1, 1, 2, WHITE),
        (1, 3, 4, WHITE),
        (2, 1, 3, WHITE),
        (2, 2, 4, WHITE),
        (3, 1, 4, BLACK),
        (3, 2, 3, DRAW),
    )
    assert groups(played) == ((1,), (2, 3), (4,))


def test_a_circle_stays_tied() -> None:
    played = tournament(3, (1, 1, 2, WHITE), (2, 2, 3, WHITE), (3, 3, 1, WHITE))
    assert groups(played) == ((1, 2, 3),)


def test_player_who_is_first_with_any_result_of_missing_games_is_first() -> None:
    """1 has beaten 2 and 3, who have not met each other: 1 is certainly first, and 2 and 3 stay tied."""
    played = tournament(3, (1, 1, 2, WHITE), (2, 1, 3, WHITE))
    assert groups(played) == ((1,), (2, 3))
    assert groups(tournament(3, (1, 1, 2, WHITE))) == ((1, 2, 3),)


def test_the_rest_is_compared_again_without_the_first() -> None:
    """1 beat all; 2 beat 3 and 4, who have not met. 2 is certain only after 1 is taken out; 3 and 4 stay tied."""
    played = tournament(
        4, (1, 1, 2, WHITE), (1, 3, 4, Result.DOUBLE_FORFEIT), (2, 1, 3, WHITE), (2, 2, 4, WHITE),
        (3, 1, 4, WHITE), (3, 2, 3, WHITE),
    )  # fmt: skip
    assert groups(played) == ((1,), (2,), (3, 4))


def test_all_places_can_be_certain_though_not_all_have_met() -> None:
    """1 and 5 have not met; 1 has 3 points in any case, 2 has 2.5, 3 has 2, 4 has 1.5, and 5 at most 1."""
    played = tournament(
        5, (1, 1, 2, WHITE), (1, 3, 4, WHITE), (2, 1, 3, WHITE), (2, 2, 4, DRAW), (3, 1, 4, WHITE), (3, 2, 3, WHITE),
        (4, 2, 5, WHITE), (5, 3, 5, WHITE), (6, 4, 5, WHITE),
    )  # fmt: skip
    assert groups(played) == ((1,), (2,), (3,), (4,), (5,))


def test_forfeits_are_no_encounter_without_the_modifier_p() -> None:
    played = tournament(2, (1, 1, 2, Result.BLACK_WINS_BY_FORFEIT))
    assert groups(played) == ((1, 2),)
    assert groups(played, "DE/P") == ((2,), (1,))


def test_several_meetings_count_by_their_average() -> None:
    played = tournament(2, (1, 1, 2, WHITE), (2, 2, 1, DRAW))
    assert groups(played) == ((1,), (2,))


def test_a_direct_encounter_is_shown_as_a_place() -> None:
    played = tournament(3, (1, 1, 2, WHITE), (2, 1, 3, WHITE))
    assert values(played, "DE") == ["place 1", "place 2", "place 2"]


# --- lists


def test_each_tie_break_divides_players_who_are_still_tied() -> None:
    assert ranking(FOUR, read_list("PTS,BH,TPN")).groups == ((1,), (2,), (4,), (3,))
    assert ranking(FOUR, read_list("PTS")).groups == ((1,), (2,), (3, 4))


def test_only_the_given_players_are_ranked() -> None:
    assert ranking(FOUR, read_list("TPN"), among=(4, 2)).groups == ((2,), (4,))
    assert ranking(FOUR, read_list("TPN"), among=()).groups == ()


def test_an_unknown_tie_break_ends_the_list() -> None:
    found = ranking(FOUR, read_list("PTS,OTHER_LUCK,BH"))
    assert ([rule.text for rule in found.used], found.groups) == (["PTS"], ((1,), (2,), (3, 4)))


@pytest.mark.parametrize("code", MANDATORY)
def test_every_mandatory_tie_break_is_known(code: str) -> None:
    (rule,) = read_list(code)
    assert rule.name
    assert ranking(FOUR, (rule,)).used == (rule,)


@pytest.mark.parametrize(
    "code",
    [
        "XYZ",
        "KS/L",
        "KS/L0",
        "KS/L--1",
        "BH/L1",
        "GE/R",
        "BH/X",
        "BH/C",
        "BH/C0",
        "BH/C1/C2",
        "BH/C1/M1",
        "WIN/C1",
        "DE/P1",
        "BH/",
        "EMMSB:MP",
    ],
)
def test_text_that_is_no_tie_break_has_no_name(code: str) -> None:
    assert [rule.name for rule in read_list(code)] == [""]


RUNNING = replace(
    tournament(4, (1, 1, 2, WHITE), (1, 3, 4, DRAW), (2, 2, 4, WHITE), at=3), open_games=(OpenGame(2, 3, 1),)
)
"""Points 1, 1, 0.5, 0.5. The game of round 2 between 3 and 1 has no result."""


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("BH", ["1.0", "1.5", "0.5", "1.5"]),
        ("BH/C1", ["0.0", "1.0", "0.0", "1.0"]),
        ("BH/P", ["1.0", "1.5", "0.5", "1.5"]),
        ("AOB", ["1.500", "1.250", "1.500", "1.000"]),
        ("SB", ["1.00", "0.50", "0.25", "0.25"]),
        ("PS", ["1.0", "1.0", "0.5", "1.0"]),
        ("REP", ["1", "2", "1", "2"]),
        ("STD", ["1.0", "1.0", "0.5", "0.5"]),
        ("BPG", ["0", "1", "0", "2"]),
        ("ARO", ["2380", "2375", "2360", "2375"]),
        ("OTHER_SOLKOFF", ["1.0", "1.5", "0.5", "1.5"]),
        ("OTHER_MODMED", ["0.0", "0.0", "0.0", "0.5"]),
        ("OTHER_CUM", ["1.0", "1.0", "0.5", "1.0"]),
    ],
)
def test_an_open_game_is_in_no_sum_of_either_player(code: str, wanted: list[str]):
    assert values(RUNNING, code) == wanted


def test_fore_buchholz_counts_an_open_game_of_the_last_round_as_a_draw():
    assert values(RUNNING, "FB") == ["1.5", "2.5", "2.5", "1.5"]


def test_an_open_game_is_no_meeting_of_the_tied():
    tied = replace(tournament(2, at=2), open_games=(OpenGame(1, 1, 2),))
    assert values(tied, "DE/P") == values(replace(tied, system="round-robin"), "DE") == ["place 1", "place 1"]


def test_the_limit_of_a_dummy_counts_the_rounds_that_are_finished():
    """Draw points times rounds (16.4.2): 0.5 for one round, although round 2 is being played."""
    running = replace(
        tournament(3, (1, 2, 3, DRAW), at=3),
        byes=(Bye(1, 1, ByeKind.FULL), Bye(2, 3, ByeKind.ZERO)),
        open_games=(OpenGame(2, 1, 2),),
    )
    assert values(running, "BH") == ["0.5", "1.0", "1.0"]
