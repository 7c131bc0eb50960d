"""The changes of FIDE ratings that the games of a section give, as an estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from evenboard_engine.regulations.rating_change import (
    FirstRating,
    Play,
    RatedGame,
    RatingChange,
    coefficient,
    first_rating,
    rating_change,
)
from ratings.models import FIDE
from ratings.queries.search import players_by_id
from tournaments.models import Participant, Section

from .field import SectionField, Side, load_field
from .rating_lists import lists_in_force
from .sent_games import SentGame, official_rating_in, play_of, sent_games


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A rated player. changes: one for each rating period. listed: K is from the rating list, else from the rating and
    the age. born: whether the year of birth is known.
    """

    side: Side
    rating: int
    changes: tuple[RatingChange, ...]
    k: int
    listed: bool
    born: bool

    @property
    def games(self) -> int:
        return sum(len(change.games) for change in self.changes)

    @property
    def scored(self) -> int:
        return sum(change.scored for change in self.changes)

    @property
    def expected(self) -> int:
        return sum(change.expected for change in self.changes)

    @property
    def change(self) -> int:
        """The change in hundredths of a point."""
        return sum(change.change for change in self.changes)

    @property
    def limited(self) -> int:
        """How many games have a difference that counts as 400."""
        return sum(game.limited for change in self.changes for game in change.games)

    @property
    def opponents(self) -> int:
        """The average rating of the opponents, 0 without a game. Halves are rounded up."""
        ratings = [game.opponent for change in self.changes for game in change.games]
        return (2 * sum(ratings) + len(ratings)) // (2 * len(ratings)) if ratings else 0

    @property
    def new(self) -> int:
        """The new rating, if this were the only tournament of the rating period."""
        return self.changes[-1].new if self.changes else self.rating


@dataclass(frozen=True, slots=True)
class FirstRow:
    """A player without an official rating."""

    side: Side
    first: FirstRating


@dataclass(frozen=True, slots=True)
class RatingChanges:
    """rated, first: by pairing number. play: the list. day: the first one of the section. source: the list with the
    coefficients, "" if there is none.
    """

    rated: tuple[ChangeRow, ...]
    first: tuple[FirstRow, ...]
    play: Play
    day: date
    source: str


def rating_changes(section: Section) -> RatingChanges:
    """Return the changes. Five queries for any number of players, and one in the rating list."""
    field = load_field(section)
    games = sent_games(field)
    play, (day, _last) = play_of(section), section.period
    coefficients, source = _listed_coefficients(field, play)
    rated, first = [], []
    for key, entry in field.participants.items():
        if entry.official_rating:
            listed = coefficients.get(entry.player.fide_id or 0, 0)
            rated.append(_row(field, entry, games.get(key, ()), play, day, listed))
        elif key in games:
            mine = [_rated(field, game) for game in games[key]]
            first.append(FirstRow(field.side(key), first_rating(mine)))
    return RatingChanges(tuple(rated), tuple(first), play, day, source)


def _row(
    field: SectionField, entry: Participant, games: Sequence[SentGame], play: Play, day: date, listed: int
) -> ChangeRow:
    year = entry.player.birth_date[:4]
    born = int(year) if year.isdecimal() and int(year) else None
    k = listed or coefficient(entry.official_rating or 0, born=born, year=day.year)
    changes = []
    for own, group in groupby(games, key=lambda game: official_rating_in(field, entry.pk, game.round)):
        played = [_rated(field, game) for game in group]
        changes.append(rating_change(own, played, k=k, play=play, day=day))
    return ChangeRow(
        side=field.side(entry.pk),
        rating=entry.official_rating or 0,
        changes=tuple(changes),
        k=changes[-1].k if changes else k,
        listed=bool(listed),
        born=born is not None,
    )


def _rated(field: SectionField, game: SentGame) -> RatedGame:
    return RatedGame(official_rating_in(field, game.opponent, game.round), game.half_wins)


def _listed_coefficients(field: SectionField, play: Play) -> tuple[Mapping[int, int], str]:
    """Return K by FIDE ID from the list in force, and the name of that list."""
    ids = [entry.player.fide_id for entry in field.participants.values() if entry.player.fide_id]
    for one in lists_in_force(field.section):
        if one.series == FIDE and one.rating == play and one.listing is not None:
            listed = players_by_id(one.listing, ids)
            found = {key: getattr(player, f"k_{play}") for key, player in listed.items()}
            return {key: k for key, k in found.items() if k}, one.label
    return {}, ""
