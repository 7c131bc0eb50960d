"""FIDE's lists in columns of fixed width. The header line says where each column begins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ratings.errors import ListRefused
from ratings.players import RATINGS, BadLine, Listed

from .values import birth, decoded, fide_id, rating

_HEAD = re.compile(r"ID\s?Number|\S+")
_MONTH = re.compile(r"([A-Z]{3})(\d{2})", re.IGNORECASE)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

# Heads of all versions of the list, without blanks. A single list calls its rating by its month: OCT26.
HEADS = {
    "idnumber": "fide_id", "id": "fide_id", "name": "name", "fed": "federation", "sex": "sex", "tit": "title",
    "wtit": "women_title", "otit": "other_titles", "foa": "foa", "b-day": "born", "flag": "flag",
    "srtng": "standard", "rrtng": "rapid", "brtng": "blitz", "sk": "k_standard", "rk": "k_rapid", "bk": "k_blitz",
    "sgm": "", "rgm": "", "bgm": "", "gms": "", "k": "k",
}  # fmt: skip
NEEDED = ("fide_id", "name", "federation")
NUMERIC = ("standard", "rapid", "blitz", "k_standard", "k_rapid", "k_blitz")
ONLINE_TITLES = frozenset({"AGM", "AIM", "AFM", "ACM", "WAGM", "WAIM", "WAFM", "WACM"})


class Layout:
    """Where the columns of one file are. combined: it has three ratings. period: YYYY-MM if the header names it."""

    def __init__(self, header: str, kind: str) -> None:
        self.places: dict[str, tuple[int, int]] = {}
        self.period = ""
        heads = [(found.start(), found.group().replace(" ", "").lower()) for found in _HEAD.finditer(header)]
        ends = [start for start, _head in heads[1:]] + [len(header) + 40]
        for (start, head), end in zip(heads, ends, strict=True):
            column = HEADS.get(head, "")
            if column == "k":
                column = f"k_{kind}"
            elif (month := _MONTH.fullmatch(head)) and month[1] in MONTHS:
                column, self.period = kind, f"20{month[2]}-{MONTHS.index(month[1]) + 1:02}"
            if column:
                self.places[column] = (start, end)
        if missing := [name for name in NEEDED if name not in self.places]:
            raise ListRefused("header_unknown", missing=missing)
        if not {"standard", "rapid", "blitz"} & set(self.places):
            raise ListRefused("header_unknown", missing=["rating"])

    @property
    def width(self) -> int:
        """Return the length of a whole line without blanks at its end: up to the last rating or the year of birth."""
        return max(start for name, (start, _end) in self.places.items() if name in {*RATINGS, "born"}) + 4

    @property
    def combined(self) -> bool:
        return "rapid" in self.places and "standard" in self.places

    def reader(self) -> Callable[[str, int], Listed | BadLine]:
        """Return what reads one line."""
        places, numeric = self.places, [name for name in NUMERIC if name in self.places]
        titles = places.get("other_titles")

        def read(line: str, number: int) -> Listed | BadLine:
            shift = _shift(line, titles[1]) if titles else 0
            over = ""
            if shift and titles:
                over = line[titles[1] : titles[1] + shift]
                line = line[: titles[1]] + line[titles[1] + shift :]
            cells = {name: line[start:end] for name, (start, end) in places.items()}
            player_id = fide_id(cells["fide_id"])
            name = " ".join(cells["name"].split())
            code = "id_unreadable" if player_id is None else "name_missing" if not name else ""
            try:
                numbers: dict[str, Any] = {name: rating(cells[name]) for name in numeric}
                born = birth(cells.get("born", ""))
            except ValueError:
                code = code or "number_unreadable"
            if code:
                return BadLine(number, code, line.strip()[:100])
            return Listed(
                fide_id=player_id,
                name=name,
                federation=cells["federation"].strip(),
                sex=cells.get("sex", "").strip().lower().replace("f", "w"),
                born=born,
                title=cells.get("title", "").strip(),
                women_title=cells.get("women_title", "").strip(),
                other_titles=(cells.get("other_titles", "") + over).strip(),
                flag=cells.get("flag", "").strip(),
                **numbers,
            )

        return read


def _shift(line: str, end: int) -> int:
    """Return by how many characters other titles run over the end of their column. Everything after them moves.

    One man has so many titles that a reader with fixed columns finds them in his rating.
    """
    if line[end - 1 : end] in ("", " ") or line[end : end + 1] in ("", " "):
        return 0
    over = line[end:].partition(" ")[0]
    return 0 if over in ONLINE_TITLES else len(over)


def is_header(line: bytes) -> bool:
    return b"name" in line.lower() and b"fed" in line.lower() and line.lower().lstrip().startswith(b"id")


def read_lines(layout: Layout, lines: Iterable[bytes], skip: int) -> Iterator[tuple[int, Listed | BadLine]]:
    """Yield each line after the header with its number; the first `skip` lines are passed over unread."""
    read = layout.reader()
    for number, line in enumerate(lines, start=2):
        if number <= skip or not line.strip():
            continue
        yield number, read(decoded(line).rstrip("\r"), number)
