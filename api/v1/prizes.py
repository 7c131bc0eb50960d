"""The prizes of a section, and who wins them with the results of now. Money is in hundredths."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from base.text import one_line
from evenboard_engine.prizes import Method
from tournaments.actions.prizes import set_prizes
from tournaments.models import PrizeCategory, PrizePlan, Scope, Section, Sex
from tournaments.models.events import federation_form
from tournaments.models.prizes import (
    LARGEST_PRIZE,
    LONGEST_CURRENCY,
    LONGEST_NAME,
    MOST_CATEGORIES,
    MOST_PRIZES,
    UNRATED_ASKED,
    Units,
    Unrated,
)
from tournaments.queries.prizes import prize_list

from .bodies import BodySerializer
from .operations import SET_UP, reads, writes
from .shapes import ListShape, Shape
from .view import View

METHODS = [method.value for method in Method]
SEXES = ["", Sex.FEMALE.value, Sex.MALE.value]
RATING: dict[str, Any] = {"min_value": 0, "max_value": 3_999}
YEAR: dict[str, Any] = {"min_value": 0, "max_value": 2_999}


class CategoryBody(BodySerializer):
    """prizes: from the first place on, none larger than the one before. born_from, born_to: years. 0 or "": none.
    unrated: required with a limit of the rating.
    """

    name = serializers.CharField(max_length=LONGEST_NAME)
    prizes = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST_PRIZE),
        min_length=1,
        max_length=MOST_PRIZES,
    )
    method = serializers.ChoiceField(choices=METHODS, default=Method.EQUAL.value)
    sex = serializers.ChoiceField(choices=SEXES, default="")
    rating_from = serializers.IntegerField(default=0, **RATING)
    rating_to = serializers.IntegerField(default=0, **RATING)
    unrated = serializers.ChoiceField(choices=Unrated.values, required=False)
    born_from = serializers.IntegerField(default=0, **YEAR)
    born_to = serializers.IntegerField(default=0, **YEAR)
    club = serializers.CharField(max_length=LONGEST_NAME, allow_blank=True, default="")
    federations = serializers.ListField(
        child=serializers.RegexField(federation_form, max_length=3), max_length=MOST_PRIZES, default=list
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        for first, last in (("rating_from", "rating_to"), ("born_from", "born_to")):
            if attrs[last] and attrs[first] > attrs[last]:
                text = _("This is below the other limit, so nobody could win.")
                raise serializers.ValidationError({last: [serializers.ErrorDetail(text, "invalid")]})
        if "unrated" not in attrs and (attrs["rating_from"] or attrs["rating_to"]):
            detail = serializers.ErrorDetail(str(UNRATED_ASKED), "required")
            raise serializers.ValidationError({"unrated": [detail]})
        return {"unrated": Unrated.TOO.value, **attrs}


class PrizesBody(BodySerializer):
    """unit: all sums are a multiple of it. best_only: each player wins in one category only. rest_to_best: what
    rounding leaves goes to the best placed. withdrawn: players who withdrew may win. Without categories, there are no
    prizes.
    """

    categories = serializers.ListField(child=CategoryBody(), max_length=MOST_CATEGORIES)
    currency = serializers.CharField(max_length=LONGEST_CURRENCY, allow_blank=True, default="")
    unit = serializers.ChoiceField(choices=Units.values, default=Units.ONE.value)
    best_only = serializers.BooleanField(default=True)
    rest_to_best = serializers.BooleanField(default=True)
    withdrawn = serializers.BooleanField(default=False)


class CategoryShape(Shape):
    """Prizes in hundredths, and who may win them. 0 or "": no limit of this kind."""

    name = serializers.CharField()
    prizes = serializers.ListField(child=serializers.IntegerField())
    method = serializers.ChoiceField(choices=METHODS)
    sex = serializers.ChoiceField(choices=SEXES)
    rating_from = serializers.IntegerField()
    rating_to = serializers.IntegerField()
    unrated = serializers.ChoiceField(choices=Unrated.values)
    born_from = serializers.IntegerField()
    born_to = serializers.IntegerField()
    club = serializers.CharField(allow_blank=True)
    federations = serializers.ListField(child=serializers.CharField())


class PrizesShape(Shape):
    categories = CategoryShape(many=True)
    currency = serializers.CharField(allow_blank=True)
    unit = serializers.IntegerField()
    best_only = serializers.BooleanField()
    rest_to_best = serializers.BooleanField()
    withdrawn = serializers.BooleanField()


class WinnerShape(Shape):
    """places: the first and the last place, counted in the category, of all who share it."""

    entry = serializers.IntegerField()
    name = serializers.CharField()
    places = serializers.ListField(child=serializers.IntegerField())
    amount = serializers.IntegerField()


class WonShape(Shape):
    """left: what nobody gets. unknown: players who may not win only because a fact is missing."""

    category = serializers.CharField()
    winners = WinnerShape(many=True)
    left = serializers.IntegerField()
    unknown = serializers.IntegerField()


class WinnersShape(ListShape):
    """The categories with their winners. started: a round is published. provisional: a result is missing, or a game is
    adjourned.
    """

    revision = serializers.IntegerField()
    started = serializers.BooleanField()
    provisional = serializers.BooleanField()
    currency = serializers.CharField(allow_blank=True)
    results = WonShape(many=True)


class PrizesView(View):
    def show(self, row: Section) -> Any:
        plan = row.prize_plan
        categories = [{**asdict(one), "method": one.method.value} for one in plan.categories]
        return PrizesShape({**asdict(plan), "categories": categories}).data

    @reads("Read the prizes of a section", answer=PrizesShape)
    def get(self) -> Any:
        return self.section

    @writes(
        "Announce the prizes of a section, or change them",
        Scope.SETTINGS_WRITE,
        SET_UP,
        PrizesBody,
        PrizesShape,
        matched=True,
    )
    def put(self) -> Any:
        sent = self.sent
        categories = tuple(_category(one) for one in sent.pop("categories"))
        plan = PrizePlan(categories, **{**sent, "currency": one_line(sent["currency"])})
        return set_prizes(actor=self.actor, section_id=self.section.pk, plan=plan)


def _category(sent: dict[str, Any]) -> PrizeCategory:
    return PrizeCategory(
        **{
            **sent,
            "name": one_line(sent["name"]),
            "club": one_line(sent["club"]),
            "prizes": tuple(sent["prizes"]),
            "method": Method(sent["method"]),
            "federations": tuple(dict.fromkeys(sent["federations"])),
        }
    )


class WinnersView(View):
    @reads("Read who wins which prize with the results of now", answer=WinnersShape)
    def get(self) -> Any:
        listed = prize_list(self.section)
        categories = [
            {
                "category": found.category.name,
                "winners": [
                    {
                        "entry": won.row.participant_id,
                        "name": won.row.name,
                        "places": won.award.same,
                        "amount": won.award.amount,
                    }
                    for won in found.winners
                ],
                "left": found.left,
                "unknown": found.unknown,
            }
            for found in listed.categories
        ]
        return WinnersShape(
            {
                "revision": self.section.revision,
                "started": listed.started,
                "provisional": listed.state.provisional,
                "currency": listed.plan.currency,
                "results": categories,
            }
        ).data
