"""The boards whose results a result clerk enters: a range, or several of several roles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

HIGHEST = 9_999


@dataclass(frozen=True, slots=True, order=True)
class Boards:
    """The boards from `first` to `last`, by the numbers of a published round."""

    first: int
    last: int

    def __contains__(self, board: int) -> bool:
        return self.first <= board <= self.last

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"

    def covers(self, other: Boards) -> bool:
        return self.first <= other.first and other.last <= self.last

    @property
    def possible(self) -> bool:
        return 1 <= self.first <= self.last <= HIGHEST


OwnBoards = tuple[Boards, ...] | None
"""The boards of a person in a section, in order and without overlaps; None: all boards."""


def boards_between(first: int | None, last: int | None) -> Boards | None:
    """Return the range of two columns; None if they are empty, which means all boards."""
    return None if first is None or last is None else Boards(first, last)


def columns_of(boards: Boards | None) -> dict[str, int | None]:
    """Return the values of the two columns."""
    first, last = (boards.first, boards.last) if boards else (None, None)
    return {"first_board": first, "last_board": last}


def joined(ranges: Iterable[Boards]) -> tuple[Boards, ...]:
    """Return the same boards with as few ranges as possible."""
    found: list[Boards] = []
    for each in sorted(ranges):
        if found and each.first <= found[-1].last + 1:
            found[-1] = Boards(found[-1].first, max(found[-1].last, each.last))
        else:
            found.append(each)
    return tuple(found)


def are_own(board: int, own: OwnBoards) -> bool:
    return own is None or any(board in each for each in own)
