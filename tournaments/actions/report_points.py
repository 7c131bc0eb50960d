"""The points of a report file: the point system of a section, and points by decision of the arbiter (299)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from evenboard_engine import PointSystem, Ruling
from evenboard_engine.trf import RULED, SYMBOL_OF_RULED, AbnormalPoints, DecidedLater, Report
from tournaments.errors import DomainError
from tournaments.models import Participant, Section


def take_rulings(
    rulings: Iterable[Ruling], later: Iterable[DecidedLater], by_rank: dict[int, Participant]
) -> None:
    """Take points by decision of the arbiter (299). later: when and why, as far as comments say it."""
    rows: dict[int, list[dict[str, Any]]] = defaultdict(list)
    left: dict[tuple[int, int], int] = defaultdict(int)
    for known in later:
        rows[known.player].append(
            ruling_row(known.round, known.points, after=known.after, reason=known.reason)
        )
        left[known.player, known.round] -= known.points
    for one in rulings:
        if one.of is None:
            left[one.player, one.round] += one.points
        else:
            rows[one.player].append(ruling_row(one.round, one.points, of=SYMBOL_OF_RULED[one.of]))
    for (player, number), points in left.items():
        if points:
            rows[player].append(ruling_row(number, points))
    for player, found in rows.items():
        by_rank[player].rulings = found


def ruling_row(number: int, points: int, *, of: str = "", after: int = 0, reason: str = "") -> dict[str, Any]:
    """Return a decision in the form of `Participant.rulings`."""
    return {"round": number, "of": of, "points": points, "after": after, "reason": reason}


def points_of_section(report: Report) -> tuple[dict[str, int], tuple[Ruling, ...]]:
    """Return the settings of a section with the points of a file, and what they cannot say, as decisions for everybody.

    Raises DomainError("report_points").
    """
    general = [one for one in report.of_type(AbnormalPoints) if one.is_of_point_system]
    if not general or report.is_team_event:
        return _point_settings(report.points), ()
    try:
        return _point_settings(report.points), ()
    except DomainError:
        others = Report(tuple(record for record in report.records if record not in general))
        everybody = [player.starting_rank for player in report.players]
        return _point_settings(others.points), tuple(
            Ruling(rank, 0, one.points or 0, RULED[one.kind]) for one in general for rank in everybody
        )


def _point_settings(points: PointSystem) -> dict[str, int]:
    """Return the settings of a section with this point system. Raises DomainError("report_points")."""
    settings = {
        "win_points": points.white_win,
        "draw_points": points.white_draw,
        "loss_points": points.white_loss,
        "bye_points": points.allocated_bye,
    }
    made = Section(**settings).point_system
    for symbol in PointSystem.__slots__:
        if getattr(points, symbol) != getattr(made, symbol):
            raise DomainError("report_points", symbol=symbol, points=getattr(points, symbol))
    return settings
