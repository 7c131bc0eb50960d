"""Values of an entry in a copy of a section, checked before they are written.

Raises TypeError or ValueError for what no entry can have.
"""

from __future__ import annotations

from typing import Any

from evenboard_engine.tiebreaks import read_amount
from evenboard_engine.trf.codes import RULED
from tournaments.models.section import MAX_ROUNDS

from .cells import HIGHEST_RATING

_MOST_TENTHS = 9_999


def tie_values(value: Any) -> dict[str, Any]:
    for code, amount in value.items():
        if not isinstance(code, str) or "\x00" in code or read_amount(amount) != amount:
            raise TypeError("tie_values")
    return dict(value)


def period_ratings(value: Any) -> dict[str, Any]:
    for number, rating in value.items():
        if not number.isdecimal() or type(rating) is not int or not 0 <= rating <= HIGHEST_RATING:
            raise TypeError("period_ratings")
    return dict(value)


def virtual_points(value: Any) -> list[int]:
    points = list(value)
    if len(points) > MAX_ROUNDS or any(
        type(one) is not int or not 0 <= one <= _MOST_TENTHS for one in points
    ):
        raise ValueError("virtual_points")
    return points


def rulings(value: Any) -> list[dict[str, Any]]:
    rows = list(value)
    for row in rows:
        numbers = [row[name] for name in ("round", "points", "after")]
        whole = row.keys() == {"round", "of", "points", "after", "reason"} and isinstance(row["reason"], str)
        if not whole or "\x00" in row["reason"] or any(type(one) is not int for one in numbers):
            raise TypeError("rulings")
        if (
            row["of"] not in ("", *RULED)
            or not 0 <= row["round"] <= MAX_ROUNDS
            or abs(row["points"]) > _MOST_TENTHS
        ):
            raise ValueError("rulings")
    return rows
