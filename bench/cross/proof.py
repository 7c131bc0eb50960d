"""Prove our side of a difference by the brute force of the tests, which was written apart from the engine.

The whole round is paired by plain enumeration if it is small. In a larger round only the step is, in which the answers
part: the choice of the bye, or one bracket with the players below it. The brute force stops when it takes too long.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

from bench.peers.facts import Facts
from bench.peers.peer import Answer
from evenboard_engine import Bye, ByeKind, RoundPairing, Tournament, pair_round
from evenboard_engine.systems.dubov.pairing.records import BracketRecord
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

LARGEST_ROUND = 12
SECONDS_OF_STEP = 3.0
WHOLE, STEP, NOT, WRONG = "whole round", "step", "not proved", "contradicted"


class TooLong(Exception):
    """The brute force was stopped."""


def proof(tournament: Tournament, ours: RoundPairing | None, theirs: Answer) -> str:
    """Return how far the brute force proves our answer: WHOLE, STEP or NOT; WRONG if it contradicts it."""
    present = Facts(tournament).present
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


def _of_steps(tournament: Tournament, ours: RoundPairing, theirs: Answer) -> str:
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
    facts = Facts(tournament)
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
