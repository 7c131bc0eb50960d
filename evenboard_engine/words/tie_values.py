"""Write the value of a tie-break in the form that its column has."""

from __future__ import annotations

from fractions import Fraction

from evenboard_engine.tiebreaks import TieBreak

from .tiebreaks import tie_break_text

_WITH_DECIMALS = frozenset({"AOB", "PT"})
"""Averages that are not rounded to whole numbers."""


def tie_value_text(rule: TieBreak, value: Fraction | None) -> str:
    """Return the value of a player: 12½, 8¾, an average as 14.600 or 15.000; "" for none, or if no game gives one.

    A value that was computed elsewhere has decimals, because it may have any: 1.5, 1.125.
    """
    if rule.of_opponents_ratings and not value:
        return ""
    if rule.name in _WITH_DECIMALS and value is not None:
        return f"{float(value):.3f}"
    if not rule.name and value is not None:
        return f"{float(value):.3f}".rstrip("0").rstrip(".")
    return tie_break_text(value)
