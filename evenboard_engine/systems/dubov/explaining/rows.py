"""Say why each player of S1 meets this player of G2 (C.04.4.1, 2.2.6 and 4.4, edition 2025).

The first transposition is the greedy one: every row takes the first player of G2 who is left, unless the two may not
meet, or the later rows could not all have an opponent. In the second case the reason names some players and all the
opponents left for them. The opponents are too few, and the reader can check this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evenboard_engine.errors import InternalError
from evenboard_engine.matching import bits
from evenboard_engine.model import Colour
from evenboard_engine.systems.dubov.pairing.field import DubovField
from evenboard_engine.systems.field import WHITE_ABSOLUTE
from evenboard_engine.trace import Passed, Reason


def passed_by_rows(
    field: DubovField, s1: Sequence[int], order: Sequence[int], t2: Sequence[int]
) -> dict[int, tuple[tuple[int, Reason | None], ...]]:
    """Return for each row the players of G2 (places) who were still free, came before its partner, and were not taken.

    Each has a reason, proved here, if the two may meet; None if they may not meet. A row that takes the first free
    player is not in the answer.
    """
    if t2 == order:
        return {}
    left = list(order)
    stuck: _Stuck | None = None
    passed = {}
    for row, (one, partner) in enumerate(zip(s1, t2, strict=True)):
        if left[0] == partner:
            del left[0]
            continue
        at = left.index(partner)
        found: list[tuple[int, Reason | None]] = []
        for other in left[:at]:
            if may_not_meet(field, one, other):
                found.append((other, None))
            else:
                stuck = stuck or _Stuck(field, s1, order, t2)
                found.append((other, stuck.reason(row, other)))
        del left[at]
        passed[row] = tuple(found)
    return passed


def with_reasons(
    field: DubovField, one: int, passed: Sequence[tuple[int, Reason | None]]
) -> tuple[Passed, ...]:
    """Return the players whom a row has passed, each with a reason. one: the place of the player of S1."""
    return tuple(
        Passed(field.ids[other], reason or _no_meeting(field, one, other)) for other, reason in passed
    )


def may_not_meet(field: DubovField, one: int, other: int) -> bool:
    """Return whether C1, C3 or a forbidden pair keeps these two apart. one, other: places."""
    absolute = field.absolute[one]
    return other in field.met[one] or (absolute != 0 and absolute == field.absolute[other])


def no_meeting(field: DubovField, one: int, other: int) -> Reason | None:
    """Return why two players may not meet (C1, C3 or a forbidden pair), or None. one, other: places."""
    return _no_meeting(field, one, other) if may_not_meet(field, one, other) else None


def _no_meeting(field: DubovField, one: int, other: int) -> Reason:
    params: dict[str, object] = {"player": field.ids[one], "other": field.ids[other]}
    rounds = tuple(
        number for number, column in enumerate(field.past.opponent_in, start=1) if column[one] == other
    )
    if rounds:
        return Reason("met", {**params, "rounds": rounds})
    if other in field.met[one]:
        return Reason("forbidden", params)
    colour = Colour.WHITE if field.absolute[one] == WHITE_ABSOLUTE else Colour.BLACK
    return Reason("same_absolute", {**params, "colour": colour})


class _Stuck:
    """Finds the players who would have too few opponents if a row had taken another player.

    Rows are numbered as in S1, columns as in the order of G2. Alternating paths through the finished transposition find
    all rows that compete for the same columns. If no path reaches the column that became free, there is one row more
    than there are columns for them.
    """

    def __init__(self, field: DubovField, s1: Sequence[int], order: Sequence[int], t2: Sequence[int]) -> None:
        self.ids, self.s1, self.order = field.ids, s1, order
        column_of = {place: column for column, place in enumerate(order)}
        self.taken = [column_of[place] for place in t2]
        self.owner = [0] * len(s1)
        for row, column in enumerate(self.taken):
            self.owner[column] = row
        row_of = {place: row for row, place in enumerate(s1)}
        self.columns = _may_take(field, s1, column_of)  # of each row
        self.rows = _may_take(field, order, row_of)  # of each column

    def reason(self, row: int, place: int) -> Reason:
        """Return why this row could not take the player at this place, whom it may meet. Names the smaller proof."""
        taken = self.order.index(place)
        later = sum(1 << column for column in self.taken[row:])
        rows, columns = self._from_row(self.owner[taken], later & ~(1 << taken), self.taken[row])
        other_columns, other_rows = self._from_column(self.taken[row], row)
        if len(rows) <= len(other_columns):
            stuck, opponents = [self.s1[i] for i in rows], [self.order[j] for j in columns]
        else:
            stuck, opponents = [self.order[j] for j in other_columns], [self.s1[i] for i in other_rows]
        return Reason(
            "blocked",
            {
                "player": self.ids[self.s1[row]],
                "other": self.ids[place],
                "stuck": tuple(self.ids[i] for i in sorted(stuck)),
                "opponents": tuple(self.ids[i] for i in sorted(opponents)),
            },
        )

    def _from_row(self, start: int, free: int, goal: int) -> tuple[list[int], list[int]]:
        """Return rows that compete with each other, and all the columns left for them. The columns are one fewer."""
        rows, columns = [start], []
        for row in rows:
            for column in bits(self.columns[row] & free):
                if column == goal:
                    raise InternalError("explanation_contradicts_the_pairing")
                free &= ~(1 << column)
                columns.append(column)
                rows.append(self.owner[column])
        return rows, columns

    def _from_column(self, start: int, row: int) -> tuple[list[int], list[int]]:
        """Return columns that compete with each other, and all the later rows that may take them, one fewer."""
        later = (1 << len(self.s1)) - (1 << row + 1)
        columns, rows = [start], []
        for column in columns:
            for reached in bits(self.rows[column] & later):
                later &= ~(1 << reached)
                rows.append(reached)
                columns.append(self.taken[reached])
        return columns, rows


def _may_take(field: DubovField, places: Sequence[int], number_of: Mapping[int, int]) -> list[int]:
    """Return for each of these places a mask of the numbers of those whom it may meet."""
    absolute = field.absolute
    everyone = (1 << len(number_of)) - 1
    allowed = [everyone, everyone, everyone]
    for place, number in number_of.items():
        if absolute[place]:
            allowed[absolute[place]] &= ~(1 << number)
    masks = []
    for place in places:
        mask = allowed[absolute[place]]
        for other in field.met[place]:
            if other in number_of:
                mask &= ~(1 << number_of[other])
        masks.append(mask)
    return masks
