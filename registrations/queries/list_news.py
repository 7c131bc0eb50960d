"""What a new rating list says otherwise about registrations: which ones, and what would follow from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from ratings.models import RatingList
from ratings.search import ready_lists
from registrations.models import ListNews, Registration, SectionRegistration
from registrations.states import LIVE
from tournaments.models import Section
from tournaments.models.events import AT_REST
from tournaments.queries.rating_lists import lists_in_force

from .problems import fee_lines, misfits

_OTHER = ~Q(rating=Coalesce(OuterRef("rating"), Value(0))) | (~Q(title="") & ~Q(title=OuterRef("title")))
NEWS = Q(state__in=LIVE) & Q(
    Exists(
        ListNews.objects.filter(
            _OTHER,
            registration=OuterRef("pk"),
            section=OuterRef("section"),
            fide_id=OuterRef("fide_id"),
            left=False,
        )
    )
)
"""Registrations about which the list says something else, unless an organiser has left them as they are."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What the data of the list would change. Cents, and codes of limits that would be missed or met then."""

    rating: int
    former_rating: int
    title: str
    former_title: str
    label: str
    missed: tuple[str, ...]
    met: tuple[str, ...]
    fee: int
    former_fee: int

    @property
    def is_rated(self) -> bool:
        return self.rating > 0


def effect_of(one: Registration, limits: SectionRegistration) -> Effect | None:
    """Return what would follow if the registration had the data of the list; None if it has them. No query."""
    news = one.news_now
    if news is None:
        return None
    then = copy(one)
    then.rating, then.title = news.rating or one.rating, news.title or one.title
    day = timezone.localdate(one.created_at)
    codes, former = tuple(misfits(then, limits)), tuple(misfits(one, limits))
    return Effect(
        rating=news.rating,
        former_rating=one.rating or 0,
        title=then.title,
        former_title=one.title,
        label=news.label,
        missed=tuple(code for code in codes if code not in former),
        met=tuple(code for code in former if code not in codes),
        fee=sum(cents for _kind, cents in fee_lines(then, limits, day)),
        former_fee=sum(cents for _kind, cents in fee_lines(one, limits, day)),
    )


def lists_of(section: Section, ready: Sequence[RatingList]) -> str:
    """Return which lists are in force in which order, as `lists_checked` keeps it; "" without a list."""
    there = [one for one in lists_in_force(section, ready) if one.listing is not None]
    return " ".join(f"{one.code}={one.listing.pk}" for one in there if one.listing is not None)[:400]


def sections_with_other_lists() -> Iterator[tuple[SectionRegistration, str]]:
    """Yield the sections whose registrations were not compared with the lists in force, and these lists. Two queries.

    A section that is closed, whose event is over or archived, or that does not compare by itself (VCL4THP.13 Q138) is
    left out.
    """
    rows = SectionRegistration.objects.filter(
        section__lists_compared=True,
        section__event__registration__isnull=False,
        section__event__end__gte=timezone.localdate(),
    ).exclude(Q(section__status=Section.Status.CLOSED) | Q(section__event__state__in=AT_REST))
    found = list(rows.select_related("section__event").order_by("pk"))
    ready = ready_lists() if found else []
    for limits in found:
        lists = lists_of(limits.section, ready)
        if lists != limits.lists_checked:
            yield limits, lists
