"""Read rating lists: FIDE's text and XML, and files of columns. Everything is a stream: no list is ever in memory."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ratings.errors import ListRefused
from ratings.models import RatingList
from ratings.players import BadLine, ListedPlayer, decoded

from . import columns, fide
from .packed import Packed

Kind = RatingList.Kind
FIRST_LINES = 20
_IN_NAME = re.compile(r"(standard|rapid|blitz)")
_MONTH_IN_NAME = re.compile(r"_([a-z]{3})(\d{2})frl")


@dataclass(frozen=True, slots=True)
class RatingListFacts:
    """What a file says about itself. period: YYYY-MM or "". kind: of `RatingList.Kind`."""

    kind: str
    period: str
    name: str


class ListFile:
    """An opened list. reading: for a file of columns, else none. kind: what people said, if the file does not."""

    def __init__(
        self, path: Path, *, name: str = "", reading: dict[str, Any] | None = None, kind: str = ""
    ) -> None:
        self._packed = Packed(path, name)
        self._layout: fide.FideColumns | None = None
        try:
            self.facts = self._begin(reading, kind)
        except ListRefused:
            self.close()
            raise

    def _begin(self, reading: dict[str, Any] | None, kind: str) -> RatingListFacts:
        name = self._packed.name.lower()
        if reading:
            self._reading = columns.checked(columns.ColumnReading(**reading))
            self._players = self._of_columns
            return RatingListFacts(Kind.NATIONAL, "", self._packed.name)
        single = found[1] if (found := _IN_NAME.search(name)) else kind
        single = single if single in ("standard", "rapid", "blitz") else "standard"
        month = _MONTH_IN_NAME.search(name)
        period = (
            f"20{month[2]}-{fide.MONTHS.index(month[1]) + 1:02}" if month and month[1] in fide.MONTHS else ""
        )
        pieces = self._packed.pieces()
        start = next(pieces, b"")
        if start.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
            if not fide.is_list(start):  # such as the page with which a server says that it is busy
                raise ListRefused("not_a_list")
            self._pieces = itertools.chain([start], pieces)
            self._kind = Kind.COMBINED if fide.is_combined(start) else Kind(single)
            self._players = self._of_xml
            return RatingListFacts(self._kind, period, self._packed.name)
        self._lines = self._packed.lines(itertools.chain([start], pieces))
        header = next((line for line in itertools.islice(self._lines, FIRST_LINES) if line.strip()), b"")
        header = header.removeprefix(b"\xef\xbb\xbf")
        if not fide.is_header(header):
            raise ListRefused("not_a_list")
        self._layout = layout = fide.FideColumns(header.decode("latin-1").rstrip(), single)
        self._players = self._of_text
        kind = Kind.COMBINED if layout.combined else Kind(single)
        return RatingListFacts(kind, layout.period or period, self._packed.name)

    def players(self, skip: int = 0) -> Iterator[tuple[int, ListedPlayer | BadLine]]:
        """Yield each line with its number; those up to `skip` are passed over. Raises ListRefused."""
        return self._players(skip)

    @property
    def is_cut(self) -> bool:
        """Return whether a list of fixed columns ends in the middle of a line, once all its lines are read."""
        line = self._packed.unended.rstrip()
        return bool(line) and self._layout is not None and len(decoded(line)) < self._layout.width

    def _of_text(self, skip: int) -> Iterator[tuple[int, ListedPlayer | BadLine]]:
        assert self._layout is not None
        return fide.read_lines(self._layout, self._lines, skip)

    def _of_xml(self, skip: int) -> Iterator[tuple[int, ListedPlayer | BadLine]]:
        return fide.read_players(self._pieces, self._kind, skip)

    def _of_columns(self, skip: int) -> Iterator[tuple[int, ListedPlayer | BadLine]]:
        return columns.read_rows(self._reading, self._packed.pieces(), skip)

    @property
    def fraction(self) -> float:
        """Return how much is read, 0 to 1."""
        return self._packed.fraction

    def close(self) -> None:
        self._packed.close()
