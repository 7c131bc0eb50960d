"""Comments on a whole section: players who left, the end of FIDE mode, values of tie-breaks that were computed
elsewhere (VCL4THP.13 Q43, Q197, Q207).

### Expulsion @ Round 3: 7
### Withdrawal @ Round 3: 9
### FIDE mode exited @ Round 3
### Tie-break OTHER_PLAYOFF: 3=1.5 7=1
### Left out of rating tie-breaks: 5 12
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from .report import Report

_leaver = re.compile("### (Expulsion|Withdrawal) @ Round ([0-9]{1,3}): ([0-9]{1,5}) *").fullmatch
_exit = re.compile("### FIDE mode exited @ Round ([0-9]{1,3}) *").fullmatch
_typed = re.compile("### Tie-break (.{1,40}): ((?:[0-9]{1,5}=-?[0-9]{1,6}(?:[.][0-9]{1,3})? *)+)").fullmatch
_left_out = re.compile("### Left out of rating tie-breaks:((?: [0-9]{1,5})*) *").fullmatch


def left_out_line(ranks: Iterable[int]) -> str:
    """Return the comment line with the players without an official rating, whose games are left out."""
    return " ".join(("### Left out of rating tie-breaks:", *map(str, sorted(ranks))))


def left_out(report: Report) -> frozenset[int] | None:
    """Return the players whom rating tie-breaks leave out, by starting rank; None if the file leaves out nobody."""
    lines = [found for record in report.kept if (found := _left_out(record.text))]
    known = {player.starting_rank for player in report.players}
    return frozenset(known & set(map(int, lines[-1][1].split()))) if lines else None


def is_left_out_line(text: str) -> bool:
    """Return whether a line names the players whom rating tie-breaks leave out."""
    return _left_out(text) is not None


def typed_line(code: str, values: Mapping[int, str]) -> str:
    """Return the comment line with the values of a tie-break, by starting rank."""
    return f"### Tie-break {code}: {' '.join(f'{rank}={value}' for rank, value in sorted(values.items()))}"


def typed_values(report: Report) -> dict[str, dict[int, str]]:
    """Return the values of tie-breaks that were computed elsewhere, by code and starting rank. The last line counts."""
    known = {player.starting_rank for player in report.players}
    found: dict[str, dict[int, str]] = {}
    for record in report.kept:
        if line := _typed(record.text):
            pairs = (pair.split("=") for pair in line[2].split())
            found[line[1].upper()] = {int(rank): value for rank, value in pairs if int(rank) in known}
    return found


def is_typed_line(text: str) -> bool:
    """Return whether a line has values of a tie-break."""
    return _typed(text) is not None


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
