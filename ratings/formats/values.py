"""Single values of rating lists."""

from __future__ import annotations

import re

HIGHEST_RATING = 3999
HIGHEST_ID = 2**31 - 1
_DATE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_OTHER_DATE = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")
_NOT_SHOWN = dict.fromkeys((*range(32), 127), " ")


def decoded(line: bytes) -> str:
    """Return a line as text: UTF-8, in older lists Latin-1. Control characters become blanks."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = line.decode("latin-1")
    return text if text.isprintable() else text.translate(_NOT_SHOWN)


def rating(cell: str) -> int:
    """Return a rating or a K, 0 for none. Raises ValueError."""
    text = cell.strip()
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(text)
    value = int(text[:9])
    if value > HIGHEST_RATING:
        raise ValueError(text)
    return value


def fide_id(cell: str) -> int | None:
    """Return an ID, or None if the cell has none."""
    text = cell.strip()
    if not (text.isascii() and text.isdecimal() and len(text) <= 10):
        return None
    value = int(text)
    return value if 0 < value <= HIGHEST_ID else None


def birth(cell: str) -> str:
    """Return a year, a date YYYY-MM-DD or "". Raises ValueError."""
    text = cell.strip()
    if text in ("", "0", "0000"):
        return ""
    if len(text) == 4 and text.isascii() and text.isdecimal():
        return text
    if found := _DATE.fullmatch(text):
        year, month, day = found.groups()
    elif found := _OTHER_DATE.fullmatch(text):
        day, month, year = found.groups()
    else:
        raise ValueError(text)
    if int(month) > 12 or int(day) > 31:
        raise ValueError(text)
    if not int(month) or not int(day):
        return year
    return f"{year}-{int(month):02}-{int(day):02}"
