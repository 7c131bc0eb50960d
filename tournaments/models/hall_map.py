"""Where the boards of a section stand: the rooms of the hall, as an arbiter types them."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_ROOMS, MOST_BOARDS, PER_ROW = 40, 2_000, 8
LONGEST_ROOMS = 3000
_LINE = re.compile(r"(\d{1,4})\s*[-–]\s*(\d{1,4})(?:\s*/\s*(\d{1,3}))?[\s:]+(\S.*)")


@dataclass(frozen=True, slots=True)
class HallRoom:
    """A room with the boards `first` to `last`, `per_row` of them in a row. name: of the room, and how to get there."""

    first: int
    last: int
    per_row: int
    name: str

    @property
    def rows(self) -> list[range]:
        """The boards of each row, in the order in which they stand."""
        starts = range(self.first, self.last + 1, self.per_row)
        return [range(start, min(start + self.per_row, self.last + 1)) for start in starts]


def rooms_of(text: str) -> tuple[tuple[HallRoom, ...], str]:
    """Read the rooms, one in a line: `1-40/8 Main hall, ground floor`, or without the boards in a row. Return also the
    first line that cannot be read, or that has a board of a room before it; "" if there is none.
    """
    rooms: list[HallRoom] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        found = _LINE.fullmatch(line)
        if found is None:
            return tuple(rooms), line
        first, last, per_row = (int(found[part] or PER_ROW) for part in (1, 2, 3))
        overlaps = any(first <= room.last and room.first <= last for room in rooms)
        if not 1 <= first <= last <= MOST_BOARDS or not per_row or overlaps or len(rooms) == MOST_ROOMS:
            return tuple(rooms), line
        rooms.append(HallRoom(first, last, per_row, found[4]))
    return tuple(rooms), ""
