"""The ratings of a report file as those of a section: the method of record 172, national records, and origins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evenboard_engine import system_named
from evenboard_engine.trf import (
    NO_FEDERATION,
    ORIGINS,
    Report,
    as_paired,
    left_out,
    national_numbers,
    national_ratings,
    official_ratings,
    ratings_by_origin,
    read_method,
    tournament_ratings,
)
from tournaments.imports.report_check import system_of_report
from tournaments.models import RatingSource, Section

_SOURCES = dict(
    zip(
        ORIGINS,
        (RatingSource.STANDARD, RatingSource.RAPID, RatingSource.BLITZ, RatingSource.TYPED),
        strict=True,
    )
)


@dataclass(frozen=True, slots=True)
class ReportRatings:
    """method, federation: as in `Section`. The ratings and numbers are by starting rank."""

    method: str
    federation: str
    official: Mapping[int, int | None]
    national: Mapping[int, int]
    national_ids: Mapping[int, str]
    origins: Mapping[int, tuple[str, int]]

    def of_entry(self, rank: int, rating: int, *, provisional: bool) -> dict[str, Any]:
        """Return the values of an entry. provisional: the arbiter gave this rating, because the file has none."""
        official, national = self.official[rank], self.national.get(rank)
        if rank in self.origins:
            source = _SOURCES[self.origins[rank][0]]
        elif provisional and not official:
            source = RatingSource.PROVISIONAL
        elif self.method != Section.RatingMethod.OTHER and rating == national != official:
            source = RatingSource.NATIONAL
        elif self.method != Section.RatingMethod.OTHER and rating != official:
            source = RatingSource.TYPED
        else:
            source = RatingSource.FILE
        return {
            "official_rating": official,
            "national_rating": national,
            "national_id": self.national_ids.get(rank, ""),
            "rating_source": source,
        }


def ratings_of_report(report: Report, section: Section) -> ReportRatings:
    """Return the ratings. report: as it was read. Where its ratings are not those of its method, there is no method."""
    method = read_method(report.text("172"))
    lines = [record.text for record in report.kept]
    national = national_ratings(lines, method.federation) if method else {}
    official = _official(report, section) | dict.fromkeys(left_out(report) or (), None)
    code = Section.RatingMethod.OTHER.value
    if method is not None and code != method.code:
        highest = method.code == Section.RatingMethod.HBFN
        by_method = (
            (method.rating(official[player.starting_rank], national.get(player.starting_rank)), player.rating)
            for player in as_paired(report).players
        )
        if all(
            not given or given == rating or (highest and (rating or 0) > given) for given, rating in by_method
        ):
            code = method.code
    return ReportRatings(
        method=code,
        federation=method.federation if method and method.federation != NO_FEDERATION else "",
        official=official,
        national=national,
        national_ids=national_numbers(lines, method.federation) if method else {},
        origins=ratings_by_origin(report),
    )


def _official(report: Report, section: Section) -> dict[int, int | None]:
    """Return the official ratings by starting rank.

    Comments of this program name them. Otherwise a report does not say whose ratings it has. If FIDE does not pair the
    section, they need not be FIDE's, except where the file has the ratings of the tournament besides.
    """
    system = system_named(system_of_report(report, section))
    of_fide = system.of_fide or bool(tournament_ratings(report) or ratings_by_origin(report))
    named = official_ratings(report)
    ratings = {player.starting_rank: player.rating if of_fide else None for player in report.players}
    return {rank: named.get(rank, rating) for rank, rating in ratings.items()}
