"""The Berger tables: those of the handbook, and what holds for every table of 3 to 24 players."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest

from evenboard_engine.systems.round_robin.table import Schedule, rows_of, table_row
from evenboard_engine.tests.systems.round_robin.tables import PRINTED, printed

PLAYERS = range(3, 25)


def colours(schedule: Schedule, number: int) -> str:
    """The colours of a player, round by round."""
    games = [game for played in range(1, schedule.rounds + 1) for game in schedule.round(played)]
    return "".join("W" if number == white else "B" for white, black in games if number in (white, black))


@pytest.mark.parametrize("last", PRINTED)
def test_tables_are_those_of_the_handbook(last: int) -> None:
    rows = [list(map(tuple, table_row(last, row))) for row in range(1, last)]
    assert rows == printed(last)


@pytest.mark.parametrize("last", PRINTED)
def test_odd_number_of_players_leaves_out_the_last_number(last: int) -> None:
    schedule = Schedule(last - 1)
    for number, row in enumerate(printed(last), start=1):
        assert list(schedule.round(number)) == [game for game in row if last not in game]
        (against_last,) = [game for game in row if last in game]
        assert [schedule.free_in(number)] == [key for key in against_last if key != last]


@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_meets_everybody_once_in_a_cycle(players: int) -> None:
    games = [game for row in range(1, rows_of(players) + 1) for game in Schedule(players).round(row)]
    assert Counter(map(frozenset, games)) == Counter(map(frozenset, combinations(range(1, players + 1), 2)))


@pytest.mark.parametrize("players", PLAYERS)
def test_nobody_plays_twice_in_a_round_and_each_is_free_equally_often(players: int) -> None:
    schedule = Schedule(players, 2, swapped=True)
    everybody = list(range(1, players + 1))
    for number in range(1, schedule.rounds + 1):
        free = schedule.free_in(number)
        here = [key for game in schedule.round(number) for key in game] + ([] if free is None else [free])
        assert sorted(here) == everybody
    assert {len(schedule.free_rounds(number)) for number in everybody} == {2 * (players % 2)}


@pytest.mark.parametrize("players", PLAYERS)
def test_colours_are_balanced_in_a_cycle(players: int) -> None:
    """In an odd field all have as many games with White as with Black; in an even field the difference is one."""
    for number in range(1, players + 1):
        played = colours(Schedule(players), number)
        assert abs(played.count("W") - played.count("B")) == 1 - players % 2


@pytest.mark.parametrize("players", PLAYERS)
def test_double_round_robin_gives_each_pair_both_colours(players: int) -> None:
    schedule = Schedule(players, 2, swapped=True)
    for one, other in combinations(range(1, players + 1), 2):
        (first, game), (second, again) = schedule.meetings(one, other)
        assert again == game.turned
        assert first <= rows_of(players) < second


def longest_run(played: str) -> int:
    longest = run = 1
    for one, other in pairwise(played):
        run = run + 1 if one == other else 1
        longest = max(longest, run)
    return longest


@pytest.mark.parametrize("players", [n for n in PLAYERS if n > 4])
def test_swapped_rounds_leave_nobody_with_three_equal_colours_in_a_row(players: int) -> None:
    plain, swapped = Schedule(players, 2), Schedule(players, 2, swapped=True)
    everybody = range(1, players + 1)
    assert max(longest_run(colours(swapped, number)) for number in everybody) == 2
    if players % 2 == 0:
        runs = {number: longest_run(colours(plain, number)) for number in everybody}
        assert {number for number, run in runs.items() if run == 3} == {1, players // 2 + 1}


def test_swap_changes_the_last_two_rounds_of_the_first_cycle_alone() -> None:
    plain, swapped = Schedule(8, 2), Schedule(8, 2, swapped=True)
    order = [next(n for n in range(1, 15) if plain.round(n) == swapped.round(m)) for m in range(1, 15)]
    assert order == [1, 2, 3, 4, 5, 7, 6, 8, 9, 10, 11, 12, 13, 14]
    assert Schedule(8, 1, swapped=True).round(6) == Schedule(8).round(6)
