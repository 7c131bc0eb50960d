"""Groups that are kept apart as far as possible (docs/decisions/0091), against all pairings of small fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from evenboard_engine import Colour, NoLegalPairing, Player, Tournament, most_kept_apart, pair_round

Pairs = frozenset[tuple[int, int]]


def rounds_of(players: tuple[int, ...]) -> Iterator[Pairs]:
    """Yield all pairings of a round in which everybody may meet everybody; an odd one is free."""
    if not players:
        yield frozenset()
        return
    first, *others = players
    for other in others:
        rest = tuple(one for one in others if one != other)
        yield from (found | {(first, other)} for found in rounds_of(rest))
    if len(players) % 2:
        yield from rounds_of(tuple(others))


def pairs_of(group: tuple[int, ...]) -> Pairs:
    return frozenset(combinations(sorted(group), 2))


def random_groups(rng: Random, system: str) -> tuple[Tournament, list[Pairs]]:
    """Return round 1 of a small field with pairs that must not meet, and groups."""
    keys = tuple(range(1, rng.randint(4, 7) + 1))
    field = tuple(Player(id=key, tpn=key, rating=2400 - key) for key in keys)
    strict = frozenset(rng.sample(sorted(combinations(keys, 2)), rng.randint(0, 3)))
    groups = [pairs_of(tuple(rng.sample(keys, rng.randint(2, 4)))) for _ in range(rng.randint(1, 4))]
    return Tournament(5, 1, field, forbidden=strict, initial_colour=Colour.WHITE, system=system), groups


@pytest.mark.parametrize("system", ["dubov", "uschess"])
def test_a_group_is_left_out_only_if_no_round_keeps_it_and_those_before_it_apart(system: str) -> None:
    rng = Random(91)
    left_out = 0
    for _ in range(60):
        value, groups = random_groups(rng, system)
        keys = tuple(player.id for player in value.players)
        possible = [found for found in rounds_of(keys) if not found & value.forbidden]
        wanted = []
        for place, group in enumerate(groups):
            if without := [found for found in possible if not found & group]:
                wanted.append(place)
                possible = without
        assert most_kept_apart(value, groups) == wanted
        left_out += len(groups) - len(wanted)
        if possible:
            assert pairs_met(value, groups, wanted) in possible
    assert left_out > 20


def test_dubov_1997_leaves_a_group_out_only_if_its_procedure_stops_with_it() -> None:
    """The procedure of 1997 cannot finish every round, even one that could be paired."""
    rng = Random(97)
    left_out = 0
    for _ in range(60):
        value, groups = random_groups(rng, "dubov-1997")
        kept = most_kept_apart(value, groups)
        for place in sorted(set(range(len(groups))) - set(kept)):
            left_out += 1
            with pytest.raises(NoLegalPairing):
                pairs_met(value, groups, [one for one in kept if one < place] + [place])
        if kept:
            assert pairs_met(value, groups, kept)
    assert left_out > 20


def pairs_met(value: Tournament, groups: list[Pairs], kept: list[int]) -> Pairs:
    """Return who meets whom if these groups are apart."""
    apart = value.forbidden.union(*(groups[place] for place in kept))
    met = pair_round(replace(value, forbidden=apart)).pairs
    pairs = frozenset((min(one.white, one.black), max(one.white, one.black)) for one in met)
    assert not pairs & apart
    return pairs
