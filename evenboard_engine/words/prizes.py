"""Sentences about prizes: how each sum is made, and who may win."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from evenboard_engine.prizes import Award, Method, Span, prizes_of

from .catalogue import ENGLISH, Language
from .catalogue import gettext_noop as _

METHODS: dict[Method, str] = {
    Method.EQUAL: _("Equal shares"),
    Method.PLACE: _("By place"),
    Method.HORT: _("Hort system"),
}
METHOD_MEANINGS: dict[Method, str] = {
    Method.EQUAL: _("Players who are level on points share the prizes of their places in equal parts."),
    Method.PLACE: _("Each player gets the prize of the place. Tie-breaks decide."),
    Method.HORT: _(
        "Half of each prize goes to the player on its place. Players who are level on points share the other halves."
    ),
}

_ALONE = _("Place %(first)s: %(prizes)s.")
_SAME = _("Places %(first)s to %(last)s are level in all tie-breaks and share %(prizes)s: %(each)s each.")
_LEVEL = _("Places %(first)s to %(last)s, level on %(points)s, share %(prizes)s: %(each)s each.")
_HALF = _("Half of %(prizes)s for place %(first)s: %(each)s.")
_HALF_SAME = _(
    "Places %(first)s to %(last)s are level in all tie-breaks and share half of %(prizes)s: %(each)s each."
)
_HALF_NONE = _("Place %(first)s has no prize of its own.")
_HALVES = _(
    "Places %(first)s to %(last)s, level on %(points)s, share the other halves of %(prizes)s: %(each)s each."
)
_ELSEWHERE = _("%(player)s is also on %(points)s, but has a prize in the category %(category)s.")
_ROUNDED = _("%(exact)s is rounded to %(paid)s.")


def money_text(hundredths: int | Fraction, language: Language = ENGLISH) -> str:
    """Return an amount of money: 300, 33.50, and 33 1/3 if it is no whole number of hundredths."""
    whole, cents = divmod(Fraction(hundredths), 100)
    if not cents:
        return str(whole)
    if cents.denominator == 1:
        return f"{whole}{language.mark()}{int(cents):02}"
    part = cents / 100
    return f"{whole}\u00a0{part}" if whole else str(part)


def award_sentences(
    award: Award,
    method: Method,
    prizes: Sequence[int],
    elsewhere: Iterable[tuple[str, str]] = (),
    language: Language = ENGLISH,
) -> tuple[str, ...]:
    """Return how the sum of an award is made. prizes: those of the category, from the first place on.

    elsewhere: the names of players with as many points who win in another category instead, each with that category.
    """
    sentences = [
        _sentence(text, span, award, prizes, language) for text, span in _parts(award, method, prizes)
    ]
    points = language.points(award.points)
    sentences += [
        language.text_of(_ELSEWHERE, {"player": name, "points": points, "category": category})
        for name, category in elsewhere
    ]
    if award.exact != award.amount:
        rounding = {"exact": money_text(award.exact, language), "paid": money_text(award.amount, language)}
        sentences.append(language.text_of(_ROUNDED, rounding))
    return tuple(sentences)


def _parts(award: Award, method: Method, prizes: Sequence[int]) -> list[tuple[str, Span]]:
    """Return the sentences about the parts of a sum, with the places that share each part."""
    span = award.same if method is Method.PLACE else award.level
    if span[0] == span[1]:
        return [(_ALONE, span)]
    if method is not Method.HORT:
        return [(_SAME if method is Method.PLACE else _LEVEL, span)]
    if not prizes_of(prizes, award.same):
        own = _HALF_NONE
    else:
        own = _HALF if award.same[0] == award.same[1] else _HALF_SAME
    return [(own, award.same), (_HALVES, award.level)]


def _sentence(text: str, span: Span, award: Award, prizes: Sequence[int], language: Language) -> str:
    first, last = span
    shared = prizes_of(prizes, span)
    parts = last - first + 1
    halves = text in (_HALF, _HALF_SAME, _HALVES)
    values = {
        "first": first,
        "last": last,
        "points": language.points(award.points),
        "prizes": " + ".join(money_text(prize, language) for prize in shared),
        "each": money_text(Fraction(sum(shared), parts * (2 if halves else 1)), language),
    }
    return language.text_of(text, values)
