"""The US Chess procedure with WinTD's float decisions by plain enumeration, for small fields.

It is written from docs/uschess.md alone and shares no line with the engine: all complete pairings are listed, and each
place of a cost is one pass that keeps the cheapest of them. The numbers in the comments are articles of that document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evenboard_engine.tests.systems.uschess.enumeration import (
    Answer,
    Cost,
    Man,
    Pairs,
    Rules,
    complete,
    least,
    total,
)
from evenboard_engine.tests.systems.uschess.reference_floats import Floats


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


def answer(men: Sequence[Man], rules: Rules) -> Answer | None:
    """Pair a round; None if there is no legal pairing."""
    return Reference(men, rules).answer()
