"""Shared by the tests of rounds worked out on paper: small fields, and the engine and oracle that must pair them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evenboard_engine.model import Player, Tournament
from evenboard_engine.tests.brute_force import BruteRound
from evenboard_engine.tests.comparison import engine_answer, oracle_answer

Answer = Callable[[Tournament], BruteRound | None]
Pairs = set[tuple[int, int]]

by_oracle_and_engine = pytest.mark.parametrize(
    "answer", [oracle_answer, engine_answer], ids=["oracle", "engine"]
)


def players(*ratings: int) -> tuple[Player, ...]:
    """Return players whose id is their TPN."""
    return tuple(Player(number, number, rating) for number, rating in enumerate(ratings, start=1))


def field(size: int) -> tuple[Player, ...]:
    return players(*range(2400, 2400 - 20 * size, -20))


def pairs_of(answer: BruteRound | None) -> Pairs:
    assert answer is not None
    return set(answer.pairs)
