"""Everything about a section as one ZIP file for an archive, in formats that can still be read in twenty years."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from django.utils.timezone import localtime

from pairing.engine.trf import FORMATS, write_report
from tournaments.models import Round, Section
from tournaments.queries.pairings import round_board_list

from .boards_pgn import boards_pgn
from .lists_csv import crosstable_csv, entries_csv, pairings_csv, standings_csv
from .older_report import older_report
from .report_trf import report
from .section_copy import copy_file

README = """{event}, {section}

Saved on {day} at revision {revision}. This archive is for people who run the event: it has birth dates and notes.

{files}

CSV files are text in UTF-8 with semicolons; any spreadsheet opens them. TRF files are text in UTF-8 as well: the report
format of FIDE (2026, and the editions of 2016 and 2006), one line for each player. PGN is the text format for chess
games. copy.json is the whole section with its log; Evenboard can load it again.
"""
_ABOUT = {
    "entries.csv": "all entries with all facts about the players",
    "standings.csv": "places, points and tie-breaks",
    "crosstable.csv": "every result of every player",
    "report.trf": "the report file",
    "copy.json": "the copy",
    **{f"report-trf{edition}.trf": f"the same in the format of 20{edition}" for edition in FORMATS},
}


def archive_zip(section: Section) -> bytes:
    """Return the archive of a section. For arbiters only."""
    files = dict(_files(section))
    about = "\n".join(f"{name:24} {_ABOUT.get(name, 'the boards of a round')}" for name in files)
    at = localtime()
    text = README.format(
        event=section.event.name,
        section=section.name,
        day=f"{at:%Y-%m-%d}",
        revision=section.revision,
        files=about,
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in {"README.txt": text.encode(), **files}.items():
            file.writestr(zipfile.ZipInfo(name, at.timetuple()[:6]), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _files(section: Section) -> Iterator[tuple[str, bytes]]:
    yield "entries.csv", entries_csv(section)
    yield "standings.csv", standings_csv(section)
    yield "crosstable.csv", crosstable_csv(section)
    yield "report.trf", write_report(report(section, measured=False))
    for edition in FORMATS:
        yield f"report-trf{edition}.trf", older_report(section, edition)[0]
    shown = section.played_rounds.exclude(state=Round.State.DRAFT).order_by("number")
    for number in shown.values_list("number", flat=True):
        yield f"round-{number:02}.csv", pairings_csv(section, number)
        yield f"round-{number:02}.pgn", boards_pgn(section, round_board_list(section, number), {})
    yield "copy.json", copy_file(section)
