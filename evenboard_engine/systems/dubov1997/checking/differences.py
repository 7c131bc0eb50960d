"""Where a published round differs from the rules of 1997, and which article decides.

The decisions of the procedure are read in their order. The first one that the published round does not have is told
with its article. What differs after it follows from it, or could be wrong too; such pairs are counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from evenboard_engine.findings import Difference, DifferenceMaker, Published
from evenboard_engine.model import Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.dubov1997.articles import Rule
from evenboard_engine.systems.dubov1997.explaining.decisions import Decision, Kind, decisions
from evenboard_engine.systems.dubov1997.explaining.obstacles import Facts
from evenboard_engine.systems.dubov1997.pairing import pair as pair_sheet
from evenboard_engine.systems.dubov1997.pairing.history import field_of
from evenboard_engine.systems.dubov1997.pairing.offer import offer_for

_RULE = {
    Kind.HALF: Rule.FIRST_ROUND,
    Kind.FLOATER: Rule.FLOATER_OPPONENT,
    Kind.ISLAND: Rule.ISLAND,
    Kind.ASIDE: Rule.REPAIR,
}


def compare(
    tournament: Tournament, published: Published, pairing: RoundPairing | None
) -> tuple[Difference, ...]:
    """Return all differences between the published round and the rules.

    pairing: None if the procedure cannot finish.
    """
    return tuple(_Comparison(tournament, published, pairing).differences())


class _Comparison(DifferenceMaker[Rule]):
    def __init__(self, tournament: Tournament, published: Published, pairing: RoundPairing | None) -> None:
        super().__init__(published, lambda rule: rule.value)
        self.field = field_of(tournament)
        self.facts = Facts(tournament, self.field)
        self.pairing = pairing
        self.mate = {one: other for pair in published.pairs for one, other in (pair, pair[::-1])}

    def differences(self) -> Iterator[Difference]:
        yield from self._byes()
        yield from self._limits()
        if self.pairing is not None:
            yield from self._pairs(self.pairing)
            yield from self._colours(self.pairing)

    def _byes(self) -> Iterator[Difference]:
        byes = self.published.byes
        if self.pairing is None:
            offered = offer_for(pair_sheet(self.field)) is not None
            yield self.difference("cannot_finish" if offered else "no_offer", Rule.CANNOT_FINISH)
        if len(byes) > 1:
            yield self.difference("several_byes", Rule.BYE, byes)
        elif self.pairing is not None and byes != (() if self.pairing.bye is None else (self.pairing.bye,)):
            yield self._wrong_bye(byes[0] if byes else None, self.pairing.bye)

    def _wrong_bye(self, holder: int | None, right: int | None) -> Difference:
        expected = () if right is None else (right,)
        if holder is None:
            return self.difference("bye", Rule.BYE, (), expected)
        seat = self.field.seat_of.get(holder)
        rule = Rule.FIRST_ROUND if self.field.round == 1 else Rule.BYE
        if seat is not None and self.field.entrants[seat].had_point:
            rule = Rule.BYE_BARRED
        return self.difference("bye", rule, (holder,), expected)

    def _limits(self) -> Iterator[Difference]:
        """Yield the pairs that 2.1, 2.3, 2.4 or the file forbid."""
        seat_of = self.field.seat_of
        codes = {
            "met": ("rematch", Rule.REMATCH),
            "forbidden": ("forbidden_pair", Rule.REMATCH),
            "both_barred": ("same_barred_colour", Rule.DIFFERENCE),
            "no_way": ("same_barred_colour", Rule.DIFFERENCE),
        }
        for pair in self.published.pairs:
            if pair[0] in seat_of and pair[1] in seat_of:
                obstacle = self.facts.obstacle(seat_of[pair[0]], seat_of[pair[1]])
                if obstacle is not None:
                    code, rule = codes[obstacle.code]
                    yield self.difference(code, rule, pair)

    def _pairs(self, pairing: RoundPairing) -> Iterator[Difference]:
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
            "pair", Rule.OFFER, first, (first[0], right.get(first[0], 0)), (len(wrong) - 1, 0)
        )

    def _both(self, one: int, other: int) -> Iterator[tuple[int, int]]:
        yield one, other
        yield other, one

    def _wrong_pair(self, made: Decision, chooser: int, chosen: int, others: int) -> Difference:
        rule = _RULE.get(made.kind, Rule.REPAIR if made.before() else Rule.ROWS)
        score = None if made.group < 0 else self.field.score[made.chooser]
        found = self.mate.get(chooser)
        if found is None:
            return self.difference("not_paired", rule, (chooser,), (chooser, chosen), (others, 0), score)
        return self.difference("pair", rule, (chooser, found), (chooser, chosen), (others, 0), score)

    def _colours(self, pairing: RoundPairing) -> Iterator[Difference]:
        rule = Rule.FIRST_ROUND if self.field.round == 1 else Rule.COLOURS
        for pair in pairing.pairs:
            turned = (
                self.mate.get(pair.white) == pair.black and (pair.black, pair.white) in self.published.pairs
            )
            if turned and pair.black not in self.published.colourless:
                yield self.difference("colours", rule, (pair.black, pair.white), (pair.white, pair.black))
