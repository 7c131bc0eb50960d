"""Compare the engine of 1997 with the reference on random rounds, for the tests and for bench/dubov1997.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from evenboard_engine.model import Tournament
from evenboard_engine.systems.dubov1997.pairing import pair as pair_sheet
from evenboard_engine.systems.dubov1997.pairing.field import field_of
from evenboard_engine.tests.brute_force import BruteRound
from evenboard_engine.tests.random_rounds import random_rounds
from evenboard_engine.tests.systems.dubov1997.asking import answer
from evenboard_engine.tests.systems.dubov1997.cases import case_of
from evenboard_engine.tests.systems.dubov1997.reference import pair
from evenboard_engine.tests.systems.dubov1997.values import Paired, Stuck

SMALL, LARGE = range(4, 15), range(15, 61)


@dataclass
class Found:
    """What a comparison found. stuck: rounds that the procedure cannot finish. without_offer: those with no offer."""

    rounds: int = 0
    stuck: int = 0
    without_offer: int = 0
    differences: list[str] = field(default_factory=list)

    def add(self, other: Found) -> None:
        self.rounds += other.rounds
        self.stuck += other.stuck
        self.without_offer += other.without_offer
        self.differences += other.differences


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


def compare_seeds(seeds: Iterable[int], sizes: Sequence[int]) -> Found:
    """Compare all rounds of the tournaments of these seeds: pairs in the order in which they were made where the
    procedure cannot finish, boards, colours, the bye, who is unpaired, and the offer.
    """
    found = Found()

    def asked(tournament: Tournament) -> BruteRound | None:
        tournament = as_1997(tournament)
        mine, right = answer(pair_sheet(field_of(tournament))), pair(case_of(tournament))
        found.rounds += 1
        found.stuck += isinstance(right, Stuck)
        found.without_offer += isinstance(right, Stuck) and right.offer is None
        if mine != right:
            found.differences.append(f"seed {seed}, round {tournament.round}: {mine} but must be {right}")
        return taken_over(tournament, right)

    for seed in seeds:
        for _ in random_rounds(seed, asked, sizes):
            pass
    return found
