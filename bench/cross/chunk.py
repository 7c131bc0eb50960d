"""Ask the other program about every round of some generated tournaments, and attribute the differences."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.peers.histories import OPEN, UNRULY, report_file, tournaments
from bench.peers.peer import Answer, ask
from bench.peers.verdict import departures
from evenboard_engine import NoLegalPairing, RoundPairing, Tournament, pair_round

from .proof import WRONG, proof

CHUNK = 50
SIZES, ROUNDS = range(4, 41), range(3, 12)
PEER_SECONDS = 600.0


@dataclass(order=True, slots=True)
class Example:
    """A difference; the smallest is the least. seed and round make the same round again (`tournament_of`)."""

    players: int
    round: int
    seed: int
    sentence: str


@dataclass(slots=True)
class Found:
    """The results of some tournaments. figures: what was counted. examples: the smallest of each article.

    faults: differences in which we are wrong. seconds: processor time of both programs.
    """

    figures: Counter[str] = field(default_factory=Counter)
    examples: dict[str, Example] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: Found) -> None:
        self.figures.update(other.figures)
        for article, example in other.examples.items():
            self.examples[article] = min(example, self.examples.get(article, example))
        self.faults += other.faults
        self.seconds += other.seconds


def rounds_of(seed: int) -> Iterator[Tournament]:
    """Yield the tournament of a seed as it is before each round: 4 to 40 players, 3 to 11 rounds."""
    rng = Random(f"cross {seed}")
    size, rounds = rng.choice(SIZES), rng.choice(ROUNDS)
    habits = UNRULY if seed % 2 else OPEN
    return tournaments(size, rounds, seed, wanted=range(1, rounds + 1), habits=habits)


def tournament_of(seed: int, number: int) -> Tournament:
    """Return the tournament of a seed as it is before a round."""
    return next(tournament for tournament in rounds_of(seed) if tournament.round == number)


def compare_chunk(number: int, python: Path) -> Found:
    """Compare the tournaments of a chunk. python: that of the other program's environment."""
    found, began = Found(), _seconds()
    with TemporaryDirectory() as directory:
        asked: list[tuple[int, Tournament, Path]] = []
        for seed in range(number * CHUNK, (number + 1) * CHUNK):
            found.figures["tournaments"] += 1
            for tournament in rounds_of(seed):
                file = Path(directory, f"{seed}-{tournament.round}.trf")
                file.write_bytes(report_file(tournament))
                asked.append((seed, tournament, file))
        answers = list(ask(python, [file for _, _, file in asked], PEER_SECONDS))
    found.figures["unanswered"] += len(asked) - len(answers)
    for (seed, tournament, _), answer in zip(asked, answers, strict=False):
        compare_round(seed, tournament, answer, found)
    found.seconds = _seconds() - began
    return found


def compare_round(seed: int, tournament: Tournament, theirs: Answer, found: Found) -> None:
    """Compare one round, and add what was found."""
    ours: RoundPairing | None
    try:
        ours = pair_round(tournament)
    except NoLegalPairing:
        ours = None
    differences = departures(tournament, ours, theirs)
    found.figures["rounds"] += 1
    found.figures["pairs"] += len(ours.pairs) if ours else 0
    found.figures["impossible for both"] += ours is None and not differences
    if not differences:
        return
    found.figures["differing"] += 1
    proved = proof(tournament, ours, theirs)
    found.figures[f"differing, {proved}"] += 1
    for article in {difference.article for difference in differences}:
        found.figures[f"article {article}"] += 1
        found.figures[f"article {article}, {proved}"] += 1
    for difference in differences:
        example = Example(len(tournament.players), tournament.round, seed, difference.sentence)
        found.examples[difference.article] = min(example, found.examples.get(difference.article, example))
        if difference.ours or proved == WRONG:
            found.faults.append(f"seed {seed}, round {tournament.round}: {difference.article}: {proved}")


def _seconds() -> float:
    """Return the processor time of this process and of the ones that it has waited for."""
    return sum(os.times()[:4])
