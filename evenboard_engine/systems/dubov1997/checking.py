"""Check rounds by the rules of 1997: a published round, and a round that is paired by hand."""

from __future__ import annotations

from collections.abc import Iterator

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
from evenboard_engine.systems.dubov1997.articles import Dubov1997Rule
from evenboard_engine.systems.dubov1997.explaining.decisions import DecisionKind, PairDecision, decisions
from evenboard_engine.systems.dubov1997.explaining.obstacles import PlayerObstacles
from evenboard_engine.systems.dubov1997.pairing import bye_order, coloured_pair, pair_in_round_1
from evenboard_engine.systems.dubov1997.pairing import pair as pair_sheet
from evenboard_engine.systems.dubov1997.pairing.offer import offer_for

from .pairing.field import GREATEST_DIFFERENCE, NO_COLOUR, field_of, most_rises

# Where a published round differs from the rules of 1997, and which article decides.
#
# The decisions of the procedure are read in their order. The first one that the published round does not have
# is told with its article. What differs after it follows from it, or could be wrong too; such pairs are
# counted.

_RULE = {
    DecisionKind.HALF: Dubov1997Rule.FIRST_ROUND,
    DecisionKind.FLOATER: Dubov1997Rule.FLOATER_OPPONENT,
    DecisionKind.ISLAND: Dubov1997Rule.ISLAND,
    DecisionKind.ASIDE: Dubov1997Rule.REPAIR,
}


def compare(
    tournament: Tournament, published: Published, pairing: RoundPairing | None
) -> tuple[RoundDifference, ...]:
    """Return all differences between the published round and the rules.

    pairing: None if the procedure cannot finish.
    """
    return tuple(_Dubov1997Comparison(tournament, published, pairing).differences())


class _Dubov1997Comparison(DifferenceMaker[Dubov1997Rule]):
    def __init__(self, tournament: Tournament, published: Published, pairing: RoundPairing | None) -> None:
        super().__init__(published, lambda rule: rule.value)
        self.field = field_of(tournament)
        self.facts = PlayerObstacles(tournament, self.field)
        self.pairing = pairing
        self.mate = {one: other for pair in published.pairs for one, other in (pair, pair[::-1])}

    def differences(self) -> Iterator[RoundDifference]:
        yield from self._byes()
        yield from self._limits()
        if self.pairing is not None:
            yield from self._pairs(self.pairing)
            yield from self._colours(self.pairing)

    def _byes(self) -> Iterator[RoundDifference]:
        byes = self.published.byes
        if self.pairing is None:
            offered = offer_for(pair_sheet(self.field)) is not None
            yield self.difference("cannot_finish" if offered else "no_offer", Dubov1997Rule.CANNOT_FINISH)
        if len(byes) > 1:
            yield self.difference("several_byes", Dubov1997Rule.BYE, byes)
        elif self.pairing is not None and byes != (() if self.pairing.bye is None else (self.pairing.bye,)):
            yield self._wrong_bye(byes[0] if byes else None, self.pairing.bye)

    def _wrong_bye(self, holder: int | None, right: int | None) -> RoundDifference:
        expected = () if right is None else (right,)
        if holder is None:
            return self.difference("bye", Dubov1997Rule.BYE, (), expected)
        seat = self.field.seat_of.get(holder)
        rule = Dubov1997Rule.FIRST_ROUND if self.field.round == 1 else Dubov1997Rule.BYE
        if seat is not None and self.field.entrants[seat].had_point:
            rule = Dubov1997Rule.BYE_BARRED
        return self.difference("bye", rule, (holder,), expected)

    def _limits(self) -> Iterator[RoundDifference]:
        """Yield the pairs that 2.1, 2.3, 2.4 or the file forbid."""
        seat_of = self.field.seat_of
        codes = {
            "met": ("rematch", Dubov1997Rule.REMATCH),
            "forbidden": ("forbidden_pair", Dubov1997Rule.REMATCH),
            "both_barred": ("same_barred_colour", Dubov1997Rule.DIFFERENCE),
            "no_way": ("same_barred_colour", Dubov1997Rule.DIFFERENCE),
        }
        for pair in self.published.pairs:
            if pair[0] in seat_of and pair[1] in seat_of:
                obstacle = self.facts.obstacle(seat_of[pair[0]], seat_of[pair[1]])
                if obstacle is not None:
                    code, rule = codes[obstacle.code]
                    yield self.difference(code, rule, pair)

    def _pairs(self, pairing: RoundPairing) -> Iterator[RoundDifference]:
        right = {one: other for pair in pairing.pairs for one, other in self._both(pair.white, pair.black)}
        wrong = [pair for pair in self.published.pairs if right.get(pair[0]) != pair[1]]
        if not wrong:
            return
        sheet = pair_sheet(self.field)
        ids = self.field.ids
        for made in decisions(sheet, None):
            chooser, chosen = ids[made.chooser], ids[made.chosen]
            if right.get(chooser) != chosen:
                break  # the pairing is an offer: decisions from here on were undone
            if self.mate.get(chooser) != chosen:
                yield self._wrong_pair(made, chooser, chosen, len(wrong) - 1)
                return
        first = wrong[0]
        yield self.difference(
            "pair", Dubov1997Rule.OFFER, first, (first[0], right.get(first[0], 0)), (len(wrong) - 1, 0)
        )

    def _both(self, one: int, other: int) -> Iterator[tuple[int, int]]:
        yield one, other
        yield other, one

    def _wrong_pair(self, made: PairDecision, chooser: int, chosen: int, others: int) -> RoundDifference:
        rule = _RULE.get(made.kind, Dubov1997Rule.REPAIR if made.before() else Dubov1997Rule.ROWS)
        score = None if made.group < 0 else self.field.score[made.chooser]
        found = self.mate.get(chooser)
        if found is None:
            return self.difference("not_paired", rule, (chooser,), (chooser, chosen), (others, 0), score)
        return self.difference("pair", rule, (chooser, found), (chooser, chosen), (others, 0), score)

    def _colours(self, pairing: RoundPairing) -> Iterator[RoundDifference]:
        rule = Dubov1997Rule.FIRST_ROUND if self.field.round == 1 else Dubov1997Rule.COLOURS
        for pair in pairing.pairs:
            turned = (
                self.mate.get(pair.white) == pair.black and (pair.black, pair.white) in self.published.pairs
            )
            if turned and pair.black not in self.published.colourless:
                yield self.difference("colours", rule, (pair.black, pair.white), (pair.white, pair.black))


# What is wrong or unusual in a round that is paired by hand, by the limitations of 1997. Nothing is refused
# here.


def concerns(tournament: Tournament, draft: HandMadeDraft) -> tuple[Concern, ...]:
    """Return all concerns about the draft: board by board, the most serious of a board first, and the bye last.

    tournament: before the round, in `absent` the players who do not play in it. Raises InvalidTournament.
    """
    return concerns_by(_Dubov1997Judge(tournament, draft), draft)


def colours_of(tournament: Tournament, one: int, other: int) -> Pair:
    """Return two players with the colours of article 3, in round 1 with those of article 5."""
    field = field_of(tournament, including=(one, other))
    seats = field.seat_of[one], field.seat_of[other]
    return pair_in_round_1(field, *seats) if field.round == 1 else coloured_pair(field, *seats)


class _Dubov1997Judge:
    def __init__(self, tournament: Tournament, draft: HandMadeDraft) -> None:
        self.tournament = tournament
        placed = [player for pair in draft.pairs for player in pair]
        placed += [] if draft.bye is None else [draft.bye]
        self.field = field_of(tournament, including=placed)
        self.facts = PlayerObstacles(tournament, self.field)

    def pair(self, white: int, black: int) -> Iterator[Concern]:
        seats = self.field.seat_of[white], self.field.seat_of[black]
        rounds = self.facts.met.get((min(white, black), max(white, black)))
        if rounds:
            yield Concern(
                "rematch", Level.PROCEED, (white, black), (Dubov1997Rule.REMATCH,), tuple(sorted(rounds))
            )
        if {(white, black), (black, white)} & self.tournament.forbidden:
            yield Concern("forbidden", Level.PROCEED, (white, black))
        yield from self._limits(seats[0], Colour.WHITE, WHITE_SIDE)
        yield from self._limits(seats[1], Colour.BLACK, BLACK_SIDE)
        yield from self._turned(*seats)
        yield from self._float(*seats)

    def _limits(self, seat: int, colour: Colour, side: int) -> Iterator[Concern]:
        """Yield what 2.3 and 2.4 say of a player with this colour, with 2.6 if the other colour is due."""
        shape, player = self.field.colours[seat], (self.field.ids[seat],)
        column = () if shape.due in (NO_COLOUR, side) else (Dubov1997Rule.COLUMN_BARRED,)
        if shape.sides[-2:] == bytes((side, side)):
            count = 1 + last_in_a_row(shape.sides, same=side)
            articles = (Dubov1997Rule.THREE_IN_A_ROW, *column)
            yield Concern("third_colour", Level.PROCEED, player, articles, colour=colour, count=count)
        after = shape.difference + (1 if side == WHITE_SIDE else -1)
        if abs(after) > GREATEST_DIFFERENCE:
            more = Colour.WHITE if after > 0 else Colour.BLACK
            articles = (Dubov1997Rule.DIFFERENCE, *column)
            yield Concern("colour_difference", Level.PROCEED, player, articles, colour=more, count=abs(after))

    def _turned(self, white: int, black: int) -> Iterator[Concern]:
        due, ids = self.field.due, self.field.ids
        if due[white] == BLACK_SIDE and due[black] == WHITE_SIDE:
            yield Concern(
                "both_opposite", Level.ACKNOWLEDGE, (ids[white], ids[black]), (Dubov1997Rule.DUE_COLOUR,)
            )
        elif self.field.round > 1 or self.field.first is not None:
            give = pair_in_round_1 if self.field.round == 1 else coloured_pair
            right = give(self.field, white, black)
            if right.white != ids[white]:
                article = Dubov1997Rule.FIRST_ROUND if self.field.round == 1 else Dubov1997Rule.COLOURS
                yield Concern("colours", Level.SHOW, (right.white, right.black), (article,))

    def _float(self, white: int, black: int) -> Iterator[Concern]:
        """Yield that scores differ, and what 2.5 says of the player with fewer points.

        Nobody can tell from a pair whether this player was transferred, or was met by one who came down.
        """
        field = self.field
        lower, higher = sorted((white, black), key=lambda seat: field.score[seat])
        points = field.score[lower], field.score[higher]
        if points[0] == points[1]:
            return
        ids = field.ids[lower], field.ids[higher]
        yield Concern("float", Level.SHOW, ids, (Dubov1997Rule.STANDARD,), points=points)
        if field.round == field.rounds:
            return
        player, before = field.entrants[lower], (field.round - 1,)
        if player.rose_last:
            yield Concern(
                "rise_again",
                Level.ACKNOWLEDGE,
                ids[:1],
                (Dubov1997Rule.RISING, Dubov1997Rule.RISING_COUNTED),
                before,
            )
        if player.rises >= most_rises(field.rounds):
            articles = (Dubov1997Rule.RISING, Dubov1997Rule.RISING_COUNTED)
            yield Concern("rises", Level.ACKNOWLEDGE, ids[:1], articles, count=player.rises)

    def bye(self, player: int) -> Iterator[Concern]:
        """Yield concerns about the bye: 2.2, and article 4."""
        seat = self.field.seat_of[player]
        if self.field.entrants[seat].had_point:
            why = self.facts.point_without_playing(seat)
            yield Concern(
                why.code, Level.PROCEED, (player,), (Dubov1997Rule.BYE_BARRED,), (why.params["round"],)
            )
            return
        right = len(self.field.ids) - 1 if self.field.round == 1 else next(bye_order(self.field), None)
        if len(self.field.ids) % 2 and right is not None and right != seat:
            points = self.field.score[seat], self.field.score[right]
            both = player, self.field.ids[right]
            if points[0] > points[1]:
                yield Concern("bye_score", Level.PROCEED, both, (Dubov1997Rule.BYE,), points=points)
            else:
                article = Dubov1997Rule.FIRST_ROUND if self.field.round == 1 else Dubov1997Rule.BYE
                yield Concern("bye_other", Level.ACKNOWLEDGE, both, (article,))
