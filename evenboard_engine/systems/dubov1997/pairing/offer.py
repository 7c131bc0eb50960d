"""What is offered to the arbiter where the procedure cannot finish (article 9; S12)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evenboard_engine.matching import Matching

from . import Dubov1997Round, bye_order
from .field import Dubov1997Field


@dataclass(frozen=True, slots=True)
class Offered:
    """A complete round. All players are seats.

    kept: pairs of the procedure that stay. undone: those that do not, the last one made first. added: the new pairs.
    bye: the same as before, or `bye_instead` of which another player gets it.
    """

    kept: tuple[tuple[int, int], ...]
    undone: tuple[tuple[int, int], ...]
    added: tuple[tuple[int, int], ...]
    bye: int | None
    new_bye: bool = False


def offer_for(sheet: Dubov1997Round) -> Offered | None:
    """Return the offer for a round that cannot finish; None if no round keeps 2.1 to 2.4."""
    field = sheet.field
    undone = _undone(field, sheet.made, sheet.unpaired)
    if undone is not None:
        kept = sheet.made[: len(sheet.made) - len(undone)]
        free = [*sheet.unpaired, *(seat for pair in undone for seat in pair)]
        return Offered(tuple(kept), tuple(undone), tuple(_next_in_order(field, free)), sheet.bye)
    if len(field.ids) % 2:
        everyone = range(len(field.ids))
        matching = Matching(field.graph(everyone))
        can_be_left = matching.decompose()
        if matching.exposed.bit_count() == 1:
            for bye in bye_order(field):
                if can_be_left >> bye & 1:
                    rest = [seat for seat in everyone if seat != bye]
                    added = tuple(_next_in_order(field, rest))
                    return Offered((), tuple(reversed(sheet.made)), added, bye, new_bye=True)
    return None


def _undone(
    field: Dubov1997Field, made: Sequence[tuple[int, int]], unpaired: Iterable[int]
) -> list[tuple[int, int]] | None:
    """Return the pairs to undo, the last first, until the free players are wholly pairable; None if all are too few."""
    everyone = [*unpaired, *(seat for pair in reversed(made) for seat in pair)]
    graph = field.graph(everyone)
    count = len(everyone) - 2 * len(made)
    matching = Matching([0] * len(everyone))
    free = 0
    for last in range(count, len(everyone) + 1, 2):
        fresh = range(0 if last == count else last - 2, last)
        for v in fresh:
            free |= 1 << v
        for v in fresh:
            matching.adjacency[v] = graph[v] & free
            _join_back(matching, v)
        matching.exposed = sum(1 << v for v in range(last) if matching.mate[v] < 0)
        if last > count and graph[last - 2] >> last - 1 & 1:
            matching.join(last - 2, last - 1)
        if matching.maximise() == 0:
            return list(reversed(made))[: (last - count) // 2]
    return None


def _join_back(matching: Matching, v: int) -> None:
    """Make the edges of a new vertex symmetric."""
    mask = matching.adjacency[v]
    while mask:
        low = mask & -mask
        matching.adjacency[low.bit_length() - 1] |= 1 << v
        mask ^= low


def in_order(field: Dubov1997Field, free: Iterable[int]) -> list[int]:
    """Return free players in order of score, R and No. (S12.3)."""
    return sorted(free, key=lambda seat: (-field.score[seat], -field.rating[seat], field.tpn[seat]))


def _next_in_order(field: Dubov1997Field, free: Iterable[int]) -> list[tuple[int, int]]:
    """Pair free players who are wholly pairable: in order of score, R and No., the first takes the next one who is
    possible and leaves the rest wholly pairable (S12.3).
    """
    seats = in_order(field, free)
    matching = Matching(field.graph(seats))
    matching.maximise()
    pairs = []
    for one in range(len(seats)):
        if matching.mate[one] < 0:
            continue  # paired already
        mask = matching.adjacency[one]
        while mask:
            other = (mask & -mask).bit_length() - 1
            mask &= mask - 1
            tried = matching
            if matching.mate[one] != other:
                tried = matching.copy()
                alone = tried.mate[one]
                for v in (one, other):
                    tried.forbid(v, tried.adjacency[v])
                if not tried.augment(alone, tried.adjacency):
                    continue
            else:
                for v in (one, other):
                    tried.forbid(v, tried.adjacency[v])
            tried.exposed = 0
            matching = tried
            pairs.append((seats[one], seats[other]))
            break
    return pairs
