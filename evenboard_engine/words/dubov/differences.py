"""What is wrong with a round of the Dubov System, in sentences: differences of a published round, and concerns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenboard_engine.trf.codes import decimal_points
from evenboard_engine.words.catalogue import ENGLISH, WORDS, Language, Sentence, coloured, ngettext
from evenboard_engine.words.catalogue import gettext_noop as _
from evenboard_engine.words.systems import COLOUR_DIFFERENCE, SWISS_CONCERNS, people_of, with_round_or_capital

from .sentences import SENTENCES

if TYPE_CHECKING:
    from evenboard_engine.findings import RoundDifference


# The differences of a published round from the Dubov System in sentences: English, and marked for
# translation.

_SENTENCES = {
    "bye": _("%(found)s has the bye, but %(expected)s must have it: %(reason)s"),
    "bye_nobody": _("nobody has the bye, but %(expected)s must have it: %(reason)s"),
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
    "upfloaters": _("%(score)s points: the upfloaters are %(found)s, but must be %(expected)s: %(reason)s"),
    "preferences": _("%(score)s points: %(reason)s"),
    "shifters": _(
        "%(score)s points: the players who move between the subgroups G1 and G2 must be %(expected)s"
    ),
    "no_shifters": _("%(score)s points: each pair must have one player of the subgroup G1 and one of G2"),
    "no_shifters_in_round_1": _(
        "%(score)s points: each pair must have one player of the upper half and one of the lower half"
    ),
    "transposition": _(
        "%(score)s points: %(one)s plays %(two)s, but the first legal order of G2 gives %(right_two)s"
    ),
    "colours": _("%(one)s has White against %(two)s, but %(right_one)s must have White"),
}

_REASONS: dict[str, Sentence] = {
    "BYE_BARRED": _("%(found)s may not have the bye"),
    "BYE_LEAVES_A_PAIRING": _("the others cannot all be paired without %(found)s"),
    "BYE_LOWEST_SCORE": _("%(found)s has %(first)s points, %(expected)s has %(second)s"),
    "BYE_MOST_GAMES": ngettext(
        "%(found)s has played %(first)s game, %(expected)s has played %(second)s",
        "%(found)s has played %(first)s games, %(expected)s has played %(second)s",
        "first",
    ),
    "BYE_LOWEST_RANKED": _("%(expected)s has a larger pairing number"),
    "C4": _("the players who remain could not all be paired"),
    "C5": ngettext("%(second)s is enough", "%(second)s are enough", "second"),
    "C6": _("their points are %(first)s, but should be %(second)s"),
    "C7": ngettext(
        "%(first)s player does not get the colour that is due, but it should be %(second)s",
        "%(first)s players do not get the colour they are due, but it should be %(second)s",
        "first",
    ),
    "C8": ngettext(
        "%(first)s of them is a maximum upfloater, but it should be %(second)s",
        "%(first)s of them are maximum upfloaters, but it should be %(second)s",
        "first",
    ),
    "C9": ngettext(
        "the maximum upfloaters have been upfloated %(first)s time, but it should be %(second)s",
        "the maximum upfloaters have been upfloated %(first)s times, but it should be %(second)s",
        "first",
    ),
    "C10": ngettext(
        "%(first)s of them was upfloated in the round before, but it should be %(second)s",
        "%(first)s of them were upfloated in the round before, but it should be %(second)s",
        "first",
    ),
    "ORDER_OF_UPFLOATERS": _("%(expected)s comes first in the order of upfloaters"),
}
_IN_POINTS = ("BYE_LOWEST_SCORE", "C6")


def sentence(difference: RoundDifference, language: Language = ENGLISH, *, with_round: bool = True) -> str:
    """Return one difference as a line: the round, what the file has, what the rules give, and the article.

    Players are starting ranks.
    """
    params = {
        **people_of(difference, language),
        "found": _players(difference.found, language),
        "expected": _players(difference.expected, language),
        "reason": _reason(difference, language),
        "score": _points(difference.score or 0),
    }
    text = language.text_of(_SENTENCES[_code(difference)], params)
    return with_round_or_capital(difference, text, language, with_round=with_round)


def _code(difference: RoundDifference) -> str:
    if difference.code == "bye" and not difference.found:
        return "bye_nobody"
    if difference.code != "shifters" or difference.expected:
        return difference.code
    return "no_shifters_in_round_1" if difference.round == 1 else "no_shifters"


def _reason(difference: RoundDifference, language: Language) -> str:
    name = difference.rule.name
    if name not in _REASONS:
        return ""
    first, second = difference.values or ("", "")
    if name in _IN_POINTS:
        first, second = _points(first), _points(second)
    params = {
        "found": _players(difference.found, language),
        "expected": _players(difference.expected, language),
        "first": first,
        "second": second,
    }
    return language.text_of(_REASONS[name], params)


def _points(value: object) -> str:
    """Return tenths, or several of them, as the file writes points."""
    return " ".join(map(decimal_points, value if isinstance(value, tuple) else (value,)))


def _players(players: tuple[int, ...], language: Language) -> str:
    return " ".join(map(str, players)) or language.translate(WORDS["none"])


# Concerns about a round of the Dubov System that is paired by hand, in sentences.

CONCERNS: dict[str, Sentence] = {
    **SWISS_CONCERNS,
    "forbidden": SENTENCES["forbidden"],
    "absolute_clash": coloured(
        _("%(player)s and %(other)s cannot meet: both have an absolute preference for White."),
        _("%(player)s and %(other)s cannot meet: both have an absolute preference for Black."),
    ),
    "third_colour": coloured(
        ngettext(
            "%(player)s has White %(count)s time in a row.",
            "%(player)s has White %(count)s times in a row.",
            "count",
        ),
        ngettext(
            "%(player)s has Black %(count)s time in a row.",
            "%(player)s has Black %(count)s times in a row.",
            "count",
        ),
    ),
    "colour_difference": COLOUR_DIFFERENCE,
    "float": _("%(player)s (%(points)s) is floated up to %(other)s (%(more)s)."),
    "upfloat_again": ngettext(
        "%(player)s was floated up in round %(rounds)s too.",
        "%(player)s was floated up in rounds %(rounds)s too.",
        "rounds",
    ),
    "maximum_upfloater": ngettext(
        "%(player)s is a maximum upfloater: already floated up %(count)s time.",
        "%(player)s is a maximum upfloater: already floated up %(count)s times.",
        "count",
    ),
    "downfloat_again": ngettext(
        "%(player)s also met a player with fewer points in round %(rounds)s. No rule forbids that.",
        "%(player)s also met a player with fewer points in rounds %(rounds)s. No rule forbids that.",
        "rounds",
    ),
    "bye_had": SENTENCES["bye_had"],
    "bye_forfeit_win": SENTENCES["bye_forfeit_win"],
    "bye_points_unplayed": SENTENCES["bye_points_unplayed"],
}
"""By code. Where a rule says the same of a pair by hand as of one by the program, it is the same sentence."""
