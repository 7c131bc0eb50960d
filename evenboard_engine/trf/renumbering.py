"""Pairing numbers that change during a tournament: which moved, and the lines that name players by them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from .report import Report, from_lines
from .team_lines import players_of, read_team_line, team_line, with_players

# The pairing numbers with which a round was paired, where players got other numbers later (GHR 2.3; Q112,
# Q113).
#
# FIDE's comments say which numbers moved, and after which round:
#
#     ### Regeneration @ Round 3: 32=>31 31=>32
#     ### Exchange @ Round 3: 2=>3 3=>2

_HEAD = "### (?:Regeneration|Exchange) @ Round ([0-9]{1,3}):(.*)"
_MOVE = "([0-9]{1,5})=>([0-9]{1,5})"


def is_renumbering(text: str) -> bool:
    """Whether a line is one of these comments."""
    return _moved(text) is not None


def numbers_now(report: Report) -> dict[int, int]:
    """Return the TPN of every player, by starting rank."""
    return {
        player.starting_rank: place if report.by_position else player.starting_rank
        for place, player in enumerate(report.players, start=1)
    }


def numbers_of_round(report: Report, number: int) -> dict[int, int]:
    """Return the TPN with which a round was paired, by starting rank.

    The comments on this round and on later rounds are followed back, the last one first. A player who entered after
    the round, and had no number in it, comes after all others. For a round to come, and for a file whose places are the
    numbers (XXC rank), these are the numbers of the file. Cost: linear.
    """
    numbers = numbers_now(report)
    steps = _steps(report)
    if number > report.rounds_paired or report.by_position:
        return numbers
    holders = {number: rank for rank, number in numbers.items()}
    for of, moved in reversed(steps):
        if of >= number:
            _undo(moved, holders)
    then = {rank: number for number, rank in holders.items()}
    free = max((0, *then.values()))
    for rank in numbers:
        if rank not in then:
            then[rank] = free = free + 1
    return then


@from_lines
def _steps(report: Report) -> tuple[tuple[int, dict[int, int]], ...]:
    """Return the steps of the comments: the round, and the new numbers by the old ones."""
    return tuple(step for record in report.kept if (step := _moved(record.text)) is not None)


def _undo(moved: Mapping[int, int], holders: dict[int, int]) -> None:
    """Give the numbers back that players had before a step, and none to players whom it let in.

    moved: new numbers by old ones. holders: starting ranks by number. Cost: linear in the numbers that moved.
    """
    former = {new: old for old, new in moved.items()}
    concerned = {number: holders.pop(number) for number in former.keys() | moved.keys() if number in holders}
    holders.update((former[number], rank) for number, rank in concerned.items() if number in former)


def _moved(text: str) -> tuple[int, dict[int, int]] | None:
    """Return the round and the new numbers by the old ones; None for another comment."""
    head = re.fullmatch(_HEAD, text.rstrip())
    if head is None:
        return None
    found = [re.fullmatch(_MOVE, word) for word in head[2].split()]
    moved = {int(one[1]): int(one[2]) for one in found if one is not None}
    if not moved or len({*moved.values()}) != len(found) or len(moved) != len(found):
        return None
    return int(head[1]), moved


# Starting ranks in lines that a section keeps: national records, teams (013, 310), line-ups (300), abnormal
# points (299), and comments on pairings and results.
#
# When pairing numbers move, these lines must still name the same players.

_NATIONAL = r"(?!XX|BB)[A-Z]{3} +([0-9]{1,5})(?!\S)"
_COMMENT = (
    r"### (MPA|Import|FPB|Correction|Rating correction|Earlier result|Earlier ratings|Adjournment|"
    r"Half-point byes asked later) @ Round [0-9]{1,3}: "
)
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
    if (national := re.match(_NATIONAL, text)) is not None:
        yield national.span(1)
    elif (comment := re.match(_COMMENT, text)) is not None:
        kind = _LIKE.get(comment[1], comment[1])
        for found in _NUMBERS[kind](text, comment.end() - 1):
            for group in range(1, (found.re.groups or 0) + 1):
                if found[group] is not None:
                    yield found.span(group)
