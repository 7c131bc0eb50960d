"""The differences of a published round from the table, and the concerns about a round paired by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenboard_engine.words.catalogue import ENGLISH, Language, Sentence, coloured, gettext_noop, ngettext

if TYPE_CHECKING:
    from evenboard_engine.findings import Difference

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


def sentence(difference: Difference, language: Language = ENGLISH, *, with_round: bool = True) -> str:
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
