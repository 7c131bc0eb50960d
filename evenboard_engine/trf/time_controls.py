"""Record 222: the time control in a form that programs can read.

5400+30                 90 minutes, and 30 seconds for each move
40/6000+30:900+30       40 moves in 100 minutes, then 15 minutes, and 30 seconds for each move
W300-B240               5 minutes for White, 4 for Black
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_period = re.compile(r"(?:([0-9]{1,3})/)?([0-9]{1,6})(?:\+([0-9]{1,4}))?").fullmatch
_each = re.compile(r"W([^-]+)-B([^-]+)").fullmatch
_MOVES = 60
"""FIDE adds up the time for so many moves (Laws of Chess, articles A.1 and B.1; Rating Regulations B.02, 1)."""
STANDARD, RAPID, BLITZ = "standard", "rapid", "blitz"


@dataclass(frozen=True, slots=True)
class Period:
    """moves: None for the rest of the game. seconds: for the period. increment: seconds for each move."""

    moves: int | None
    seconds: int
    increment: int

    def __str__(self) -> str:
        """Return the period with units of the SI, which need no translation: 40/100 min + 30 s."""
        whole, rest = divmod(self.seconds, 60)
        time = " ".join([*([f"{whole} min"] if whole or not rest else []), *([f"{rest} s"] if rest else [])])
        head = f"{self.moves}/" if self.moves else ""
        return f"{head}{time} + {self.increment} s" if self.increment else f"{head}{time}"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The periods of White and Black, which are the same in most tournaments."""

    white: tuple[Period, ...]
    black: tuple[Period, ...]

    def __str__(self) -> str:
        white, black = ("; ".join(map(str, side)) for side in (self.white, self.black))
        return white if white == black else f"{white} – {black}"

    @property
    def kind(self) -> str:
        """STANDARD, RAPID or BLITZ, by the time of the player who has less for 60 moves."""
        seconds = min(map(_for_sixty_moves, (self.white, self.black)))
        if seconds >= 60 * 60:
            return STANDARD
        return RAPID if seconds > 10 * 60 else BLITZ


def _for_sixty_moves(periods: tuple[Period, ...]) -> int:
    seconds, left = 0, _MOVES
    for period in periods:
        if left <= 0:
            break
        moves = min(period.moves or left, left)
        seconds += period.seconds + moves * period.increment
        left -= moves
    return seconds


def read_time_control(text: str) -> TimeControl | None:
    """Return the time control that the text of a record 222 says; None if it is not in the form of TRF26."""
    text = "".join(text.split()).upper()
    each = _each(text)
    sides = (each[1], each[2]) if each else (text, text)
    white, black = map(_periods, sides)
    return TimeControl(white, black) if white and black else None


def _periods(text: str) -> tuple[Period, ...]:
    """Return the periods, () if one of them is wrong. Only the last one is for the rest of the game."""
    found = [_period(part) for part in text.split(":")]
    periods = [
        Period(int(one[1]) if one[1] else None, int(one[2]), int(one[3] or 0))
        for one in found
        if one is not None
    ]
    whole = len(periods) == len(found) and all(period.moves for period in periods[:-1])
    has_time = any(period.seconds or period.increment for period in periods)
    return tuple(periods) if whole and has_time else ()
