"""Look people up in the rating list of this server. Without lists nobody is found, and people type their data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from base.text import lacks_comma
from ratings.names import same_name
from registrations.models import Registration
from tournaments.errors import LISTED_OTHERWISE, DomainError
from tournaments.models import Section, Sex, Title
from tournaments.queries.rating_lists import Hit, found_in_lists, found_under, lists_in_force, source_of

SEX = {"m": Sex.MALE.value, "f": Sex.FEMALE.value, "w": Sex.FEMALE.value}


@dataclass(frozen=True, slots=True)
class ListedPerson:
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


def listed_values(
    listed: ListedPerson | None, typed: Mapping[str, Any], *, agreed: str | None = None
) -> dict[str, Any]:
    """Return what the list has of the person where nothing was typed: rating, title, federation, sex, year of birth.

    agreed: the `question` of the refusal, once the player has said that this is the person; None asks nothing, and
    takes nothing of another person.
    Raises DomainError("listed_otherwise") if name or year of birth are others than in the list.
    """
    if listed is None:
        return {}
    name, born = str(typed.get("name") or ""), str(typed.get("birth_date") or "")
    if not is_person(listed, name, born):
        if agreed is None:
            return {}
        refusal = _other_person(listed, name, born)
        if refusal.params["question"] != agreed:
            raise refusal
    found = {
        "rating": listed.rating,
        "title": listed.title,
        "federation": listed.federation,
        "sex": listed.sex,
        "birth_date": str(listed.birth_year or ""),
    }
    taken: dict[str, Any] = {
        column: value for column, value in found.items() if value and not typed.get(column)
    }
    if "rating" in taken:
        taken |= {"rating_source": listed.rating_source, "rating_list": listed.rating_list}
    if lacks_comma(name) and same_name(listed.name, name):
        taken["name"] = listed.name
    return taken


def is_person(listed: ListedPerson, name: str, birth_date: str) -> bool:
    """Return whether name and year of birth do not contradict the list."""
    return same_name(listed.name, name) and not other_year(listed, birth_date)


def other_year(listed: ListedPerson, birth_date: str) -> bool:
    return bool(listed.birth_year and birth_date and str(listed.birth_year) != birth_date[:4])


def _other_person(listed: ListedPerson, name: str, birth_date: str) -> DomainError:
    """Return the refusal. question: stands for all that it asks about, so another value asks again."""
    about = {"fide_id": listed.fide_id, "listed": listed.name, "born": listed.birth_year, "name": name}
    about |= {"birth_date": birth_date, "rating": listed.rating, "list": listed.rating_list}
    question = sha256(repr(about).encode()).hexdigest()[:20]
    return LISTED_OTHERWISE.error(**about, question=question)


MOST = 10


def find_listed(section: Section, text: str, *, all_ids: bool = False) -> list[ListedPerson]:
    """Return the people whom a FIDE ID or parts of a name find in the lists in force in a section, at most `MOST`.

    all_ids: also people of a national list who have no FIDE ID, with 0 for it.
    """
    if not text.strip():
        return []
    return [_listed(hit) for hit in found_in_lists(section, text) if hit.player.fide_id or all_ids][:MOST]


class Lists:
    """The rating lists in force in a section. there: whether one is. ids: FIDE IDs that are read together, once."""

    def __init__(self, section: Section, ids: Sequence[int] = ()) -> None:
        self._section = section
        self.there = any(one.listing is not None for one in lists_in_force(section))
        self._under: dict[int, ListedPerson] = {}
        if self.there and ids:
            self._under = {hit.player.fide_id or 0: _listed(hit) for hit in found_under(section, ids)}
        self._asked = frozenset(ids)

    def under(self, fide_id: int) -> ListedPerson | None:
        """Return the person with this FIDE ID, or None."""
        if fide_id in self._asked:
            return self._under.get(fide_id)
        return listed_under(self._section, fide_id)

    def find(self, name: str) -> list[ListedPerson]:
        """Return the people whom the name finds, also those of a national list without a FIDE ID."""
        return find_listed(self._section, name, all_ids=True)


def listed_under(section: Section, fide_id: int | None) -> ListedPerson | None:
    """Return the person with this FIDE ID, or None."""
    if fide_id is None:
        return None
    return next((_listed(hit) for hit in found_under(section, [fide_id])), None)


def listed_under_ids(ones: Iterable[Registration]) -> dict[int, ListedPerson]:
    """Return the people whom the lists of their sections have under the FIDE IDs of registrations, by their keys."""
    by_section: dict[Section, list[Registration]] = {}
    for one in ones:
        if one.fide_id is not None:
            by_section.setdefault(one.section, []).append(one)
    found: dict[int, ListedPerson] = {}
    for section, rows in by_section.items():
        hits = found_under(section, [one.fide_id for one in rows if one.fide_id is not None])
        people = {hit.player.fide_id: _listed(hit) for hit in hits}
        found |= {one.pk: people[one.fide_id] for one in rows if one.fide_id in people}
    return found


def _listed(hit: Hit) -> ListedPerson:
    """Return the person, with the rating of the main list if it has one."""
    one = hit.player
    rating, source, label = next(
        ((rating, source_of(there), there.label) for place, there, rating in hit.ratings if not place),
        (None, "", ""),
    )
    return ListedPerson(
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
