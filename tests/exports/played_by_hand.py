"""Pair a round of a random section by hand: every change that the page offers, and phases that change nothing."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

from pairing.by_hand import (
    begin_manual_phase,
    change_by_hand,
    end_by_the_rules,
    end_manual_phase,
)
from tournaments.models import Round, Section
from tournaments.queries.by_hand import hand_position
from tournaments.seating import SeatingStep, SeatMove

MOVES = (
    SeatMove.SWAP,
    SeatMove.SWAP,
    SeatMove.SWAP,
    SeatMove.UNPAIR,
    SeatMove.COLOURS,
    SeatMove.BYE,
    SeatMove.HALF,
    SeatMove.ZERO,
)


class Player(Protocol):
    """What plays a section."""

    random: random.Random
    section: Section

    def attempt(self, action: Callable[..., Any], **arguments: Any) -> Any: ...

    def someone(self) -> int: ...


def pair_by_hand(arbiter: Player, row: Round) -> None:
    """Change some boards and byes, or pair everybody again, and end the phase."""
    if not row.manual_phase:
        row = _do(arbiter, begin_manual_phase, row, public=True)
    if arbiter.random.random() < 0.2:
        for table in hand_position(arbiter.section, row.number).games:
            row = _step(arbiter, row, SeatMove.UNPAIR, table.white_id)
    for _ in range(arbiter.random.randint(0, 4)):
        move = arbiter.random.choice(MOVES)
        other = arbiter.someone() if move is SeatMove.SWAP else 0
        row = _step(arbiter, row, move, arbiter.someone(), other)
    if arbiter.random.random() < 0.1:
        row = _do(arbiter, end_by_the_rules, row)
    row = _place_everybody(arbiter, row)
    _do(arbiter, end_manual_phase, row, reason="asked for", confirmed=True)


def _place_everybody(arbiter: Player, row: Round) -> Round:
    """Pair those who are not placed yet at random; a last one has a bye."""
    if not row.manual_phase:
        return row
    pool = list(hand_position(arbiter.section, row.number).pool)
    arbiter.random.shuffle(pool)
    while len(pool) > 1:
        row = _step(arbiter, row, SeatMove.SWAP, pool.pop(), pool.pop())
    for left in pool:
        has_bye = hand_position(arbiter.section, row.number).allocated is not None
        row = _step(arbiter, row, SeatMove.ZERO if has_bye else SeatMove.BYE, left)
    return row


def _step(arbiter: Player, row: Round, move: SeatMove, player: int, other: int = 0) -> Round:
    return _do(arbiter, change_by_hand, row, step=SeatingStep(move, player, other), confirmed=True)


def _do(arbiter: Player, action: Callable[..., Any], row: Round, **arguments: Any) -> Round:
    arbiter.attempt(action, round_id=row.pk, seen_version=row.version, **arguments)
    row.refresh_from_db()
    return row
