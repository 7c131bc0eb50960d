"""What pairings rest on and no record can say, as comment lines that this program writes and understands."""

from __future__ import annotations

from pairing.engine.articles import edition_in_force
from pairing.engine.model import Edition, UpfloatCount

from .report import Report

EDITION = "### C.04.4.1 Dubov System, edition of"
UPFLOATS = "### Upfloats of forfeited games:"

_COUNTED = {"count": UpfloatCount.PAIRED, "do not count": UpfloatCount.PLAYED}


def reading_lines(edition: Edition, upfloats: UpfloatCount) -> tuple[str, str]:
    """The comments of a report."""
    words = {count: word for word, count in _COUNTED.items()}
    return f"{EDITION} {edition.value}", f"{UPFLOATS} {words[upfloats]}"


def readings(report: Report) -> tuple[Edition | None, UpfloatCount | None]:
    """What the comments say, the last of each counting; None where they say nothing that is understood."""
    edition: Edition | None = None
    upfloats: UpfloatCount | None = None
    for record in report.kept:
        if record.text.startswith(EDITION):
            said = record.text[len(EDITION) :].strip()
            edition = Edition(said) if said in tuple(Edition) else edition
        elif record.text.startswith(UPFLOATS):
            upfloats = _COUNTED.get(record.text[len(UPFLOATS) :].strip(), upfloats)
    return edition, upfloats


def rules_of(
    report: Report, *, edition: Edition | None = None, upfloats: UpfloatCount | None = None
) -> tuple[Edition, UpfloatCount]:
    """By which rules the rounds of a report are paired: as asked, else as its comments say, else the edition in force
    on its first day (042; the newest where there is none), and upfloats of forfeited games do not count.
    """
    said, counted = readings(report)
    return (
        edition or said or edition_in_force(report.text("042")),
        upfloats or counted or UpfloatCount.PLAYED,
    )
