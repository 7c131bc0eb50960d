"""Record 172 of a section: which rating gave the pairing numbers, and the comments on its official ratings."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pairing.engine import system_named
from pairing.engine.trf import (
    BY_FIDE,
    BY_OTHER,
    NO_FEDERATION,
    NO_OFFICIAL,
    RankingMethod,
    national_ratings,
    official_lines,
    read_method,
)
from tournaments.models import Participant
from tournaments.queries.field import SectionField

RECORD = "172"


def ranking_method(field: SectionField, lines: Collection[str], *, for_rating: bool) -> str:
    """Return the text of the record. lines: kept lines that the file has, with the numbers of today.

    The method of an imported file stays if it gives the tournament ratings of today from the ratings of this file. An
    unknown method stays too. Otherwise the numbers follow FIDE's ratings, or something else.
    """
    kept = _kept(field)
    method = read_method(kept)
    if method is None and kept:
        return kept
    entries = field.participants.values()
    if method is not None and method.reads_national:
        national = national_ratings(lines, method.federation)
        given = (
            method.rating(rating_in_file(entry, for_rating=for_rating), national.get(entry.tpn or 0))
            for entry in entries
        )
        if national and all(
            (entry.rating or None) == rating for entry, rating in zip(entries, given, strict=True)
        ):
            return str(method)
    by_fide = (
        field.section.of_fide
        and not field.section.fixed_rounds
        and all(entry.official_rating == (entry.rating or None) for entry in entries)
    )
    federation = field.section.event.federation or NO_FEDERATION
    return str(RankingMethod(federation, BY_FIDE if by_fide else BY_OTHER))


def rating_in_file(entry: Participant, *, for_rating: bool) -> int | None:
    """Return the rating that the player's line of a report has."""
    return (entry.official_rating if for_rating else entry.rating) or None


def official_rating_lines(field: SectionField, *, for_rating: bool) -> Iterator[str]:
    """Yield the official ratings that an import would not find in the players' lines."""
    entries = field.participants.values()
    of_fide = system_named(field.section.system).of_fide or (
        for_rating and any((entry.rating or None) != entry.official_rating for entry in entries)
    )
    others = {
        entry.tpn or 0: entry.official_rating
        for entry in entries
        if entry.official_rating != (rating_in_file(entry, for_rating=for_rating) if of_fide else None)
    }
    if others and not any(entry.official_rating for entry in entries):
        return iter((NO_OFFICIAL,))
    return official_lines(others)


def _kept(field: SectionField) -> str:
    """Return the text of the record in the imported file, "" for none."""
    records = (text for text in field.section.report_records if text.startswith(RECORD))
    return next(records, "")[len(RECORD) :].strip()
