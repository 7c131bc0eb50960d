"""FIDE's lists: in columns of fixed width, whose header says where each column begins, and in XML, read as a stream.

Declarations of a document type or of entities are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from xml.parsers import expat

from ratings.errors import ListRefused
from ratings.players import RATINGS, BadLine, ListedPlayer, birth, decoded, fide_id, rating

# FIDE's lists in columns of fixed width. The header line says where each column begins.

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


class FideColumns:
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

    def reader(self) -> Callable[[str, int], ListedPlayer | BadLine]:
        """Return what reads one line."""
        places, numeric = self.places, [name for name in NUMERIC if name in self.places]
        titles = places.get("other_titles")

        def read(line: str, number: int) -> ListedPlayer | BadLine:
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
            return ListedPlayer(
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


def read_lines(
    layout: FideColumns, lines: Iterable[bytes], skip: int
) -> Iterator[tuple[int, ListedPlayer | BadLine]]:
    """Yield each line after the header with its number; the first `skip` lines are passed over unread."""
    read = layout.reader()
    for number, line in enumerate(lines, start=2):
        if number <= skip or not line.strip():
            continue
        yield number, read(decoded(line).rstrip("\r"), number)


# FIDE's lists in XML, read as a stream. Declarations of a document type or of entities are refused.

MOST_CELLS = 60
LONGEST_CELL = 2_000


class _Players:
    """Collects the players of the pieces that the parser was given."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse
        self.parser.ExternalEntityRefHandler = self._refuse
        self.found: list[dict[str, str]] = []
        self._player: dict[str, str] | None = None
        self._cell = ""

    def _start(self, name: str, _attributes: Any) -> None:
        if name == "player":
            self._player = {}
        self._cell = name

    def _text(self, text: str) -> None:
        if self._player is not None and len(self._player) < MOST_CELLS:
            self._player[self._cell] = (self._player.get(self._cell, "") + text)[:LONGEST_CELL]

    def _end(self, name: str) -> None:
        if name == "player" and self._player is not None:
            self.found.append(self._player)
            self._player = None
        self._cell = ""

    def _refuse(self, *_declared: Any) -> int:
        raise ListRefused("xml_declarations")


def read_players(
    pieces: Iterable[bytes], kind: str, skip: int
) -> Iterator[tuple[int, ListedPlayer | BadLine]]:
    """Yield each player with its number, from 1. kind: of a list with one rating. The first `skip` are passed over."""
    players, number = _Players(), 0
    for piece, last in _with_end(pieces):
        try:
            players.parser.Parse(piece, last)
        except expat.ExpatError as error:
            raise ListRefused("xml_broken", line=error.lineno) from error
        found, players.found = players.found, []
        for cells in found:
            number += 1
            if number > skip:
                yield number, _listed(cells, number, kind)


def _with_end(pieces: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    for piece in pieces:
        yield piece, False
    yield b"", True


def is_list(start: bytes) -> bool:
    """Return whether a file with this beginning may be a list: any other XML, such as a page, has no players."""
    return b"<player" in start


def is_combined(start: bytes) -> bool:
    """Return whether the first players of a file have several ratings."""
    return b"<rapid_rating" in start or b"<blitz_rating" in start


def _listed(cells: dict[str, str], number: int, kind: str) -> ListedPlayer | BadLine:
    single = {"combined": "standard"}.get(kind, kind)
    sources = {
        single: "rating", f"k_{single}": "k", "rapid": "rapid_rating", "k_rapid": "rapid_k",
        "blitz": "blitz_rating", "k_blitz": "blitz_k",
    }  # fmt: skip
    if kind != "combined":
        sources = {single: "rating", f"k_{single}": "k"}
    player_id = fide_id(cells.get("fideid", ""))
    name = " ".join(cells.get("name", "").split())
    if player_id is None or not name:
        return BadLine(
            number,
            "name_missing" if player_id else "id_unreadable",
            f"{cells.get('fideid', '')} {name}".strip()[:100],
        )
    try:
        numbers: dict[str, Any] = {field: rating(cells.get(source, "")) for field, source in sources.items()}
        born = birth(cells.get("birthday", ""))
    except ValueError:
        return BadLine(number, "number_unreadable", f"{player_id} {name}"[:100])

    def cell(key: str) -> str:
        return " ".join(cells.get(key, "").split())

    return ListedPlayer(
        fide_id=player_id,
        name=name,
        federation=cell("country"),
        sex=cell("sex").lower().replace("f", "w"),
        born=born,
        title=cell("title"),
        women_title=cell("w_title"),
        other_titles=cell("o_title"),
        flag=cell("flag"),
        **numbers,
    )
