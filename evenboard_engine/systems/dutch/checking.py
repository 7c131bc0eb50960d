"""Check rounds by the Dutch System: a published round, and a round that is paired by hand (C.04.3)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

from evenboard_engine.errors import InternalError
from evenboard_engine.findings import (
    Concern,
    HandMadeDraft,
    Level,
    Published,
    RoundDifference,
    concerns_by,
)
from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.model import Tournament
from evenboard_engine.result import Pair, RoundPairing
from evenboard_engine.systems.dutch.articles import DutchRule
from evenboard_engine.systems.fide_swiss import SwissComparison, SwissJudge

from .pairing import DutchBracketRecord
from .pairing.colours import DutchColourAllocator
from .pairing.costs import Criterion
from .pairing.exact import PairedBracket, key_of, pair_exactly, quality_of
from .pairing.field import DutchField
from .pairing.outlook import candidates_for_the_bye

# Find where a published round differs from the rules, and which criterion or article decides.
#
# The published round is checked bracket by bracket. Each bracket is judged with the published pairs above it, so one
# wrong choice is reported once, and not again in every bracket below. A pair is of the bracket of its lower player.

_OF_FLOATERS = ("C6", "C7", "C8")
_LISTS = ("C7", "C18", "C19", "C20", "C21")


def compare(
    tournament: Tournament, published: Published, pairing: RoundPairing | None
) -> tuple[RoundDifference, ...]:
    """Return all differences between the published round and the pairing by the rules.

    tournament: before the round, in `absent` the players without a game or allocated bye in it. pairing: None if no
    legal pairing exists.
    """
    comparison = _DutchComparison(tournament, published, pairing)
    return tuple(comparison.with_virtual_points(comparison.differences()))


class _DutchComparison(SwissComparison[DutchRule, DutchField]):
    colours: DutchColourAllocator

    def __init__(self, tournament: Tournament, published: Published, pairing: RoundPairing | None) -> None:
        field = DutchField(tournament)
        colours = DutchColourAllocator(field, tournament.initial_colour)
        super().__init__(tournament, published, pairing, field, colours, DutchRule, str)

    def differences(self) -> Iterator[RoundDifference]:
        if self.pairing is None:
            yield self.difference("no_legal_round", DutchRule.NO_PAIRING)
        wrong_byes = yield from self._byes()
        yield from self.illegal_pairs()
        if self.pairing is not None:
            yield from self._brackets(wrong_byes)
        yield from self.wrong_colours()

    # --- the bye

    def _byes(self) -> Generator[RoundDifference, None, list[int]]:
        """Yield what is wrong with the bye, and return the holders who are left out of the brackets."""
        holders = [self.field.past.place_of[key] for key in self.published.byes]
        if len(holders) > 1:
            yield self.difference("several_byes", DutchRule.COMPLETE, found=self.published.byes)
            return holders
        if not holders or self.pairing is None or self.pairing.bye is None:
            return holders
        holder, right = holders[0], self.pairing.bye
        found, expected = (self.field.ids[holder],), (right,)
        if holder in self.field.past.barred:
            yield self.difference("bye", DutchRule.C2, found, expected)
            return holders
        scores = self.field.score[holder], self.field.score[self.field.past.place_of[right]]
        if scores[0] != scores[1]:
            yield self.difference("bye_score", DutchRule.C5, found, expected, values=scores)
            return holders
        return []

    # --- brackets

    def _brackets(self, left_out: Sequence[int]) -> Iterator[RoundDifference]:
        groups = [[place for place in group if place not in left_out] for group in self.field.scoregroups()]
        groups = [group for group in groups if group]
        assert self.pairing is not None
        bye = None if left_out or self.pairing.bye is None else self.field.past.place_of[self.pairing.bye]
        bye_score = None if bye is None else self.field.score[bye]
        records = {record.score: record for record in self.pairing.brackets}
        moved: list[int] = []
        for at, residents in enumerate(groups):
            here = {*moved, *residents}
            pairs = [
                (one, self.mate[one])
                for one in (*moved, *residents)
                if self.mate.get(one) in here and self.field.rank(one) < self.field.rank(self.mate[one])
            ]
            if all(self.field.may_meet(*pair) for pair in pairs):
                found = yield from self._bracket(
                    moved, residents, groups[at + 1 :], bye_score, pairs, None if left_out else records
                )
                if not found:
                    score = self.field.score[residents[0]]
                    yield self.difference("rest_unchecked", DutchRule.COMPLETE, score=score)
                    return
            paired = {place for pair in pairs for place in pair}
            moved = [place for place in (*moved, *residents) if place not in paired]

    def _bracket(
        self,
        moved: list[int],
        residents: list[int],
        below: Sequence[list[int]],
        bye_score: int | None,
        pairs: list[tuple[int, int]],
        records: Mapping[int, DutchBracketRecord] | None,
    ) -> Generator[RoundDifference, None, bool]:
        """Yield the difference of a bracket. Returns whether the players who are left can be paired at all."""
        best = self._recorded(records, moved, residents)
        if best is not None and _same(best.pairs, pairs):
            return True
        best = pair_exactly(self.field, self.colours, moved, residents, below, bye_score)
        if best is None:
            return False
        if not _same(best.pairs, pairs):
            yield self._judged(moved, residents, below, bye_score, pairs, best)
        return True

    def _recorded(
        self, records: Mapping[int, DutchBracketRecord] | None, moved: list[int], residents: list[int]
    ) -> PairedBracket | None:
        """Return the bracket of the pairing by the rules, if the same players are in it."""
        record = None if records is None else records[self.field.score[residents[0]]]
        ids = self.field.ids
        if record is None or record.moved != tuple(ids[place] for place in moved):
            return None
        place_of = self.field.past.place_of

        def places(keys: Sequence[int]) -> list[int]:
            return [place_of[key] for key in keys]

        met_moved = [(place_of[one], place_of[other]) for one, other in record.met_moved]
        return PairedBracket(
            moved, residents, met_moved, places(record.s1), places(record.s2), places(record.floaters)
        )

    def _judged(
        self,
        moved: list[int],
        residents: list[int],
        below: Sequence[list[int]],
        bye_score: int | None,
        pairs: list[tuple[int, int]],
        best: PairedBracket,
    ) -> RoundDifference:
        score = self.field.score[residents[0]]
        paired = {place for pair in pairs for place in pair}
        floaters = [place for place in (*moved, *residents) if place not in paired]
        shown = self._ids(floaters), self._ids(best.floaters)
        quality = quality_of(self.field, self.colours, moved, residents, below, bye_score, pairs)
        if quality is None:
            return self.difference("floaters", DutchRule.C4, *shown, score=score)
        assert best.quality is not None
        for criterion, theirs in best.quality.items():
            mine = quality[criterion]
            if mine < theirs:
                raise InternalError("published_bracket_is_better", player=self.field.ids[residents[0]])
            if mine > theirs:
                code = "floaters" if criterion.name in _OF_FLOATERS else "quality"
                values = _value(quality, criterion), _value(best.quality, criterion)
                return self.difference(code, DutchRule(criterion.name), *shown, values=values, score=score)
        return self._later(moved, residents, pairs, best, score)

    def _later(
        self,
        moved: list[int],
        residents: list[int],
        pairs: list[tuple[int, int]],
        best: PairedBracket,
        score: int,
    ) -> RoundDifference:
        """Return the difference in the order of candidates: both are equally good, but one comes first (article 4)."""
        keys = [key_of(moved, residents, one) for one in (pairs, best.pairs)]
        rule, mine, theirs = next(
            (rule, mine, theirs) for (rule, mine), (_, theirs) in zip(*keys, strict=True) if mine != theirs
        )
        if mine < theirs:
            raise InternalError("published_bracket_is_earlier", player=self.field.ids[residents[0]])
        mates = [
            {one: other for pair in made for one, other in (pair, pair[::-1])} for made in (pairs, best.pairs)
        ]
        first = next(place for place in (*moved, *residents) if mates[0].get(place) != mates[1].get(place))
        found, expected = (self._ids([first, mate[first]] if first in mate else [first]) for mate in mates)
        return self.difference("order", rule, found, expected, score=score)

    def _ids(self, places: Sequence[int]) -> tuple[int, ...]:
        return tuple(self.field.ids[place] for place in places)


def _same(pairs: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> bool:
    return set(map(frozenset, pairs)) == set(map(frozenset, others))


def _value(quality: Mapping[Criterion, int], criterion: Criterion) -> int | tuple[int, ...]:
    """Return what a criterion counts: a number, or scores in descending order."""
    if criterion.score is None:
        return quality[criterion]
    return tuple(
        one.score
        for one, count in quality.items()
        if one.name == criterion.name and one.score is not None
        for _ in range(count)
    )


# A round that is paired by hand.


def concerns(tournament: Tournament, draft: HandMadeDraft) -> tuple[Concern, ...]:
    """Return all concerns about the draft: board by board, the most serious of a board first, and the bye last.

    tournament: before the round, in `absent` the players who do not play in it. Raises InvalidTournament.
    """
    return concerns_by(_DutchJudge(tournament), draft)


def colours_of(tournament: Tournament, one: int, other: int) -> Pair:
    """Return the two players with the colours of article 5.2."""
    field = DutchField(tournament)
    place_of = field.past.place_of
    return DutchColourAllocator(field, tournament.initial_colour).pair(place_of[one], place_of[other])


class _DutchJudge(SwissJudge[DutchRule, DutchField]):
    float_rule, bye_rule = "FLOATS", "C5"

    def __init__(self, tournament: Tournament) -> None:
        field = DutchField(tournament)
        colours = DutchColourAllocator(field, tournament.initial_colour)
        super().__init__(tournament, field, colours, DutchRule, str, tournament.points.win)

    def both_opposite(self, white: int, black: int) -> bool:
        due = self.field.colours[white].due.side, self.field.colours[black].due.side
        return due == (BLACK_SIDE, WHITE_SIDE)

    def floats(self, higher: int, lower: int) -> Iterator[Concern]:
        """Yield concerns about floats in both directions (1.4; C14 to C17 count those of the last two rounds)."""
        field = self.field
        for code, place, floated, criteria in (
            ("upfloat_again", lower, field.up, ("C15", "C17")),
            ("downfloat_again", higher, field.down, ("C14", "C16")),
        ):
            again = [before for before in (1, 0) if floated(place, before)]
            if again:
                rounds = tuple(field.round - 1 - before for before in again)
                articles = tuple(self.article(criteria[before]) for before in reversed(again))
                yield Concern(code, Level.ACKNOWLEDGE, (field.ids[place],), articles, rounds)

    def right_bye(self) -> int | None:
        free = candidates_for_the_bye(self.field)
        return free[-1] if free else None
