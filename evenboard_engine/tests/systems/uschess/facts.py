"""The facts of a round of the US Chess system, by plain enumeration."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from evenboard_engine.systems.uschess.pairing import UsChessWork
from evenboard_engine.tests.systems.uschess.enumerated_verdicts import Enumerated
from evenboard_engine.tests.systems.uschess.enumeration import Man, Rules, complete, halves, total


class Facts:
    """The reasons of a round by enumeration, asked by pairing number."""

    def __init__(self, men: Sequence[Man], rules: Rules, work: UsChessWork) -> None:
        self.work, self.enumerated = work, Enumerated(men, rules, work.bye)
        self.field, self.floats = self.enumerated.round, self.enumerated.floats
        self.place = {man.number: place for place, man in enumerate(self.field.men)}
        self._without: dict[int, int | None] = {}
        self.mate = {one: other for pair in work.pairs for one, other in (pair, pair[::-1])}

    @cached_property
    def everybody(self) -> range:
        return range(len(self.field.men))

    def man(self, people: dict[str, int]) -> Man:
        return self.field.men[people["player"]]

    def without(self, place: int) -> int | None:
        """How many games are repeated if a player has the bye; None if the others cannot be paired."""
        if place not in self._without:
            self._without[place] = self.field.repeats([one for one in self.everybody if one != place])
        return self._without[place]

    def taken(self, place: int) -> int:
        man = self.field.men[place]
        return 2 if man.full_byes else 1 if man.forfeit_wins else 0

    def kind(self, place: int) -> int:
        man = self.field.men[place]
        return (2 + man.new) if not man.rating else int(self.field.rules.round == 1 and man.late)

    def can_have_bye(self, people: dict[str, int]) -> list[int]:
        """Those with whose bye no more games are repeated."""
        best = self.without(people["player"])
        return [one for one in self.everybody if self.without(one) == best]

    def peers(self, people: dict[str, int]) -> list[int]:
        points, men = self.man(people).points, self.field.men
        return [one for one in self.everybody if men[one].points == points and one != people["player"]]

    def peers_who_can(self, people: dict[str, int]) -> list[int]:
        """Those of the score group who could have the bye, and have had no more points without a game."""
        taken, can = self.taken(people["player"]), set(self.can_have_bye(people))
        return [one for one in self.peers(people) if one in can and self.taken(one) <= taken]

    def level(self, people: dict[str, int]) -> list[int]:
        """The score group of a player, in order of rank."""
        return self.floats.group(self.man(people).points)

    def is_blocked(self, points: int) -> bool:
        """Whether every pairing of a score group within itself repeats a game or has mates who must not meet."""
        costs = [self.field.met, self.field.mates("team", "dont"), self.field.mates("club", "dont")]
        pairings = complete(self.floats.group(points), self.field.apart)
        return all(any(total(pairs, cost) for cost in costs) for pairs in pairings)

    def in_blocks(self, block: str, people: dict[str, int]) -> set[int]:
        here = set(self.level(people))
        return {one for members in getattr(self.floats, block).values() for one in members} & here

    def nearer_the_middle(self, place: int) -> int:
        people = {"player": place}
        raised = self.in_blocks("raised", people)
        rest = [one for one in self.level(people) if one not in raised]
        away = [abs(2 * at - len(rest) + 1) for at in range(len(rest))]
        return sum(one < away[rest.index(place)] for one in away)

    def mates(self, kind: str, one: int, other: int) -> bool:
        mine, theirs = (getattr(self.field.men[place], kind) for place in (one, other))
        return getattr(self.field.rules, f"{kind}_rule") != "ignore" and mine == theirs != ""

    def misses(self, place: int) -> bool:
        """Whether a player does not get the colour that is due."""
        mate = self.mate[place]
        white = self.field.white(place, mate)
        colour = "w" if white == place else "b"
        return white is not None and self.field.due(place) not in ("", colour)

    def missed(self, pairs: Sequence[tuple[int, int]]) -> int:
        return sum(any(self.field.colour_costs(*pair)) for pair in pairs)

    def group_of(self, place: int) -> list[int]:
        """Those of a group who do not float."""
        stay = [one for one in self.enumerated.people if not self.field.drop(one, self.mate[one])]
        return [one for one in stay if not self.field.drop(one, place)]

    def natural(self, place: int) -> int:
        return halves(self.group_of(place))[0][place]

    def chain_costs(self, params: dict[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The costs of the finished chain, taken and not taken (4.8), each by the enumeration."""
        chain = next(chain for chain in self.work.chains if chain.levels[0] == params["high"])
        found = []
        for way in (chain.taken, chain.other):
            assert way is not None
            natural: dict[int, int] = {}
            upper: dict[int, bool] = {}
            floating = {place for pair in way.floats for place in pair}
            for level in chain.levels:
                of_group, sides = halves([one for one in self.floats.group(level) if one not in floating])
                natural.update(of_group)
                upper.update(sides)

            def size(one: int, other: int, natural: dict[int, int] = natural) -> int:
                if self.field.drop(one, other):
                    return self.floats.size(one, other)
                switch = self.field.switch
                return min(switch(other, natural[one]), switch(one, natural[other]))

            pairs = (*way.floats, *way.pairs)
            found.append(tuple(total(pairs, cost) for cost in self.floats.costs(size, upper)))
        return found[0], found[1]
