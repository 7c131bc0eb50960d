"""What results are worth in a report file: point systems, and points by decision of the arbiter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from evenboard_engine.model import ByeKind, PointSystem, Ruling
from evenboard_engine.rulings import PointsByDecision

from .codes import BYE_OF_SYMBOL, OUTCOME_OF_SYMBOL, RULED
from .records import AbnormalPoints, RoundEntry, Scoring

# Point systems in a report file: record 162 (TRF26), XXS (JaVaFo) and the BB records (bbpPairings).

FIELDS: dict[str, dict[str, tuple[str, ...]]] = {
    "XXS": {
        "WW": ("white_win",),
        "BW": ("black_win",),
        "WD": ("white_draw",),
        "BD": ("black_draw",),
        "WL": ("white_loss",),
        "BL": ("black_loss",),
        "ZPB": ("zero_bye",),
        "HPB": ("half_bye",),
        "FPB": ("full_bye",),
        "PAB": ("allocated_bye",),
        "FW": ("forfeit_win",),
        "FL": ("forfeit_loss",),
        "W": ("white_win", "black_win", "forfeit_win", "full_bye"),
        "D": ("white_draw", "black_draw", "half_bye"),
        "L": ("white_loss", "black_loss"),
    },
    "162": {
        "W": ("white_win", "black_win", "forfeit_win", "full_bye"),
        "D": ("white_draw", "black_draw", "half_bye"),
        "L": ("white_loss", "black_loss"),
        "A": ("zero_bye", "forfeit_loss"),
        "P": ("allocated_bye",),
        "X": (),
    },
    "299": {
        "W": ("white_win", "black_win"),
        "D": ("white_draw", "black_draw"),
        "L": ("white_loss", "black_loss"),
        "F": ("full_bye",),
        "H": ("half_bye",),
        "Z": ("zero_bye",),
        "+": ("forfeit_win",),
        "-": ("forfeit_loss",),
    },
    "BB": {
        "BBW": ("white_win", "black_win", "forfeit_win", "full_bye"),
        "BBD": ("white_draw", "black_draw", "half_bye"),
        "BBL": ("white_loss", "black_loss"),
        "BBZ": ("zero_bye",),
        "BBF": ("forfeit_loss",),
        "BBU": ("allocated_bye",),
    },
}
"""For each dialect, the fields of PointSystem that a symbol sets."""

DIALECT = {"XXS": "XXS", "162": "162", **dict.fromkeys(FIELDS["BB"], "BB")}
"""The dialect of each record code."""

_DEFAULT = PointSystem()


def point_system(
    records: Iterable[Scoring], abnormal: Iterable[AbnormalPoints] = ()
) -> tuple[PointSystem, tuple[Scoring, str] | None]:
    """Return the point system that the records describe, and the first contradiction between two dialects.

    abnormal: records 299 of players. Those of everybody in every round say more exactly what 162 says.

    Within a dialect the last word counts; two dialects must agree on every field that both set. A contradiction is
    the record with the second value, and the field. An allocated bye that is not mentioned is worth a win in 162 and
    BB; in XXS it keeps its default, as JaVaFo's manual says.
    """
    given: dict[str, dict[str, int]] = {}
    last: dict[str, Scoring] = {}
    for record in records:
        dialect = DIALECT[record.code]
        last[dialect] = record
        for symbol, points in record.items:
            given.setdefault(dialect, {}).update(dict.fromkeys(FIELDS[dialect][symbol], points))
    for one in abnormal:
        if one.is_of_point_system and one.points is not None:
            given.setdefault("162", {}).update(dict.fromkeys(FIELDS["299"][one.kind], one.points))
    merged: dict[str, int] = {}
    conflict: tuple[Scoring, str] | None = None
    for dialect, fields in given.items():
        for name, points in fields.items():
            if conflict is None and merged.get(name, points) != points:
                conflict = (last.get(dialect) or next(iter(last.values())), name)
        merged.update(fields)
    if "allocated_bye" not in merged and "white_win" in merged and "XXS" not in given:
        merged["allocated_bye"] = merged["white_win"]
    return replace(_DEFAULT, **merged), conflict


def scoring_records(points: PointSystem, *, adjourned: bool = False) -> tuple[Scoring | AbnormalPoints, ...]:
    """Return the records of a point system: none for the usual one, else XXS, after 162 where 162 can say it.

    With 299 it can say all but different points for White and Black.

    adjourned: 162 also says what an adjourned game counts.
    """
    records = _records_of(points)
    if not adjourned:
        return records
    known = next((one.items for one in records if isinstance(one, Scoring) and one.code == "162"), ())
    others = (one for one in records if isinstance(one, AbnormalPoints) or one.code != "162")
    return Scoring("162", (*known, ("X", points.white_draw))), *others


def _records_of(points: PointSystem) -> tuple[Scoring | AbnormalPoints, ...]:
    if points == _DEFAULT:
        return ()
    full = tuple(
        (symbol, getattr(points, fields[0])) for symbol, fields in FIELDS["XXS"].items() if len(symbol) > 1
    )
    short = Scoring(
        "162",
        tuple((symbol, getattr(points, fields[0])) for symbol, fields in FIELDS["162"].items() if fields),
    )
    by_162 = point_system((short,))[0]
    abnormal = tuple(
        AbnormalPoints(symbol, None, getattr(points, fields[0]))
        for symbol, fields in FIELDS["299"].items()
        if any(getattr(points, name) != getattr(by_162, name) for name in fields)
    )
    whole = point_system((short,), abnormal)[0] == points
    return (short, *abnormal, Scoring("XXS", full)) if whole else (Scoring("XXS", full),)


# Record 299 in a tournament of players: what results are worth, and bonuses and penalties (decision 83).

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


def points_of(decided: PointsByDecision, number: int, entry: RoundEntry, usual: int) -> int:
    """Return the score of a player after a round less the one before it. usual: of the entry by the point system."""
    of = OUTCOME_OF_SYMBOL.get(entry.symbol) or BYE_OF_SYMBOL.get(entry.symbol)
    if not entry.symbol and entry.opponent is None:
        of = ByeKind.ZERO
    points = None if of is None else decided.points_of(of, number)
    return (usual if points is None else points) + decided.added.get(number, 0)
