"""The explanation of a round: the bye, the score structure, the floats, the groups and the colours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evenboard_engine.model import Colour, Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.uschess.colours import WHITE, ColourRule, colour_cost, last_difference
from evenboard_engine.systems.uschess.entrants import halves
from evenboard_engine.systems.uschess.floaters import size_of_pair
from evenboard_engine.systems.uschess.pairing import Work, work_on
from evenboard_engine.systems.uschess.reading import Reading, read
from evenboard_engine.trace import (
    Answer,
    BracketTrace,
    Late,
    PairTrace,
    PlayerExplanation,
    Reason,
    RoundTrace,
)

from .bye_reasons import bye_trace, why_not_bye
from .float_reasons import chain_steps, float_reasons, floats_of, gap_reasons, no_meeting, why_not_pair
from .switches import causes_of, turns_of, why_switched

MOST_SWITCHES = 12
"""About how many switches the steps of a group name: no more turns are begun after these."""


class Explainer:
    """Explains one round. work: how it was made, if the caller knows."""

    def __init__(
        self,
        tournament: Tournament,
        pairing: RoundPairing,
        known: tuple[Reading, Work] | None = None,
    ) -> None:
        if known is None:
            reading = read(tournament)
            known = reading, work_on(reading.field, reading.occasion)
        self._reading, self._work = known
        self._mate = {one: other for pair in self._work.pairs for one, other in (pair, pair[::-1])}
        self._natural = {
            place: other for chain in self._work.chains for place, other in chain.taken.natural.items()
        }
        self._boards = {min(one, other): (one, rule) for one, other, rule in self._work.boards}
        self._first_white = tournament.initial_colour or Colour.WHITE
        brackets = tuple(self._brackets())
        self._bracket_of = {
            key: bracket
            for bracket in brackets
            for pair in bracket.pairs
            for key in (pair.first, pair.second)
        }
        self.trace = RoundTrace(
            pairing.round,
            bye_trace(self._reading, self._work.bye),
            brackets,
            steps=tuple(self._steps()),
            floats=floats_of(self._reading, self._work),
        )

    # --- the questions

    def pair_of(self, player: int) -> PairTrace | None:
        bracket = self._bracket_of.get(player)
        if bracket is None:
            return None
        return next(row for row in bracket.pairs if player in (row.first, row.second))

    def bracket_of(self, player: int) -> BracketTrace | None:
        return self._bracket_of.get(player)

    def player(self, player: int) -> PlayerExplanation:
        place = self._reading.place_of.get(player)
        if place is None:
            return PlayerExplanation(
                player, None, (Answer("not_paired", (Reason("not_here", {"player": player}),)),)
            )
        if place == self._work.bye:
            bye = self.trace.bye
            passed = tuple(passed.reason for passed in bye.passed)
            given = Reason("bye_given", {"player": player})
            return PlayerExplanation(player, None, (Answer("bye", (given, *bye.reasons, *passed)),))
        row = self.pair_of(player)
        assert row is not None
        other = row.second if player == row.first else row.first
        return PlayerExplanation(player, other, tuple(self._answers(place, row)))

    def _answers(self, place: int, row: PairTrace) -> Iterator[Answer]:
        yield Answer("opponent", tuple(self._why_pair(place, self._mate[place])))
        yield Answer("colour", (row.colours,))

    def why_not(self, player: int, other: int) -> Reason:
        places = [self._reading.place_of.get(key) for key in (player, other)]
        for key, place in zip((player, other), places, strict=True):
            if place is None:
                return Reason("not_here", {"player": key})
        one, two = sorted(place for place in places if place is not None)
        if self._work.bye in (one, two):
            never = no_meeting(self._reading, self._work.field, one, two)
            return never or Reason("has_bye", {"player": self._id(self._work.bye)})
        if self._mate[one] == two:
            return Reason("paired", {"player": player, "other": other})
        return why_not_pair(self._reading, self._work, one, two)

    def why_not_bye(self, player: int) -> Reason:
        place = self._reading.place_of.get(player)
        if place is None:
            return Reason("not_here", {"player": player})
        if place == self._work.bye:
            return Reason("bye_given", {"player": player})
        return why_not_bye(self._reading, place, self._work.bye)

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
        missed = sum(bool(any(self._missed(*pair))) for pair in pairs)
        raised = [place for place in self._work.groups[level] if points[self._mate[place]] > level]
        return BracketTrace(
            score=level,
            residents=residents,
            upfloaters=tuple(ids[other] for _, other in floats),
            count=Reason("group", {"count": len(residents), "points": level}),
            passed=(),
            unlisted=0,
            unplayed=not any(self._work.field.entrants[place].colours for place in here),
            g1=(),
            g2=(),
            first_numbers=(),
            shifted_first=(),
            second_numbers=(),
            shifted_second=(),
            order=(),
            missed=missed,
            pairs=tuple(self._row(*pair) for pair in pairs),
            virtual={},
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
        missed: int,
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
            yield Reason("missed", {"players": tuple(self._without_due(pairs)), "count": missed})
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

    def _colour_details(self, one: int, other: int, white: int, rule: ColourRule) -> dict[str, Any]:
        """Return the parameters of a colour reason: the higher ranked player, and who gets the due colour."""
        field = self._work.field
        if rule is ColourRule.INITIAL:
            return {"higher": self._id(one), "colour": Colour.WHITE if white == one else Colour.BLACK}
        if rule is ColourRule.BOTH:
            return {}
        due = field.state[one].due or field.state[other].due
        granted = white if due == "w" else one + other - white
        details: dict[str, Any] = {
            "granted": self._id(granted),
            "colour": Colour.WHITE if due == "w" else Colour.BLACK,
        }
        if rule is ColourRule.RECENT:
            back = last_difference(field.entrants[one].colours, field.entrants[other].colours)
            assert back is not None
            details["back"] = back + 1
        return details
