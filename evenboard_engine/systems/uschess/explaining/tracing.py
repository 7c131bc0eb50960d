"""The explanation of a round: the bye, the score structure, the floats, the groups and the colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from evenboard_engine.model import Colour, Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.explaining import SwissExplainer
from evenboard_engine.systems.uschess.bye import ByeKey, bye_key, rematches_without
from evenboard_engine.systems.uschess.colours import WHITE, UsChessColourRule, colour_cost, last_difference
from evenboard_engine.systems.uschess.field import UsChessRound, halves, read_round
from evenboard_engine.systems.uschess.floaters import size_of_pair
from evenboard_engine.systems.uschess.pairing import UsChessWork, work_on
from evenboard_engine.trace import (
    BracketTrace,
    ByeTrace,
    Late,
    PairTrace,
    Passed,
    Reason,
    RoundTrace,
    WhyAnswer,
)

from .float_reasons import (
    causes_of,
    chain_steps,
    float_reasons,
    floats_of,
    gap_reasons,
    no_meeting,
    turns_of,
    why_not_pair,
    why_switched,
)

MOST_SWITCHES = 12
"""About how many switches the steps of a group name: no more turns are begun after these."""


class UsChessExplainer(SwissExplainer):
    """Explains one round. work: how it was made, if the caller knows."""

    def __init__(
        self,
        tournament: Tournament,
        pairing: RoundPairing,
        known: tuple[UsChessRound, UsChessWork] | None = None,
    ) -> None:
        super().__init__(tournament)
        if known is None:
            reading = read_round(tournament)
            known = reading, work_on(reading.field, reading.occasion)
        self._reading, self._work = known
        self._mate = {one: other for pair in self._work.pairs for one, other in (pair, pair[::-1])}
        self._natural = {
            place: other for chain in self._work.chains for place, other in chain.taken.natural.items()
        }
        self._boards = {min(one, other): (one, rule) for one, other, rule in self._work.boards}
        self._first_white = tournament.initial_colour or Colour.WHITE
        self.trace = RoundTrace(
            pairing.round,
            bye_trace(self._reading, self._work.bye),
            tuple(self._brackets()),
            steps=tuple(self._steps()),
            floats=floats_of(self._reading, self._work),
        )

    # --- the questions

    def is_here(self, player: int) -> bool:
        return player in self._reading.place_of

    def answers(self, player: int, pair: PairTrace, _opponent: int) -> Iterator[WhyAnswer]:
        place = self._reading.place_of[player]
        yield WhyAnswer("opponent", tuple(self._why_pair(place, self._mate[place])))
        yield WhyAnswer("colour", (pair.colours,))

    def obstacle(self, player: int, other: int) -> Reason | None:
        """Return why the holder of the bye must not meet another player; `decision` judges all other pairs."""
        one, two = sorted((self._reading.place_of[player], self._reading.place_of[other]))
        return no_meeting(self._reading, self._work.field, one, two) if self._work.bye in (one, two) else None

    def decision(self, player: int, other: int) -> Reason:
        one, two = sorted((self._reading.place_of[player], self._reading.place_of[other]))
        return why_not_pair(self._reading, self._work, one, two)

    def why_not_bye(self, player: int) -> Reason:
        if self._work.bye is None and self.is_here(player):
            return Reason("bye_even", {"player": player})
        return super().why_not_bye(player)

    def why_no_bye(self, player: int, holder: int) -> Reason:
        place_of = self._reading.place_of
        return why_not_bye(self._reading, place_of[player], place_of[holder])

    # --- the round

    def _id(self, place: int) -> int:
        return self._reading.ids[place]

    def _steps(self) -> Iterator[Reason]:
        structure = self._work.structure
        if structure is None:
            return
        between = structure.pairs_between
        if between:
            total = sum((high - low) * count for (high, low), count in between.items())
            yield Reason("structure", {"count": sum(between.values()), "points": total})
        else:
            yield Reason("structure_even", {})
        for name, count in zip(("far", "rematches", "teams", "clubs"), structure.spent, strict=True):
            if count:
                yield Reason(f"spent_{name}", {"count": count})
        for high, low in sorted(between, reverse=True):
            yield from gap_reasons(self._reading, self._work, high, low)
        for chain in self._work.chains:
            yield from chain_steps(chain, self._work.field.settings)

    # --- the groups

    def _brackets(self) -> Iterator[BracketTrace]:
        points = self._work.field.points
        pairs_of: dict[int, list[tuple[int, int]]] = {}
        for one, other in self._work.pairs:
            pairs_of.setdefault(points[one], []).append((one, other))
        for level in self._work.groups:
            if level in pairs_of:
                yield self._bracket(level, pairs_of[level])

    def _bracket(self, level: int, pairs: list[tuple[int, int]]) -> BracketTrace:
        points, ids = self._work.field.points, self._reading.ids
        here = sorted(place for pair in pairs for place in pair)
        floats = [pair for pair in pairs if points[pair[1]] != level]
        residents = tuple(ids[place] for place in here if points[place] == level)
        missed = tuple(self._without_due(pairs))
        raised = [place for place in self._work.groups[level] if points[self._mate[place]] > level]
        return BracketTrace(
            score=level,
            residents=residents,
            upfloaters=tuple(ids[other] for _, other in floats),
            count=Reason("group", {"count": len(residents), "points": level}),
            unplayed=not any(self._work.field.entrants[place].colours for place in here),
            missed=missed,
            pairs=tuple(self._row(*pair) for pair in pairs),
            steps=Late(lambda: tuple(self._steps_of(level, pairs, floats, raised, missed))),
        )

    def _missed(self, one: int, other: int) -> tuple[int, int, int]:
        state = self._work.field.state
        return colour_cost(state[one], state[other])

    def _steps_of(
        self,
        level: int,
        pairs: list[tuple[int, int]],
        floats: list[tuple[int, int]],
        raised: list[int],
        missed: Sequence[int],
    ) -> Iterator[Reason]:
        here = len(pairs) * 2 - len(floats)
        yield Reason("group", {"count": here, "points": level})
        if raised:
            yield Reason("raised_away", {"players": tuple(map(self._id, raised)), "count": len(raised)})
        for pair in floats:
            yield from float_reasons(self._reading, self._work, *pair)
        stay = [pair for pair in pairs if pair not in floats]
        group = sorted(place for pair in stay for place in pair)
        turns = list(turns_of(group, self._natural, self._mate))
        switched = sum(len(turn.made) for turn in turns)
        if stay:
            about = {"count": len(stay), "switched": switched}
            yield Reason("halves_switched" if switched else "halves", about)
        if switched:
            yield from self._mended(stay)
        if missed:
            yield Reason("missed", {"players": missed, "count": len(missed)})
        named = 0
        for turn in turns:
            if named < MOST_SWITCHES:
                yield from causes_of(self._reading, group, turn).values()
                yield from (self._switch(*pair) for pair in turn.made)
                named += len(turn.made)
        if named < switched:
            yield Reason("more_switches", {"count": switched - named})

    def _without_due(self, pairs: list[tuple[int, int]]) -> Iterator[int]:
        """Yield who does not get the colour that is due."""
        for pair in pairs:
            if any(self._missed(*pair)):
                white, _rule = self._boards[pair[0]]
                black = sum(pair) - white
                yield self._id(black if self._work.field.state[black].due == WHITE else white)

    def _switch(self, one: int, other: int) -> Reason:
        """Return that one meets other instead of the natural opponent."""
        size = size_of_pair(self._work.field, self._natural, one, other)
        people = {"player": self._id(one), "other": self._id(other)}
        natural, field = self._natural, self._work.field
        # one of the pairs of players whose difference is the size has an unrated player
        swapped = ((other, natural[one]), (one, natural[other]))
        capped = any(field.switch(*two) == size < field.diff(*two) for two in swapped)
        code = "switch_unrated" if capped else "switch" if size else "switch_free"
        return Reason(code, {**people, "opponent": self._id(natural[one]), "size": size})

    def _mended(self, stay: list[tuple[int, int]]) -> Iterator[Reason]:
        """Yield how many players get their colour by the switches of a group."""
        group = sorted(place for pair in stay for place in pair)
        natural = halves(group)
        before = sum(any(self._missed(one, natural[one])) for one in group[: len(group) // 2])
        after = sum(any(self._missed(*pair)) for pair in stay)
        if before > after:
            yield Reason("mended", {"found": before, "best": after, "count": before - after})

    def _row(self, one: int, other: int) -> PairTrace:
        white, rule = self._boards[one]
        details = self._colour_details(one, other, white, rule)
        return PairTrace(self._id(one), self._id(other), self._id(white), rule, details, ())

    def _why_pair(self, place: int, mate: int) -> Iterator[Reason]:
        """Yield why a player meets the opponent."""
        one, other = sorted((place, mate))
        field = self._work.field
        if field.points[one] != field.points[other]:
            first, *others = float_reasons(self._reading, self._work, one, other)
            yield first
            yield from gap_reasons(self._reading, self._work, field.points[one], field.points[other])
            yield from others
            return
        group = [here for here in self._work.groups[field.points[one]] if here in self._natural]
        if self._natural[one] == other:
            people = {"player": self._id(one), "other": self._id(other)}
            yield Reason("pair_natural", {**people, "row": group.index(one) + 1})
            return
        yield self._switch(place, mate)
        turns = turns_of(group, self._natural, self._mate)
        mine = next(turn for turn in turns if (one, other) in turn.made)
        yield from why_switched(self._reading, group, mine, (one, other))

    # --- colours

    def _colour_details(self, one: int, other: int, white: int, rule: UsChessColourRule) -> dict[str, Any]:
        """Return the parameters of a colour reason: the higher ranked player, and who gets the due colour."""
        field = self._work.field
        if rule is UsChessColourRule.INITIAL:
            return {"higher": self._id(one), "colour": Colour.WHITE if white == one else Colour.BLACK}
        if rule is UsChessColourRule.BOTH:
            return {}
        due = field.state[one].due or field.state[other].due
        granted = white if due == "w" else one + other - white
        details: dict[str, Any] = {
            "granted": self._id(granted),
            "colour": Colour.WHITE if due == "w" else Colour.BLACK,
        }
        if rule is UsChessColourRule.RECENT:
            back = last_difference(field.entrants[one].colours, field.entrants[other].colours)
            assert back is not None
            details["back"] = back + 1
        return details


# Why a player has the bye, and others do not (docs/uschess.md, 2.1).

MOST_PASSED = 12
"""How many of those who are nearer to the bye by rank the trace names, the lowest first."""
HAD = ("bye_had_none", "bye_had_forfeit", "bye_had_full")
UNRATED = 2
"""The kind of a `ByeKey` from which on a player is unrated."""


def bye_trace(reading: UsChessRound, bye: int | None) -> ByeTrace:
    """Return who has the bye and why, and why not those who are nearer to it by rank. bye: a place."""
    if bye is None:
        return ByeTrace(None)
    field = reading.field
    nearer = list(range(len(reading.ids) - 1, bye, -1))
    if field.unrated[bye]:  # rated players come first, although they are ranked higher
        nearer += [place for place in _peers(reading, bye) if place < bye and not field.unrated[place]][::-1]
    passed = tuple(
        Passed(reading.ids[place], why_not_bye(reading, place, bye)) for place in nearer[:MOST_PASSED]
    )
    return ByeTrace(reading.ids[bye], passed, tuple(_why_bye(reading, bye)))


def _why_bye(reading: UsChessRound, bye: int) -> Iterator[Reason]:
    """Yield what each place of the key of 2.1 says about the player with the bye."""
    field, occasion = reading.field, reading.occasion
    player = {"player": reading.ids[bye]}
    repeated = rematches_without(field, bye)
    if repeated:
        yield Reason("bye_repeats", {**player, "count": repeated})
    levels = sorted(set(field.points))
    key = bye_key(field, occasion, bye, levels)
    yield Reason(HAD[key.unplayed], player)
    if field.settings.bye_28l5 and occasion.rounds == 4 and any(field.unrated):
        yield Reason("bye_order_28l5", player)
        return
    score = {**player, "points": field.points[bye]}
    if field.points[bye] == levels[0]:
        yield Reason("bye_lowest_group", score)
    else:
        yield Reason("bye_lower_groups", score)
    yield from _within_group(reading, bye, key, levels)


def _within_group(reading: UsChessRound, bye: int, key: ByeKey, levels: list[int]) -> Iterator[Reason]:
    """Yield what puts the player first in the score group."""
    field, occasion = reading.field, reading.occasion
    player = {"player": reading.ids[bye]}
    score = {**player, "points": field.points[bye]}
    group = _peers(reading, bye)
    if not group:
        yield Reason("bye_alone", score)
        return
    keys = [bye_key(field, occasion, place, levels) for place in group]
    if key.half_bye:
        yield Reason("bye_all_half", score)
    elif any(other.unplayed == key.unplayed and other.half_bye for other in keys):
        yield Reason("bye_no_half", player)
    kinds = {other.kind for other in keys if (other.unplayed, other.half_bye) == (key.unplayed, key.half_bye)}
    rated_left = [place for place in group if not field.unrated[place]]
    if key.kind >= UNRATED:
        yield Reason("bye_rated_cannot" if rated_left else "bye_all_unrated", score)
        if any(kind > key.kind for kind in kinds):
            yield Reason("bye_not_new", player)
    else:
        if any(kind >= UNRATED for kind in kinds):
            yield Reason("bye_is_rated", player)
        if key.kind:
            yield Reason("bye_all_late", player)
        elif 1 in kinds:
            yield Reason("bye_not_late", player)
    if key.kind in kinds:
        rating = field.entrants[bye].rating
        rated = {**player, "rating": rating}
        yield Reason("bye_rated_lowest", rated) if rating else Reason("bye_ranked_lowest", player)


def _peers(reading: UsChessRound, bye: int) -> list[int]:
    """Return the others of the score group, in order of rank."""
    points = reading.field.points
    return [place for place in range(len(points)) if place != bye and points[place] == points[bye]]


def why_not_bye(reading: UsChessRound, place: int, bye: int) -> Reason:
    """Return the first place of the key of 2.1 that keeps the bye from a player."""
    player = reading.ids[place]
    people = {"player": player, "other": reading.ids[bye]}
    with_mine, best = rematches_without(reading.field, place), rematches_without(reading.field, bye)
    if with_mine is None:
        return Reason("bye_blocks", {"player": player})
    assert best is not None
    if with_mine > best:
        return Reason("bye_rematches", {**people, "found": with_mine, "best": best})
    levels = sorted(set(reading.field.points))
    mine, right = (bye_key(reading.field, reading.occasion, one, levels) for one in (place, bye))
    return _first_difference(reading, people, mine, right, (place, bye))


def _first_difference(
    reading: UsChessRound, people: dict[str, int], mine: ByeKey, right: ByeKey, places: tuple[int, int]
) -> Reason:
    if mine.unplayed != right.unplayed:
        return Reason("bye_full" if mine.unplayed == 2 else "bye_forfeit", people)
    if mine.group != right.group:
        points, more = (reading.field.points[place] for place in places)
        if points <= more:
            return Reason("bye_28l5", people)
        return Reason("bye_group", {**people, "points": points, "more": more})
    if mine.half_bye != right.half_bye:
        return Reason("bye_half", people)
    if mine.kind != right.kind:
        return Reason({1: "bye_late", 2: "bye_unrated", 3: "bye_new"}[mine.kind], people)
    return Reason("bye_rank", people)
