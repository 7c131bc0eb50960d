"""Comments on a tournament of Chess960, for which no record exists.

### Chess960
### Chess960 @ Round 1: 518 RNBQKBNR
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from evenboard_engine.chess960 import POSITIONS, first_rank

from .report import Report, from_lines

_CHESS960 = "### Chess960"
_of_round = re.compile(rf"{_CHESS960} @ Round ([0-9]{{1,3}}): ([0-9]{{1,3}})(?: [BKNQR]{{8}})?\s*").fullmatch


def start_position_lines(positions: Mapping[int, int]) -> Iterator[str]:
    """Yield the comment lines. positions: the numbers of the start positions, by round."""
    yield _CHESS960
    for number, position in sorted(positions.items()):
        yield f"{_CHESS960} @ Round {number}: {position} {first_rank(position)}"


@from_lines
def start_positions(report: Report) -> Mapping[int, int] | None:
    """Return the start positions by round; None if the tournament is not of Chess960."""
    lines = [record.text for record in report.kept if is_start_position_line(record.text)]
    found = (_of_round(text) for text in lines)
    return {int(one[1]): int(one[2]) for one in found if one} if lines else None


def is_start_position_line(text: str) -> bool:
    """Return whether a line is one of these comments. Any number of a position is below 960."""
    found = _of_round(text)
    return text.rstrip() == _CHESS960 or (found is not None and int(found[2]) < POSITIONS)
