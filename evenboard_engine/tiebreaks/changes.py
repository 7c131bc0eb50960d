"""Values that are kept for all players except the few whose games have changed since they were computed.

While the results of a round come in, each of them changes the cards of two players. Of a large field, the values of all
others take most of the time, and stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from evenboard_engine.model import Bye, Game, OpenGame, Tournament

from .cards import CardTable, RoundsCard, table

MOST = 10
"""If more than one of so many players has another card, all values are computed."""

Item = TypeVar("Item", Game, OpenGame, Bye)
Made = TypeVar("Made")
Known = dict[Hashable, dict[int, Any]]


@dataclass(frozen=True, slots=True)
class ChangedCards:
    """What is different from an earlier tournament. known: the cards. cards: the players with another card, by id.

    near: these and everybody whom they have met or were to meet.
    """

    known: CardTable
    cards: frozenset[int]
    near: frozenset[int]


def change_since(former: Tournament, known: CardTable, now: Tournament) -> ChangedCards | None:
    """Return what has changed since a tournament with these cards. None if more is different than a few games and byes.

    Items that are the same objects are not compared.
    """
    if _without_rounds(former) != _without_rounds(now):
        return None
    games, still_open = _apart(former.games, now.games), _apart(former.open_games, now.open_games)
    sides = [(game.white, game.black) for game in games]
    sides += [(game.white, game.black) for game in still_open]
    changed = frozenset(bye.player for bye in _apart(former.byes, now.byes)).union(*sides)
    if len(changed) * MOST > len(now.players):
        return None
    cards = {**known.cards, **_cards(now, changed)}
    met = {turn.opponent for key in changed for turn in cards[key].turns}
    near = changed | {key for key in met if key is not None}
    return ChangedCards(replace(known, cards=cards), changed, near)


def _without_rounds(tournament: Tournament) -> Tournament:
    return replace(tournament, games=(), open_games=(), byes=())


def _apart(former: Sequence[Item], now: Sequence[Item]) -> set[Item]:
    """Return the items that only one of the two has."""
    before, after = set(map(id, former)), set(map(id, now))
    gone = {item for item in former if id(item) not in after}
    return gone ^ {item for item in now if id(item) not in before}


def _cards(tournament: Tournament, keys: frozenset[int]) -> Mapping[int, RoundsCard]:
    """Return the cards of a few players."""
    games = tuple(game for game in tournament.games if game.white in keys or game.black in keys)
    still_open = tuple(game for game in tournament.open_games if game.white in keys or game.black in keys)
    people = set(keys)
    people.update(key for game in games for key in (game.white, game.black))
    people.update(key for game in still_open for key in (game.white, game.black))
    part = replace(
        tournament,
        players=tuple(player for player in tournament.players if player.id in people),
        games=games,
        open_games=still_open,
        byes=tuple(bye for bye in tournament.byes if bye.player in keys),
    )
    cards = table(part).cards
    return {key: cards[key] for key in keys}


class OfEach:
    """Values of each player, by a name."""

    def __init__(
        self, players: Collection[int], again: Collection[int] = (), former: Known | None = None
    ) -> None:
        """Take what `former` has, except for the players `again`."""
        self._players = players
        self._again = again
        self._former = former or {}
        self._found: Known = {}

    def after(self, again: Collection[int]) -> OfEach:
        """Return values for the same players, of which only those of these players are computed again."""
        return OfEach(self._players, again, self._found)

    def get(self, name: Hashable, value: Callable[[int], Made]) -> dict[int, Made]:
        """Return the value of each player, by id."""
        found = self._found.get(name)
        if found is None:
            before = self._former.get(name)
            players = self._players if before is None else self._again
            found = self._found[name] = {**(before or {}), **{key: value(key) for key in players}}
        return found
