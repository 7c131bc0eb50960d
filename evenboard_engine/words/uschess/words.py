"""All words of US Chess pairing, with the explanation of a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evenboard_engine.systems.uschess import options as uschess
from evenboard_engine.systems.uschess.options import MateRule
from evenboard_engine.trace import BracketTrace, ByeTrace, PairTrace, PlayerExplanation, Reason
from evenboard_engine.words.catalogue import gettext_noop as _
from evenboard_engine.words.explanation import Paragraph, Statement, Words
from evenboard_engine.words.explanation import together as join
from evenboard_engine.words.systems import OptionWords, SystemWords

from .differences import CONCERNS, sentence
from .sentences import SENTENCES

# The explanation of a round of US Chess pairing in sentences.

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


# All words of US Chess pairing.

MATES: dict[str, str] = {
    MateRule.IGNORE: _("ignore"),
    MateRule.IF_REQUIRED: _("avoid, but drop no more players for it"),
    MateRule.DONT: _("never if possible, whatever it costs"),
}


def heading(_options: Mapping[str, str]) -> str:
    return "Rules of US Chess by number. WinTD: what it decides about floats, teams and clubs. D: docs/uschess.md."


US_CHESS_WORDS = SystemWords(
    name=_("US Chess"),
    summary=_(
        "In each score group the upper half by rating meets the lower half, with switches for colours. Players float "
        "as the program WinTD decides it, over all groups at once."
    ),
    audience=_("It suits tournaments of US Chess, also with unrated players, teams or clubs."),
    standing=_(
        "US Chess rule book, 7th edition, rules 27 to 29. It is not a system of FIDE, so a tournament that FIDE rates "
        "needs an authorisation for it (C.04.2, 1)."
    ),
    rules=_("rules 27 to 29, with the float decisions of WinTD"),
    numbers=_(
        "Numbers in the margin are rules of US Chess. WinTD stands for what that program decides about floats, teams "
        "and clubs, and D for a decision of this program. (M) marks a rule that was known only by its number."
    ),
    explanation=UsChessWords,
    difference=sentence,
    heading=heading,
    options={
        uschess.HIGH.name: OptionWords(
            label=_("Largest switch that equalises colours"),
            meaning=_("In points of rating. The rules say 200."),
            term=_("largest switch that equalises colours"),
        ),
        uschess.LOW.name: OptionWords(
            label=_("Largest switch that alternates colours"),
            meaning=_("In points of rating, not above the other limit. The rules say 80."),
            term=_("largest switch that alternates colours"),
        ),
        uschess.AVOID_UNRATED.name: OptionWords(
            label=_("Avoid dropping unrated players"),
            meaning=_(
                "Rated players are dropped first. Without it, unrated players count as the lowest ranked."
            ),
            term=_("unrated players not dropped"),
        ),
        uschess.HARKNESS.name: OptionWords(
            label=_("Drop the middle player (Harkness)"),
            meaning=_("Else the lowest player of the score group is dropped."),
            term=_("middle player dropped"),
        ),
        uschess.AVOID_SWAP.name: OptionWords(
            label=_("Avoid changes of the floaters"),
            meaning=_("Differences of rating count twice when another player is dropped or raised."),
            term=_("changes of the floaters avoided"),
        ),
        uschess.MAX_DROP.name: OptionWords(
            label=_("Avoid drops of more than"),
            meaning=_(
                "All other rules give way to this limit, even that nobody meets twice. If in doubt, set no limit."
            ),
            term=_("limit for drops"),
        ),
        uschess.TEAM_RULE.name: OptionWords(
            label=_("Teammates"),
            meaning=_(
                "How the pairing keeps players of one team apart. The option can change who is dropped."
            ),
            term=_("teammates"),
            values=MATES,
        ),
        uschess.CLUB_RULE.name: OptionWords(
            label=_("Clubmates"),
            meaning=_(
                "How the pairing keeps players of one club apart. The option can change who is dropped."
            ),
            term=_("clubmates"),
            values=MATES,
        ),
        uschess.BYE_28L5.name: OptionWords(
            label=_("Bye by rule 28L5"),
            meaning=_(
                "In a tournament of four rounds, the bye goes to rated players of the next score group before unrated "
                "players of the lowest one."
            ),
            term=_("bye by rule 28L5"),
        ),
    },
    concerns=CONCERNS,
)
