"""Forbidden pairs: two players who must not meet, and rules that keep a club, team, federation or family apart."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from rest_framework import serializers

from tournaments.actions.forbidden_pairs import (
    LONGEST_NAME,
    allow_pair,
    change_forbidden_pair,
    change_rule,
    end_rule,
    forbid_pair,
    keep_apart,
)
from tournaments.models import ForbiddenPair, Scope, Section
from tournaments.queries.forbidden_pairs import rule_preview

from .bodies import LARGEST, BodySerializer
from .operations import RUN, reads, writes
from .shapes import ROUNDS, FeedQuery, ListShape, Shape
from .subjects import Subject
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

    @writes("Forbid a pair", Scope.ROUNDS_WRITE, RUN, ForbiddenBody, ForbiddenShape, made="forbidden-pair")
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


class RuleChangeBody(ForbiddenRoundsBody):
    """strict: no round is paired without the rule; else players are kept apart as far as possible."""

    strict = serializers.BooleanField(required=False)


class RuleBody(RuleChangeBody):
    """value: a club, team or federation, "" for each of them; a name for chosen players. players: the entries of the
    chosen ones.
    """

    kind = serializers.ChoiceField(choices=Section.ApartKind.values)
    value = serializers.CharField(max_length=LONGEST_NAME, required=False, allow_blank=True)
    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST), required=False, max_length=300
    )


class PreviewQuery(BodySerializer):
    """The rule, as in the body that makes it."""

    kind = serializers.ChoiceField(choices=Section.ApartKind.values)
    value = serializers.CharField(max_length=LONGEST_NAME, required=False, allow_blank=True, default="")
    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        required=False,
        max_length=300,
        default=list,
    )
    first_round = serializers.IntegerField(required=False, default=1, **ROUNDS)
    last_round = serializers.IntegerField(required=False, allow_null=True, default=None, **ROUNDS)


class PreviewShape(Shape):
    """What a rule would mean for the players of now. met: pairs that have met already. largest: the group that is more
    than half of the players, so that no round keeps all of them apart. uncertain_from: the first round in which so few
    opponents may be left that no round keeps all of them apart.
    """

    groups = serializers.IntegerField()
    players = serializers.IntegerField()
    pairs = serializers.IntegerField()
    met = serializers.IntegerField()
    largest = serializers.CharField(allow_null=True)
    uncertain_from = serializers.IntegerField(allow_null=True)


class RuleShape(Shape):
    """number: of the rule in its section. reason: only for tokens with the scope entries:read, as the name of chosen
    players is.
    """

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Section.ApartKind.values)
    value = serializers.CharField(allow_blank=True, allow_null=True)
    players = serializers.ListField(child=serializers.IntegerField())
    strict = serializers.BooleanField()
    first_round = serializers.IntegerField()
    last_round = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_blank=True, allow_null=True)


class RulesShape(ListShape):
    """results: in the order in which they count."""

    results = RuleShape(many=True)


class OfRules(View):
    def show(self, row: dict[str, Any]) -> Any:
        hidden = [] if self.personal else ["reason", *(["value"] if row["players"] else [])]
        return RuleShape({**row, **dict.fromkeys(hidden)}).data


class ApartRulesView(OfRules):
    @reads("List the rules that keep players apart", answer=RulesShape)
    def get(self) -> Any:
        return RulesShape({"results": [self.show(row) for row in self.section.apart_rules]}).data

    @writes("Keep players apart by a rule", Scope.ROUNDS_WRITE, body=RuleBody, answer=RuleShape, status=201)
    def post(self) -> Any:
        return self.show(keep_apart(actor=self.actor, section_id=self.section.pk, **self.sent))


class ApartRulePreviewView(View):
    @reads("Say what a rule would mean", answer=PreviewShape, query=PreviewQuery)
    def get(self) -> Any:
        found = rule_preview(self.section, {**self.asked, "strict": True})
        return PreviewShape({**asdict(found), "largest": found.largest and found.largest.value}).data


class ApartRuleView(OfRules):
    def find(self) -> Subject:
        found = super().find()
        rules = found.section.apart_rules if found.section else ()
        rule = next((row for row in rules if row["number"] == self.kwargs["rule"]), None)
        if rule is None:
            raise Http404
        return Subject(rule, found.event, found.section)

    @reads("Read a rule that keeps players apart", answer=RuleShape)
    def get(self) -> Any:
        return self.show(self.subject.row)

    @writes(
        "Change a rule that keeps players apart",
        Scope.ROUNDS_WRITE,
        body=RuleChangeBody,
        answer=RuleShape,
        matched=True,
    )
    def patch(self) -> Any:
        row = self.subject.row
        stands = {name: row[name] for name in ("number", "first_round", "last_round", "strict", "reason")}
        return self.show(change_rule(actor=self.actor, section_id=self.section.pk, **{**stands, **self.sent}))

    @writes("End a rule that keeps players apart", Scope.ROUNDS_WRITE, status=204, matched=True)
    def delete(self) -> None:
        end_rule(actor=self.actor, section_id=self.section.pk, number=self.kwargs["rule"])
