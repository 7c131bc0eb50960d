"""Record 299 in a tournament of players: what results are worth, and bonuses and penalties (decision 83)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pairing.engine.model import ByeKind, Outcome, Ruling

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


class Decided:
    """What was decided for one player. added: bonuses and penalties by round, 0 before round 1."""

    def __init__(self, rulings: Iterable[Ruling]) -> None:
        self.added: dict[int, int] = {}
        self._of: dict[Outcome | ByeKind, dict[int, int]] = {}
        for one in rulings:
            if one.of is None:
                self.added[one.round] = self.added.get(one.round, 0) + one.points
            else:
                self._of.setdefault(one.of, {})[one.round] = one.points

    def points(self, number: int, entry: RoundEntry, usual: int) -> int:
        """Return the points of the player after a round less those before it. usual: of the entry, without this."""
        of = OUTCOME_OF_SYMBOL.get(entry.symbol) or BYE_OF_SYMBOL.get(entry.symbol)
        if not entry.symbol and entry.opponent is None:
            of = ByeKind.ZERO
        rounds: Mapping[int, int] = self._of.get(of, {}) if of else {}
        return rounds.get(number, rounds.get(0, usual)) + self.added.get(number, 0)
