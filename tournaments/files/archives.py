"""Everything about a section or an event as one ZIP file, in formats that can still be read in twenty years."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import chain
from typing import IO

from django.utils.timezone import localtime
from django.utils.translation import override

from evenboard_engine import PROGRAM, system_named
from evenboard_engine.trf import FORMATS
from tournaments.errors import ARCHIVE_TOO_LARGE, DomainError
from tournaments.hooks import also_archives
from tournaments.models import Event, Round, Section
from tournaments.queries.aro_list import aro_list
from tournaments.queries.fairness import fairness
from tournaments.queries.log import LogFilter, log_rows
from tournaments.queries.rounds import has_all_rounds, round_board_list

from . import lists, results, statistics
from .copy_writing import copy_file, event_file
from .fairness import fairness_csv
from .incidents import incidents_csv
from .lists import receipts_csv
from .log import SentenceOf, log_csv
from .report_writing import older_report, period_report, tournament_report
from .results import boards_pgn
from .table_files import page_file

README = """{title}
{facts}

Saved by {program} on {day} at revision {revision}.
This archive is for people who run the event: it has birth dates and notes.

{files}

CSV files are text in UTF-8 with semicolons; any spreadsheet opens them. TRF files are text in UTF-8 as well: the report
format of FIDE (2026, and the editions of 2016 and 2006), one line for each player. PGN is the text format for chess
games. HTML files are pages for any browser; they have no scripts and need no network. copy.json is the whole section
with its log; Evenboard can load it again.

{sums} has the SHA-256 of each file. "sha256sum -c {sums}" compares them.
"""
README_OF_EVENT = """{title}
{facts}

Saved by {program} on {day}.
This archive is for people who run the event: it has birth dates and notes.

Each section has a folder with a README of its own:

{folders}

{files}
{about}
{sums} has the SHA-256 of each file beside it.
"""
SUMS = "SHA256SUMS.txt"


File = tuple[str, str, bytes]
"""The name of a file, what it is, and its content."""
MB = 1024**2
MOST_MB = 200
"""Of all files together, before they are packed."""


class _Archive:
    """A ZIP file that is written file by file. Raises DomainError("archive_too_large") when it is too large."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        self._at = localtime()
        self._size = 0
        self.day = f"{self._at:%Y-%m-%d}"

    def add(self, name: str, content: bytes) -> None:
        self._size += len(content)
        if self._size > MOST_MB * MB:
            raise ARCHIVE_TOO_LARGE.error(limit=MOST_MB)
        self._file.writestr(zipfile.ZipInfo(name, self._at.timetuple()[:6]), content, zipfile.ZIP_DEFLATED)

    def add_files(self, files: Iterable[File], folder: str = "") -> tuple[str, list[str]]:
        """Add files. Return what they are, for the README, and their lines for the file of sums."""
        about, sums = [], []
        for name, what, content in files:
            self.add(folder + name, content)
            about.append(f"{name:24} {what}")
            sums.append(f"{sha256(content).hexdigest()}  {name}\n")
        return "\n".join(about), sums

    def add_section(self, section: Section, sentence_of: SentenceOf, folder: str = "") -> None:
        about, sums = self.add_files(_files(section, sentence_of), folder)
        readme = README.format(
            title=str(section),
            facts=f"{_facts(section.event)}\n{section.rounds} rounds, {system_named(section.system).report_name}",
            program=PROGRAM,
            day=self.day,
            revision=section.revision,
            files=about,
            sums=SUMS,
        ).encode()
        self.end(readme, sums, folder)

    def end(self, readme: bytes, sums: Iterable[str], folder: str = "") -> None:
        """Add the README and the sums."""
        self.add(f"{folder}README.txt", readme)
        last = f"{sha256(readme).hexdigest()}  README.txt\n"
        self.add(folder + SUMS, "".join([*sums, last]).encode())


def write_archive(section: Section, out: IO[bytes], sentence_of: SentenceOf) -> None:
    """Write the archive of a section into a file. For arbiters only. Only one of its files is in memory at a time.

    sentence_of: gives the sentence of a row of the log. The archive is in English.
    Raises DomainError("archive_too_large"): then the file is not complete.
    """
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file, override("en"):
        _Archive(file).add_section(section, sentence_of)


def write_event_archive(
    event: Event,
    out: IO[bytes],
    sentence_of: SentenceOf,
    *,
    registrations: bool = False,
    whole_copy: bool = True,
) -> None:
    """Write the archive of all sections of an event into a file, in the same way.

    registrations: the reader may see them, so what applications above add is in it (`beside.also_archives`).
    whole_copy: with the copy of the whole event, which has the roles and the log of its people. For organisers only.
    """
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file, override("en"):
        archive = _Archive(file)
        folders = []
        for section in event.sections.select_related("event"):
            archive.add_section(section, sentence_of, f"{section.slug}/")
            folders.append(f"{section.slug + '/':24} {section.name}")
        about_copy = "the whole event with its log; Evenboard can load it again"
        copies = [("event.json", about_copy, event_file(event))] if whole_copy else []
        added = [more(event) for more in also_archives] if registrations else []
        about, sums = archive.add_files(chain(copies, *(files for _about, files in added)))
        readme = README_OF_EVENT.format(
            title=event.name,
            facts=_facts(event),
            program=PROGRAM,
            day=archive.day,
            folders="\n".join(folders),
            files=about,
            about="".join(f"\n{sentence}\n" for sentence, _files in added if sentence),
            sums=SUMS,
        )
        archive.end(readme.encode(), sums)


def _facts(event: Event) -> str:
    """Return where and when the event was, and its arbiter, for a reader who knows nothing of it."""
    place = ", ".join(filter(None, (event.city, event.federation)))
    days = f"{event.start} to {event.end}" if event.end != event.start else f"{event.start}"
    arbiter = f"Chief arbiter: {event.chief_arbiter}" if event.chief_arbiter else ""
    return "\n".join(filter(None, (place, days, arbiter)))


def _files(section: Section, sentence_of: SentenceOf) -> Iterator[tuple[str, str, bytes]]:
    """Yield the name of each file, what it is, and its content."""
    shown = section.played_rounds.exclude(state=Round.State.DRAFT).order_by("number")
    numbers = [*shown.values_list("number", flat=True)]
    yield from _lists(section, paired=bool(numbers))
    yield from _reports(section, over=section.is_closed or len(numbers) >= section.rounds)
    for number in numbers:
        yield from _round(section, number)
    yield "log.csv", "the log: who did what, and when", log_csv(log_rows(section, LogFilter()), sentence_of)
    yield "copy.json", "the whole section with its log", copy_file(section)


def _reports(section: Section, *, over: bool) -> Iterator[tuple[str, str, bytes]]:
    """Yield the reports. over: the report for rating too, unless a game is open."""
    yield "report.trf", "the report file", tournament_report(section)
    for edition in FORMATS:
        name = f"report-trf{edition}.trf"
        yield name, f"the same in the format of 20{edition}", older_report(section, edition)[0]
    with suppress(DomainError):
        if over:
            yield (
                "report-for-rating.trf",
                "the report for rating",
                tournament_report(section, for_rating=True),
            )
    for number in range(1, len(section.rating_periods) + 1):
        with suppress(DomainError):  # its rounds are not over
            name = f"report-for-rating-{number}.trf"
            yield name, f"the report of rating period {number}", period_report(section, number)


def _lists(section: Section, *, paired: bool) -> Iterator[tuple[str, str, bytes]]:
    yield "entries.csv", "all entries with all facts about the players", lists.entries_csv(section)
    yield "players.csv", "the players as everybody may see them", lists.players_csv(section)
    yield "standings.csv", "places, points and tie-breaks", lists.standings_csv(section)
    yield "crosstable.csv", "every result of every player", lists.crosstable_csv(section)
    page = page_file(f"{section}: crosstable")
    yield "crosstable.html", "the same as a page", lists.crosstable_csv(section, write=page)
    yield "byes.csv", "the byes of all rounds", results.byes_csv(section)
    if section.apart_rules or section.forbidden_pairs.exists():
        yield "forbidden-pairs.csv", "players who must not meet", results.forbidden_pairs_csv(section)
    if section.incidents.exists():
        yield "incidents.csv", "what arbiters noted about players", incidents_csv(section)
    if has_all_rounds(section):
        yield "all-rounds.csv", "every game of every round", lists.all_rounds_csv(section)
    if "aro" in section.lists:
        yield "aro.csv", "points, games, ARO and colours", lists.aro_csv(aro_list(section))
    if paired and not section.fixed_rounds:
        yield "fairness.csv", "how equal the opponents were", fairness_csv(fairness(section))
    if paired:
        yield "results.csv", "every game of the published rounds", results.games_csv(section)
        yield from _of_the_end(section)
    if section.prizes:
        yield "prizes.csv", "who wins which prize", lists.prizes_csv(section)
        yield "receipts.csv", "the sum of each winner", receipts_csv(section)


def _of_the_end(section: Section) -> Iterator[tuple[str, str, bytes]]:
    yield "statistics.csv", "the results of each round", statistics.statistics_csv(section)
    yield (
        "rating-differences.csv",
        "results by the difference of ratings",
        statistics.differences_csv(section),
    )
    yield "federations.csv", "players by federation and by title", statistics.federations_csv(section)
    yield (
        "rating-changes.csv",
        "an estimate of the changes of ratings",
        statistics.rating_changes_csv(section),
    )
    yield "norms.csv", "how far players are from title norms", statistics.norms_csv(section)


def _round(section: Section, number: int) -> Iterator[tuple[str, str, bytes]]:
    boards, named = f"round-{number:02}", str(section)
    page = page_file(f"{named}: round {number}")
    yield f"{boards}.csv", f"the boards of round {number}", lists.pairings_csv(section, number)
    yield f"{boards}.html", "the same as a page", lists.pairings_csv(section, number, write=page)
    yield f"{boards}.pgn", "the same as PGN", boards_pgn(section, round_board_list(section, number), {})
    page = page_file(f"{named}: standings after round {number}")
    table = lists.standings_csv(section, number, write=page)
    yield f"standings-{number:02}.html", f"the standings after round {number}", table
