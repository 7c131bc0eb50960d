from __future__ import annotations

from pairing.engine import Game, Player, Result, Tournament, histories
from pairing.engine.standings import Standing, standings

VALUE = Tournament(
    rounds=3,
    round=2,
    players=tuple(Player(id=10 * tpn, tpn=tpn, rating=2000 - tpn) for tpn in (4, 3, 2, 1)),
    games=(Game(1, 10, 40, Result.DRAW), Game(1, 30, 20, Result.DRAW)),
)


def test_equal_points_are_ordered_by_aro_then_number() -> None:
    assert standings(VALUE, past=histories(VALUE)) == (
        Standing(place=1, player=40, points=5, aro=1999, games=1),
        Standing(place=2, player=30, points=5, aro=1998, games=1),
        Standing(place=3, player=20, points=5, aro=1997, games=1),
        Standing(place=4, player=10, points=5, aro=1996, games=1),
    )


def test_a_player_who_is_left_out_leaves_no_gap_and_still_counts_for_others() -> None:
    rows = standings(VALUE, past=histories(VALUE), leave_out=frozenset({40}))
    assert [(row.place, row.player, row.aro) for row in rows] == [(1, 30, 1998), (2, 20, 1997), (3, 10, 1996)]


def test_without_games_the_number_decides() -> None:
    fresh = Tournament(rounds=3, round=1, players=VALUE.players)
    assert [row.player for row in standings(fresh, past=histories(fresh))] == [10, 20, 30, 40]
