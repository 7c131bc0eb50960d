"""The explanation of a round: the bye, the score structure, the floats, the groups and the colours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pairing.engine.model import Colour, Tournament
from pairing.engine.result import RoundPairing
from pairing.engine.systems.uschess.colours import ColourRule, colour_cost, last_difference
from pairing.engine.systems.uschess.entrants import halves
from pairing.engine.systems.uschess.floaters import size_of_pair
from pairing.engine.systems.uschess.pairing import Work, work_on
from pairing.engine.systems.uschess.reading import Reading, read
from pairing.engine.trace import (
    Answer,
    BracketTrace,
    Late,
    PairTrace,
    Passed,
    PlayerExplanation,
    Reason,
    RoundTrace,
)

from .bye_reasons import bye_trace, why_not_bye
from .float_reasons import chain_steps, float_reasons, floats_of, rounds_of, why_not_pair

MOST_SWITCHES = 12
"""How many switches the steps of a group name."""


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
            passed = tuple(passed.reason for passed in self.trace.bye.passed)
            given = Reason("bye_given", {"player": player})
            return PlayerExplanation(player, None, (Answer("bye", (given, *passed)),))
        row = self.pair_of(player)
        assert row is not None
        other = row.second if player == row.first else row.first
        return PlayerExplanation(player, other, tuple(self._answers(place, row)))

    def _answers(self, place: int, row: PairTrace) -> Iterator[Answer]:
        one, other = sorted((place, self._mate[place]))
        yield Answer("opponent", tuple(self._why_pair(one, other)))
        if self._work.field.points[one] != self._work.field.points[other]:
            question = "upfloated" if place == other else "opponent_upfloated"
            points = {"points": self._work.field.points[other], "more": self._work.field.points[one]}
            raised = Reason("raised", {"player": self._id(other), "other": self._id(one), **points})
            yield Answer(question, (raised, *chain_steps(self._chain_of(one))))
        yield Answer("colour", (row.colours,))

    def why_not(self, player: int, other: int) -> Reason:
        places = [self._reading.place_of.get(key) for key in (player, other)]
        for key, place in zip((player, other), places, strict=True):
            if place is None:
                return Reason("not_here", {"player": key})
            if place == self._work.bye:
                return Reason("has_bye", {"player": key})
        one, two = sorted(place for place in places if place is not None)
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

    def _chain_of(self, place: int) -> Any:
        return next(chain for chain in self._work.chains if self._work.field.points[place] in chain.levels)

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
        for (high, low), count in sorted(between.items(), reverse=True):
            yield Reason("gap", {"count": count, "points": high, "more": low})
        for chain in self._work.chains:
            yield from chain_steps(chain)

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
        switched = [pair for pair in stay if self._natural[pair[0]] != pair[1]]
        if stay:
            about = {"count": len(stay), "switched": len(switched)}
            yield Reason("halves_switched" if switched else "halves", about)
        for pair in switched[:MOST_SWITCHES]:
            yield self._switch(*pair)
        if switched:
            yield from self._mended(stay)
        if missed:
            yield Reason("missed", {"count": missed})

    def _switch(self, one: int, other: int) -> Reason:
        size = size_of_pair(self._work.field, self._natural, one, other)
        people = {"player": self._id(one), "other": self._id(other)}
        natural, field = self._natural, self._work.field
        # one of the pairs of players whose difference is the size has an unrated player
        swapped = ((other, natural[one]), (one, natural[other]))
        capped = any(field.switch(*two) == size < field.diff(*two) for two in swapped)
        return Reason(
            "switch_unrated" if capped else "switch",
            {**people, "opponent": self._id(natural[one]), "size": size},
        )

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
        passed: tuple[Passed, ...] = ()
        natural = self._natural.get(one)
        if natural is not None and natural != other:
            passed = (Passed(self._id(natural), self._why_not_natural(one, natural)),)
        return PairTrace(self._id(one), self._id(other), self._id(white), rule, details, passed)

    def _why_not_natural(self, one: int, natural: int) -> Reason:
        """Return a fact about a natural pair that is not made, without a search."""
        field = self._work.field
        people: dict[str, Any] = {"player": self._id(one), "other": self._id(natural)}
        if field.never[one] >> natural & 1:
            return Reason("forbidden", people)
        if field.met[one].get(natural, 0):
            return Reason("met", {**people, "rounds": rounds_of(self._reading, one, natural)})
        if any(self._missed(one, natural)):
            due = Colour.WHITE if field.state[one].due == "w" else Colour.BLACK
            return Reason("same_due", {**people, "colour": due})
        return Reason("natural_taken", {**people, "by": self._id(self._mate[natural])})

    def _why_pair(self, one: int, other: int) -> Iterator[Reason]:
        if self._work.field.points[one] != self._work.field.points[other]:
            yield from float_reasons(self._reading, self._work, one, other)
            return
        people = {"player": self._id(one), "other": self._id(other)}
        natural = self._natural[one]
        if natural == other:
            group = sorted(place for place in self._natural if self._same_group(place, one))
            yield Reason("pair_natural", {**people, "row": group.index(one) + 1})
            return
        yield self._switch(one, other)
        yield why_not_pair(self._reading, self._work, one, natural)

    def _same_group(self, place: int, other: int) -> bool:
        return self._work.field.points[place] == self._work.field.points[other]

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
