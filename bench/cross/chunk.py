"""Ask the other program about every round of some generated tournaments, and attribute the differences."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import FrameType

from bench.peers.histories import OPEN, UNRULY, report_file, tournaments
from bench.peers.peer import PeerAnswer, ask
from bench.peers.verdict import OracleFacts, departures
from evenboard_engine import Bye, ByeKind, NoLegalPairing, RoundPairing, Tournament, pair_round
from evenboard_engine.systems.dubov.pairing import BracketRecord
from evenboard_engine.tests.brute_force import (
    Field,
    NoRound,
    allocated_bye,
    brute_force_round,
    next_bracket,
    pair_bracket,
)
from evenboard_engine.tests.brute_history import Entrant
from evenboard_engine.tests.comparison import as_brute_round

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
class CrossFindings:
    """The results of some tournaments. figures: what was counted. examples: the smallest of each article.

    faults: differences in which we are wrong. seconds: processor time of both programs.
    """

    figures: Counter[str] = field(default_factory=Counter)
    examples: dict[str, Example] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: CrossFindings) -> None:
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


def compare_chunk(number: int, python: Path) -> CrossFindings:
    """Compare the tournaments of a chunk. python: that of the other program's environment."""
    found, began = CrossFindings(), _seconds()
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


def compare_round(seed: int, tournament: Tournament, theirs: PeerAnswer, found: CrossFindings) -> None:
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


# Prove our side of a difference by the brute force of the tests, which was written apart from the engine.
#
# The whole round is paired by plain enumeration if it is small. In a larger round only the step is, in which
# the answers part: the choice of the bye, or one bracket with the players below it. The brute force stops
# when it takes too long.

LARGEST_ROUND = 12
SECONDS_OF_STEP = 3.0
WHOLE, STEP, NOT, WRONG = "whole round", "step", "not proved", "contradicted"


class TooLong(Exception):
    """The brute force was stopped."""


def proof(tournament: Tournament, ours: RoundPairing | None, theirs: PeerAnswer) -> str:
    """Return how far the brute force proves our answer: WHOLE, STEP or NOT; WRONG if it contradicts it."""
    present = OracleFacts(tournament).present
    try:
        with stopped_after(SECONDS_OF_STEP):
            if len(present) <= LARGEST_ROUND:
                return _of_round(tournament, ours)
            if ours is None or theirs.error:
                return NOT
            return _of_steps(tournament, ours, theirs)
    except TooLong:
        return NOT


def _of_round(tournament: Tournament, ours: RoundPairing | None) -> str:
    try:
        oracle = brute_force_round(tournament)
    except NoRound:
        return WHOLE if ours is None else WRONG
    return WHOLE if ours is not None and as_brute_round(ours) == oracle else WRONG


def _of_steps(tournament: Tournament, ours: RoundPairing, theirs: PeerAnswer) -> str:
    """Check the bye and the first bracket that differ. Colours are always checked by the brute force (verdict.py)."""
    field = _field(tournament)
    if ours.bye != theirs.bye:
        assert theirs.bye is not None
        if allocated_bye(field, list(field.by_id.values())).id != ours.bye:
            return WRONG
        if field.by_id[theirs.bye].barred:
            return STEP
        tournament = replace(
            tournament, byes=(*tournament.byes, Bye(tournament.round, theirs.bye, ByeKind.ZERO))
        )
        ours, field = pair_round(tournament), _field(tournament)
    remaining = [player for player in field.by_id.values() if player.id != ours.bye]
    met = {player: other for pair in theirs.pairs for player, other in (pair, pair[::-1])}
    for record in ours.brackets:
        if _differs(record, met):
            return STEP if _bracket_agrees(field, remaining, record) else WRONG
        paired = {*record.s1, *record.t2}
        remaining = [player for player in remaining if player.id not in paired]
    return STEP


def _field(tournament: Tournament) -> Field:
    facts = OracleFacts(tournament)
    return Field(tournament, [facts.players[player] for player in sorted(facts.present)])


def _differs(record: BracketRecord, met: Mapping[int, int]) -> bool:
    return any(met[one] != other for one, other in zip(record.s1, record.t2, strict=True))


def _bracket_agrees(field: Field, remaining: list[Entrant], record: BracketRecord) -> bool:
    residents, upfloaters = next_bracket(field, remaining)
    found = pair_bracket(field, residents, upfloaters)
    return (set(found.upfloaters), found.first_shift, found.second_shift, found.s1, found.t2) == (
        set(record.upfloaters),
        record.shifted_first,
        record.shifted_second,
        record.s1,
        record.t2,
    )


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Raise TooLong after this processor time, on systems that can."""
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
