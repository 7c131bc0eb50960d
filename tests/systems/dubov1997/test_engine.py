"""The engine of 1997 gives what the worked examples say, and what the reference gives in random rounds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.engine.model import Tournament
from pairing.engine.systems.dubov1997.pairing import pair as pair_sheet
from pairing.engine.systems.dubov1997.pairing.history import field_of
from tests.engine.brute_force import BruteRound
from tests.engine.random_rounds import random_rounds

from .asking import answer, ask_engine
from .cases import case_of
from .examples import Example, examples
from .reference import pair
from .values import Paired, Stuck

SMALL, LARGE = range(4, 15), range(15, 61)


def as_1997(tournament: Tournament) -> Tournament:
    """The rules of 1997 have no options and no acceleration."""
    return replace(tournament, system="dubov-1997", options={}, accelerations=())


def taken_over(tournament: Tournament, found: Paired | Stuck) -> BruteRound | None:
    """The round that is played: that of the procedure, else the offer."""
    paired = found.offer if isinstance(found, Stuck) else found
    if paired is None:
        return None
    key = {player.tpn: player.id for player in tournament.players}
    pairs = frozenset((key[white], key[black]) for white, black in paired.pairs)
    return BruteRound(pairs, None if paired.bye is None else key[paired.bye])


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.title)
def test_engine_gives_the_worked_example(example: Example) -> None:
    if example.case:
        found = ask_engine(example.case)
    else:
        assert example.tournament
        found = answer(pair_sheet(field_of(example.tournament)))
    if isinstance(found, Stuck):
        assert (found.unpaired, found.offer) == (example.unpaired, example.expected)
    else:
        assert ((), found) == (example.unpaired, example.expected)


@pytest.mark.parametrize(
    ("first_seed", "count", "sizes"), [(0, 150, SMALL), (150, 150, SMALL), (500, 3, LARGE), (503, 3, LARGE)]
)
def test_engine_and_reference_agree_on_random_rounds(first_seed: int, count: int, sizes: range) -> None:
    """Pairs in the order in which they were made, boards, colours, the bye, who is unpaired, and the offer."""
    rounds = 0

    def asked(tournament: Tournament) -> BruteRound | None:
        nonlocal rounds
        rounds += 1
        tournament = as_1997(tournament)
        found = answer(pair_sheet(field_of(tournament)))
        assert found == pair(case_of(tournament))
        return taken_over(tournament, found)

    for seed in range(first_seed, first_seed + count):
        for _ in random_rounds(seed, asked, sizes):
            pass
    assert rounds >= 2 * count
