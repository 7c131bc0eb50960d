"""Both shifts of 2.2.4 compared with all sets of players, on small brackets with forbidden pairs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from evenboard_engine import Colour, InternalError
from evenboard_engine.matching import Matching
from evenboard_engine.preference import Strength
from evenboard_engine.systems.dubov.pairing import shifters
from evenboard_engine.systems.dubov.pairing.field import DubovEntrant, may_meet
from evenboard_engine.systems.dubov.pairing.shifters import recompose, shifter_sequence
from evenboard_engine.tests.rules.build import entrant
from evenboard_engine.tests.seeds import for_seeds

WHITE, BLACK = Colour.WHITE, Colour.BLACK


def bracket(rng: Random, size: int) -> list[DubovEntrant]:
    """Return a bracket of clubs with forbidden pairs, so that pairs in the smaller subgroup are often unavoidable."""
    met: list[set[int]] = [set() for _ in range(size)]
    club = [rng.randrange(3) for _ in range(size)]
    same, other = rng.choice(((0.5, 0.5), (0.8, 0.8), (0.2, 0.95), (0.95, 0.2)))
    for one, two in combinations(range(size), 2):
        if rng.random() < (same if club[one] == club[two] else other):
            met[one].add(two)
            met[two].add(one)
    whites = rng.choice((0.3, 0.5, 0.7))
    return [
        entrant(
            rank,
            WHITE if rng.random() < whites else BLACK,
            strength=Strength.ABSOLUTE if rng.random() < 0.1 else Strength.MILD,
            aro=rng.choice((1500, 1600, 1700)),
            met=tuple(met[rank]),
        )
        for rank in range(size)
    ]


def pairable(one: Sequence[DubovEntrant], two: Sequence[DubovEntrant]) -> bool:
    """Return whether there is a legal pairing of the players of one group with those of the other."""
    if not one:
        return not two
    return any(
        may_meet(one[0], other) and pairable(one[1:], [*two[:at], *two[at + 1 :]])
        for at, other in enumerate(two)
    )


def first_shifts(
    smaller: Sequence[DubovEntrant], larger: Sequence[DubovEntrant]
) -> tuple[list[DubovEntrant], list[DubovEntrant]] | None:
    """Return both shifts by 2.2.4 and 4.3, set after set: the fewest players first, then by sequence numbers.

    A set of the first shift counts only if a second shift exists after it. None: there is no pairing.
    """
    difference = (len(larger) - len(smaller)) // 2
    for count in range(len(smaller) // 2 + 1):
        for first in combinations(shifter_sequence(smaller), count):
            stay = [player for player in smaller if player not in first]
            for second in combinations(shifter_sequence(larger), difference + count):
                left = [player for player in larger if player not in second]
                if pairable([*stay, *second], [*left, *first]):
                    return list(first), list(second)
    return None


@for_seeds(600)
def test_shifts_are_the_first_ones_that_can_be_paired(seed: int) -> None:
    rng = Random(seed)
    players = bracket(rng, rng.choice((4, 6, 6, 8, 8)))
    whites = [player for player in players if player.wants_white]
    blacks = [player for player in players if not player.wants_white]
    smaller, larger = (whites, blacks) if len(whites) <= len(blacks) else (blacks, whites)
    expected = first_shifts(smaller, larger)
    if expected is not None:
        groups = recompose(players)
        assert (list(groups.first), list(groups.second)) == expected
        assert pairable(groups.g1, groups.g2)


def test_shifts_that_do_not_exist_are_errors() -> None:
    strangers = [entrant(0, WHITE, met=(1,)), entrant(1, BLACK, met=(0,))]
    with pytest.raises(InternalError, match="bracket_without_legal_pairing"):
        recompose(strangers)
    alike = [entrant(rank, WHITE, met=(0, 1, 2, 3)) for rank in range(4)]
    with pytest.raises(InternalError, match="bracket_without_legal_pairing"):
        shifters._second_shift([], [], alike, 2)
    with pytest.raises(InternalError, match="shift_not_found"):
        shifters._first_members(Matching([0b10, 0b01]), range(2), 0, 2)
