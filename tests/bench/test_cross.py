"""The cross-test counts and proves differences, goes on where it stopped, and its reports are true."""

from __future__ import annotations

import json
import re
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from bench.cross import __main__ as cross
from bench.cross import chunk, dutch
from bench.cross import chunk as proving
from bench.cross.chunk import (
    NOT,
    STEP,
    WHOLE,
    WRONG,
    CrossFindings,
    Example,
    compare_round,
    proof,
    tournament_of,
)
from bench.peers.histories import UNRULY, Habits, report_file, tournaments
from bench.peers.peer import PACKAGE, PeerAnswer
from bench.peers.verdict import departures
from evenboard_engine import Bye, ByeKind, RoundPairing, Tournament, pair_round
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.tests.brute_force import brute_force_round
from evenboard_engine.tests.brute_history import read_history
from evenboard_engine.tests.systems.dutch.literal_search import literal_round
from evenboard_engine.trf import read_report, to_tournament, write_report

REPORTS = Path(__file__).resolve().parents[2] / "docs/cross-test"
ARTICLES = {
    "bye-games": "2.1.4",
    "bye-after-full-point": "3.1.2 (C2, reading D3)",
    "upfloaters": "3.3.2 (C6)",
    "times-upfloated": "3.3.5 (C9)",
    "halves": "2.2.3 (reading D6)",
    "transposition": "2.2.6 (4.4)",
    "second-shift": "2.2.4.2 (4.3, reading D5)",
    "numbers": "5.2.1 (reading D7)",
}
OF_THE_DUTCH_SYSTEM = sorted(path.stem for path in REPORTS.glob("dutch-*.trf"))
SEED = 2


def answer_of(pairing: RoundPairing) -> PeerAnswer:
    return PeerAnswer(pairs=frozenset((pair.white, pair.black) for pair in pairing.pairs), bye=pairing.bye)


def written(text: str, whose: str) -> PeerAnswer:
    """Return an answer of a report, as 3-5 2-4 bye 1."""
    (line,) = re.findall(rf"^{whose} answer: `(.+)`$", text, re.MULTILINE)
    bye = re.search(r"bye (\d+)", line)
    pairs = frozenset((int(white), int(black)) for white, black in re.findall(r"(\d+)-(\d+)", line))
    return PeerAnswer(pairs=pairs, bye=int(bye[1]) if bye else None)


def test_every_report_has_its_article() -> None:
    assert {path.stem for path in REPORTS.iterdir()} == {*ARTICLES, *OF_THE_DUTCH_SYSTEM, "repairs"}


@pytest.mark.parametrize("name", OF_THE_DUTCH_SYSTEM)
def test_report_about_the_dutch_system_is_true_by_the_engine_and_by_the_literal_search(name: str) -> None:
    text = (REPORTS / f"{name}.md").read_text("utf-8")
    tournament = to_tournament(read_report((REPORTS / f"{name}.trf").read_bytes()), system="dutch")
    assert f"Round {tournament.round} of the file" in text
    ours, literal = pair_round(tournament), literal_round(tournament)
    assert written(text, "Right") == answer_of(ours) == PeerAnswer(pairs=literal.pairs, bye=literal.bye)
    assert written(text, "Their") != answer_of(ours)


@pytest.mark.parametrize("name", sorted(ARTICLES))
def test_report_is_true_by_the_engine_and_by_the_brute_force(name: str) -> None:
    text = (REPORTS / f"{name}.md").read_text("utf-8")
    tournament = to_tournament(read_report((REPORTS / f"{name}.trf").read_bytes()), system="dubov")
    assert f"Round {tournament.round} of the file" in text
    ours, oracle = pair_round(tournament), brute_force_round(tournament)
    assert written(text, "(?:Right|Our)") == answer_of(ours) == PeerAnswer(pairs=oracle.pairs, bye=oracle.bye)
    found = departures(tournament, ours, written(text, "Their"))
    assert [(departure.article, departure.ours) for departure in found][:1] == [(ARTICLES[name], False)]


def test_the_same_answer_is_no_difference_and_another_is_proved() -> None:
    tournament = tournament_of(SEED, 3)
    ours = pair_round(tournament)
    found = CrossFindings()
    compare_round(SEED, tournament, answer_of(ours), found)
    first, *others = sorted(answer_of(ours).pairs)
    compare_round(SEED, tournament, PeerAnswer(pairs=frozenset({first[::-1], *others}), bye=ours.bye), found)
    assert (found.figures["rounds"], found.figures["differing"], found.faults) == (2, 1, [])
    ((article, example),) = found.examples.items()
    assert article.startswith("5.2.")
    assert (example.players, example.round, example.seed) == (len(tournament.players), 3, SEED)


@pytest.mark.parametrize(("players", "proved"), [(11, WHOLE), (21, STEP)])
def test_the_brute_force_proves_the_engine_and_contradicts_a_wrong_bye(players: int, proved: str) -> None:
    for seed in range(3):
        (tournament,) = tournaments(players, 5, seed, wanted=(3,), habits=Habits(0, 0, 0, 0))
        ours = pair_round(tournament)
        entrants = read_history(tournament)
        other = next(one for one in entrants if one != ours.bye and not entrants[one].barred)
        away = replace(tournament, byes=(*tournament.byes, Bye(3, other, ByeKind.ZERO)))
        wrong = replace(pair_round(away), bye=other)
        assert proof(tournament, ours, answer_of(wrong)) == proved
        assert proof(tournament, wrong, answer_of(ours)) == WRONG


@pytest.mark.parametrize("players", [12, 22])
def test_the_brute_force_contradicts_a_wrong_bracket(players: int) -> None:
    """The wrong answer exchanges the last two opponents of the first bracket that has two pairs."""
    for seed in range(3):
        (tournament,) = tournaments(players, 5, seed, wanted=(2,), habits=Habits(0, 0, 0, 0))
        ours = pair_round(tournament)
        record = next(record for record in ours.brackets if len(record.t2) > 1)
        *kept, one, other = record.t2
        changed = record._replace(t2=(*kept, other, one))
        wrong = replace(ours, brackets=tuple(changed if old is record else old for old in ours.brackets))
        pairs = frozenset(
            (a, b) for record in wrong.brackets for a, b in zip(record.s1, record.t2, strict=True)
        )
        assert proof(tournament, ours, PeerAnswer(pairs=pairs)) in {WHOLE, STEP}
        assert proof(tournament, wrong, answer_of(ours)) == WRONG


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer of processor time")
def test_a_brute_force_that_takes_too_long_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_tournament: Tournament) -> NoReturn:
        while True:
            pass

    monkeypatch.setattr(proving, "SECONDS_OF_STEP", 0.02)
    monkeypatch.setattr(proving, "brute_force_round", endless)
    (tournament,) = tournaments(12, 5, 1, wanted=(3,))
    ours = pair_round(tournament)
    assert proof(tournament, ours, answer_of(ours)) == NOT


def test_a_stopped_run_goes_on_and_writes_its_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, page = tmp_path / "state.json", tmp_path / "page.md"
    page.write_text(f"before\n{cross.BEGIN}\nold\n{cross.END}\nafter\n", "utf-8")
    monkeypatch.setattr(cross, "install", lambda directory: directory.mkdir(parents=True) or directory)
    monkeypatch.setattr(chunk, "ask", same_answers)
    monkeypatch.setattr(chunk, "CHUNK", 2)
    monkeypatch.setattr(cross, "CHUNK", 2)
    for count in ("2", "4", "0"):
        arguments = ["cross", "--tournaments", count, "--state", str(state), "--write", str(page)]
        monkeypatch.setattr(sys, "argv", arguments)
        assert cross.main() == 0
    kept = json.loads(state.read_text("utf-8"))
    assert (kept["chunks"], kept["peer"]) == ([0, 1], PACKAGE)
    text = page.read_text("utf-8")
    assert "| tournaments | 4 |" in text
    assert "| rounds with another answer | 0 |" in text
    assert (text.startswith("before"), text.endswith("after\n"), "old" in text) == (True, True, False)
    state.write_text(state.read_text("utf-8").replace('"engine": "', '"engine": "x'), "utf-8")
    with pytest.raises(SystemExit, match="has changed since"):
        cross.main()


def same_answers(_python: Path, files: list[Path], _limit: float) -> list[PeerAnswer]:
    """Answer as the engine does, from the files."""
    return [
        answer_of(pair_round(to_tournament(read_report(file.read_bytes()), system="dubov"))) for file in files
    ]


def test_the_smallest_example_of_each_article_is_kept() -> None:
    one, other = (
        CrossFindings(examples={"4.2": Example(9, 3, 1, "")}),
        CrossFindings(examples={"4.2": Example(8, 5, 2, "")}),
    )
    one.add(other)
    assert one.examples == {"4.2": Example(8, 5, 2, "")}


def test_dutch_difference_is_attributed_to_its_article() -> None:
    tournament = next(dutch.rounds_of(1, range(6, 9)))
    ours = dutch.ours_of(tournament)
    assert ours is not None
    pairs = [(pair.white, pair.black) for pair in ours.pairs]
    found = dutch.DutchFindings()
    dutch.compare_answers("peer", "here", tournament, ours, (frozenset(pairs), ours.bye), found)
    assert found.figures == {"peer: rounds": 1}
    turned = frozenset({pairs[0][::-1], *pairs[1:]})
    dutch.compare_answers("peer", "here", tournament, ours, (turned, ours.bye), found)
    assert found.figures["peer: 5.2.5"] == found.figures["peer: other answers"] == 1
    assert (list(found.smallest), found.faults) == ([("peer", "5.2.5")], [])


def test_dutch_package_that_is_not_there_answers_with_its_error(tmp_path: Path) -> None:
    package = dutch.Package(Path(sys.executable), "pairing-core")
    answer = package.ask(next(dutch.rounds_of(1, range(6, 9))), tmp_path / "round.trf")
    package.process.kill()
    package.process.communicate()
    assert answer == "ModuleNotFoundError: No module named 'pairing_core'"


def test_files_for_other_programs_have_no_record_that_they_do_not_read() -> None:
    """bbpPairings does not read who is absent from XXZ or 240, decided points (299), or A in 162; it refuses 299."""
    made = next(tournaments(9, 5, 3, wanted=range(4, 5), habits=UNRULY, system="dutch"))
    away = next(player.id for player in made.players if player.id not in {bye.player for bye in made.byes})
    asked = replace(made, byes=(*made.byes, Bye(4, away, ByeKind.ZERO)))
    lines = report_file(asked).decode().splitlines()
    assert {line[:3] for line in lines} == {"001", "XXR", "XXC"}
    assert lines[away - 1].endswith("0000 - Z")
    settings = GeneratorSettings(players=9, rounds=4, system="dutch", accelerated=False)
    ours = write_report(generate("for others", settings).report).decode().splitlines()
    assert {line[:3] for line in ours}.isdisjoint({"XXZ", "240", "250", "260", "299"})
    assert not any(line.startswith("162") and " A" in line for line in ours)
