"""The pairing numbers with which a round was paired, where players got other numbers later (GHR 2.3; Q112, Q113).

FIDE's comments say which numbers moved, and after which round:

    ### Regeneration @ Round 3: 32=>31 31=>32
    ### Exchange @ Round 3: 2=>3 3=>2
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .report import Report, from_lines

_head = re.compile("### (?:Regeneration|Exchange) @ Round ([0-9]{1,3}):(.*)").fullmatch
_move = re.compile("([0-9]{1,5})=>([0-9]{1,5})").fullmatch


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
    head = _head(text.rstrip())
    if head is None:
        return None
    found = [_move(word) for word in head[2].split()]
    moved = {int(one[1]): int(one[2]) for one in found if one is not None}
    if not moved or len({*moved.values()}) != len(found) or len(moved) != len(found):
        return None
    return int(head[1]), moved
