"""Which lists there are, which one is in force, and who is in a list by ID or by any part of the name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from ratings import storage
from ratings.models import KnownOrigin, RatingList
from ratings.names import PlayerSearch, player_search, searchable, similar, ways
from ratings.players import ListedPlayer, fide_id
from ratings.storage.layout import HITS, Kept

# Which lists there are, and which one is in force.

A_DAY = timedelta(days=1)


def ready_lists(event: int | None = None) -> list[RatingList]:
    """Return the lists that can be searched, newest month first within a series: those of the site and of all events,
    or only of the site and of one event, by its key.

    Without the files of its lists, such as on another computer, a database has none: people type what they need.
    """
    ready = RatingList.objects.filter(state=RatingList.State.READY).order_by("series", "-period", "-pk")
    if event is not None:
        ready = ready.filter(Q(event=None) | Q(event=event))
    return [one for one in ready if storage.is_here(one)]


def in_force(lists: Iterable[RatingList], series: str, rating: str, month: str = "") -> RatingList | None:
    """Return the newest list of a series that has a rating, of `month` (YYYY-MM) or the last one before it.

    A list of a later month never counts. series: `RatingList.name`. month: "" for the newest.
    """
    fitting = [
        one
        for one in lists
        if one.name == series and rating in one.ratings and (not month or one.period <= month)
    ]
    return max(fitting, key=lambda one: (one.period, one.pk), default=None)


def series_from_files() -> list[str]:
    """Return the series of the site that are not FIDE's and of which the program knows no address. Two queries."""
    kept = set(KnownOrigin.objects.values_list("series", flat=True))
    there = (
        RatingList.objects.filter(event=None).exclude(reading={}).exclude(series__in=kept).order_by("series")
    )
    return list(there.values_list("series", flat=True).distinct())


def series_up_to_date() -> set[str]:
    """Return the series whose servers all answered within a day and had nothing newer than what is in force.

    Two queries.
    """
    seen = timezone.now() - A_DAY
    origins = dict[str, bool]()
    for series, checked in KnownOrigin.objects.values_list("series", "checked_at"):
        origins[series] = origins.get(series, True) and checked is not None and checked >= seen
    fetched = RatingList.objects.filter(origin=RatingList.Origin.KNOWN).order_by("pk")
    fetched = fetched.exclude(state=RatingList.State.REPLACED)
    newest = dict(fetched.values_list("series", "state"))
    ready = RatingList.State.READY
    return {series for series, answered in origins.items() if answered and newest.get(series, ready) == ready}


# Find players of a list by their ID or by any part of their name.

FEW = 3
LONGEST_QUERY = 100


@dataclass(frozen=True, slots=True)
class PlayersFound:
    """The players who match, and, if they are few, players with similar names. more: there are others who match."""

    players: tuple[ListedPlayer, ...] = ()
    similar: tuple[ListedPlayer, ...] = ()
    more: bool = False


def find_players(listing: RatingList, query: str, limit: int = HITS) -> PlayersFound:
    """Return the players of a finished list who match: an ID, or parts of a name and perhaps a year of birth."""
    asked = player_search(query[:LONGEST_QUERY])
    if not asked:
        return PlayersFound()
    kept = storage.kept(listing)
    if asked.number:
        return PlayersFound(tuple(player for player in _of_number(kept, asked) if _is(player, asked)))
    players = _searched(kept, ways(asked), limit + 1)
    alike: list[ListedPlayer] = []
    if len(players) < FEW:
        already = {_key(player) for player in players}
        others = [way for one in ways(asked)[:1] for way in similar(one)]
        alike = [player for player in _searched(kept, others, limit) if _key(player) not in already]
    players = sorted(players[:limit], key=lambda player: not _is_exactly(player, asked)) + players[limit:]
    return PlayersFound(
        tuple(players[:limit]), tuple(alike[: limit - len(players)]), more=len(players) > limit
    )


def _is_exactly(player: ListedPlayer, asked: PlayerSearch) -> bool:
    """Return whether the query is the whole name, in any order."""
    words = sorted(searchable(player.name).split())
    return any(sorted(way.parts) == words for way in ways(asked))


def _of_number(kept: Kept, asked: PlayerSearch) -> list[ListedPlayer]:
    number = fide_id(asked.number)
    by_id = kept.by_ids([number]).values() if number is not None else ()
    return list(dict.fromkeys([*by_id, *kept.by_numbers([asked.number]).values()]))


def _is(player: ListedPlayer, asked: PlayerSearch) -> bool:
    return any(way.matches(searchable(player.name), player.born) for way in ways(asked))


def _searched(kept: Kept, wanted_ways: Sequence[PlayerSearch], limit: int) -> list[ListedPlayer]:
    found: dict[object, ListedPlayer] = {}
    for way in wanted_ways:
        if not way.parts:
            continue
        for player in kept.search(way, limit):
            found.setdefault(_key(player), player)
        if len(found) >= limit:
            break
    return list(found.values())[:limit]


def _key(player: ListedPlayer) -> object:
    return player.fide_id or player.number or (player.name, player.born)


def players_by_id(listing: RatingList, ids: Sequence[int]) -> dict[int, ListedPlayer]:
    """Return the players of a finished list with these FIDE IDs."""
    return storage.kept(listing).by_ids(ids) if ids else {}


def players_by_number(listing: RatingList, numbers: Sequence[str]) -> dict[str, ListedPlayer]:
    """Return the players of a finished list with these numbers of the list itself."""
    return storage.kept(listing).by_numbers(numbers) if numbers else {}
