"""What is wrong with a round of the Dutch System, in sentences: differences of a published round, and concerns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenboard_engine.trf.codes import decimal_points
from evenboard_engine.words.catalogue import ENGLISH, WORDS, Language, Sentence, coloured, ngettext
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
    "bye_score": _(
        "%(found)s has the bye with %(first)s points, but the bye must go to a player with %(second)s, such as "
        "%(expected)s"
    ),
    "several_byes": _("more than one player has the bye: %(found)s"),
    "no_legal_round": _("no legal pairing exists for the players who are present"),
    "rest_unchecked": _(
        "the players left from %(score)s points down cannot be paired legally, so they are not compared"
    ),
    "rematch": _("%(one)s and %(two)s have met before"),
    "forbidden_pair": _(
        "the file does not allow %(one)s and %(two)s to meet (260, XXP; outside FIDE's rules)"
    ),
    "same_absolute_preference": _("%(one)s and %(two)s have the same absolute colour preference"),
    "rest": _(
        "%(score)s points: the floaters are %(found)s, but must be %(expected)s: otherwise the players who are left "
        "could not be paired"
    ),
    "floaters": _(
        "%(score)s points: the floaters are %(found)s, but must be %(expected)s: the criterion gives %(first)s, but "
        "should give %(second)s"
    ),
    "quality": _("%(score)s points: the criterion gives %(first)s, but should give %(second)s"),
    "floater_scores": _(
        "%(score)s points: the floaters are %(found)s, but must be %(expected)s: the criterion gives the scores "
        "%(first)s, but should give %(second)s"
    ),
    "quality_scores": _(
        "%(score)s points: the criterion gives the scores %(first)s, but should give %(second)s"
    ),
    "order": _("%(score)s points: %(one)s plays %(two)s, but the first legal order gives %(right_two)s"),
    "order_found_floats": _(
        "%(score)s points: %(one)s floats down, but the first legal order gives %(right_two)s"
    ),
    "order_must_float": _(
        "%(score)s points: %(one)s plays %(two)s, but must float down by the first legal order"
    ),
    "colours": _("%(one)s has White against %(two)s, but %(right_one)s must have White"),
}

CONCERNS: dict[str, Sentence] = {
    **SWISS_CONCERNS,
    "forbidden": SENTENCES["forbidden"],
    "absolute_clash": coloured(
        _("%(player)s and %(other)s cannot meet: both have an absolute preference for White."),
        _("%(player)s and %(other)s cannot meet: both have an absolute preference for Black."),
    ),
    "third_colour": THIRD_COLOUR,
    "colour_difference": COLOUR_DIFFERENCE,
    "float": _("%(player)s (%(points)s) meets %(other)s (%(more)s)."),
    "upfloat_again": ngettext(
        "%(player)s floated up in round %(rounds)s too.",
        "%(player)s floated up in rounds %(rounds)s too.",
        "rounds",
    ),
    "downfloat_again": ngettext(
        "%(player)s floated down in round %(rounds)s too.",
        "%(player)s floated down in rounds %(rounds)s too.",
        "rounds",
    ),
    "bye_had": SENTENCES["bye_had"],
    "bye_forfeit_win": _("%(player)s won by forfeit in round %(round)s and so may not have the bye."),
    "bye_points_unplayed": _(
        "%(player)s scored as much as a win in round %(round)s without playing and so may not have the bye."
    ),
}
"""By code. Where a rule says the same of a pair by hand as of one by the program, it is the same sentence."""


def sentence(difference: RoundDifference, language: Language = ENGLISH, *, with_round: bool = True) -> str:
    """Return one difference as a line: the round, what the file has, what the rules give, and the article.

    Players are starting ranks.
    """
    first, second = difference.values or ("", "")
    if difference.code == "bye_score" or isinstance(first, tuple):
        first, second = _points(first, language), _points(second, language)
    params = {
        **people_of(difference, language),
        "first": first,
        "second": second,
        "score": decimal_points(difference.score or 0),
    }
    text = language.text_of(_SENTENCES[_code(difference)], params)
    return with_round_or_capital(difference, text, language, with_round=with_round)


def _code(difference: RoundDifference) -> str:
    """Return the key of the sentence."""
    if difference.code == "floaters" and difference.values is None:
        return "rest"
    if difference.values is not None and isinstance(difference.values[0], tuple):
        return "floater_scores" if difference.code == "floaters" else "quality_scores"
    if difference.code == "order" and len(difference.found) == 1:
        return "order_found_floats"
    if difference.code == "order" and len(difference.expected) == 1:
        return "order_must_float"
    return difference.code


def _points(value: object, language: Language) -> str:
    """Return tenths, or several of them, as the file writes points."""
    shown = " ".join(map(decimal_points, value if isinstance(value, tuple) else (value,)))
    return shown or language.translate(WORDS["none"])
