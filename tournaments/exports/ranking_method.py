"""The ratings of a section in its reports: record 172, the national records, and the origin of other ratings.

The player lines (001) have the official ratings. While the tournament runs, every national rating has its record, and
each tournament rating that the file would not give otherwise has a record with its origin. The final report has the
national records only where they ranked a player, and names the other tournament ratings in a comment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils import timezone

from base.text import one_line
from evenboard_engine.trf import (
    BY_FIDE,
    BY_OTHER,
    NO_FEDERATION,
    ORIGINS,
    PlayerRecord,
    RankingMethod,
    official_lines,
    rating_lines,
    rating_record,
    read_method,
)
from tournaments.models import Participant, RatingSource, Section
from tournaments.queries.field import SectionField
from tournaments.queries.rating_lists import used_lists_of_event

RECORD = "172"
_STANDARD, _RAPID, _BLITZ, _MANUAL = ORIGINS
_OF_SOURCE = {
    RatingSource.STANDARD.value: _STANDARD,
    RatingSource.RAPID.value: _RAPID,
    RatingSource.BLITZ.value: _BLITZ,
}


def ranking_method(field: SectionField) -> str:
    """Return the text of the record. An unknown method of an imported file stays."""
    kept = _kept(field)
    if kept and read_method(kept) is None:
        return kept
    return str(_method(field))


def rating_records(
    field: SectionField, players: Mapping[int, PlayerRecord], *, for_rating: bool
) -> Iterator[str]:
    """Yield the national records, and the tournament ratings that 001 and these do not give. players: by key."""
    method = _method(field)
    others: dict[int, int] = {}
    origins: list[str] = []
    for key, entry in field.participants.items():
        given = _given(method, entry, entry.national_rating)
        if entry.national_rating and (not for_rating or _ranked(method, entry)):
            number = entry.player.national_id
            yield rating_record(method.federation, players[key], entry.national_rating, number)
        if given != entry.rating:
            others[entry.tpn or 0] = entry.rating
            code = _OF_SOURCE.get(entry.rating_source, _MANUAL)
            origins.append(rating_record(code, players[key], entry.rating))
    yield from rating_lines(others) if for_rating else origins


def lists_of_event_lines(field: SectionField) -> Iterator[str]:
    """Yield a comment for each list of the event that gave ratings: the federation does not know such a list."""
    for label, count, listing in used_lists_of_event(field.section, field.participants.values()):
        by = ""
        if listing is not None:
            by = f", imported by {one_line(listing.given_by)} on {timezone.localdate(listing.created_at)}"
        yield f"### Ratings from a list of this event, {label}{by}: {count}"


def official_rating_lines(field: SectionField) -> Iterator[str]:
    """Yield the official ratings that an import would not know: 001 of rules that are not FIDE's may have others."""
    method = _method(field)
    entries = field.participants.values()
    others = any(_given(method, entry, entry.national_rating) != entry.rating for entry in entries)
    if field.section.of_fide or others or method.reads_national:
        return iter(())
    return official_lines(
        {entry.tpn or 0: entry.official_rating for entry in entries if entry.official_rating}
    )


def _method(field: SectionField) -> RankingMethod:
    """Return the method of the section. Without one, FIDE's ratings gave the numbers if all are official."""
    section = field.section
    federation = section.rating_federation or section.event.federation or NO_FEDERATION
    if section.rating_method != Section.RatingMethod.OTHER:
        return RankingMethod(federation, section.rating_method)
    by_fide = (
        section.of_fide
        and not section.fixed_rounds
        and all((entry.official_rating or 0) == entry.rating for entry in field.participants.values())
    )
    return RankingMethod(federation, BY_FIDE if by_fide else BY_OTHER)


def _given(method: RankingMethod, entry: Participant, national: int | None) -> int:
    """Return the tournament rating that a reader finds with this national record."""
    found = method.rating(entry.official_rating, national) if method.reads_national else entry.official_rating
    return found or 0


def _ranked(method: RankingMethod, entry: Participant) -> bool:
    """Return whether the national rating gave the tournament rating of the player."""
    return _given(method, entry, entry.national_rating) != _given(method, entry, None)


def _kept(field: SectionField) -> str:
    """Return the text of the record in the imported file, "" for none."""
    records = (text for text in field.section.report_records if text.startswith(RECORD))
    return next(records, "")[len(RECORD) :].strip()
