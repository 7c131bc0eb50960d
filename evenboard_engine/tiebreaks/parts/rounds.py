"""The parts that most tie-breaks share: a round as it is, one that is left out, one that is cut."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from evenboard_engine.tiebreaks.buchholz import products_cut
from evenboard_engine.tiebreaks.cards import OPEN, PLAYED, CardRound, RoundsCard

from . import Cut, PartRole, RoundPart, Why

Number = int | Fraction


@lru_cache(maxsize=4096)
def tenths(value: Number) -> Fraction:
    """Return points that are given in tenths."""
    return Fraction(value) / 10


def part_of(
    number: int,
    turn: CardRound,
    role: PartRole,
    counts: Number = 0,
    worth: Number | None = None,
    why: Why | None = None,
) -> RoundPart:
    """Return the part of a round, from 1."""
    return RoundPart(
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


def left_out(number: int, turn: CardRound, why: Why, worth: Number | None = None) -> RoundPart:
    """Return the part of a round that does not count. A game without a result is left out because of that."""
    return part_of(number, turn, PartRole.LEFT_OUT, 0, worth, Why.OPEN if turn.kind is OPEN else why)


def own_part(number: int, turn: CardRound, counts: Number, worth: Number | None = None) -> RoundPart:
    """Return the part of a round that counts by the player's own result."""
    if turn.kind is OPEN:
        return left_out(number, turn, Why.OPEN)
    return part_of(number, turn, PartRole.OWN, counts, worth)


def with_added(part: RoundPart, added: int) -> RoundPart:
    """Return the part with a bonus or penalty in tenths that is in its numbers."""
    return replace(part, added=tenths(added)) if added else part


def parts_of_games(card: RoundsCard, worth: Callable[[int, int], Number | Why]) -> tuple[RoundPart, ...]:
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
            found.append(part_of(number, turn, PartRole.OPPONENT, valued, valued))
    return tuple(found)


def counted(parts: Iterable[RoundPart]) -> list[RoundPart]:
    return [part for part in parts if part.role is not PartRole.LEFT_OUT]


# Which parts a tie-break cuts (C.07, 14.1 and 16.5).


def with_cuts(
    parts: tuple[RoundPart, ...], low: int, high: int, chosen: Collection[int] = ()
) -> tuple[RoundPart, ...]:
    """Mark the lowest and the highest parts. chosen: rounds that are cut before the lowest ones."""
    ordered = _ordered(parts, chosen)
    first = [part for part in ordered if part.round in chosen][:low]
    rest = [part for part in ordered if part not in first]
    lowest, kept = rest[: low - len(first)], rest[low - len(first) :]
    highest = kept[max(0, len(kept) - high) :]
    return _marked(parts, {Cut.BY_CHOICE: first, Cut.LOWEST: lowest, Cut.HIGHEST: highest})


def with_cut_products(
    parts: tuple[RoundPart, ...], cuts: int, chosen: Collection[int]
) -> tuple[RoundPart, ...]:
    """Mark the parts that Sonneborn-Berger cuts. chosen: rounds that the player chose not to play."""
    ordered = _ordered(parts, chosen)
    unplayed = tuple(at for at, part in enumerate(ordered) if part.round in chosen)
    cut = products_cut([part.counts for part in ordered], unplayed, cuts)
    return _marked(
        parts,
        {
            Cut.BY_CHOICE: [ordered[at] for at, chosen_round in cut.items() if chosen_round],
            Cut.LOWEST: [ordered[at] for at, chosen_round in cut.items() if not chosen_round],
        },
    )


def with_first_cut(parts: tuple[RoundPart, ...], cuts: int) -> tuple[RoundPart, ...]:
    """Mark the first rounds."""
    return _marked(parts, {Cut.FIRST: counted(parts[:cuts])})


def by_choice(card: RoundsCard, parts: Iterable[RoundPart]) -> frozenset[int]:
    """Return the rounds with a dummy opponent that the player chose not to play."""
    return frozenset(
        part.round for part in parts if part.role is PartRole.DUMMY and card.turns[part.round - 1].voluntary
    )


def _ordered(parts: Iterable[RoundPart], chosen: Collection[int]) -> list[RoundPart]:
    """Return the parts that count, the least significant first (14.1); of equal ones, those by choice last."""
    return sorted(
        counted(parts), key=lambda part: (part.worth or 0, part.counts, part.round in chosen, part.round)
    )


def _marked(parts: tuple[RoundPart, ...], cut: Mapping[Cut, list[RoundPart]]) -> tuple[RoundPart, ...]:
    why = {part.round: kind for kind, found in cut.items() for part in found}
    return tuple(replace(part, cut=why[part.round]) if part.round in why else part for part in parts)
