"""All words of the Dubov System of 1997, with the explanation of a round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evenboard_engine.trace import BracketTrace, ByeTrace, PairTrace, PlayerExplanation, Reason, RoundTrace
from evenboard_engine.words.catalogue import gettext_noop as _
from evenboard_engine.words.catalogue import ngettext
from evenboard_engine.words.explanation import (
    BLACK_SIDE,
    WHITE_SIDE,
    ExplanationColumn,
    Paragraph,
    Statement,
    Words,
)
from evenboard_engine.words.systems import SystemWords

from .differences import CONCERNS, sentence
from .sentences import SENTENCES

# The explanation of a round of the Dubov System of 1997: sentences, and paragraphs for the head of a page.

STEPS = {
    "groups": ngettext(
        "All players are paired in one score group.",
        "The players are paired in %(count)s score groups, from the highest score down.",
        "count",
    ),
    "offered": ngettext(
        "%(count)s pair is offered, because the procedure cannot finish this round.",
        "%(count)s pairs are offered, because the procedure cannot finish this round.",
        "count",
    ),
    "floats": ngettext(
        "%(count)s pair has different scores.", "%(count)s pairs have different scores.", "count"
    ),
    "missed": ngettext(
        "%(players)s does not get the colour that is due.",
        "%(players)s do not get the colours they are due.",
        "count",
    ),
}
WITH_FIGURE = _("%(player)s (%(figure)s)")
MEET = _("%(one)s with %(two)s")
UPPER_HALF, LOWER_HALF = _("Upper half"), _("Lower half")
BY_NUMBER, BY_ARO = _("by pairing number"), _("by ARO")
BY_RATING = _("by rating")
LEADING = (
    "group",
    "group_empty",
    "came_down",
    "island_paired",
    "island_same_due",
    "riser",
    "riser_same_due",
    "riser_any_due",
    "riser_barred",
    "riser_none",
    "left_count",
    "undone_here",
)
ORDER = (
    "rows_straight",
    "rows_repaired",
    "aside",
    "aside_above",
    "halves",
    "halves_repaired",
    "offered_order",
)


def is_offered(bracket: BracketTrace) -> bool:
    """Return whether the pairs of a bracket are those that are offered where the procedure cannot finish."""
    return bracket.count.code == "offered_order"


class Dubov1997Words(Words):
    """Says groups in the order of the steps."""

    has_brackets = False
    pairs_begin = ("rows_", "halves", "offered_order")
    sentences = SENTENCES
    steps = STEPS

    def bracket_name(self, bracket: BracketTrace) -> str:
        """Return the heading of a score group; "" for the pairs of an offer, which have any scores."""
        return "" if is_offered(bracket) else super().bracket_name(bracket)

    def has_sides(self, bracket: BracketTrace) -> bool:
        return not is_offered(bracket) and all(pair.first == pair.white for pair in bracket.pairs)

    def columns(self, bracket: BracketTrace) -> tuple[ExplanationColumn, ExplanationColumn]:
        """Return the White and the Black column; in round 1 the two halves. Floaters are in no column."""
        if bracket.unplayed:
            return self._columns((UPPER_HALF, BY_NUMBER), (LOWER_HALF, BY_NUMBER))
        if not self.has_sides(bracket):
            return self._columns((_("Player"), ""), (_("Opponent"), ""))
        return self._columns((WHITE_SIDE, BY_ARO), (BLACK_SIDE, BY_RATING))

    def sentence_code(self, reason: Reason) -> str:
        if reason.code in ("rise_barred", "barred_from_rising", "offer_rise") and reason.params["last"]:
            return f"{reason.code}_last"
        if reason.code == "group" and not reason.params["players"]:
            return "group_empty"
        return reason.code

    def reason(self, reason: Reason) -> Statement:
        return super().reason(Reason(reason.code, self._figures(reason.params)))

    def _figures(self, params: Any) -> dict[str, Any]:
        """Return the parameters with points, figures and pairs as text."""
        shown = dict(params)
        if "score" in shown:
            shown["score"] = self.points(shown["score"])
        if isinstance(shown.get("players"), tuple):
            shown.setdefault("count", len(shown["players"]))
        for key in ("aros", "ratings"):
            if key in shown:
                figures = [{"player": self.name(player), "figure": figure} for player, figure in shown[key]]
                shown[key] = self._listed([self.language.text_of(WITH_FIGURE, one) for one in figures])
        if "pairs" in shown:
            meetings = [{"one": self.name(one), "two": self.name(two)} for one, two in shown["pairs"]]
            shown["pairs"] = self._listed([self.language.text_of(MEET, one) for one in meetings])
        return shown

    def bye_given(self, bye: ByeTrace) -> list[Statement]:
        if bye.player is not None:
            if any(passed.reason.code == "bye_rest" for passed in bye.passed):
                return [self.reason(Reason("other_bye", {"player": bye.player}))]
            if self.is_first_round:
                return [self.reason(Reason("bye_last", {"player": bye.player}))]
        return super().bye_given(bye)

    def lead_of_round(self, trace: RoundTrace) -> list[Paragraph]:
        """The bye; the groups, what is offered, how many pairs have different scores; who misses a colour."""
        groups = [bracket for bracket in trace.brackets if not is_offered(bracket)]
        statements = [self.step("groups", count=len(groups))] if groups else []
        offered = [len(bracket.pairs) for bracket in trace.brackets if is_offered(bracket)]
        statements += [self.step("offered", count=count) for count in offered]
        if trace.floats:
            statements.append(self.step("floats", count=len(trace.floats)))
        missed = [key for bracket in trace.brackets for key in bracket.missed]
        if missed:
            statements.append(self.step("missed", players=self._names(missed), count=len(missed)))
        return [self.bye_given(trace.bye), statements]

    def lead_of_bracket(self, bracket: BracketTrace) -> list[Paragraph]:
        """Who is in the group and comes to it; how far the rows were kept, and who misses a colour."""
        members = [self.reason(step) for step in bracket.steps if step.code in LEADING]
        order = [self.reason(step) for step in bracket.steps if step.code in ORDER]
        if bracket.missed:
            missed = self._names(bracket.missed)
            order.append(self.step("missed", players=missed, count=len(bracket.missed)))
        return [paragraph for paragraph in (members, order) if paragraph]

    def lead_of_pair(
        self, explanation: PlayerExplanation, bracket: BracketTrace, pair: PairTrace
    ) -> list[Paragraph]:
        """The group of the two; why they meet, and what an offer does not keep; why each has this colour."""
        why, colours = super().lead_of_pair(explanation, bracket, pair)
        answers = [reason for answer in explanation.answers for reason in answer.reasons]
        why += [self.reason(reason) for reason in answers if reason.code == "offer_rise"]
        return [[self.reason(bracket.count)], why, colours]


# All words of the Dubov System of 1997.


def heading(_options: Mapping[str, str]) -> str:
    return (
        "Articles of the Dubov System of 1997. R: restored from a published copy. D: decided by this program, because "
        "the text leaves it open (manual/chapters/68-dubov-1997.md)."
    )


DUBOV_1997_WORDS = SystemWords(
    name=_("Dubov System of 1997"),
    summary=_(
        "The Dubov System as FIDE approved it in 1997, for events that announce these historic rules. It goes down "
        "from the highest score without looking ahead, so it cannot finish some rounds of small fields. The program "
        "then offers a round."
    ),
    audience=_("It suits events that announce these rules, and whoever wants to see what they would pair."),
    standing=_(
        "Edition of 1997. FIDE has replaced it, so it is not one of the systems in force. Ask your federation before a "
        "rated tournament."
    ),
    rules=_("Dubov System of 1997"),
    numbers=_(
        "Numbers in the margin are articles of the Dubov System of 1997. R: restored from a published copy. D: decided "
        "by this program, because the text leaves it open."
    ),
    explanation=Dubov1997Words,
    difference=sentence,
    concerns=CONCERNS,
    aro_list=(
        ngettext(
            "Before the last round, nobody is transferred up who was in the round before, or %(number)s time already.",
            "Before the last round, nobody is transferred up who was in the round before, or %(number)s times already.",
            "number",
        ),
    ),
    heading=heading,
)
