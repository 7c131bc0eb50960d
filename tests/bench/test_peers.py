from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench.peers import __main__ as command
from bench.peers import session
from bench.peers.histories import UNRULY, report_file, tournaments
from bench.peers.measure import Ours, growth_exponent, peak_bytes
from bench.peers.peer import NoPeer, PeerAnswer
from bench.peers.report import goals, page, series
from bench.peers.session import DepartureCase, FileFigures, RunFigures, RunPlan, run
from bench.peers.verdict import PeerDeparture
from evenboard_engine import NoLegalPairing, RoundPairing, pair_round
from evenboard_engine.trf import read_report, to_tournament

TINY = RunPlan(
    sizes=(20, 24), beyond=26, small=2, hard=10, limit=1, runs=2, seed=1, with_peer=False, hard_large=12
)


def figures(rows: list[FileFigures]) -> RunFigures:
    return RunFigures(RunPlan(sizes=(), beyond=0, small=1, hard=0, limit=100, runs=1, seed=1), rows)


def row(size: int, pair: float, **more: object) -> FileFigures:
    ours = Ours(size, 9, pair, pair, pair * 2, 100.0, RoundPairing(9, (), None))
    return FileFigures(ours, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("power", [1.0, 1.1, 3.0])
def test_growth_exponent_finds_the_power(power: float) -> None:
    points = [(size, 3e-6 * size**power) for size in (100, 1000, 5000, 9998)]
    assert growth_exponent(points) == pytest.approx(power)


def test_growth_exponent_needs_two_sizes() -> None:
    with pytest.raises(ValueError, match="two sizes"):
        growth_exponent([(100, 1.0), (100, 2.0)])


def test_peak_bytes_counts_what_a_task_holds() -> None:
    assert 1_000_000 <= peak_bytes(lambda: bytearray(1_000_000)) < 1_100_000


@pytest.mark.parametrize("size", [50, 100, 200, 300, 1000])
def test_pairing_takes_less_than_a_kilobyte_per_player(size: int) -> None:
    for seed in range(4):
        for tournament in tournaments(size, 9, seed, wanted=(3, 9)):
            pair_round(tournament)
            assert peak_bytes(lambda asked=tournament: pair_round(asked)) < 1000 * size  # type: ignore[misc]


def test_report_file_gives_the_same_round_as_its_tournament() -> None:
    for seed in range(12):
        for tournament in tournaments(13, 7, seed, wanted=range(1, 8), habits=UNRULY):
            try:
                pairing = pair_round(tournament)
            except NoLegalPairing:
                continue
            read = to_tournament(read_report(report_file(tournament)), system="dubov")
            assert read.round == tournament.round
            assert pair_round(read) == pairing


def test_the_same_seed_makes_the_same_tournament() -> None:
    assert list(tournaments(20, 9, 5, wanted=(9,))) == list(tournaments(20, 9, 5, wanted=(9,)))


def test_a_tiny_run_without_the_peer_measures_every_field() -> None:
    found = run(TINY)
    assert [(one.ours.size, one.ours.round) for one in found.rows] == [
        *((20, 3), (20, 9), (24, 3), (24, 9), (26, 3), (26, 9)),
    ]
    assert [one.ours.read is None for one in found.rows] == [False] * 4 + [True] * 2
    assert found.small_rounds == 0
    assert {8 <= ours.size <= 40 for ours in found.small} == {True}
    assert found.our_faults == []
    for rows in (found.hard, found.hard_large):
        assert {rounds > 0 for _, _, rounds in rows[:2]} == {True}
    text = page(found, "chart.svg", "the command")
    assert "py4swiss==0.3.1 was not run." in text
    assert "](chart.svg)" in text


def test_the_command_writes_page_and_chart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "--sizes 20 --beyond 0 --small 0 --hard 0 --hard-large 0 --runs 1 --without-peer --write"
    monkeypatch.setattr(sys, "argv", ["bench.peers", *words.split(), str(tmp_path / "page.md")])
    (tmp_path / "page.md").write_text("# Old\n\n## A full hall\n\nby bench/hall.py\n")
    assert command.main() == 0
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert page.startswith("# Performance\n")
    assert page.endswith("\n## A full hall\n\nby bench/hall.py\n")
    assert "# Old" not in page
    assert (tmp_path / "page.svg").read_text(encoding="utf-8").startswith("<svg ")


def test_the_run_continues_if_the_peer_cannot_be_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_directory: Path) -> Path:
        raise NoPeer("no such package")

    monkeypatch.setattr(session, "install", refuse)
    found = run(RunPlan(sizes=(20,), beyond=0, small=1, hard=0, limit=1, runs=1, seed=1))
    assert found.no_peer == "could not be installed"
    assert "py4swiss cannot be installed, so it is left out: no such package" in capsys.readouterr().err


def test_a_peer_that_answers_as_we_do_agrees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script that pairs with our engine replaces the peer."""
    script = tmp_path / "ask.py"
    script.write_text(
        "import json, sys\n"
        f"sys.path.insert(0, {str(Path(session.__file__).parents[2])!r})\n"
        "from evenboard_engine import pair_round\n"
        "from evenboard_engine.trf import read_report, to_tournament\n"
        "for line in sys.stdin:\n"
        "    answer = pair_round(to_tournament(read_report(open(line.strip(), 'rb').read()), system='dubov'))\n"
        "    pairs = [[pair.white, pair.black] for pair in answer.pairs]\n"
        "    pairs += [[answer.bye, 0]] if answer.bye else []\n"
        "    print(json.dumps({'read': 0.01, 'pair': 0.02, 'pairs': pairs}), flush=True)\n",
        encoding="utf-8",
    )
    monkeypatch.setattr("bench.peers.peer.SCRIPT", script)
    monkeypatch.setattr(session, "install", lambda _directory: Path(sys.executable))
    found = run(RunPlan(sizes=(21,), beyond=0, small=2, hard=0, limit=20, runs=1, seed=1))
    assert [one.departures for one in found.rows] == [(), ()]
    assert found.small_rounds == found.small_agreed > 0
    assert found.our_faults == []


def test_a_peer_that_does_not_answer_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "ask.py"
    script.write_text("import time\ntime.sleep(60)\n", encoding="utf-8")
    monkeypatch.setattr("bench.peers.peer.SCRIPT", script)
    monkeypatch.setattr(session, "install", lambda _directory: Path(sys.executable))
    found = run(RunPlan(sizes=(20, 22), beyond=0, small=0, hard=0, limit=0.2, runs=1, seed=1))
    assert [one.stopped for one in found.rows] == [True, True, False, False]
    assert series(found)[2].open_end


def test_the_peer_is_not_asked_if_it_would_take_far_too_long() -> None:
    before = [row(100, 0.1, peer=PeerAnswer(pair=1.0)), row(200, 0.2, peer=PeerAnswer(read=0.5, pair=7.5))]
    assert session.expected_seconds(before, 400) == pytest.approx(64)
    assert session.expected_seconds(before[:1], 400) == 0
    text = page(figures([*before, row(400, 0.4, expected=640.0)]), "c.svg", "command")
    assert "| 400 | 9 |  |  | 0.40 s |  | not run: about 11 min by its growth |  |" in text


def test_the_page_puts_ratios_first_and_names_articles() -> None:
    answer = PeerAnswer(read=0.5, pair=5.5)
    found = figures(
        [
            row(1000, 0.01, peer=answer, departures=(PeerDeparture("2.1.4", "x"),)),
            row(2000, 0.02, stopped=True),
        ]
    )
    found.small_rounds, found.small_agreed = 5, 4
    found.small_cases = [DepartureCase(3, 4, 12, PeerDeparture("2.1.4", "the bye is for 9"))]
    text = page(found, "c.svg", "command")
    assert "| 1,000 | 9 | 200 | 550 | 10 ms | 0.50 s | 5.5 s | differ: 2.1.4 |" in text
    assert "| 2,000 | 9 | over 1,667 | over 5,000 | 20 ms |  | stopped after 100 s | none |" in text
    assert "| 2.1.4 | 1 | seed 3, round 4: the bye is for 9 |" in text


def test_missed_goals_are_marked() -> None:
    rows = list(goals(figures([row(1000, 0.011), row(9998, 0.1)])))
    assert [one[2] for one in rows[:2]] == ["**missed**", "met"]


def test_small_fields_have_goals_of_their_own() -> None:
    found = figures([row(50, 0.001)])
    answer = RoundPairing(9, (), None)
    found.small = [
        Ours(12, 4, 0.004, 0.004, 0.001, 2048.0, answer),
        *(Ours(20, 7, 0.001, 0.001, 0.001, 500.0, answer) for _ in range(4)),
    ]
    outcomes = {goal: (measured, met) for goal, measured, met in goals(found)}
    assert outcomes["at most 3 times the time to read the file, fields of 50 and more"][1] == "met"
    assert outcomes["at most 3 times the time to read the file, fields of 8 to 40"] == (
        "median 1.00, more than 3 in 1 of 5 rounds; 4.0 at most (12 players, round 4: 4.0 ms)",
        "**missed**",
    )
    assert outcomes["memory under 1 KB per player, without the input, fields of 8 to 40"] == (
        "median 500 bytes, over 1 KB in 1 of 5 rounds; 2,048 at most (12 players, round 4: 24 KB in all)",
        "**missed**",
    )


def test_a_departure_of_our_engine_is_a_fault() -> None:
    found = figures(
        [row(8, 0.1, departures=(PeerDeparture("4.2", "x", ours=True), PeerDeparture("2.1.4", "y")))]
    )
    assert [fault.article for fault in found.our_faults] == ["4.2"]
    found.oracle_asked = 1
    assert len(found.our_faults) == 2


def test_help_needs_nothing_but_python() -> None:
    done = subprocess.run([sys.executable, "-m", "bench.peers", "--help"], capture_output=True, check=True)
    assert b"--time-limit" in done.stdout
