"""The float decisions and the groups (docs/uschess.md, 4) by plain enumeration. Numbers in comments are articles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from evenboard_engine.tests.systems.uschess.enumeration import Cost, Pairs, complete, halves, least, total

if TYPE_CHECKING:
    from .reference import Reference


class Floats:
    """4: pairings are those of least cost by section 3."""

    def __init__(self, field: Reference, people: Sequence[int], pairings: Sequence[Pairs]) -> None:
        self.field, self.people, self.pairings = field, people, pairings
        self.rules, self.men = field.rules, field.men
        self.points = {one: field.men[one].points for one in people}
        self.levels = sorted(set(self.points.values()), reverse=True)
        self.x: dict[tuple[int, int], int] = {}
        for one, other in pairings[0]:
            if field.drop(one, other):
                gap = self.points[one], self.points[other]
                self.x[gap] = self.x.get(gap, 0) + 1
        self.raised: dict[tuple[int, int], list[int]] = {}
        self.dropped: dict[tuple[int, int], list[int]] = {}
        self.order: dict[int, list[int]] = {}
        self.natural: dict[int, int] = {}
        self.upper: dict[int, bool] = {}
        for level in self.levels:
            self.name_blocks(level)
        for gap, block in self.dropped.items():
            for one, other in zip(sorted(block), sorted(self.raised[gap]), strict=True):
                self.natural[one], self.natural[other] = other, one

    def group(self, level: int) -> list[int]:
        return [one for one in self.people if self.points[one] == level]

    def name_blocks(self, level: int) -> None:
        """4.1 to 4.3 for the group of one level."""
        group = self.group(level)
        raised = sorted(group, key=lambda one: (self.men[one].keep, one))
        at = 0
        for high in self.levels:
            count = self.x.get((high, level), 0)
            if count:
                self.raised[high, level] = raised[at : at + count]
                at += count
        taken = set(raised[:at])
        self.order[level] = self.in_order([one for one in group if one not in taken])
        self.order[level] += self.in_order([one for one in group if one in taken])
        at = 0
        for low in reversed(self.levels):
            count = self.x.get((level, low), 0)
            if count:
                self.dropped[level, low] = self.order[level][at : at + count]
                at += count
        blocked = taken | set(self.order[level][:at])
        natural, upper = halves([one for one in group if one not in blocked])
        self.natural.update(natural)
        self.upper.update(upper)
        self.upper.update({one: one in taken for one in blocked})

    def in_order(self, group: list[int]) -> list[int]:
        """4.2: who is dropped first. The group is in the order of rank."""
        last = len(group) - 1

        def key(place: int) -> tuple[bool, bool, int, int]:
            man = self.men[group[place]]
            middle = abs(2 * place - last) if self.rules.harkness else 0
            return man.keep, self.rules.avoid_unrated and not man.rating, middle, -place

        return [group[place] for place in sorted(range(len(group)), key=key)]

    def is_float(self, one: int, other: int) -> bool:
        return self.points[one] != self.points[other]

    def blocked(self, one: int) -> bool:
        return any(one in block for block in (*self.dropped.values(), *self.raised.values()))

    # --- 4.4

    def inside(self, one: int, other: int) -> int:
        field, natural = self.field, self.natural
        if self.blocked(one) and self.blocked(other):
            return 0
        if not self.blocked(one) and not self.blocked(other):
            return min(field.switch(other, natural[one]), field.switch(one, natural[other]))
        if self.upper[one] == self.upper[other]:
            return 0
        if self.blocked(other):
            one, other = other, one
        return field.switch(one, natural[other])

    def spared(self, one: int, other: int) -> bool:
        block = self.dropped[self.points[one], self.points[other]]
        unrated = self.rules.avoid_unrated and not self.men[one].rating
        return unrated and one not in block and any(self.men[man].rating for man in block)

    def size(self, one: int, other: int) -> int:
        """The size of a float pair: one is dropped, other is raised."""
        gap = self.points[one], self.points[other]
        down, up = self.dropped[gap], self.raised[gap]
        diff, natural = self.field.diff, self.natural
        free = self.spared(one, other)
        if one in down and other in up:
            same = natural[one] == other
            size = 0 if same else min(diff(other, natural[one]), diff(one, natural[other]))
        elif one in down:
            size = diff(other, natural[one])
        elif other in up:
            size = 0 if free else diff(one, natural[other])
        else:
            size = 0 if free else min(diff(one, man) for man in down)
            size += min(diff(other, man) for man in up)
        return 2 * size if self.rules.avoid_swap else size

    # --- 4.5

    def of_floats(self, cost: Cost) -> Cost:
        return lambda one, other: cost(one, other) if self.is_float(one, other) else 0

    def keepers(self, one: int, other: int) -> int:
        return (self.men[one].keep + self.men[other].keep) if self.is_float(one, other) else 0

    def colour(self, place: int) -> Cost:
        return lambda one, other: self.field.colour_costs(one, other)[place]

    def costs(self, size: Cost, upper: Mapping[int, bool]) -> list[Cost]:
        """The eleven places, with this size, and these upper sides of those who stay in their groups."""
        high, low = self.rules.high, self.rules.low
        return [
            self.field.mates("team", "if_required"),
            self.field.mates("club", "if_required"),
            self.keepers,
            self.colour(0),
            lambda one, other: int(size(one, other) > high),
            lambda one, other: int(self.is_float(one, other) and self.spared(one, other)),
            self.colour(1),
            lambda one, other: int(size(one, other) > low),
            self.colour(2),
            lambda one, other: int(
                not self.is_float(one, other) and upper[one] == upper[other] and size(one, other) <= low
            ),
            size,
        ]

    def any_size(self, one: int, other: int) -> int:
        return self.size(one, other) if self.is_float(one, other) else self.inside(one, other)

    def ahead(self) -> Sequence[Pairs]:
        return least(self.pairings, self.costs(self.any_size, self.upper))

    def plain(self) -> Sequence[Pairs]:
        """4.8: without places 4, 7, 9, 10; places 5, 8, 11 of float pairs alone."""
        costs = self.costs(self.of_floats(self.size), self.upper)
        return least(self.pairings, [costs[place - 1] for place in (1, 2, 3, 5, 6, 8, 11)])

    # --- 4.6

    def chosen(self, pairings: Sequence[Pairs]) -> Pairs:
        """The float pairs."""
        taken: set[int] = set()
        for high in self.levels:
            for low in reversed(self.levels):
                for _ in range(self.x.get((high, low), 0)):
                    for one in self.order[high]:
                        with_him = [
                            pairs
                            for pairs in pairings
                            if any(one == down and self.points[up] == low for down, up in pairs)
                        ]
                        if one not in taken and with_him:
                            taken.add(one)
                            pairings = with_him
                            break
        floats = []
        for one in sorted(taken):
            best = min(up for pairs in pairings for down, up in pairs if down == one)
            floats.append((one, best))
            pairings = [pairs for pairs in pairings if (one, best) in pairs]
        return tuple(floats)

    # --- 4.7

    def within(self, group: Sequence[int]) -> tuple[Pairs, dict[int, int], dict[int, bool]]:
        """The best pairing of those who are left of a group, their natural opponents and upper sides."""
        natural, upper = halves(group)
        field, low, high = self.field, self.rules.low, self.rules.high

        def size(one: int, other: int) -> int:
            return min(field.switch(other, natural[one]), field.switch(one, natural[other]))

        pairings = least(
            list(complete(group, field.apart)),
            [
                field.met,
                field.mates("team", "dont"),
                field.mates("club", "dont"),
                field.mates("team", "if_required"),
                field.mates("club", "if_required"),
                self.colour(0),
                lambda one, other: int(size(one, other) > high),
                self.colour(1),
                lambda one, other: int(size(one, other) > low),
                self.colour(2),
                lambda one, other: int(upper[one] == upper[other] and size(one, other) <= low),
                size,
            ],
        )
        place = {one: at for at, one in enumerate(group)}
        for one in group:
            opponents = {other for pairs in pairings for first, other in pairs if first == one}
            if opponents:
                to = place[natural[one]]
                best = min(opponents, key=lambda other: (abs(place[other] - to), -place[other]))
                pairings = [pairs for pairs in pairings if (one, best) in pairs]
        return pairings[0], natural, upper

    def finished(self, floats: Pairs) -> tuple[Pairs, dict[int, int], dict[int, bool]]:
        floating = {one for pair in floats for one in pair}
        everybody, natural, upper = floats, {}, {}
        for level in self.levels:
            pairs, of_group, sides = self.within([one for one in self.group(level) if one not in floating])
            everybody += pairs
            natural.update(of_group)
            upper.update(sides)
        return everybody, natural, upper

    # --- 4.8

    def chains(self) -> Iterator[set[int]]:
        left = list(self.levels)
        while left:
            chain = {left[0]}
            while True:
                grown = chain | {level for gap in self.x if chain & set(gap) for level in gap}
                if grown == chain:
                    break
                chain = grown
            left = [level for level in left if level not in chain]
            yield chain

    def paired(self) -> tuple[Pairs, list[tuple[int, int, int]]]:
        """The pairs, and the switches with their sizes."""
        ways = [self.finished(self.chosen(self.ahead())), self.finished(self.chosen(self.plain()))]
        taken: Pairs = ()
        switches = []
        for chain in self.chains():
            parts = []
            for pairs, natural, upper in ways:
                mine = [pair for pair in pairs if self.points[pair[0]] in chain]

                def size(one: int, other: int, natural: Mapping[int, int] = natural) -> int:
                    if self.is_float(one, other):
                        return self.size(one, other)
                    return min(self.field.switch(other, natural[one]), self.field.switch(one, natural[other]))

                cost = [total(mine, one) for one in self.costs(size, upper)]
                moved = [
                    (one, other, size(one, other))
                    for one, other in mine
                    if not self.is_float(one, other) and natural[one] != other
                ]
                parts.append((cost, mine, moved))
            cost, mine, moved = parts[0] if parts[0][0] < parts[1][0] else parts[1]
            taken += tuple(mine)
            switches += moved
        return taken, switches
