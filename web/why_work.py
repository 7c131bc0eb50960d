"""The steps of a bracket for a reader who works them out: two lists, and a question for each row of the first one."""

from __future__ import annotations

from dataclasses import dataclass

from evenboard_engine import Colour
from evenboard_engine.systems.system import Explainer
from evenboard_engine.trace import BracketTrace, PairTrace
from evenboard_engine.words.explanation import ExplanationColumn, Statement, Words
from tournaments.queries.explanation import RoundExplanation
from tournaments.queries.field import Side
from web.why_parts import colours_of

ROWS = 50
"""In one part of a long bracket."""
PARTS = 200


@dataclass(frozen=True, slots=True)
class Step:
    """A row: whom does `first` meet? first_name, second_name: number and surname. passed: who comes earlier in the
    order, with the reason why not. why: the opponent and the colours, in sentences.
    """

    number: int
    first: Side
    second: Side
    first_name: str
    second_name: str
    first_has: Colour
    board: int | None
    passed: tuple[tuple[Side, Statement], ...]
    why: tuple[Statement, ...]

    @property
    def passed_keys(self) -> str:
        """Return the players who come earlier, for the script."""
        return " ".join(str(side.participant_id) for side, _statement in self.passed)


@dataclass(frozen=True, slots=True)
class Work:
    """A part of a bracket. firsts, seconds: the lists, () if the system has no such lists. columns: their names."""

    steps: tuple[Step, ...]
    firsts: tuple[tuple[Side, float], ...]
    seconds: tuple[Side, ...]
    columns: tuple[ExplanationColumn, ExplanationColumn] | None


def parts_of(bracket: BracketTrace) -> int:
    """Return the number of parts."""
    return max(1, -(-len(bracket.pairs) // ROWS))


def part_of(
    found: RoundExplanation, explainer: Explainer, words: Words, bracket: BracketTrace, part: int
) -> Work:
    """Return a part of a bracket, from 1. The second list has the players who are taken or passed in this part."""
    first = (part - 1) * ROWS
    rows = bracket.pairs[first : first + ROWS]
    steps = tuple(
        _step(found, explainer, words, pair, number) for number, pair in enumerate(rows, start=first + 1)
    )
    if not bracket.g1:
        return Work(steps, (), (), None)
    aro = {member.id: member.aro for member in (*bracket.g1, *bracket.g2)}
    concerned = {key for pair in rows for key in (pair.second, *(one.player for one in pair.passed))}
    return Work(
        steps,
        tuple((found.field.side(pair.first), aro[pair.first]) for pair in rows),
        tuple(found.field.side(key) for key in bracket.order if key in concerned),
        words.columns(bracket),
    )


def _step(found: RoundExplanation, explainer: Explainer, words: Words, pair: PairTrace, number: int) -> Step:
    explanation = explainer.player(pair.first)
    opponent = next(answer for answer in explanation.answers if answer.question == "opponent")
    has_white = pair.white == pair.first
    return Step(
        number=number,
        first=found.field.side(pair.first),
        second=found.field.side(pair.second),
        first_name=words.name(pair.first),
        second_name=words.name(pair.second),
        first_has=Colour.WHITE if has_white else Colour.BLACK,
        board=found.boards.get(pair.white) if found.is_played(pair) else None,
        passed=tuple((found.field.side(one.player), words.reason(one.reason)) for one in pair.passed),
        why=(words.reason(opponent.reasons[0]), colours_of(found, words, pair)),
    )
