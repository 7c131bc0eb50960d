"""The differences of a published round from the Dubov System in sentences: English, and marked for translation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pairing.engine.trf.codes import decimal_points
from pairing.words.catalogue import gettext_noop

if TYPE_CHECKING:
    from pairing.engine.findings import Difference

ROUND = gettext_noop("round {round}: {told}")
NOBODY = gettext_noop("nobody")

_SENTENCES = {
    "bye": gettext_noop("{found} has the bye, but {expected} must have it: {reason}"),
    "several_byes": gettext_noop("more than one player has the bye: {found}"),
    "no_legal_round": gettext_noop("no legal pairing exists for the players who are present"),
    "rest_unchecked": gettext_noop(
        "the players left from {score} points down cannot be paired legally, so they are not compared"
    ),
    "rematch": gettext_noop("{one} and {two} have met before"),
    "forbidden_pair": gettext_noop(
        "the file does not allow {one} and {two} to meet (260, XXP; outside FIDE's rules)"
    ),
    "same_absolute_preference": gettext_noop("{one} and {two} have the same absolute colour preference"),
    "upfloaters": gettext_noop(
        "{score} points: the upfloaters are {found}, but must be {expected}: {reason}"
    ),
    "preferences": gettext_noop("{score} points: {reason}"),
    "shifters": gettext_noop(
        "{score} points: the players who move between the subgroups G1 and G2 must be {expected}"
    ),
    "no_shifters": gettext_noop(
        "{score} points: each pair must have one player of the subgroup G1 and one of G2"
    ),
    "no_shifters_in_round_1": gettext_noop(
        "{score} points: each pair must have one player of the upper half and one of the lower half"
    ),
    "transposition": gettext_noop(
        "{score} points: {one} plays {two}, but the first legal order of G2 gives {right_two}"
    ),
    "colours": gettext_noop("{one} has White against {two}, but {right_one} must have White"),
}

_REASONS = {
    "BYE_BARRED": gettext_noop("{found} may not have the bye"),
    "BYE_LEAVES_A_PAIRING": gettext_noop("the others cannot all be paired without {found}"),
    "BYE_LOWEST_SCORE": gettext_noop("{found} has {first} points, {expected} has {second}"),
    "BYE_MOST_GAMES": gettext_noop("{found} has played {first} games, {expected} has played {second}"),
    "BYE_LOWEST_RANKED": gettext_noop("{expected} is lower in the initial ranking"),
    "C4": gettext_noop("the players who remain could not all be paired"),
    "C5": gettext_noop("{second} are enough"),
    "C6": gettext_noop("their points are {first}, but should be {second}"),
    "C7": gettext_noop("{first} players do not get the colour they are due, but it should be {second}"),
    "C8": gettext_noop("{first} of them are maximum upfloaters, but it should be {second}"),
    "C9": gettext_noop("the maximum upfloaters have been upfloated {first} times, but it should be {second}"),
    "C10": gettext_noop("{first} of them were upfloated in the round before, but it should be {second}"),
    "ORDER_OF_UPFLOATERS": gettext_noop("{expected} comes first in the order of upfloaters"),
}
# Where the number that a sentence is about is 1: for C5 the second, else the first.
_REASONS_OF_ONE = {
    "BYE_MOST_GAMES": gettext_noop("{found} has played {first} game, {expected} has played {second}"),
    "C5": gettext_noop("{second} is enough"),
    "C7": gettext_noop("{first} player does not get the colour that is due, but it should be {second}"),
    "C8": gettext_noop("{first} of them is a maximum upfloater, but it should be {second}"),
    "C9": gettext_noop("the maximum upfloaters have been upfloated {first} time, but it should be {second}"),
    "C10": gettext_noop("{first} of them was upfloated in the round before, but it should be {second}"),
}
_IN_POINTS = ("BYE_LOWEST_SCORE", "C6")


def sentence(
    difference: Difference, translate: Callable[[str], str] = str, *, with_round: bool = True
) -> str:
    """Return one difference as a line: the round, what the file has, what the rules give, and the article.

    translate: from the English text. Players are starting ranks.
    """
    one, two = (*difference.found, 0, 0)[:2]
    right_one, right_two = (*difference.expected, 0, 0)[:2]
    told = translate(_SENTENCES[_code(difference)]).format(
        found=_players(difference.found, translate),
        expected=_players(difference.expected, translate),
        one=one,
        two=two,
        right_one=right_one,
        right_two=right_two,
        reason=_reason(difference, translate),
        score=_points(difference.score or 0),
    )
    cited = f"{difference.criterion}, {difference.article}" if difference.criterion else difference.article
    told = f"{told} ({cited})" if cited else told
    return translate(ROUND).format(round=difference.round, told=told) if with_round else told


def _code(difference: Difference) -> str:
    if difference.code != "shifters" or difference.expected:
        return difference.code
    return "no_shifters_in_round_1" if difference.round == 1 else "no_shifters"


def _reason(difference: Difference, translate: Callable[[str], str]) -> str:
    name = difference.rule.name
    if name not in _REASONS:
        return ""
    first, second = difference.values or ("", "")
    if name in _IN_POINTS:
        first, second = _points(first), _points(second)
    is_one = name in _REASONS_OF_ONE and (second if name == "C5" else first) == 1
    return translate((_REASONS_OF_ONE if is_one else _REASONS)[name]).format(
        found=_players(difference.found, translate),
        expected=_players(difference.expected, translate),
        first=first,
        second=second,
    )


def _points(value: object) -> str:
    """Return tenths, or several of them, as the file writes points."""
    return " ".join(map(decimal_points, value if isinstance(value, tuple) else (value,)))


def _players(players: tuple[int, ...], translate: Callable[[str], str]) -> str:
    return " ".join(map(str, players)) or translate(NOBODY)
