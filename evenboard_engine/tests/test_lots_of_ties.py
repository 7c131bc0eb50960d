"""Drawing of lots for players who are level (VCL4THP.13 Q204 to Q206)."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from evenboard_engine import Player, Tournament
from evenboard_engine.model import Game, Result
from evenboard_engine.tiebreaks import read_list, standings

TOURNAMENT = Tournament(
    rounds=3,
    round=2,
    players=tuple(Player(90 - number, number, 2000) for number in range(1, 7)),
    games=tuple(Game(1, 90 - white, 90 - white - 3, Result.DRAW) for white in (1, 2, 3)),
)


def order(tournament: Tournament, codes: str) -> list[tuple[int, int]]:
    return [(row.place, 90 - row.player) for row in standings(tournament, read_list(codes))]


@pytest.mark.parametrize("seed", ["7F3A", "A", "DICE123"])
def test_lots_are_in_the_order_of_the_sums(seed: str) -> None:
    numbers = sorted(range(1, 7), key=lambda number: sha256(f"{seed}/{number}".encode()).digest())
    assert order(TOURNAMENT, f"OTHER_LOTS/{seed}") == list(enumerate(numbers, start=1))


def test_same_seed_gives_the_same_order_whatever_the_keys_of_the_players() -> None:
    others = replace(
        TOURNAMENT,
        players=tuple(replace(player, id=player.tpn) for player in reversed(TOURNAMENT.players)),
        games=tuple(Game(1, white, white + 3, Result.DRAW) for white in (1, 2, 3)),
    )
    again = [(row.place, row.player) for row in standings(others, read_list("OTHER_LOTS/7F3A"))]
    assert again == order(TOURNAMENT, "OTHER_LOTS/7F3A")


def test_lots_decide_only_between_players_who_are_level() -> None:
    games = (Game(1, 89, 86, Result.WHITE_WINS), *TOURNAMENT.games[1:])
    rows = standings(replace(TOURNAMENT, games=games), read_list("OTHER_LOTS/7F3A"))
    assert [row.values for row in rows if row.points != 5] == [(None,), (None,)]
    assert None not in {row.values[0] for row in rows if row.points == 5}


@pytest.mark.parametrize("code", ["OTHER_LOTS", "OTHER_LOTS/", "OTHER_LOTS/7 A", "OTHER_LOTS/ABCDEFGHIJKLM"])
def test_lots_need_a_seed(code: str) -> None:
    assert [rule.name for rule in read_list(code)] == [""]
