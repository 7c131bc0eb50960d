"""What a report file brings, and what an older format of it cannot hold, in words."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import get_language, gettext_lazy, ngettext, ngettext_lazy
from django.utils.translation import gettext as _

from base.cache import Cache
from base.reader import READER
from evenboard_engine.trf import (
    Lost,
    Report,
    Rounds,
    TrfErrors,
    as_paired,
    comments_on_round,
    read_report,
    read_time_control,
)
from evenboard_engine.trf.file_warnings import file_warnings
from evenboard_engine.trf.pairing_comments import system_named_in
from evenboard_engine.trf.time_controls import BLITZ, RAPID, STANDARD
from evenboard_engine.words.registry import words_of
from tournaments.files.report_check import RoundsCheck, check_rounds, options_of, system_of_report
from tournaments.files.report_reading import ReportRefused, report_preview, round_days, team_facts
from tournaments.models import Event, Integrity, Section
from web.words.refusals import report_problem
from web.words.values import dates_differ

# What a report file brings, in words: for the page before it is taken, and after that.

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
    system: str = "",
    checks: bool = True,
) -> FilePreview:
    """Return what a file brings. It is worked out once for this content, these options and these days of the event.

    system: of a file that names none, see `system_of_report`. checks: whether the rounds of such a file are checked.
    """
    kind = (section.system, *sorted(section.options.items())) if section else ()
    key = (
        sha256(data).digest(),
        get_language(),
        event.start,
        event.end,
        rounds,
        kind,
        unrated,
        system,
        checks,
    )

    def work() -> FilePreview:
        try:
            facts = report_facts(
                read_report(data),
                event,
                rounds=rounds,
                section=section,
                unrated=unrated,
                chosen=system,
                checks=checks,
            )
        except (TrfErrors, ReportRefused) as error:
            sentences = [report_problem(each) for each in error.errors[:SHOWN_PROBLEMS]]
            if len(error.errors) > SHOWN_PROBLEMS or error.more:
                sentences.append(_("There are more errors."))
            return FilePreview({}, tuple(sentences))
        return FilePreview(facts)

    preview = _previews.make(key, work)
    return replace(preview, facts=dict(preview.facts))


def warn_of_departures(request: HttpRequest, section: Section, older: str) -> None:
    """After the import, name again the rounds that do not follow the rules. older: what the preview said of an older
    edition of them.
    """
    row = section.log.filter(integrity=Integrity.IMPORT).first()
    found = row.after.get("departures", ()) if row else ()
    if found:
        sentence = ngettext(
            "Round %(rounds)s does not follow the rules. The report of the section says so.",
            "Rounds %(rounds)s do not follow the rules. The report of the section says so.",
            len(found),
        )
        messages.warning(request, sentence % {"rounds": READER.listed(one["round"] for one in found)})
    if older:
        messages.warning(request, older)


def report_facts(
    report: Report,
    event: Event,
    *,
    rounds: int | None = None,
    section: Section | None = None,
    unrated: int | None = None,
    chosen: str = "",
    checks: bool = True,
) -> dict[str, Any]:
    """Return what a report file brings, for its page. rounds: if the file does not say. unrated: provisional rating.
    chosen: the pairing system of a file that names none. checks: whether the rounds of such a file are checked.

    The answer is small, so that many can be kept: it has neither the report nor its players after SHOWN_PLAYERS.
    Raises ReportRefused.
    """
    system = system_of_report(report, section, chosen)
    is_named = bool(system_named_in(report) or report.text("192"))
    brought = report_preview(report, rounds=rounds, unrated=unrated, system=system)
    players = as_paired(report).players
    whole = report
    if rounds and not report.rounds:
        whole = Report((*report.records, Rounds(max(rounds, report.rounds_paired))))
    checked = RoundsCheck(0)
    if checks or is_named:
        options = options_of(report, section, event.start, chosen)
        checked = check_rounds(whole, system=system, options=options, unrated=unrated)
    old_byes: list[str] = []
    others: list[str] = []
    older = ""
    for doubt in file_warnings(report, system=system, limit=len(report.records)):
        text = report_problem(doubt)
        (old_byes if doubt.code in OLD_BYES else others).append(text)
        older = text if doubt.code == "older_edition" else older
    return {
        "kept": tuple(line[:LONGEST_LINE] for line in brought.unused[:SHOWN_LINES]),
        "more_kept": max(0, len(brought.unused) - SHOWN_LINES),
        "adjustments": [*old_byes, *map(str, brought.adjustments)],
        "dates": dates_differ(event, round_days(report, rounds or report.rounds or 0)),
        "doubts": others[:SHOWN_SENTENCES],
        "more_doubts": max(0, len(others) - SHOWN_SENTENCES),
        "seen": _seen(checked),
        "checked": replace(checked, departures=()),
        "older": older,
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
        "system_code": system,
        "asks_system": not is_named,
        "unchecked": not (checks or is_named),
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


# What an older format of the report file cannot hold, in sentences.

_ROUNDS = gettext_lazy("The number of rounds.")
_COLOUR = gettext_lazy("The initial-colour.")
_POINTS = gettext_lazy("The points for results and byes, where they are not 1, ½ and 0.")
_TIES = gettext_lazy("The tie-breaks.")
_BYES = gettext_lazy("Who is not to be paired in the next round, and byes of later rounds.")
_VIRTUAL = gettext_lazy("The virtual points of the acceleration.")
_FORBIDDEN = gettext_lazy("The pairs of players who must not meet.")
_OF_CODES: Mapping[str, Any] = {
    "142": _ROUNDS,
    "XXR": _ROUNDS,
    "152": _COLOUR,
    "XXC": _COLOUR,
    "162": _POINTS,
    "XXS": _POINTS,
    "172": gettext_lazy("Which rating gave the pairing numbers."),
    "182": gettext_lazy("Which program paired."),
    "192": gettext_lazy("The code of the pairing system. Its name stays."),
    "202": _TIES,
    "212": _TIES,
    "222": gettext_lazy("The code of the time control. Its words stay."),
    "240": _BYES,
    "XXZ": _BYES,
    "250": _VIRTUAL,
    "XXA": _VIRTUAL,
    "260": _FORBIDDEN,
    "XXP": _FORBIDDEN,
    "299": gettext_lazy("Points by decision of the arbiter. They stay in the points of the players."),
}
_COUNTED: Mapping[str, Any] = {
    "names": ngettext_lazy(
        "The end of %(number)s name, which is longer than 33 characters.",
        "The end of %(number)s names, which are longer than 33 characters.",
        "number",
    ),
    "ratings": ngettext_lazy(
        "The tournament rating of %(number)s player. The file has the official rating.",
        "The tournament ratings of %(number)s players. The file has the official ratings.",
        "number",
    ),
    "adjourned": ngettext_lazy(
        "That a game is adjourned, for %(number)s player. The result is left blank.",
        "That a game is adjourned, for %(number)s players. The results are left blank.",
        "number",
    ),
    "byes": ngettext_lazy(
        "The kind of %(number)s bye. The file has only its points.",
        "The kinds of %(number)s byes. The file has only their points.",
        "number",
    ),
    "unrated": ngettext_lazy(
        "That %(number)s result is not rated.", "That %(number)s results are not rated.", "number"
    ),
    "national": ngettext_lazy("%(number)s national rating.", "%(number)s national ratings.", "number"),
    "###": ngettext_lazy(
        "%(number)s comment line, such as changes by hand.",
        "%(number)s comment lines, such as changes by hand.",
        "number",
    ),
}
_OTHER = ngettext_lazy(
    "%(number)s other line of an imported file.", "%(number)s other lines of an imported file.", "number"
)


def lost_sentences(lost: tuple[Lost, ...]) -> list[str]:
    """Return one sentence for each kind of loss."""
    found = [
        str(_OF_CODES[one.code])
        if one.code in _OF_CODES
        else str(_COUNTED.get(one.code, _OTHER) % {"number": one.number})
        for one in lost
    ]
    return list(dict.fromkeys(found))
