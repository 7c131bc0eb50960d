"""Fields with few possible pairs use another matching method than fields with many; the answers are the same."""

from __future__ import annotations

import pytest

from evenboard_engine import NoLegalPairing, RoundPairing, Tournament
from evenboard_engine.matching import across, is_sparse
from evenboard_engine.systems.dubov.pairing import pair_round
from evenboard_engine.tests.comparison import compare_seeds
from evenboard_engine.tests.random_rounds import random_rounds
from evenboard_engine.tests.seeds import for_seeds


def test_sparse_depends_on_the_average_number_of_edges() -> None:
    assert is_sparse([])
    assert is_sparse([(1 << 25) - 1 ^ 1 << v for v in range(25)])
    assert not is_sparse([(1 << 26) - 1 ^ 1 << v for v in range(26)])


def exactly(tournament: Tournament) -> RoundPairing | str:
    try:
        return pair_round(tournament, exact=True)
    except NoLegalPairing as error:
        return error.code


@for_seeds(60)
def test_all_matching_methods_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for tournament, _ in random_rounds(seed, lambda _asked: None, sizes=(14, 20, 27, 40)):
        answers = []
        for sparse, small, few in ((-1, 600, 0), (24, 600, 0), (1000, 600, 0), (1000, 0, 0), (-1, 0, 3600)):
            monkeypatch.setattr(across, "SPARSE", sparse)
            monkeypatch.setattr(across, "SMALL", small)
            monkeypatch.setattr(across, "FEW_EDGES", few)
            answers.append(exactly(tournament))
        assert answers == answers[:1] * 5


@pytest.mark.parametrize("first_seed", range(5000, 5200, 40))
def test_methods_for_large_graphs_agree_with_plain_enumeration(
    first_seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The methods for large fields are used in fields small enough for plain enumeration."""
    monkeypatch.setattr(across, "SPARSE", -1)
    assert compare_seeds(first_seed, 40).differences == ()
