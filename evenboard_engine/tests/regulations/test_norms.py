"""Title norms, worked by hand from B.01 (1.4.1 to 1.4.9, in force from 1 January 2024)."""

from __future__ import annotations

from dataclasses import replace

from evenboard_engine.regulations.norms import (
    NORMS,
    Candidate,
    Code,
    NormGame,
    check_norm,
    norms_open_to,
    required_half_wins,
)

GM, IM, WGM, WIM = NORMS
WIN, DRAW, LOSS = 2, 1, 0
GAMES = (
    NormGame("FRA", "GM", 2550, DRAW),
    NormGame("GER", "IM", 2440, WIN),
    NormGame("POL", "IM", 2420, WIN),
    NormGame("POL", "GM", 2500, LOSS),
    NormGame("GER", "FM", 2350, WIN),
    NormGame("GER", "", 2010, WIN),
    NormGame("NED", "IM", 2400, DRAW),
    NormGame("FRA", "FM", 2300, WIN),
    NormGame("NED", "CM", 2250, DRAW),
)
"""6½ points of 9: 72 %, dp 166."""
PLAYER = Candidate(title="FM", federation="GER", woman=False, games=GAMES, unplayed=0, rounds=9)


def test_norm_with_each_condition_and_its_figures() -> None:
    """IM: 2010 counts as 2050 (1.4.6), so the average is 21260 / 9 = 2362.2, the performance 2362 + 166 = 2528."""
    found = check_norm(IM, PLAYER)
    assert [(one.code, one.value, one.bound) for one in found.conditions] == [
        (Code.GAMES, 9, 9),
        (Code.SCORE, 72, 35),
        (Code.FEDERATIONS, 3, 2),
        (Code.OWN, 3, 5),
        (Code.ONE, 3, 6),
        (Code.TITLED, 7, 5),
        (Code.TITLES, 5, 3),
        (Code.AVERAGE, 2362, 2230),
        (Code.PERFORMANCE, 2528, 2450),
    ]
    assert (found.met, found.raised) == (True, 2010)


def test_norm_that_misses_three_conditions() -> None:
    """GM: 2010 counts as 2200: 21410 / 9 = 2378.9, less than 2380; two grandmasters; 2379 + 166 = 2545."""
    found = check_norm(GM, PLAYER)
    assert [(one.code, one.value, one.bound) for one in found.missed] == [
        (Code.TITLES, 2, 3),
        (Code.AVERAGE, 2379, 2380),
        (Code.PERFORMANCE, 2545, 2600),
    ]


def test_only_one_opponent_is_raised_and_unrated_ones_count_as_1400() -> None:
    """GM: of 0 and 2010, the unrated player is raised to 2200 (1.4.6c); without him 1400 would count (1.4.6d)."""
    games = (*GAMES[:-1], NormGame("NED", "", 0, DRAW))
    found = check_norm(GM, replace(PLAYER, games=games))
    # 2550 + 2440 + 2420 + 2500 + 2350 + 2010 + 2400 + 2300 + 2200 = 21170
    assert (found.raised, found.value(Code.AVERAGE)) == (1400, 2352)


def test_fide_flag_is_no_federation_and_a_player_without_one_does_not_count() -> None:
    games = tuple(replace(game, federation="FID") for game in GAMES)
    found = check_norm(IM, replace(PLAYER, games=games))
    assert [one.code for one in found.missed] == [Code.FEDERATIONS]
    games = (replace(GAMES[0], federation=""), *GAMES[1:])
    assert [one.code for one in check_norm(IM, replace(PLAYER, games=games)).missed] == [Code.GAMES]


def test_eight_games_are_enough_if_the_ninth_was_a_forfeit_win_or_a_bye() -> None:
    eight = replace(PLAYER, games=GAMES[:-1], unplayed=1)
    assert check_norm(IM, eight).met
    assert not check_norm(IM, replace(eight, unplayed=0)).met
    assert not check_norm(IM, replace(eight, rounds=10)).met


def test_bounds_of_federations_are_rounded_down_and_of_titles_up() -> None:
    """Of 11 games: 3/5 is 6.6 and 2/3 is 7.3, so 6 and 7; half is 5.5 and a third 3.7, so 6 and 4 (1.4.4)."""
    eleven = replace(PLAYER, games=(*GAMES, *GAMES[:2]), rounds=11)
    bounds = {one.code: one.bound for one in check_norm(IM, eleven).conditions}
    assert [bounds[code] for code in (Code.OWN, Code.ONE, Code.TITLED, Code.TITLES)] == [6, 7, 6, 4]


def test_norms_are_those_for_higher_titles() -> None:
    def titles(title: str, *, woman: bool) -> list[str]:
        found = norms_open_to(replace(PLAYER, title=title, woman=woman))
        return [norm.title for norm in found]

    assert titles("", woman=False) == ["GM", "IM"]
    assert titles("WIM", woman=True) == ["GM", "IM", "WGM"]
    assert titles("IM", woman=True) == ["GM"]
    assert titles("GM", woman=False) == []


def test_without_games_nothing_is_met() -> None:
    assert not check_norm(WIM, replace(PLAYER, games=())).met


def test_least_score_for_a_norm() -> None:
    """IM with the average 2362: dp 88 asks for 63 %, and 6 of 9 are 67 %. With the average 3000, 35 % are asked."""
    assert required_half_wins(IM, 2362, 9) == 12
    assert required_half_wins(IM, 3000, 9) == 7
    assert required_half_wins(GM, 1500, 9) is None
