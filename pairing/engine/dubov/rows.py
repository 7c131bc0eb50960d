"""Why each row of S1 takes the player of G2 that it takes (C.04.4.1, 2.2.6 and 4.4, edition 2025).

The first transposition is the greedy one: every row takes the first player who is left, unless they may not meet or the
rows to come could not all be served. The second kind of reason names players who would be too many for the opponents
that were left for them: a proof that anybody can check.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pairing.engine.errors import InternalError
from pairing.engine.matching import bits
from pairing.engine.model import Colour
from pairing.engine.trace import Passed, Reason

from .field import WHITE_ABSOLUTE, Field


def trace_rows(
    field: Field, s1: Sequence[int], order: Sequence[int], t2: Sequence[int]
) -> Iterator[tuple[Passed, ...]]:
    """For each row: who is left, stands before its partner in the order of G2, and why the row did not take them."""
    left = list(order)
    ids = field.ids
    stuck: _Stuck | None = None
    for row, (one, partner) in enumerate(zip(s1, t2, strict=True)):
        if left[0] == partner:
            del left[0]
            yield ()
            continue
        at = left.index(partner)
        passed = []
        for other in left[:at]:
            reason = no_meeting(field, one, other)
            if reason is None:
                stuck = stuck or _Stuck(field, s1, order, t2)
                reason = stuck.reason(row, other)
            passed.append(Passed(ids[other], reason))
        del left[at]
        yield tuple(passed)


def no_meeting(field: Field, one: int, other: int) -> Reason | None:
    """Why two players may not meet (C1, C3, forbidden), or None. By places."""
    if other in field.met[one]:
        rounds = tuple(
            number for number, column in enumerate(field.past.opponent_in, start=1) if column[one] == other
        )
        params: dict[str, object] = {"player": field.ids[one], "other": field.ids[other]}
        return Reason("met", {**params, "rounds": rounds}) if rounds else Reason("forbidden", params)
    absolute = field.absolute[one]
    if absolute and absolute == field.absolute[other]:
        colour = Colour.WHITE if absolute == WHITE_ABSOLUTE else Colour.BLACK
        return Reason(
            "same_absolute", {"player": field.ids[one], "other": field.ids[other], "colour": colour}
        )
    return None


class _Stuck:
    """Finds who would be without an opponent if a row had taken somebody else.

    Rows and columns are numbered as in S1 and in the order of G2. The finished transposition gives each column its
    row, so alternating paths through it lead to all who depend on each other; where they do not reach the free
    column, they are too many.
    """

    def __init__(self, field: Field, s1: Sequence[int], order: Sequence[int], t2: Sequence[int]) -> None:
        self.ids, self.s1, self.order = field.ids, s1, order
        column_of = {place: column for column, place in enumerate(order)}
        self.taken = [column_of[place] for place in t2]
        self.owner = [0] * len(s1)
        for row, column in enumerate(self.taken):
            self.owner[column] = row
        everyone = (1 << len(order)) - 1
        due = [0, 0, 0]
        for column, place in enumerate(order):
            due[field.absolute[place]] |= 1 << column
        self.columns: list[int] = []  # that each row may take
        self.rows = [0] * len(order)  # that may take each column
        for row, place in enumerate(s1):
            mask = everyone & ~due[field.absolute[place]] if field.absolute[place] else everyone
            for other in field.met[place]:
                if other in column_of:
                    mask &= ~(1 << column_of[other])
            self.columns.append(mask)
            for column in bits(mask):
                self.rows[column] |= 1 << row

    def reason(self, row: int, place: int) -> Reason:
        """What would follow if this row took the player at this place, whom it may meet."""
        taken = self.order.index(place)
        later = sum(1 << column for column in self.taken[row:])
        rows, columns = self._from_row(self.owner[taken], later & ~(1 << taken), self.taken[row])
        other_columns, other_rows = self._from_column(self.taken[row], row, self.owner[taken])
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
        """Rows that depend on each other, and all the columns that are left for them: one fewer."""
        rows, columns = [start], []
        for row in rows:
            for column in bits(self.columns[row] & free):
                if column == goal:
                    raise InternalError("explanation_contradicts_the_pairing")
                free &= ~(1 << column)
                columns.append(column)
                rows.append(self.owner[column])
        return rows, columns

    def _from_column(self, start: int, row: int, goal: int) -> tuple[list[int], list[int]]:
        """The same the other way round, among the rows after this one."""
        later = (1 << len(self.s1)) - (1 << row + 1)
        columns, rows = [start], []
        for column in columns:
            for reached in bits(self.rows[column] & later):
                if reached == goal:
                    raise InternalError("explanation_contradicts_the_pairing")
                later &= ~(1 << reached)
                rows.append(reached)
                columns.append(self.taken[reached])
        return columns, rows
