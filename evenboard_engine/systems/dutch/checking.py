"""Check rounds by the Dutch System: a published round, and a round that is paired by hand (C.04.3)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial

from evenboard_engine.errors import InternalError, NoLegalPairing
from evenboard_engine.findings import (
    Concern,
    DifferenceMaker,
    HandMadeDraft,
    Level,
    Published,
    RoundDifference,
    concerns_by,
)
from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE, last_in_a_row
from evenboard_engine.model import Colour, Tournament
from evenboard_engine.result import Pair, RoundPairing
from evenboard_engine.rulings import bar_of, unplayed_results
from evenboard_engine.systems.dutch.articles import DutchRule

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
    return tuple(_DutchComparison(tournament, published, pairing).differences())


class _DutchComparison(DifferenceMaker[DutchRule]):
    def __init__(self, tournament: Tournament, published: Published, pairing: RoundPairing | None) -> None:
        super().__init__(published, lambda rule: rule.value)
        self.tournament, self.pairing = tournament, pairing
        self.field = DutchField(tournament)
        self.colours = DutchColourAllocator(self.field, tournament.initial_colour)
        place_of = self.field.past.place_of
        self.mate: dict[int, int] = {}
        for white, black in published.pairs:
            self.mate[place_of[white]], self.mate[place_of[black]] = place_of[black], place_of[white]

    def differences(self) -> Iterator[RoundDifference]:
        if self.pairing is None:
            yield self.difference("no_legal_round", DutchRule.NO_PAIRING)
        wrong_byes = yield from self._byes()
        yield from self._illegal_pairs()
        if self.pairing is not None:
            yield from self._brackets(wrong_byes)
        yield from self._colours()

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

    # --- C1 and C3

    def _illegal_pairs(self) -> Iterator[RoundDifference]:
        field, place_of = self.field, self.field.past.place_of
        for pair in self.published.pairs:
            white, black = (place_of[key] for key in pair)
            if field.may_meet(white, black):
                continue
            if black in field.past.opponents(white):
                yield self.difference("rematch", DutchRule.C1, found=pair)
            elif black in field.met[white]:
                yield self.difference("forbidden_pair", DutchRule.C1, found=pair)
            else:
                yield self.difference("same_absolute_preference", DutchRule.C3, found=pair)

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

    # --- colours

    def _colours(self) -> Iterator[RoundDifference]:
        place_of = self.field.past.place_of
        for white, black in self.published.pairs:
            if white in self.published.colourless:
                continue
            right = self.colours.pair(place_of[white], place_of[black])
            if right.white != white:
                rule = DutchRule(right.colours)
                yield self.difference(
                    "colours",
                    rule,
                    (white, black),
                    (right.white, right.black),
                    by_number=rule is DutchRule.COLOUR_INITIAL,
                )


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


# Find what is wrong or unusual in a round that is paired by hand. Each board is judged by itself, from the
# history.
#
# Nothing is refused here.

BASIC_RULE_DIFFERENCE, BASIC_RULE_THIRD = "C.04.1, 6", "C.04.1, 7"
FARTHEST = 2
"""The greatest colour difference that a player may have, except after the last round (Basic Rules, C.04.1, 6)."""


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


class _DutchJudge:
    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.field = DutchField(tournament)
        self.colours = DutchColourAllocator(self.field, tournament.initial_colour)

    def pair(self, white: int, black: int) -> Iterator[Concern]:
        places = self.field.past.place_of[white], self.field.past.place_of[black]
        yield from self._meeting(white, black, *places)
        yield from self._colour(white, places[0], WHITE_SIDE)
        yield from self._colour(black, places[1], BLACK_SIDE)
        yield from self._turned(white, black, *places)
        yield from self._float(*places)

    def _meeting(self, white: int, black: int, mine: int, theirs: int) -> Iterator[Concern]:
        """Yield concerns by C1, forbidden pairs and C3."""
        both = (white, black)
        columns = enumerate(self.field.past.opponent_in, start=1)
        rounds = tuple(number for number, column in columns if column[mine] == theirs)
        if rounds:
            yield Concern("rematch", Level.PROCEED, both, (DutchRule.C1,), rounds)
        if {both, both[::-1]} & self.tournament.forbidden:
            yield Concern("forbidden", Level.PROCEED, both)
        absolute = self.field.absolute[mine]
        if absolute and absolute == self.field.absolute[theirs]:
            colour = Colour.WHITE if absolute == WHITE_SIDE else Colour.BLACK
            yield Concern("absolute_clash", Level.PROCEED, both, (DutchRule.C3,), colour=colour)

    def _colour(self, player: int, place: int, side: int) -> Iterator[Concern]:
        """Yield concerns by Basic Rules 6 and 7. Only the limit of the difference does not hold in the last round."""
        had = self.field.colours[place]
        colour = Colour.WHITE if side == WHITE_SIDE else Colour.BLACK
        if had.sides[-2:] == bytes((side, side)):
            count = 1 + last_in_a_row(had.sides, same=side)
            articles = (BASIC_RULE_THIRD, DutchRule.ABSOLUTE)
            yield Concern("third_colour", Level.PROCEED, (player,), articles, colour=colour, count=count)
        more = (had.difference if side == WHITE_SIDE else -had.difference) + 1
        if more > FARTHEST and not self.field.last:
            articles = (BASIC_RULE_DIFFERENCE, DutchRule.COLOUR_DIFFERENCE)
            yield Concern("colour_difference", Level.PROCEED, (player,), articles, colour=colour, count=more)

    def _turned(self, white: int, black: int, mine: int, theirs: int) -> Iterator[Concern]:
        due = self.field.colours[mine].due.side, self.field.colours[theirs].due.side
        if due == (BLACK_SIDE, WHITE_SIDE):
            yield Concern("both_opposite", Level.ACKNOWLEDGE, (white, black), (DutchRule.PREFERENCE,))
            return
        right = self.colours.pair(mine, theirs)
        if right.white != white:
            yield Concern("colours", Level.SHOW, (right.white, right.black), (right.colours,))

    def _float(self, mine: int, theirs: int) -> Iterator[Concern]:
        """Yield concerns about floats in both directions (1.4; C14 to C17 count those of the last two rounds)."""
        field = self.field
        higher, lower = self.colours.ranked(mine, theirs)
        points = field.score[lower], field.score[higher]
        if points[0] == points[1]:
            return
        up, down = field.ids[lower], field.ids[higher]
        yield Concern("float", Level.SHOW, (up, down), (DutchRule.FLOATS,), points=points)
        for code, player, floated, criteria in (
            ("upfloat_again", up, partial(field.up, lower), (DutchRule.C15, DutchRule.C17)),
            ("downfloat_again", down, partial(field.down, higher), (DutchRule.C14, DutchRule.C16)),
        ):
            again = [before for before in (1, 0) if floated(before)]
            if again:
                rounds = tuple(field.round - 1 - before for before in again)
                articles = tuple(criteria[before] for before in reversed(again))
                yield Concern(code, Level.ACKNOWLEDGE, (player,), articles, rounds)

    def bye(self, player: int) -> Iterator[Concern]:
        """Yield concerns about the bye: C2, and the lowest score (C5)."""
        field, place = self.field, self.field.past.place_of[player]
        if place in field.past.barred:
            win = self.tournament.points.win
            for number, one, of, points in unplayed_results(self.tournament, {player}):
                if (code := bar_of(of, points, win)) is not None:
                    yield Concern(code, Level.PROCEED, (one,), (DutchRule.C2,), (number,))
        try:
            free = candidates_for_the_bye(field)
        except NoLegalPairing:
            return
        if free and field.score[place] > field.score[free[-1]]:
            scores = field.score[place], field.score[free[-1]]
            both = player, field.ids[free[-1]]
            yield Concern("bye_score", Level.PROCEED, both, (DutchRule.C5,), points=scores)
