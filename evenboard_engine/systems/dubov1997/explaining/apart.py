"""Why two players who may meet do not: what was decided when the first of them was paired."""

from __future__ import annotations

from evenboard_engine.matching import bits, mask_of
from evenboard_engine.systems.dubov1997.pairing import Group, Sheet
from evenboard_engine.trace import Reason

from .decisions import Decision, Kind, passed_by, rises
from .obstacles import Facts


def why_apart(facts: Facts, sheet: Sheet, made: Decision, first: int, second: int) -> Reason:
    """Return why the player of this decision does not meet another one, who was still free then.

    first: of the decision. second: a player whom the first may meet. Players are seats.
    """
    return _Apart(facts, sheet, made, first, second).reason()


class _Apart:
    def __init__(self, facts: Facts, sheet: Sheet, made: Decision, first: int, second: int) -> None:
        self.facts, self.sheet, self.field, self.made = facts, sheet, facts.field, made
        self.first, self.second = first, second
        self.names = {"player": facts.id(first), "other": facts.id(second)}
        self.opponent = {"opponent": facts.id(made.chosen if made.chooser == first else made.chooser)}

    def reason(self) -> Reason:
        match self.made.kind:
            case Kind.FLOATER | Kind.ISLAND:
                return self._chosen_one_by_one()
            case Kind.OFFER:
                if self.first != self.made.chooser:
                    return Reason("taken_by_offer", {**self.names, "by": self.facts.id(self.made.chooser)})
                if self.second in self.made.before():
                    return passed_by(self.facts, self.made, self.second)
                return Reason("offered", {**self.names, **self.opponent})
            case Kind.ASIDE:
                return self._aside()
            case _:
                return self._row()

    def _chosen_one_by_one(self) -> Reason:
        island = self.made.kind is Kind.ISLAND
        if self.first != self.made.chooser:
            by = {"player": self.first, "by": self.made.chooser, "other": self.second}
            params = {key: self.facts.id(seat) for key, seat in by.items()}
            return Reason("taken_by_island" if island else "taken_by_floater", params)
        if self.second not in self.made.among:
            return Reason(
                "nearest_group_rising" if island else "nearest_group", {**self.names, **self.opponent}
            )
        if self.second in self.made.before():
            return passed_by(self.facts, self.made, self.second)
        if island and self.field.barred_from_rising >> self.second & 1:
            return Reason("barred_from_rising", rises(self.facts.field, self.second))
        due = self.field.due[self.first]
        return self.facts.better(self.made.chosen, self.second, due, rising=island, island=True)

    def _row(self) -> Reason:
        half = self.made.kind is Kind.HALF
        if self.second in self.made.among:
            if self.first != self.made.chooser:
                return Reason("same_half" if half else "same_column", self.names)
            if self.second in self.made.before():
                return passed_by(self.facts, self.made, self.second)
            return Reason("half_order" if half else "row_order", {**self.names, **self.opponent})
        if half or (self.made.work is not None and self.second in self.made.work.left):
            if self.first == self.made.chooser:
                return Reason("same_half" if half else "same_column", self.names)
            by = {"by": self.facts.id(self.made.chooser), "player": self.facts.id(self.second)}
            return Reason("taken_half" if half else "taken", {**by, "other": self.facts.id(self.first)})
        return self._outside()

    def _aside(self) -> Reason:
        work = self.made.work
        assert work is not None
        if self.second not in (*work.left, *work.right):
            return self._outside()
        if self.first != self.made.chooser:
            return Reason("taken_aside", {**self.names, "by": self.facts.id(self.made.chooser)})
        if self.second in work.right:
            return Reason("aside_only_whites", {**self.names, **self.opponent})
        if self.second in self.made.before():
            return passed_by(self.facts, self.made, self.second)
        return Reason("aside_order", {**self.names, **self.opponent})

    # --- the other one was not in the group when it was paired

    def _outside(self) -> Reason:
        group = self.sheet.groups[self.made.group]
        if self.second in group.left:
            return Reason(
                "went_down", {"player": self.facts.id(self.second), "other": self.facts.id(self.first)}
            )
        if self.field.group_of[self.second] <= self.made.group:
            return Reason(
                "passed_before", {"player": self.facts.id(self.second), "other": self.facts.id(self.first)}
            )
        return self._not_transferred(group)

    def _not_transferred(self, group: Group) -> Reason:
        """Return why a player of a lower group was not transferred into this one."""
        if self.first == group.riser.chosen and self.field.score[self.first] < group.score:
            return Reason("rose_away", {**self.names, "score": group.score})
        if not group.odd:
            return Reason("no_transfer_needed", self.names)
        search, second = group.riser, self.second
        if not search.useful:
            return Reason("no_help", {"player": self.facts.id(second)})
        nearest = self.field.group_of[next(bits(search.useful))]
        if not search.useful >> second & 1:
            code = "farther_group" if self.field.group_of[second] > nearest else "no_help"
            return Reason(code, {"player": self.facts.id(second)})
        if search.barred >> second & 1:
            return Reason("barred_from_rising", rises(self.facts.field, second))
        assert search.chosen is not None
        rest = mask_of(seat for seat in group.rest if seat != search.chosen)
        dominating = self.field.dominating(rest)
        return self.facts.better(search.chosen, second, dominating, rising=True)
