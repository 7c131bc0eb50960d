"""The explanation of a round of the Dubov System in sentences: steps, reasons, and paragraphs for the head."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evenboard_engine.model import Colour
from evenboard_engine.trace import BracketTrace, PairTrace, PlayerExplanation, Reason, RoundTrace
from evenboard_engine.words.catalogue import gettext_noop, points_text
from evenboard_engine.words.explanation import BLACK_SIDE, WHITE_SIDE, Column, Paragraph, Statement, Words

from .sentences import SENTENCES
from .steps import STEPS

MOST_OBSTACLES = 2
BY_RANKING = gettext_noop("by pairing number")
S1_BY_ARO = gettext_noop("S1, by ARO")
G2_BY_RANKING = gettext_noop("G2, by pairing number")


class DubovWords(Words):
    """Says brackets in the order of article 2.2."""

    sentences = SENTENCES
    steps = STEPS

    def sentence_code(self, reason: Reason) -> str:
        alone = reason.code == "blocked" and not reason.params["opponents"]
        return "blocked_alone" if alone else reason.code

    def columns(self, bracket: BracketTrace) -> tuple[Column, Column]:
        """Return the columns S1 and G2 (2.2.5, 2.2.6). Nobody has a side in a bracket where nobody has played."""
        if bracket.unplayed:
            return self._columns(("S1", BY_RANKING), ("G2", BY_RANKING))
        return self._columns((WHITE_SIDE, S1_BY_ARO), (BLACK_SIDE, G2_BY_RANKING))

    def reasons(self, reasons: Iterable[Reason]) -> list[Statement]:
        """Say several reasons. Those about upfloaters that differ only in the player become one sentence."""
        groups: dict[object, list[Reason]] = {}
        for number, reason in enumerate(reasons):
            alike = tuple(value for key, value in reason.params.items() if key != "player")
            about_one = reason.code.startswith("up_") and not reason.code.startswith("up_chosen")
            groups.setdefault((reason.code, alike) if about_one else number, []).append(reason)
        return [
            self._statement(group[0], group[0].params, together=[reason.params["player"] for reason in group])
            if len(group) > 1
            else self.reason(group[0])
            for group in groups.values()
        ]

    def bracket(self, bracket: BracketTrace) -> list[Statement]:
        """Say a bracket step by step, in the order of article 2.2."""
        return [*self.members(bracket), *self.sides(bracket), *self.rows(bracket)]

    def position(self, bracket: BracketTrace) -> list[Statement]:
        """Return the steps until S1 and G2 stand in their order (2.2.5)."""
        return [*self.members(bracket), *self.sides(bracket), *self.columns_in_order(bracket)]

    def members(self, bracket: BracketTrace) -> list[Statement]:
        """Say who is in the bracket, and why these upfloaters (2.2.1, 2.2.2)."""
        statements = [self.residents(bracket)]
        if bracket.virtual:
            lent = [f"{self.name(key)} (+{points_text(extra)})" for key, extra in bracket.virtual.items()]
            statements.append(self.step("virtual", players=self._listed(lent)))
        statements.append(self.reason(bracket.count))
        if bracket.upfloaters:
            statements += self.chosen(bracket)
            statements += self.reasons(passed.reason for passed in bracket.passed)
        if bracket.unlisted:
            statements.append(self.step("unlisted", count=bracket.unlisted))
        return statements

    def residents(self, bracket: BracketTrace) -> Statement:
        return self.step("residents", residents=len(bracket.residents), points=self.points(bracket.score))

    def chosen(self, bracket: BracketTrace) -> list[Statement]:
        """Say who is floated up, and why these (2.2.2)."""
        player, *others = bracket.upfloaters
        if others:
            together = Reason("up_chosen_set", {"player": player, "players": bracket.upfloaters})
            return [self.upfloaters(bracket), self.reason(together)]
        return [self.reason(Reason("up_chosen" if bracket.passed else "up_chosen_first", {"player": player}))]

    def upfloaters(self, bracket: BracketTrace) -> Statement:
        """Say who is floated up."""
        return self.step("upfloaters", players=self._names(bracket.upfloaters), count=len(bracket.upfloaters))

    def sides(self, bracket: BracketTrace) -> list[Statement]:
        """Say on which side each player begins, and who changes sides (2.2.3, 2.2.4)."""
        return [self.due(bracket), *self._shifts(bracket)]

    def due(self, bracket: BracketTrace) -> Statement:
        """Say how many begin on each side."""
        halves = {"g1": len(bracket.g1), "g2": len(bracket.g2)}
        if bracket.unplayed:
            return self.step("unplayed", **halves)
        white, black = self.step("due_white", **halves), self.step("due_black", **halves)
        return Statement(f"{white.text} {black.text}", white.articles)

    def _shifts(self, bracket: BracketTrace) -> list[Statement]:
        statements = []
        for shift, numbers in (
            (self.first_shift(bracket), bracket.first_numbers),
            (self.second_shift(bracket), bracket.second_numbers),
        ):
            if shift is not None:
                pool = self._possible_shifters(bracket, numbers)
                statements += [pool, shift, self.step("numbers", numbers=self._names(numbers))]
        return statements or [self.step("level")]

    def _possible_shifters(self, bracket: BracketTrace, numbers: Sequence[int]) -> Statement:
        """Say in which order the players of a side stand before they get the numbers (4.3.2)."""
        side, members = (
            ("G1", bracket.g1) if numbers[0] in {one.id for one in bracket.g1} else ("G2", bracket.g2)
        )
        if bracket.unplayed or members[0].due is Colour.BLACK:
            players = self._names([one.id for one in members])
            return self.step("pool_by_ranking", side=side, players=players)
        by_aro = sorted(members, key=lambda one: one.aro)
        players = self._listed([f"{self.name(one.id)} ({one.aro})" for one in by_aro])
        return self.step("pool_by_aro", side=side, players=players)

    def first_shift(self, bracket: BracketTrace) -> Statement | None:
        """Say who leaves the smaller side (2.2.4.1)."""
        smaller, larger = ("G1", "G2") if len(bracket.g1) <= len(bracket.g2) else ("G2", "G1")
        return self._shift("first_shift", bracket.shifted_first, side=smaller, other_side=larger)

    def second_shift(self, bracket: BracketTrace) -> Statement | None:
        """Say who leaves the larger side (2.2.4.2). Its members are due one colour, unless nobody has played."""
        larger, smaller = ("G2", "G1") if len(bracket.g1) <= len(bracket.g2) else ("G1", "G2")
        code = "shift_white" if larger == "G1" else "shift_black"
        if bracket.unplayed:
            code = "second_shift"
        return self._shift(code, bracket.shifted_second, side=larger, other_side=smaller)

    def _shift(self, code: str, shifted: Sequence[int], **sides: str) -> Statement | None:
        if not shifted:
            return None
        return self.step(code, players=self._names(shifted), count=len(shifted), **sides)

    def columns_in_order(self, bracket: BracketTrace) -> list[Statement]:
        """Say S1 and G2 (2.2.5)."""
        aro = {member.id: member.aro for member in (*bracket.g1, *bracket.g2)}
        if bracket.unplayed:
            s1 = self._names([pair.first for pair in bracket.pairs])
            statements = [self.step("s1_unplayed", players=s1)]
        else:
            s1 = self._listed([f"{self.name(pair.first)} ({aro[pair.first]})" for pair in bracket.pairs])
            statements = [self.step("s1", players=s1)]
        statements.append(
            self.step("g2_unplayed" if bracket.unplayed else "g2", players=self._names(bracket.order))
        )
        return statements

    def rows(self, bracket: BracketTrace) -> list[Statement]:
        """Say S1, G2 and T2, and why the order of G2 was changed (2.2.5, 2.2.6)."""
        statements = self.columns_in_order(bracket)
        passed = [passed for pair in bracket.pairs for passed in pair.passed]
        if passed:
            t2 = self._names([pair.second for pair in bracket.pairs])
            statements += [self.step("t2", players=t2), *self.reasons(one.reason for one in passed)]
        else:
            statements.append(self.step("straight"))
        missed = self.missed(bracket)
        return [*statements, missed] if missed else statements

    def missed(self, bracket: BracketTrace) -> Statement | None:
        """Say how many do not get their colour (C7). If nobody has played, this says nothing about the pairing."""
        if bracket.unplayed or not bracket.missed:
            return None
        return self.step("missed", count=bracket.missed)

    def lead_of_round(self, trace: RoundTrace) -> list[Paragraph]:
        """The bye; the brackets and the upfloaters; how far the order was kept, and who misses a colour."""
        brackets = trace.brackets
        floated = sum(len(bracket.upfloaters) for bracket in brackets)
        pairs = sum(len(bracket.pairs) for bracket in brackets)
        moved = sum(map(_moved, brackets))
        missed = sum(bracket.missed for bracket in brackets if not bracket.unplayed)
        return [
            self.bye_given(trace.bye),
            [self.step("brackets", count=len(brackets)), self.step("floated", count=floated)]
            if floated
            else [self.step("brackets", count=len(brackets)), self.step("floated_none")],
            [self.step("as_ordered", kept=pairs - moved, pairs=pairs)]
            + ([self.step("missed", count=missed)] if missed else []),
        ]

    def lead_of_bracket(self, bracket: BracketTrace) -> list[Paragraph]:
        """Who is in it; the two sides and who changes them; how far the order was kept, and who misses a colour."""
        shifts = [self.first_shift(bracket), self.second_shift(bracket)]
        moved, missed = _moved(bracket), self.missed(bracket)
        order = [self.step("moved", count=moved), *self._first_obstacles(bracket)]
        return [
            self.lead_members(bracket),
            [self.due(bracket), *(shift for shift in shifts if shift is not None)],
            [*(order if moved else [self.step("straight")]), *([missed] if missed is not None else [])],
        ]

    def lead_of_pair(
        self, explanation: PlayerExplanation, bracket: BracketTrace, pair: PairTrace
    ) -> list[Paragraph]:
        """The bracket of the two; why they meet; why each has this colour."""
        opponent = next(answer for answer in explanation.answers if answer.question == "opponent")
        return [self.lead_members(bracket), [self.reason(opponent.reasons[0])], [self.reason(pair.colours)]]

    def lead_members(self, bracket: BracketTrace) -> Paragraph:
        """How many residents there are, and who is floated up to them."""
        statements = [self.residents(bracket), self.reason(bracket.count)]
        return [*statements, self.upfloaters(bracket)] if bracket.upfloaters else statements

    def _first_obstacles(self, bracket: BracketTrace) -> Paragraph:
        """Why the first rows that could not take the player at their own place did not."""
        obstacles = [
            passed.reason
            for pair, ordered in zip(bracket.pairs, bracket.order, strict=True)
            for passed in pair.passed
            if passed.player == ordered
        ]
        return [self.reason(reason) for reason in obstacles[:MOST_OBSTACLES]]


def _moved(bracket: BracketTrace) -> int:
    """How many players of G2 are not at their place in its order."""
    return sum(pair.second != ordered for pair, ordered in zip(bracket.pairs, bracket.order, strict=True))
