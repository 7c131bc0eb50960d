"""What decides pairings and has no record: comment lines that this program writes and understands."""

from __future__ import annotations

import re
from datetime import date

from pairing.engine.model import Edition, UpfloatCount
from pairing.engine.systems.dubov.articles import edition_in_force

from .report import Report, from_lines

EDITION = "### C.04.4.1 Dubov System, edition of"
UPFLOATS = "### Upfloats of forfeited games:"

_of_a_round = re.compile(r"### (.+?) @ Round ([0-9]{1,3})(?::.*)?", re.DOTALL).fullmatch
_day = re.compile(r"([0-9]{4})[/.-]([0-9]{1,2})[/.-]([0-9]{1,2})").fullmatch
_COUNTED = {"count": UpfloatCount.PAIRED, "do not count": UpfloatCount.PLAYED}


def reading_lines(edition: Edition, upfloats: UpfloatCount) -> tuple[str, str]:
    """Return the comments for a report."""
    words = {count: word for word, count in _COUNTED.items()}
    return f"{EDITION} {edition.value}", f"{UPFLOATS} {words[upfloats]}"


@from_lines
def readings(report: Report) -> tuple[Edition | None, UpfloatCount | None]:
    """Return what the comments say; of several the last counts. None where no comment says it."""
    edition: Edition | None = None
    upfloats: UpfloatCount | None = None
    for record in report.kept:
        if record.text.startswith(EDITION):
            said = record.text[len(EDITION) :].strip()
            edition = Edition(said) if said in tuple(Edition) else edition
        elif record.text.startswith(UPFLOATS):
            upfloats = _COUNTED.get(record.text[len(UPFLOATS) :].strip(), upfloats)
    return edition, upfloats


def said_of_round(report: Report, number: int) -> tuple[str, ...]:
    """Return comments (`### MPA @ Round 7: ...`) that may explain why a round is not what the engine pairs.

    These are the comments on the round, and on corrections of earlier rounds: it may have been paired before them.
    """
    said = []
    for record in report.kept:
        found = _of_a_round(record.text)
        if found is None:
            continue
        of = int(found[2])
        if of == number or (of < number and "correction" in found[1].lower()):
            said.append(record.text[4:])
    return tuple(said)


@from_lines
def first_day(report: Report) -> str:
    """Return the start date (042) as YYYY-MM-DD, "" where it is missing or not a date."""
    found = _day(report.text("042").strip())
    try:
        return date(*map(int, found.groups())).isoformat() if found else ""
    except ValueError:
        return ""


def rules_of(
    report: Report, *, edition: Edition | None = None, upfloats: UpfloatCount | None = None
) -> tuple[Edition, UpfloatCount]:
    """Return the rules that pair the rounds of a report: as asked, else those of its comments.

    Without both, the edition is the one in force on its first day (042; the newest without a first day), and upfloats
    of forfeited games do not count.
    """
    said, counted = readings(report)
    return (
        edition or said or edition_in_force(first_day(report)),
        upfloats or counted or UpfloatCount.PLAYED,
    )
