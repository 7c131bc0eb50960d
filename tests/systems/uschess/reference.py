"""The US Chess procedure with WinTD's float decisions by plain enumeration, for small fields.

It is written from docs/uschess.md alone and shares no line with the engine: all complete pairings are listed, and each
place of a cost is one pass that keeps the cheapest of them. The numbers in the comments are articles of that document.
"""

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


class Reference:
    """One round. People are places in the order of rank (1.2), so a smaller place is a higher rank."""

    def __init__(self, men: Sequence[Man], rules: Rules) -> None:
        self.men = sorted(men, key=lambda man: (-man.points, man.rating == 0, -man.rating, man.number))
        self.rules = rules

    # --- 1.3 and 5

    def apart(self, one: int, other: int) -> bool:
        return frozenset((self.men[one].number, self.men[other].number)) in self.rules.forbidden

    def diff(self, one: int, other: int) -> int:
        return abs((self.men[one].rating or self.rules.floor) - (self.men[other].rating or self.rules.floor))

    def switch(self, one: int, other: int) -> int:
        unrated = not (self.men[one].rating and self.men[other].rating)
        return min(self.diff(one, other), self.rules.low) if unrated else self.diff(one, other)

    def met(self, one: int, other: int) -> int:
        return self.men[one].met.get(self.men[other].number, 0)

    def imbalance(self, one: int) -> int:
        colours = self.men[one].colours
        return abs(colours.count("w") - colours.count("b"))

    def due(self, one: int) -> str:
        """5.1"""
        colours = self.men[one].colours
        if not colours:
            return ""
        white, black = colours.count("w"), colours.count("b")
        if white != black:
            return "w" if white < black else "b"
        return "b" if colours[-1] == "w" else "w"

    def third(self, one: int, colour: str) -> bool:
        """5.2"""
        colours = self.men[one].colours
        white, black = colours.count("w"), colours.count("b")
        equalising = "" if white == black else "w" if white < black else "b"
        return colours[-2:] == 2 * colour and colour != equalising

    def white(self, one: int, other: int) -> int | None:
        """5.3: who gets White; None if neither has played (5.4)."""
        one, other = sorted((one, other))
        ways = [
            not (self.third(white, "w") or self.third(black, "b"))
            for white, black in ((one, other), (other, one))
        ]
        if ways[0] != ways[1]:
            return one if ways[0] else other
        mine, theirs = self.due(one), self.due(other)
        if not mine and not theirs:
            return None
        if mine != theirs:
            return one if mine == "w" or theirs == "b" else other
        granted = one
        if self.imbalance(one) != self.imbalance(other):
            granted = one if self.imbalance(one) > self.imbalance(other) else other
        else:
            for last, last_of_other in zip(
                reversed(self.men[one].colours), reversed(self.men[other].colours), strict=False
            ):
                if last != last_of_other:
                    return other if last == "w" else one
        return granted if mine == "w" else one + other - granted

    def colour_costs(self, one: int, other: int) -> tuple[int, int, int]:
        """5.5: third in a row, equalisation missed, alternation missed."""
        white = self.white(one, other)
        if white is None:
            return 0, 0, 0
        for player, colour in ((white, "w"), (one + other - white, "b")):
            if self.due(player) not in ("", colour):
                imbalance = self.imbalance(player)
                return int(self.third(player, colour)), imbalance, int(not imbalance)
        return 0, 0, 0

    def mates(self, kind: str, rule: str) -> Cost:
        """Pairs of one team or club, if its option has this value."""

        def cost(one: int, other: int) -> int:
            mine, theirs = getattr(self.men[one], kind), getattr(self.men[other], kind)
            return int(getattr(self.rules, f"{kind}_rule") == rule and bool(mine) and mine == theirs)

        return cost

    # --- 2

    def repeats(self, people: Sequence[int]) -> int | None:
        return min(
            (total(pairs, self.met) for pairs in complete(people, self.apart)),
            default=None,
        )

    def bye(self) -> int | None:
        levels = sorted({man.points for man in self.men})
        keys = []
        for one, man in enumerate(self.men):
            repeats = self.repeats([other for other in range(len(self.men)) if other != one])
            if repeats is None:
                continue
            spared = self.rules.bye_28l5 and self.rules.rounds == 4 and not man.rating
            late = self.rules.round == 1 and man.late
            group = levels.index(man.points) + (1.5 if spared else 0)
            taken = 2 if man.full_byes else 1 if man.forfeit_wins else 0
            kind = (2 + man.new) if not man.rating else int(late)
            keys.append((repeats, taken, group, man.half_bye, kind, -one))
        return -min(keys)[-1] if keys else None

    # --- 3

    def drop(self, one: int, other: int) -> int:
        return abs(self.men[one].points - self.men[other].points)

    def structure_costs(self, people: Sequence[int]) -> Iterator[Cost]:
        if self.rules.max_drop is not None:
            most = self.rules.max_drop
            yield lambda one, other: int(self.drop(one, other) > most)
        yield self.met
        yield self.mates("team", "dont")
        yield self.mates("club", "dont")
        yield self.drop
        levels = sorted({self.men[one].points for one in people}, reverse=True)
        sizes = sorted({high - low for high in levels for low in levels if high > low}, reverse=True)
        for size in sizes:
            yield lambda one, other, size=size: int(self.drop(one, other) == size)
        for level in levels:
            for size in sizes:
                yield lambda one, other, level=level, size=size: int(
                    self.drop(one, other) == size and self.men[min(one, other)].points == level
                )

    # --- all

    def answer(self) -> Answer | None:
        people = list(range(len(self.men)))
        bye = None
        if len(people) % 2:
            bye = self.bye()
            if bye is None:
                return None
            people.remove(bye)
        pairings: Sequence[Pairs] = list(complete(people, self.apart))
        if not pairings:
            return None
        pairings = least(pairings, self.structure_costs(people))
        floats = Floats(self, people, pairings)
        pairs, switches = floats.paired()
        number = {one: self.men[one].number for one in range(len(self.men))}
        return Answer(
            tuple(self.boards(pairs)),
            None if bye is None else number[bye],
            frozenset(
                (number[one], number[other], floats.size(one, other))
                for one, other in pairs
                if self.drop(one, other)
            ),
            frozenset((number[one], number[other], size) for one, other, size in switches),
        )

    def boards(self, pairs: Pairs) -> Iterator[tuple[int, int]]:
        """6, with the colours of 5.4."""
        first = self.rules.initial
        for one, other in sorted(pairs):
            white = self.white(one, other)
            if white is None:
                white = one if first == "w" else other
                first = "b" if first == "w" else "w"
            yield self.men[white].number, self.men[one + other - white].number


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


def answer(men: Sequence[Man], rules: Rules) -> Answer | None:
    """Pair a round; None if there is no legal pairing."""
    return Reference(men, rules).answer()
