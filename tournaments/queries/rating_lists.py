"""The rating lists in force in a section, what they say about a player, and where entries differ from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q
from django.utils import timezone

from base.cache import Cache
from ratings.models import FIDE, OF_EVENT, RatingList
from ratings.names import searchable
from ratings.players import RATINGS, ListedPlayer
from ratings.search import (
    find_players,
    in_force,
    players_by_id,
    players_by_number,
    ready_lists,
    series_up_to_date,
)
from tournaments.entry_data import EntryData, ListedRating, by_method
from tournaments.models import Participant, RatingSource, Section, Title
from tournaments.models.rounds import rounds_paired

# The rating lists in force in a section, and what they say about a player.

MOST_LISTS = 8
DEFAULTS = {
    "standard": ("FIDE:standard", "FIDE:rapid", "FIDE:blitz"),
    "rapid": ("FIDE:rapid+", "FIDE:blitz"),
    "blitz": ("FIDE:blitz+", "FIDE:rapid"),
}
"""The sequences for each kind of time control (VCL4THP.13 Q123). With +, standard stands in for a missing rating."""


@dataclass(frozen=True, slots=True)
class InForce:
    """One list of a section's sequence. code: as the section keeps it. listing: of the month, or none yet.

    later: the newest imported one if `listing` is None. It is of a later month and does not count.
    """

    code: str
    series: str
    rating: str
    effective: bool
    listing: RatingList | None
    later: RatingList | None = None

    @property
    def label(self) -> str:
        """Return the name of the list with its month, as entries keep it; "" without a list."""
        return self.listing.label if self.listing is not None else ""

    def of(self, player: ListedPlayer | None) -> int:
        """Return the rating of a player, 0 for none."""
        if player is None:
            return 0
        own: int = getattr(player, self.rating)
        return own or (player.standard if self.effective else 0)


@dataclass(frozen=True, slots=True)
class Hit:
    """A player whom a search found.

    national_id: the number in a list that is not FIDE's, or "". ratings: the place in the sequence, the list and the
    rating, where there is one.
    """

    player: ListedPlayer
    key: str
    national_id: str
    ratings: tuple[tuple[int, InForce, int], ...]


@dataclass(frozen=True, slots=True)
class There:
    """The people of one list, by FIDE ID and by the number of the list itself. FIDE's lists have no other number."""

    by_id: dict[int, ListedPlayer]
    by_number: dict[str, ListedPlayer]

    @classmethod
    def look_up(cls, listing: RatingList, ids: Sequence[int], numbers: Sequence[str]) -> There:
        own = players_by_number(listing, numbers) if listing.series != FIDE else {}
        return cls(players_by_id(listing, ids), own)

    def of(self, fide_id: int | None, number: str, birth_date: str) -> ListedPlayer | None:
        """Return the player. Two federations can give one number: FIDE ID and year of birth must not contradict."""
        if fide_id is not None and (found := self.by_id.get(fide_id)):
            return found
        found = self.by_number.get(number) if number else None
        if found is None:
            return None
        other_id = found.fide_id and fide_id and found.fide_id != fide_id
        other_year = found.year and birth_date and found.year != birth_date[:4]
        return None if other_id or other_year else found


def readable(code: str) -> bool:
    """Return whether a text is the code of a list in a sequence."""
    series, colon, rating = code.rpartition(":")
    return bool(colon and series) and rating.removesuffix("+") in RATINGS and len(code) <= 40


def sequence_of(section: Section) -> tuple[str, ...]:
    """Return the codes of the lists of a section, the main one first."""
    return tuple(section.rating_lists) or DEFAULTS["standard"]


def month_of(section: Section) -> str:
    """Return the month whose lists count: that of the start, during a long event the current one (Q137)."""
    start = section.event.start
    day = max(start, timezone.localdate()) if section.longer_than_30_days else start
    return f"{day:%Y-%m}"


def lists_in_force(section: Section, ready: Iterable[RatingList] | None = None) -> list[InForce]:
    """Return the sequence with the lists of the month, or the newest ones before it, in every series alike.

    One query, unless `ready` has the lists. Lists of other events are left out here, whoever asks: all that looks
    people up comes through this.
    """
    found_lists = ready_lists(section.event_id) if ready is None else ready
    ready = [one for one in found_lists if one.event_id in (None, section.event_id)]
    month = month_of(section)
    found = []
    for code in sequence_of(section):
        series, _colon, rating = code.rpartition(":")
        kind = rating.removesuffix("+")
        listing = in_force(ready, series, kind, month)
        later = in_force(ready, series, kind) if listing is None else None
        found.append(InForce(code, series, kind, rating.endswith("+"), listing, later))
    return found


def codes_to_choose(section: Section) -> list[str]:
    """Return the codes that can be added to the sequence: of FIDE, and of all other lists of the site and the event."""
    series = {(one.name, rating) for one in ready_lists(section.event_id) for rating in one.ratings}
    fide = [code for codes in DEFAULTS.values() for code in codes]
    others = sorted(f"{name}:{rating}" for name, rating in series if name != FIDE)
    return [code for code in dict.fromkeys([*fide, *others]) if code not in sequence_of(section)]


def found_in_lists(section: Section, query: str) -> list[Hit]:
    """Return the players whom a search finds: in the main list, or else in the next one that has any."""
    sequence = lists_in_force(section)
    for listing in dict.fromkeys(one.listing for one in sequence if one.listing is not None):
        found = find_players(listing, query)
        if players := (*found.players, *found.similar):
            return _hits(sequence, listing, players)
    return []


def found_under(section: Section, ids: Sequence[int]) -> list[Hit]:
    """Return the players with these FIDE IDs, each from the first list of the sequence that has the player."""
    sequence = lists_in_force(section)
    hits, left = [], list(ids)
    for listing in dict.fromkeys(one.listing for one in sequence if one.listing is not None):
        there = players_by_id(listing, left)
        hits += _hits(sequence, listing, list(there.values()))
        left = [key for key in left if key not in there]
    return hits


def _hits(sequence: Sequence[InForce], listing: RatingList, players: Sequence[ListedPlayer]) -> list[Hit]:
    ids = [player.fide_id for player in players if player.fide_id is not None]
    numbers = [player.number for player in players if player.number]
    others = {
        other.pk: There.look_up(other, ids, numbers)
        for other in {one.listing for one in sequence if one.listing is not None and one.listing != listing}
    }
    hits = []
    for player in players:
        ratings, national_id = [], ""
        for place, one in enumerate(sequence):
            if one.listing is not None:
                there = (
                    player
                    if one.listing == listing
                    else others[one.listing.pk].of(player.fide_id, player.number, player.born)
                )
                if there is not None and one.series != FIDE:
                    national_id = national_id or there.number
                if rating := one.of(there):
                    ratings.append((place, one, rating))
        key = str(player.fide_id) if player.fide_id else f"n{player.number}"
        hits.append(Hit(player, key, national_id, tuple(ratings)))
    return hits


def values_of_pick(section: Section, query: str, pick: str) -> dict[str, Any]:
    """Return what a form for an entry is filled with: `pick` is a place of the sequence, a hyphen and the key of a hit.

    Only the main list gives a rating by itself (Q127); a rating of another list is picked (Q129).
    """
    place, _hyphen, key = pick.partition("-")
    found = found_in_lists(section, query if key.startswith("n") else key)
    hit = next((one for one in found if one.key == key), None)
    return {} if hit is None else values_of_hit(section, hit, place)


def values_of_hit(section: Section, hit: Hit, place: str = "0") -> dict[str, Any]:
    """Return the values of a player of the lists. place: of the list that gives the rating, in the sequence."""
    chosen = next((found for found in hit.ratings if str(found[0]) == place), None)
    values: dict[str, Any] = {
        "name": hit.player.name,
        "title": hit.player.best_title if hit.player.best_title in Title.values else "",
        "federation": hit.player.federation,
        "sex": hit.player.sex if hit.player.sex in ("m", "w") else "",
        "fide_id": hit.player.fide_id,
        "birth_date": hit.player.born.replace("-", "/"),
        "national_id": hit.national_id,
        "official_rating": _official(hit),
        "national_rating": national_of((one, rating) for _place, one, rating in hit.ratings),
    }
    if chosen is not None:
        _place, source, rating = chosen
        values |= {"rating": rating, "rating_source": source_of(source), "rating_list": source.label}
    elif not hit.ratings and section.minimum_rating:
        values |= {"rating": section.minimum_rating, "rating_source": RatingSource.PROVISIONAL.value}
    return values


def ratings_of_new(section: Section, people: Mapping[int, str]) -> dict[int, ListedRating]:
    """Return the ratings of players whom the main list rates, by FIDE ID. people: their names.

    A name that has no word of the name in the list is somebody else's.
    """
    sequence = lists_in_force(section)
    if sequence[0].listing is None:
        return {}
    listings = {one.listing for one in sequence if one.listing is not None}
    there = {listing: players_by_id(listing, list(people)) for listing in listings}
    found = {}
    for key, name in people.items():
        persons = [there[one.listing].get(key) if one.listing is not None else None for one in sequence]
        if persons[0] is None or not alike(persons[0].name, name):
            continue
        rated = [(one, one.of(person)) for one, person in zip(sequence, persons, strict=True)]
        main, rating = rated[0]
        if rating:
            official = next((value for one, value in rated if one.series == FIDE and value), None)
            national = national_of((one, value) for one, value in rated if value)
            listed = persons[0].name
            found[key] = ListedRating(rating, source_of(main), main.label, official, national, listed)
    return found


def alike(listed: str, name: str) -> bool:
    """Return whether the name of a list has a word of another name, without accents."""
    return not set(searchable(listed).split()).isdisjoint(searchable(name).split())


def _official(hit: Hit) -> int | None:
    return next((rating for _place, one, rating in hit.ratings if one.series == FIDE), None)


def national_of(rated: Iterable[tuple[InForce, int]]) -> int | None:
    """Return the rating of the first list that is not FIDE's."""
    return next((rating for one, rating in rated if one.series != FIDE), None)


def source_of(one: InForce) -> str:
    """Return the source that an entry keeps for a rating of this list. The format of a file makes no list of FIDE."""
    if one.series != FIDE:
        return RatingSource.NATIONAL.value
    kinds = {"standard": RatingSource.STANDARD, "rapid": RatingSource.RAPID, "blitz": RatingSource.BLITZ}
    return kinds.get(one.rating, RatingSource.NATIONAL).value


def marked(section: Section, entry: EntryData) -> EntryData:
    """Return the entry; a rating that is said to be of a list in force, and is not, is one that was typed (Q134)."""
    if not entry.rating_list or (entry.fide_id is None and not entry.national_id):
        return entry
    named = [
        one
        for one in lists_in_force(section)
        if one.listing is not None
        and one.listing.label == entry.rating_list
        and source_of(one) == entry.rating_source
    ]
    for one in named:
        assert one.listing is not None
        ids, numbers = (
            [entry.fide_id] if entry.fide_id else [],
            [entry.national_id] if entry.national_id else [],
        )
        player = There.look_up(one.listing, ids, numbers).of(
            entry.fide_id, entry.national_id, entry.birth_date
        )
        if player is None or one.of(player) != entry.rating:
            return replace(entry, rating_source=RatingSource.TYPED.value, rating_list="")
    return entry


def sections_using(listing: RatingList) -> list[str]:
    """Return the names of the open sections in which a list is in force."""
    ready = ready_lists()
    open_sections = Section.objects.select_related("event").exclude(status=Section.Status.CLOSED)
    if listing.event_id is not None:
        open_sections = open_sections.filter(event=listing.event_id)
    return [
        str(section)
        for section in open_sections
        if any(one.listing == listing for one in lists_in_force(section, ready))
    ]


def used_lists_of_event(
    section: Section, entries: Iterable[Participant]
) -> list[tuple[str, int, RatingList | None]]:
    """Return the lists of the event that rated entries: the name, how many entries, and the list if it is still there.

    One query if there are any.
    """
    counted = Counter(entry.rating_list for entry in entries if OF_EVENT in entry.rating_list)
    lists = RatingList.objects.filter(event=section.event_id).order_by("pk") if counted else ()
    there = {one.label: one for one in lists}
    return [(label, count, there.get(label)) for label, count in sorted(counted.items())]


def past_lists() -> list[RatingList]:
    """Return the lists of the site that have a newer edition and are in force in no open section. Two queries."""
    ready = ready_lists()
    open_sections = Section.objects.select_related("event").exclude(status=Section.Status.CLOSED)
    used = {one.listing for section in open_sections for one in lists_in_force(section, ready)}
    newest: dict[tuple[str, str], RatingList] = {}
    of_site = [one for one in ready if one.event_id is None]
    for listing in of_site:  # the newest month of a series comes first
        newest.setdefault((listing.series, listing.kind), listing)
    return [one for one in of_site if one not in used and one != newest[one.series, one.kind]]


# Where the entries of a section differ from the rating lists in force. Nothing is changed.

compared: Cache[tuple[int, bool], int] = Cache(4_000, seconds=24 * 60 * 60)
"""How many entries of a section differ from the lists."""


@dataclass(frozen=True, slots=True)
class ListDifference:
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
class ListComparison:
    """differences: by pairing number. not_rated: entries with a rating of a list that no list rates any more.

    period: the rating period whose official ratings are compared, if it is a later one, else 1. lists: which lists.
    """

    differences: tuple[ListDifference, ...] = ()
    not_rated: tuple[Participant, ...] = ()
    period: int = 1
    lists: str = ""

    def __len__(self) -> int:
        return len(self.differences) + len(self.not_rated)


def list_comparison(section: Section, ready: Iterable[RatingList] | None = None) -> ListComparison:
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
        stood = _official_of_entry(entry, period)
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
            found.append(ListDifference(entry, source, rating, official, national, stood, name))
    return ListComparison(tuple(found), tuple(gone), period, _keys(sequence))


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


def _official_of_entry(entry: Participant, period: int) -> int | None:
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

    def _person(self, one: InForce, entry: Participant) -> ListedPlayer | None:
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


def outdated_lists(section: Section, sequence: Iterable[InForce]) -> list[InForce]:
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
    key = (section.pk, facts is None)
    return compared.make(key, lambda: len(list_comparison(section, ready)), basis=(state, lists))


def _facts(entry: Participant) -> tuple[object, ...]:
    """Return what of an entry is compared."""
    player = entry.player
    return (
        entry.rating, entry.rating_source, entry.rating_list, entry.official_rating, entry.national_rating,
        entry.pk, player.fide_id, player.national_id, player.birth_date, player.name, str(entry.period_ratings),
    )  # fmt: skip
