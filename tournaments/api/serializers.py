"""The JSON that programs read. Points are in tenths. A result is a code of `pairing.engine.Result`, or null."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class SideSerializer(serializers.Serializer[Any]):
    """One side of a board. points: in tenths, before the round."""

    tpn = serializers.IntegerField()
    name = serializers.CharField()
    title = serializers.CharField()
    federation = serializers.CharField()
    rating = serializers.IntegerField()
    points = serializers.IntegerField()


class BoardSerializer(serializers.Serializer[Any]):
    board = serializers.IntegerField()
    white = SideSerializer()
    black = SideSerializer()
    result = serializers.CharField()


class ByeSerializer(serializers.Serializer[Any]):
    player = SideSerializer(source="side")
    kind = serializers.CharField()


class RoundSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    state = serializers.CharField()
    published_at = serializers.DateTimeField()
    boards = BoardSerializer(many=True)
    byes = ByeSerializer(many=True)


class StandingSerializer(serializers.Serializer[Any]):
    """A row of the standings. aro: 0 if the player has no game; left out where the system has no list of ARO."""

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

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()
        if "aro" not in self.context.get("lists", ("aro",)):
            del fields["aro"]
        return fields


class StandingsSerializer(serializers.Serializer[Any]):
    after_round = serializers.IntegerField()
    final = serializers.BooleanField()
    rows = StandingSerializer(many=True)
