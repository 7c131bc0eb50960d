"""The explanation of a round of the Dutch System: sentences, and paragraphs for the head of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evenboard_engine.systems.dutch.options import EDITION, DutchEdition
from evenboard_engine.trace import BracketTrace, PairTrace, PlayerExplanation, Reason
from evenboard_engine.words.catalogue import gettext_noop as _
from evenboard_engine.words.explanation import (
    ExplanationColumn,
    Paragraph,
    Statement,
    Words,
    each_once,
    together,
)
from evenboard_engine.words.systems import OptionWords, SystemWords

from .differences import CONCERNS, sentence
from .sentences import OPENINGS, SENTENCES, VERDICTS

OBSTACLES = ("met", "forbidden", "absolute")
POINTS = ("points", "bracket")
NUMBERS = ("found", "best", "down", "up", "best_down", "best_up")


class DutchWords(Words):
    """Says the bye, who floats, the exchange, the transposition and the colours."""

    sentences = SENTENCES
    lead_is_complete = True

    def reason(self, reason: Reason) -> Statement:
        """Say a reason; of a candidate that was not taken first what it is, then by which criterion it loses."""
        params: dict[str, Any] = dict(reason.params)
        if "lent" in params or reason.code == "virtual":
            return super().reason(reason)
        for key, value in params.items():
            if key in POINTS:
                params[key] = self.points(value)
            elif key in NUMBERS and isinstance(value, tuple):
                params[key] = self._listed(list(map(str, value)))
        statement = super().reason(Reason(reason.code, params))
        if reason.code not in VERDICTS:
            return statement
        if "other" in params:
            opening = "float_to" if "floats" in params else "meet"
        elif "player" in params:
            opening = "kept" if "kept" in params else "bye" if "bye" in params else "float"
        else:
            opening = "stay"
        named = {key: self.name(params[key]) for key in ("player", "other") if key in params}
        shown = {**params, **named}
        first = self._text(OPENINGS[opening], params, shown)
        return Statement(f"{first} {statement.text}", each_once(statement.articles))

    def has_sides(self, _bracket: BracketTrace) -> bool:
        return False

    def columns(self, _bracket: BracketTrace) -> tuple[ExplanationColumn, ExplanationColumn]:
        return self._columns((_("S1"), ""), (_("S2"), ""))

    def lead_of_bracket(self, bracket: BracketTrace) -> list[Paragraph]:
        """All steps: who is in the bracket and who floats; how the others are paired; who misses a colour.

        The reasons why others do not float, and why S2 is put in another order, are below the step.
        """
        parts: list[list[Reason]] = [[]]
        for step in bracket.steps:
            begins = step.code == "missed" or (
                len(parts) == 1 and step.code in ("moved_pair", "halves", "halves_over")
            )
            if begins:
                parts.append([])
            parts[-1].append(step)
        return [self._paragraph(part) for part in parts]

    def _paragraph(self, part: Sequence[Reason]) -> Paragraph:
        detailed = [
            one for one in part if one.code in OBSTACLES or (one.code in VERDICTS and "player" in one.params)
        ]
        first = self.reasons(one for one in part if one not in detailed)
        return [*first[:-1], replace(first[-1], below=tuple(self.reasons(detailed)))]

    def step_of(self, paragraph: Paragraph) -> Statement:
        return replace(together(paragraph), below=paragraph[-1].below)

    def position(self, bracket: BracketTrace) -> list[Statement]:
        """Return who floats, and S1 and S2 with their exchange, but no pair."""
        ends = [
            at for at, step in enumerate(bracket.steps) if step.code in ("straight", "transposed", "missed")
        ]
        return self.reasons(
            step for step in bracket.steps[: min(ends, default=None)] if step.code != "moved_pair"
        )

    def lead_of_pair(
        self, explanation: PlayerExplanation, _bracket: BracketTrace, pair: PairTrace
    ) -> list[Paragraph]:
        """Why they meet; the colours. Those who were passed are a list of their own."""
        opponent = next(answer for answer in explanation.answers if answer.question == "opponent")
        why = opponent.reasons[: len(opponent.reasons) - len(pair.passed)]
        return [self.reasons(why), [self.reason(pair.colours)]]

    def why_they_meet(self, reasons: Sequence[Reason]) -> list[Statement]:
        is_first = reasons[1:] and reasons[1].code == "first_free"
        return self.reasons(reasons[: 2 if is_first else 1])


# All words of the Dutch System.


def heading(_options: Mapping[str, str]) -> str:
    return f"Articles of C.04.3, edition of {DutchEdition.E2026.value}."


DUTCH_WORDS = SystemWords(
    name=_("Dutch System"),
    summary=_(
        "Within each score group the upper half by rating meets the lower half, first with first. Most FIDE-rated "
        "tournaments are paired by it."
    ),
    audience=_("It suits nearly every tournament, and players know it from others."),
    standing=_(
        "FIDE Handbook C.04.3, edition of 1 February 2026. FIDE has not endorsed this program for it. Ask your "
        "federation before a rated tournament, and name the system in the report."
    ),
    rules=_("FIDE C.04.3, edition of %(edition)s"),
    numbers=_(
        "Numbers in the margin are articles of the Dutch System, FIDE Handbook C.04.3, edition of %(edition)s."
    ),
    options={
        EDITION.name: OptionWords(
            label=_("Edition of the rules"),
            meaning="",
            term=_("edition of the rules"),
            values={DutchEdition.E2026: _("1 February 2026")},
        ),
    },
    explanation=DutchWords,
    difference=sentence,
    concerns=CONCERNS,
    heading=heading,
)
