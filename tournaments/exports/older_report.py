"""The report file of a section in an older format, and what this format cannot hold."""

from __future__ import annotations

from evenboard_engine.trf import Lost, older, write_report
from tournaments.models import Section

from .report_trf import report


def older_report(section: Section, edition: str) -> tuple[bytes, tuple[Lost, ...]]:
    """Return the file of the section as it is now, and what it lost. edition: 16 or 06."""
    made, lost = older(report(section, measured=False), edition)
    return write_report(made), lost
