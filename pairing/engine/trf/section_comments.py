"""Comments on a whole section: players who were expelled, and the end of FIDE mode (VCL4THP.13 Q43, Q197).

### Expulsion @ Round 3: 7
### FIDE mode exited @ Round 3
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

from .report import Report

_expulsion = re.compile("### Expulsion @ Round ([0-9]{1,3}): ([0-9]{1,5}) *").fullmatch
_exit = re.compile("### FIDE mode exited @ Round ([0-9]{1,3}) *").fullmatch


@dataclass(frozen=True, slots=True)
class Expulsion:
    """player: starting rank. round: the last one that was paired when the player left."""

    round: int
    player: int

    def __str__(self) -> str:
        """Return the comment line."""
        return f"### Expulsion @ Round {self.round}: {self.player}"


def expulsions(report: Report) -> frozenset[Expulsion]:
    """Return the expulsions of players of the file. A line about another player or round is only a comment."""
    known = {player.starting_rank for player in report.players}
    expulsions = (one for record in report.kept if (one := _read(record.text)) is not None)
    return frozenset(one for one in expulsions if one.player in known and one.round <= report.rounds_paired)


def is_expulsion(text: str, expulsions: Set[Expulsion]) -> bool:
    """Whether a line is a comment on one of these expulsions."""
    return _read(text) in expulsions


def fide_mode_left(report: Report) -> int | None:
    """Return the round in which the section left FIDE mode; None if it did not."""
    rounds = [int(found[1]) for record in report.kept if (found := _exit(record.text))]
    return min(min(rounds), report.rounds_paired) if rounds else None


def is_fide_mode_left(text: str) -> bool:
    return _exit(text) is not None


def _read(text: str) -> Expulsion | None:
    found = _expulsion(text)
    return Expulsion(int(found[1]), int(found[2])) if found else None
