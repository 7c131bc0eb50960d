"""Look people up in the rating list of this server. Without lists nobody is found, and people type their data."""

from __future__ import annotations

from dataclasses import dataclass


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
    hits: list[Listed] = []
    return [one for one in hits if text][:most]


def listed_under(fide_id: int | None) -> Listed | None:
    """Return the person with this FIDE ID, or None."""
    if fide_id is None:
        return None
    return next((one for one in find_listed(str(fide_id)) if one.fide_id == fide_id), None)
