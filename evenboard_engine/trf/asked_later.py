"""Half-point byes that were not known yet when a round was paired, for systems that look ahead.

### Half-point byes asked later @ Round 1: 9=3 12=4

After round 1 was paired, player 9 asked for a half-point bye in round 3, and player 12 for one in round 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .report import Report, from_lines

_line = re.compile(
    "### Half-point byes asked later @ Round ([0-9]{1,3}):((?: [0-9]{1,5}=[0-9]{1,3})+) *"
).fullmatch
_Request = tuple[int, int]
"""Starting rank and the round of the bye."""


def asked_later_line(number: int, requests: Iterable[_Request]) -> str:
    """Return the comment line about byes that players asked for after a round was paired."""
    written = " ".join(f"{rank}={of}" for rank, of in sorted(requests))
    return f"### Half-point byes asked later @ Round {number}: {written}"


def asked_later(report: Report, number: int) -> frozenset[_Request]:
    """Return the requests that nobody knew when this round was paired."""
    return frozenset(request for at, requests in _lines(report) if at >= number for request in requests)


def is_asked_later_line(text: str) -> bool:
    """Return whether a line is such a comment."""
    return _line(text) is not None


@from_lines
def _lines(report: Report) -> tuple[tuple[int, tuple[_Request, ...]], ...]:
    found = (_line(record.text) for record in report.kept)
    return tuple((int(one[1]), tuple(map(_request, one[2].split()))) for one in found if one is not None)


def _request(word: str) -> _Request:
    rank, _, of = word.partition("=")
    return int(rank), int(of)
