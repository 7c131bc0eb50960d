"""Sentences for what the checker finds: English, and marked so that a layer that translates can do so."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pairing.engine.trf.messages import gettext_noop

if TYPE_CHECKING:
    from pairing.engine.checker import Difference

ROUND = gettext_noop("round {round}: {told}")
NOBODY = gettext_noop("nobody")

_SENTENCES = {
    "bye": gettext_noop("{found} has the bye, but it must be {expected}: {reason}"),
    "several_byes": gettext_noop("more than one player has the bye: {found}"),
    "no_legal_round": gettext_noop("no legal pairing exists for those who are there"),
    "rest_unchecked": gettext_noop(
        "what is left from {score} points down cannot be paired legally, so it is not compared"
    ),
    "rematch": gettext_noop("{one} and {two} have met before"),
    "forbidden_pair": gettext_noop(
        "{one} and {two} must not meet by the file (260, XXP; outside FIDE's rules)"
    ),
    "same_absolute_preference": gettext_noop("{one} and {two} have the same absolute colour preference"),
    "upfloaters": gettext_noop(
        "{score} points: the upfloaters are {found}, but must be {expected}: {reason}"
    ),
    "preferences": gettext_noop("{score} points: {reason}"),
    "shifters": gettext_noop("{score} points: the players shifted to the other subgroup must be {expected}"),
    "transposition": gettext_noop(
        "{score} points: {one} plays {two}, but the first legal order of G2 gives {right_two}"
    ),
    "colours": gettext_noop("{one} has White against {two}, but {right_one} must have it"),
}

_REASONS = {
    "BYE_BARRED": gettext_noop("{found} may not have it any more"),
    "BYE_LEAVES_A_PAIRING": gettext_noop("the others cannot all be paired without {found}"),
    "BYE_LOWEST_SCORE": gettext_noop("{found} has {first} points, {expected} has {second}"),
    "BYE_MOST_GAMES": gettext_noop("{found} has played {first} games, {expected} has played {second}"),
    "BYE_LOWEST_RANKED": gettext_noop("{expected} is lower in the initial ranking"),
    "C4": gettext_noop("those who remain cannot all be paired then"),
    "C5": gettext_noop("{second} suffice"),
    "C6": gettext_noop("their points are {first} against {second}"),
    "C7": gettext_noop("{first} players miss their colour preference, where {second} have to"),
    "C8": gettext_noop("{first} maximum upfloaters against {second}"),
    "C9": gettext_noop("the maximum upfloaters have been upfloated {first} times against {second}"),
    "C10": gettext_noop("{first} who were upfloated in the last round against {second}"),
    "ORDER_OF_UPFLOATERS": gettext_noop("these come first"),
}
_IN_POINTS = ("BYE_LOWEST_SCORE", "C6")


def sentence(
    difference: Difference, translate: Callable[[str], str] = str, *, with_round: bool = True
) -> str:
    """One difference as a line: the round, what the file has, what the rules give, and the article.

    translate: from the English text. Players are starting ranks.
    """
    one, two = (*difference.found, 0, 0)[:2]
    right_one, right_two = (*difference.expected, 0, 0)[:2]
    told = translate(_SENTENCES[difference.code]).format(
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


def _reason(difference: Difference, translate: Callable[[str], str]) -> str:
    if difference.rule.name not in _REASONS:
        return ""
    first, second = difference.values or ("", "")
    if difference.rule.name in _IN_POINTS:
        first, second = _points(first), _points(second)
    return translate(_REASONS[difference.rule.name]).format(
        found=_players(difference.found, translate),
        expected=_players(difference.expected, translate),
        first=first,
        second=second,
    )


def _points(value: object) -> str:
    """Tenths, or several of them, as people write points."""
    many = value if isinstance(value, tuple) else (value,)
    return " ".join(f"{tenths // 10}.{tenths % 10}" for tenths in many)


def _players(players: tuple[int, ...], translate: Callable[[str], str]) -> str:
    return " ".join(map(str, players)) or translate(NOBODY)
