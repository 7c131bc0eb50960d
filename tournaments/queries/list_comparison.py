"""Where the entries of a section differ from the rating lists in force. Nothing is changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Q
from django.utils import timezone

from ratings.models import FIDE, RatingList
from ratings.players import Listed
from ratings.queries.lists import ready_lists, series_up_to_date
from tournaments.entry_data import EntryData, by_method
from tournaments.models import Participant, Section
from tournaments.models.round import rounds_paired

from .rating_lists import InForce, There, alike, lists_in_force, month_of, national_of, source_of

A_DAY = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry that differs from the main list. official, national: differ too, or are the same. stood: the official
    rating so far.

    listed_name: in the list, if it has no word of the name of the entry: the ID may be wrong. Else "".
    """

    entry: Participant
    source: InForce
    rating: int
    official: int | None
    national: int | None
    stood: int | None
    listed_name: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """differences: by pairing number. not_rated: entries with a rating of a list that no list rates any more.

    period: the rating period whose official ratings are compared, if it is a later one, else 1. lists: which lists.
    """

    differences: tuple[Difference, ...] = ()
    not_rated: tuple[Participant, ...] = ()
    period: int = 1
    lists: str = ""

    def __len__(self) -> int:
        return len(self.differences) + len(self.not_rated)


def comparison(section: Section, ready: Iterable[RatingList] | None = None) -> Comparison:
    """Compare the entries with a FIDE ID or a national ID, each with the first list that rates the player.

    From the second rating period on, only its official ratings are compared: the others gave numbers and pairings.
    """
    known = Q(player__fide_id__isnull=False) | ~Q(player__national_id="")
    entries = list(section.participants.select_related("player").filter(known))
    sequence = lists_in_force(section, ready)
    people = _People.look_up(sequence, entries)
    period = _period(section)
    found, gone = [], []
    for entry in entries:
        rated = people.ratings_of(entry)
        if not rated:
            if _must_rate(sequence, entry):
                gone.append(entry)
            continue
        source, rating = rated[0]
        stood = _official(entry, period)
        official = next((value for one, value in rated if one.series == FIDE), stood)
        national = national_of(rated) or entry.national_rating
        if period > 1:
            source = next((one for one, _value in rated if one.series == FIDE), source)
            rating, national = entry.rating, entry.national_rating
        elif (
            section.rating_method != Section.RatingMethod.OTHER
        ):  # record 172 says which of its ratings counts
            given = EntryData(
                name=entry.player.name,
                rating=entry.rating,
                rating_source=entry.rating_source,
                official_rating=official,
                national_rating=national,
            )
            rating = by_method(section, given).rating
            source = next((one for one, value in rated if value == rating), source)
        if (rating, official, national) != (entry.rating, stood, entry.national_rating):
            name = people.other_name(rated[0][0], entry)
            found.append(Difference(entry, source, rating, official, national, stood, name))
    return Comparison(tuple(found), tuple(gone), period, _keys(sequence))


def _keys(sequence: Iterable[InForce]) -> str:
    """Return the keys of the lists in force, as one text."""
    return "-".join(str(one.listing.pk) for one in sequence if one.listing is not None)


def _period(section: Section) -> int:
    """Return the rating period of the next round, from 1. One query if there are several."""
    periods = section.rating_periods
    if len(periods) < 2:
        return 1
    following = rounds_paired(section) + 1
    return next((number for number, (_, last) in enumerate(periods, 1) if following <= last), len(periods))


def _official(entry: Participant, period: int) -> int | None:
    """Return the official rating of an entry in a period: its own, or that of the period before."""
    known = [entry.period_ratings[str(n)] for n in range(2, period + 1) if str(n) in entry.period_ratings]
    return (known[-1] or None) if known else entry.official_rating


@dataclass(frozen=True, slots=True)
class _People:
    """The people of the lists of a sequence who have an entry."""

    sequence: Sequence[InForce]
    there: Mapping[int, There]

    @classmethod
    def look_up(cls, sequence: Sequence[InForce], entries: Collection[Participant]) -> _People:
        numbers = [entry.player.national_id for entry in entries if entry.player.national_id]
        ids = [entry.player.fide_id for entry in entries if entry.player.fide_id is not None]
        listings = {one.listing for one in sequence if one.listing is not None}
        return cls(sequence, {one.pk: There.look_up(one, ids, numbers) for one in listings})

    def _person(self, one: InForce, entry: Participant) -> Listed | None:
        if one.listing is None:
            return None
        player = entry.player
        return self.there[one.listing.pk].of(player.fide_id, player.national_id, player.birth_date)

    def ratings_of(self, entry: Participant) -> list[tuple[InForce, int]]:
        return [(one, rating) for one in self.sequence if (rating := one.of(self._person(one, entry)))]

    def other_name(self, one: InForce, entry: Participant) -> str:
        """Return the name in a list if it shares no word with that of the entry, else ""."""
        person = self._person(one, entry)
        return "" if person is None or alike(person.name, entry.player.name) else person.name


def _must_rate(sequence: Iterable[InForce], entry: Participant) -> bool:
    """Return whether the rating of an entry came from a list of this kind, and all such lists are there."""
    kinds = [one for one in sequence if source_of(one) == entry.rating_source]
    return bool(entry.rating_list and kinds) and all(one.listing is not None for one in kinds)


def outdated(section: Section, sequence: Iterable[InForce]) -> list[InForce]:
    """Return the lists that may not be the current ones: missing, or of another month than the one that counts (Q141).

    A list of an earlier month is current if its server was asked within a day and has nothing newer. Before the month
    in which the event begins, that of today is.
    """
    month, asked = month_of(section), series_up_to_date()
    due = min(month, f"{timezone.localdate():%Y-%m}")
    return [
        one
        for one in sequence
        if one.listing is None or (one.listing.period < due and one.series not in asked)
    ]


def new_differences(section: Section, entries: Iterable[Participant] | None = None) -> int:
    """Return how many entries differ from the lists in force; 0 if the section does not compare by itself (Q138, Q139).

    They are compared again as soon as a list, the lists of the section or an entry is another one. One query, and two
    when they are compared. entries: with their players, if they are known; else any change of the section counts.
    """
    if not section.lists_compared or section.is_closed:
        return 0
    ready = ready_lists(section.event_id)
    lists = _keys(lists_in_force(section, ready))
    if not lists:
        return 0
    facts = None if entries is None else (section.rating_method, _period(section), *map(_facts, entries))
    state = section.revision if facts is None else hash(facts)
    key = f"lists-compared:{section.pk}:{state}:{lists}"
    found = cache.get_or_set(key, lambda: len(comparison(section, ready)), A_DAY)
    return int(found or 0)


def _facts(entry: Participant) -> tuple[object, ...]:
    """Return what of an entry is compared."""
    player = entry.player
    return (
        entry.rating, entry.rating_source, entry.rating_list, entry.official_rating, entry.national_rating,
        entry.pk, player.fide_id, player.national_id, player.birth_date, player.name, str(entry.period_ratings),
    )  # fmt: skip
