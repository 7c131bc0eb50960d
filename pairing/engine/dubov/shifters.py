"""G1, G2 and who is shifted between them (C.04.4.1, 2.2.3, 2.2.4 and 4.3, edition 2025)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairing.engine.errors import InternalError
from pairing.engine.matching import Cheapest, Kinds, Matching, bits, cheapest_among, cheapest_by_kind

from .field import Entrant, legal_graph
from .transposition import first_transposition


@dataclass(frozen=True, slots=True)
class Subgroups:
    """G1 and G2 after the shifts, and who was shifted, in the order of 4.3."""

    g1: tuple[Entrant, ...]
    g2: tuple[Entrant, ...]
    first: tuple[Entrant, ...]
    second: tuple[Entrant, ...]


def initial_subgroups(bracket: Sequence[Entrant]) -> tuple[list[Entrant], list[Entrant]]:
    """G1 and G2 as 2.2.3 begins them, both in initial ranking order.

    Reading: whether nobody has played is asked of the bracket, not of the round (D6).
    """
    ranked = sorted(bracket, key=lambda player: player.rank)
    if not any(player.games for player in ranked):
        half = len(ranked) // 2
        return ranked[:half], ranked[half:]
    return [p for p in ranked if p.wants_white], [p for p in ranked if not p.wants_white]


def s1_order(player: Entrant) -> tuple[int, int]:
    """Ascending ARO, then initial ranking (2.2.5)."""
    return player.aro, player.rank


def shifter_sequence(seekers: Sequence[Entrant]) -> list[Entrant]:
    """The possible shifters #1, #2, ...: from the middle of the sorted list outwards (4.3.2, 4.3.3).

    White seekers are sorted by ARO and initial ranking, Black seekers by initial ranking. All of one colour.
    """
    white = bool(seekers) and seekers[0].wants_white
    ordered = sorted(seekers, key=s1_order if white else lambda player: (player.rank, 0))
    places = sorted(range(len(ordered)), key=lambda i: (abs(2 * i - len(ordered) + 1), i))
    return [ordered[i] for i in places]


def recompose(bracket: Sequence[Entrant]) -> Subgroups:
    """Both shifts of 2.2.4, so that G1 and G2 have one size and can be paired with each other legally.

    With a and b the pairs inside the smaller and the larger subgroup, the sizes fix b - a, so C7 is best where a is
    least: a is the number of the first shift, b that of the second. Readings: in a bracket in which nobody has played
    the same counts are taken, since C7 does not tell pairings apart there (D6); the second shift takes players from
    those who were in the larger subgroup at first (D5). The bracket must have a legal pairing.
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


def _first_shift(smaller: Sequence[Entrant], larger: Sequence[Entrant]) -> list[Entrant]:
    """The first set of 2.2.4.1: one player of each pair that is unavoidable inside the smaller subgroup.

    The cheapest matchings are those with the fewest such pairs, when each costs one.
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


def _first_shift_by_cost(ordered: Sequence[Entrant], best: Cheapest) -> list[Entrant]:
    """The same by one weighing: a pair costs what its member with the better sequence number costs.

    Sets of one size are in lexicographic order by sums of powers of two.
    """
    pool = len(ordered)

    def cost(i: int, j: int) -> int:
        return (1 << pool) - (1 << pool - 1 - min(i, j)) if i < pool and j < pool else 0

    mate = cheapest_among(best, cost, 1 << pool + pool.bit_length())
    return [ordered[i] for i in range(pool) if i < mate[i] < pool]


def _second_shift(
    stay: Sequence[Entrant], first: Sequence[Entrant], larger: Sequence[Entrant], count: int
) -> list[Entrant]:
    """The first set of 2.2.4.2: `count` players of the larger subgroup, one of each pair inside it.

    stay: the smaller subgroup without those shifted first; those must be paired back into it.
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
    """The first set of `count` vertices of the pool, one of each pair inside it.

    Every perfect matching of the graph has exactly so many pairs inside the pool. A vertex can belong to the set when
    a perfect matching remains in which it meets a vertex of the pool that does not; so the set is found one by one,
    in the order of the pool. outside: mask that covers all vertices but those of the pool.
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


def _can_be_paired(one: Sequence[Entrant], other: Sequence[Entrant]) -> bool:
    players = {player.rank: player for player in (*one, *other)}
    met = {rank: player.met for rank, player in players.items()}
    absolute = {rank: player.shape.absolute for rank, player in players.items()}
    ranks = [[player.rank for player in side] for side in (one, other)]
    return first_transposition(ranks[0], ranks[1], met, absolute) is not None
