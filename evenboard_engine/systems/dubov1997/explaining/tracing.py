"""The trace of a round, from what was noted while it was paired."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.matching import bits
from evenboard_engine.model import RESULTS, Colour
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.colours import COLOUR_OF
from evenboard_engine.systems.dubov1997.pairing import (
    Dubov1997ColourRule,
    Dubov1997Round,
    ScoreGroupSteps,
    bye_key,
)
from evenboard_engine.systems.dubov1997.pairing.field import NO_COLOUR
from evenboard_engine.systems.dubov1997.pairing.offer import Offered, in_order
from evenboard_engine.trace import (
    BracketTrace,
    ByeTrace,
    Float,
    Member,
    PairTrace,
    Passed,
    Reason,
    RoundTrace,
)

from .decisions import DecisionKind, PairDecision, passed
from .obstacles import PlayerObstacles, aro_number
from .steps import GroupSteps


def trace_of(
    facts: PlayerObstacles,
    sheet: Dubov1997Round,
    made: Sequence[PairDecision],
    pairing: RoundPairing,
    offered: Offered | None,
) -> RoundTrace:
    """Return the trace. made: the decisions. Groups in whose turn no pair was made become steps of the round."""
    of_group: dict[int, list[PairDecision]] = {}
    for decision in made:
        of_group.setdefault(decision.group, []).append(decision)
    rules = {pair.white: pair.colours for pair in pairing.pairs}
    white = set(rules)
    brackets = []
    steps = GroupSteps(facts, sheet)
    without_pairs: list[Reason] = []
    for number, group in enumerate(sheet.groups):
        reasons = (*steps.of_group(group), *_undone(facts, group, offered))
        if here := of_group.get(number, []):
            residents = list(bits(group.residents))
            brackets.append(_bracket(facts, here, rules, white, group.score, residents, reasons))
        else:
            without_pairs += reasons
    if others := of_group.get(-1, []):
        seats = sorted(seat for decision in others for seat in (decision.chooser, decision.chosen))
        top = sheet.field.score[seats[0]]
        residents = [seat for seat in seats if sheet.field.score[seat] == top]
        if offered is None:
            changed = any(decision.before() for decision in others)
            reasons = (Reason("halves_repaired" if changed else "halves", {}),)
        else:
            free = _ids(facts, in_order(facts.field, seats))
            reasons = (Reason("offered_order", {"players": free}),)
        brackets.append(_bracket(facts, others, rules, white, top, residents, reasons))
    return RoundTrace(
        pairing.round,
        trace_bye(facts, sheet, offered),
        tuple(brackets),
        steps=tuple(without_pairs),
        floats=tuple(_floats(facts, made)),
    )


def _undone(facts: PlayerObstacles, group: ScoreGroupSteps, offered: Offered | None) -> Iterator[Reason]:
    """Yield which pairs of a group were undone for the offer."""
    undone = set() if offered is None else set(offered.undone)
    if here := tuple(_ids(facts, pair) for pair in group.pairs() if pair in undone):
        yield Reason("undone_here", {"pairs": here, "count": len(here)})


def _ids(facts: PlayerObstacles, seats: Iterable[int]) -> tuple[int, ...]:
    return tuple(map(facts.id, seats))


def _bracket(
    facts: PlayerObstacles,
    made: Sequence[PairDecision],
    rules: Mapping[int, str],
    white: set[int],
    score: int,
    residents: Sequence[int],
    steps: tuple[Reason, ...],
) -> BracketTrace:
    """Return a group with the pairs that were made in its turn. residents: its own free players, paired here or not."""
    pairs = tuple(_pair(facts, decision, rules, white) for decision in made)
    paired = [seat for decision in made for seat in (decision.chooser, decision.chosen)]
    return BracketTrace(
        score=score,
        residents=_ids(facts, residents),
        upfloaters=_ids(facts, (seat for seat in paired if facts.field.score[seat] < score)),
        count=steps[0],
        unplayed=facts.field.round == 1,
        g1=tuple(_member(facts, decision.chooser, Colour.WHITE) for decision in made),
        g2=tuple(_member(facts, decision.chosen, Colour.BLACK) for decision in made),
        order=_ids(facts, _order(made)),
        missed=_ids(facts, (seat for seat in paired if _missed(facts, seat, white))),
        pairs=pairs,
        steps=steps,
    )


def _order(made: Sequence[PairDecision]) -> list[int]:
    """Return the opponents before any row was changed: those outside the rows, then the Black column."""
    rows = [decision.chosen for decision in made if decision.kind in (DecisionKind.ROW, DecisionKind.HALF)]
    column = next(
        (decision.work.right for decision in made if decision.kind is DecisionKind.ROW and decision.work),
        None,
    )
    in_column = sorted(rows) if column is None else [seat for seat in column if seat in set(rows)]
    return [
        decision.chosen for decision in made if decision.kind not in (DecisionKind.ROW, DecisionKind.HALF)
    ] + in_column


def _missed(facts: PlayerObstacles, seat: int, white: set[int]) -> bool:
    due = facts.field.due[seat]
    return due != NO_COLOUR and (due == BLACK_SIDE) is (facts.id(seat) in white)


def _member(facts: PlayerObstacles, seat: int, side: Colour) -> Member:
    """Return a player. side: of the column, for one with no due colour."""
    aro = aro_number(facts.field.entrants[seat].aro)
    return Member(facts.id(seat), aro, COLOUR_OF.get(facts.field.due[seat], side), "")


def _pair(facts: PlayerObstacles, made: PairDecision, rules: Mapping[int, str], white: set[int]) -> PairTrace:
    one, other = made.chooser, made.chosen
    is_white = facts.id(one) in white
    seats = (one, other) if is_white else (other, one)
    code, details = colour_reason(facts, *seats, rules[facts.id(seats[0])])
    return PairTrace(facts.id(one), facts.id(other), facts.id(seats[0]), code, details, passed(facts, made))


def _floats(facts: PlayerObstacles, made: Iterable[PairDecision]) -> Iterable[Float]:
    score = facts.field.score
    for decision in made:
        high, low = sorted((decision.chooser, decision.chosen), key=lambda seat: -score[seat])
        if score[high] != score[low]:
            yield Float(facts.id(high), facts.id(low), score[high], score[low], natural=True)


# --- the bye


def trace_bye(facts: PlayerObstacles, sheet: Dubov1997Round, offered: Offered | None) -> ByeTrace:
    """Return who has the bye, and who would come earlier but may not have it, or would leave no pairing in an offer."""
    bye = sheet.bye if offered is None else offered.bye
    if bye is None:
        return ByeTrace(None)
    elsewhere = offered is not None and offered.new_bye
    if facts.field.round == 1 and not elsewhere:
        return ByeTrace(facts.id(bye))
    passed_over = []
    for seat in _bye_list(facts, bye):
        key = facts.id(seat)
        if facts.field.entrants[seat].had_point:
            passed_over.append(Passed(key, facts.point_without_playing(seat)))
        elif elsewhere:
            passed_over.append(Passed(key, Reason("bye_rest", {"player": key})))
    return ByeTrace(facts.id(bye), tuple(passed_over))


def _bye_list(facts: PlayerObstacles, bye: int) -> list[int]:
    """Return who comes before the holder of the bye in its order, whether they may have it or not."""
    field = facts.field
    before: list[int] = []
    for group in reversed(field.groups):
        dominating = field.dominating(group)
        order = sorted(bits(group), key=lambda seat: bye_key(field, seat, dominating))
        if bye in order:
            return before + order[: order.index(bye)]
        before += order
    raise AssertionError("the holder of the bye is in no group")


def why_not_bye(facts: PlayerObstacles, bye: int, seat: int, *, offered: bool) -> Reason:
    """Return why a player does not have the bye, which another player has. offered: by the offer (S12.2)."""
    field = facts.field
    names = {"player": facts.id(seat), "other": facts.id(bye)}
    if field.round == 1 and not offered:
        return Reason("bye_not_last", names)
    if field.entrants[seat].had_point:
        return facts.point_without_playing(seat)
    if offered and seat in _bye_list(facts, bye):
        return Reason("bye_rest", {"player": facts.id(seat)})
    if field.score[seat] != field.score[bye]:
        return Reason("bye_higher_score", names)
    if field.rating[seat] != field.rating[bye]:
        found = {"rating": field.rating[seat], "other_rating": field.rating[bye]}
        return Reason("bye_higher_rating", {**names, **found})
    dominating = field.dominating(field.groups[field.group_of[bye]])
    if dominating != NO_COLOUR and (field.due[seat] == dominating) != (field.due[bye] == dominating):
        return Reason("bye_other_colour", {**names, "colour": COLOUR_OF[dominating]})
    if field.aro[seat] != field.aro[bye]:
        return Reason("bye_lower_aro", {**names, **facts.aros(seat, bye)})
    return Reason("bye_smaller_number", names)


# Why a pair has its colours (S3, S5).


def colour_reason(facts: PlayerObstacles, white: int, black: int, rule: str) -> tuple[str, Mapping[str, Any]]:
    """Return the code of the reason, and its parameters besides `white` and `black`. Players are seats."""
    field = facts.field
    match Dubov1997ColourRule(rule):
        case Dubov1997ColourRule.LIMIT:
            return _limit(facts, white, black)
        case Dubov1997ColourRule.DUE:
            if NO_COLOUR in (field.due[white], field.due[black]):
                player = black if field.due[white] == NO_COLOUR else white
                return "colour_due_one", {"player": facts.id(player), "colour": COLOUR_OF[field.due[player]]}
            return "colour_due", {}
        case Dubov1997ColourRule.EQUALISE:
            differences = [field.colours[seat].difference for seat in (white, black)]
            return "colour_equalise", {"difference": differences[0], "other_difference": differences[1]}
        case Dubov1997ColourRule.ALTERNATE:
            rounds = _first_difference(facts, white, black)
            return "colour_alternate", {"white_round": rounds[0], "black_round": rounds[1]}
        case Dubov1997ColourRule.HIGHER_ARO:
            return "colour_aro", facts.aros(white, black)
        case Dubov1997ColourRule.LOWER_RATING:
            return "colour_rating", {"rating": field.rating[white], "other_rating": field.rating[black]}
        case Dubov1997ColourRule.NUMBER:
            return "colour_number", {}
        case Dubov1997ColourRule.FIRST_ROUND:
            return "colour_first_round", {}


def _limit(facts: PlayerObstacles, white: int, black: int) -> tuple[str, Mapping[str, Any]]:
    """Return which of the two could not have the other colour, and why."""
    field = facts.field
    player, side = (white, BLACK_SIDE) if field.barred[white] & BLACK_SIDE else (black, WHITE_SIDE)
    shape = field.colours[player]
    params = {"player": facts.id(player), "colour": COLOUR_OF[side]}
    if shape.sides[-2:] == bytes((side, side)):
        return "colour_limit_row", params
    return "colour_limit_difference", params


def _first_difference(facts: PlayerObstacles, white: int, black: int) -> tuple[int, int]:
    """Return the rounds of the games, counted from the last ones, in which the two first had different colours."""
    mine, theirs = _games(facts, white), _games(facts, black)
    for (my_round, my_colour), (their_round, their_colour) in zip(
        reversed(mine), reversed(theirs), strict=False
    ):
        if my_colour is not their_colour:
            return my_round, their_round
    raise AssertionError("the colours are the same")


def _games(facts: PlayerObstacles, seat: int) -> list[tuple[int, Colour]]:
    key = facts.id(seat)
    return sorted(
        (game.round, Colour.WHITE if game.white == key else Colour.BLACK)
        for game in facts.tournament.games
        if key in (game.white, game.black) and RESULTS[game.result].played
    )
