"""What the organiser has to look at in a registration, in words."""

from __future__ import annotations

from django.utils.translation import gettext

from entering.models import Registration, SectionRegistration
from entering.queries.fitting import NO_RATING, RATING_LOW, needs_provisional
from tournaments.reader import READER
from tournaments.web.words.refusals.registrations import limits_text


def problems_text(one: Registration, limits: SectionRegistration | None) -> str:
    """Return what the organiser has to look at, in words. limits: of the section, for players without a rating."""
    words = []
    for code in one.problem_codes:
        unrated = code == NO_RATING or (code == RATING_LOW and not one.rating)
        if unrated and limits is not None and limits.rating_from is not None:
            words.append(_without_rating(one, limits, limits.rating_from))
        else:
            words.append(limits_text([code]))
    return READER.listed(words) if words else ""


def _without_rating(one: Registration, limits: SectionRegistration, lowest: int) -> str:
    provisional = (limits.unrated_as or one.section.minimum_rating) if needs_provisional(one) else None
    if provisional:
        values = {"provisional": provisional, "lowest": lowest}
        return gettext("no rating (paired as %(provisional)s), and the section begins at %(lowest)s") % values
    return gettext("no rating, and the section begins at %(lowest)s") % {"lowest": lowest}
