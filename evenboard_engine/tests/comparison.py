"""Compare the engine with the oracle on random rounds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from evenboard_engine import NoLegalPairing, RoundPairing, Tournament, pair_round
from evenboard_engine.systems.dubov.options import edition_of, upfloats_of
from evenboard_engine.tests.brute_force import BruteBracket, BruteRound, NoRound, brute_force_round
from evenboard_engine.tests.random_rounds import SIZES, random_rounds
from evenboard_engine.tests.random_rulings import with_rulings


@dataclass(frozen=True, slots=True)
class Difference:
    """A round that the engine and the oracle pair differently. None: no legal round exists."""

    seed: int
    tournament: Tournament
    oracle: BruteRound | None
    engine: BruteRound | str | None

    def __str__(self) -> str:
        return (
            f"seed {self.seed}, round {self.tournament.round}\n"
            f"  oracle: {show_round(self.oracle)}\n"
            f"  engine: {show_round(self.engine)}\n"
            f"  {describe(self.tournament)}"
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """The number of rounds of one seed, how many of them cannot be paired, and those that differ."""

    rounds: int
    without_pairing: int
    differences: tuple[Difference, ...]


def as_brute_round(pairing: RoundPairing) -> BruteRound:
    """Return the engine's answer in the form of the oracle's."""
    return BruteRound(
        pairs=frozenset((pair.white, pair.black) for pair in pairing.pairs),
        bye=pairing.bye,
        brackets=tuple(
            BruteBracket(
                upfloaters=bracket.upfloaters,
                first_shift=bracket.shifted_first,
                second_shift=bracket.shifted_second,
                s1=bracket.s1,
                t2=bracket.t2,
            )
            for bracket in pairing.brackets
        ),
    )


def oracle_answer(tournament: Tournament) -> BruteRound | None:
    try:
        return brute_force_round(tournament)
    except NoRound:
        return None


def engine_answer(tournament: Tournament) -> BruteRound | None:
    try:
        return as_brute_round(pair_round(tournament))
    except NoLegalPairing:
        return None


def compare_seed(seed: int, sizes: Sequence[int] = SIZES, *, ruled: bool = False) -> Comparison:
    """Compare every round of a seed. An error of the engine is a difference, shown with the name of its class.

    ruled: in each of these positions, the arbiter has decided points.
    """
    rounds = without_pairing = 0
    differences = []
    for tournament, oracle in random_rounds(seed, oracle_answer, sizes):
        if ruled:
            tournament = with_rulings(tournament, seed)
            oracle = oracle_answer(tournament)
        rounds += 1
        without_pairing += oracle is None
        engine: BruteRound | str | None
        try:
            engine = engine_answer(tournament)
        except Exception as error:  # noqa: BLE001 (any error is reported with its seed)
            engine = f"{type(error).__name__}: {error}"
        if engine != oracle:
            differences.append(Difference(seed, tournament, oracle, engine))
    return Comparison(rounds, without_pairing, tuple(differences))


@lru_cache(maxsize=64)
def compare_seeds(first: int, count: int, sizes: tuple[int, ...] = SIZES) -> Comparison:
    """Compare the rounds of `count` seeds, beginning with `first`."""
    parts = [compare_seed(seed, sizes) for seed in range(first, first + count)]
    return Comparison(
        rounds=sum(part.rounds for part in parts),
        without_pairing=sum(part.without_pairing for part in parts),
        differences=tuple(difference for part in parts for difference in part.differences),
    )


def show_round(answer: BruteRound | str | None) -> str:
    if answer is None or isinstance(answer, str):
        return answer or "no round"
    pairs = " ".join(f"{white}-{black}" for white, black in sorted(answer.pairs))
    return f"{pairs} bye {answer.bye} {list(answer.brackets)}"


def describe(tournament: Tournament) -> str:
    """Return the tournament as one line of JSON, with ids and tenths of a point."""
    points = tournament.points
    return json.dumps(
        {
            "rounds": tournament.rounds,
            "round": tournament.round,
            "players (id, tpn, rating)": [
                [player.id, player.tpn, player.rating]
                for player in sorted(tournament.players, key=lambda player: player.tpn)
            ],
            "games": [[game.round, game.white, game.black, game.result.value] for game in tournament.games],
            "byes": [[bye.round, bye.player, bye.kind.value] for bye in tournament.byes],
            "absent": sorted(tournament.absent),
            "forbidden": sorted(tournament.forbidden),
            "initial_colour": tournament.initial_colour and tournament.initial_colour.value,
            "points": {name: getattr(points, name) for name in points.__slots__},
            "upfloats": upfloats_of(tournament.options).value,
            "edition": edition_of(tournament.options).value,
            "accelerations": [
                [given.first_round, given.last_round, given.points, sorted(given.players)]
                for given in tournament.accelerations
            ],
        }
    )
