"""The comment on a round paired by hand: the engine's pairs => those of the arbiter, `19-7 44=PAB => 19-44 7=PAB`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

from tournaments.models import Bye, Round
from tournaments.queries.by_hand import Comparison
from tournaments.queries.field import SectionField

MOST = 2_000
"""Pairs on either side, so that readers accept the length of the line."""

NO_ROUND = "none"
"""In place of the engine's pairs where no legal round exists."""

Pairs = Iterable[tuple[int, int]]


def line_of_round(field: SectionField, row: Round) -> str:
    """Return the line of a round that pairing by hand has left, with the pairing numbers of today. No query."""
    engine: Mapping[str, Any] = row.engine_pairing
    games = [game.as_of(row.number) for game in field.games if game.round_id == row.pk]
    byes = [
        bye.participant_id
        for bye in field.byes
        if bye.round_number == row.number and bye.source == Bye.Source.ALLOCATED
    ]
    return _line(
        _numbers(field),
        theirs=([(white, black) for white, black in engine.get("pairs", ())], engine.get("bye")),
        mine=([(game.white_id, game.black_id) for game in games], byes[0] if byes else None),
    )


def line_of_comparison(compared: Comparison) -> str:
    """Return the line that the report file would have if pairing by hand ended now."""
    mine, theirs = compared.bye
    return _line(
        _numbers(compared.position.field), theirs=(compared.engines, theirs), mine=(compared.mine, mine)
    )


def _numbers(field: SectionField) -> dict[int, int | None]:
    return {key: entry.tpn for key, entry in field.participants.items()}


def _line(
    tpn: Mapping[int, int | None], *, theirs: tuple[Pairs, int | None], mine: tuple[Pairs, int | None]
) -> str:
    """Return both sides without what they share: pairs, White first, in the order of White's numbers, then the bye.

    The order is not that of the boards: they get new numbers at the end of pairing by hand, after the line was shown.
    """
    sides = []
    for (pairs, bye), (other_pairs, other_bye) in ((theirs, mine), (mine, theirs)):
        others = set(other_pairs)
        alone = [(tpn[white] or 0, tpn[black]) for white, black in pairs if (white, black) not in others]
        words = [f"{white}-{black}" for white, black in sorted(alone, key=itemgetter(0))]
        if bye is not None and bye != other_bye:
            words.append(f"{tpn[bye]}=PAB")
        sides.append(" ".join(words[:MOST]) or NO_ROUND)
    return " => ".join(sides)
