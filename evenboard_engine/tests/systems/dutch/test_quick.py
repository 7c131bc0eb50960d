"""The quick method and the exact one: the same answer on every bracket, and counting never promises too much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from evenboard_engine import Bye, ByeKind, Colour, Game, NoLegalPairing, Result, RoundPairing, Tournament
from evenboard_engine.matching.transposition import first_transposition
from evenboard_engine.preference import Strength
from evenboard_engine.systems.dutch import pairing as pairing_module
from evenboard_engine.systems.dutch.pairing import pair_round
from evenboard_engine.systems.dutch.pairing.quick import KINDS, allowed_kinds, least_missed
from evenboard_engine.tests.rules.build import players
from evenboard_engine.tests.seeds import for_seeds

WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def played(seed: int, count: int, rounds: int) -> Iterator[tuple[Tournament, RoundPairing]]:
    """Yield the rounds of a tournament: some players are absent, and some pairs are kept apart."""
    rng = Random(seed)
    away, draws = rng.choice((0, 0, 0.03, 0.1)), rng.choice((0, 0.2, 0.4, 0.7))
    apart = frozenset(
        tuple(sorted(rng.sample(range(1, count + 1), 2))) for _ in range(rng.choice((0, 0, 0, count)))
    )
    given = Tournament(
        rounds=rounds, round=1, players=players(count), forbidden=apart, initial_colour=Colour.WHITE
    )
    for number in range(1, rounds + 1):
        absent = frozenset(player.id for player in given.players if rng.random() < away)
        given = replace(given, round=number, absent=absent)
        try:
            pairing = pair_round(given)
        except NoLegalPairing:
            return
        yield given, pairing

        def result(white: int, black: int) -> Result:
            if rng.random() < draws:
                return DRAW
            return WIN if rng.random() < 0.5 + (black - white) / 2 / count else LOSS

        results = [result(pair.white, pair.black) for pair in pairing.pairs]
        games = tuple(
            Game(number, pair.white, pair.black, result)
            for pair, result in zip(pairing.pairs, results, strict=True)
        )
        byes = [Bye(number, player, rng.choice((ByeKind.HALF, ByeKind.ZERO))) for player in sorted(absent)]
        if pairing.bye is not None:
            byes.append(Bye(number, pairing.bye, ByeKind.ALLOCATED))
        given = replace(given, games=given.games + games, byes=given.byes + tuple(byes), absent=frozenset())


@for_seeds(60, in_a_case=15)
def test_both_methods_pair_alike(seed: int) -> None:
    """Every bracket of the same round has the same pairs, floaters and rows."""
    rng = Random(seed)
    for given, pairing in played(seed, rng.randint(2, 60), rng.randint(2, 9)):
        assert pair_round(given, exact=True) == pairing


def test_most_of_a_large_field_is_paired_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only small brackets need the exact method."""
    exactly: list[int] = []
    exact = pairing_module.pair_exactly

    def counted(*given: object) -> object:
        exactly.append(len(given[2]) + len(given[3]))  # type: ignore[arg-type]
        return exact(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(pairing_module, "pair_exactly", counted)
    total = sum(2 * len(pairing.pairs) for _, pairing in played(3, 300, 7))
    assert sum(exactly) * 20 < total


@for_seeds(300)
def test_first_transposition_by_kinds_is_the_first_legal_one(seed: int) -> None:
    rng = Random(seed)
    size = rng.randint(0, 5)
    rows, columns = list(range(size)), list(range(10, 10 + size))
    met = {row: {column for column in columns if rng.random() < 0.3} for row in rows}
    kind = {player: rng.randint(0, 3) for player in (*rows, *columns)}
    allowed = [sorted(rng.sample(range(5), rng.randint(1, 5))) for _ in range(4)]

    def legal(order: tuple[int, ...]) -> bool:
        return all(
            other not in met[one] and kind[other] in allowed[kind[one]]
            for one, other in zip(rows, order, strict=True)
        )

    expected = next((list(order) for order in permutations(columns) if legal(order)), None)
    assert first_transposition(rows, columns, met, kind, kind, allowed) == expected


def matchings(people: list[int]) -> Iterator[list[tuple[int, int]]]:
    if not people:
        yield []
        return
    first, *others = people
    for i, other in enumerate(others):
        for rest in matchings(others[:i] + others[i + 1 :]):
            yield [(first, other), *rest]


@for_seeds(150)
def test_counting_gives_the_least_misses_and_the_pairs_that_reach_them(seed: int) -> None:
    """P6: of all pairings of small groups. Two with the same absolute preference do not meet."""
    rng = Random(seed)
    people = [rng.choice(range(len(KINDS))) for _ in range(rng.choice((2, 4, 6)))]
    counts = [people.count(kind) for kind in range(len(KINDS))]

    def missed(one: int, other: int) -> tuple[int, int] | None:
        (side, mine), (theirs_side, theirs) = KINDS[people[one]], KINDS[people[other]]
        if not side or side != theirs_side:
            return 0, 0
        weaker = min(mine, theirs)
        return None if weaker is Strength.ABSOLUTE else (1, int(weaker is Strength.STRONG))

    allowed = allowed_kinds(counts)
    for pairs in matchings(list(range(len(people)))):
        costs = [missed(*pair) for pair in pairs]
        if None in costs:
            continue
        total = tuple(map(sum, zip(*costs, strict=True)))  # type: ignore[arg-type]
        assert total >= least_missed(counts)
        within = all(people[other] in allowed[people[one]] for one, other in pairs)
        assert within is (total == least_missed(counts))
