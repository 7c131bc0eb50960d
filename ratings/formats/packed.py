"""The bytes of a list, from a plain file or from a ZIP, piece by piece and with limits."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from ratings.errors import ListRefused

MOST_BYTES = 3 * 1024**3
"""Of an unpacked list. FIDE's largest file has 0.9 GB."""
MOST_PACKED = 400 * 1024**2
MOST_TIMES = 400
"""How much larger than its ZIP a list may be. FIDE's XML is 25 times as large."""
MOST_MEMBERS = 50
MOST_TABLE = 1024**2
"""Bytes of the table of members at the end of a ZIP. zipfile reads it as a whole, and 400 MB can be nothing else."""
LONGEST_END = 22 + 65_535 + 76
"""Bytes behind that table: the end record with its comment, and the two records of ZIP64 before it."""
PIECE = 1024**2
LONGEST_LINE = 64 * 1024
ENDINGS = (".txt", ".xml", ".csv", ".tsv")


class Packed:
    """An opened list. name: of the file, inside a ZIP if it is one. size: of what is read. read: so far.

    unended: the last line, if it has no end.
    """

    def __init__(self, path: Path, shown_name: str = "") -> None:
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise ListRefused("file_missing") from error
        self._zip: zipfile.ZipFile | None = None
        self.name = shown_name or path.name
        self.size = path.stat().st_size
        self.read = 0
        self.unended = b""
        self._stream: IO[bytes] = self._file
        try:
            if self._file.read(4) == b"PK\x03\x04":
                self._open_zip(path.stat().st_size)
            elif self.size > MOST_BYTES:
                raise ListRefused("too_large", megabytes=MOST_BYTES // 1024**2)
        except ListRefused:
            self.close()
            raise
        if self._zip is None:
            self._file.seek(0)

    def _open_zip(self, packed: int) -> None:
        if packed > MOST_PACKED:
            raise ListRefused("too_large", megabytes=MOST_PACKED // 1024**2)
        if self._table_bytes(packed) > MOST_TABLE:
            raise ListRefused("packed_badly")
        try:
            self._zip = zipfile.ZipFile(self._file)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise ListRefused("packed_badly") from error
        members = self._zip.infolist()
        if len(members) > MOST_MEMBERS:
            raise ListRefused("packed_badly")
        lists = [one for one in members if one.filename.lower().endswith(ENDINGS)]
        if not lists:
            raise ListRefused("packed_empty")
        member = max(lists, key=lambda one: one.file_size)
        if member.file_size > MOST_BYTES or member.file_size > MOST_TIMES * max(packed, 10_000):
            raise ListRefused("packed_bomb")
        self.name = member.filename.rpartition("/")[2]
        self.size = member.file_size
        try:
            self._stream = self._zip.open(member)
        except (
            zipfile.BadZipFile,
            RuntimeError,
            NotImplementedError,
        ) as error:  # RuntimeError: with a password
            raise ListRefused("packed_badly") from error

    def _table_bytes(self, packed: int) -> int:
        """Return how long the table of members is, by the record that zipfile reads; 0 without such a record."""
        self._file.seek(max(0, packed - LONGEST_END))
        end = self._file.read()
        at = end.rfind(b"PK\x05\x06")
        if at >= 76 and end[at - 20 : at - 16] == b"PK\x06\x07" and end[at - 76 : at - 72] == b"PK\x06\x06":
            return int.from_bytes(end[at - 36 : at - 28], "little")
        return int.from_bytes(end[at + 12 : at + 16], "little") if at >= 0 else 0

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes. Raises ListRefused if there are more than the file said."""
        while True:
            try:
                piece = self._stream.read(PIECE)
            except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
                raise ListRefused("packed_badly") from error
            if not piece:
                return
            self.read += len(piece)
            if self.read > self.size:
                raise ListRefused("packed_bomb")
            yield piece

    def lines(self, pieces: Iterable[bytes] | None = None) -> Iterator[bytes]:
        """Yield the lines without their ends. pieces: if some of them were taken already, all of them."""
        rest, number = b"", 0
        for piece in pieces or self.pieces():
            found = (rest + piece).split(b"\n")
            rest = found.pop()
            if len(rest) > LONGEST_LINE:
                raise ListRefused("line_too_long", line=number + len(found) + 1)
            yield from found
            number += len(found)
        if rest:
            self.unended = rest
            yield rest

    @property
    def fraction(self) -> float:
        return min(self.read / self.size, 1.0) if self.size else 1.0

    def close(self) -> None:
        self._stream.close()
        if self._zip is not None:
            self._zip.close()
        self._file.close()
