"""The JSON of explanations, with sentences in the language of the reader, and of fairness."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from evenboard_engine.words.explanation import Statement, Words
from tournaments.queries.why import RoundExplanation
from web.why import lead_of_pair, sentences_by_rules, words_of_round

from .shapes import PublicSideShape, Shape


class SentenceShape(Shape):
    text = serializers.CharField()
    articles = serializers.ListField(child=serializers.CharField())


class WhyShape(Shape):
    board = serializers.IntegerField()
    white = PublicSideShape()
    black = PublicSideShape()
    why = SentenceShape(many=True)


class SourceShape(Shape):
    """The tournament file before the round, and what paired it. engine: its address."""

    url = serializers.CharField()
    sha256 = serializers.CharField()
    program = serializers.CharField()
    engine = serializers.CharField()
    rules = serializers.CharField()


class RoundWhyShape(Shape):
    """Why a round was paired in this way. as_by_rules: it is the one that the rules give. bye: a pairing number."""

    revision = serializers.IntegerField()
    number = serializers.IntegerField()
    as_by_rules = serializers.BooleanField()
    boards = WhyShape(many=True)
    bye = serializers.IntegerField(allow_null=True)


class ExplainedShape(RoundWhyShape):
    """As RoundWhyShape, with the file from which the round can be paired again."""

    file = SourceShape()


class SpreadShape(Shape):
    """width: the highest ARO minus the lowest, deviation: the standard deviation, in Elo."""

    width = serializers.FloatField()
    deviation = serializers.FloatField()


class SpreadsShape(Shape):
    """points: of the score group, null for all together."""

    points = serializers.IntegerField(allow_null=True)
    players = serializers.IntegerField()
    before = SpreadShape(allow_null=True)
    after = SpreadShape(allow_null=True)


class FairRoundShape(Shape):
    number = serializers.IntegerField()
    groups = SpreadsShape(many=True)


class FairnessShape(Shape):
    """How fair the pairings were. agreement: from -1 to 1. quality: from 0, which is even, to 2."""

    revision = serializers.IntegerField()
    measured_after = serializers.IntegerField()
    agreement = serializers.FloatField(allow_null=True)
    pairs = serializers.IntegerField()
    quality = serializers.DictField(child=serializers.FloatField(allow_null=True))
    rounds = FairRoundShape(many=True)


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
        "white": PublicSideShape(found.field.side(white)).data,
        "black": PublicSideShape(found.field.side(black)).data,
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
