"""What a report file brings, in words: for the page before it is taken, and after that."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from base.cache import Cache
from base.reader import READER
from evenboard_engine.trf import (
    Report,
    Rounds,
    TrfErrors,
    as_paired,
    comments_on_round,
    read_report,
    read_time_control,
)
from evenboard_engine.trf.file_warnings import file_warnings
from evenboard_engine.trf.time_controls import BLITZ, RAPID, STANDARD
from evenboard_engine.words.registry import words_of
from tournaments.imports.report_check import RoundsCheck, check_rounds, options_of, system_of_report
from tournaments.imports.report_dates import round_days
from tournaments.imports.report_teams import team_facts
from tournaments.imports.report_trf import ReportRefused, report_preview
from tournaments.models import Event, Integrity, Section
from web.words.dates import dates_differ
from web.words.refusals import report_problem

OLD_BYES = frozenset({"old_byes_allocated", "old_byes_full", "old_byes_half", "old_byes_zero"})
"""Warnings of the reader that tell what was taken as what; the page lists them with the other things of that kind."""
SHOWN_PLAYERS = 300
SHOWN_SENTENCES = 20
SHOWN_PROBLEMS = 20
SHOWN_LINES = 20
LONGEST_LINE = 300


@dataclass(frozen=True, slots=True)
class FilePreview:
    """What a report file brings (`report_facts`), or what is wrong with it, line by line; then facts is empty."""

    facts: dict[str, Any]
    problems: tuple[str, ...] = ()


_previews: Cache[Hashable, FilePreview] = Cache(16)


def file_preview(
    data: bytes,
    event: Event,
    *,
    rounds: int | None = None,
    section: Section | None = None,
    unrated: int | None = None,
) -> FilePreview:
    """Return what a file brings. It is worked out once for this content, these options and these days of the event."""
    kind = (section.system, *sorted(section.options.items())) if section else ()
    key = (sha256(data).digest(), get_language(), event.start, event.end, rounds, kind, unrated)

    def work() -> FilePreview:
        try:
            facts = report_facts(read_report(data), event, rounds=rounds, section=section, unrated=unrated)
        except (TrfErrors, ReportRefused) as error:
            sentences = [report_problem(each) for each in error.errors[:SHOWN_PROBLEMS]]
            if len(error.errors) > SHOWN_PROBLEMS or error.more:
                sentences.append(_("There are more errors."))
            return FilePreview({}, tuple(sentences))
        return FilePreview(facts)

    preview = _previews.make(key, work)
    return replace(preview, facts=dict(preview.facts))


def warn_of_departures(request: HttpRequest, section: Section) -> None:
    """After the import, name again the rounds that do not follow the rules."""
    row = section.log.filter(integrity=Integrity.IMPORT).first()
    found = row.after.get("departures", ()) if row else ()
    if found:
        sentence = ngettext(
            "Round %(rounds)s does not follow the rules. The report of the section says so.",
            "Rounds %(rounds)s do not follow the rules. The report of the section says so.",
            len(found),
        )
        messages.warning(request, sentence % {"rounds": READER.listed(one["round"] for one in found)})


def report_facts(
    report: Report,
    event: Event,
    *,
    rounds: int | None = None,
    section: Section | None = None,
    unrated: int | None = None,
) -> dict[str, Any]:
    """Return what a report file brings, for its page. rounds: if the file does not say. unrated: provisional rating.

    The answer is small, so that many can be kept: it has neither the report nor its players after SHOWN_PLAYERS.
    Raises ReportRefused.
    """
    system = system_of_report(report, section)
    brought = report_preview(report, rounds=rounds, unrated=unrated, system=system)
    players = as_paired(report).players
    whole = report
    if rounds and not report.rounds:
        whole = Report((*report.records, Rounds(max(rounds, report.rounds_paired))))
    checked = check_rounds(
        whole,
        system=system,
        options=options_of(report, section, event.start),
        unrated=unrated,
    )
    old_byes: list[str] = []
    others: list[str] = []
    for doubt in file_warnings(report, system=system, limit=len(report.records)):
        (old_byes if doubt.code in OLD_BYES else others).append(report_problem(doubt))
    return {
        "kept": tuple(line[:LONGEST_LINE] for line in brought.unused[:SHOWN_LINES]),
        "more_kept": max(0, len(brought.unused) - SHOWN_LINES),
        "adjustments": [*old_byes, *map(str, brought.adjustments)],
        "dates": dates_differ(event, round_days(report, rounds or report.rounds or 0)),
        "doubts": others[:SHOWN_SENTENCES],
        "more_doubts": max(0, len(others) - SHOWN_SENTENCES),
        "seen": _seen(checked),
        "checked": replace(checked, departures=()),
        "departures": [
            (
                one.round,
                (*_by_hand(report, one.round), *one.sentences[:SHOWN_SENTENCES]),
                max(0, len(one.differences) - SHOWN_SENTENCES),
            )
            for one in checked.departures
            if not one.counted
        ],
        "other_numbers": [(one.round, one.sentences[0]) for one in checked.departures if one.counted],
        "rounds_paired": report.rounds_paired,
        "rounds": report.rounds,
        "report_name": report.text("012"),
        "system": _(words_of(system).name),
        "players": players[:SHOWN_PLAYERS],
        "people": tuple((one.line, one.fide_id, one.name) for one in players if one.fide_id),
        "count": len(players),
        "unrated": sum(player.rating is None for player in players),
        "next_round": report.rounds_paired + 1,
        "teams": team_facts(report),
        **_time_control(report),
        "out": [f"{one.starting_rank} {one.name}" for one in players if one.starting_rank in brought.out],
    }


def _time_control(report: Report) -> dict[str, str]:
    control = read_time_control(report.text("222"))
    if control is None:
        return {}
    kinds = {STANDARD: _("standard"), RAPID: _("rapid"), BLITZ: _("blitz")}
    return {"time_control": str(control), "time_kind": kinds[control.kind]}


def _by_hand(report: Report, number: int) -> tuple[str, ...]:
    """Return the sentence that a round was paired by hand, if the file has the comment on it."""
    if not any(comment.startswith("MPA @ ") for comment in comments_on_round(report, number)):
        return ()
    return (_("The file says that round %(round)s was paired by hand (MPA).") % {"round": number},)


def _seen(checked: RoundsCheck) -> str:
    """Return about which wrong rounds the page of the file asks; "" for none."""
    rounds = [str(one.round) for one in checked.departures if not one.counted]
    return "/".join([*rounds, *([f"from {checked.unchecked}"] if checked.unchecked else [])])


def broken_rules(facts: dict[str, Any]) -> str:
    """Return the question before a file is written (VCL4THP.13 Q55) whose rounds break the rules.

    The page has shown them, unless they were found only with the number of rounds, or the rating, that was typed on it.
    facts: of `report_facts`, with what was typed.
    """
    reason = str(facts["checked"].reason)
    if rounds := [number for number, _sentences, _more in facts["departures"]]:
        reason = ngettext(
            "Round %(rounds)s does not follow the rules.",
            "Rounds %(rounds)s do not follow the rules.",
            len(rounds),
        ) % {"rounds": READER.listed(rounds)}
    return _("%(what)s Nothing is saved yet. To import the file as it is, press the button again.") % {
        "what": reason
    }
