"""Check rounds by the rules of US Chess: a published round, and a round that is paired by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.findings import Concern, HandMadeDraft, Level, Published, RoundDifference, concerns_by
from evenboard_engine.history import forfeit_wins_of, last_in_a_row
from evenboard_engine.model import BYES, Colour, Tournament
from evenboard_engine.result import Pair, RoundPairing
from evenboard_engine.systems.uschess.articles import EQUALISE, HALVES, REMATCH, SCORES, WINTD
from evenboard_engine.systems.uschess.bye import choose_bye
from evenboard_engine.systems.uschess.colours import BLACK, WHITE, seated
from evenboard_engine.systems.uschess.field import FULL_BYES, Pairs, UsChessRound, read_round, rounds_of
from evenboard_engine.systems.uschess.groups import pairs_of_group
from evenboard_engine.systems.uschess.options import MateRule
from evenboard_engine.systems.uschess.pairing import UsChessWork, work_on
from evenboard_engine.systems.uschess.structure import Gap, spent_on

# How a published round differs from the one that the rules pair: bye, score structure, floaters, groups,
# colours.


class UsChessRule(StrEnum):
    """What decides where a published round differs."""

    BYE = "28L"
    FORBIDDEN = "forbidden"
    STRUCTURE = "27A2"
    REMATCH = REMATCH
    WINTD = WINTD
    FLOATERS = "29D"
    GROUP = "27A3"
    COLOURS = "29E"


AVOIDED = (
    ("too_far", UsChessRule.WINTD),
    ("rematch", UsChessRule.REMATCH),
    ("teammates", UsChessRule.WINTD),
    ("clubmates", UsChessRule.WINTD),
)
"""Code and rule of each kind of `Spent`, in its order."""


def compare(
    tournament: Tournament, published: Published, pairing: RoundPairing | None
) -> tuple[RoundDifference, ...]:
    """Return all differences. What depends on another difference is compared after taking that one over."""
    return tuple(_UsChessComparison(tournament, published, pairing).all())


class _UsChessComparison:
    def __init__(self, tournament: Tournament, published: Published, pairing: RoundPairing | None) -> None:
        self.published, self.pairing = published, pairing
        self.reading: UsChessRound = read_round(tournament)
        self.number = published.round

    def all(self) -> Iterator[RoundDifference]:
        published = self.published
        if self.pairing is None:
            yield RoundDifference(self.number, "no_legal_round", UsChessRule.FORBIDDEN, "")
            return
        expected = () if self.pairing.bye is None else (self.pairing.bye,)
        if published.byes != expected:
            code = "several_byes" if len(published.byes) > 1 else "bye"
            yield RoundDifference(self.number, code, UsChessRule.BYE, "28L", published.byes, expected)
        work = self._work()
        if work is None:
            yield RoundDifference(self.number, "rest_unchecked", UsChessRule.STRUCTURE, SCORES)
            return
        place_of, field = self.reading.place_of, self.reading.field
        pairs = tuple(sorted(_in_order(place_of[one] for one in pair) for pair in published.pairs))
        for one, other in pairs:
            if field.never[one] >> other & 1:
                found = (self._id(one), self._id(other))
                yield RoundDifference(self.number, "forbidden_pair", UsChessRule.FORBIDDEN, "", found)
        yield from self._pairs(work, pairs)
        yield from self._colours(pairs)

    def _id(self, place: int) -> int:
        return self.reading.ids[place]

    def _work(self) -> UsChessWork | None:
        """Return the round with the bye of the file; None if the file does not pair those who are here."""
        published = self.published
        here = {player for pair in published.pairs for player in pair} | set(published.byes)
        if here != set(self.reading.place_of) or len(published.byes) > 1:
            return None
        bye = self.reading.place_of[published.byes[0]] if published.byes else None
        try:
            return work_on(self.reading.field, self.reading.occasion, bye=bye)
        except NoLegalPairing:
            return None

    def _pairs(self, work: UsChessWork, pairs: Pairs) -> Iterator[RoundDifference]:
        field = self.reading.field
        floats = {pair for pair in pairs if field.points[pair[0]] != field.points[pair[1]]}
        right = {pair for chain in work.chains for pair in chain.taken.floats}
        joined, needed = self._gaps(floats), self._gaps(right)
        done = {level for gap in (joined - needed) + (needed - joined) for level in gap}
        if done:
            found, expected = self._named(floats - right), self._named(right - floats)
            yield RoundDifference(self.number, "structure", UsChessRule.STRUCTURE, SCORES, found, expected)
        for code, rule, wrong in self._too_costly(work, pairs):
            done |= {field.points[place] for pair in wrong for place in pair}
            yield RoundDifference(self.number, code, rule, rule.value, self._named(wrong))
        for chain in work.chains:
            if done & set(chain.levels):
                done |= set(chain.levels)
                continue
            mine = {pair for pair in floats if field.points[pair[0]] in chain.levels}
            if mine != set(chain.taken.floats):
                yield RoundDifference(
                    self.number,
                    "floaters",
                    UsChessRule.FLOATERS,
                    "29D",
                    self._named(mine - set(chain.taken.floats)),
                    self._named(set(chain.taken.floats) - mine),
                    score=chain.levels[0],
                )
        groups = {level: group for level, group in work.groups.items() if level not in done}
        yield from self._groups(groups, pairs, {place for pair in floats for place in pair})

    def _too_costly(self, work: UsChessWork, pairs: Pairs) -> Iterator[tuple[str, UsChessRule, Pairs]]:
        """Yield the pairs that the rules avoid for something else than scores, if they need fewer such pairs."""
        if work.structure is None:
            return
        spent, least = spent_on(self.reading.field, pairs), work.structure.spent
        each = [(pair, spent_on(self.reading.field, [pair])) for pair in pairs]
        for at, (code, rule) in enumerate(AVOIDED):
            if spent[at] > least[at]:
                yield code, rule, tuple(pair for pair, costs in each if costs[at])

    def _groups(
        self, groups: Mapping[int, Sequence[int]], pairs: Pairs, floating: set[int]
    ) -> Iterator[RoundDifference]:
        """Compare the groups without the floaters of the file.

        These may leave only players who must not meet. Their pair is a difference already.
        """
        field = self.reading.field
        for level, group in groups.items():
            stay = [place for place in group if place not in floating]
            mine = {pair for pair in pairs if pair[0] in stay}
            right = set(pairs_of_group(field, stay) or ())
            for pair in sorted(right - mine):
                of_first = next(one for one in mine if pair[0] in one)
                found, expected = self._named([_from(of_first, pair[0])]), self._named([pair])
                yield RoundDifference(
                    self.number, "pair", UsChessRule.GROUP, HALVES, found, expected, score=level
                )

    def _colours(self, pairs: Pairs) -> Iterator[RoundDifference]:
        field, published = self.reading.field, self.published
        white = {self.reading.place_of[one] for one, _ in published.pairs if one not in published.colourless}
        colours = [entrant.colours for entrant in field.entrants]
        for one, other, _ in seated(pairs, colours, self.reading.occasion.initial):
            if other in white:
                found, expected = (self._id(other), self._id(one)), (self._id(one), self._id(other))
                yield RoundDifference(self.number, "colours", UsChessRule.COLOURS, "29E", found, expected)

    def _gaps(self, pairs: Iterable[tuple[int, int]]) -> Counter[Gap]:
        points = self.reading.field.points
        return Counter((points[one], points[other]) for one, other in pairs)

    def _named(self, pairs: Iterable[tuple[int, int]]) -> tuple[int, ...]:
        return tuple(self._id(place) for pair in sorted(pairs) for place in pair)


def _in_order(places: Iterable[int]) -> tuple[int, int]:
    one, other = sorted(places)
    return one, other


def _from(pair: tuple[int, int], place: int) -> tuple[int, int]:
    """Return the pair with this place first."""
    return pair if pair[0] == place else (pair[1], pair[0])


# What is wrong or unusual in a round that is paired by hand. Each board is judged by itself; nothing is
# refused.


def concerns(tournament: Tournament, draft: HandMadeDraft) -> tuple[Concern, ...]:
    """Return all concerns: board by board, the most serious of a board first, the bye last."""
    return concerns_by(_UsChessJudge(tournament), draft)


def colours_of(tournament: Tournament, one: int, other: int) -> Pair:
    """Return two players with the colours of section 5."""
    reading = read_round(tournament)
    mine, theirs = sorted((reading.place_of[one], reading.place_of[other]))
    colours = [entrant.colours for entrant in reading.field.entrants]
    ((white, black, rule),) = seated([(mine, theirs)], colours, reading.occasion.initial)
    return Pair(reading.ids[white], reading.ids[black], rule)


class _UsChessJudge:
    def __init__(self, tournament: Tournament) -> None:
        self.reading: UsChessRound = read_round(tournament)
        self.tournament, self.field = tournament, self.reading.field
        self.settings = self.field.settings

    def pair(self, white: int, black: int) -> Iterator[Concern]:
        mine, theirs = self.reading.place_of[white], self.reading.place_of[black]
        both = (white, black)
        if self.field.met[mine].get(theirs, 0):
            yield Concern("rematch", Level.PROCEED, both, (REMATCH,), rounds_of(self.reading, mine, theirs))
        if self.field.never[mine] >> theirs & 1:
            yield Concern("forbidden", Level.PROCEED, both)
        yield from self._mates(both, mine, theirs)
        for player, place, colour in ((white, mine, WHITE), (black, theirs, BLACK)):
            state = self.field.state[place]
            if state.third and state.due != colour:
                count = 1 + last_in_a_row(self.field.entrants[place].colours, same=colour)
                which = Colour.WHITE if colour == WHITE else Colour.BLACK
                yield Concern(
                    "third_colour", Level.PROCEED, (player,), (EQUALISE,), colour=which, count=count
                )
        yield from self._turned(both, mine, theirs)
        yield from self._float(mine, theirs)

    def _mates(self, both: tuple[int, int], mine: int, theirs: int) -> Iterator[Concern]:
        for code, rule, are_mates in (
            ("teammates", self.settings.team_rule, self.field.are_teammates(mine, theirs)),
            ("clubmates", self.settings.club_rule, self.field.are_clubmates(mine, theirs)),
        ):
            if are_mates and rule is not MateRule.IGNORE:
                level = Level.PROCEED if rule is MateRule.DONT else Level.ACKNOWLEDGE
                yield Concern(code, level, both, (WINTD,))

    def _turned(self, both: tuple[int, int], mine: int, theirs: int) -> Iterator[Concern]:
        if (self.field.state[mine].due, self.field.state[theirs].due) == (BLACK, WHITE):
            yield Concern("both_opposite", Level.ACKNOWLEDGE, both, ("29E4",))
            return
        if not (self.field.state[mine].due or self.field.state[theirs].due):
            return  # the lot and the order of the boards decide
        right = colours_of(self.tournament, *both)
        if right.white != both[0]:
            yield Concern("colours", Level.SHOW, (right.white, right.black), ("29E4",))

    def _float(self, mine: int, theirs: int) -> Iterator[Concern]:
        higher, lower = sorted((mine, theirs))
        points = self.field.points[higher], self.field.points[lower]
        if points[0] == points[1]:
            return
        players = self.reading.ids[higher], self.reading.ids[lower]
        yield Concern("float", Level.SHOW, players, (SCORES,), points=points)
        levels = sorted({*self.field.points})
        between = [level for level in levels if points[1] < level < points[0]]
        if between:
            yield Concern(
                "float_far", Level.ACKNOWLEDGE, players, (SCORES, WINTD), points=points, count=len(between)
            )
        most = self.settings.max_drop
        if most is not None and points[0] - points[1] > most:
            yield Concern("float_over_limit", Level.PROCEED, players, (WINTD,), points=points)
        for place in (higher, lower):
            if self.field.keep[place]:
                yield Concern("kept", Level.ACKNOWLEDGE, (self.reading.ids[place],), (WINTD,))

    def bye(self, player: int) -> Iterator[Concern]:
        yield from self._had(player)
        right = choose_bye(self.field, self.reading.occasion) if len(self.reading.ids) % 2 else None
        if right is None or self.reading.ids[right] == player:
            return
        scores = self.field.points[self.reading.place_of[player]], self.field.points[right]
        code = "bye_score" if scores[0] > scores[1] else "bye_other"
        level = Level.PROCEED if code == "bye_score" else Level.ACKNOWLEDGE
        yield Concern(code, level, (player, self.reading.ids[right]), ("28L2",), points=scores)

    def _had(self, player: int) -> Iterator[Concern]:
        before = self.tournament.round
        for bye in self.tournament.byes:
            if bye.player != player or bye.round >= before:
                continue
            if bye.kind in FULL_BYES:
                yield Concern("bye_had", Level.PROCEED, (player,), ("28L3",), (bye.round,))
            elif BYES[bye.kind].requested and self.tournament.points.of_bye(bye.kind):
                yield Concern("bye_half", Level.ACKNOWLEDGE, (player,), ("28L4",), (bye.round,))
        for number in forfeit_wins_of(self.tournament, player):
            yield Concern("bye_forfeit_win", Level.ACKNOWLEDGE, (player,), ("28L3",), (number,))
