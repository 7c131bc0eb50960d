"""The data of one player's entry, as forms, imports and the API pass it to the actions."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import RatingSource


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryData:
    """One entry. The action that receives it checks it against the section.

    name: "Surname, Given". sex: "m", "w" or "". title: as in `Title`. federation: three capitals or "".
    birth_date: "YYYY/MM/DD" (00 for an unknown part), "YYYY" or "". rating: the tournament rating, Elo; 0 for an
    unrated player, if the pairing system takes such players. official_rating: of the report file, or None. team,
    pairing_flags: as in `Participant`. first_round: later than 1 for a late entry. by_initials: as in `Player`; None
    leaves it as it is.
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
    club: str = ""
    team: str = ""
    pairing_flags: str = ""
    note: str = ""
    first_round: int = 1
    by_initials: bool | None = None
