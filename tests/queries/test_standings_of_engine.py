from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from evenboard_engine import Game, Player, Result, Tournament, histories
from evenboard_engine.generating.settings import GeneratorSettings
from evenboard_engine.generating.tournament import generate
from evenboard_engine.tiebreaks import Standing, capped_from, read_list, standings
from evenboard_engine.trf import to_tournament

VALUE = Tournament(
    rounds=3,
    round=2,
    players=tuple(Player(id=10 * tpn, tpn=tpn, rating=2000 - tpn) for tpn in (4, 3, 2, 1)),
    games=(Game(1, 10, 40, Result.DRAW), Game(1, 30, 20, Result.DRAW)),
)
ARO = read_list("ARO,TPN")


def test_equal_points_are_ordered_by_aro_then_number() -> None:
    assert standings(VALUE, ARO) == (
        Standing(1, False, 40, 5, (Fraction(1999), Fraction(4))),
        Standing(2, False, 30, 5, (Fraction(1998), Fraction(3))),
        Standing(3, False, 20, 5, (Fraction(1997), Fraction(2))),
        Standing(4, False, 10, 5, (Fraction(1996), Fraction(1))),
    )


def test_a_player_who_is_left_out_leaves_no_gap_and_still_counts_for_others() -> None:
    rows = standings(VALUE, ARO, leave_out=frozenset({40}))
    assert [(row.place, row.player, row.values[0]) for row in rows] == [
        (1, 30, 1998),
        (2, 20, 1997),
        (3, 10, 1996),
    ]


@pytest.mark.parametrize("codes", ["", "ARO", "ARO,TPN", "BH,DE"])
def test_without_games_the_number_decides(codes: str) -> None:
    fresh = Tournament(rounds=3, round=1, players=VALUE.players)
    rows = standings(fresh, read_list(codes))
    assert [(row.place, row.shared, row.player) for row in rows] == [
        (1, False, 10),
        (2, False, 20),
        (3, False, 30),
        (4, False, 40),
    ]


def test_players_who_are_level_in_everything_share_the_place() -> None:
    games = (Game(1, 10, 40, Result.WHITE_WINS), Game(1, 30, 20, Result.DRAW))
    value = Tournament(rounds=3, round=2, players=VALUE.players, games=games)
    rows = standings(value, read_list("BH"))
    assert [(row.place, row.shared, row.player) for row in rows] == [
        (1, False, 10),
        (2, True, 20),
        (2, True, 30),
        (4, False, 40),
    ]


def test_unknown_tie_break_has_no_values_and_separates_nobody() -> None:
    rows = standings(VALUE, read_list("OTHER_LUCK,ARO"))
    assert [(row.place, row.player, row.values) for row in rows] == [
        (1, 40, (None, 1999)),
        (2, 30, (None, 1998)),
        (3, 20, (None, 1997)),
        (4, 10, (None, 1996)),
    ]


def test_direct_encounter_has_a_place_only_for_tied_players() -> None:
    games = (
        Game(1, 10, 40, Result.WHITE_WINS),
        Game(1, 20, 30, Result.WHITE_WINS),
        Game(2, 10, 20, Result.BLACK_WINS),
        Game(2, 30, 40, Result.DRAW),
        Game(3, 10, 30, Result.WHITE_WINS),
        Game(3, 20, 40, Result.BLACK_WINS),
    )
    value = Tournament(rounds=3, round=4, players=VALUE.players, games=games)
    rows = standings(value, read_list("DE"))
    assert [(row.place, row.player, row.points, row.values) for row in rows] == [
        (1, 20, 20, (1,)),
        (2, 10, 20, (2,)),
        (3, 40, 15, (None,)),
        (4, 30, 5, (None,)),
    ]


@pytest.mark.parametrize("seed", range(12))
def test_points_and_aro_are_those_of_the_histories(seed: int) -> None:
    """Whatever was not played: the standings by the list of the Dubov System have the order of points, ARO, number."""
    players = Random(seed).randrange(9, 40)
    report = generate(f"standings {seed}", GeneratorSettings(players=players, rounds=5, tie_breaks=())).report
    value = to_tournament(report, round=5)
    past = histories(value)
    right = sorted(value.players, key=lambda one: (-past[one.id].score, -past[one.id].aro, one.tpn))
    assert [(row.player, row.points, row.values) for row in standings(value, ARO)] == [
        (one.id, past[one.id].score, (past[one.id].aro, one.tpn)) for one in right
    ]


def test_edition_follows_the_first_day() -> None:
    assert [capped_from(day) for day in ("", "2026-02-28", "2026-03-01")] == [True, False, True]
