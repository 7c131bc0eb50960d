"""How a published round differs from the one that the rules pair: bye, score structure, floaters, groups, colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.findings import Difference, Published
from evenboard_engine.model import Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.uschess.articles import HALVES, REMATCH, SCORES, WINTD
from evenboard_engine.systems.uschess.colours import seated
from evenboard_engine.systems.uschess.entrants import Pairs
from evenboard_engine.systems.uschess.groups import pairs_of_group
from evenboard_engine.systems.uschess.pairing import Work, work_on
from evenboard_engine.systems.uschess.reading import Reading, read
from evenboard_engine.systems.uschess.structure import Gap, spent_on


class Rule(StrEnum):
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
    ("too_far", Rule.WINTD),
    ("rematch", Rule.REMATCH),
    ("teammates", Rule.WINTD),
    ("clubmates", Rule.WINTD),
)
"""Code and rule of each kind of `Spent`, in its order."""


def compare(
    tournament: Tournament, published: Published, pairing: RoundPairing | None
) -> tuple[Difference, ...]:
    """Return all differences. What depends on another difference is compared after taking that one over."""
    return tuple(_Comparison(tournament, published, pairing).all())


class _Comparison:
    def __init__(self, tournament: Tournament, published: Published, pairing: RoundPairing | None) -> None:
        self.published, self.pairing = published, pairing
        self.reading: Reading = read(tournament)
        self.number = published.round

    def all(self) -> Iterator[Difference]:
        published = self.published
        if self.pairing is None:
            yield Difference(self.number, "no_legal_round", Rule.FORBIDDEN, "")
            return
        expected = () if self.pairing.bye is None else (self.pairing.bye,)
        if published.byes != expected:
            code = "several_byes" if len(published.byes) > 1 else "bye"
            yield Difference(self.number, code, Rule.BYE, "28L", published.byes, expected)
        work = self._work()
        if work is None:
            yield Difference(self.number, "rest_unchecked", Rule.STRUCTURE, SCORES)
            return
        place_of, field = self.reading.place_of, self.reading.field
        pairs = tuple(sorted(_in_order(place_of[one] for one in pair) for pair in published.pairs))
        for one, other in pairs:
            if field.never[one] >> other & 1:
                found = (self._id(one), self._id(other))
                yield Difference(self.number, "forbidden_pair", Rule.FORBIDDEN, "", found)
        yield from self._pairs(work, pairs)
        yield from self._colours(pairs)

    def _id(self, place: int) -> int:
        return self.reading.ids[place]

    def _work(self) -> Work | None:
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

    def _pairs(self, work: Work, pairs: Pairs) -> Iterator[Difference]:
        field = self.reading.field
        floats = {pair for pair in pairs if field.points[pair[0]] != field.points[pair[1]]}
        right = {pair for chain in work.chains for pair in chain.taken.floats}
        joined, needed = self._gaps(floats), self._gaps(right)
        done = {level for gap in (joined - needed) + (needed - joined) for level in gap}
        if done:
            found, expected = self._named(floats - right), self._named(right - floats)
            yield Difference(self.number, "structure", Rule.STRUCTURE, SCORES, found, expected)
        for code, rule, wrong in self._too_costly(work, pairs):
            done |= {field.points[place] for pair in wrong for place in pair}
            yield Difference(self.number, code, rule, rule.value, self._named(wrong))
        for chain in work.chains:
            if done & set(chain.levels):
                done |= set(chain.levels)
                continue
            mine = {pair for pair in floats if field.points[pair[0]] in chain.levels}
            if mine != set(chain.taken.floats):
                yield Difference(
                    self.number,
                    "floaters",
                    Rule.FLOATERS,
                    "29D",
                    self._named(mine - set(chain.taken.floats)),
                    self._named(set(chain.taken.floats) - mine),
                    score=chain.levels[0],
                )
        groups = {level: group for level, group in work.groups.items() if level not in done}
        yield from self._groups(groups, pairs, {place for pair in floats for place in pair})

    def _too_costly(self, work: Work, pairs: Pairs) -> Iterator[tuple[str, Rule, Pairs]]:
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
    ) -> Iterator[Difference]:
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
                yield Difference(self.number, "pair", Rule.GROUP, HALVES, found, expected, score=level)

    def _colours(self, pairs: Pairs) -> Iterator[Difference]:
        field, published = self.reading.field, self.published
        white = {self.reading.place_of[one] for one, _ in published.pairs if one not in published.colourless}
        colours = [entrant.colours for entrant in field.entrants]
        for one, other, _ in seated(pairs, colours, self.reading.occasion.initial):
            if other in white:
                found, expected = (self._id(other), self._id(one)), (self._id(one), self._id(other))
                yield Difference(self.number, "colours", Rule.COLOURS, "29E", found, expected)

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
