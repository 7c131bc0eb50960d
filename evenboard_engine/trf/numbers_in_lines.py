"""Starting ranks in lines that a section keeps: national records, teams (013, 310), line-ups (300), abnormal points
(299), and comments on pairings and results.

When pairing numbers move, these lines must still name the same players.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .team_lines import players_of, read_team_line, team_line, with_players

_national = re.compile(r"(?!XX|BB)[A-Z]{3} +([0-9]{1,5})(?!\S)").match
_comment = re.compile(
    r"### (MPA|Import|FPB|Correction|Rating correction|Earlier result|Earlier ratings|Adjournment|"
    r"Half-point byes asked later) @ Round [0-9]{1,3}: "
).match
_NUMBERS = {
    "MPA": re.compile(r"(?<!\S)([0-9]{1,5})(?:-([0-9]{1,5})|=(?:PAB|HPB|FPB|ZPB))(?!\S)").finditer,
    "Correction": re.compile(r"(?<!\S)([0-9]{1,5})-([0-9]{1,5}):").finditer,
    "Earlier ratings": re.compile(r"(?<!\S)([0-9]{1,5})=(?=[0-9]{1,4}(?!\S))").finditer,
    "Adjournment": re.compile(r"(?<=: )([0-9]{1,5})-([0-9]{1,5}) (?=\S+$)").finditer,
}
_LIKE = {
    "Half-point byes asked later": "Earlier ratings",
    "Import": "MPA",
    "FPB": "MPA",
    "Rating correction": "Correction",
    "Earlier result": "Correction",
}


def ranks_in(text: str, *, of_teams: bool = False) -> tuple[int, ...]:
    """Return the starting ranks that a line names; () for a line of an unknown form. of_teams: `is_team_event`."""
    if (team := read_team_line(text)) is not None:
        return players_of(team, of_teams=of_teams)
    return tuple(int(text[start:end]) for start, end in _places(text))


def with_numbers(text: str, number_of: Callable[[int], int | None], *, of_teams: bool = False) -> str | None:
    """Return the line with other numbers. number_of: by starting rank, None for a removed player.

    What is about removed players only (a national record, 299) becomes None; a comment gets "?" instead of the number,
    a team a blank. of_teams: the line is of a team event (`is_team_event`).
    """
    if (team := read_team_line(text)) is not None:
        changed = with_players(team, number_of, of_teams=of_teams)
        return None if changed is None else team_line(changed)
    places = list(_places(text))
    if not places:
        return text
    if not text.startswith("###"):
        ((start, end),) = places
        number = number_of(int(text[start:end]))
        if number is None:
            return None
        kept = text[:start].rstrip() + " "
        return f"{kept}{number:>{end - len(kept)}}{text[end:]}"
    parts, at = [], 0
    for start, end in places:
        parts += [text[at:start], str(number_of(int(text[start:end])) or "?")]
        at = end
    return "".join((*parts, text[at:]))


def _places(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the numbers are: the first column, and the column after the last, counted from 0."""
    if (national := _national(text)) is not None:
        yield national.span(1)
    elif (comment := _comment(text)) is not None:
        kind = _LIKE.get(comment[1], comment[1])
        for found in _NUMBERS[kind](text, comment.end() - 1):
            for group in range(1, (found.re.groups or 0) + 1):
                if found[group] is not None:
                    yield found.span(group)
