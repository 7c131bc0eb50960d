"""Why two players do not meet, by looking at all pairings."""

from __future__ import annotations

from collections.abc import Sequence

from evenboard_engine.systems.uschess.explaining.verdicts import OF_GROUP, SECTION_45, Verdict
from evenboard_engine.systems.uschess.pairing import UsChessWork
from evenboard_engine.tests.systems.uschess.enumeration import (
    Cost,
    Man,
    Pairs,
    Rules,
    complete,
    halves,
    least,
    total,
)
from evenboard_engine.tests.systems.uschess.reference import Reference
from evenboard_engine.tests.systems.uschess.reference_floats import Floats

Named = tuple[str, Cost]
PLAIN = ("teams", "clubs", "keep", "high", "spared", "low", "size")


class Enumerated:
    """A round by enumeration: who comes before whom, and what each decision costs. People are places."""

    def __init__(self, men: Sequence[Man], rules: Rules, bye: int | None) -> None:
        self.round = Reference(men, rules)
        self.people = [one for one in range(len(men)) if one != bye]
        self.all = list(complete(self.people, self.round.apart))
        self.structures = self._named_structure()
        self.best = least(self.all, [cost for _, cost in self.structures])
        self.floats = Floats(self.round, self.people, self.best)

    def _named_structure(self) -> list[Named]:
        costs = list(self.round.structure_costs(self.people))
        far = ["far"] if self.round.rules.max_drop is not None else []
        names = [*far, "rematches", "dont_teams", "dont_clubs", "points"]
        levels = {self.round.men[one].points for one in self.people}
        sizes = {high - low for high in levels for low in levels if high > low}
        names += ["sizes"] * len(sizes)
        return list(zip([*names, *["levels"] * (len(costs) - len(names))], costs, strict=True))

    def verdict(self, work: UsChessWork, one: int, other: int) -> Verdict:
        """Say why two places do not meet, as `verdict` does, by looking at all pairings."""
        with_pair = [pairs for pairs in self.all if (one, other) in pairs]
        if not with_pair:
            return Verdict("blocked")
        found = self._first(with_pair, self.all, self.structures, "structure")
        if isinstance(found, Verdict):
            return found
        chain = next(chain for chain in work.chains if self.round.men[one].points in chain.levels)
        floating = {place for pair in chain.taken.floats for place in pair}
        if chain.taken.floats:
            inside = set(chain.levels)
            names = SECTION_45 if chain.is_ahead else PLAIN
            size = self.floats.any_size if chain.is_ahead else self.floats.of_floats(self.floats.size)
            costs = self.floats.costs(size, self.floats.upper)
            named = [(name, self._only(inside, costs[SECTION_45.index(name)])) for name in names]
            stage = "floats" if chain.is_ahead else "plain"
            found = self._first(found, self.best, named, stage)
            if isinstance(found, Verdict):
                return found
        if floating & {one, other} or self.round.drop(one, other):
            return Verdict("floats")
        return self._within(one, other, floating)

    def _only(self, levels: set[int], cost: Cost) -> Cost:
        return lambda one, other: cost(one, other) if self.round.men[one].points in levels else 0

    def _within(self, one: int, other: int, floating: set[int]) -> Verdict:
        level = self.round.men[one].points
        group = [place for place in self.floats.group(level) if place not in floating]
        pairings = list(complete(group, self.round.apart))
        with_pair = [pairs for pairs in pairings if (one, other) in pairs]
        if not with_pair:
            return Verdict("group", "blocked")
        natural, upper = halves(group)
        switch = self.round.switch

        def size(mine: int, theirs: int) -> int:
            return min(switch(theirs, natural[mine]), switch(mine, natural[theirs]))

        first = [self.round.met, self.round.mates("team", "dont"), self.round.mates("club", "dont")]
        costs = dict(zip(SECTION_45, self.floats.costs(size, upper), strict=True))
        del costs["keep"], costs["spared"]
        named = [*zip(OF_GROUP, first, strict=True), *costs.items()]
        found = self._first(with_pair, pairings, named, "group")
        return found if isinstance(found, Verdict) else Verdict("group")

    def _first(
        self, with_pair: Sequence[Pairs], without: Sequence[Pairs], costs: Sequence[Named], stage: str
    ) -> Verdict | Sequence[Pairs]:
        """Return the first place that is worse with the pair; else its best pairings."""
        for name, cost in costs:
            with_pair, without = least(with_pair, [cost]), least(without, [cost])
            found, best = total(with_pair[0], cost), total(without[0], cost)
            if found != best:
                return Verdict(stage, name, found, best)
        return with_pair
