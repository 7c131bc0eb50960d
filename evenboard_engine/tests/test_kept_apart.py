"""The graph of possible pairs in a part of the field: computing it by runs of seats or pair by pair is the same."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from evenboard_engine.model import Bye, ByeKind
from evenboard_engine.systems import field as field_module
from evenboard_engine.systems.dubov.pairing.field import DubovField, legal_graph, may_meet
from evenboard_engine.systems.field import KeptApart
from evenboard_engine.tests.rules.build import tournament
from evenboard_engine.tests.seeds import for_seeds


@for_seeds(60)
def test_graph_has_exactly_the_pairs_that_may_meet(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(seed)
    size = rng.randint(25, 45)
    forbidden = frozenset(
        (one, other)
        for one in range(1, size + 1)
        for other in range(one + 1, size + 1)
        if rng.random() < rng.choice((0.2, 0.9))
    )
    byes = tuple(Bye(1, player, ByeKind.FULL) for player in range(1, size + 1) if rng.random() < 0.4)
    away = frozenset(player for player in range(1, size + 1) if rng.random() < 0.1)
    field = DubovField(replace(tournament(size, rounds=9, at=2, forbidden=forbidden, byes=byes), absent=away))
    by_score = sorted(field.present, key=lambda place: (-field.score[place], place))
    left_out = set(rng.sample(by_score, rng.choice((0, 1, 5))))
    players = [field.entrant(place) for place in by_score if place not in left_out]
    if rng.random() < 0.3:
        rng.shuffle(players)
    expected = [
        sum(1 << j for j, other in enumerate(players) if other is not one and may_meet(one, other))
        for one in players
    ]
    for factor in (0, 8, 10**9):
        monkeypatch.setattr(field_module, "RUN_FOR_PAIRS", factor)
        assert legal_graph(players) == expected


def test_runs_are_neighbouring_seats_in_order() -> None:
    seats = KeptApart([4, 0, 3, 1, 2], [(1, 9), (0, 2), (1,), (), ()])
    assert seats.runs([4, 0, 2, 3, 1]) == [(0, 0b11, 0), (4, 0b1, 2), (2, 0b11, 3)]
    assert seats.apart(1, seats.runs([4, 0, 2, 3, 1])) == 0b00110
    assert seats.apart(0, seats.runs([1, 2])) == 0b01


def test_graph_of_no_players_is_empty() -> None:
    assert legal_graph([]) == []
