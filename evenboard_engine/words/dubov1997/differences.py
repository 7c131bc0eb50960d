"""The differences of a published round from the rules of 1997, and the concerns about a round paired by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenboard_engine.words.catalogue import (
    ENGLISH,
    WORDS,
    Language,
    Sentence,
    coloured,
    gettext_noop,
    ngettext,
)

from .sentences import SENTENCES

if TYPE_CHECKING:
    from evenboard_engine.findings import RoundDifference

ROUND = gettext_noop("round %(round)s: %(difference)s")
CITED = gettext_noop("%(difference)s (%(article)s)")

_SENTENCES: dict[str, Sentence] = {
    "bye": gettext_noop("%(found)s has the bye, but %(expected)s must have it"),
    "several_byes": gettext_noop("more than one player has the bye: %(found)s"),
    "cannot_finish": gettext_noop(
        "the procedure cannot finish this round, and the file does not have the pairing that is offered"
    ),
    "no_offer": gettext_noop("no round keeps the limitations of the rules, so nothing is offered"),
    "rematch": gettext_noop("%(one)s and %(two)s have met before"),
    "forbidden_pair": gettext_noop(
        "the file does not allow %(one)s and %(two)s to meet (260, XXP; outside FIDE's rules)"
    ),
    "same_barred_colour": gettext_noop("%(one)s and %(two)s may not meet, because of the limits for colours"),
    "pair": gettext_noop("%(one)s plays %(two)s, but must play %(right_two)s"),
    "pair_and_more": ngettext(
        "%(one)s plays %(two)s, but must play %(right_two)s; %(others)s pair after it differs too",
        "%(one)s plays %(two)s, but must play %(right_two)s; %(others)s pairs after it differ too",
        "others",
    ),
    "not_paired": gettext_noop("%(one)s has no opponent, but must play %(right_two)s"),
    "colours": gettext_noop("%(one)s has White against %(two)s, but %(right_one)s must have White"),
}

_ALONE: dict[str, Sentence] = {
    "several_byes": gettext_noop("More than one player has the bye: %(found)s"),
    "cannot_finish": gettext_noop(
        "The procedure cannot finish this round, and the file does not have the pairing that is offered"
    ),
    "no_offer": gettext_noop("No round keeps the limitations of the rules, so nothing is offered"),
    "forbidden_pair": gettext_noop(
        "The file does not allow %(one)s and %(two)s to meet (260, XXP; outside FIDE's rules)"
    ),
}
"""Those that begin with a word, for a line that does not name the round first."""

CONCERNS: dict[str, Sentence] = {
    "rematch": ngettext(
        "%(player)s and %(other)s have met already, in round %(rounds)s.",
        "%(player)s and %(other)s have met already, in rounds %(rounds)s.",
        "rounds",
    ),
    "forbidden": SENTENCES["forbidden"],
    "third_colour": coloured(
        gettext_noop("%(player)s has White %(count)s times in a row."),
        gettext_noop("%(player)s has Black %(count)s times in a row."),
    ),
    "colour_difference": coloured(
        gettext_noop("%(player)s would have had White %(count)s times more often than the other colour."),
        gettext_noop("%(player)s would have had Black %(count)s times more often than the other colour."),
    ),
    "both_opposite": gettext_noop(
        "%(player)s is due Black and %(other)s is due White, but both get the opposite."
    ),
    "colours": gettext_noop("By the rules %(player)s has White and %(other)s Black."),
    "float": gettext_noop("%(player)s (%(points)s) meets %(other)s (%(more)s)."),
    "rise_again": ngettext(
        "%(player)s met a player with more points in round %(rounds)s too, and may not be transferred up twice "
        "running.",
        "%(player)s met a player with more points in rounds %(rounds)s too, and may not be transferred up twice "
        "running.",
        "rounds",
    ),
    "rises": gettext_noop(
        "%(player)s met players with more points %(count)s times already. More transfers up are not allowed."
    ),
    "bye_had": SENTENCES["bye_had"],
    "bye_forfeit_win": SENTENCES["bye_forfeit_win"],
    "bye_full_point": SENTENCES["bye_full_point"],
    "bye_score": gettext_noop(
        "The bye goes to the lowest score that may have it: %(other)s has %(more)s, %(player)s %(points)s."
    ),
    "bye_other": gettext_noop("By the rules %(other)s has the bye, not %(player)s."),
}
"""By code. Where a rule says the same of a pair by hand as of one by the program, it is the same sentence."""


def sentence(difference: RoundDifference, language: Language = ENGLISH, *, with_round: bool = True) -> str:
    """Return one difference as a line: the round, what the file has, what the rules give, and the article.

    Players are starting ranks.
    """
    one, two = (*difference.found, 0, 0)[:2]
    right_one, right_two = (*difference.expected, 0, 0)[:2]
    others = difference.values[0] if difference.values else 0
    nobody = language.translate(WORDS["none"])
    params = {
        "one": one,
        "two": two,
        "right_one": right_one,
        "right_two": right_two,
        "others": others,
        "found": language.listed(difference.found) or nobody,
        "expected": language.listed(difference.expected) or nobody,
    }
    code = "pair_and_more" if difference.code == "pair" and others else difference.code
    text = language.text_of(_SENTENCES[code] if with_round else _ALONE.get(code, _SENTENCES[code]), params)
    if difference.article:
        text = language.text_of(CITED, {"difference": text, "article": difference.article})
    return language.text_of(ROUND, {"round": difference.round, "difference": text}) if with_round else text
