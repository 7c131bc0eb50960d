"""The explanation of a round of US Chess pairing in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pairing.engine.trace import BracketTrace, PairTrace, PlayerExplanation, Reason, RoundTrace
from pairing.words.explanation import Paragraph, Statement, Words

from .sentences import SENTENCES

POINTS = frozenset({"points", "more", "high", "low"})
"""Parameters in tenths of a point. In "structure_points" the two costs are points too."""


class UsChessWords(Words):
    """Says the bye, the score structure, the floats, the switches and the colours."""

    sentences = SENTENCES

    def _statement(
        self, reason: Reason, params: Mapping[str, Any], *, together: Sequence[int] = ()
    ) -> Statement:
        tenths = POINTS | {"found", "best"} if reason.code == "structure_points" else POINTS
        shown = {key: self.points(value) if key in tenths else value for key, value in params.items()}
        return super()._statement(reason, shown, together=together)

    def lead_of_round(self, trace: RoundTrace) -> list[Paragraph]:
        """The bye, and how the score groups are joined. The steps of the round have the rest."""
        return [self.bye(trace.bye)[:1], self.reasons(trace.steps[:1])]

    def lead_of_bracket(self, bracket: BracketTrace) -> list[Paragraph]:
        """Who is in it and who floats; the switches in short; who misses a colour."""
        steps = bracket.steps
        last = ("halves", "halves_switched", "switch", "switch_unrated", "mended", "missed")
        paragraphs = [
            self.reasons(reason for reason in steps if reason.code not in last),
            self.reasons(
                reason for reason in steps if reason.code in last and not reason.code.startswith("switch")
            ),
        ]
        return [paragraph for paragraph in paragraphs if paragraph]

    def lead_of_pair(
        self, explanation: PlayerExplanation, _bracket: BracketTrace, pair: PairTrace
    ) -> list[Paragraph]:
        """Why they meet; the other reasons; the colours."""
        opponent = next(answer for answer in explanation.answers if answer.question == "opponent")
        first, *others = self.reasons(opponent.reasons)
        return [[first], *([others] if others else []), [self.reason(pair.colours)]]
