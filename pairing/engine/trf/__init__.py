"""FIDE report files (TRF16, TRF26, the records of JaVaFo and bbpPairings): read, write, convert."""

from __future__ import annotations

from .acceleration import acceleration_records, group_of_baku
from .as_paired import (
    EarlierResult,
    RatingCorrection,
    applied,
    as_paired,
    earlier_results,
    has_earlier_ratings,
    is_applied,
    rating_corrections,
    rating_lines,
    tournament_ratings,
)
from .convert import to_tournament
from .errors import TrfError, TrfErrors
from .numbers_in_lines import ranks_in, with_numbers
from .player_facts import fact_lines, with_facts
from .prohibitions import ForbiddenGroup, are_not_too_many, forbidden_groups, forbidden_spans
from .read import read_report
from .readings import (
    comments_on_round,
    first_day,
    is_reading,
    reading_lines,
    readings,
    rules_of,
    system_lines,
    system_named_in,
)
from .records import (
    Absentees,
    AnnouncedBye,
    Configuration,
    InitialColour,
    KeptLine,
    PlayerRecord,
    Prohibition,
    Record,
    RoundDates,
    RoundEntry,
    Rounds,
    Scoring,
    TextRecord,
    VirtualPoints,
    VirtualPointsOfOne,
)
from .renumbered import is_renumbering, numbers_of_round
from .report import Report
from .reported_rounds import OpenGame, ReportedRounds, reported_rounds
from .scoring import scoring_records
from .section_comments import (
    Leaver,
    fide_mode_left,
    is_fide_mode_left,
    is_leaver,
    is_left_out_line,
    is_typed_line,
    leavers,
    left_out,
    left_out_line,
    typed_line,
    typed_values,
)
from .write import write_report

__all__ = [
    "Absentees",
    "AnnouncedBye",
    "Configuration",
    "EarlierResult",
    "ForbiddenGroup",
    "InitialColour",
    "KeptLine",
    "Leaver",
    "OpenGame",
    "PlayerRecord",
    "Prohibition",
    "RatingCorrection",
    "Record",
    "Report",
    "ReportedRounds",
    "RoundDates",
    "RoundEntry",
    "Rounds",
    "Scoring",
    "TextRecord",
    "TrfError",
    "TrfErrors",
    "VirtualPoints",
    "VirtualPointsOfOne",
    "acceleration_records",
    "applied",
    "are_not_too_many",
    "as_paired",
    "comments_on_round",
    "earlier_results",
    "fact_lines",
    "fide_mode_left",
    "first_day",
    "forbidden_groups",
    "forbidden_spans",
    "group_of_baku",
    "has_earlier_ratings",
    "is_applied",
    "is_fide_mode_left",
    "is_leaver",
    "is_left_out_line",
    "is_reading",
    "is_renumbering",
    "is_typed_line",
    "leavers",
    "left_out",
    "left_out_line",
    "numbers_of_round",
    "ranks_in",
    "rating_corrections",
    "rating_lines",
    "read_report",
    "reading_lines",
    "readings",
    "reported_rounds",
    "rules_of",
    "scoring_records",
    "system_lines",
    "system_named_in",
    "to_tournament",
    "tournament_ratings",
    "typed_line",
    "typed_values",
    "with_facts",
    "with_numbers",
    "write_report",
]
