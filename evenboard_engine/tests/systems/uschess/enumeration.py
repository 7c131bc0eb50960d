"""Complete pairings, kept place by place: what plain enumeration of docs/uschess.md is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Pairs = tuple[tuple[int, int], ...]
Cost = Callable[[int, int], int]


@dataclass(frozen=True)
class Man:
    """1.1. rating: 0 is unrated. points: tenths. colours: such as "wbb". met: by number, how many games."""

    number: int
    rating: int
    points: int
    colours: str = ""
    met: Mapping[int, int] = field(default_factory=dict)
    full_byes: int = 0
    forfeit_wins: int = 0
    half_bye: bool = False
    keep: bool = False
    new: bool = False
    late: bool = False
    team: str = ""
    club: str = ""


@dataclass(frozen=True)
class Rules:
    """1.4, and what is known of the round. floor: the lowest rating of the section. max_drop: tenths."""

    high: int = 200
    low: int = 80
    avoid_unrated: bool = True
    harkness: bool = False
    avoid_swap: bool = False
    max_drop: int | None = None
    team_rule: str = "ignore"
    club_rule: str = "ignore"
    bye_28l5: bool = False
    initial: str = "w"
    round: int = 3
    rounds: int = 9
    floor: int = 0
    forbidden: frozenset[frozenset[int]] = frozenset()


@dataclass(frozen=True)
class Answer:
    """boards: white and black. floats, switches: higher ranked, lower ranked, size."""

    boards: Pairs
    bye: int | None
    floats: frozenset[tuple[int, int, int]] = frozenset()
    switches: frozenset[tuple[int, int, int]] = frozenset()


def complete(people: Sequence[int], apart: Callable[[int, int], bool]) -> Iterator[Pairs]:
    if not people:
        yield ()
        return
    first, *others = people
    for other in others:
        if not apart(first, other):
            for rest in complete([one for one in others if one != other], apart):
                yield ((first, other), *rest)


def total(pairs: Iterable[tuple[int, int]], cost: Cost) -> int:
    return sum(cost(one, other) for one, other in pairs)


def least(pairings: Sequence[Pairs], costs: Iterable[Cost]) -> Sequence[Pairs]:
    """Keep the pairings of least cost, place by place."""
    for cost in costs:
        if len(pairings) < 2:
            break
        known: dict[tuple[int, int], int] = {}
        totals = []
        for pairs in pairings:
            added = 0
            for pair in pairs:
                if pair not in known:
                    known[pair] = cost(*pair)
                added += known[pair]
            totals.append(added)
        best = min(totals)
        pairings = [pairs for pairs, cost_of in zip(pairings, totals, strict=True) if cost_of == best]
    return pairings


def halves(people: Sequence[int]) -> tuple[dict[int, int], dict[int, bool]]:
    """Upper half against lower half: natural opponents, and who is on the upper side."""
    middle = len(people) // 2
    natural, upper = {}, {}
    for one, other in zip(people[:middle], people[middle:], strict=True):
        natural[one], natural[other] = other, one
        upper[one], upper[other] = True, False
    return natural, upper
