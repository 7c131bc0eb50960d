"""The differences of a published round from the rules of 1997, and the concerns about a round paired by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenboard_engine.words.catalogue import ENGLISH, Language, Sentence, ngettext
from evenboard_engine.words.catalogue import gettext_noop as _
from evenboard_engine.words.systems import (
    COLOUR_DIFFERENCE,
    SWISS_CONCERNS,
    THIRD_COLOUR,
    people_of,
    with_round_or_capital,
)

from .sentences import SENTENCES

if TYPE_CHECKING:
    from evenboard_engine.findings import RoundDifference

_SENTENCES: dict[str, Sentence] = {
    "bye": _("%(found)s has the bye, but %(expected)s must have it"),
    "several_byes": _("more than one player has the bye: %(found)s"),
    "cannot_finish": _(
        "the procedure cannot finish this round, and the file does not have the pairing that is offered"
    ),
    "no_offer": _("no round keeps the limitations of the rules, so nothing is offered"),
    "rematch": _("%(one)s and %(two)s have met before"),
    "forbidden_pair": _(
        "the file does not allow %(one)s and %(two)s to meet (260, XXP; outside FIDE's rules)"
    ),
    "same_barred_colour": _("%(one)s and %(two)s may not meet, because of the limits for colours"),
    "pair": _("%(one)s plays %(two)s, but must play %(right_two)s"),
    "pair_and_more": ngettext(
        "%(one)s plays %(two)s, but must play %(right_two)s; %(others)s pair after it differs too",
        "%(one)s plays %(two)s, but must play %(right_two)s; %(others)s pairs after it differ too",
        "others",
    ),
    "not_paired": _("%(one)s has no opponent, but must play %(right_two)s"),
    "colours": _("%(one)s has White against %(two)s, but %(right_one)s must have White"),
}

CONCERNS: dict[str, Sentence] = {
    **SWISS_CONCERNS,
    "forbidden": SENTENCES["forbidden"],
    "third_colour": THIRD_COLOUR,
    "colour_difference": COLOUR_DIFFERENCE,
    "float": _("%(player)s (%(points)s) meets %(other)s (%(more)s)."),
    "rise_again": ngettext(
        "%(player)s met a player with more points in round %(rounds)s too, and may not be transferred up twice "
        "running.",
        "%(player)s met a player with more points in rounds %(rounds)s too, and may not be transferred up twice "
        "running.",
        "rounds",
    ),
    "rises": _(
        "%(player)s met players with more points %(count)s times already. More transfers up are not allowed."
    ),
    "bye_had": SENTENCES["bye_had"],
    "bye_forfeit_win": SENTENCES["bye_forfeit_win"],
    "bye_full_point": SENTENCES["bye_full_point"],
    "bye_other": _("By the rules %(other)s has the bye, not %(player)s."),
}
"""By code. Where a rule says the same of a pair by hand as of one by the program, it is the same sentence."""


def sentence(difference: RoundDifference, language: Language = ENGLISH, *, with_round: bool = True) -> str:
    """Return one difference as a line: the round, what the file has, what the rules give, and the article.

    Players are starting ranks.
    """
    others = difference.values[0] if difference.values else 0
    code = "pair_and_more" if difference.code == "pair" and others else difference.code
    text = language.text_of(_SENTENCES[code], {**people_of(difference, language), "others": others})
    return with_round_or_capital(difference, text, language, with_round=with_round)
