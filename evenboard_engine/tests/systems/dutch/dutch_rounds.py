"""Random rounds for the Dutch System, from a seed.

Half of the seeds are tournaments of tests/random_rounds.py, with fields from two players and more point systems. The
others are crowded rounds: few earlier rounds, paired at random, and few scores. They have the large brackets in which
exchanges and the later criteria decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from evenboard_engine.model import Bye, ByeKind, Colour, Game, Player, PointSystem, Result, Tournament
from evenboard_engine.tests.brute_force import BruteRound
from evenboard_engine.tests.random_rounds import POINT_SYSTEMS, random_rounds
from evenboard_engine.tests.random_rulings import with_rulings
from evenboard_engine.tests.systems.dutch.literal_search import LiteralRound, NoRound, literal_round

SIZES = (2, 3, 4, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 10, 11)
CROWDED_AT_ONCE = 5
RULED_ONE_IN = 10
THREE_TWO_ONE = PointSystem(
    *(30, 30, 20, 20, 10, 10), forfeit_win=30, allocated_bye=20, full_bye=30, half_bye=20
)
ALL_POINT_SYSTEMS = (
    *POINT_SYSTEMS,
    PointSystem(allocated_bye=0),
    PointSystem(zero_bye=5),
    THREE_TWO_ONE,
    replace(THREE_TWO_ONE, allocated_bye=10, forfeit_loss=10),
)
Round = tuple[Tournament, LiteralRound | None]


def literal_answer(tournament: Tournament) -> LiteralRound | None:
    try:
        return literal_round(tournament)
    except NoRound:
        return None


def dutch_rounds(seed: int, sizes: Sequence[int] = SIZES) -> Iterator[Round]:
    """Yield the rounds of this seed with their answers (None: no legal round exists)."""
    if seed % 2 == 0:
        yield from _rounds_of_tournament(seed, sizes)
        return
    for number in range(CROWDED_AT_ONCE):
        tournament = crowded_round(Random(1000 * seed + number), sizes)
        yield tournament, literal_answer(tournament)


def _rounds_of_tournament(seed: int, sizes: Sequence[int]) -> Iterator[Round]:
    """Yield the rounds of a tournament. In one seed of ten the arbiter has decided points."""
    asked: list[Round] = []

    def pair(tournament: Tournament) -> BruteRound | None:
        tournament = replace(tournament, system="dutch", options={})
        if seed % RULED_ONE_IN == 0:
            tournament = with_rulings(tournament, 1000 * seed + tournament.round)
        found = literal_answer(tournament)
        asked.append((tournament, found))
        return found and BruteRound(found.pairs, found.bye)

    for _ in random_rounds(seed, pair, sizes, ALL_POINT_SYSTEMS):
        yield asked[-1]


def crowded_round(rng: Random, sizes: Sequence[int] = SIZES) -> Tournament:
    """Return a tournament before a round, often the last one. Nobody met an opponent twice."""
    size = rng.choice(sizes)
    players = list(range(1, size + 1))
    earlier = min(size - 1, rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 4, 5)))
    draws = rng.choice((0.2, 0.5, 0.8, 0.9, 1.0))
    odd = rng.choice((0.0, 0.05, 0.15))
    apart = rng.choice((0.0, 0.0, 0.1, 0.25, 0.4))
    met: set[frozenset[int]] = set()
    white: dict[int, int] = dict.fromkeys(players, 0)
    games: list[Game] = []
    byes: list[Bye] = []
    for number in range(1, earlier + 1):
        order = rng.sample(players, size)
        while order:
            one = order.pop()
            two = next((other for other in order if frozenset((one, other)) not in met), None)
            if two is None or rng.random() < odd:
                byes.append(Bye(number, one, rng.choice(tuple(ByeKind))))
                continue
            order.remove(two)
            if white[one] > white[two] or (white[one] == white[two] and rng.random() < 0.5):
                one, two = two, one
            if rng.random() < 0.2:
                one, two = two, one
            result = (
                Result.DRAW if rng.random() < draws else rng.choice((Result.WHITE_WINS, Result.BLACK_WINS))
            )
            if rng.random() < odd:
                result = rng.choice(tuple(Result))
            met.add(frozenset((one, two)))
            white[one] += 1
            white[two] -= 1
            games.append(Game(number, one, two, result))
    forbidden = {(one, two) for one in players for two in players if one < two and rng.random() < apart}
    return Tournament(
        rounds=earlier + rng.choice((1, 1, 2, 3)),
        round=earlier + 1,
        players=tuple(Player(player, player, 2400 - 10 * player) for player in players),
        games=tuple(games),
        byes=tuple(byes),
        absent=frozenset(player for player in players if rng.random() < odd / 2),
        forbidden=frozenset(forbidden),
        initial_colour=rng.choice((Colour.WHITE, Colour.BLACK)),
        points=rng.choice(ALL_POINT_SYSTEMS),
        system="dutch",
    )
