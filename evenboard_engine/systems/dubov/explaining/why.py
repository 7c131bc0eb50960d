"""Answer the questions of one player: why this opponent, colour, bye or upfloat, and why not another opponent.

Article numbers are those of C.04.4.1, edition 2025. The answers come from the trace of the round. An answer that the
trace does not have (why one of a hundred players did not float up) is computed when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from evenboard_engine.matching import Matching
from evenboard_engine.model import Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.dubov.pairing.field import DubovEntrant, DubovField, legal_graph, may_meet
from evenboard_engine.systems.explaining import SwissExplainer
from evenboard_engine.systems.fide_swiss import colour_reasons, with_virtual_points
from evenboard_engine.trace import BracketTrace, PairTrace, Reason, WhyAnswer

from .rows import may_not_meet, no_meeting
from .tracing import bye_bars, bye_key, situations, traced
from .verdicts import Situation
from .worth import (
    CODES,
    Quality,
    cheapest_upfloaters,
    enough,
    falls_behind,
    least_inside,
    least_misses,
    quality,
    surely_lost_by,
)

OF_SCORES = frozenset(
    ("bye_higher_score", "bye_fewer_games", "bye_higher_rank", "up_score", "up_order", "meet_score")
)
"""Reasons that compare scores."""


class DubovExplainer(SwissExplainer):
    """Answers questions about one round. tournament: the input of `pairing`. `pairing` may have a trace already.

    Cost of the constructor: as `traced`. Cost of a question: small, except about a large set of upfloaters.
    """

    def __init__(self, tournament: Tournament, pairing: RoundPairing) -> None:
        super().__init__(tournament)
        self.field = DubovField(tournament)
        self.pairing = traced(tournament, pairing, self.field)
        assert self.pairing.trace is not None
        self.trace = self.pairing.trace
        self.seat: dict[int, tuple[int, int]] = {}  # number of the bracket and of the row, by player
        for number, bracket in enumerate(self.pairing.brackets):
            for row, (first, second) in enumerate(zip(bracket.s1, bracket.t2, strict=True)):
                self.seat[first] = self.seat[second] = number, row

    def bracket_of(self, player: int) -> BracketTrace | None:
        return self.trace.brackets[self.seat[player][0]] if player in self.seat else None

    def pair_of(self, player: int) -> PairTrace | None:
        if player not in self.seat:
            return None
        number, row = self.seat[player]
        return self.trace.brackets[number].pairs[row]

    def is_here(self, player: int) -> bool:
        return player in self.seat or player == self.trace.bye.player

    # --- one player

    def answers(self, player: int, pair: PairTrace, opponent: int) -> Iterator[WhyAnswer]:
        bracket = self.bracket_of(player)
        assert bracket is not None, "a player with a pair"
        yield WhyAnswer("opponent", self._opponent(bracket, pair, player, opponent))
        for question, floated in (("upfloated", player), ("opponent_upfloated", opponent)):
            if floated in bracket.upfloaters:
                yield WhyAnswer(question, self._upfloated(bracket, floated))
        yield WhyAnswer("colour", colour_reasons(self.field, pair, player))

    def _opponent(
        self, bracket: BracketTrace, pair: PairTrace, player: int, opponent: int
    ) -> tuple[Reason, ...]:
        names = {"player": player, "opponent": opponent}
        if len(bracket.pairs) == 1:
            return (Reason("pair_alone", names),)
        passed = tuple(passed.reason for passed in pair.passed)
        for one, side in (
            (pair.first, [row.second for row in bracket.pairs]),
            (pair.second, [row.first for row in bracket.pairs]),
        ):
            if sum(self._no_meeting(one, other) is None for other in side) == 1:
                other = pair.second if one == pair.first else pair.first
                return (Reason("pair_only", {"player": one, "opponent": other}), *passed)
        return self._from_the_order(bracket, pair, names)

    def _from_the_order(
        self, bracket: BracketTrace, pair: PairTrace, names: Mapping[str, int]
    ) -> tuple[Reason, ...]:
        """Return why the player of G2 is in this row: the same place in the order of G2, or moved, and by whom."""
        row, place = self.seat[pair.first][1], bracket.order.index(pair.second)
        passed = tuple(one.reason for one in pair.passed)
        moved = {"place": place + 1, "row": row + 1}
        if place < row:
            passers = {
                before.first: one.reason
                for before in bracket.pairs[:row]
                for one in before.passed
                if one.player == pair.second
            }
            code = "pair_down_met" if _all_met(passers.values()) else "pair_down"
            reason = Reason(code, {"player": pair.second, "passers": tuple(passers), **moved})
            return (reason, *passers.values(), *passed)
        if place > row:
            code = "pair_up_met" if _all_met(passed) else "pair_up"
            others = tuple(one.player for one in pair.passed)
            who = {"player": pair.first, "opponent": pair.second, "others": others}
            return (Reason(code, {**who, **moved}), *passed)
        if passed:
            return (Reason("pair_next", {"player": pair.first, "opponent": pair.second}), *passed)
        return (Reason("pair_first", {**names, "row": row + 1}),)

    def _upfloated(self, bracket: BracketTrace, player: int) -> tuple[Reason, ...]:
        last = max(map(self._order, bracket.upfloaters))
        before = tuple(p.reason for p in bracket.passed if self._order(p.player) < last)
        chosen = Reason("up_chosen" if before else "up_chosen_first", {"player": player})
        if len(bracket.upfloaters) > 1:
            chosen = Reason("up_chosen_set", {"player": player, "players": bracket.upfloaters})
        return (chosen, bracket.count, *before)

    def _order(self, player: int) -> tuple[int, int]:
        place = self.field.past.place_of[player]
        return -self.field.score[place], place

    def _no_meeting(self, one: int, other: int) -> Reason | None:
        place_of = self.field.past.place_of
        return no_meeting(self.field, place_of[one], place_of[other])

    # --- why not

    def obstacle(self, player: int, other: int) -> Reason | None:
        place_of = self.field.past.place_of
        return no_meeting(self.field, *sorted((place_of[player], place_of[other])))

    def decision(self, player: int, other: int) -> Reason:
        place_of = self.field.past.place_of
        if self.seat[player][0] == self.seat[other][0]:
            return self._why_not_in_the_bracket(player, other)
        higher, lower = sorted((player, other), key=lambda key: self.seat[key][0])
        if higher in self.trace.brackets[self.seat[higher][0]].upfloaters:
            return Reason("floated_away", {"player": higher, "other": lower})
        number = self.seat[higher][0]
        reason = why_no_meeting(self._situation(number), place_of[higher], place_of[lower])
        return self._of_scores(reason, lower, *self.trace.brackets[number].upfloaters)

    def _why_not_in_the_bracket(self, player: int, other: int) -> Reason:
        bracket = self.trace.brackets[self.seat[player][0]]
        rows = {key: self.seat[key][1] for key in (player, other)}
        firsts = [key for key in (player, other) if bracket.pairs[rows[key]].first == key]
        if len(firsts) != 1:
            return why_on_one_side(self.field, bracket, player, other)
        first, second = firsts[0], other if firsts[0] == player else player
        pair = bracket.pairs[rows[first]]
        for passed in pair.passed:
            if passed.player == second:
                return passed.reason
        if rows[second] < rows[first]:
            by = bracket.pairs[rows[second]].first
            return Reason("taken", {"player": first, "other": second, "by": by})
        return Reason("order", {"player": first, "other": second, "opponent": pair.second})

    def why_not_upfloater(self, number: int, player: int) -> Reason:
        """Return why a player with a lower score did not float up to a bracket (0 is the highest).

        Raises IndexError for a bracket that does not exist.
        """
        reason = self._situation(number).verdict(self.field.past.place_of[player])
        assert reason is not None, "no limit was set"
        return self._of_scores(reason, player, *self.trace.brackets[number].upfloaters)

    def _of_scores(self, reason: Reason, *players: int) -> Reason:
        return with_virtual_points(self.field, reason, players) if reason.code in OF_SCORES else reason

    def _situation(self, number: int) -> Situation:
        for at, (_, situation) in enumerate(situations(self.tournament, self.pairing, self.field)):
            if at == number:
                return situation
        raise IndexError(number)

    def why_no_bye(self, player: int, holder: int) -> Reason:
        """Return what excluded the player, or what put the holder of the bye first (2.1)."""
        place_of, field = self.field.past.place_of, self.field
        place = place_of[player]
        if place in field.past.barred:
            return bye_bars(self.tournament)[player]
        mine, theirs = bye_key(field, place), bye_key(field, place_of[holder])
        if mine < theirs:
            return Reason("bye_rest", {"player": player})
        names = {"player": player, "other": holder}
        reason = Reason("bye_higher_rank", names)
        if mine[0] != theirs[0]:
            reason = Reason("bye_higher_score", names)
        elif mine[1] != theirs[1]:
            reason = Reason("bye_fewer_games", {**names, "games": -mine[1], "other_games": -theirs[1]})
        return self._of_scores(reason, player, holder)


def _all_met(reasons: Iterable[Reason]) -> bool:
    return all(reason.code == "met" for reason in reasons)


# Say why a resident does not meet a player from below (C.04.4.1, 2.2.1, 2.2.2, 3.2, 3.3, 4.2, edition 2025).
#
# The verdict on the lower player as an upfloater holds for every opponent. A bracket in which this player
# meets this resident may lose earlier: because no such bracket is legal, by C4, or by one of C6 to C10. So
# the best bracket in which the two meet is compared with the finished one. It consists of the two and the
# best bracket of all the others, because every criterion is a sum.
#
# If C4 surely holds, the other upfloaters of this best bracket are among the chosen ones. Proof: the pairs of
# the two brackets differ along alternating paths. The path from the lower player cannot end at a second new
# upfloater, because then fewer upfloaters would be enough. So it ends at a chosen upfloater, who leaves. The
# other paths cannot gain anything, because the finished bracket is the best one.

ORDER_OF_VERDICTS = ("up_not_needed", "up_illegal", "up_rest", *CODES)


def why_no_meeting(situation: Situation, resident: int, place: int) -> Reason:
    """Return the first article by which every round in which the two meet loses.

    resident, place: places of two players who may meet. The reason speaks about the lower player alone if this player
    loses by the same article as an upfloater for any resident; else it speaks about the two.
    """
    verdict = situation.verdict(place)
    assert verdict is not None, "no limit was set"
    code = _Meeting(situation, resident, place).code(verdict.code)
    if code == verdict.code:
        return verdict
    return situation.reason_to_meet(code, resident, place)


class _Meeting:
    def __init__(self, situation: Situation, resident: int, place: int) -> None:
        entrant = situation.field.entrant
        self.situation, self.last_round = situation, situation.last_round
        self.resident, self.player = entrant(resident), entrant(place)
        self.chosen = list(map(entrant, situation.chosen))
        self.others = [entrant(other) for other in situation.residents if other != resident]
        self.taken = quality(self.chosen, situation.missed, last_round=self.last_round)

    def code(self, verdict: str) -> str:
        """Return the first verdict on the two. verdict: the one on the lower player, which is not earlier."""
        if verdict in ORDER_OF_VERDICTS[:2]:
            return verdict
        if verdict in CODES and any(
            falls_behind(worth, self.taken) == CODES.index(verdict) for worth in self._exchanged()
        ):
            return verdict
        return self._weighed(verdict)

    def _exchanged(self) -> Iterator[Quality]:
        """Yield the quality of brackets with the two that the finished pairs allow.

        One chosen upfloater leaves, and the players whose opponents are gone meet each other.
        """
        situation, partner = self.situation, self.situation.finished.partner
        entrant = situation.field.entrant
        below, left = partner[self.player.rank], entrant(partner[self.resident.rank])
        free = situation.lower.surely_pairable(without=len(self.chosen)) or below < 0
        for at, other in enumerate(self.chosen):
            if not (free or may_meet(other, entrant(below))):
                continue
            misses = situation.missed + self._miss(self.player, self.resident)
            if other is left:
                misses -= self._miss(other, self.resident)
            else:
                alone = entrant(partner[other.rank])
                if not may_meet(left, alone):
                    continue
                misses += self._miss(left, alone) - self._miss(left, self.resident) - self._miss(other, alone)
            chosen = [*self.chosen[:at], self.player, *self.chosen[at + 1 :]]
            yield quality(chosen, misses, last_round=self.last_round)

    @staticmethod
    def _miss(one: DubovEntrant, other: DubovEntrant) -> int:
        return int(one.wants_white is other.wants_white)

    def _weighed(self, verdict: str) -> str:
        """Return the verdict by the best bracket of all the others; it counts everybody below if C4 is not sure."""
        if not self._legal():
            return "up_illegal"
        if verdict == "up_rest":
            return verdict
        count = len(self.chosen)
        if count == 1 or self.situation.lower.surely_pairable(without=count):
            found = self._best(self.chosen, None)
        else:
            pool = self._below()
            found = self._best(pool, legal_graph(pool))
        if found is None or len(found) >= count:
            return "up_rest"
        misses = self._miss(self.player, self.resident) + least_misses([*self.others, *found])
        worth = quality([self.player, *found], misses, last_round=self.last_round)
        return CODES[surely_lost_by(worth, self.taken, self.player)]

    def _best(self, pool: Sequence[DubovEntrant], below: Sequence[int] | None) -> list[DubovEntrant] | None:
        return cheapest_upfloaters(self.others, pool, below, last_round=self.last_round)

    def _below(self) -> list[DubovEntrant]:
        return [player for player in self.situation.lower.all() if player is not self.player]

    def _legal(self) -> bool:
        """Return whether the others can be paired legally with fewer upfloaters than were chosen. C4 does not count."""
        left_over = Matching(legal_graph(self.others)).maximise()
        return left_over < len(self.chosen) and (left_over == 0 or enough(self.others, self._below()))


# Say why two players of one subgroup do not meet (C.04.4.1, 2.2.3, 2.2.4, 3.3.3 and 4.3, edition 2025).
#
# They could only meet if other players were shifted, or more players. To find the reason, the others of the
# bracket are paired as well as possible without the two. There are three cases. The others have no legal
# pairing. Or more players miss the due colour (C7). Or the pairing is as good: then its set of shifters comes
# later in the order, because the chosen set is the first one that is best for C7. If nobody in the bracket
# has played, all are due the same colour and C7 cannot decide. Then the number of pairs inside a half counts,
# which must be least.

MOST_WEIGHED = 100
"""In brackets with more players than this, no cheapest matching is computed: only bounds and exchanges are tried."""


def why_on_one_side(field: DubovField, bracket: BracketTrace, one: int, other: int) -> Reason:
    """Return why two players (ids) of one side of a bracket do not meet, although they may.

    The code is "same_side" if nothing more exact is proved.
    """
    place_of = field.past.place_of
    in_g1 = {place_of[member.id]: True for member in bracket.g1}
    in_g1 |= {place_of[member.id]: False for member in bracket.g2}
    rows = [(place_of[pair.first], place_of[pair.second]) for pair in bracket.pairs]
    code = _code(field, rows, in_g1, place_of[one], place_of[other])
    if bracket.unplayed and code == "side_colours":
        code = "same_side"
    return Reason(code, {"player": one, "other": other})


def _code(
    field: DubovField, rows: Sequence[tuple[int, int]], in_g1: Mapping[int, bool], one: int, other: int
) -> str:
    inside = sum(in_g1[first] is in_g1[second] for first, second in rows)
    rest = [field.entrant(place) for row in rows for place in row if place not in (one, other)]
    if Matching(legal_graph(rest)).maximise():
        return "side_illegal"
    sides = [in_g1[player.rank] for player in rest]
    more = int(in_g1[one] is in_g1[other])
    if more + abs(2 * sum(sides) - len(sides)) // 2 > inside:
        return "side_colours"
    if len(rest) <= MOST_WEIGHED:
        return "side_shift" if more + least_inside(rest, sides) == inside else "side_colours"
    return "side_shift" if _exchanged(field, rows, in_g1, one, other) else "same_side"


def _exchanged(
    field: DubovField, rows: Sequence[tuple[int, int]], in_g1: Mapping[int, bool], one: int, other: int
) -> bool:
    """Return whether the two can meet without more pairs inside a side.

    Tries two exchanges: their opponents meet each other, or their opponents meet the players of one other pair.
    """

    def inside(pairs: Sequence[tuple[int, int]]) -> int:
        return sum(in_g1[first] is in_g1[second] for first, second in pairs)

    left, right = (next(row for row in rows if place in row) for place in (one, other))
    mine, theirs = sum(left) - one, sum(right) - other
    new = [(one, other), (mine, theirs)]
    if not may_not_meet(field, mine, theirs) and inside(new) == inside([left, right]):
        return True
    for row in rows:
        if row in (left, right):
            continue
        for first, second in (row, row[::-1]):
            new = [(one, other), (mine, first), (theirs, second)]
            if inside(new) == inside([left, right, row]) and not (
                may_not_meet(field, mine, first) or may_not_meet(field, theirs, second)
            ):
                return True
    return False
