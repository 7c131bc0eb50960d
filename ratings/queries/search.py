"""Find players of a list by their ID or by any part of their name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ratings import storage
from ratings.formats.values import fide_id
from ratings.models import RatingList
from ratings.names import Wanted, searchable, similar, wanted, ways
from ratings.players import Listed
from ratings.storage.layout import HITS, Kept

FEW = 3
LONGEST_QUERY = 100


@dataclass(frozen=True, slots=True)
class Found:
    """The players who match, and, if they are few, players with similar names. more: there are others who match."""

    players: tuple[Listed, ...] = ()
    similar: tuple[Listed, ...] = ()
    more: bool = False


def find_players(listing: RatingList, query: str, limit: int = HITS) -> Found:
    """Return the players of a finished list who match: an ID, or parts of a name and perhaps a year of birth."""
    asked = wanted(query[:LONGEST_QUERY])
    if not asked:
        return Found()
    kept = storage.kept(listing)
    if asked.number:
        return Found(tuple(player for player in _of_number(kept, asked) if _is(player, asked)))
    players = _searched(kept, ways(asked), limit + 1)
    alike: list[Listed] = []
    if len(players) < FEW:
        already = {_key(player) for player in players}
        others = [way for one in ways(asked)[:1] for way in similar(one)]
        alike = [player for player in _searched(kept, others, limit) if _key(player) not in already]
    players = sorted(players[:limit], key=lambda player: not _is_exactly(player, asked)) + players[limit:]
    return Found(tuple(players[:limit]), tuple(alike[: limit - len(players)]), more=len(players) > limit)


def _is_exactly(player: Listed, asked: Wanted) -> bool:
    """Return whether the query is the whole name, in any order."""
    words = sorted(searchable(player.name).split())
    return any(sorted(way.parts) == words for way in ways(asked))


def _of_number(kept: Kept, asked: Wanted) -> list[Listed]:
    number = fide_id(asked.number)
    by_id = kept.by_ids([number]).values() if number is not None else ()
    return list(dict.fromkeys([*by_id, *kept.by_numbers([asked.number]).values()]))


def _is(player: Listed, asked: Wanted) -> bool:
    return any(way.matches(searchable(player.name), player.born) for way in ways(asked))


def _searched(kept: Kept, wanted_ways: Sequence[Wanted], limit: int) -> list[Listed]:
    found: dict[object, Listed] = {}
    for way in wanted_ways:
        if not way.parts:
            continue
        for player in kept.search(way, limit):
            found.setdefault(_key(player), player)
        if len(found) >= limit:
            break
    return list(found.values())[:limit]


def _key(player: Listed) -> object:
    return player.fide_id or player.number or (player.name, player.born)


def players_by_id(listing: RatingList, ids: Sequence[int]) -> dict[int, Listed]:
    """Return the players of a finished list with these FIDE IDs."""
    return storage.kept(listing).by_ids(ids) if ids else {}


def players_by_number(listing: RatingList, numbers: Sequence[str]) -> dict[str, Listed]:
    """Return the players of a finished list with these numbers of the list itself."""
    return storage.kept(listing).by_numbers(numbers) if numbers else {}
