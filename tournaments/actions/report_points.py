"""The points of a report file: the point system of a section, and points by decision of the arbiter (299)."""

from __future__ import annotations

from collections.abc import Iterable

from pairing.engine import PointSystem, Ruling
from pairing.engine.trf import RULED, SYMBOL_OF_RULED, AbnormalPoints, Report
from tournaments.errors import DomainError
from tournaments.models import Participant, Section


def take_rulings(rulings: Iterable[Ruling], by_rank: dict[int, Participant]) -> None:
    """Take points by decision of the arbiter (299). The file does not say when they were decided."""
    for one in rulings:
        of = SYMBOL_OF_RULED[one.of] if one.of else ""
        row = {"round": one.round, "of": of, "points": one.points, "after": 0}
        by_rank[one.player].rulings = [*by_rank[one.player].rulings, row]


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
