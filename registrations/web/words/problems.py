"""What the organiser has to look at in a registration, as facts: the values, not only that they differ."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from django.utils.translation import gettext as _

from base.reader import READER
from base.text import isolated, name_ways
from ratings.names import same_name
from registrations.models import Registration, SectionRegistration
from registrations.queries.problems import (
    NAME_ORDER,
    NO_RATING,
    NOT_AS_LISTED,
    NOT_IN_LIST,
    RATING_HIGH,
    RATING_LOW,
    TITLE,
    TOO_OLD,
    TOO_YOUNG,
    needs_provisional,
)
from registrations.queries.rating_lists import ListedPerson, listed_under_ids, other_year
from tournaments.models import Sex
from web.words.refusals.registrations import limits_text


def problems_of_rows(
    ones: Iterable[Registration], limits: Mapping[int, SectionRegistration]
) -> dict[int, str]:
    """Return what there is to look at in registrations, in words, by their keys.

    The lists are asked about those alone whose data are others there.
    """
    rows = [one for one in ones if one.problems]
    people = listed_under_ids([one for one in rows if NOT_AS_LISTED in one.problem_codes])
    return {one.pk: problems_text(one, limits.get(one.section_id), people.get(one.pk)) for one in rows}


def problems_text(
    one: Registration,
    limits: SectionRegistration | None,
    listed: ListedPerson | None = None,
    only: Collection[str] = (),
) -> str:
    """Return what the organiser has to look at, in words. limits: of the section.

    listed: the person whom the rating list has under the FIDE ID. only: the codes that are wanted; none for all.
    """
    words: list[str] = []
    for code in one.problem_codes:
        if not only or code in only:
            words += _facts(code, one, limits, listed)
    return READER.listed(words) if words else ""


def _facts(
    code: str, one: Registration, limits: SectionRegistration | None, listed: ListedPerson | None
) -> list[str]:
    unrated = code == NO_RATING or (code == RATING_LOW and not one.rating)
    if unrated and limits is not None and limits.rating_from is not None:
        return [_without_rating(one, limits, limits.rating_from)]
    values = {"rating": one.rating, "section": one.section.name, "age": one.age_on(one.event.start)}
    if code == RATING_LOW:
        return [_("%(rating)s, too low for %(section)s") % values]
    if code == RATING_HIGH:
        return [_("%(rating)s, too high for %(section)s") % values]
    if code == TOO_YOUNG and values["age"] is not None:
        return [_("%(age)s years old, too young for %(section)s") % values]
    if code == TOO_OLD and values["age"] is not None:
        return [_("%(age)s years old, too old for %(section)s") % values]
    if code == TITLE and limits is not None:
        titles = READER.listed(limits.titles.split())
        return [_("%(section)s needs one of these titles: %(titles)s") % {**values, "titles": titles}]
    if code == NAME_ORDER:
        return [_("no comma in the name: %(name)s?") % {"name": isolated(name_ways(one.name)[0])}]
    if code == NOT_IN_LIST and one.fide_id is not None:
        return [_("FIDE ID %(fide_id)s is not in the rating list") % {"fide_id": one.fide_id}]
    if code == NOT_AS_LISTED and listed is not None:
        return list(_differences(one, limits, listed)) or [limits_text([code])]
    return [limits_text([code])]


def _differences(
    one: Registration, limits: SectionRegistration | None, listed: ListedPerson
) -> Iterable[str]:
    """Yield what the list has otherwise, and whether its rating meets the limits of the section."""
    if (one.rating or None) != listed.rating:
        yield _listed_rating(one, limits, listed.rating)
    if not same_name(listed.name, one.name):
        yield _("%(name)s in the list") % {"name": isolated(listed.name)}
    if other_year(listed, one.birth_date):
        yield _("born in %(year)s in the list") % {"year": listed.birth_year}
    if one.title not in ("", listed.title):
        yield (
            _("title %(title)s in the list") % {"title": listed.title}
            if listed.title
            else _("no title in the list")
        )
    if one.sex and listed.sex and one.sex != listed.sex:
        yield _("sex in the list: %(sex)s") % {"sex": Sex(listed.sex).label}


def _listed_rating(one: Registration, limits: SectionRegistration | None, rating: int | None) -> str:
    if not rating:
        return _("no rating in the list")
    values = {"rating": rating, "section": one.section.name}
    if limits is not None and limits.rating_to is not None and rating > limits.rating_to:
        return _("%(rating)s in the list, too high for %(section)s") % values
    if limits is not None and limits.rating_from is not None and rating < limits.rating_from:
        return _("%(rating)s in the list, too low for %(section)s") % values
    return _("%(rating)s in the list") % values


def _without_rating(one: Registration, limits: SectionRegistration, lowest: int) -> str:
    provisional = (limits.unrated_as or one.section.minimum_rating) if needs_provisional(one) else None
    if provisional:
        values = {"provisional": provisional, "lowest": lowest}
        return _("no rating (paired as %(provisional)s), and the section begins at %(lowest)s") % values
    return _("no rating, and the section begins at %(lowest)s") % {"lowest": lowest}
