"""All words of the Dubov System: the explanation of a round, steps, dead ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evenboard_engine.model import Colour
from evenboard_engine.result import RelaxationKind
from evenboard_engine.systems.dubov.options import (
    EDITION,
    UPFLOATS,
    Edition,
    UpfloatCount,
    edition_of,
    upfloats_of,
)
from evenboard_engine.trace import BracketTrace, PairTrace, PlayerExplanation, Reason, RoundTrace
from evenboard_engine.words.catalogue import Sentence, ngettext
from evenboard_engine.words.catalogue import gettext_noop as _
from evenboard_engine.words.explanation import (
    BLACK_SIDE,
    WHITE_SIDE,
    ExplanationColumn,
    Paragraph,
    Statement,
    Words,
)
from evenboard_engine.words.systems import DEAD_ENDS, RELAXATIONS, OptionWords, SystemWords

from .differences import CONCERNS, sentence
from .sentences import SENTENCES

# The steps of a bracket and of a round in sentences. The engine has the articles behind them.

FLOATED_UP = ngettext("%(players)s is floated up.", "%(players)s are floated up.", "count")
STEPS: dict[str, Sentence] = {
    "residents": ngettext(
        "Only one player with %(points)s is left.",
        "%(residents)s players with %(points)s are still to be paired.",
        "residents",
    ),
    "upfloaters": FLOATED_UP,
    "unlisted": ngettext(
        "%(count)s more player comes before the last of them in the order and was not floated up.",
        "%(count)s more players come before the last of them in the order and were not floated up.",
        "count",
    ),
    "unplayed": _(
        "Nobody here has played. G1 is the first half by pairing number (%(g1)s), G2 is the second half (%(g2)s)."
    ),
    "due_white": ngettext("%(g1)s player is due White (G1).", "%(g1)s players are due White (G1).", "g1"),
    "due_black": ngettext("%(g2)s player is due Black (G2).", "%(g2)s players are due Black (G2).", "g2"),
    "first_shift": ngettext(
        "Two players of %(side)s must play each other. One of them moves to %(other_side)s: %(players)s.",
        "In %(side)s, %(count)s pairs of players must play each other. One of each pair moves to %(other_side)s: "
        "%(players)s.",
        "count",
    ),
    "second_shift": ngettext(
        "To make both sides equal, one player moves from %(side)s to %(other_side)s: %(players)s.",
        "To make both sides equal, %(count)s players move from %(side)s to %(other_side)s: %(players)s.",
        "count",
    ),
    "shift_white": ngettext(
        "One player due White joins Black's side: %(players)s.",
        "%(count)s players due White join Black's side: %(players)s.",
        "count",
    ),
    "shift_black": ngettext(
        "One player due Black joins White's side: %(players)s.",
        "%(count)s players due Black join White's side: %(players)s.",
        "count",
    ),
    "pool_by_aro": _("%(side)s in order of ARO, lowest first: %(players)s."),
    "pool_by_ranking": _("%(side)s in order of pairing numbers: %(players)s."),
    "numbers": _(
        "The players who change sides are chosen in this order, from the middle of the side outwards: %(numbers)s."
    ),
    "level": _("Both sides are equal, so nobody changes sides."),
    "s1": _("White's side is put in order of ARO, lowest first (S1): %(players)s."),
    "s1_unplayed": _(
        "G1 is put in order of pairing numbers, because nobody has an ARO yet (S1): %(players)s."
    ),
    "g2": _("Black's side is put in order of pairing numbers (G2): %(players)s."),
    "g2_unplayed": _("G2 is put in order of pairing numbers: %(players)s."),
    "straight": _("Each player meets the one at the same place on the other side."),
    "t2": _(
        "Not all of these pairs are possible. The first order of G2 in which all pairs are possible is taken (T2): "
        "%(players)s."
    ),
    "moved": ngettext(
        "Not all pairs in this order are possible, so %(count)s player of G2 moves to another place.",
        "Not all pairs in this order are possible, so %(count)s players of G2 move to another place.",
        "count",
    ),
    "brackets": ngettext(
        "All players are paired in one bracket.",
        "The players are paired in %(count)s brackets, from the highest score down.",
        "count",
    ),
    "floated": FLOATED_UP,
    "floated_none": _("Nobody is floated up."),
    "as_ordered": ngettext(
        "There is only one pair.",
        "In %(kept)s of %(pairs)s pairs, both players have the same place on their side.",
        "pairs",
    ),
    "missed": ngettext(
        "%(players)s does not get the colour that is due.",
        "%(players)s do not get the colours they are due.",
        "count",
    ),
}


# The explanation of a round of the Dubov System in sentences: steps, reasons, and paragraphs for the head.

MOST_OBSTACLES = 2
NO_ARO = _("no ARO")
BY_RANKING = _("by pairing number")
S1_BY_ARO = _("S1, by ARO")
G2_BY_RANKING = _("G2, by pairing number")


class DubovWords(Words):
    """Says brackets in the order of article 2.2."""

    sentences = SENTENCES
    steps = STEPS

    def sentence_code(self, reason: Reason) -> str:
        alone = reason.code == "blocked" and not reason.params["opponents"]
        return "blocked_alone" if alone else reason.code

    def columns(self, bracket: BracketTrace) -> tuple[ExplanationColumn, ExplanationColumn]:
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
            statements.append(self.virtual(bracket.virtual))
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
                statements += [pool, self.step("numbers", numbers=self._names(numbers)), shift]
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
        players = self._listed([self._with_aro(one.id, one.aro) for one in by_aro])
        return self.step("pool_by_aro", side=side, players=players)

    def _with_aro(self, player: int, aro: float) -> str:
        return f"{self.name(player)} ({aro or self.language.translate(NO_ARO)})"

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
            s1 = self._listed([self._with_aro(pair.first, aro[pair.first]) for pair in bracket.pairs])
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
        """Say who does not get their colour (C7). If nobody has played, this says nothing about the pairing."""
        if bracket.unplayed or not bracket.missed:
            return None
        return self._without_due(bracket.missed)

    def _without_due(self, players: Sequence[int]) -> Statement:
        return self.step("missed", players=self._names(players), count=len(players))

    def lead_of_round(self, trace: RoundTrace) -> list[Paragraph]:
        """The bye; the brackets and the upfloaters; how far the order was kept, and who misses a colour."""
        brackets = trace.brackets
        floated = [player for bracket in brackets for player in bracket.upfloaters]
        pairs = sum(len(bracket.pairs) for bracket in brackets)
        moved = sum(map(_moved, brackets))
        missed = [key for bracket in brackets if not bracket.unplayed for key in bracket.missed]
        return [
            self.bye_given(trace.bye),
            [
                self.step("brackets", count=len(brackets)),
                self.step("floated", players=self._names(floated), count=len(floated))
                if floated
                else self.step("floated_none"),
            ],
            [self.step("as_ordered", kept=pairs - moved, pairs=pairs)]
            + ([self._without_due(missed)] if missed else []),
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


# Why no legal round exists, and what the arbiter might allow (docs/rules.md, D16).

DUBOV_DEAD_ENDS: Mapping[str, Sentence] = {
    **DEAD_ENDS,
    "no_bye": _(
        "The number of players is odd, and nobody may get the bye. The others could be paired if one of these players "
        "had it, but each of them has already had a bye or a win without playing (C2): %(players)s."
    ),
    "no_pairing": _(
        "No round is possible with these players: %(players)s. They have already met all opponents who are left, or "
        "must have the same colour (C1, C3)."
    ),
    "nobody": _(
        "No round is possible: too many players have already met, or must have the same colour (C1, C3)."
    ),
}
DUBOV_RELAXATIONS: Mapping[RelaxationKind, Sentence] = {
    **RELAXATIONS,
    RelaxationKind.REMATCH: _("%(first)s and %(last)s meet again (against C1)"),
    RelaxationKind.SECOND_BYE: _("%(first)s gets the bye (against C2)"),
    RelaxationKind.SAME_COLOUR: _(
        "%(first)s and %(last)s meet, one of them in the wrong colour (against C3)"
    ),
}


# All words of the Dubov System.


def heading(options: Mapping[str, str]) -> str:
    counted = "all games that were paired" if upfloats_of(options) is UpfloatCount.PAIRED else "played games"
    return f"Articles of C.04.4.1, edition of {edition_of(options).value}. Upfloats are counted in {counted}."


DUBOV_WORDS = SystemWords(
    name=_("Dubov System"),
    summary=_(
        "Within each score group, players with a low average rating of opponents (ARO) meet players with a high "
        "rating. So the opposition of all players with the same score becomes more equal."
    ),
    audience=_(
        "It suits tournaments in which the opposition should be alike for those who finish level, such as a qualifier."
    ),
    standing=_(
        "FIDE Handbook C.04.4.1, editions of 2018, 2025 and 2026. No program is endorsed for it now, so FIDE counts it "
        "as deprecated (C.04.2, 1.4). Ask your federation before a rated tournament, and name the system in the report."
    ),
    rules=_("FIDE C.04.4.1, edition of %(edition)s"),
    numbers=_(
        "Numbers in the margin are articles of the Dubov System, FIDE Handbook C.04.4.1, edition of %(edition)s."
    ),
    options={
        EDITION.name: OptionWords(
            label=_("Edition of the rules"),
            meaning="",
            term=_("edition of the rules"),
            values={
                Edition.E2018: _("2018, in force until 31 January 2026"),
                Edition.E2025: _("1 July 2025"),
                Edition.E2026: _("1 February 2026"),
            },
            command="edition of C.04.4.1; without it, what the file says, else the edition in force on its first day",
            by_day=_("the edition in force on the first day"),
            assumed=_(
                "The file does not name the edition of the Dubov System. It is the one in force on the first day: "
                "%(value)s."
            ),
        ),
        UPFLOATS.name: OptionWords(
            label=_("Forfeited games as upfloats"),
            meaning=_(
                "For a player who was upfloated and whose game was then forfeited. If in doubt, leave “do not count”."
            ),
            term=_("upfloats of forfeited games"),
            values={UpfloatCount.PLAYED: _("do not count"), UpfloatCount.PAIRED: _("count as upfloats")},
            command=(
                "which upfloats count: only those in games that were played, or all that were paired; without it, what "
                "the file says, else played"
            ),
        ),
    },
    explanation=DubovWords,
    difference=sentence,
    concerns=CONCERNS,
    aro_list=(
        _("A due colour that is absolute must be given. Strong comes before mild."),
        ngettext(
            "A player is upfloated more than %(number)s time only if there is no other way.",
            "A player is upfloated more than %(number)s times only if there is no other way.",
            "number",
        ),
    ),
    dead_ends=DUBOV_DEAD_ENDS,
    relaxations=DUBOV_RELAXATIONS,
    heading=heading,
)
