"""Compare the quick method with the exact one, on fields of which the quick method can pair only some brackets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from evenboard_engine import Bye, ByeKind, Game, NoLegalPairing, Result, RoundPairing, Tournament
from evenboard_engine.systems.dubov.pairing import pair_round, quick
from evenboard_engine.tests.random_rounds import random_rounds
from evenboard_engine.tests.rules.build import tournament as field_of
from evenboard_engine.tests.seeds import for_seeds

DECISIVE = (Result.WHITE_WINS, Result.BLACK_WINS)


def answer(tournament: Tournament, *, exact: bool) -> RoundPairing | str:
    try:
        return pair_round(tournament, exact=exact)
    except NoLegalPairing as error:
        return str(error)


def played(seed: int, size: int, rounds: int, draws: float) -> Iterator[Tournament]:
    """Yield the rounds of a tournament with forfeits and half-point byes, paired by the engine."""
    rng = Random(seed)
    tournament = field_of(size, rounds=rounds)
    if rng.random() < 0.3:
        tournament = replace(tournament, players=tuple(replace(p, rating=1800) for p in tournament.players))
    for number in range(1, rounds + 1):
        byes = tuple(Bye(number, p.id, ByeKind.HALF) for p in tournament.players if rng.random() < 0.02)
        asked = replace(tournament, round=number, byes=tournament.byes + byes)
        yield asked
        pairing = pair_round(asked)
        games = tuple(
            Game(
                number,
                pair.white,
                pair.black,
                Result.DRAW
                if rng.random() < draws
                else rng.choice(DECISIVE if rng.random() < 0.97 else (Result.WHITE_WINS_BY_FORFEIT,)),
            )
            for pair in pairing.pairs
        )
        allocated = () if pairing.bye is None else (Bye(number, pairing.bye, ByeKind.ALLOCATED),)
        tournament = replace(asked, games=tournament.games + games, byes=asked.byes + allocated)


@pytest.mark.parametrize("seed", range(40))
def test_both_methods_agree_on_a_tournament(seed: int) -> None:
    size = (20, 33, 48, 75, 120)[seed % 5]
    for tournament in played(seed, size, 9, (0.2, 0.5, 0.9)[seed % 3]):
        assert pair_round(tournament) == pair_round(tournament, exact=True)


@for_seeds(60)
def test_both_methods_agree_on_unusual_histories(seed: int) -> None:
    for tournament, _ in random_rounds(seed, lambda _asked: None, sizes=(16, 24, 36, 60)):
        assert answer(tournament, exact=False) == answer(tournament, exact=True)


@for_seeds(120)
def test_both_methods_agree_after_rounds_paired_by_hand(seed: int) -> None:
    """Earlier rounds are random, with rematches, three equal colours and forbidden pairs; only the last is compared."""
    rng = Random(seed)
    size = rng.choice((12, 18, 30, 44))
    former = rng.randint(1, 4)
    games = []
    for number in range(1, former + 1):
        order = list(range(1, size + 1))
        rng.shuffle(order)
        half = rng.randint(size // 3, size // 2)
        games += [
            (number, order[i], order[size - 1 - i], rng.choice((*DECISIVE, Result.DRAW))) for i in range(half)
        ]
    forbidden = frozenset(
        (a, b)
        for a in range(1, size)
        for b in range(a + 1, size + 1)
        if rng.random() < rng.choice((0, 0.1, 0.5))
    )
    tournament = field_of(size, *games, rounds=rng.choice((former + 1, 9)), forbidden=forbidden)
    assert answer(tournament, exact=False) == answer(tournament, exact=True)


def test_ordinary_brackets_do_not_need_the_exact_method(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a large field only small brackets at the top and bottom need the exact method."""
    left = []
    built = 0
    pair_quickly = quick.pair_quickly

    def counting(*args: object, **more: object) -> quick.Paired | None:
        nonlocal built
        paired = pair_quickly(*args, **more)  # type: ignore[arg-type]
        if paired is None:
            left.append(len(args[1]))  # type: ignore[arg-type]
        else:
            built += 1
        return paired

    monkeypatch.setattr("evenboard_engine.systems.dubov.pairing.pair_quickly", counting)
    for tournament in played(1, 400, 7, 0.4):
        pair_round(tournament)
    assert built > 30
    assert max(left, default=0) < 60
