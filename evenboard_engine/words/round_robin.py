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
from evenboard_engine.words.catalogue import (
    ENGLISH,
    Language,
    Sentence,
    coloured,
    gettext_noop,
    ngettext,
    pgettext,
)
from evenboard_engine.words.explanation import Paragraph, Words
from evenboard_engine.words.systems import OptionWords, SystemWords

if TYPE_CHECKING:
    from evenboard_engine.findings import RoundDifference


# The explanation of a round of a round robin in plain sentences.

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


# The differences of a published round from the table, and the concerns about a round paired by hand.

ROUND = gettext_noop("round %(round)s: %(difference)s")

_SENTENCES: dict[str, Sentence] = {
    "pair": ngettext(
        "%(one)s plays %(two)s, but by the table they meet in round %(rounds)s",
        "%(one)s plays %(two)s, but by the table they meet in rounds %(rounds)s",
        "count",
    ),
    "colours": gettext_noop("%(one)s has White against %(two)s, but %(right_one)s must have White"),
    "free": gettext_noop("%(found)s is free, but %(expected)s must be free"),
    "free_nobody": gettext_noop("%(found)s is free, but by the table nobody is free"),
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
    "colours": gettext_noop("By the table %(player)s has White and %(other)s Black."),
    "third_colour": coloured(
        gettext_noop("%(player)s has White %(count)s times in a row."),
        gettext_noop("%(player)s has Black %(count)s times in a row."),
    ),
    "free": ngettext(
        "By the table %(player)s is free in round %(rounds)s.",
        "By the table %(player)s is free in rounds %(rounds)s.",
        "rounds",
    ),
    "free_never": gettext_noop("By the table %(player)s is never free: the number of players is even."),
}


def sentence(difference: RoundDifference, language: Language = ENGLISH, *, with_round: bool = True) -> str:
    """Return one difference as a line. Players are starting ranks."""
    one, two = (*difference.found, 0, 0)[:2]
    right_one = (*difference.expected, 0)[0]
    rounds = difference.values[1] if difference.values else ()
    listed = rounds if isinstance(rounds, tuple) else ()
    params = {
        "one": one,
        "two": two,
        "right_one": right_one,
        "found": language.listed(difference.found),
        "expected": language.listed(difference.expected),
        "rounds": language.listed(listed),
        "count": len(listed),
    }
    code = "free_nobody" if difference.code == "free" and not difference.expected else difference.code
    text = f"{language.text_of(_SENTENCES[code], params)} ({difference.article})"
    return language.text_of(ROUND, {"round": difference.round, "difference": text}) if with_round else text


# All words of the round robin.


def heading(options: Mapping[str, str]) -> str:
    cycles = "once" if CYCLES.text(options) == ONCE else "twice"
    return f"Berger tables of FIDE C.05, Annex 1. Everybody meets everybody {cycles}."


ROUND_ROBIN_WORDS = SystemWords(
    name=gettext_noop("Round robin"),
    summary=gettext_noop(
        "Everybody meets everybody once or twice, in the order of the Berger tables. All rounds are known as soon as "
        "the numbers are drawn by lot."
    ),
    audience=gettext_noop(
        "It suits small groups, up to 24 players, in which everybody is to meet everybody."
    ),
    standing=gettext_noop("The Berger tables of FIDE C.05, Annex 1, in force. FIDE rates such tournaments."),
    rules=gettext_noop("Berger tables, FIDE C.05, Annex 1"),
    numbers=gettext_noop("References in the margin are to FIDE Handbook C.05: the tables are Annex 1."),
    explanation=RoundRobinWords,
    difference=sentence,
    heading=heading,
    options={
        CYCLES.name: OptionWords(
            label=gettext_noop("Games against each opponent"),
            meaning=gettext_noop("With two games, the second cycle has the colours of the first one turned."),
            term=gettext_noop("games against each opponent"),
            values={
                ONCE: gettext_noop("one (single round robin)"),
                TWICE: gettext_noop("two (double round robin)"),
            },
        ),
        SWAP.name: OptionWords(
            label=gettext_noop("Change the last two rounds of the first cycle"),
            meaning=gettext_noop(
                "For a double round robin. FIDE recommends it, because otherwise two players have the same colour "
                "three times in a row."
            ),
            term=gettext_noop("last two rounds of the first cycle changed"),
        ),
        LOTS.name: OptionWords(
            label=gettext_noop("Drawing of lots"),
            meaning=gettext_noop(
                "By the Varma tables, players of one federation do not meet in the last three rounds, if possible. "
                "They are for 9 to 24 players. Announce this choice before round 1."
            ),
            term=gettext_noop("drawing of lots"),
            values={
                FREELY: pgettext("drawing of lots", "free"),
                BY_FEDERATION: gettext_noop("federations apart (Varma tables)"),
            },
        ),
    },
    concerns=CONCERNS,
)
