"""Why two players do not meet: the first place in which the best pairing with this pair is worse than the one taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from evenboard_engine.systems.uschess.chain_costs import LEFT_OUT, PLACES, float_places, inside_places
from evenboard_engine.systems.uschess.field import UsChessField, halves
from evenboard_engine.systems.uschess.float_choice import Chain, DecidedChain
from evenboard_engine.systems.uschess.floaters import size_of_pair
from evenboard_engine.systems.uschess.groups import best_of_group
from evenboard_engine.systems.uschess.pairing import UsChessWork
from evenboard_engine.systems.uschess.structure import Spent, Structure, spent_on, structure

SECTION_3 = ("far", "rematches", "dont_teams", "dont_clubs", "points", "sizes", "levels")
SECTION_45 = (
    "teams",
    "clubs",
    "keep",
    "third",
    "high",
    "spared",
    "equalisation",
    "low",
    "alternation",
    "interchange",
    "size",
)
"""Names of the places of 4.5; 4.7 has them too, without `keep` and `spared`, after the first three of `OF_GROUP`."""
OF_GROUP = ("rematches", "dont_teams", "dont_clubs")
PLACES_OF_GROUP = (*OF_GROUP, *(name for name in SECTION_45 if name not in ("keep", "spared")))
"""Names of the twelve places of 4.7."""


class Verdict(NamedTuple):
    """stage: "structure", "floats", "plain" or "group"; place: its first place that is worse, "" for a tie.

    found, best: what the best pairing with the pair costs there, and the one taken. A stage "blocked": the others could
    not be paired.
    """

    stage: str
    place: str = ""
    found: int = 0
    best: int = 0


def verdict(work: UsChessWork, one: int, other: int) -> Verdict:
    """Return why two places do not meet. Both are paired with others, and the arbiter does not keep them apart."""
    one, other = sorted((one, other))
    field = work.field
    found = _structure_with(work, one, other)
    if found is None:
        return Verdict("blocked")
    right = _structure_cost(field, work, _known(work).spent, _known(work).pairs_between)
    if found != right:
        return _first_of_structure(found, right)
    decided = next(chain for chain in work.chains if field.points[one] in chain.levels)
    if field.points[other] not in decided.levels:
        return Verdict("structure", "levels")
    floating = {place for pair in decided.taken.floats for place in pair}
    if decided.taken.floats:
        of_floats = _floats_with(work, decided, one, other)
        if of_floats is not None:
            return of_floats
    if floating & {one, other} or field.points[one] != field.points[other]:
        return Verdict("floats")
    group = [place for place in work.groups[field.points[one]] if place not in floating]
    return _group_with(field, group, decided, one, other)


# --- section 3


def _known(work: UsChessWork) -> Structure:
    assert work.structure is not None
    return work.structure


def _structure_with(work: UsChessWork, one: int, other: int) -> list[tuple[int, ...]] | None:
    """Return the least cost of section 3 of a pairing with these two; None if the others cannot be paired."""
    field = work.field
    rest = [place for group in work.groups.values() for place in group if place not in (one, other)]
    between: dict[tuple[int, int], int] = {}
    spent = spent_on(field, [(one, other)])
    if rest:
        found = structure(field, rest)
        if found is None:
            return None
        between = dict(found.pairs_between)
        spent = Spent(*map(sum, zip(spent, found.spent, strict=True)))
    gap = field.points[one], field.points[other]
    if gap[0] != gap[1]:
        between[gap] = between.get(gap, 0) + 1
    return _structure_cost(field, work, spent, between)


def _structure_cost(
    _field: UsChessField, work: UsChessWork, spent: Spent, between: Mapping[tuple[int, int], int]
) -> list[tuple[int, ...]]:
    """Return the places of section 3, the last two as lists: by size, and by level and size."""
    levels = list(work.groups)
    sizes = sorted({high - low for high in levels for low in levels if high > low}, reverse=True)
    return [
        *((cost,) for cost in spent),
        (sum((high - low) * count for (high, low), count in between.items()),),
        tuple(sum(count for (high, low), count in between.items() if high - low == size) for size in sizes),
        tuple(between.get((level, level - size), 0) for level in levels for size in sizes),
    ]


def _first_of_structure(found: Sequence[tuple[int, ...]], right: Sequence[tuple[int, ...]]) -> Verdict:
    for name, with_pair, without in zip(SECTION_3, found, right, strict=True):
        if with_pair != without:
            at = next(
                at for at, (mine, best) in enumerate(zip(with_pair, without, strict=True)) if mine != best
            )
            return Verdict("structure", name, with_pair[at], without[at])
    raise AssertionError("the costs differ")


# --- 4.5


def _floats_with(work: UsChessWork, decided: DecidedChain, one: int, other: int) -> Verdict | None:
    """Return where the best choice of floaters with this pair is worse; None if it is as good."""
    assert work.blocks is not None
    known = _known(work)
    edges = list(known.edges)
    both = 1 << one | 1 << other
    for place in range(len(edges)):
        edges[place] &= ~both
    edges[one], edges[other] = 1 << other, 1 << one
    people = sorted(place for level in decided.levels for place in work.groups[level])
    plain = not decided.is_ahead
    chain = Chain(work.blocks, known, decided.levels, people)
    forced = Chain(work.blocks, replace(known, edges=edges), decided.levels, people)
    with_pair, without = forced.best(plain=plain), chain.best(plain=plain)
    assert without is not None
    assert with_pair is not None, "the structure has a pairing with these two"
    found = chain_cost(chain, with_pair.mate, plain=plain)
    right = chain_cost(chain, without.mate, plain=plain)
    return _first(SECTION_45, found, right, "plain" if plain else "floats")


def chain_cost(chain: Chain, mate: Sequence[int], *, plain: bool) -> list[int]:
    """Return the eleven places of 4.5 of a pairing of a chain."""
    sums = [0] * PLACES
    blocks, people = chain.blocks, chain.people
    for v, w in enumerate(mate):
        if v > w:
            continue
        one, other = people[v], people[w]
        inside = chain.field.points[one] == chain.field.points[other]
        if inside:
            size = 0 if plain else blocks.size_inside(one, other)
            same_side = blocks.are_same_side(one, other)
            places = inside_places(chain.field, one, other, size, same_side=same_side)
        else:
            places = float_places(blocks, one, other)
        for at, cost in enumerate(places):
            if not plain or (at not in LEFT_OUT and not (inside and at > 1)):
                sums[at] += cost
    return sums


# --- 4.7


def _group_with(
    field: UsChessField, group: Sequence[int], decided: DecidedChain, one: int, other: int
) -> Verdict:
    forced = best_of_group(field, group, (one, other))
    if forced is None:
        return Verdict("group", "blocked")
    stay = set(group)
    taken = [pair for pair in decided.taken.pairs if pair[0] in stay]
    with_pair = [(group[v], group[w]) for v, w in enumerate(forced.mate) if v < w]
    found, right = group_cost(field, group, with_pair), group_cost(field, group, taken)
    return _first(PLACES_OF_GROUP, found, right, "group") or Verdict("group")


def group_cost(field: UsChessField, group: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Return the twelve places of 4.7, of some or all pairs of a group."""
    natural = halves(group)
    upper = set(group[: len(group) // 2])
    rows = [
        inside_places(
            field,
            one,
            other,
            size_of_pair(field, natural, one, other),
            same_side=(one in upper) == (other in upper),
        )
        for one, other in pairs
    ]
    of_floats = [sum(column) for column in zip(*rows, strict=True)]
    _far, *first = spent_on(field, pairs)
    return [*first, *(cost for at, cost in enumerate(of_floats) if at not in (2, 5))]


def _first(names: Sequence[str], found: Sequence[int], right: Sequence[int], stage: str) -> Verdict | None:
    for name, with_pair, without in zip(names, found, right, strict=True):
        if with_pair != without:
            return Verdict(stage, name, with_pair, without)
    return None
