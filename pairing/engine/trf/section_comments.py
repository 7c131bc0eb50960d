"""Comments on a whole section: players who left, and the end of FIDE mode (VCL4THP.13 Q43, Q197).

### Expulsion @ Round 3: 7
### Withdrawal @ Round 3: 9
### FIDE mode exited @ Round 3
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

from .report import Report

_leaver = re.compile("### (Expulsion|Withdrawal) @ Round ([0-9]{1,3}): ([0-9]{1,5}) *").fullmatch
_exit = re.compile("### FIDE mode exited @ Round ([0-9]{1,3}) *").fullmatch


@dataclass(frozen=True, slots=True)
class Leaver:
    """A player who was expelled or withdrew. player: starting rank. round: the last one of the player."""

    round: int
    player: int
    expelled: bool

    def __str__(self) -> str:
        """Return the comment line."""
        head = "Expulsion" if self.expelled else "Withdrawal"
        return f"### {head} @ Round {self.round}: {self.player}"


def leavers(report: Report) -> frozenset[Leaver]:
    """Return the players of the file who left. A line about another player or round is only a comment."""
    known = {player.starting_rank for player in report.players}
    found = (one for record in report.kept if (one := _read(record.text)) is not None)
    return frozenset(one for one in found if one.player in known and one.round <= report.rounds_paired)


def is_leaver(text: str, known: Set[Leaver]) -> bool:
    """Return whether a line is a comment on one of these players."""
    return _read(text) in known


def fide_mode_left(report: Report) -> int | None:
    """Return the round in which the section left FIDE mode; None if it did not."""
    rounds = [int(found[1]) for record in report.kept if (found := _exit(record.text))]
    return min(min(rounds), report.rounds_paired) if rounds else None


def is_fide_mode_left(text: str) -> bool:
    return _exit(text) is not None


def _read(text: str) -> Leaver | None:
    found = _leaver(text)
    return Leaver(int(found[2]), int(found[3]), expelled=found[1] == "Expulsion") if found else None
