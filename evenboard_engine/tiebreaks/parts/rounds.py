"""The parts that most tie-breaks share: a round as it is, and one that is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from evenboard_engine.tiebreaks.cards import OPEN, PLAYED, Card, Turn

from .model import Part, Role, Why

Number = int | Fraction


@lru_cache(maxsize=4096)
def tenths(value: Number) -> Fraction:
    """Return points that are given in tenths."""
    return Fraction(value) / 10


def part_of(
    number: int,
    turn: Turn,
    role: Role,
    counts: Number = 0,
    worth: Number | None = None,
    why: Why | None = None,
) -> Part:
    """Return the part of a round, from 1."""
    return Part(
        number,
        turn.kind,
        turn.opponent,
        turn.colour,
        tenths(turn.points),
        role,
        Fraction(counts),
        None if worth is None else Fraction(worth),
        why,
    )


def left_out(number: int, turn: Turn, why: Why, worth: Number | None = None) -> Part:
    """Return the part of a round that does not count. A game without a result is left out because of that."""
    return part_of(number, turn, Role.LEFT_OUT, 0, worth, Why.OPEN if turn.kind is OPEN else why)


def own_part(number: int, turn: Turn, counts: Number, worth: Number | None = None) -> Part:
    """Return the part of a round that counts by the player's own result."""
    if turn.kind is OPEN:
        return left_out(number, turn, Why.OPEN)
    return part_of(number, turn, Role.OWN, counts, worth)


def with_added(part: Part, added: int) -> Part:
    """Return the part with a bonus or penalty in tenths that is in its numbers."""
    return replace(part, added=tenths(added)) if added else part


def parts_of_games(card: Card, worth: Callable[[int, int], Number | Why]) -> tuple[Part, ...]:
    """Return parts of games over the board that count what the opponent of a round is worth.

    A reason leaves the game out.
    """
    found = []
    for number, turn in enumerate(card.turns, start=1):
        valued: Number | Why = Why.NOT_PLAYED
        if turn.kind is PLAYED and turn.opponent is not None:
            valued = worth(turn.opponent, number)
        if isinstance(valued, Why):
            found.append(left_out(number, turn, valued))
        else:
            found.append(part_of(number, turn, Role.OPPONENT, valued, valued))
    return tuple(found)


def counted(parts: Iterable[Part]) -> list[Part]:
    """Return the parts that are not left out."""
    return [part for part in parts if part.role is not Role.LEFT_OUT]
