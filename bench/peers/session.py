"""Do one run: make the files, measure our engine, ask the peer, compare the answers."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.rounds import fields, measured, play
from evenboard_engine import NoLegalPairing, RoundPairing, Tournament, pair_round
from evenboard_engine.systems.registry import DEFAULT_SYSTEM
from evenboard_engine.tests.brute_force import brute_force_round
from evenboard_engine.trf import read_report, to_tournament

from .histories import OPEN, UNRULY, report_file, tournaments
from .measure import Ours, growth_exponent, measure, seconds
from .peer import NoPeer, PeerAnswer, ask, install
from .verdict import PeerDeparture, departures

ROUNDS = 9
MEASURED_ROUNDS = (3, 9)
LARGEST_FILE = 9999
SMALL_SIZES = range(8, 41)
SMALL_ROUNDS = (5, 7, 9)
SMALL_LIMIT = 120.0
SMALL_RUNS = 5
LARGEST_FOR_ORACLE = 10
FAR_TOO_LONG = 1.5


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What to run. sizes: fields with a file; beyond: a field for our interface only, 0 for none.

    small: number of small tournaments whose answers are compared. hard: players of the hardest fields, 0 for none;
    hard_large: a second size of them.
    limit: seconds of processor time of the peer for one file. with_peer: False leaves the peer out.
    """

    sizes: tuple[int, ...]
    beyond: int
    small: int
    hard: int
    limit: float
    runs: int
    seed: int
    with_peer: bool = True
    hard_large: int = 0


@dataclass(frozen=True, slots=True)
class FileFigures:
    """The figures of one file. peer: its answer; None if it was not asked, or was stopped at the limit (`stopped`).

    expected: if it was not asked because it would take far too long, the seconds estimated from its growth.
    """

    ours: Ours
    peer: PeerAnswer | None = None
    stopped: bool = False
    expected: float = 0.0
    departures: tuple[PeerDeparture, ...] = ()


@dataclass(frozen=True, slots=True)
class DepartureCase:
    """A departure in a round of a small tournament; seed and round make the same round again."""

    seed: int
    round: int
    players: int
    departure: PeerDeparture


@dataclass(slots=True)
class RunFigures:
    """The results of a run. no_peer: why the peer was not asked.

    hard, hard_large: (field, seconds of the slowest round, rounds).

    small: the figures of our engine for the rounds of the small tournaments that can be paired.
    small_seconds: the time of our engine and of the peer to read and pair all small rounds that both answered.
    oracle_asked: how many of the small rounds that differ were given to the brute force; oracle_agreed: how many of
    these it paired as we do.
    """

    plan: RunPlan
    rows: list[FileFigures] = field(default_factory=list)
    no_peer: str = ""
    small: list[Ours] = field(default_factory=list)
    small_rounds: int = 0
    small_agreed: int = 0
    small_cases: list[DepartureCase] = field(default_factory=list)
    small_seconds: tuple[float, float] = (0.0, 0.0)
    oracle_asked: int = 0
    oracle_agreed: int = 0
    hard: list[tuple[str, float, int]] = field(default_factory=list)
    hard_large: list[tuple[str, float, int]] = field(default_factory=list)
    minutes: float = 0.0

    @property
    def our_faults(self) -> list[PeerDeparture]:
        """Return the departures of our engine: there should be none."""
        found = [departure for row in self.rows for departure in row.departures]
        found += [case.departure for case in self.small_cases]
        faults = [departure for departure in found if departure.ours]
        if self.oracle_agreed < self.oracle_asked:
            faults.append(PeerDeparture("?", "the brute force pairs differently", ours=True))
        return faults


def run(plan: RunPlan) -> RunFigures:
    """Do the whole run, with progress on standard error."""
    began = time.monotonic()
    figures = RunFigures(plan)
    with TemporaryDirectory() as name:
        directory = Path(name)
        python = _peer(plan, directory, figures)
        for size in sorted(plan.sizes):
            for tournament in tournaments(size, ROUNDS, plan.seed, wanted=MEASURED_ROUNDS):
                before = largest(figures.rows, tournament.round)
                figures.rows.append(_measured(plan, size, tournament, directory, python, before))
        if plan.beyond:
            for tournament in tournaments(plan.beyond, ROUNDS, plan.seed, wanted=MEASURED_ROUNDS):
                show_progress(f"{plan.beyond} players, round {tournament.round}")
                figures.rows.append(FileFigures(measure(plan.beyond, tournament, None, 3)))
        figures.small = list(_own_small(plan))
        if python is not None:
            _compare_small(plan, directory, python, figures)
    for size, rows in ((plan.hard, figures.hard), (plan.hard_large, figures.hard_large)):
        for hard in fields(size, Random(plan.seed)) if size else ():
            show_progress(f"{size} players, {hard[0]}")
            taken = measured(partial(play, size, hard, plan.seed, DEFAULT_SYSTEM), memory=False)
            rows.append((hard[0], max(taken, default=0.0), len(taken)))
    show_progress("")
    figures.minutes = (time.monotonic() - began) / 60
    return figures


def _read(report: bytes) -> Tournament:
    return to_tournament(read_report(report), system=DEFAULT_SYSTEM)


def show_progress(line: str) -> None:
    """Print the progress over the previous line, if standard error is a terminal."""
    if not sys.stderr.isatty():
        return
    print(f"\r{line:<60}", end="" if line else "\r", file=sys.stderr, flush=True)


def _peer(plan: RunPlan, directory: Path, figures: RunFigures) -> Path | None:
    if not plan.with_peer:
        figures.no_peer = "was not run"
        return None
    show_progress("installing the peer")
    try:
        return install(directory / "peer")
    except NoPeer as error:
        figures.no_peer = "could not be installed"
        show_progress("")
        print(f"py4swiss cannot be installed, so it is left out: {error}", file=sys.stderr)
        return None


def _measured(
    plan: RunPlan,
    size: int,
    tournament: Tournament,
    directory: Path,
    python: Path | None,
    before: Sequence[FileFigures],
) -> FileFigures:
    """Measure one field. before: the rows of smaller fields; if the peer was too slow there, it is not asked."""
    show_progress(f"{size} players, round {tournament.round}: us")
    data = report_file(tournament)
    ours = measure(size, _read(data), data, plan.runs)
    if python is None or any(row.stopped or row.expected for row in before):
        return FileFigures(ours)
    expected = expected_seconds(before, size)
    if expected > FAR_TOO_LONG * plan.limit:
        return FileFigures(ours, expected=expected)
    show_progress(f"{size} players, round {tournament.round}: py4swiss")
    file = directory / "tournament.trf"
    file.write_bytes(data)
    answer = next(ask(python, [file], plan.limit), None)
    if answer is None:
        return FileFigures(ours, stopped=True)
    return FileFigures(ours, answer, departures=departures(tournament, ours.pairing, answer))


def expected_seconds(before: Sequence[FileFigures], size: int) -> float:
    """Estimate the peer's seconds for this size from its growth over the last two; 0 if there are not two."""
    known = [
        (row.ours.size, row.peer.read + row.peer.pair) for row in before if row.peer and not row.peer.error
    ]
    if len(known) < 2:
        return 0.0
    last_size, last = known[-1]
    growth: float = (size / last_size) ** growth_exponent(known[-2:])
    return last * growth


def _own_small(plan: RunPlan) -> Iterator[Ours]:
    show_progress("small tournaments: us")
    for _, tournament in _small(plan):
        if _paired(tournament) is not None:
            data = report_file(tournament)
            read = _read(data)
            yield measure(len(tournament.players), read, data, SMALL_RUNS, enough=0)


def _compare_small(plan: RunPlan, directory: Path, python: Path, figures: RunFigures) -> None:
    """Compare every round of many small tournaments, half of them with many byes, forfeits and withdrawals."""
    show_progress("small tournaments: making the files")
    asked: list[tuple[int, Tournament, Path]] = []
    for seed, tournament in _small(plan):
        file = directory / f"{seed}-{tournament.round}.trf"
        file.write_bytes(report_file(tournament))
        asked.append((seed, tournament, file))
    ours, theirs = 0.0, 0.0
    answers = ask(python, [file for _, _, file in asked], SMALL_LIMIT)
    for (seed, tournament, file), answer in zip(asked, answers, strict=False):
        figures.small_rounds += 1
        show_progress(f"small tournaments: round {figures.small_rounds} of {len(asked)}")
        data = file.read_bytes()
        pairing = _paired(tournament)
        if pairing is not None and not answer.error:
            ours += seconds(lambda data=data: pair_round(_read(data)))  # type: ignore[misc]
            theirs += answer.read + answer.pair
        found = departures(tournament, pairing, answer)
        figures.small_agreed += not found
        players = len(tournament.players)
        figures.small_cases += [
            DepartureCase(seed, tournament.round, players, departure) for departure in found
        ]
        if found and pairing is not None and players <= LARGEST_FOR_ORACLE:
            figures.oracle_asked += 1
            figures.oracle_agreed += _oracle_agrees(tournament, pairing)
    figures.small_seconds = ours, theirs


def _paired(tournament: Tournament) -> RoundPairing | None:
    try:
        return pair_round(tournament)
    except NoLegalPairing:
        return None


def _oracle_agrees(tournament: Tournament, pairing: RoundPairing) -> bool:
    oracle = brute_force_round(tournament)
    pairs = {(pair.white, pair.black) for pair in pairing.pairs}
    return bool(oracle.bye == pairing.bye and oracle.pairs == pairs)


def _small(plan: RunPlan) -> Iterator[tuple[int, Tournament]]:
    for seed in range(plan.seed, plan.seed + plan.small):
        rng = Random(seed)
        size, rounds = rng.choice(SMALL_SIZES), rng.choice(SMALL_ROUNDS)
        habits = UNRULY if seed % 2 else OPEN
        for tournament in tournaments(size, rounds, seed, wanted=range(1, rounds + 1), habits=habits):
            yield seed, tournament


def largest(rows: Sequence[FileFigures], number: int) -> list[FileFigures]:
    """Return the rows of one round, ordered by size."""
    return sorted((row for row in rows if row.ours.round == number), key=lambda row: row.ours.size)
