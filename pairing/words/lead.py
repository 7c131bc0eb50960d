"""The explanation in three short paragraphs, for the head of a page."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.trace import BracketTrace, PairTrace, PlayerExplanation, RoundTrace

from .explanation import Statement, Words

Paragraph = list[Statement]
MOST_OBSTACLES = 2


def lead_of_round(words: Words, trace: RoundTrace) -> list[Paragraph]:
    """The bye; the brackets and the upfloaters; how far the order was kept, and who misses a colour."""
    brackets = trace.brackets
    floated = sum(len(bracket.upfloaters) for bracket in brackets)
    pairs = sum(len(bracket.pairs) for bracket in brackets)
    moved = sum(map(_moved, brackets))
    missed = sum(bracket.missed for bracket in brackets if not bracket.unplayed)
    return [
        words.bye(trace.bye)[:1],
        [words.step("brackets", count=len(brackets)), words.step("floated", count=floated)]
        if floated
        else [words.step("brackets", count=len(brackets)), words.step("floated_none")],
        [words.step("as_ordered", kept=pairs - moved, pairs=pairs)]
        + ([words.step("missed", count=missed)] if missed else []),
    ]


def lead_of_bracket(words: Words, bracket: BracketTrace) -> list[Paragraph]:
    """Who is in it; the two sides and who changes them; how far the order was kept, and who misses a colour."""
    shifts = [words.first_shift(bracket), words.second_shift(bracket)]
    moved, missed = _moved(bracket), words.missed(bracket)
    order = [words.step("moved", count=moved), *_first_obstacles(words, bracket)]
    return [
        members(words, bracket),
        [words.due(bracket), *(shift for shift in shifts if shift is not None)],
        [*(order if moved else [words.step("straight")]), *([missed] if missed is not None else [])],
    ]


def lead_of_pair(
    words: Words, told: PlayerExplanation, bracket: BracketTrace, pair: PairTrace
) -> list[Paragraph]:
    """The bracket of the two; why they meet; why each has this colour."""
    opponent = next(answer for answer in told.answers if answer.question == "opponent")
    return [members(words, bracket), [words.reason(opponent.reasons[0])], [words.reason(pair.colours)]]


def members(words: Words, bracket: BracketTrace) -> Paragraph:
    """How many residents there are, and who is floated up to them."""
    said = [words.residents(bracket), words.reason(bracket.count)]
    return [*said, words.upfloaters(bracket)] if bracket.upfloaters else said


def _first_obstacles(words: Words, bracket: BracketTrace) -> Paragraph:
    """Why the first rows that could not take the player at their own place did not."""
    obstacles = [
        passed.reason
        for pair, ordered in zip(bracket.pairs, bracket.order, strict=True)
        for passed in pair.passed
        if passed.player == ordered
    ]
    return [words.reason(reason) for reason in obstacles[:MOST_OBSTACLES]]


def together(paragraph: Sequence[Statement]) -> Statement:
    """The sentences one after the other, with each of their articles once."""
    articles = dict.fromkeys(number for said in paragraph for number in said.articles)
    return Statement(" ".join(said.text for said in paragraph), tuple(articles))


def _moved(bracket: BracketTrace) -> int:
    """How many players of G2 are not at their place in its order."""
    return sum(pair.second != ordered for pair, ordered in zip(bracket.pairs, bracket.order, strict=True))
