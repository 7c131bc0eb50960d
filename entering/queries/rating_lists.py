"""Look people up in the rating list of this server. Without lists nobody is found, and people type their data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import Section, Sex, Title
from tournaments.queries.rating_lists import Hit, found_in_lists, found_under, lists_in_force, source_of

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


def find_listed(section: Section, text: str, *, most: int = MOST, all_ids: bool = False) -> list[Listed]:
    """Return the people whom a FIDE ID or parts of a name find in the lists in force in a section, at most `most`.

    all_ids: also people of a national list who have no FIDE ID, with 0 for it.
    """
    if not text.strip():
        return []
    return [_listed(hit) for hit in found_in_lists(section, text) if hit.player.fide_id or all_ids][:most]


class Lists:
    """The rating lists in force in a section. there: whether one is. ids: FIDE IDs that are read together, once."""

    def __init__(self, section: Section, ids: Sequence[int] = ()) -> None:
        self._section = section
        self.there = any(one.listing is not None for one in lists_in_force(section))
        self._under: dict[int, Listed] = {}
        if self.there and ids:
            self._under = {hit.player.fide_id or 0: _listed(hit) for hit in found_under(section, ids)}
        self._asked = frozenset(ids)

    def under(self, fide_id: int) -> Listed | None:
        """Return the person with this FIDE ID, or None."""
        if fide_id in self._asked:
            return self._under.get(fide_id)
        return listed_under(self._section, fide_id)

    def find(self, name: str) -> list[Listed]:
        """Return the people whom the name finds, also those of a national list without a FIDE ID."""
        return find_listed(self._section, name, all_ids=True)


def listed_under(section: Section, fide_id: int | None) -> Listed | None:
    """Return the person with this FIDE ID, or None."""
    if fide_id is None:
        return None
    return next((_listed(hit) for hit in found_under(section, [fide_id])), None)


def _listed(hit: Hit) -> Listed:
    """Return the person, with the rating of the main list if it has one."""
    one = hit.player
    rating, source, label = next(
        ((rating, source_of(there), there.label) for place, there, rating in hit.ratings if not place),
        (None, "", ""),
    )
    return Listed(
        fide_id=one.fide_id or 0,
        name=one.name,
        federation=one.federation,
        sex=SEX.get(one.sex.lower(), ""),
        title=one.best_title if one.best_title in Title.values else "",
        birth_year=int(one.year) if one.year.isdecimal() else None,
        rating=rating,
        rating_source=source,
        rating_list=label,
    )
