"""The time control (222): the form that programs can read, and the code of a text for people."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Record 222: the time control in a form that programs can read.
#
# 5400+30                 90 minutes, and 30 seconds for each move 40/6000+30:900+30       40 moves in 100
# minutes, then 15 minutes, and 30 seconds for each move W300-B240               5 minutes for White, 4 for
# Black

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
    def for_sixty_moves(self) -> int:
        """Return the seconds for 60 moves of the player who has less."""
        return min(map(_for_sixty_moves, (self.white, self.black)))

    @property
    def kind(self) -> str:
        """Return STANDARD, RAPID or BLITZ."""
        if self.for_sixty_moves >= 60 * 60:
            return STANDARD
        return RAPID if self.for_sixty_moves > 10 * 60 else BLITZ


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


# The code of a time control (222) that is written for people: "90 min + 30 s per move" is 5400+30.
#
# Only a text that has one meaning gets a code. A word that is not known here may change the meaning: then
# there is none. An increment counts from the first move, as in nearly all tournaments; a text that says
# otherwise has such a word.

_MOST_MINUTES = 180
"""A number alone is in minutes up to here (90+30), and in seconds from the next bound on (5400+30)."""
_LEAST_SECONDS = 300
_alone = re.compile(r"([0-9]{1,4}) ?(?:\+ ?([0-9]{1,3}))?").fullmatch
_token = re.compile(r"[0-9]+|[^\W\d_]+|''|[^\s\w.]").findall
_is_hours = re.compile("h|hrs?|hours?|std|stunden?|heures?|horas?|uur").fullmatch
_is_minutes = re.compile("m|mins?|minutes?|minuten|minutos?|minuut|minuty?|['′’]").fullmatch
_is_seconds = re.compile("s|secs?|seconds?|sek|sekunden?|secondes?|segundos?|seconden|[\"″”]|''").fullmatch
_is_moves = re.compile("moves?|zug|zügen?|coups?|jugadas?|zet|zetten").fullmatch
_is_filler = re.compile(
    "[+,;/:()–-]|for|in|then|and|followed|by|per|an?|each|every|with|increment|of|the|rest|game|whole|to|finish|plus"
    "|je|pro|und|dann|für|pour|puis|et|par|por|y|luego|para|en|daarna|voor"
).fullmatch


@dataclass(slots=True)
class _Read:
    """seconds: of each period. moves: of the periods before the last. increments: seconds for each move."""

    seconds: list[int]
    moves: list[int]
    increments: list[int]


def time_control_code(text: str) -> str:
    """Return record 222 for a time control that people typed; "" if its meaning is not certain."""
    if found := _alone(text.strip()):
        return _code_alone(int(found[1]), int(found[2] or 0))
    control = read_time_control(text)
    if control and all(period.seconds > _MOST_MINUTES for period in control.white + control.black):
        return "".join(text.split()).upper()
    read = _read(_token(text.lower()))
    if read is None or not read.seconds or len(read.increments) > 1:
        return ""
    if len(read.moves) != len(read.seconds) - 1 or not all((*read.seconds, *read.moves)):
        return ""
    increment = f"+{read.increments[0]}" if read.increments and read.increments[0] else ""
    heads = [*(f"{moves}/" for moves in read.moves), ""]
    return ":".join(f"{head}{seconds}{increment}" for head, seconds in zip(heads, read.seconds, strict=True))


def time_control_kind(text: str) -> str:
    """Return which ratings change with a time control that people typed, as `TimeControl.kind`; "" if not certain."""
    control = read_time_control(time_control_code(text))
    return control.kind if control else ""


def _code_alone(number: int, increment: int) -> str:
    """Return the code of a text without units."""
    if 0 < number <= _MOST_MINUTES:
        number *= 60
    elif number < _LEAST_SECONDS:
        return ""
    return f"{number}+{increment}" if increment else str(number)


def _read(tokens: list[str]) -> _Read | None:
    """Return the numbers of a text with units, None if a word is not known or a number has no unit."""
    read, at, after_hours = _Read([], [], []), 0, False
    while at < len(tokens):
        token = tokens[at]
        if not token.isdecimal():
            if not (_is_filler(token) or _is_moves(token)):
                return None
            at, after_hours = at + 1, False
            continue
        number, unit = int(token), tokens[at + 1] if at + 1 < len(tokens) else ""
        if _is_minutes(unit) and after_hours:
            read.seconds[-1] += 60 * number
        elif _is_minutes(unit) or _is_hours(unit):
            read.seconds.append((3600 if _is_hours(unit) else 60) * number)
        elif _is_seconds(unit) and read.seconds:
            read.increments.append(number)
        elif _is_moves(unit) and len(read.seconds) - len(read.moves) in (0, 1):  # before or after its time
            read.moves.append(number)
        else:
            return None
        at, after_hours = at + 2, bool(_is_hours(unit))
    return read
