"""Whether a registration fits its section, what it costs, and what the organiser has to look at."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.db.models import Q

from entering.machine import LIVE
from entering.models import Charge, EventRegistration, Registration, SectionRegistration
from pairing.engine import system_named
from tournaments.models import Sex
from tournaments.text import folded

from .rating_lists import listed_under

RATING_LOW = "rating_low"
RATING_HIGH = "rating_high"
TOO_YOUNG = "too_young"
TOO_OLD = "too_old"
AGE_UNKNOWN = "age_unknown"
WOMEN_ONLY = "women_only"
TITLE = "title"
UNRATED = "unrated"
SAME_PERSON = "same_person"
SAME_MAIL = "same_mail"
GUARDIAN = "guardian"
NOT_IN_LIST = "not_in_list"
NOT_AS_LISTED = "not_as_listed"
LIMITS = frozenset({RATING_LOW, RATING_HIGH, TOO_YOUNG, TOO_OLD, AGE_UNKNOWN, WOMEN_ONLY, TITLE})
"""A form with one of these is refused. The others are for the organiser to look at."""
PROBLEMS = (*sorted(LIMITS), UNRATED, SAME_PERSON, SAME_MAIL, GUARDIAN, NOT_IN_LIST, NOT_AS_LISTED)


def misfits(one: Registration, limits: SectionRegistration) -> Iterator[str]:
    """Yield the limits of the section that the registration does not meet. No query."""
    if limits.rating_from is not None and (one.rating or 0) < limits.rating_from:
        yield RATING_LOW
    if limits.rating_to is not None and (one.rating or 0) > limits.rating_to:
        yield RATING_HIGH
    if limits.age_from is not None or limits.age_to is not None:
        age = one.age_on(one.event.start)
        if age is None:
            yield AGE_UNKNOWN
        elif limits.age_from is not None and age < limits.age_from:
            yield TOO_YOUNG
        elif limits.age_to is not None and age > limits.age_to:
            yield TOO_OLD
    if limits.women_only and one.sex != Sex.FEMALE:
        yield WOMEN_ONLY
    if limits.titles and one.title not in limits.titles.split():
        yield TITLE


def needs_guardian(one: Registration, form: EventRegistration) -> bool:
    """Return whether the player is so young on the first day that a guardian must be named."""
    age = one.age_on(one.event.start)
    return age is not None and age < form.guardian_age


def lacks_rating(one: Registration, limits: SectionRegistration) -> bool:
    """Return whether the organiser must give the player a rating before the player can have an entry."""
    return needs_provisional(one) and limits.unrated_as is None


def needs_provisional(one: Registration) -> bool:
    """Return whether the player has no rating, and the pairing system of the section needs one."""
    return not one.rating and not system_named(one.section.system).takes_unrated


def problems_of(one: Registration, form: EventRegistration, limits: SectionRegistration) -> str:
    """Return the codes of what the organiser has to look at, as the database keeps them.

    One query, and with a FIDE ID those of the rating lists.
    """
    found = list(misfits(one, limits))
    if lacks_rating(one, limits):
        found.append(UNRATED)
    if needs_guardian(one, form) and not (one.guardian and one.guardian_email):
        found.append(GUARDIAN)
    if differs_from_list(one):
        found.append(NOT_AS_LISTED)
    others = Registration.objects.filter(event=one.event_id, state__in=LIVE).exclude(pk=one.pk)
    same = Q(search__startswith=f"{folded(one.name)} ")
    if one.email:
        same |= Q(email__iexact=one.email)
    for other in others.filter(same).only("name", "birth_date", "email", "fide_id")[:20]:
        if folded(other.name) == folded(one.name) and not _clearly_different(one, other):
            found.append(SAME_PERSON)
        elif one.email and other.email.casefold() == one.email.casefold():
            found.append(SAME_MAIL)
    return "".join(f" {code} " for code in dict.fromkeys(found))


def differs_from_list(one: Registration) -> bool:
    """Return whether the rating list has another person under the FIDE ID, another rating, or no such title."""
    listed = listed_under(one.section, one.fide_id)
    return listed is not None and (
        sorted(folded(listed.name.replace(",", " ")).split())
        != sorted(folded(one.name.replace(",", " ")).split())
        or (one.rating or None) != listed.rating
        or one.title not in ("", listed.title)
    )


def _clearly_different(one: Registration, other: Registration) -> bool:
    """Return whether two people of one name are known to be two: their years of birth or FIDE IDs differ."""
    years = one.birth_date[:4], other.birth_date[:4]
    ids = one.fide_id, other.fide_id
    return (all(years) and years[0] != years[1]) or (all(ids) and ids[0] != ids[1])


def search_text(one: Registration) -> str:
    """Return what a search looks at. It begins with the folded name."""
    return f"{folded(one.name)} {one.fide_id or ''} {one.email.casefold()}"[:400]


def fee_lines(one: Registration, limits: SectionRegistration, day: date) -> list[tuple[str, int]]:
    """Return the fee and the reductions for a registration of that day: kind of charge and cents."""
    if not limits.fee:
        return []
    age = one.age_on(one.event.start)
    young = limits.young_age is not None and age is not None and age < limits.young_age
    reductions = [
        limits.young_off if young else 0,
        limits.titled_off if one.title in ("GM", "IM", "WGM", "WIM") else 0,
        limits.early_off if limits.is_early(day) else 0,
    ]
    lines = [(Charge.Kind.FEE.value, limits.fee)]
    rest = limits.fee
    for off in reductions:
        if taken := min(off, rest):
            lines.append((Charge.Kind.REDUCTION.value, -taken))
            rest -= taken
    return lines


def facts_of(one: Registration, limits: SectionRegistration) -> dict[str, Any]:
    """Return the facts and limits by which a registration is admitted, which later changes do not touch."""
    return {
        "rating": one.rating,
        "rating_list": one.rating_list,
        "rating_source": one.rating_source,
        "title": one.title,
        "sex": one.sex,
        "age": one.age_on(one.event.start),
        "limits": {
            name: getattr(limits, name)
            for name in ("rating_from", "rating_to", "age_from", "age_to", "women_only", "titles", "fee")
        },
    }
