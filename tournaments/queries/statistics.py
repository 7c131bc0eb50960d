"""The end of a section: statistics, estimated changes of FIDE ratings, and how far players are from title norms.

All three are a help for arbiters. Changes and norms count the games that the report of the section sends for rating.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby

from evenboard_engine import RESULTS, ByeKind, Outcome, Result
from evenboard_engine.regulations.norms import Candidate, Code, NormCheck, NormGame, check_norm, norms_open_to
from evenboard_engine.regulations.rating_change import (
    FirstRating,
    Play,
    RatedGame,
    RatingChange,
    coefficient,
    first_rating,
    rating_change,
)
from evenboard_engine.tiebreaks.ratings import expected
from ratings.models import FIDE
from ratings.search import players_by_id
from tournaments.models import Game, Participant, RatingSource, Section
from tournaments.models.entries import Sex, Title

from .field import PlayerCell, SectionField, load_field
from .rating_lists import lists_in_force, sequence_of
from .standings import StandingsState, standings_state_of

# The statistics of a section: its players, its results by round, and by the difference of the ratings.

CLASSES = (0, 50, 100, 150, 200, 300, 400)
"""The smallest difference of each class of rating differences."""
MOST_UPSETS = 10
_USUAL = ({Outcome.WIN, Outcome.LOSS}, {Outcome.DRAW})


@dataclass(frozen=True, slots=True)
class PlayerGroup:
    """Players of one federation, or with one title. code: "" for none. average: of those with a rating, 0 if nobody
    has one.
    """

    code: str
    players: int
    average: int


@dataclass(slots=True)
class RoundCount:
    """The results of a round, or of all rounds with number 0.

    white, draws, black: games over the board. other: results such as ½–0 or 0–0. forfeits: games that were not played.
    open: without a result, or adjourned. byes: by their kind.
    """

    number: int
    white: int = 0
    draws: int = 0
    black: int = 0
    other: int = 0
    forfeits: int = 0
    open: int = 0
    byes: Counter[str] = field(default_factory=Counter)

    @property
    def played(self) -> int:
        return self.white + self.draws + self.black + self.other

    @property
    def decided(self) -> int:
        """Games that White won, drew or lost: of these the shares are made."""
        return self.white + self.draws + self.black

    @property
    def all_byes(self) -> int:
        return sum(self.byes.values())

    @property
    def white_share(self) -> int | None:
        """What White scored, in hundredths, halves rounded up; None without a game."""
        return percent_share(2 * self.white + self.draws, 2 * self.decided)

    def add(self, other: RoundCount) -> None:
        for name in ("white", "draws", "black", "other", "forfeits", "open"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.byes.update(other.byes)


@dataclass(slots=True)
class DifferenceClass:
    """The games with a rating difference from `least` to `most` (None: any larger one).

    wins, draws, losses: of the higher rated player. expected: the sum of the expected scores, in hundredths. Games of
    players with equal ratings count for White.
    """

    least: int
    most: int | None
    wins: int = 0
    draws: int = 0
    losses: int = 0
    expected: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def scored_share(self) -> int | None:
        return percent_share(2 * self.wins + self.draws, 2 * self.games)

    @property
    def expected_share(self) -> int | None:
        return (2 * self.expected + self.games) // (2 * self.games) if self.games else None


@dataclass(frozen=True, slots=True)
class Upset:
    """A game that the lower rated player won."""

    round: int
    board: int
    winner: PlayerCell
    loser: PlayerCell
    difference: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """players, rated: how many. average, highest, lowest: of the ratings, 0 if nobody has one. women: how many.

    rounds: each round; total: all of them.
    """

    players: int
    rated: int
    women: int
    average: int
    highest: int
    lowest: int
    federations: tuple[PlayerGroup, ...]
    titles: tuple[PlayerGroup, ...]
    rounds: tuple[RoundCount, ...]
    total: RoundCount
    classes: tuple[DifferenceClass, ...]
    upsets: tuple[Upset, ...]
    state: StandingsState


def percent_share(part: int, whole: int) -> int | None:
    """Return part of whole in hundredths, halves rounded up; None of nothing."""
    return (200 * part + whole) // (2 * whole) if whole else None


def statistics(section: Section) -> Statistics:
    """Return the statistics of the published rounds. Expelled players are left out, their games are not.

    Four queries for any number of players.
    """
    found = load_field(section)
    people = [entry for entry in found.participants.values() if entry.status != Participant.Status.EXPELLED]
    ratings = [rating for entry in people if (rating := _rating(entry))]
    rounds = _rounds(found)
    total = RoundCount(0)
    for one in rounds:
        total.add(one)
    return Statistics(
        players=len(people),
        rated=len(ratings),
        women=sum(entry.player.sex == "w" for entry in people),
        average=_average(ratings),
        highest=max(ratings, default=0),
        lowest=min(ratings, default=0),
        federations=_federations(people),
        titles=_titles(people),
        rounds=rounds,
        total=total,
        classes=_classes(found),
        upsets=_upsets(found),
        state=standings_state_of(found),
    )


def _rating(entry: Participant) -> int:
    """Return the rating of a player, 0 for none. A provisional one is none: an arbiter assigned it."""
    provisional = entry.rating_source == RatingSource.PROVISIONAL
    return 0 if provisional or not entry.rating else entry.rating


def _average(ratings: Sequence[int]) -> int:
    return (2 * sum(ratings) + len(ratings)) // (2 * len(ratings)) if ratings else 0


def _grouped(people: Iterable[Participant], attribute: str) -> list[PlayerGroup]:
    by_code: dict[str, list[int]] = defaultdict(list)
    for entry in people:
        by_code[getattr(entry.player, attribute)].append(_rating(entry))
    return [
        PlayerGroup(code, len(ratings), _average([rating for rating in ratings if rating]))
        for code, ratings in by_code.items()
    ]


def _federations(people: Iterable[Participant]) -> tuple[PlayerGroup, ...]:
    """Return the federations, the largest first; players without one are last."""
    found = _grouped(people, "federation")
    return tuple(sorted(found, key=lambda group: (not group.code, -group.players, group.code)))


def _titles(people: Iterable[Participant]) -> tuple[PlayerGroup, ...]:
    """Return the titles in the order of the initial ranking; players without one are last."""
    order = {title: place for place, title in enumerate(Title.values)}
    return tuple(sorted(_grouped(people, "title"), key=lambda group: order.get(group.code, len(order))))


def _rounds(found: SectionField) -> tuple[RoundCount, ...]:
    counts = {row.pk: RoundCount(row.number) for row in found.rounds}
    by_number = {one.number: one for one in counts.values()}
    for game in found.games:
        _count(counts[game.round_id], game)
    for bye in found.byes:
        if bye.round_number in by_number:
            by_number[bye.round_number].byes[ByeKind(bye.kind).name.lower()] += 1
    return tuple(counts.values())


def _count(one: RoundCount, game: Game) -> None:
    meaning = RESULTS[Result(game.result)] if game.result else None
    if meaning is None or not meaning.final:
        one.open += 1
    elif not meaning.played:
        one.forfeits += 1
    elif meaning.white is Outcome.WIN:
        one.white += 1
    elif meaning.black is Outcome.WIN:
        one.black += 1
    elif meaning.white is meaning.black is Outcome.DRAW:
        one.draws += 1
    else:
        one.other += 1


def _between_rated(found: SectionField) -> Iterable[tuple[Game, int, Outcome]]:
    """Yield each game that two rated players played and one won or both drew: White's rating minus Black's, and what
    White scored.
    """
    for game in found.games:
        meaning = RESULTS[Result(game.result)] if game.result else None
        if meaning is None or not (meaning.final and meaning.played):
            continue
        if {meaning.white, meaning.black} not in _USUAL:
            continue
        white, black = (_rating(found.participants[key]) for key in (game.white_id, game.black_id))
        if white and black:
            yield game, white - black, meaning.white


def _classes(found: SectionField) -> tuple[DifferenceClass, ...]:
    classes = [
        DifferenceClass(least, following - 1 if following else None)
        for least, following in zip(CLASSES, (*CLASSES[1:], None), strict=True)
    ]
    for _game, difference, white in _between_rated(found):
        one = next(each for each in reversed(classes) if abs(difference) >= each.least)
        one.expected += expected(abs(difference))
        if white is Outcome.DRAW:
            one.draws += 1
        elif (white is Outcome.WIN) is (difference >= 0):
            one.wins += 1
        else:
            one.losses += 1
    return tuple(classes)


def _upsets(found: SectionField) -> tuple[Upset, ...]:
    """Return the games with the largest difference that the lower rated player won."""
    numbers = {row.pk: row.number for row in found.rounds}
    upsets = []
    for game, difference, white in _between_rated(found):
        if white is Outcome.DRAW or not difference or (white is Outcome.WIN) is (difference > 0):
            continue
        won, lost = (game.white_id, game.black_id) if white is Outcome.WIN else (game.black_id, game.white_id)
        upsets.append((abs(difference), -numbers[game.round_id], -game.board, won, lost))
    upsets.sort(reverse=True)
    return tuple(
        Upset(-number, -board, found.side(won), found.side(lost), difference)
        for difference, number, board, won, lost in upsets[:MOST_UPSETS]
    )


# The games of a section as its report sends them for rating, and the official ratings of their players.

HALF_WINS = {Outcome.WIN: 2, Outcome.DRAW: 1, Outcome.LOSS: 0}


@dataclass(frozen=True, slots=True)
class SentGame:
    """A game of a player. opponent: the key of the other one. half_wins: what the player scored."""

    round: int
    opponent: int
    half_wins: int


def play_of(section: Section) -> Play:
    """Return the list on which the section is rated: that of FIDE which is first in its sequence of lists."""
    codes = (code.rpartition(":") for code in sequence_of(section))
    kinds = (rating.removesuffix("+") for series, _colon, rating in codes if series == FIDE)
    return next((Play(kind) for kind in kinds if kind in set(Play)), Play.STANDARD)


def sent_games(field: SectionField) -> Mapping[int, Sequence[SentGame]]:
    """Return the games of each player, by key, in the order of the rounds. Forfeits, games without a move and adjourned
    games are not sent. A correction for rating counts (VCL4THP.13 Q192).
    """
    found: dict[int, list[SentGame]] = defaultdict(list)
    numbers = {row.pk: row.number for row in field.rounds}
    for game in sorted(field.games, key=lambda one: numbers[one.round_id]):
        written = game.rating_result or game.result
        if not written:
            continue
        meaning = RESULTS[Result(written)]
        if not (meaning.played and meaning.rated and meaning.final):
            continue
        number = numbers[game.round_id]
        found[game.white_id].append(SentGame(number, game.black_id, HALF_WINS[meaning.white]))
        found[game.black_id].append(SentGame(number, game.white_id, HALF_WINS[meaning.black]))
    return found


def official_rating_in(field: SectionField, key: int, number: int) -> int:
    """Return the official rating of a player in a round, 0 for none. Later rating periods may have another one."""
    later = field.periods.ratings.get(key, {})
    starts = [start for start in later if start <= number]
    return later[max(starts)] if starts else field.participants[key].official_rating or 0


# The changes of FIDE ratings that the games of a section give, as an estimate.


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A rated player. changes: one for each rating period. listed: K is from the rating list, else from the rating and
    the age. born: whether the year of birth is known.
    """

    side: PlayerCell
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

    side: PlayerCell
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


# How far the players of a section are from title norms. A help for arbiters, not a decision.

NEAR = 150
"""A page lists a norm whose performance is at most so many points away. A file has all of them."""


@dataclass(frozen=True, slots=True)
class NormRow:
    """A player and a norm. scored: in halves of a point, of the games that count."""

    side: PlayerCell
    check: NormCheck
    games: int
    half_wins: int

    @property
    def is_near(self) -> bool:
        """Return whether a page lists it."""
        return self.check.met or self.check.value(Code.PERFORMANCE) >= self.check.norm.performance - NEAR


@dataclass(frozen=True, slots=True)
class Norms:
    """rows: those that are met first, then by missing conditions. standard: only standard chess has norms."""

    rows: tuple[NormRow, ...]
    standard: bool
    rounds: int

    @property
    def near(self) -> tuple[NormRow, ...]:
        return tuple(row for row in self.rows if row.is_near)


def norms(section: Section) -> Norms:
    """Return all norms that are open to the players. Four queries for any number of players."""
    return norms_of(load_field(section))


def norms_of(field: SectionField) -> Norms:
    """Return the same from a field. No query."""
    section = field.section
    if play_of(section) is not Play.STANDARD:
        return Norms((), standard=False, rounds=section.rounds)
    games, unplayed = sent_games(field), _unplayed(field)
    rows = []
    for key, entry in field.participants.items():
        if not games.get(key):
            continue
        mine = _counted(field, games, key)
        candidate = Candidate(
            title=entry.player.title,
            federation=entry.player.federation,
            woman=entry.player.sex == Sex.FEMALE,
            games=mine,
            unplayed=unplayed.get(key, 0),
            rounds=section.rounds,
        )
        half_wins = sum(game.half_wins for game in mine)
        for norm in norms_open_to(candidate):
            check = check_norm(norm, candidate)
            rows.append(NormRow(field.side(key), check, len(mine), half_wins))
    rows.sort(key=lambda row: (len(row.check.missed), -row.check.value(Code.PERFORMANCE)))
    return Norms(tuple(rows), standard=True, rounds=section.rounds)


def _counted(field: SectionField, games: Mapping[int, Sequence[SentGame]], key: int) -> tuple[NormGame, ...]:
    return tuple(
        NormGame(
            field.participants[game.opponent].player.federation,
            field.participants[game.opponent].player.title,
            official_rating_in(field, game.opponent, game.round),
            game.half_wins,
        )
        for game in norm_games(field, games, key)
    )


def norm_games(field: SectionField, games: Mapping[int, Sequence[SentGame]], key: int) -> Sequence[SentGame]:
    """Return the games of a player that count for norms. games: those that are sent, by player."""
    fixed = field.section.fixed_rounds
    return [
        game
        for game in games[key]
        if field.participants[game.opponent].player.federation  # 1.4.2a: of no federation of FIDE
        and not (
            fixed
            and not official_rating_in(field, game.opponent, game.round)
            and _scored_nothing(field, games[game.opponent])
        )
    ]


def _scored_nothing(field: SectionField, games: Sequence[SentGame]) -> bool:
    """Return whether an unrated player scored nothing against rated ones in a round robin (1.4.2b)."""
    return not any(game.half_wins for game in games if official_rating_in(field, game.opponent, game.round))


def _unplayed(field: SectionField) -> Mapping[int, int]:
    """Return how many forfeit wins and pairing-allocated byes each player has, by key."""
    found: dict[int, int] = {}
    for game in field.games:
        if game.result:
            meaning = RESULTS[Result(game.result)]
            for key, outcome in ((game.white_id, meaning.white), (game.black_id, meaning.black)):
                if outcome is Outcome.FORFEIT_WIN:
                    found[key] = found.get(key, 0) + 1
    for bye in field.byes:
        if bye.kind == ByeKind.ALLOCATED:
            found[bye.participant_id] = found.get(bye.participant_id, 0) + 1
    return found
