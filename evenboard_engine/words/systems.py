"""What each pairing system says: its name, its options, its explanations and the findings of its checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from evenboard_engine.findings import RoundDifference
from evenboard_engine.result import RelaxationKind
from evenboard_engine.systems.options import OFF, ON, ChoiceOption, Option, PointsOption, Switch

from .catalogue import ENGLISH, Language, Sentence, gettext_noop
from .explanation import Words

SWITCHED = {ON: gettext_noop("yes"), OFF: gettext_noop("no")}
NO_POINTS = gettext_noop("no limit")


class DifferenceSentence(Protocol):
    """Returns a difference as a line. with_round: begin with the round."""

    def __call__(
        self, difference: RoundDifference, language: Language = ..., *, with_round: bool = ...
    ) -> str: ...


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
    "no_bye": gettext_noop(
        "The number of players is odd, and nobody may get the bye. The others could be paired if one of these players "
        "had it: %(players)s."
    ),
    "cannot_finish": gettext_noop(
        "The rules of the pairing system cannot finish this round. These players are left over: %(players)s."
    ),
    "no_pairing": gettext_noop(
        "No round is possible with these players: %(players)s. The rules allow none of the opponents who are left."
    ),
    "nobody": gettext_noop("No round is possible: the rules allow too few pairs."),
}
RELAXATIONS: Mapping[RelaxationKind, Sentence] = {
    RelaxationKind.REMATCH: gettext_noop("%(first)s and %(last)s meet again"),
    RelaxationKind.SECOND_BYE: gettext_noop("%(first)s gets the bye"),
    RelaxationKind.SAME_COLOUR: gettext_noop("%(first)s and %(last)s meet, one of them in the wrong colour"),
    RelaxationKind.FORBIDDEN: gettext_noop("%(first)s and %(last)s meet, although they are a forbidden pair"),
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
