"""Look people up in the rating list of this server. Without lists nobody is found, and people type their data."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.models import FIDE, RatingList
from ratings.players import Listed as Player
from ratings.queries.lists import in_force, ready_lists
from ratings.queries.search import find_players, players_by_id
from tournaments.models import RatingSource, Sex, Title

SEX = {"m": Sex.MALE.value, "f": Sex.FEMALE.value, "w": Sex.FEMALE.value}


@dataclass(frozen=True, slots=True)
class Listed:
    """A person in a rating list, with what the federation publishes. name: as printed, "Surname, Given"."""

    fide_id: int
    name: str
    federation: str = ""
    sex: str = ""
    title: str = ""
    birth_year: int | None = None
    rating: int | None = None
    rating_source: str = ""
    rating_list: str = ""


MOST = 10


def find_listed(text: str, *, most: int = MOST) -> list[Listed]:
    """Return the people of the list in force whom a FIDE ID or parts of a name find, at most `most`."""
    listing = in_force(ready_lists(), FIDE, RatingSource.STANDARD)
    if listing is None or not text.strip():
        return []
    found = find_players(listing, text, most)
    return [_listed(one, listing) for one in (*found.players, *found.similar)[:most] if one.fide_id]


def listed_under(fide_id: int | None) -> Listed | None:
    """Return the person with this FIDE ID, or None."""
    listing = in_force(ready_lists(), FIDE, RatingSource.STANDARD) if fide_id is not None else None
    if listing is None or fide_id is None:
        return None
    one = players_by_id(listing, [fide_id]).get(fide_id)
    return None if one is None else _listed(one, listing)


def _listed(one: Player, listing: RatingList) -> Listed:
    return Listed(
        fide_id=one.fide_id or 0,
        name=one.name,
        federation=one.federation,
        sex=SEX.get(one.sex.lower(), ""),
        title=one.best_title if one.best_title in Title.values else "",
        birth_year=int(one.year) if one.year.isdecimal() else None,
        rating=one.standard or None,
        rating_source=RatingSource.STANDARD.value,
        rating_list=listing.period,
    )
