"""Byes of older files (TRF06): a result without an opponent, which does not say whether the bye was allocated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from evenboard_engine.model import ByeKind

from .errors import TrfError
from .players import OldBye
from .records import PlayerRecord, Record

_ALLOCATED = ByeKind.ALLOCATED.value


def take_old_byes(
    records: Sequence[Record], old_byes: Sequence[OldBye]
) -> tuple[list[Record], tuple[TrfError, ...]]:
    """Return the records, with `+` as the allocated bye where it can be nothing else, and a warning for each kind.

    The reader has taken `+` as a full-point bye. It is the allocated bye in a round with games in which nobody else
    scores a full point without an opponent, unless the player had the bye or a forfeit win before (C.04.4.1, C2).
    """
    if not old_byes:
        return list(records), ()
    in_round: Counter[int] = Counter()
    with_games: set[int] = set()
    barred: dict[int, int] = {}
    for player in (record for record in records if isinstance(record, PlayerRecord)):
        for number, entry in enumerate(player.entries, start=1):
            if entry.opponent is not None:
                with_games.add(number)
            elif entry.symbol in (_ALLOCATED, ByeKind.FULL.value):
                in_round[number] += 1
            if entry.symbol == _ALLOCATED or (entry.opponent is not None and entry.symbol == "+"):
                barred.setdefault(player.starting_rank, number)
    allocated: set[tuple[int, int]] = set()
    for bye in sorted(old_byes, key=lambda bye: bye.round):
        only = bye.symbol == "+" and in_round[bye.round] == 1 and bye.round in with_games
        if only and barred.get(bye.player, bye.round) >= bye.round:
            allocated.add((bye.round, bye.player))
            barred.setdefault(bye.player, bye.round)
    return [_with(record, allocated) for record in records], _warnings(old_byes, allocated)


def _with(record: Record, allocated: set[tuple[int, int]]) -> Record:
    if not isinstance(record, PlayerRecord):
        return record
    entries = tuple(
        replace(entry, symbol=_ALLOCATED) if (number, record.starting_rank) in allocated else entry
        for number, entry in enumerate(record.entries, start=1)
    )
    return record if entries == record.entries else replace(record, entries=entries)


def _warnings(old_byes: Sequence[OldBye], allocated: set[tuple[int, int]]) -> tuple[TrfError, ...]:
    """Return one warning for each kind of bye, with its first place; its byes are (starting rank, round)."""
    kinds = {"=": "old_byes_half", "-": "old_byes_zero"}
    by_code: dict[str, list[OldBye]] = {}
    for bye in old_byes:
        full = "old_byes_allocated" if (bye.round, bye.player) in allocated else "old_byes_full"
        by_code.setdefault(kinds.get(bye.symbol, full), []).append(bye)
    return tuple(
        TrfError(
            code,
            line=byes[0].line,
            column=byes[0].column,
            byes=tuple((bye.player, bye.round) for bye in byes),
        )
        for code, byes in by_code.items()
    )
