"""Small rating lists in each format, and their import."""

from __future__ import annotations

import io
import zipfile
from contextlib import closing
from typing import Any

from ratings.actions.importing import import_list
from ratings.actions.offering import new_file, offer_list, path_of
from ratings.formats import ListFile
from ratings.models import RatingList
from ratings.players import BadLine, ListedPlayer

COMBINED = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA "
    "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
RAPID = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA "
    "OCT26 Gms K  B-day Flag"
)


def combined_line(
    fide_id: int | str, name: str, *ratings: int | str, year: int | str = 1990, **more: str
) -> str:
    """Return a line of FIDE's combined list. ratings: standard, rapid, blitz."""
    values = "".join(
        f"{value or '':<6}{'':4}{20 if value else '':<3}" for value in (*ratings, "", "", "")[:3]
    )
    return (
        f"{fide_id:<15}{name:<61}{more.get('fed', 'NOR'):<4}{more.get('sex', 'M'):<4}{more.get('title', ''):<5}"
        f"{more.get('women', ''):<5}{more.get('other', ''):<15}{'':4}{values}{year:<6}{more.get('flag', ''):<4}"
    )


def rapid_line(fide_id: int, name: str, rating: int) -> str:
    """Return a line of FIDE's rapid list."""
    person = f"{fide_id:<15}{name:<61}{'GER':<4}{'F':<4}{'':<5}{'WGM':<5}{'':15}{'':4}"
    return f"{person}{rating:<6}{'3':<4}{'10':<3}{'1985':<6}{'w':<4}"


def field(count: int = 300) -> list[str]:
    """Return the lines of `count` players. The first one has the highest rating."""
    return [combined_line(1000 + n, f"Player{n:04}, Test", 2800 - n) for n in range(count)]


def text(*lines: str, header: str = COMBINED) -> bytes:
    return ("\r\n".join([header, *lines]) + "\r\n").encode()


def xml(*players: dict[str, Any]) -> bytes:
    cells = ["".join(f"<{key}>{value}</{key}>\n" for key, value in player.items()) for player in players]
    players_of_list = "".join(f"<player>{one}</player>" for one in cells)
    return f"<?xml version='1.0'?>\n<playerslist>{players_of_list}</playerslist>".encode()


def zipped(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(name, data)
    return out.getvalue()


def offered(data: bytes, name: str = "players_list_foa.txt", **options: Any) -> RatingList:
    """Return a list that waits for its import."""
    token = new_file()
    path_of(token).write_bytes(data)
    return offer_list(file=token, file_name=name, **{"period": "2026-11", **options})


def imported(data: bytes, name: str = "players_list_foa.txt", **options: Any) -> RatingList:
    """Return the list after its import, in whatever state."""
    made = import_list(offered(data, name, **options).pk)
    assert made is not None
    made.refresh_from_db()
    return made


def read(path: Any, data: bytes, name: str = "", **options: Any) -> tuple[list[ListedPlayer], list[BadLine]]:
    """Return the players and the bad lines of a file."""
    path.write_bytes(data)
    file = ListFile(path, name=name, **options)
    with closing(file):
        found = [item for _number, item in file.players()]
    return [one for one in found if isinstance(one, ListedPlayer)], [
        one for one in found if isinstance(one, BadLine)
    ]
