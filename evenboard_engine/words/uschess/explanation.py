"""The explanation of a round of US Chess pairing in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evenboard_engine.trace import BracketTrace, ByeTrace, PairTrace, PlayerExplanation, Reason
from evenboard_engine.words.explanation import Paragraph, Statement, Words
from evenboard_engine.words.explanation import together as join

from .sentences import SENTENCES

POINTS = frozenset({"points", "more", "high", "low"})
"""Parameters in tenths of a point. In "structure_points" the two costs are points too."""
OPENING = ("group", "float_", "halves", "would_", "more_switches")
"""How the codes begin that open a paragraph about a score group. Several "would_" in a row are one paragraph."""


class UsChessWords(Words):
    """Says the bye, the score structure, the floats, the switches and the colours."""

    sentences = SENTENCES
    lead_is_complete = True
    has_brackets = False
    pairs_begin = ("halves", "would_", "more_switches")

    def _statement(
        self, reason: Reason, params: Mapping[str, Any], *, together: Sequence[int] = ()
    ) -> Statement:
        tenths = POINTS | {"found", "best"} if reason.code == "structure_points" else POINTS
        shown = {key: self.points(value) if key in tenths else value for key, value in params.items()}
        statement = super()._statement(reason, shown, together=together)
        if "due" not in params:
            return statement
        due = super()._statement(Reason("both_due", {"colour": params["due"]}), {"colour": params["due"]})
        return join([due, statement])

    def lead_of_bracket(self, bracket: BracketTrace) -> list[Paragraph]:
        """All steps: who is in it; each float; the halves; each turn of switches with its reasons; the rest."""
        paragraphs: list[Paragraph] = []
        before = ""
        for step in bracket.steps:
            opens = step.code.startswith(OPENING) and not (step.code[:6] == before[:6] == "would_")
            if opens or not paragraphs:
                paragraphs.append([])
            paragraphs[-1].append(self.reason(step))
            before = step.code
        return paragraphs

    def lead_of_pair(
        self, explanation: PlayerExplanation, _bracket: BracketTrace, pair: PairTrace
    ) -> list[Paragraph]:
        """Why they meet, with all reasons; the colours."""
        opponent = next(answer for answer in explanation.answers if answer.question == "opponent")
        return [self.reasons(opponent.reasons), [self.reason(pair.colours)]]

    def step_of(self, paragraph: Paragraph) -> Statement:
        """Return the first sentence, and the others as a list below it."""
        first, *others = paragraph
        return replace(first, below=tuple(others))

    def steps_of_bye(self, bye: ByeTrace) -> list[Statement]:
        """Return who got the bye, with the reasons below it, and why others did not."""
        return [self.step_of(self.bye_given(bye)), *self.bye_passed(bye)]
