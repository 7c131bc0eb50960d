"""The JSON that programs read. Points are in tenths. A result is a code of `pairing.engine.Result`, or null."""

from __future__ import annotations

from rest_framework import serializers


class SideSerializer(serializers.Serializer):
    """One side of a board. points: in tenths, before the round."""

    tpn = serializers.IntegerField()
    name = serializers.CharField()
    title = serializers.CharField()
    federation = serializers.CharField()
    rating = serializers.IntegerField()
    points = serializers.IntegerField()


class BoardSerializer(serializers.Serializer):
    board = serializers.IntegerField()
    white = SideSerializer()
    black = SideSerializer()
    result = serializers.CharField()


class ByeSerializer(serializers.Serializer):
    player = SideSerializer(source="side")
    kind = serializers.CharField()


class RoundSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    state = serializers.CharField()
    published_at = serializers.DateTimeField()
    boards = BoardSerializer(many=True)
    byes = ByeSerializer(many=True)


class StandingSerializer(serializers.Serializer):
    """A row of the standings. aro: 0 if the player has no game."""

    place = serializers.IntegerField()
    tpn = serializers.IntegerField()
    name = serializers.CharField()
    title = serializers.CharField()
    federation = serializers.CharField()
    rating = serializers.IntegerField()
    points = serializers.IntegerField()
    aro = serializers.IntegerField()
    games = serializers.IntegerField()
    withdrawn = serializers.BooleanField()


class StandingsSerializer(serializers.Serializer):
    after_round = serializers.IntegerField()
    final = serializers.BooleanField()
    rows = StandingSerializer(many=True)
