"""FIDE's lists in XML, read as a stream. Declarations of a document type or of entities are refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from xml.parsers import expat

from ratings.errors import ListRefused
from ratings.players import BadLine, Listed

from .values import birth, fide_id, rating

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


def read_players(pieces: Iterable[bytes], kind: str, skip: int) -> Iterator[tuple[int, Listed | BadLine]]:
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


def _listed(cells: dict[str, str], number: int, kind: str) -> Listed | BadLine:
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

    return Listed(
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
