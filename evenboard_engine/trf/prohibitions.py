"""The pairs that a report file forbids (260, XXP): lists of players of whom no two meet, each taken once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from .errors import Problems
from .records import Prohibition
from .report import Report, from_lines

MAX_FORBIDDEN_PAIRS = 200_000


@dataclass(frozen=True, slots=True)
class ForbiddenGroup:
    """Players of whom no two meet in the rounds first to last (None: in all later ones). line: of its first record."""

    players: frozenset[int]
    first: int
    last: int | None
    line: int

    @property
    def pairs(self) -> int:
        return len(self.players) * (len(self.players) - 1) // 2


@from_lines
def forbidden_groups(report: Report) -> tuple[ForbiddenGroup, ...]:
    """Return the groups that records name, in the order of the file. A group that comes again is left out.

    Cost: linear. A file may name a thousand times the pairs that it has letters, so nobody counts pairs here.
    """
    known: dict[tuple[frozenset[int], int, int | None], int] = {}
    for record in report.of_type(Prohibition):
        known.setdefault((frozenset(record.players), record.first or 1, record.last), record.line)
    return tuple(ForbiddenGroup(*group, line) for group, line in known.items())


def forbidden_in(
    groups: tuple[ForbiddenGroup, ...], number: int, problems: Problems
) -> frozenset[tuple[int, int]]:
    """Return the pairs that must not meet in a round, the smaller starting rank first.

    Groups are counted before their pairs are made: above MAX_FORBIDDEN_PAIRS there is an error and no pair.
    """
    then = {group.players: group for group in groups if group.first <= number <= (group.last or number)}
    if not are_not_too_many(tuple(then.values()), MAX_FORBIDDEN_PAIRS, problems):
        return frozenset()
    return frozenset(pair for players in then for pair in combinations(sorted(players), 2))


def forbidden_spans(groups: tuple[ForbiddenGroup, ...]) -> dict[tuple[int, int], tuple[int, int | None]]:
    """Return each pair, the smaller starting rank first, with one span of rounds: from the first to the last in which
    one of the groups forbids it (None: no last one).

    The caller counts the pairs of the groups first.
    """
    spans: dict[tuple[int, int], tuple[int, int | None]] = {}
    for group in groups:
        for pair in combinations(sorted(group.players), 2):
            first, last = group.first, group.last
            if pair in spans:
                earlier, later = spans[pair]
                first = min(first, earlier)
                last = None if last is None or later is None else max(last, later)
            spans[pair] = first, last
    return spans


def are_not_too_many(groups: tuple[ForbiddenGroup, ...], limit: int, problems: Problems) -> bool:
    """Whether the groups have at most `limit` pairs in all; otherwise add the error of the line that passes it."""
    pairs = 0
    for group in groups:
        pairs += group.pairs
        if pairs > limit:
            problems.add("too_many_forbidden", line=group.line, column=5, limit=limit)
            return False
    return True
