"""Lines of a report file that the database has no place for; the section keeps them as they are."""

from __future__ import annotations

from collections.abc import Callable, Set

from evenboard_engine.trf import (
    AbnormalPoints,
    EarlierResult,
    KeptLine,
    Leaver,
    OfTeams,
    RatingCorrection,
    Record,
    Report,
    RoundDates,
    TeamRecord,
    TextRecord,
    applied,
    decided_later,
    is_decided_later,
    is_leaver,
    is_left_out_line,
    is_measure_line,
    is_official_line,
    is_period_line,
    is_rating_record,
    is_start_position_line,
    is_team_event,
    is_typed_line,
    leavers,
    ranks_in,
    read_method,
    write_report,
)
from tournaments.models import Participant

_KEPT_HEADERS = frozenset({"182", "192", "222"})


def lines_to_keep(
    report: Report,
    corrections: tuple[RatingCorrection, ...],
    earlier: tuple[EarlierResult, ...],
    *,
    dated: bool,
) -> list[str]:
    """Return the lines that the section keeps. corrections: for rating only. earlier: results that changed later.
    dated: the section has days of rounds.
    """
    of_teams, later = report.is_team_event, {str(one): one for one in decided_later(report)}
    takes_effect, gone, rates = applied(corrections, earlier), leavers(report), is_rating_record(report)
    kept = [
        record
        for record in report.records
        if _has_no_place(record, takes_effect, dated=dated)
        and (of_teams or not isinstance(record, AbnormalPoints))
        and not (
            isinstance(record, KeptLine)
            and (
                _is_made_again(record.text, gone)
                or rates(record.text)
                or is_decided_later(record.text, later)
            )
        )
    ]
    return write_report(Report(tuple(kept)), newline="\n").decode().splitlines()


def _is_made_again(text: str, gone: Set[Leaver]) -> bool:
    """Whether the entries or the rounds have what a comment says."""
    return is_leaver(text, gone) or any(
        holds(text)
        for holds in (
            is_typed_line,
            is_left_out_line,
            is_official_line,
            is_measure_line,
            is_period_line,
            is_start_position_line,
        )
    )


def _has_no_place(record: Record, takes_effect: Callable[[str], bool], *, dated: bool) -> bool:
    """Whether a record says what the database has no place for."""
    if isinstance(record, RoundDates) or (isinstance(record, KeptLine) and record.code == "132"):
        return not dated
    if isinstance(record, KeptLine):
        return not takes_effect(record.text)
    if isinstance(record, TeamRecord | OfTeams):
        return True
    if isinstance(record, TextRecord) and record.code == "172":
        return read_method(record.text) is None
    return isinstance(record, TextRecord) and record.code in _KEPT_HEADERS


def ranks_of_lines(lines: list[str], by_rank: dict[int, Participant]) -> list[list[int]]:
    """Return [participant, starting rank] of the players whom kept lines name.

    With them the report of the section writes these lines with the pairing numbers of the day.
    """
    of_teams = is_team_event(lines)
    ranks = sorted({rank for text in lines for rank in ranks_in(text, of_teams=of_teams)} & by_rank.keys())
    return [[by_rank[rank].pk, rank] for rank in ranks]
