"""The endorsement protocol finds no discrepancy in the engine, and finds one that the test puts there."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bench import endorse
from bench.endorse import BRACKETS, check_tournament
from evenboard_engine import RoundPairing, Tournament
from evenboard_engine.systems.dubov.pairing import pair_round
from evenboard_engine.systems.dutch.pairing import DutchWork, work_on_round


def test_a_few_tournaments_have_no_discrepancy() -> None:
    discrepancies: list[str] = []
    figures: Counter[str] = Counter()
    for seed in range(12):
        figures.update(check_tournament(seed, discrepancies))
    assert discrepancies == []
    assert figures["tournaments"] == 12
    assert figures["rounds"] == figures["rounds by invariants"] == figures["rounds by the checker"]
    assert figures["rounds"] == figures["rounds by brute force"] + figures["rounds by the exact way"]


def test_dutch_tournaments_are_compared_bracket_by_bracket() -> None:
    discrepancies: list[str] = []
    figures: Counter[str] = Counter()
    for seed in range(8):
        figures.update(check_tournament(seed, discrepancies, "dutch"))
    assert discrepancies == []
    assert figures["tournaments"] == 8
    assert figures["rounds"] == figures["rounds by invariants"] == figures["rounds by the checker"]
    assert figures["brackets"] > figures["brackets, by the quick way"] > 0
    assert figures["brackets"] == sum(figures[f"brackets of {low} to {high}"] for low, high in BRACKETS)


def test_a_wrong_dutch_bracket_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wrong answer has the right pairs and colours: only the rows of a bracket are turned round."""

    def turned(tournament: Tournament, *, exact: bool = False) -> DutchWork:
        work = work_on_round(tournament, exact=exact)
        if exact:
            return work
        brackets = tuple(bracket._replace(s1=bracket.s2, s2=bracket.s1) for bracket in work.pairing.brackets)
        return work._replace(pairing=replace(work.pairing, brackets=brackets))

    monkeypatch.setattr(endorse, "work_on_round", turned)
    discrepancies: list[str] = []
    check_tournament(1, discrepancies, "dutch")
    assert discrepancies


def test_a_wrong_round_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def reversed_colours(tournament: Tournament, *, exact: bool = False) -> RoundPairing:
        pairing = pair_round(tournament, exact=exact)
        if exact:
            return pairing
        pairs = tuple(type(pair)(pair.black, pair.white, pair.colours) for pair in pairing.pairs)
        return RoundPairing(pairing.round, pairs, pairing.bye, pairing.brackets)

    monkeypatch.setattr(endorse, "pair_round", reversed_colours)
    discrepancies: list[str] = []
    check_tournament(1, discrepancies)
    assert discrepancies


def test_a_stopped_run_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state, page = tmp_path / "state.json", tmp_path / "page.md"
    page.write_text("before\n<!-- figures -->\nold\n<!-- end of figures -->\nafter\n", "utf-8")
    monkeypatch.setattr(endorse, "CHUNK", 2)
    for count in ("2", "4"):
        arguments = ["endorse", "--tournaments", count, "--workers", "1", "--state", str(state)]
        monkeypatch.setattr(sys, "argv", [*arguments, "--report", str(page)])
        assert endorse.main() == 0
    assert json.loads(state.read_text("utf-8"))["chunks"] == [0, 1]
    text = page.read_text("utf-8")
    assert "| tournaments | 4 |" in text
    assert (text.startswith("before"), text.endswith("after\n"), "old" in text) == (True, True, False)
    state.write_text(state.read_text("utf-8").replace('"engine": "', '"engine": "x'), "utf-8")
    with pytest.raises(SystemExit, match="the engine has changed"):
        endorse.main()


def test_page_without_a_place_for_the_figures_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("no place", "utf-8")
    state = tmp_path / "state.json"
    monkeypatch.setattr(sys, "argv", ["endorse", "--state", str(state), "--report", str(page)])
    with pytest.raises(SystemExit) as refused:
        endorse.main()
    assert (refused.value.code, state.exists()) == (2, False)
    assert "has no place for the figures" in capsys.readouterr().err
