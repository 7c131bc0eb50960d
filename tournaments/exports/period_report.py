"""The report for rating of one rating period of a tournament of more than 30 days.

FIDE rates each period as a tournament of its own. Its file has the rounds of the period in their columns, and blanks in
the other rounds. The points are those of these rounds, and nobody has a rank: the standings are those of the whole
tournament, and so are pairings, comments and the method of the starting ranks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from evenboard_engine.trf import (
    KeptLine,
    PlayerRecord,
    Record,
    Report,
    RoundDates,
    RoundEntry,
    Rounds,
    Scoring,
    TextRecord,
    write_report,
)
from tournaments.errors import DomainError
from tournaments.models import Section

from .report_trf import report

_TEXTS = frozenset({"012", "022", "032", "062", "092", "102", "112", "122", "182", "192", "222"})


def period_report(section: Section, period: int) -> bytes:
    """Return the file of a period, counted from 1.

    Raises DomainError("period_unknown"); ("period_running") before its last round is published; ("results_missing") or
    ("adjourned_open") while a game of it or of an earlier round is open.
    """
    if not 1 <= period <= len(section.rating_periods):
        raise DomainError("period_unknown", period=period)
    first, last = section.rating_periods[period - 1]
    whole = report(section, for_rating=True, measured=False, until=last)
    if whole.rounds_paired < last and not section.is_closed:
        raise DomainError("period_running", period=period, last=last)
    return write_report(_of_period(section, whole, period, first, last))


def _of_period(section: Section, whole: Report, period: int, first: int, last: int) -> Report:
    ratings = _ratings(section, period)
    players = tuple(_player(player, ratings, first, last) for player in whole.players)
    days = [day for day in section.round_days[first - 1 : last] if day]
    records = (
        *_header(whole, days, sum(bool(player.rating) for player in players)),
        *players,
        KeptLine(f"### Rating period {period} of {len(section.rating_periods)}: rounds {first}-{last}"),
    )
    made = Report(records)
    return made.with_players(lambda player: replace(player, points=made.scores(player)[0]))


def _header(whole: Report, days: list[date], rated: int) -> Iterator[Record]:
    """Yield the lines about the tournament, with the days of the period. days: those that are known."""
    for record in whole.records:
        match record:
            case TextRecord(code="042") if days:
                yield replace(record, text=f"{min(days):%Y/%m/%d}")
            case TextRecord(code="052") if days:
                yield replace(record, text=f"{max(days):%Y/%m/%d}")
            case TextRecord(code="042" | "052"):
                yield record
            case TextRecord(code="072"):
                yield replace(record, text=str(rated))
            case RoundDates():
                known = {f"{day:%y/%m/%d}" for day in days}
                yield RoundDates(tuple(text if text in known else "" for text in record.dates))
            case TextRecord() if record.code in _TEXTS:
                yield record
            case Rounds() | Scoring():
                yield record


def _player(player: PlayerRecord, ratings: dict[int, int | None], first: int, last: int) -> PlayerRecord:
    entries = tuple(
        entry if number >= first else RoundEntry()
        for number, entry in enumerate(player.entries[:last], start=1)
    )
    rating = ratings.get(player.starting_rank, player.rating)
    return replace(player, rating=rating, rank=None, entries=entries)


def _ratings(section: Section, period: int) -> dict[int, int | None]:
    """Return the official ratings of a period by pairing number: of each player the last ones up to the period."""
    found: dict[int, int | None] = {}
    for tpn, official, later in section.participants.values_list("tpn", "official_rating", "period_ratings"):
        known = [later[str(number)] for number in range(2, period + 1) if str(number) in later]
        found[tpn or 0] = (known[-1] if known else official) or None
    return found
