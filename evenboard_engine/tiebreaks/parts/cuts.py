"""Which parts a tie-break cuts (C.07, 14.1 and 16.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from evenboard_engine.tiebreaks.buchholz import products_cut
from evenboard_engine.tiebreaks.cards import Card

from .model import Cut, Part, Role
from .rounds import counted


def with_cuts(parts: tuple[Part, ...], low: int, high: int, chosen: Collection[int] = ()) -> tuple[Part, ...]:
    """Mark the lowest and the highest parts. chosen: rounds that are cut before the lowest ones."""
    ordered = _ordered(parts, chosen)
    first = [part for part in ordered if part.round in chosen][:low]
    rest = [part for part in ordered if part not in first]
    lowest, kept = rest[: low - len(first)], rest[low - len(first) :]
    highest = kept[max(0, len(kept) - high) :]
    return _marked(parts, {Cut.BY_CHOICE: first, Cut.LOWEST: lowest, Cut.HIGHEST: highest})


def with_cut_products(parts: tuple[Part, ...], cuts: int, chosen: Collection[int]) -> tuple[Part, ...]:
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


def with_first_cut(parts: tuple[Part, ...], cuts: int) -> tuple[Part, ...]:
    """Mark the first rounds."""
    return _marked(parts, {Cut.FIRST: counted(parts[:cuts])})


def by_choice(card: Card, parts: Iterable[Part]) -> frozenset[int]:
    """Return the rounds with a dummy opponent that the player chose not to play."""
    return frozenset(
        part.round for part in parts if part.role is Role.DUMMY and card.turns[part.round - 1].voluntary
    )


def _ordered(parts: Iterable[Part], chosen: Collection[int]) -> list[Part]:
    """Return the parts that count, the least significant first (14.1); of equal ones, those by choice last."""
    return sorted(
        counted(parts), key=lambda part: (part.worth or 0, part.counts, part.round in chosen, part.round)
    )


def _marked(parts: tuple[Part, ...], cut: Mapping[Cut, list[Part]]) -> tuple[Part, ...]:
    why = {part.round: kind for kind, found in cut.items() for part in found}
    return tuple(replace(part, cut=why[part.round]) if part.round in why else part for part in parts)
