"""Tables as pages that stand alone: HTML without scripts and without anything from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.html import escape

from .table_files import Cell, Write

_STYLE = (
    "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}"
    "th,td{border:1px solid #999;padding:.2em .5em;text-align:left}"
)


def page_file(title: str) -> Write:
    """Return the function that writes a table as a page with this title."""

    def write(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
        lines = [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>",
            f"<table>\n<thead>\n<tr>{_cells(head, 'th')}</tr>\n</thead>\n<tbody>",
            *(f"<tr>{_cells(row, 'td')}</tr>" for row in rows),
            "</tbody>\n</table>\n</body>\n</html>\n",
        ]
        return "\n".join(lines).encode()

    return write


def _cells(row: Sequence[Cell], tag: str) -> str:
    return "".join(f"<{tag}>{'' if cell is None else escape(str(cell))}</{tag}>" for cell in row)
