"""Compare the Dutch engine with the literal search, on the examples and on random rounds of 2 to 11 players."""

from __future__ import annotations

from functools import partial

import pytest

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.systems.dutch.pairing import exact, pair_round
from evenboard_engine.tests.systems.dutch import comparison
from evenboard_engine.tests.systems.dutch.comparison import compare_seeds
from evenboard_engine.tests.systems.dutch.examples import Example, examples

SEEDS_A_CHUNK = 130


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_engine_pairs_the_worked_example(example: Example) -> None:
    if example.answer is None:
        with pytest.raises(NoLegalPairing):
            pair_round(example.tournament)
        return
    pairing = pair_round(example.tournament)
    pairs = {(pair.white, pair.black) for pair in pairing.pairs}
    assert (pairs, pairing.bye) == (example.answer.pairs, example.answer.bye)


@pytest.mark.parametrize("first_seed", range(0, 4 * SEEDS_A_CHUNK, SEEDS_A_CHUNK))
def test_engine_pairs_as_the_text_says(first_seed: int) -> None:
    """Five hundred rounds: forfeits, absences, byes, late entries, forbidden pairs, last rounds, decided points."""
    found = compare_seeds(first_seed, SEEDS_A_CHUNK)
    assert not found.differences, "\n".join(map(str, found.differences[:3]))
    assert found.rounds >= 500


def test_way_for_large_brackets_pairs_as_the_text_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bracket is paired as if it were large: by kinds, and member by member."""
    by_kinds: list[exact.PairedBracket | None] = []

    def solve(graph: exact.KindsOfBracket) -> exact.PairedBracket | None:
        by_kinds.append(exact.BracketGraph.solve(graph))
        return by_kinds[-1]

    monkeypatch.setattr(exact, "MANY", 0)
    monkeypatch.setattr(exact, "has_few_edges", lambda _rows: False)
    monkeypatch.setattr(exact.KindsOfBracket, "solve", solve)
    monkeypatch.setattr(comparison, "pair_round", partial(pair_round, exact=True))
    found = compare_seeds(1000, 40)
    assert not found.differences, "\n".join(map(str, found.differences[:3]))
    assert len(by_kinds) > found.rounds
