"""Form G1 and G2, and shift players between them (C.04.4.1, 2.2.3, 2.2.4 and 4.3, edition 2025)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from evenboard_engine.errors import InternalError
from evenboard_engine.matching import Cheapest, Kinds, Matching, bits, cheapest_among, cheapest_by_kind

from .field import DubovEntrant, legal_graph
from .transposition import first_transposition

T = TypeVar("T")


class Subgroups(NamedTuple):
    """G1 and G2 after the shifts, and the players of the first and second shift, in the order of 4.3."""

    g1: tuple[DubovEntrant, ...]
    g2: tuple[DubovEntrant, ...]
    first: tuple[DubovEntrant, ...]
    second: tuple[DubovEntrant, ...]


def initial_subgroups(bracket: Sequence[DubovEntrant]) -> tuple[list[DubovEntrant], list[DubovEntrant]]:
    """Return G1 and G2 before any shift (2.2.3), both in initial ranking order.

    Reading: G1 is the first half if nobody in the bracket has played, whether or not others have (D6).
    """
    ranked = sorted(bracket, key=lambda player: player.rank)
    if not any(player.games for player in ranked):
        half = len(ranked) // 2
        return ranked[:half], ranked[half:]
    return [p for p in ranked if p.wants_white], [p for p in ranked if not p.wants_white]


def s1_order(player: DubovEntrant) -> tuple[int, int]:
    """Return a sort key: ascending ARO, then initial ranking (2.2.5)."""
    return player.aro, player.rank


def shifter_sequence(seekers: Sequence[DubovEntrant]) -> list[DubovEntrant]:
    """Return the possible shifters #1, #2, ...: from the middle of the sorted list outwards (4.3.2, 4.3.3).

    seekers: players who are all due the same colour. White seekers are sorted by ARO and initial ranking, Black seekers
    by initial ranking.
    """
    white = bool(seekers) and seekers[0].wants_white
    ordered = sorted(seekers, key=s1_order if white else lambda player: (player.rank, 0))
    return from_the_middle(ordered)


def from_the_middle(ordered: Sequence[T]) -> list[T]:
    """Return the items from the middle outwards; of two that are equally far from it, the first one first (4.3.3).

    The first `count` of them are a run of `ordered` that begins at index (len(ordered) - count) // 2.
    """
    middle = len(ordered) // 2
    before, after = ordered[:middle][::-1], ordered[middle:]
    numbered = list(ordered)
    numbered[::2], numbered[1::2] = (after, before) if len(ordered) % 2 else (before, after)
    return numbered


def recompose(bracket: Sequence[DubovEntrant]) -> Subgroups:
    """Make both shifts of 2.2.4. After them G1 and G2 have the same size and can be paired with each other legally.

    Let a be the number of pairs inside the smaller subgroup, and b inside the larger one. The sizes of the subgroups
    fix b - a, so C7 is best if a is least. The first shift moves a players, the second b players. Readings: if nobody
    in the bracket has played, the same numbers are used, because C7 is equal for all pairings there (D6). Only players
    who were in the larger subgroup before the first shift can be in the second one (D5). The bracket must have a legal
    pairing.
    """
    g1, g2 = initial_subgroups(bracket)
    smaller, larger = (g1, g2) if len(g1) <= len(g2) else (g2, g1)
    first = _first_shift(smaller, larger)
    stay = [player for player in smaller if player not in first]
    second = _second_shift(stay, first, larger, (len(larger) - len(smaller)) // 2 + len(first))
    new_smaller = (*stay, *second)
    new_larger = (*(player for player in larger if player not in second), *first)
    new_g1, new_g2 = (new_smaller, new_larger) if smaller is g1 else (new_larger, new_smaller)
    return Subgroups(new_g1, new_g2, tuple(first), tuple(second))


def _first_shift(smaller: Sequence[DubovEntrant], larger: Sequence[DubovEntrant]) -> list[DubovEntrant]:
    """Return the first set of 2.2.4.1: one player of each pair that is unavoidable inside the smaller subgroup.

    Each such pair costs one, so the cheapest matchings are those with the fewest such pairs.
    """
    players = [*smaller, *larger]
    graph = legal_graph(players)
    inside = (1 << len(smaller)) - 1
    matching = Matching([mask & ~inside if i < len(smaller) else mask for i, mask in enumerate(graph)])
    if matching.maximise() == 0:
        return []
    ordered = shifter_sequence(smaller)
    graph = legal_graph([*ordered, *larger])
    kind = [0] * len(ordered) + [1] * len(larger)
    best = cheapest_by_kind(Kinds(graph, kind, [[1, 0], [0, 0]], [0, 0]))
    if best is None:
        raise InternalError("bracket_without_legal_pairing")
    if best.odd_sets:
        return _first_shift_by_cost(ordered, best)
    matching = Matching(best.edges)
    matching.maximise()
    return [ordered[i] for i in _first_members(matching, range(len(ordered)), ~inside, best.cost)]


def _first_shift_by_cost(ordered: Sequence[DubovEntrant], best: Cheapest) -> list[DubovEntrant]:
    """Return the first set of 2.2.4.1 by one matching: a pair costs as much as its member with the lower number.

    Sums of powers of two put sets of one size in lexicographic order.
    """
    pool = len(ordered)

    def cost(i: int, j: int) -> int:
        return (1 << pool) - (1 << pool - 1 - min(i, j)) if i < pool and j < pool else 0

    mate = cheapest_among(best, cost, 1 << pool + pool.bit_length())
    return [ordered[i] for i in range(pool) if i < mate[i] < pool]


def _second_shift(
    stay: Sequence[DubovEntrant], first: Sequence[DubovEntrant], larger: Sequence[DubovEntrant], count: int
) -> list[DubovEntrant]:
    """Return the first set of 2.2.4.2: `count` players of the larger subgroup, one of each pair inside it.

    stay: the smaller subgroup without the players of the first shift. first: these players; each must meet one of
    `stay`.
    """
    if not count:
        return []
    sequence = shifter_sequence(larger)
    if _can_be_paired([*stay, *sequence[:count]], [*sequence[count:], *first]):
        return sequence[:count]
    players = [*stay, *first, *sequence]
    staying = (1 << len(stay)) - 1
    back = (1 << len(stay) + len(first)) - 1 ^ staying
    matching = Matching(legal_graph(players))
    for i in range(len(stay)):
        matching.forbid(i, staying)
    for i in bits(back):
        matching.forbid(i, ~staying)
    if not matching.complete():
        raise InternalError("bracket_without_legal_pairing")
    return [
        players[i]
        for i in _first_members(matching, range(len(stay) + len(first), len(players)), staying, count)
    ]


def _first_members(matching: Matching, pool: range, outside: int, count: int) -> list[int]:
    """Return the first set of `count` vertices of the pool, one of each pair inside it.

    Every perfect matching of the graph has exactly `count` pairs inside the pool. A vertex can belong to the set if a
    perfect matching remains in which it meets a vertex of the pool that does not belong to it. So the set is found
    vertex by vertex, in the order of the pool. outside: mask of all vertices that are not in the pool.
    """
    chosen: list[int] = []
    taken = passed = 0
    for i in pool:
        attempt = matching.copy()
        attempt.forbid(i, outside | taken)
        if attempt.complete():
            matching = attempt
            chosen.append(i)
            taken |= 1 << i
            if len(chosen) == count:
                return chosen
        else:
            matching.forbid(i, passed)
            passed |= 1 << i
    raise InternalError("shift_not_found")


def _can_be_paired(one: Sequence[DubovEntrant], other: Sequence[DubovEntrant]) -> bool:
    players = {player.rank: player for player in (*one, *other)}
    met = {rank: player.met for rank, player in players.items()}
    absolute = {rank: player.shape.absolute for rank, player in players.items()}
    ranks = [[player.rank for player in side] for side in (one, other)]
    return first_transposition(ranks[0], ranks[1], met, absolute) is not None
