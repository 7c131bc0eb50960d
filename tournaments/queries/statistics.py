"""The statistics of a section: its players, its results by round, and by the difference of the ratings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from evenboard_engine import RESULTS, ByeKind, Outcome, Result
from evenboard_engine.tiebreaks.ratings import expected
from tournaments.models import Game, Participant, RatingSource, Section
from tournaments.models.player import Title

from .field import SectionField, Side, load_field
from .standings import State, state_of

CLASSES = (0, 50, 100, 150, 200, 300, 400)
"""The smallest difference of each class of rating differences."""
MOST_UPSETS = 10
_USUAL = ({Outcome.WIN, Outcome.LOSS}, {Outcome.DRAW})


@dataclass(frozen=True, slots=True)
class Group:
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
        return share(2 * self.white + self.draws, 2 * self.decided)

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
        return share(2 * self.wins + self.draws, 2 * self.games)

    @property
    def expected_share(self) -> int | None:
        return (2 * self.expected + self.games) // (2 * self.games) if self.games else None


@dataclass(frozen=True, slots=True)
class Upset:
    """A game that the lower rated player won."""

    round: int
    board: int
    winner: Side
    loser: Side
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
    federations: tuple[Group, ...]
    titles: tuple[Group, ...]
    rounds: tuple[RoundCount, ...]
    total: RoundCount
    classes: tuple[DifferenceClass, ...]
    upsets: tuple[Upset, ...]
    state: State


def share(part: int, whole: int) -> int | None:
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
        state=state_of(found),
    )


def _rating(entry: Participant) -> int:
    """Return the rating of a player, 0 for none. A provisional one is none: an arbiter assigned it."""
    provisional = entry.rating_source == RatingSource.PROVISIONAL
    return 0 if provisional or not entry.rating else entry.rating


def _average(ratings: Sequence[int]) -> int:
    return (2 * sum(ratings) + len(ratings)) // (2 * len(ratings)) if ratings else 0


def _grouped(people: Iterable[Participant], attribute: str) -> list[Group]:
    by_code: dict[str, list[int]] = defaultdict(list)
    for entry in people:
        by_code[getattr(entry.player, attribute)].append(_rating(entry))
    return [
        Group(code, len(ratings), _average([rating for rating in ratings if rating]))
        for code, ratings in by_code.items()
    ]


def _federations(people: Iterable[Participant]) -> tuple[Group, ...]:
    """Return the federations, the largest first; players without one are last."""
    found = _grouped(people, "federation")
    return tuple(sorted(found, key=lambda group: (not group.code, -group.players, group.code)))


def _titles(people: Iterable[Participant]) -> tuple[Group, ...]:
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
