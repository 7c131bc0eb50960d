"""When and why an arbiter decided on points: 299 says only what they are.

### Points @ Round 3: 7: -0.5 after round 5: mobile phone

After round 5 was paired, the arbiter took half a point from player 7, which counts after round 3. Rounds 4 and 5 were
paired without this.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from evenboard_engine.model import Ruling

from .codes import decimal_points
from .report import Report, from_lines

_line = re.compile(
    r"### Points @ Round (?P<round>[0-9]{1,3}): (?P<player>[0-9]{1,5}): "
    r"(?P<sign>-?)(?P<whole>[0-9]{1,3})\.(?P<tenth>[0-9]) after round (?P<after>[0-9]{1,3})(?:: (?P<reason>.*))?"
).fullmatch


@dataclass(frozen=True, slots=True)
class DecidedLater:
    """A bonus or penalty of a player, by starting rank. points: in tenths. after: the last round that was paired."""

    player: int
    round: int
    points: int
    after: int
    reason: str = ""

    def __str__(self) -> str:
        """Return the comment line."""
        head = f"### Points @ Round {self.round}: {self.player}: {decimal_points(self.points)} after round {self.after}"
        return f"{head}: {self.reason}" if self.reason else head


def decided_later(report: Report) -> tuple[DecidedLater, ...]:
    """Return what comments say of bonuses and penalties that 299 has, in the order of the file.

    A comment on another player or round is a comment without meaning.
    """
    found = _in_comments(report)
    if not found:
        return ()
    known = {(one.player, one.round) for one in report.rulings if one.of is None}
    return tuple(one for one in found if (one.player, one.round) in known)


def is_decided_later(text: str, known: Mapping[str, DecidedLater]) -> bool:
    """Return whether a line is such a comment with a meaning. known: those of its report, by their lines."""
    return text.rstrip() in known


def rulings_before(report: Report, number: int) -> tuple[Ruling, ...]:
    """Return the decisions that were known when a round was paired."""
    later = (one for one in decided_later(report) if one.after >= number)
    return (*report.rulings, *(Ruling(one.player, one.round, -one.points) for one in later))


@from_lines
def _in_comments(report: Report) -> tuple[DecidedLater, ...]:
    found = (_line(record.text.rstrip()) for record in report.kept)
    return tuple(
        DecidedLater(
            int(one["player"]),
            int(one["round"]),
            (-1 if one["sign"] else 1) * (10 * int(one["whole"]) + int(one["tenth"])),
            int(one["after"]),
            one["reason"] or "",
        )
        for one in found
        if one is not None
    )
