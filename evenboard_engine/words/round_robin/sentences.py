"""The explanation of a round of a round robin in plain sentences."""

from __future__ import annotations

from typing import ClassVar

from evenboard_engine.systems.round_robin.articles import ANNEX
from evenboard_engine.trace import BracketTrace as Bracket
from evenboard_engine.trace import PairTrace, PlayerExplanation
from evenboard_engine.words.catalogue import Sentence, gettext_noop, ngettext
from evenboard_engine.words.explanation import Paragraph, Words

SENTENCES: dict[str, Sentence] = {
    "bye_none": gettext_noop("Everybody has an opponent."),
    "row": gettext_noop("Round %(number)s is row %(row)s of the Berger table for %(last)s numbers."),
    "row_swapped": gettext_noop(
        "The last two rounds of the first cycle change places. So round %(number)s is row %(row)s of the Berger table "
        "for %(last)s numbers."
    ),
    "row_again": gettext_noop(
        "Round %(number)s is in the second cycle. It is row %(row)s of the Berger table for %(last)s numbers again, "
        "with the colours turned."
    ),
    "sum": gettext_noop(
        "In this row two numbers meet if their sum is %(sum)s. The number that is left meets the last number of the "
        "table."
    ),
    "sums": gettext_noop(
        "In this row two numbers meet if their sum is %(low)s or %(high)s. The number that is left meets the last "
        "number of the table."
    ),
    "bye_given": gettext_noop(
        "%(player)s is free: in this row the number meets the last one, which nobody has."
    ),
    "left_out": gettext_noop("%(player)s has no game in this round."),
    "meets": gettext_noop(
        "%(player)s meets %(other)s, because their numbers meet in row %(row)s of the table: %(one)s and %(two)s are "
        "%(sum)s."
    ),
    "meets_last": gettext_noop(
        "%(player)s meets %(other)s, because number %(number)s meets the last number, %(last)s, in row %(row)s of the "
        "table."
    ),
    "meets_here": gettext_noop("%(player)s and %(other)s meet in this round."),
    "meets_in": ngettext(
        "By the table %(player)s and %(other)s meet in round %(rounds)s.",
        "By the table %(player)s and %(other)s meet in rounds %(rounds)s.",
        "rounds",
    ),
    "free_in": ngettext(
        "By the table %(player)s is free in round %(rounds)s.",
        "By the table %(player)s is free in rounds %(rounds)s.",
        "rounds",
    ),
    "free_never": gettext_noop("The number of players is even, so nobody is free."),
    "colour_lower": gettext_noop(
        "%(white)s has White, because the sum of the two numbers is odd: the lower number has White."
    ),
    "colour_higher": gettext_noop(
        "%(white)s has White, because the sum of the two numbers is even: the higher number has White."
    ),
    "colour_last_white": gettext_noop(
        "%(white)s has White, because the last number of the table has White in rows with an even number."
    ),
    "colour_last_black": gettext_noop(
        "%(white)s has White, because the last number of the table has Black in rows with an odd number."
    ),
    "colour_return": gettext_noop(
        "%(white)s has White, because %(black)s has White in their game of round %(round)s."
    ),
}


class RoundRobinWords(Words):
    """Says a round: its row of the table, who is free, and who meets whom."""

    sentences = SENTENCES
    articles: ClassVar = {ANNEX: gettext_noop("Annex 1")}

    def bracket_name(self, _bracket: Bracket) -> str:
        return ""

    def lead_of_pair(
        self, explanation: PlayerExplanation, _bracket: Bracket, pair: PairTrace
    ) -> list[Paragraph]:
        opponent = next(answer for answer in explanation.answers if answer.question == "opponent")
        return [
            [self.reason(opponent.reasons[0])],
            self.reasons(opponent.reasons[1:]),
            [self.reason(pair.colours)],
        ]
