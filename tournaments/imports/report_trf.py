"""A report file as a section: what it holds, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from base.reader import READER
from evenboard_engine import Colour, system_named
from evenboard_engine.systems.registry import DEFAULT_SYSTEM
from evenboard_engine.trf import (
    Report,
    Rounds,
    TrfError,
    TrfErrors,
    are_not_too_many,
    as_paired,
    forbidden_groups,
    group_of_baku,
    read_day,
    read_report,
    reported_rounds,
    to_tournament,
)
from evenboard_engine.trf.errors import Problems
from evenboard_engine.words.report_problems import sentence

from .report_adjustments import Adjustment, adjustments, unused_lines

MAX_BYTES = 2 * 1024 * 1024
MAX_FORBIDDEN_PAIRS = 50_000
"""Rows of a section. 317 players of whom no two may meet; nobody could pair them."""


class ReportRefused(Exception):
    """Says that the file cannot be read as a report. sentences: what is wrong and where, at most fifty."""

    def __init__(self, errors: tuple[TrfError, ...], *, more: bool) -> None:
        self.errors = errors
        self.sentences = tuple(sentence(error, READER) for error in errors)
        self.more = more
        super().__init__(len(errors))

    def __str__(self) -> str:
        return READER.listed(self.sentences[:3], "semicolon")


@dataclass(frozen=True, slots=True)
class ReportPreview:
    """What a report holds. rounds: planned, None where the file does not say. unrated: names of players who need a
    rating. results_open: games without a result, of the last round (if all rounds are fixed, of any round). byes:
    announced for rounds to come; who is absent in the next round counts as one. out: starting ranks that are not to be
    paired in the next round. unused: lines without a meaning here.
    """

    name: str
    city: str
    federation: str
    start: date | None
    end: date | None
    players: int
    rounds: int | None
    rounds_paired: int
    games: int
    initial_colour: Colour | None
    unrated: tuple[str, ...]
    results_open: int
    byes: int
    out: frozenset[int]
    unused: tuple[str, ...]
    adjustments: tuple[Adjustment, ...]


def read(data: bytes) -> Report:
    """Return the report that a file holds. Raises ReportRefused, with every line that is wrong."""
    try:
        return read_report(data, max_bytes=MAX_BYTES)
    except TrfErrors as errors:
        raise ReportRefused(errors.errors, more=errors.more) from errors


def report_preview(
    report: Report, *, rounds: int | None = None, unrated: int | None = None, system: str = DEFAULT_SYSTEM
) -> ReportPreview:
    """Return what the report says and what is missing in it. rounds, unrated: what the arbiter added. system: the code
    of its pairing system (`system_of_report`). Nothing is written.

    Raises ReportRefused for what affects the pairing and is not supported (another system), and
    for more rounds or forbidden pairs than a section can have.
    """
    _refuse_excess(report, system)
    found, report = report, as_paired(report)
    open_ends = system_named(system).fixed_rounds
    without = tuple(player.name for player in report.players if not player.rating)
    planned = report.rounds or (max(rounds, report.rounds_paired) if rounds else None)
    colour = _initial_colour(report, system)
    reported = reported_rounds(report)
    following = reported.paired + 1
    later = {(bye.round, bye.player) for bye in reported.byes if bye.round >= following}
    later |= {(following, player) for player in reported.absent_in(following)}
    unused = unused_lines(found, system)
    return ReportPreview(
        name=report.text("012"),
        city=report.text("022"),
        federation=report.text("032"),
        start=read_day(report.text("042")),
        end=read_day(report.text("052")),
        players=len(report.players),
        rounds=planned,
        rounds_paired=reported.paired,
        games=len(reported.games) + len(reported.open),
        initial_colour=colour,
        unrated=without,
        results_open=sum(open_ends or game.round == reported.paired for game in reported.open),
        byes=len(later),
        out=frozenset(player for number, player in later if number == following),
        unused=unused,
        adjustments=adjustments(
            found, reported, rounds=planned, colour=colour, unrated=unrated, unused=unused, system=system
        ),
    )


def _refuse_excess(report: Report, system: str) -> None:
    """Raise ReportRefused for what a section cannot hold, before anything is worked out from it."""
    problems, most = Problems(), system_named(system).most_rounds
    if max(report.rounds or 0, report.rounds_paired) > most:
        record = next(iter(report.of_type(Rounds)), None)
        problems.add("too_many_rounds", line=record.line if record else 0, limit=most)
    are_not_too_many(forbidden_groups(report), MAX_FORBIDDEN_PAIRS, problems)
    try:
        problems.raise_if_any()
    except TrfErrors as errors:
        raise ReportRefused(errors.errors, more=errors.more) from errors


def _initial_colour(report: Report, system: str) -> Colour | None:
    """Return the initial-colour as the engine finds it. Raises ReportRefused."""
    whole = report if report.rounds else Report((*report.records, Rounds(max(report.rounds_paired, 1))))
    try:
        group_of_baku(whole)
        return to_tournament(whole, round=1, unrated=1, system=system).initial_colour
    except TrfErrors as errors:
        raise ReportRefused(errors.errors, more=errors.more) from errors
