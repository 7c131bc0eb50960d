"""The oracle alone, with the examples of the rule text and small cases worked out on paper."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from evenboard_engine.model import Bye, ByeKind, Game, Player, PointSystem, Result, Tournament
from evenboard_engine.systems.dubov.options import UpfloatCount
from evenboard_engine.tests.brute_force import (
    Field,
    allocated_bye,
    ids_of,
    middle_out,
    shifter_sets,
    shifts,
    transpositions,
    upfloater_sets,
)
from evenboard_engine.tests.brute_history import ABSOLUTE, MILD, STRONG, Entrant, read_history
from evenboard_engine.tests.random_rounds import random_rounds

NO_TOURNAMENT = Tournament(rounds=5, round=2, players=())


def names(sets: Iterator[tuple[Entrant, ...]] | list[tuple[Entrant, ...]]) -> list[tuple[int, ...]]:
    return [tuple(player.id for player in chosen) for chosen in sets]


def history_of(colours: str, **more: object) -> Entrant:
    """Return the oracle's history of player 1, whose rounds are given by letters: W and B are games.

    u allocated bye, h half-point bye, z zero-point bye, + and - forfeits with White, a blank no entry for the round.
    """
    players = [Player(number, number, 2000 + number) for number in range(1, len(colours) + 2)]
    games, byes = [], []
    for number, letter in enumerate(colours, start=1):
        opponent = number + 1
        if letter in "WB":
            white, black = (1, opponent) if letter == "W" else (opponent, 1)
            games.append(Game(number, white, black, Result.DRAW))
        elif letter in "+-":
            won = Result.WHITE_WINS_BY_FORFEIT if letter == "+" else Result.BLACK_WINS_BY_FORFEIT
            games.append(Game(number, 1, opponent, won))
        elif letter != " ":
            byes.append(Bye(number, 1, ByeKind(letter.upper())))
    tournament = Tournament(
        rounds=len(colours) + 1,
        round=len(colours) + 1,
        players=tuple(players),
        games=tuple(games),
        byes=tuple(byes),
        **more,  # type: ignore[arg-type]
    )
    return read_history(tournament)[1]


# Article 4


def test_containers_are_those_of_the_example_of_4_2_3_sorted_by_c6() -> None:
    """The example of the text lists the containers unsorted: its fourth, {4,5}, has a better lowest score."""
    scores = {1: 30, 2: 30, 3: 30, 4: 25, 5: 25, 6: 15}
    pool = [Entrant(number, number, score) for number, score in scores.items()]
    assert names(upfloater_sets(list(reversed(pool)), 2)) == [
        *[(1, 2), (1, 3), (2, 3)],
        *[(1, 4), (1, 5), (2, 4), (2, 5), (3, 4), (3, 5)],
        *[(4, 5)],
        *[(1, 6), (2, 6), (3, 6)],
        *[(4, 6), (5, 6)],
    ]


def test_containers_compare_the_lowest_score_first() -> None:
    pool = [Entrant(1, 1, 30), Entrant(2, 2, 20), Entrant(3, 3, 20), Entrant(4, 4, 10)]
    assert names(upfloater_sets(pool, 2)) == [(1, 2), (1, 3), (2, 3), (1, 4), (2, 4), (3, 4)]


def test_upfloaters_of_equal_score_are_numbered_by_initial_ranking() -> None:
    pool = [Entrant(1, 9, 20), Entrant(2, 4, 20), Entrant(3, 7, 20)]
    assert names(upfloater_sets(pool, 1)) == [(2,), (3,), (1,)]


@pytest.mark.parametrize(
    ("in_order", "numbered"),
    [("ABCDEFG", "DCEBFAG"), ("ABCD", "BCAD"), ("ABCDEF", "CDBEAF"), ("AB", "AB"), ("A", "A"), ("", "")],
)
def test_shifters_are_numbered_from_the_middle_as_in_4_3_3(in_order: str, numbered: str) -> None:
    assert "".join(middle_out(in_order)) == numbered


def test_white_shifters_are_ordered_by_aro_and_black_shifters_by_initial_ranking() -> None:
    seekers = [
        Entrant(1, 1, aro=2200),
        Entrant(2, 2, aro=2000),
        Entrant(3, 3, aro=2100),
        Entrant(4, 4, aro=2000),
    ]
    assert names(shifter_sets(seekers, 1, "W")) == [(4,), (3,), (2,), (1,)]
    assert names(shifter_sets(seekers, 1, "B")) == [(2,), (3,), (1,), (4,)]


def test_sets_of_shifters_are_lexicographic() -> None:
    seekers = [Entrant(number, number) for number in range(1, 5)]
    assert names(shifter_sets(seekers, 2, "B")) == [(2, 3), (2, 1), (2, 4), (3, 1), (3, 4), (1, 4)]


def test_transpositions_are_in_the_order_of_the_example_of_4_4_2() -> None:
    a, b, c = (Entrant(number, number) for number in (1, 2, 3))
    expected = [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)]
    assert names(transpositions([c, a, b])) == expected


# Article 1


@pytest.mark.parametrize(
    ("rounds", "compressed"),
    [
        ("BWBuW", "BWBW"),
        ("WBuWB", "WBWB"),
        ("BWWuBuW", "BWWBW"),
        ("W+-B", "WB"),
        ("Wh zB", "WB"),
        ("uu", ""),
    ],
)
def test_only_played_games_have_a_colour(rounds: str, compressed: str) -> None:
    assert history_of(rounds).colours == compressed


@pytest.mark.parametrize(
    ("colours", "preference"),
    [
        ("", ("B", MILD)),
        ("W", ("B", STRONG)),
        ("B", ("W", STRONG)),
        ("WB", ("W", MILD)),
        ("BW", ("B", MILD)),
        ("WW", ("B", ABSOLUTE)),
        ("WBB", ("W", ABSOLUTE)),
        ("WWBB", ("W", ABSOLUTE)),
        ("WBW", ("B", STRONG)),
        ("WBWBWW", ("B", ABSOLUTE)),
        ("WWBW", ("B", ABSOLUTE)),
        ("WWWWBB", ("B", ABSOLUTE)),
        ("BBBBWW", ("W", ABSOLUTE)),
    ],
)
def test_preference_follows_1_5_2(colours: str, preference: tuple[str, int]) -> None:
    assert Entrant(1, 1, colours=colours).preference == preference


def test_two_games_with_white_are_the_latest_two_despite_a_forfeit_between_them() -> None:
    assert history_of("W+W").preference == ("B", ABSOLUTE)


def test_aro_is_rounded_half_up_and_counts_only_played_games() -> None:
    assert history_of("WB").aro == 2003  # 2002 and 2003
    assert history_of("WuB").aro == 2003  # 2002 and 2004
    assert history_of("W+B").aro == 2003
    assert history_of("+u").aro == 0


@pytest.mark.parametrize(
    ("rounds", "barred"),
    [
        ("u", True),
        ("+", True),
        ("f", True),
        ("h", False),
        ("z", False),
        ("-", False),
        ("W", False),
        (" ", False),
    ],
)
def test_the_bye_is_barred_by_points_scored_without_playing(rounds: str, barred: bool) -> None:
    assert history_of(rounds).barred is barred


def test_allocated_bye_below_a_win_bars_and_forfeit_win_below_a_win_does_not() -> None:
    points = PointSystem(allocated_bye=5, forfeit_win=5)
    assert history_of("u", points=points).barred is True
    assert history_of("+", points=points).barred is False


def upfloat_history(result: Result, **more: object) -> Entrant:
    """Return player 3's history before round 3: in round 2, 3 (no point) met 1 (one point), with this result."""
    tournament = Tournament(
        rounds=5,
        round=3,
        players=tuple(Player(number, number, 2000) for number in (1, 2, 3, 4)),
        games=(
            Game(1, 1, 4, Result.WHITE_WINS),
            Game(1, 2, 3, Result.WHITE_WINS),
            Game(2, 3, 1, result),
            Game(2, 2, 4, Result.DRAW),
        ),
        **more,  # type: ignore[arg-type]
    )
    return read_history(tournament)[3]


def test_an_upfloat_is_a_game_with_an_opponent_who_had_more_points_before_it() -> None:
    player = upfloat_history(Result.WHITE_WINS)
    assert (player.upfloats, player.upfloated_last) == (1, True)


def test_a_forfeited_upfloat_counts_only_if_upfloats_count_as_paired() -> None:
    played = upfloat_history(Result.BLACK_WINS_BY_FORFEIT)
    paired = upfloat_history(Result.BLACK_WINS_BY_FORFEIT, options={"upfloats": UpfloatCount.PAIRED})
    assert (played.upfloats, played.upfloated_last) == (0, False)
    assert (paired.upfloats, paired.upfloated_last) == (1, True)


def test_pairing_numbers_skip_players_never_taken_into_account() -> None:
    tournament = Tournament(
        rounds=5,
        round=2,
        players=tuple(Player(number * 10, number, 2000) for number in range(1, 8)),
        games=(Game(1, 20, 30, Result.WHITE_WINS_BY_FORFEIT),),
        byes=(Bye(1, 40, ByeKind.ALLOCATED), Bye(1, 50, ByeKind.HALF), Bye(1, 60, ByeKind.HALF)),
        absent=frozenset({10, 20, 30, 40, 50}),
    )
    numbers = {player.id: player.number for player in read_history(tournament).values()}
    assert numbers == {10: 0, 20: 1, 30: 2, 40: 3, 50: 0, 60: 4, 70: 5}


# Article 2


def test_the_bye_goes_by_score_then_games_then_initial_ranking() -> None:
    players = [
        Entrant(1, 1, 10, colours="WB"),
        Entrant(2, 2, 5, colours="WB"),
        Entrant(3, 3, 5, colours="WB"),
        Entrant(4, 4, 5, colours="W"),
        Entrant(5, 5, 0, colours="WB", barred=True),
    ]
    field = Field(NO_TOURNAMENT, players)
    assert allocated_bye(field, players).id == 3


def test_the_bye_must_leave_a_complete_pairing() -> None:
    """If 3 has the bye, 1 and 2 are left, who must not meet."""
    players = [Entrant(number, number, colours="W") for number in (1, 2, 3)]
    forbidden = frozenset({(1, 2)})
    field = Field(Tournament(rounds=5, round=2, players=(), forbidden=forbidden), players)
    assert allocated_bye(field, players).id == 2


def seeking(colour: str, first: int, last: int) -> list[Entrant]:
    had = {"W": "B", "B": "W"}[colour]
    return [Entrant(number, number, colours=had, aro=2000 + number) for number in range(first, last + 1)]


def test_a_second_shift_without_a_first_moves_the_middle_of_the_larger_subgroup() -> None:
    g1, g2 = seeking("W", 1, 3), seeking("B", 4, 10)
    first, second = shifts(Field(NO_TOURNAMENT, g1 + g2), g1, g2)
    assert names([first, second]) == [(), (7, 6)]


def test_a_player_shifted_first_is_not_shifted_back() -> None:
    """1 and 2 can only meet each other: one is shifted; then three of 4 to 10 are, with their numbers unchanged."""
    g1, g2 = seeking("W", 1, 3), seeking("B", 4, 10)
    forbidden = frozenset((one, two) for one in (1, 2) for two in range(3, 11))
    field = Field(Tournament(rounds=5, round=2, players=(), forbidden=forbidden), g1 + g2)
    first, second = shifts(field, g1, g2)
    assert names([first, second]) == [(2,), (7, 6, 8)]


def test_remembered_values_of_a_set_equal_those_of_all_its_pairings() -> None:
    """Compare Field.best and Field.completable with a list of all perfect pairings."""
    rng = Random(1)
    checked = 0
    for seed in range(40):
        for tournament, _ in random_rounds(seed, lambda _: None, sizes=(6, 7, 8)):
            players = list(read_history(tournament).values())
            players = players[: len(players) // 2 * 2]
            field = Field(tournament, players)
            group = frozenset(rng.sample(sorted(ids_of(players)), len(players) // 2))
            totals = [
                (
                    sum(field.misses(one, two) for one, two in pairing),
                    sum({one, two} <= group for one, two in pairing),
                )
                for pairing in every_pairing(sorted(ids_of(players)))
                if all(two in field.partners[one] for one, two in pairing)
            ]
            assert field.best(ids_of(players), group) == min(totals, default=None)
            assert field.completable(ids_of(players)) == bool(totals)
            checked += 1
    assert checked >= 40


def every_pairing(ids: list[int]) -> Iterator[list[tuple[int, int]]]:
    if not ids:
        yield []
        return
    first, *others = ids
    for other in others:
        for rest in every_pairing([player for player in others if player != other]):
            yield [(first, other), *rest]


def test_random_rounds_depend_only_on_the_seed() -> None:
    once = [tournament for tournament, _ in random_rounds(7, lambda _: None)]
    again = [tournament for tournament, _ in random_rounds(7, lambda _: None)]
    other = [tournament for tournament, _ in random_rounds(8, lambda _: None)]
    assert once == again
    assert once != other
