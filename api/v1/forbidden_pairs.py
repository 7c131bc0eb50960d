"""Forbidden pairs: two players who must not meet."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from tournaments.actions.forbidden_pairs import allow_pair, change_forbidden_pair, forbid_pair
from tournaments.models import ForbiddenPair, Scope

from .bodies import LARGEST, BodySerializer
from .operations import reads, writes
from .shapes import ROUNDS, FeedQuery, Shape
from .view import View


class ForbiddenRoundsBody(BodySerializer):
    """last_round: null for the end of the section."""

    first_round = serializers.IntegerField(required=False, **ROUNDS)
    last_round = serializers.IntegerField(required=False, allow_null=True, **ROUNDS)
    reason = serializers.CharField(max_length=120)


class ForbiddenBody(ForbiddenRoundsBody):
    """entries: the two players."""

    entries = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST), min_length=2, max_length=2
    )


class ForbiddenShape(Shape):
    """reason: only for tokens with the scope entries:read."""

    id = serializers.IntegerField()
    entries = serializers.ListField(child=serializers.IntegerField())
    first_round = serializers.IntegerField()
    last_round = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_blank=True, allow_null=True)


class OfForbidden(View):
    def show(self, row: ForbiddenPair) -> Any:
        values = {name: getattr(row, name) for name in ("id", "first_round", "last_round")}
        reason = row.reason if self.personal else None
        return ForbiddenShape({**values, "entries": [row.first_id, row.second_id], "reason": reason}).data


class ForbiddenPairsView(OfForbidden):
    model = "forbiddenpair"

    @reads("List the forbidden pairs", answer=ForbiddenShape, query=FeedQuery, many=True, feed=True)
    def get(self) -> QuerySet[ForbiddenPair]:
        return self.section.forbidden_pairs.all()

    @writes(
        "Forbid a pair", Scope.ROUNDS_WRITE, body=ForbiddenBody, answer=ForbiddenShape, made="forbidden-pair"
    )
    def post(self) -> Any:
        first, second = self.sent.pop("entries")
        return forbid_pair(actor=self.actor, section_id=self.section.pk, players=(first, second), **self.sent)


class ForbiddenPairView(OfForbidden):
    @reads("Read a forbidden pair", answer=ForbiddenShape)
    def get(self) -> Any:
        return self.subject.row

    @writes(
        "Change the rounds of a forbidden pair, or its reason",
        Scope.ROUNDS_WRITE,
        body=ForbiddenRoundsBody,
        answer=ForbiddenShape,
        matched=True,
    )
    def patch(self) -> Any:
        row = self.subject.row
        stands = {name: getattr(row, name) for name in ("first_round", "last_round", "reason")}
        return change_forbidden_pair(actor=self.actor, pair_id=row.pk, **{**stands, **self.sent})

    @writes("Allow a forbidden pair again", Scope.ROUNDS_WRITE, status=204, matched=True)
    def delete(self) -> None:
        allow_pair(actor=self.actor, pair_id=self.subject.row.pk)
