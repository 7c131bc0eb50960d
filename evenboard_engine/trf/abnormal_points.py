"""Record 299 in a tournament of players: what results are worth, and bonuses and penalties (decision 83)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evenboard_engine.model import ByeKind, Ruling
from evenboard_engine.rulings import Decided

from .codes import BYE_OF_SYMBOL, OUTCOME_OF_SYMBOL, RULED
from .records import RoundEntry
from .team_records import AbnormalPoints

SYMBOL_OF_RULED = {of: symbol for symbol, of in RULED.items()}


def rulings_of(records: Iterable[AbnormalPoints], everybody: Sequence[int]) -> Iterator[Ruling]:
    """Yield what records decide, by starting rank. everybody: all players.

    A result of everybody in all rounds is left out: its points are part of the point system (`Report.points`).
    """
    for record in records:
        if not record.is_of_point_system:
            of = RULED.get(record.kind)
            for player in record.numbers or everybody:
                yield Ruling(player, record.round, record.points or 0, of)


def abnormal_records(rulings: Iterable[Ruling]) -> Iterator[AbnormalPoints]:
    """Yield the records of decisions, one for all players with the same. The ids are starting ranks.

    Bonuses and penalties of one player and round are added up. Of two decisions on the same results the later counts.
    """
    points: dict[tuple[int, str, int], int] = {}
    for one in rulings:
        symbol = "" if one.of is None else SYMBOL_OF_RULED[one.of]
        key = one.round, symbol, one.player
        points[key] = one.points + (points.get(key, 0) if one.of is None else 0)
    groups: dict[tuple[int, str, int], list[int]] = {}
    for (number, symbol, player), given in points.items():
        if symbol or given:
            groups.setdefault((number, symbol, given), []).append(player)
    for (number, symbol, given), players in sorted(groups.items()):
        yield AbnormalPoints(symbol, None, given, number, tuple(sorted(players)))


def points_of(decided: Decided, number: int, entry: RoundEntry, usual: int) -> int:
    """Return the score of a player after a round less the one before it. usual: of the entry by the point system."""
    of = OUTCOME_OF_SYMBOL.get(entry.symbol) or BYE_OF_SYMBOL.get(entry.symbol)
    if not entry.symbol and entry.opponent is None:
        of = ByeKind.ZERO
    points = None if of is None else decided.points_of(of, number)
    return (usual if points is None else points) + decided.added.get(number, 0)
