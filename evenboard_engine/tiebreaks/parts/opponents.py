"""The parts of tie-breaks from the scores of opponents (C.07, 8, 9 and 16), and of those of US Chess."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from evenboard_engine.tiebreaks import us_chess
from evenboard_engine.tiebreaks.buchholz import koya_limit
from evenboard_engine.tiebreaks.cards import OPEN, PLAYED, Card, Table, Turn, last_round_drawn
from evenboard_engine.tiebreaks.codes import TieBreak

from .cuts import by_choice, with_cut_products, with_cuts
from .model import Limit, Median, Part, Role, Why
from .rounds import left_out, part_of, parts_of_games, tenths

Parts = tuple[Part, ...]


class OpponentParts:
    """Take tie-breaks from the scores of opponents apart. capped: as for `Opponents`."""

    def __init__(self, known: Table, *, capped: bool) -> None:
        self._known = known
        self._drawn = last_round_drawn(known)
        self._capped = capped
        self._limits: dict[int, tuple[int, int]] = {}

    def buchholz(self, card: Card, rule: TieBreak) -> Parts:
        """Return the parts of Buchholz and Fore Buchholz."""
        known = self._counted(rule)
        card = known.cards[card.player]
        parts = tuple(self._round(card, number, rule) for number in range(1, len(card.turns) + 1))
        return with_cuts(parts, rule.cut or rule.median, rule.median, by_choice(card, parts))

    def sonneborn_berger(self, card: Card, rule: TieBreak) -> Parts:
        """Return the parts of Sonneborn-Berger: each is worth times points."""
        parts = tuple(
            replace(part, counts=(part.worth or 0) * part.points)
            for part in (self._round(card, number, rule) for number in range(1, len(card.turns) + 1))
        )
        return with_cut_products(parts, rule.cut, by_choice(card, parts))

    def average_buchholz(self, card: Card, of_all: Mapping[int, int | Fraction]) -> Parts:
        """Return the parts of AOB. of_all: the Buchholz of each player in tenths."""
        return parts_of_games(card, lambda opponent, _number: tenths(of_all[opponent]))

    def koya(self, card: Card, rule: TieBreak) -> tuple[Parts, Limit]:
        """Return the parts of Koya and the limit."""
        if rule.limit not in self._limits:
            self._limits[rule.limit] = koya_limit(self._known, rule)
        least, most = self._limits[rule.limit]
        cards = self._known.cards
        parts = []
        for number, turn in enumerate(card.turns, start=1):
            if turn.opponent is None or turn.kind is OPEN:
                parts.append(left_out(number, turn, Why.FREE if self._known.fixed else Why.NOT_PLAYED))
                continue
            worth = tenths(cards[turn.opponent].score)
            if 20 * worth < least:
                parts.append(left_out(number, turn, Why.TOO_FEW_POINTS, worth))
            else:
                parts.append(part_of(number, turn, Role.OPPONENT, tenths(turn.points), worth))
        return tuple(parts), Limit(tenths(least) / 2, tenths(most))

    def us_chess(self, card: Card, rule: TieBreak) -> tuple[Parts, Median | None]:
        """Return the parts of Solkoff or the modified median, and what decides its cuts."""
        parts = []
        for number, turn in enumerate(card.turns, start=1):
            if turn.kind is PLAYED and turn.opponent is not None:
                other = self._known.cards[turn.opponent]
                counted = us_chess.points_for_opponents(other, self._known.draw)
                parts.append(_of_opponent(number, turn, other, counted))
            elif turn.kind is OPEN:
                parts.append(left_out(number, turn, Why.OPEN))
            else:
                parts.append(part_of(number, turn, Role.DUMMY, 0, 0, Why.NOTHING))
        if rule.name != "OTHER_MODMED":
            return tuple(parts), None
        low, high, most = us_chess.left_out(card, self._known)
        return with_cuts(tuple(parts), low, high), Median(low, high, tenths(card.score), tenths(most) / 2)

    def _counted(self, rule: TieBreak) -> Table:
        return self._drawn if rule.fore else self._known

    def _round(self, card: Card, number: int, rule: TieBreak) -> Part:
        """Return a round of Buchholz or Sonneborn-Berger."""
        known, turn = self._counted(rule), card.turns[number - 1]
        if turn.opponent is None:
            if known.fixed:
                return left_out(number, turn, Why.FREE)
            return self._dummy(card, number, known.draw * card.rounds, Why.DRAWS)
        if turn.kind is OPEN:
            return left_out(number, turn, Why.OPEN)
        counts = known.cards[turn.opponent]
        if turn.kind is PLAYED or rule.forfeits or known.fixed:
            before = self._known.cards[turn.opponent]
            points = [known.draw if one.away else one.points for one in counts.turns]
            return _of_opponent(number, turn, before, points)
        return self._dummy(card, number, counts.adjusted, Why.OPPONENT)

    def _dummy(self, card: Card, number: int, most: int, limit: Why) -> Part:
        """Return a round with a dummy opponent, who has at most this many tenths of a point."""
        limited = self._capped and most < card.score
        worth = tenths(most if limited else card.score)
        return part_of(
            number, card.turns[number - 1], Role.DUMMY, worth, worth, limit if limited else Why.OWN_SCORE
        )


def _of_opponent(number: int, turn: Turn, opponent: Card, points: list[int]) -> Part:
    """Return a game. points: that count for each round of the opponent, who scored `opponent.score`."""
    worth = tenths(sum(points) + opponent.apart)
    part = part_of(number, turn, Role.OPPONENT, worth, worth)
    changed = tuple(
        at
        for at, (own, counts) in enumerate(zip(opponent.turns, points, strict=True), start=1)
        if own.points != counts
    )
    return replace(part, scored=tenths(opponent.score), drawn=changed) if changed else part
