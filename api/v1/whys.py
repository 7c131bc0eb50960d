"""The JSON of explanations and of fairness."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers import SideSerializer

from .shapes import Shape


class SentenceShape(Shape):
    text = serializers.CharField()
    articles = serializers.ListField(child=serializers.CharField())


class WhyShape(Shape):
    board = serializers.IntegerField()
    white = SideSerializer()
    black = SideSerializer()
    why = SentenceShape(many=True)


class SourceShape(Shape):
    """The tournament file before the round."""

    url = serializers.CharField()
    sha256 = serializers.CharField()
    program = serializers.CharField()


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
