"""The explanation of a round as JSON: the sentences of each board, in the language of the reader."""

from __future__ import annotations

from typing import Any

from evenboard_engine.words.explanation import Statement, Words
from tournaments.queries.explanation import RoundExplanation
from web.context import section_url
from web.explained import PROGRAM, Explained
from web.why_parts import lead_of_pair, sentences_by_rules, words_of_round

from .serializers import SideSerializer


def explanation_values(shown: Explained) -> dict[str, Any]:
    """Return the boards with their sentences, the bye, and where the file is."""
    section, number = shown.found.field.section, shown.found.field.before_round
    file = {
        "url": section_url("round-file", section, number=number),
        "sha256": shown.checksum,
        "program": PROGRAM,
    }
    return {**explained_boards(shown.found), "file": file}


def explained_boards(found: RoundExplanation) -> dict[str, Any]:
    """Return the boards with their sentences, and the bye. as_by_rules: False for a pair by hand."""
    words = words_of_round(found)
    pairs = sorted(set(found.played.values()), key=lambda pair: found.boards[pair[0]])
    return {
        "as_by_rules": not found.differs,
        "boards": [_board(found, words, *pair) for pair in pairs],
        "bye": None if found.bye is None else found.field.participants[found.bye].tpn,
    }


def _board(found: RoundExplanation, words: Words, white: int, black: int) -> dict[str, Any]:
    return {
        "board": found.boards[white],
        "white": SideSerializer(found.field.side(white)).data,
        "black": SideSerializer(found.field.side(black)).data,
        "why": [
            {"text": one.text, "articles": list(one.articles)} for one in _why(found, words, white, black)
        ],
    }


def _why(found: RoundExplanation, words: Words, white: int, black: int) -> list[Statement]:
    if found.explainer is None:
        return []
    if found.departs(white):
        sentences = sentences_by_rules(found, found.explainer, words, (white, black))
        return [Statement(sentence, ()) for sentence in sentences]
    return lead_of_pair(found, found.explainer, words, white)
