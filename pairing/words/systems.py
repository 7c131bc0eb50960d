"""What each pairing system says: its name, its options, its explanations and the findings of its checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pairing.engine.findings import Difference

from .catalogue import Language, Sentence
from .explanation import Words


class DifferenceSentence(Protocol):
    """Returns a difference as a line. with_round: begin with the round."""

    def __call__(
        self, difference: Difference, language: Language = ..., *, with_round: bool = ...
    ) -> str: ...


@dataclass(frozen=True, slots=True)
class OptionWords:
    """The words of an option. label: in a form, with the meaning below it ("" for none). term: within a sentence.
    values: by value. command: help of the command line. by_day: of the choice to take what the first day decides, and
    assumed: said of a report file without the option, with its value as %(value)s; else "".
    """

    label: str
    meaning: str
    term: str
    values: Mapping[str, str]
    command: str
    by_day: str = ""
    assumed: str = ""


@dataclass(frozen=True, slots=True)
class SystemWords:
    """The words of a pairing system, English and marked for translation.

    name: as in a list of systems. summary: two sentences for those who choose one. rules: as printed sheets name them.
    numbers: what a page says of the articles in its margin; both have the options as parameters. options: by name.
    explanation: says reasons and steps. concerns: sentences by code (`findings.Concern`), with the parameters
    player, other, round, rounds, colour, count, points, more. heading: what an explanation on the command line says of
    its rules.
    """

    name: str
    summary: str
    rules: str
    numbers: str
    explanation: type[Words]
    difference: DifferenceSentence
    heading: Callable[[Mapping[str, str]], str]
    options: Mapping[str, OptionWords] = field(default_factory=dict)
    concerns: Mapping[str, Sentence] = field(default_factory=dict)
