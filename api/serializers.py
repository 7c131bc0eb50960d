"""The JSON that programs read. Points are in tenths. A result is a code of `evenboard_engine.Result`, or null."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rest_framework import serializers

from tournaments.queries.standings import StandingRow, StandingsTable


class ListShape(serializers.Serializer[Any]):
    """The envelope of every list: `results` has its rows. next, previous: addresses of the pages beside it, or null."""

    next = serializers.URLField(allow_null=True, read_only=True, default=None)
    previous = serializers.URLField(allow_null=True, read_only=True, default=None)


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
    result = serializers.CharField(allow_null=True)


class ByeSerializer(serializers.Serializer[Any]):
    player = SideSerializer(source="side")
    kind = serializers.CharField()


class RoundSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    state = serializers.CharField()
    published_at = serializers.DateTimeField(allow_null=True)
    boards = BoardSerializer(many=True)
    byes = ByeSerializer(many=True)


class StandingSerializer(serializers.Serializer[Any]):
    """A row of the standings. place: shared by players who are level in everything.

    aro: 0 if the player has no game; left out where the system has no list of ARO. tie_breaks: the values in the order
    of the list's `tie_breaks`; null where a tie-break has no value.
    """

    place = serializers.IntegerField()
    tpn = serializers.IntegerField()
    name = serializers.CharField()
    title = serializers.CharField()
    federation = serializers.CharField()
    rating = serializers.IntegerField()
    points = serializers.IntegerField()
    aro = serializers.IntegerField(required=False)
    games = serializers.IntegerField()
    withdrawn = serializers.BooleanField()
    tie_breaks = serializers.SerializerMethodField()

    def get_tie_breaks(self, row: StandingRow) -> list[float | None]:
        return [None if value is None else _number(value) for value in row.values]

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()
        if "aro" not in self.context.get("lists", ("aro",)):
            del fields["aro"]
        return fields


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else round(float(value), 3)


class StandingsSerializer(ListShape):
    """tie_breaks: the codes after the points, in order. provisional: results are missing or games adjourned."""

    after_round = serializers.IntegerField(source="state.complete_round")
    final = serializers.BooleanField()
    provisional = serializers.BooleanField(source="state.provisional")
    tie_breaks = serializers.SerializerMethodField()

    def get_tie_breaks(self, table: StandingsTable) -> list[str]:
        return [rule.text for rule in table.tie_breaks]

    results = StandingSerializer(many=True, source="rows")


def iso_birth_date(text: str) -> str:
    """Return a birth date that has 00 for what is unknown, and slashes, as ISO 8601 has it."""
    return "-".join(part for part in text.replace("/", "-").split("-") if part != "00")


def with_iso_dates(values: Any) -> Any:
    """Return values of the database, such as those of the log, with their birth dates as ISO 8601 has them."""
    if isinstance(values, dict):
        return {
            name: iso_birth_date(value)
            if name == "birth_date" and isinstance(value, str)
            else with_iso_dates(value)
            for name, value in values.items()
        }
    return [with_iso_dates(value) for value in values] if isinstance(values, list) else values
