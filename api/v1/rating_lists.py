"""The rating lists of a section: which are in force, who is in them, and which entries differ from them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tournaments.actions.rating_lists import set_list_use, set_rating_lists, take_new_ratings
from tournaments.models import Scope, Section
from tournaments.queries.rating_lists import (
    MOST_LISTS,
    Hit,
    codes_to_choose,
    found_in_lists,
    list_comparison,
    lists_in_force,
)

from .bodies import LARGEST, BodySerializer, Confirm
from .operations import SET_UP, reads, writes
from .shapes import BirthDateField, ListShape, Shape
from .view import View


class InForceShape(Shape):
    """code: such as FIDE:rapid+ (rapid, else standard). list: the one in force with its month, "" without one."""

    code = serializers.CharField()
    list = serializers.CharField(allow_blank=True, source="label")


class RatingListsShape(Shape):
    """lists: in order, the main one first. choices: codes of lists on this server. minimum_rating: of players whom no
    list rates, 0 for none.
    """

    lists = InForceShape(many=True)
    choices = serializers.ListField(child=serializers.CharField())
    lists_compared = serializers.BooleanField()
    minimum_rating = serializers.IntegerField()


class SequenceBody(BodySerializer):
    """codes: the main list first."""

    codes = serializers.ListField(
        child=serializers.CharField(max_length=40), min_length=1, max_length=MOST_LISTS
    )


class UseBody(BodySerializer):
    """lists_compared: compare new lists by themselves. minimum_rating: 0 for none."""

    lists_compared = serializers.BooleanField()
    minimum_rating = serializers.IntegerField(min_value=0, max_value=3_999)


class PersonQuery(BodySerializer):
    """search: an ID, or parts of a name of three letters or more."""

    search = serializers.CharField(max_length=80)


class FoundRating(Shape):
    """A rating in a list of the section."""

    code = serializers.CharField()
    list = serializers.CharField()
    rating = serializers.IntegerField()


class PersonShape(Shape):
    """A player of a rating list. ratings: in the order of the section's lists."""

    name = serializers.CharField()
    fide_id = serializers.IntegerField(allow_null=True)
    national_id = serializers.CharField(allow_blank=True)
    federation = serializers.CharField(allow_blank=True)
    title = serializers.CharField(allow_blank=True)
    birth_date = BirthDateField()
    ratings = FoundRating(many=True)


class PeopleShape(ListShape):
    results = PersonShape(many=True)


class DifferenceShape(Shape):
    """An entry that differs from the list in force. rating: what it would get. official, national: null without one.
    listed_name: in the list, if it has no word of the name of the entry, else "".
    """

    entry = serializers.IntegerField(source="entry.pk")
    rating_now = serializers.IntegerField(source="entry.rating")
    rating = serializers.IntegerField()
    official = serializers.IntegerField(allow_null=True)
    national = serializers.IntegerField(allow_null=True)
    list = serializers.CharField(source="source.label")
    listed_name = serializers.CharField(allow_blank=True)


class ComparisonShape(Shape):
    """revision: of the section, for the request that takes ratings. not_rated: entries with a rating of a list that no
    list in force rates any more. period: the rating period whose official ratings are compared, if it is a later one.
    """

    revision = serializers.IntegerField()
    differences = DifferenceShape(many=True)
    not_rated = serializers.ListField(child=serializers.IntegerField())
    period = serializers.IntegerField()


class TakeRatingsBody(BodySerializer):
    """entries: that get the ratings of the list. revision: of the comparison. confirm: pairing numbers may change."""

    entries = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST), min_length=1, max_length=10_000
    )
    revision = serializers.IntegerField(min_value=0, max_value=LARGEST)
    confirm = Confirm()


class TakenShape(Shape):
    """changed: how many entries have new ratings."""

    changed = serializers.IntegerField()


class OfLists(View):
    def show(self, row: Section) -> Any:
        shown = {
            "lists": lists_in_force(row),
            "choices": codes_to_choose(row),
            "lists_compared": row.lists_compared,
            "minimum_rating": row.minimum_rating,
        }
        return RatingListsShape(shown).data


class RatingListsView(OfLists):
    @reads("Read which rating lists a section uses", answer=RatingListsShape)
    def get(self) -> Any:
        return self.section

    @writes(
        "Choose the rating lists of a section, in order",
        Scope.SETTINGS_WRITE,
        SET_UP,
        SequenceBody,
        RatingListsShape,
        matched=True,
    )
    def put(self) -> Any:
        return set_rating_lists(actor=self.actor, section_id=self.section.pk, codes=self.sent["codes"])

    @writes(
        "Set how a section uses its rating lists",
        Scope.SETTINGS_WRITE,
        SET_UP,
        UseBody,
        RatingListsShape,
        matched=True,
    )
    def patch(self) -> Any:
        now = {"lists_compared": self.section.lists_compared, "minimum_rating": self.section.minimum_rating}
        return set_list_use(actor=self.actor, section_id=self.section.pk, **{**now, **self.sent})


class ListedPlayersView(View):
    @reads("Search players in the rating lists of a section", answer=PeopleShape, query=PersonQuery)
    def get(self) -> Any:
        found = found_in_lists(self.section, self.asked["search"])
        return PeopleShape({"results": [_person(hit) for hit in found]}).data


def _person(hit: Hit) -> dict[str, Any]:
    one = hit.player
    ratings = [
        {"code": there.code, "list": there.label, "rating": rating} for _, there, rating in hit.ratings
    ]
    return {
        "name": one.name,
        "fide_id": one.fide_id,
        "national_id": hit.national_id,
        "federation": one.federation,
        "title": one.best_title,
        "birth_date": one.born,
        "ratings": ratings,
    }


class ComparisonView(View):
    @reads("Compare the entries of a section with its rating lists", answer=ComparisonShape)
    def get(self) -> Any:
        found = list_comparison(self.section)
        shown = {
            "revision": self.section.revision,
            "differences": found.differences,
            "not_rated": [entry.pk for entry in found.not_rated],
            "period": found.period,
        }
        return ComparisonShape(shown).data

    @writes(
        "Give chosen entries the ratings of the lists in force",
        Scope.SETTINGS_WRITE,
        SET_UP,
        TakeRatingsBody,
        TakenShape,
    )
    def post(self) -> Any:
        done = take_new_ratings(
            actor=self.actor,
            section=self.section,
            chosen=set(self.sent["entries"]),
            seen_revision=self.sent["revision"],
            asked=self.answers,
        )
        return {"changed": done}
