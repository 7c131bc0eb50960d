"""The order of the comment lines of a report file.

Lines of an imported file and lines that the section writes itself have one order, so that a file stays the same when it
is imported and written again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_EVENTS = "|".join(
    [
        *("MPA", "Import", "Configuration", "Correction", "Adjournment", "Regeneration", "Exchange"),
        *("FIDE mode exited", "Closed early", "Reopening"),
    ]
)
_KINDS = tuple(
    re.compile(f"### {begin}").match
    for begin in (
        rf"({_EVENTS}) @ Round ",
        "FPB @ Round ",
        "Rating correction @ Round ",
        "Earlier result @ Round ",
        "Earlier ratings @ Round ",
        "Half-point byes asked later @ Round ",
        "Points @ Round ",
        "(Expulsion|Withdrawal) @ Round ",
        "Tie-break ",
        "Left out of rating tie-breaks:",
        "(Rating periods:|Period ratings @ Round |Rating in tie-breaks:)",
        "Chess960",
    )
)
"""What a section writes, in this order. Lines of one kind are in the order in which they came."""


def kind_of(text: str) -> int | None:
    """Return the place of a line's kind; None for a line that no section writes."""
    return next((at for at, begins in enumerate(_KINDS) if begins(text)), None)


def in_order(lines: Iterable[str]) -> tuple[str, ...]:
    """Return lines that a section writes, kind by kind."""
    return tuple(sorted(lines, key=lambda text: kind_of(text) or 0))
