"""The words of the round robin: explanations, differences of a published round, concerns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from evenboard_engine.systems.round_robin.table import (
    ANNEX,
    BY_FEDERATION,
    CYCLES,
    FREELY,
    LOTS,
    ONCE,
    SWAP,
    TWICE,
)
from evenboard_engine.trace import BracketTrace as Bracket
from evenboard_engine.trace import PairTrace, PlayerExplanation
from evenboard_engine.words.explanation import Paragraph, Words

from .catalogue import ENGLISH, Language, Sentence, ngettext, pgettext
from .catalogue import gettext_noop as _
from .systems import THIRD_COLOUR, OptionWords, SystemWords, people_of, with_round_or_capital

if TYPE_CHECKING:
    from evenboard_engine.findings import RoundDifference


# The explanation of a round of a round robin in plain sentences.

SENTENCES: dict[str, Sentence] = {
    "bye_none": _("Everybody has an opponent."),
    "row": _("Round %(number)s is row %(row)s of the Berger table for %(last)s numbers."),
    "row_swapped": _(
        "The last two rounds of the first cycle change places. So round %(number)s is row %(row)s of the Berger table "
        "for %(last)s numbers."
    ),
    "row_again": _(
        "Round %(number)s is in the second cycle. It is row %(row)s of the Berger table for %(last)s numbers again, "
        "with the colours turned."
    ),
    "sum": _(
        "In this row two numbers meet if their sum is %(sum)s. The number that is left meets the last number of the "
        "table."
    ),
    "sums": _(
        "In this row two numbers meet if their sum is %(low)s or %(high)s. The number that is left meets the last "
        "number of the table."
    ),
    "bye_given": _("%(player)s is free: in this row the number meets the last number, which no player has."),
    "left_out": _("%(player)s has no game in this round."),
    "meets": _(
        "%(player)s meets %(other)s, because their numbers meet in row %(row)s of the table: %(one)s and %(two)s are "
        "%(sum)s."
    ),
    "meets_last": _(
        "%(player)s meets %(other)s, because number %(number)s meets the last number, %(last)s, in row %(row)s of the "
        "table."
    ),
    "meets_here": _("%(player)s and %(other)s meet in this round."),
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
    "free_never": _("The number of players is even, so nobody is free."),
    "colour_lower": _(
        "%(white)s has White, because the sum of the two numbers is odd: the lower number has White."
    ),
    "colour_higher": _(
        "%(white)s has White, because the sum of the two numbers is even: the higher number has White."
    ),
    "colour_last_white": _(
        "%(white)s has White, because the last number of the table has White in rows with an even number."
    ),
    "colour_last_black": _(
        "%(white)s has White, because the last number of the table has Black in rows with an odd number."
    ),
    "colour_return": _("%(white)s has White, because %(black)s has White in their game of round %(round)s."),
}


class RoundRobinWords(Words):
    """Says a round: its row of the table, who is free, and who meets whom."""

    sentences = SENTENCES
    articles: ClassVar = {ANNEX: _("Annex 1")}

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


# The differences of a published round from the table, and the concerns about a round paired by hand.

_SENTENCES: dict[str, Sentence] = {
    "pair": ngettext(
        "%(one)s plays %(two)s, but by the table they meet in round %(rounds)s",
        "%(one)s plays %(two)s, but by the table they meet in rounds %(rounds)s",
        "count",
    ),
    "colours": _("%(one)s has White against %(two)s, but %(right_one)s must have White"),
    "free": _("%(found)s is free, but %(expected)s must be free"),
    "free_nobody": _("%(found)s is free, but by the table nobody is free"),
}

CONCERNS: dict[str, Sentence] = {
    "met": ngettext(
        "%(player)s and %(other)s have met already, in round %(rounds)s. By the table they do not meet again.",
        "%(player)s and %(other)s have met already, in rounds %(rounds)s. By the table they do not meet again.",
        "rounds",
    ),
    "planned": ngettext(
        "By the table %(player)s and %(other)s meet in round %(rounds)s. If they meet now, that round must change too.",
        "By the table %(player)s and %(other)s meet in rounds %(rounds)s. If they meet now, one of these rounds must "
        "change too.",
        "rounds",
    ),
    "not_here": ngettext(
        "By the table %(player)s and %(other)s meet in round %(rounds)s, not in this one.",
        "By the table %(player)s and %(other)s meet in rounds %(rounds)s, not in this one.",
        "rounds",
    ),
    "colours": _("By the table %(player)s has White and %(other)s Black."),
    "third_colour": THIRD_COLOUR,
    "free": ngettext(
        "By the table %(player)s is free in round %(rounds)s.",
        "By the table %(player)s is free in rounds %(rounds)s.",
        "rounds",
    ),
    "free_never": _("By the table %(player)s is never free: the number of players is even."),
}


def sentence(difference: RoundDifference, language: Language = ENGLISH, *, with_round: bool = True) -> str:
    """Return one difference as a line. Players are starting ranks."""
    rounds = difference.values[1] if difference.values else ()
    listed = rounds if isinstance(rounds, tuple) else ()
    code = "free_nobody" if difference.code == "free" and not difference.expected else difference.code
    params = {**people_of(difference, language), "rounds": language.listed(listed), "count": len(listed)}
    text = language.text_of(_SENTENCES[code], params)
    return with_round_or_capital(difference, text, language, with_round=with_round)


# All words of the round robin.


def heading(options: Mapping[str, str]) -> str:
    cycles = "once" if CYCLES.text(options) == ONCE else "twice"
    return f"Berger tables of FIDE C.05, Annex 1. Everybody meets everybody {cycles}."


ROUND_ROBIN_WORDS = SystemWords(
    name=_("Round robin"),
    summary=_(
        "Everybody meets everybody once or twice, in the order of the Berger tables. All rounds are known as soon as "
        "the numbers are drawn by lot."
    ),
    audience=_("It suits small groups, up to 24 players, in which everybody is to meet everybody."),
    standing=_("The Berger tables of FIDE C.05, Annex 1, in force. FIDE rates such tournaments."),
    rules=_("Berger tables, FIDE C.05, Annex 1"),
    numbers=_("References in the margin are to FIDE Handbook C.05: the tables are Annex 1."),
    explanation=RoundRobinWords,
    difference=sentence,
    heading=heading,
    options={
        CYCLES.name: OptionWords(
            label=_("Games against each opponent"),
            meaning=_("With two games, the second cycle has the colours of the first one turned."),
            term=_("games against each opponent"),
            values={ONCE: _("one (single round robin)"), TWICE: _("two (double round robin)")},
        ),
        SWAP.name: OptionWords(
            label=_("Change the last two rounds of the first cycle"),
            meaning=_(
                "For a double round robin. FIDE recommends it, because otherwise two players have the same colour "
                "three times in a row."
            ),
            term=_("last two rounds of the first cycle changed"),
        ),
        LOTS.name: OptionWords(
            label=_("Drawing of lots"),
            meaning=_(
                "By the Varma tables, players of one federation do not meet in the last three rounds, if possible. "
                "They are for 9 to 24 players. Announce this choice before round 1."
            ),
            term=_("drawing of lots"),
            values={
                FREELY: pgettext("drawing of lots", "free"),
                BY_FEDERATION: _("federations apart (Varma tables)"),
            },
        ),
    },
    concerns=CONCERNS,
)
