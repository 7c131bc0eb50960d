"""Whether a registration fits its section, what it costs, and what the organiser has to look at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any

from django.db.models import Q, QuerySet

from base.text import folded, lacks_comma
from evenboard_engine import system_named
from ratings.names import same_name, searchable
from registrations.models import Charge, EventRegistration, Registration, SectionRegistration
from registrations.models.registration import MANY_FORMS
from registrations.states import LIVE
from tournaments.models import Sex

from .rating_lists import ListedPerson, Lists, other_year

# The account of a registration, as people read it.


def account_lines(one: Registration) -> list[Charge]:
    """Return the lines of the account, without ended prices of former sections, which add up to 0. One query."""
    return in_force(list(one.charges.all()))


def in_force(lines: Sequence[Charge]) -> list[Charge]:
    """Return all lines of an account without those of ended prices."""
    ended = max((place for place, line in enumerate(lines) if line.kind == Charge.Kind.MOVED), default=-1)
    return [line for place, line in enumerate(lines) if place > ended or not line.of_section]


def price_in(lines: Sequence[Charge]) -> list[tuple[str, int]]:
    """Return kind and cents of the lines of an account that are the price of the section."""
    return [(line.kind, line.cents) for line in in_force(lines) if line.of_section]


RATING_LOW = "rating_low"
RATING_HIGH = "rating_high"
NO_RATING = "no_rating"
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
NAME_ORDER = "name_order"
LIMITS = frozenset({RATING_LOW, RATING_HIGH, NO_RATING, TOO_YOUNG, TOO_OLD, AGE_UNKNOWN, WOMEN_ONLY, TITLE})
"""A form with one of these is refused. The others are for the organiser to look at."""
OF_LISTS = frozenset({NOT_IN_LIST, NOT_AS_LISTED})
OF_OTHERS = OF_LISTS | {SAME_PERSON, SAME_MAIL, MANY_FORMS}
"""Found by comparing with other registrations and with rating lists."""
PROBLEMS = (
    *sorted(LIMITS),
    UNRATED,
    SAME_PERSON,
    SAME_MAIL,
    GUARDIAN,
    NOT_IN_LIST,
    NOT_AS_LISTED,
    MANY_FORMS,
    NAME_ORDER,
)


def misfits(one: Registration, limits: SectionRegistration) -> Iterator[str]:
    """Yield the limits of the section that the registration does not meet. No query."""
    if limits.rating_from is not None and (one.rating or 0) < limits.rating_from:
        yield RATING_LOW if one.rating else NO_RATING
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
    return needs_provisional(one) and limits.unrated_as is None and not one.section.minimum_rating


def needs_provisional(one: Registration) -> bool:
    """Return whether the player has no rating, and the pairing system of the section needs one."""
    return not one.rating and not system_named(one.section.system).takes_unrated


def problems_of(one: Registration, form: EventRegistration, limits: SectionRegistration) -> str:
    """Return the codes of what the organiser has to look at, as the database keeps them.

    One query, and those of the rating lists.
    """
    same = perhaps_one_name(one.name, one.birth_date)
    if one.email:
        same |= Q(email__iexact=one.email)
    others = _others(one.event_id).exclude(pk=one.pk).filter(same)[:20]
    listed = Lists(one.section) if _is_listed(one) else None
    return _kept(
        [*_of_settings(one, form, limits), *_of_lists(one, listed), *_twice(one, others), *_held(one)]
    )


def problems_of_many(
    ones: Sequence[Registration], form: EventRegistration, limits: SectionRegistration
) -> list[str]:
    """Return what `problems_of` does, for registrations of one section. The others of the event are read once."""
    by_name: defaultdict[str, list[Registration]] = defaultdict(list)  # by the words of the name
    by_mail: defaultdict[str, list[Registration]] = defaultdict(list)
    for other in _others(form.event_id) if ones else ():
        by_name[_words(other.name)].append(other)
        by_mail[other.email.casefold()].append(other)
    asked = [one for one in ones if _is_listed(one)]
    lists = Lists(asked[0].section, [one.fide_id for one in asked if one.fide_id]) if asked else None
    found = []
    for one in ones:
        same = [*by_name[_words(one.name)], *(by_mail[one.email.casefold()] if one.email else ())]
        others = sorted({other.pk: other for other in same}.values(), key=lambda other: other.pk)
        twice = _twice(one, [other for other in others if other.pk != one.pk][:20])
        of_lists = _of_lists(one, lists if _is_listed(one) else None)
        found.append(_kept([*_of_settings(one, form, limits), *of_lists, *twice, *_held(one)]))
    return found


def _held(one: Registration) -> Iterator[str]:
    """Yield the mark of one of very many forms, until the player or the organiser has pressed once more."""
    if one.is_held:
        yield MANY_FORMS


def _others(event_id: int) -> QuerySet[Registration]:
    rows = Registration.objects.filter(event=event_id, state__in=LIVE).order_by("pk")
    return rows.only("name", "birth_date", "email", "fide_id", "section")


def _twice(one: Registration, others: Iterable[Registration]) -> Iterator[str]:
    """Yield whether others of the event have the same name or mail address.

    If the sections play at different times, the same name in another section is the same person, who may play there.
    """
    apart = one.event.sections_apart
    for other in others:
        alike = is_one_name(one.name, one.birth_date, other.name, other.birth_date)
        if apart and other.section_id != one.section_id and alike:
            continue
        if alike and not _clearly_different(one, other):
            yield SAME_PERSON
        elif one.email and other.email.casefold() == one.email.casefold():
            yield SAME_MAIL


MOST_OTHERS = 5
"""Registrations that are named as perhaps those of one person."""


def others_of(ones: Iterable[Registration]) -> dict[int, list[Registration]]:
    """Return with which other registrations of the event these are perhaps registered twice, by their keys.

    One query if any of them has the problem, else none.
    """
    doubtful = [one for one in ones if {SAME_PERSON, SAME_MAIL} & set(one.problem_codes)]
    if not doubtful:
        return {}
    same = Q()
    for one in doubtful:
        same |= perhaps_one_name(one.name, one.birth_date)
        if one.email:
            same |= Q(email__iexact=one.email)
    rows = Registration.objects.filter(same, event=doubtful[0].event_id, state__in=LIVE)
    there = list(rows.select_related("section").order_by("pk"))
    found = {
        one.pk: [other for other in there if other.pk != one.pk and any(_twice(one, [other]))]
        for one in doubtful
    }
    return {key: others[:MOST_OTHERS] for key, others in found.items()}


def perhaps_one_name(name: str, born: str) -> Q:
    """Return the condition on registrations that may have this name; `is_one_name` decides."""
    same = Q(search__startswith=f"{folded(name)} ")
    if born:
        words = Q(birth_date=born)
        for word in folded(name).split():
            words &= Q(search__contains=word)
        same |= words
    return same


def is_one_name(name: str, born: str, other: str, other_born: str) -> bool:
    """Return whether two names are one: "Uwe Bauer" is "Bauer, Uwe" if the birth date is the same."""
    return folded(name) == folded(other) or (bool(born) and born == other_born and same_name(name, other))


def _words(name: str) -> str:
    return " ".join(sorted(searchable(name).split()))


def problems_of_settings(one: Registration, form: EventRegistration, limits: SectionRegistration) -> str:
    """Return the codes after the settings have changed: those that do not depend on settings stay. No query."""
    others = [code for code in one.problem_codes if code in OF_OTHERS]
    return _kept([*_of_settings(one, form, limits), *others])


def problems_of_lists(one: Registration, lists: Lists) -> str:
    """Return the codes after the rating lists have changed: those that do not depend on lists stay.

    No query but those of the lists.
    """
    of_lists = _of_lists(one, lists if _is_listed(one) else None)
    others = [code for code in one.problem_codes if code not in OF_LISTS]
    twice = [code for code in others if code in OF_OTHERS]
    return _kept([*(code for code in others if code not in OF_OTHERS), *of_lists, *twice])


def _kept(codes: Iterable[str]) -> str:
    return "".join(f" {code} " for code in dict.fromkeys(codes))


def _of_settings(one: Registration, form: EventRegistration, limits: SectionRegistration) -> Iterator[str]:
    yield from misfits(one, limits)
    if lacks_rating(one, limits):
        yield UNRATED
    if needs_guardian(one, form) and not (one.guardian and one.guardian_email):
        yield GUARDIAN
    if lacks_comma(one.name):
        yield NAME_ORDER


def _is_listed(one: Registration) -> bool:
    return one.fide_id is not None or bool(one.rating)


def _of_lists(one: Registration, lists: Lists | None) -> Iterator[str]:
    """Yield whether the data differ from the rating lists in force. A section without a list compares nothing.

    With a FIDE ID, the person under it must be this one. Without one, a rating must be that of a person of this name.
    """
    if lists is None or not lists.there:
        return
    if one.fide_id is not None:
        listed = lists.under(one.fide_id)
        people = [listed] if listed is not None else []
    else:
        people = [each for each in lists.find(one.name) if same_name(each.name, one.name)]
        people = [each for each in people if not other_year(each, one.birth_date)]
    if not people:
        yield NOT_IN_LIST
    elif not any(_agrees(each, one) for each in people):
        yield NOT_AS_LISTED


def _agrees(listed: ListedPerson, one: Registration) -> bool:
    """Return whether name, rating, title, year of birth and sex do not contradict the rating list."""
    return (
        same_name(listed.name, one.name)
        and (one.rating or None) == listed.rating
        and one.title in ("", listed.title)
        and not other_year(listed, one.birth_date)
        and (not one.sex or not listed.sex or one.sex == listed.sex)
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
