"""What each pairing system says: its name, its options, its explanations and the findings of its checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from evenboard_engine.findings import RoundDifference
from evenboard_engine.result import RelaxationKind
from evenboard_engine.systems.options import OFF, ON, ChoiceOption, Option, PointsOption, Switch
from evenboard_engine.trf.codes import decimal_points

from .catalogue import ENGLISH, WORDS, Language, Sentence, coloured, ngettext
from .catalogue import gettext_noop as _
from .explanation import Words

SWITCHED = {ON: _("yes"), OFF: _("no")}
NO_POINTS = _("no limit")


class DifferenceSentence(Protocol):
    """Returns a difference as a line. with_round: begin with the round."""

    def __call__(
        self, difference: RoundDifference, language: Language = ..., *, with_round: bool = ...
    ) -> str: ...


ROUND = _("round %(round)s: %(difference)s")
LENT = _("%(difference)s; scores here include virtual points of the acceleration: %(players)s")
AND_MORE_LENT = ngettext(
    "%(difference)s; scores here include virtual points of the acceleration: %(players)s, and %(count)s more player",
    "%(difference)s; scores here include virtual points of the acceleration: %(players)s, and %(count)s more players",
    "count",
)
MOST_LENT = 8


def people_of(difference: RoundDifference, language: Language) -> dict[str, Any]:
    """Return the parameters of a sentence for the players of a difference, who are starting ranks."""
    one, two = (*difference.found, 0, 0)[:2]
    right_one, right_two = (*difference.expected, 0, 0)[:2]
    nobody = language.translate(WORDS["none"])
    found = language.listed(difference.found) or nobody
    expected = language.listed(difference.expected) or nobody
    people = {"one": one, "two": two, "right_one": right_one, "right_two": right_two}
    return {**people, "found": found, "expected": expected}


def with_round_or_capital(
    difference: RoundDifference, text: str, language: Language, *, with_round: bool
) -> str:
    """Return the text of a difference with its article, after its round, or alone with a capital at the beginning."""
    cited = f"{difference.criterion}, {difference.article}" if difference.criterion else difference.article
    text = f"{text} ({cited})" if cited else text
    if difference.lent:
        named = [f"{player} (+{decimal_points(points)})" for player, points in difference.lent[:MOST_LENT]]
        params = {"difference": text, "players": language.listed(named)}
        more = len(difference.lent) - len(named)
        text = (
            language.text_of(AND_MORE_LENT, {**params, "count": more})
            if more
            else language.text_of(LENT, params)
        )
    if not with_round:
        return text[:1].upper() + text[1:]
    return language.text_of(ROUND, {"round": difference.round, "difference": text})


THIRD_COLOUR = coloured(
    _("%(player)s has White %(count)s times in a row."), _("%(player)s has Black %(count)s times in a row.")
)
COLOUR_DIFFERENCE = coloured(
    _("%(player)s would have had %(count)s more games with White than with Black."),
    _("%(player)s would have had %(count)s more games with Black than with White."),
)
SWISS_CONCERNS: Mapping[str, Sentence] = {
    "rematch": ngettext(
        "%(player)s and %(other)s have met already, in round %(rounds)s.",
        "%(player)s and %(other)s have met already, in rounds %(rounds)s.",
        "rounds",
    ),
    "both_opposite": _("%(player)s is due Black and %(other)s is due White, but both get the opposite."),
    "colours": _("By the rules %(player)s has White and %(other)s Black."),
    "bye_score": _(
        "The bye goes to the lowest score that may have it: %(other)s has %(more)s, %(player)s %(points)s."
    ),
}
"""The concerns that all Swiss systems have."""


@dataclass(frozen=True, slots=True)
class OptionWords:
    """The words of an option. label: in a form, with the meaning below it ("" for none). term: within a sentence.
    values: by value, of a choice; the other kinds have common words. command: help of an own option of the command
    line (`--start top`); "" for none: `--option start=top` is always there. by_day: of the choice to take what the
    first day decides. assumed: sentence about a report file without the option, its value as %(value)s; "" for none.
    """

    label: str
    meaning: str
    term: str
    values: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    by_day: str = ""
    assumed: str = ""


DEAD_ENDS: Mapping[str, Sentence] = {
    "no_bye": _(
        "The number of players is odd, and nobody may get the bye. The others could be paired if one of these players "
        "had it: %(players)s."
    ),
    "cannot_finish": _(
        "The rules of the pairing system cannot finish this round. These players are left over: %(players)s."
    ),
    "no_pairing": _(
        "No round is possible with these players: %(players)s. The rules allow none of the opponents who are left."
    ),
    "nobody": _("No round is possible: the rules allow too few pairs."),
}
RELAXATIONS: Mapping[RelaxationKind, Sentence] = {
    RelaxationKind.REMATCH: _("%(first)s and %(last)s meet again"),
    RelaxationKind.SECOND_BYE: _("%(first)s gets the bye"),
    RelaxationKind.SAME_COLOUR: _("%(first)s and %(last)s meet, one of them in the wrong colour"),
    RelaxationKind.FORBIDDEN: _("%(first)s and %(last)s meet, although they are a forbidden pair"),
}


@dataclass(frozen=True, slots=True)
class SystemWords:
    """The words of a pairing system, English and marked for translation.

    name: as in a list of systems. summary: two sentences for those who choose one. audience: whom it suits.
    standing: its edition, and what FIDE or the federation says of it. rules: what printed sheets say after the
    name. numbers: what a page says of the articles in its margin; both have the options as parameters. options: by
    name. explanation: says reasons and steps. concerns: sentences by code (`findings.Concern`), with the parameters
    player, other, round, rounds, colour, count, points, more. heading: what an explanation on the command line says
    of its rules. dead_ends: why no round exists, by the code of `NoLegalPairing`, with the parameter players;
    "nobody" if no players are named. aro_list: what is below the list of AROs, with the parameter number, the most
    upfloats. relaxations: what the arbiter might allow, with the parameters first and last.
    """

    name: str
    summary: str
    rules: str
    numbers: str
    explanation: type[Words]
    difference: DifferenceSentence
    heading: Callable[[Mapping[str, str]], str]
    audience: str = ""
    standing: str = ""
    options: Mapping[str, OptionWords] = field(default_factory=dict)
    concerns: Mapping[str, Sentence] = field(default_factory=dict)
    aro_list: tuple[Sentence, ...] = ()
    dead_ends: Mapping[str, Sentence] = field(default_factory=lambda: DEAD_ENDS)
    relaxations: Mapping[RelaxationKind, Sentence] = field(default_factory=lambda: RELAXATIONS)


def value_words(option: Option, words: OptionWords, value: str, language: Language = ENGLISH) -> str | None:
    """Return the words for a value of an option; None if the option has no such value."""
    if option.read(value) is None:
        return None
    match option:
        case ChoiceOption():
            return language.translate(words.values[value])
        case Switch():
            return language.translate(SWITCHED[value])
        case PointsOption():
            tenths = option.tenths({option.name: value})
            return language.translate(NO_POINTS) if tenths is None else language.points(tenths)
        case _:
            return value
