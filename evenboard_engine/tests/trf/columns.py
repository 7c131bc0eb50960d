"""Player lines made from the columns in the specification, not by the code that writes reports."""

from __future__ import annotations

FIELDS = {
    "code": (1, 3),
    "starting_rank": (5, 8),
    "sex": (10, 10),
    "title": (11, 13),
    "name": (15, 47),
    "rating": (49, 52),
    "federation": (54, 56),
    "fide_id": (58, 68),
    "birth_date": (70, 79),
    "points": (81, 84),
    "rank": (86, 89),
}
RIGHT = {"starting_rank", "title", "rating", "fide_id", "points", "rank"}


def player_line(*entries: str, **fields: object) -> str:
    """Return a 001 line. An entry is "opponent colour result" ("3 w 1", "0000 - H"), or "" for a blank round."""
    columns = [" "] * (89 + 10 * len(entries))

    def put(first: int, last: int, text: str, right: bool) -> None:
        width = last - first + 1
        columns[first - 1 : last] = text.rjust(width) if right else text.ljust(width)

    for name, value in {"code": "001", **fields}.items():
        put(*FIELDS[name], str(value), name in RIGHT)
    for number, entry in enumerate(entries):
        if entry:
            opponent, colour, result = entry.split(" ")
            put(92 + 10 * number, 95 + 10 * number, opponent, True)
            put(97 + 10 * number, 97 + 10 * number, colour, False)
            put(99 + 10 * number, 99 + 10 * number, result, False)
    return "".join(columns).rstrip()


def as_file(*lines: str, newline: str = "\r\n") -> bytes:
    return "".join(line + newline for line in lines).encode()
