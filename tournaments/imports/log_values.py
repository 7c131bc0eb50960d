"""Checks `before` and `after` of a row of the log in a copy.

Pages show most of these values as text, whatever they are. The report file, "Why this pairing?" and the cockpit
calculate with some of them: a copy with a wrong type in one of these is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

from tournaments.models.section import MAX_ROUNDS

Values = dict[str, Any]
MOST_LEVELS = 12
"""Of lists and mappings inside each other. The actions write up to five."""
LARGEST = 2**63 - 1
"""The largest integer that every database compares with its keys."""
LARGEST_RATING = 32_767
LONGEST_RESULT = 10
YEARS = range(1900, 3000)
"""Years whose times can be shown in every time zone."""


def log_values(values: Any) -> Values:
    """Return one side of a row, checked. Raises TypeError or ValueError for what no action writes."""
    if not isinstance(values, dict):
        raise TypeError("log")
    _check_json(values, MOST_LEVELS)
    for name, value in values.items():
        if name in _CHECKS:
            _CHECKS[name](value)
    return values


def moment(text: str) -> datetime:
    """Return a time with its zone. Raises TypeError or ValueError, also for a time that no page can show."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is None or found.year not in YEARS:
        raise ValueError("a time of nowhere")
    return found


def _check_json(value: Any, levels: int) -> None:
    """Raise ValueError for values that not every database can store, or that are nested too deep to be shown."""
    if isinstance(value, dict | list):
        if not levels:
            raise ValueError("nested")
        for inner in [*value, *value.values()] if isinstance(value, dict) else value:
            _check_json(inner, levels - 1)
    elif (
        (isinstance(value, str) and "\x00" in value)
        or (isinstance(value, int) and abs(value) > LARGEST)
        or (isinstance(value, float) and not math.isfinite(value))
    ):
        raise ValueError("no value of a log")


def _integer(value: Any) -> None:
    if type(value) is not int:
        raise TypeError("no integer")


def _one_of(numbers: Collection[int], *, or_none: bool = False) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        if not (or_none and value is None) and (type(value) is not int or value not in numbers):
            raise ValueError("no number of this kind")

    return check


def _list_of(check: Callable[[Any], None]) -> Callable[[Any], None]:
    def check_all(value: Any) -> None:
        if not isinstance(value, list):
            raise TypeError("no list")
        for inner in value:
            check(inner)

    return check_all


def _pair(value: Any) -> None:
    """Two numbers of players or keys of entries; None for a player who has no number yet."""
    one, other = value
    for number in (one, other):
        if number is not None:
            _integer(number)


def _entry(value: Any) -> None:
    key, values = value
    _integer(key)
    log_values(values)


def _departure(value: Any) -> None:
    _round(value["round"])
    _list_of(_pair)(value["expected"])
    _list_of(_pair)(value["found"])


def _result(value: Any) -> None:
    """A result is written into the report file. It may be one that a later version of the program knows."""
    if not isinstance(value, str) or len(value) > LONGEST_RESULT or not value.isprintable():
        raise TypeError("no result")


def _time(value: Any) -> None:
    if value:
        moment(value)


def _anything(_value: Any) -> None:
    """Accept every value: pages show it as text."""


_round = _one_of(range(MAX_ROUNDS + 1))
_rating = _one_of(range(LARGEST_RATING + 1), or_none=True)
_CHECKS: dict[str, Callable[[Any], None]] = {
    "added": _list_of(_anything),
    "at": _time,
    "boards": _list_of(_anything),
    "departures": _list_of(_departure),
    "entries": _list_of(_entry),
    "game": _integer,
    "numbers": _list_of(_pair),
    "participant": _integer,
    "ranks": _list_of(_pair),
    "rating": _rating,
    "result": _result,
    "rounds_checked": _round,
}
"""The values that the program calculates with, by name."""
