"""The exercises of FIDE's Technical Commission (M. Held, Exercises in Tie-Breaking, C.07 of 2023), with its answers.

The dummy opponent of an unplayed round was then not limited (16.4). What is different since March 2026 is tested too.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from evenboard_engine.tests.crosstables import crosstable
from evenboard_engine.tiebreaks import ranking, read_list, shown

SWISS = crosstable("""
 1 2200 |  9w1 13b=  2w= 15b1  4w=
 2 2150 | 10b1  7w1  1b= 16w1  3b=
 3 2100 | 11w=  6b1  8w1  4b=  2w=
 4 2050 | 12b1    H 13w1  3w=  1b=
 5 2000 | 13w0 15b0 11w1  7b= 10w1
 6 1950 | 14b0  3w0    U 10w1  8b1
 7 1900 | 15w1  2b0 16b0  5w= 11b0
 8 1850 | 16b= 14w1  3b0 13w1  6w0
 9 1800 |  1b0 10w0    H 11b-    U
10 1750 |  2w0  9b1 15w0  6b0  5b0
11 1700 |  3b= 16w0  5b0  9w+  7w1
12 1650 |  4w0    U 14w+    Z    Z
13 1600 |  5b1  1w=  4b0  8b0 14w0
14 1550 |  6w1  8b0 12b-    Z 13b1
15 1500 |  7b0  5w1 10b1  1w0 16b0
16 1450 |  8w= 11b1  7w1  2b0 15w1
""")
NINE_ROUNDS = crosstable("""
 1 2150 |  9w1 13b=  2w= 15b1  4w=  6b=  3b= 16w=  8b1
 2 2130 | 10b1  7w1  1b= 16w1  3b1  4w=  6w0 15b=  5w=
 3 2200 | 11w=  6b1  8w1  4b=  2w0 16b1  1w= 14w1 10b1
 4 2110 | 12b1    H 13w1  3w=  1b=  2b= 16w=  6b= 15w1
 5 1890 | 13w0 15b0 11w1  7b= 10w1 14b0  9b1  8w0  2b=
 6 2090 | 14b0  3w0    U 10w1  8b1  1w=  2b1  4w= 16b1
 7 1950 | 15w1  2b0 16b0  5w= 11b0 10b0 13w1  9w1 14b1
 8 1930 | 16b= 14w1  3b0 13w1  6w0 11b= 15w=  5b1  1w0
 9 1790 |  1b0 10w0    H 11b-    U 13b1  5w0  7b0 12w=
10 1870 |  2w0  9b1 15w0  6b0  5b0  7w1 12b1 11w1  3w0
11 1810 |  3b= 16w0  5b0  9w+  7w1  8w= 14b0 10b0 13w=
12 1770 |  4w0    U 14w+    Z    Z 15b0 10w0 13b=  9b=
13 1750 |  5b1  1w=  4b0  8b0 14w0  9w0  7b0 12w= 11b=
14 1850 |  6w1  8b0 12b-    Z 13b1  5w1 11w1  3b0  7w0
15 1830 |  7b0  5w1 10b1  1w0 16b0 12w1  8b=  2w=  4b0
16 1910 |  8w= 11b1  7w1  2b0 15w1  3w0  4b=  1b=  6w0
""")
ALL_PLAY_ALL = crosstable(
    """
1 2200 | 5w= 2w1 3b1 4w0 6b1
2 2150 | 6w1 1b0 5w1 3w= 4b1
3 2100 | 4w1 6b1 1w0 2b= 5w1
4 2050 | 3b0 5b0 6w= 1b1 2w0
5 1950 | 1b= 4w1 2b0 6w- 3b0
6 2000 | 2b0 3w0 4b= 5b+ 1w0
""",
    system="round-robin",
)


@pytest.mark.parametrize(
    ("code", "answers"),
    [
        ("BH", "12.5 13.0 15.5 15.0 8.5 12.0 14.5 13.5 9.0 13.0 13.5 11.5 14.0 11.0 12.0 12.5"),
        ("BH/C1", "11.0 12.0 13.0 11.5 7.5 11.0 12.5 12.0 7.5 11.5 12.0 9.5 12.0 9.0 11.0 11.0"),
        ("FB", "13.5 13.5 15.0 15.5 10.0 12.0 13.5 12.5 9.5 12.5 12.5 11.5 13.5 10.5 12.0 13.5"),
        ("SB", "8.00 9.50 10.50 9.75 4.25 6.50 3.25 5.25 2.25 1.50 5.75 4.00 4.25 4.50 3.50 7.25"),
        ("SB/C1", "7.25 8.50 9.25 8.00 3.25 5.50 1.25 3.75 2.25 0.00 4.25 4.00 4.25 3.00 2.50 5.75"),
        ("ARO", "1820 1880 1940 1888 1690 1813 1760 1730 1975 1880 1863 2050 1930 1800 1860 1820"),
        ("ARO/C1", "1900 1988 2000 1983 1738 1900 1838 1800 2200 1975 2000 0 2025 1900 1963 1900"),
        ("TPR", "1969 2120 2089 2081 1690 1813 1611 1730 1175 1640 1776 1250 1781 1925 1788 1969"),
        ("WIN", "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3"),
        ("WON", "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3"),
        ("BPG", "2 3 2 2 2 2 3 2 1 3 2 0 3 2 3 2"),
        ("BWG", "1 1 1 1 0 1 0 0 0 1 0 0 1 1 1 1"),
        ("GE", "5 5 5 4 5 5 5 5 3 5 5 3 5 3 5 5"),
        ("PS", "11.0 13.0 11.0 11.5 5.0 6.0 6.0 8.5 2.5 4.0 5.5 7.0 7.0 6.0 7.0 10.5"),
        ("PS/C1", "10.0 12.0 10.5 10.5 5.0 6.0 5.0 8.0 2.5 4.0 5.0 7.0 6.0 5.0 7.0 10.0"),
    ],
)
def test_answers_of_the_swiss_exercises(code: str, answers: str) -> None:
    (rule,) = read_list(code)
    found = ranking(SWISS, (rule,), capped=False).values
    assert [shown(rule, found[player][0]) for player in range(1, 17)] == answers.split()


def test_average_buchholz_of_the_exercises_which_round_to_two_decimals() -> None:
    answers = (
        "12.60 13.60 13.40 13.38 13.40 13.25 11.90 13.00 12.75 10.90 12.75 15.00 12.10 13.17 12.20 13.30"
    )
    found = ranking(SWISS, read_list("AOB"), capped=False).values
    hundredths = [found[player][0] * 10 + Fraction(1, 2) for player in range(1, 17)]
    assert [f"{int(each) / 100:.2f}" for each in hundredths] == answers.split()


@pytest.mark.parametrize(
    ("code", "answers"),
    [
        ("APRO", {1: "1789", 3: "1904", 4: "1772", 16: "1805"}),
        ("PTP", {3: "2112"}),
    ],
)
def test_performance_of_single_players_in_the_exercises(code: str, answers: dict[int, str]) -> None:
    (rule,) = read_list(code)
    found = ranking(SWISS, (rule,)).values
    assert {player: shown(rule, found[player][0]) for player in answers} == answers


@pytest.mark.parametrize(
    ("code", "answers"),
    [
        ("BH", {4: "14.0", 6: "11.5", 11: "12.5"}),
        ("BH/C1", {6: "10.5", 11: "11.0"}),
        ("FB", {4: "14.5", 11: "12.0", 12: "11.0"}),
        ("SB", {4: "9.25", 6: "6.00", 11: "4.75"}),
        ("SB/C1", {4: "7.75", 6: "5.00", 11: "3.25"}),
    ],
)
def test_limit_of_the_dummy_since_march_2026_changes_some_answers(code: str, answers: dict[int, str]) -> None:
    """4 and 6 have byes, whose dummy counts five draws at most. 11 won by forfeit against 9, who counts 1.5."""
    (rule,) = read_list(code)
    now, before = (ranking(SWISS, (rule,), capped=capped).values for capped in (True, False))
    assert {player: shown(rule, now[player][0]) for player in answers} == answers
    others = set(now) - set(answers)
    assert {player: now[player] for player in others} == {player: before[player] for player in others}


@pytest.mark.parametrize(
    ("code", "answers"),
    [
        ("SB", "9.25 6.25 6.25 4.25 3.25 2.25"),
        ("SB/C1", "9.25 4.75 4.75 4.25 3.25 1.50"),
        ("KS", "2.0 0.5 0.5 1.0 0.5 0.0"),
    ],
)
def test_answers_of_the_round_robin(code: str, answers: str) -> None:
    """The game that was lost by forfeit counts as a game (15.2)."""
    (rule,) = read_list(code)
    found = ranking(ALL_PLAY_ALL, (rule,)).values
    assert [shown(rule, found[player][0]) for player in range(1, 7)] == answers.split()


CUTS_OF_AN_UNPLAYED_ROUND = crosstable("""
1 2200 |    H  2w=  3b1  4w0
2 2100 |  4w0  1b=  6w=  5b0
3 2000 |  5w=  4w0  1w0  6b1
4 1900 |  2b1  3b1  5b0  1b1
5 1800 |  3b=  6w1  4w1  2w1
6 1700 |    U  5b0  2b=  3w0
""")


def test_first_cut_takes_the_unplayed_round_and_the_second_the_least_contribution() -> None:
    """16.5: the half-point bye gives 1.00, the draw with the opponent who scored least 0.50. The loss gives 0.00, but
    its opponent scored most.
    """
    rules = read_list("SB,SB/C1,SB/C2")
    values = ranking(CUTS_OF_AN_UNPLAYED_ROUND, rules).values[1]
    assert [shown(rule, value) for rule, value in zip(rules, values, strict=True)] == ["3.00", "2.00", "1.50"]


def ranks(groups: tuple[tuple[int, ...], ...]) -> list[int]:
    found, place = {}, 1
    for group in groups:
        found.update(dict.fromkeys(group, place))
        place += len(group)
    return [found[player] for player in sorted(found)]


def test_direct_encounter_in_the_exercises() -> None:
    of_five = ranks(ranking(SWISS, read_list("PTS,DE")).groups)
    assert [of_five[player - 1] for player in (1, 3, 4, 16)] == [2, 2, 2, 2]
    assert [of_five[player - 1] for player in (5, 8, 11)] == [7, 7, 7]
    of_nine = ranks(ranking(NINE_ROUNDS, read_list("PTS,DE")).groups)
    assert of_nine == [3, 5, 1, 3, 9, 2, 6, 6, 14, 9, 13, 14, 16, 9, 9, 6]
    assert ranks(ranking(ALL_PLAY_ALL, read_list("PTS,DE")).groups) == [1, 2, 2, 6, 5, 4]
