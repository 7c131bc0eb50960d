"""The data of one player's entry, as forms, imports and the API pass it to the actions."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass, replace
from typing import TYPE_CHECKING

from evenboard_engine.trf import RankingMethod
from tournaments.models import RatingSource, Section
from tournaments.player_fields import PLAIN

_GIVEN = frozenset({RatingSource.TYPED, RatingSource.PROVISIONAL})
_OFFICIAL = frozenset({
    RatingSource.STANDARD, RatingSource.RAPID, RatingSource.BLITZ, RatingSource.FILE, RatingSource.OFFICIAL,
})  # fmt: skip


if TYPE_CHECKING:
    _PlainFields = object
else:
    _PlainFields = make_dataclass(
        "_PlainFields", [(field.name, str, "") for field in PLAIN], frozen=True, slots=True, kw_only=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryData(_PlainFields):
    """One entry, with a text for each plain field. The action that receives it checks it against the section.

    name: "Surname, Given". sex: "m", "w" or "". title: as in `Title`. federation: three capitals or "".
    birth_date: "YYYY/MM/DD" (00 for an unknown part), "YYYY" or "". rating: the tournament rating, Elo; 0 for an
    unrated player, if the pairing system takes such players. official_rating: of the report file, or None.
    national_rating: of the federation whose ratings the section reads, or None. team, pairing_flags: as in
    `Participant`. first_round: later than 1 for a late entry. by_initials: as in `Player`; None leaves it as it is.
    latin_name: as in `Player`; None leaves it as it is.
    """

    name: str
    rating: int
    sex: str = ""
    title: str = ""
    federation: str = ""
    fide_id: int | None = None
    birth_date: str = ""
    rating_source: str = RatingSource.TYPED
    rating_list: str = ""
    official_rating: int | None = None
    national_rating: int | None = None
    national_id: str = ""
    club: str = ""
    team: str = ""
    pairing_flags: str = ""
    note: str = ""
    first_round: int = 1
    by_initials: bool | None = None
    latin_name: str | None = None


@dataclass(frozen=True, slots=True)
class ListedRating:
    """What the rating lists of a section say about a player: the rating of the main list, with its source and name.

    name: of the player, as the list has it.
    """

    rating: int
    source: str
    rating_list: str
    official: int | None
    national: int | None
    name: str = ""


def with_minimum(section: Section, data: EntryData) -> EntryData:
    """Return the entry; one without any rating has the minimum rating of the section (VCL4THP.13 Q130)."""
    if data.rating or not section.minimum_rating:
        return data
    return replace(
        data, rating=section.minimum_rating, rating_source=RatingSource.PROVISIONAL, rating_list=""
    )


def by_method(section: Section, data: EntryData) -> EntryData:
    """Return the entry with the tournament rating and its source that the method of the section gives (record 172).

    A rating that the arbiter gave counts if the method gives none, and with HBFN if it is the highest.
    """
    method, given = section.rating_method, data.rating or 0
    if method == Section.RatingMethod.OTHER:
        return data
    fide, national = data.official_rating or 0, data.national_rating or 0
    found = RankingMethod("", method).rating(fide, national) or 0
    if data.rating_source in _GIVEN and method == Section.RatingMethod.HBFN:
        found = max(found, given)
    if not found or (found == given and data.rating_source in _GIVEN and found not in (fide, national)):
        return data
    if found == fide:
        source = (
            data.rating_source
            if data.rating_source in _OFFICIAL and found == given
            else RatingSource.OFFICIAL
        )
    else:
        source = RatingSource.NATIONAL
    same = found == given and source == data.rating_source
    return replace(data, rating=found, rating_source=source, rating_list=data.rating_list if same else "")


# One accepted row, as the import action takes it.


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRow:
    """participant_id: the entry to change, None to add one. byes: rounds with a requested half-point bye. missed: the
    kind of bye for the rounds before a late entry that waits for an arbiter, "" for none.
    """

    entry: EntryData
    participant_id: int | None = None
    byes: tuple[int, ...] = ()
    missed: str = ""
