"""The exact method: no field of its costs carries into another, and large brackets are paired as small ones."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import combinations
from random import Random

import pytest

from evenboard_engine.errors import InternalError, NoLegalPairing
from evenboard_engine.matching import lower_ends
from evenboard_engine.model import Tournament
from evenboard_engine.systems.dutch import pairing as pairing_module
from evenboard_engine.systems.dutch.explaining import tracing, verdicts, why
from evenboard_engine.systems.dutch.explaining.tracing import pair_and_trace
from evenboard_engine.systems.dutch.pairing import exact, pair_round, quick, work_on_round
from evenboard_engine.systems.dutch.pairing.outlook import Outlook
from evenboard_engine.tests.systems.dutch import comparison
from evenboard_engine.tests.systems.dutch.comparison import compare_seeds
from evenboard_engine.tests.systems.dutch.dutch_rounds import crowded_round, literal_answer
from evenboard_engine.tests.systems.dutch.examples import examples
from evenboard_engine.tests.systems.dutch.test_truth import check_everything


def of_examples(*numbers: int) -> list[Tournament]:
    return [example.tournament for number, example in enumerate(examples(), start=1) if number in numbers]


def test_no_field_of_the_costs_carries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trap 1: no matching at all reaches beyond a field. A matching has at most half as many edges as vertices."""
    seen: list[int] = []
    set_edges, matched = exact.BracketGraph.set_edges, exact.BracketGraph._matched

    def checked(graph: exact.BracketGraph) -> None:
        set_edges(graph)
        layout = graph.costs.layout
        costs = {*(cost for row in graph.edge for cost in row.values()), *graph.single}
        most = (len(graph.places) + len(graph.optional)) // 2
        read = [layout.read(cost) for cost in costs]
        for criterion, greatest in layout.fields:
            assert most * max((one[criterion] for one in read), default=0) <= greatest
        assert all(cost < 1 << layout.width for cost in costs)
        seen.append(len(costs))

    def within(graph: exact.BracketGraph, order: exact.Order, width: int) -> list[int] | None:
        mate = matched(graph, order, width)
        if mate is not None:
            ends = [(v, w) for v, w in enumerate(mate[: graph.size]) if w == exact.SINGLE or v < w]
            assert sum(order(*pair) for pair in ends) < 1 << width
        return mate

    monkeypatch.setattr(exact.BracketGraph, "set_edges", checked)
    monkeypatch.setattr(exact.BracketGraph, "_matched", within)
    in_which_another_program_gives_a_second_bye = of_examples(54, 55)
    for tournament in (
        *in_which_another_program_gives_a_second_bye,
        *(crowded_round(Random(n)) for n in range(60)),
    ):
        with suppress(NoLegalPairing):
            pair_round(tournament, exact=True)
    assert len(seen) > 60


def test_way_for_large_brackets_pairs_as_the_text_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bracket is paired as if it were large: by kinds, and member by member."""
    by_kinds: list[exact.PairedBracket | None] = []

    def solve(graph: exact.KindsOfBracket) -> exact.PairedBracket | None:
        by_kinds.append(exact.BracketGraph.solve(graph))
        return by_kinds[-1]

    monkeypatch.setattr(exact, "MANY", 0)
    monkeypatch.setattr(exact, "has_few_edges", lambda _rows: False)
    monkeypatch.setattr(lower_ends, "is_sparse", lambda _rows: False)
    monkeypatch.setattr(exact.KindsOfBracket, "solve", solve)
    monkeypatch.setattr(comparison, "pair_round", partial(pair_round, exact=True))
    found = compare_seeds(1040, 40)
    assert not found.differences, "\n".join(map(str, found.differences[:3]))
    assert len(by_kinds) > found.rounds


def test_brackets_without_a_choice_are_paired_as_by_their_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all pairs that can be made can be made together, no matching with costs is needed (C6)."""
    found: list[exact.PairedBracket | None] = []
    with_every_pair = exact.BracketGraph.with_every_pair

    def watched(graph: exact.BracketGraph, mates: dict[int, int]) -> exact.PairedBracket | None:
        found.append(with_every_pair(graph, mates))
        return found[-1]

    monkeypatch.setattr(exact.BracketGraph, "with_every_pair", watched)
    for seed in range(60):
        rng = Random(seed)
        given = crowded_round(rng, (12, 17, 24))
        pairs = combinations(range(1, len(given.players) + 1), 2)
        kept_apart = frozenset(pair for pair in pairs if rng.random() > 4 / len(given.players))
        given = replace(given, forbidden=kept_apart)
        with suppress(NoLegalPairing):
            assert pair_round(given) == pair_round(given, exact=True)
    made = [bracket for bracket in found if bracket is not None]
    assert len(made) > 50
    assert len(found) - len(made) > 30
    assert any(bracket.met_moved for bracket in made)
    assert any(bracket.s1 for bracket in made)


def test_explanation_of_large_brackets_is_shorter_and_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples are explained as if their brackets were too large to compare everybody."""
    monkeypatch.setattr(tracing, "ALL_PASSED", 1)
    monkeypatch.setattr(tracing, "MOST_PASSED", 1)
    for module in (tracing, why):
        monkeypatch.setattr(module, "MOST_COMPARED", 0)
    for tournament in of_examples(*range(21, 44, 2)):
        found = literal_answer(tournament)
        if found is not None and len(tournament.players) <= 8:
            check_everything(tournament, found)


def test_bracket_without_a_candidate_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot happen: the bracket above has left one."""
    (tournament,) = of_examples(22)
    work = work_on_round(tournament)
    done = verdicts.FinishedDutchRound(tournament, work)
    with pytest.raises(InternalError, match="same_candidate"):
        done._later(work.brackets[0], work.brackets[0])
    monkeypatch.setattr(verdicts, "quality_of", lambda *_: None)
    done.brackets[0] = done.brackets[0]._replace(quality=None)
    with pytest.raises(InternalError, match="no_candidate"):
        done.quality(0)
    monkeypatch.setattr(pairing_module, "pair_exactly", lambda *_: None)
    with pytest.raises(InternalError, match="no_candidate"):
        pair_round(tournament, exact=True)


def test_quick_method_gives_up_where_another_floater_may_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind of floaters without a candidate here may have one with an exchange and earlier opponents."""
    paired, with_floater = quick._Bracket._paired, quick._Bracket.with_floater
    asked: list[int] = []
    compared: list[bool] = []

    def first_kind_fails(
        bracket: quick._Bracket, floater: int, counts: Sequence[int], floaters: Sequence[int]
    ) -> exact.PairedBracket | list[int]:
        found = paired(bracket, floater, counts, floaters)
        asked.append(floater)
        return [-1] if len(asked) == 1 else found

    def watched(bracket: quick._Bracket, able: Sequence[int], outlook: Outlook) -> exact.PairedBracket | None:
        asked.clear()
        found = with_floater(bracket, able, outlook)
        if len(asked) > 1 and bracket.moved:
            assert found is None
            compared.append(True)
        return found

    monkeypatch.setattr(quick._Bracket, "_paired", first_kind_fails)
    monkeypatch.setattr(quick._Bracket, "with_floater", watched)
    for seed in range(150):
        with suppress(NoLegalPairing):
            pair_round(crowded_round(Random(seed), (9, 11)))
    assert compared


def test_questions_about_players_who_are_not_in_the_round() -> None:
    (tournament,) = of_examples(22)
    explainer = why.DutchExplainer(tournament, pair_and_trace(tournament))
    assert (explainer.pair_of(99), explainer.bracket_of(99)) == (None, None)
    with pytest.raises(ValueError, match="himself"):
        explainer.why_not(1, 1)
