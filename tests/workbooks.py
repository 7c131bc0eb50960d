"""Compare a workbook with the CSV file of the same list."""

from __future__ import annotations

import csv
import io
from unicodedata import numeric

from django.test import Client
from openpyxl import load_workbook


def same_rows(client: Client, table: str, workbook: str) -> list[tuple[object, ...]]:
    """Return the rows of a workbook, which are those of the CSV file. A number may be written as text there."""
    answers = [client.get(path) for path in (table, workbook)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[1].headers["Content-Disposition"] == answers[0].headers["Content-Disposition"].replace(
        ".csv", ".xlsx"
    )
    lines = list(csv.reader(io.StringIO(answers[0].content.decode("utf-8-sig"), newline=""), delimiter=";"))
    width = max(map(len, lines))
    found = list(load_workbook(io.BytesIO(answers[1].content)).active.values)
    expected = [[*line, *([""] * (width - len(line)))] for line in lines]
    assert [
        [
            cell if isinstance(value, str) or value is None else _number(cell)
            for cell, value in zip(*pair, strict=True)
        ]
        for pair in zip(expected, found, strict=True)
    ] == [["" if value is None else value for value in row] for row in found]
    return found


def _number(cell: str) -> float:
    """Return the value of 12, 12½, 14.600 or "3 3/10"."""
    if cell[-1] in "¼½¾":
        return int(cell[:-1] or 0) + numeric(cell[-1])
    whole, _space, part = cell.partition(" ")
    over, _slash, under = part.partition("/")
    return float(whole) + (int(over) / int(under) if part else 0)
