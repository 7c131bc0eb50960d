"""Pairing besides the next round: all rounds at once, a round again, a check, lots, numbers of equal players, lists."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from pairing.actions import pair_again
from pairing.all_rounds import pair_all_rounds, publish_all_rounds
from pairing.late_withdrawal import pair_again_without
from pairing.recheck import check_round
from tournaments.actions.equals import order_equals
from tournaments.actions.found import found
from tournaments.actions.lots import draw_lots, set_lots
from tournaments.actions.published_lists import publish_lists
from tournaments.models import Scope

from .bodies import LARGEST, BodySerializer, Confirm
from .operations import ENTRIES, writes
from .requests import WaitingBody, WithdrawBody
from .rounds import OfRound
from .sections import OfSection
from .shapes import ListShape, RoundRow, RoundShape, SectionShape, Shape

KEYS = serializers.ListField(
    child=serializers.IntegerField(min_value=1, max_value=LARGEST), min_length=1, max_length=10_000
)


class AllRoundsBody(WaitingBody):
    """after_round: the last round that you know of. confirm: as in `WaitingBody`."""

    after_round = serializers.IntegerField(min_value=0, max_value=1_000)


class LotsBody(BodySerializer):
    """seed: repeats a draw; without it, one by chance."""

    seed = serializers.CharField(max_length=40, allow_blank=True, required=False, default="")


class OrderBody(BodySerializer):
    """order: entries, first the one with the smallest number. confirm: the numbers may change."""

    order = KEYS
    confirm = Confirm()


class LeaveBody(WithdrawBody):
    """entry: who leaves. confirm: as in `WaitingBody`."""

    entry = serializers.IntegerField(min_value=1, max_value=LARGEST)
    confirm = Confirm()


class RoundsShape(ListShape):
    results = RoundRow(many=True)


class LotsShape(Shape):
    """seed: repeats the draw."""

    seed = serializers.CharField()
    section = SectionShape()


class CheckShape(Shape):
    """same: the draft is the round that the rules give now. boards: those that differ. bye: it is the same. offer:
    it was compared with the round that is offered. nothing: there is neither.
    """

    number = serializers.IntegerField()
    same = serializers.BooleanField()
    boards = serializers.ListField(child=serializers.IntegerField())
    bye = serializers.BooleanField()
    offer = serializers.BooleanField()
    nothing = serializers.BooleanField()


class PublishedListShape(Shape):
    list = serializers.CharField(source="kind")
    after_round = serializers.IntegerField()
    edition = serializers.IntegerField()


class PublishedListsShape(ListShape):
    """The lists that are new. A list that has not changed gets no new edition."""

    results = PublishedListShape(many=True)


class PairAllView(OfRound):
    @writes(
        "Pair all rounds that are left, where they follow from the numbers",
        Scope.ROUNDS_WRITE,
        body=AllRoundsBody,
        after_results=True,
        answer=RoundsShape,
        made="rounds",
    )
    def post(self) -> Any:
        made = pair_all_rounds(actor=self.actor, section_id=self.section.pk, **self.sent)
        return RoundsShape({"results": made}).data


class PublishAllView(OfRound):
    @writes(
        "Publish all drafts",
        Scope.ROUNDS_WRITE,
        body=WaitingBody,
        answer=RoundsShape,
        after_results=True,
    )
    def post(self) -> Any:
        made = publish_all_rounds(actor=self.actor, section_id=self.section.pk)
        return RoundsShape({"results": made}).data


class PairAgainView(OfRound):
    @writes(
        "Pair a draft again from the data of now",
        Scope.ROUNDS_WRITE,
        body=WaitingBody,
        answer=RoundShape,
        matched=True,
        after_results=True,
    )
    def post(self) -> Any:
        return self.shown(pair_again(**self.seen))


class PairWithoutView(OfRound):
    @writes(
        "Withdraw a player and pair the round again, before a board has a result",
        Scope.ROUNDS_WRITE,
        body=LeaveBody,
        after_results=True,
        answer=RoundShape,
        matched=True,
    )
    def post(self) -> Any:
        entry = self.sent.pop("entry")
        found(self.section.participants.all(), "participant", entry)
        return self.shown(pair_again_without(participant_id=entry, **self.sent, **self.seen))


class CheckView(OfRound):
    @writes(
        "Check whether a draft is still the round that the rules give",
        Scope.ROUNDS_WRITE,
        answer=CheckShape,
        matched=True,
    )
    def post(self) -> Any:
        checked = check_round(**self.seen)
        return CheckShape({"offer": False, "nothing": False, **checked, "number": self.round.number}).data


class PublishListView(OfRound):
    @writes(
        "Publish the lists after a round",
        Scope.ROUNDS_WRITE,
        body=WaitingBody,
        answer=PublishedListsShape,
        after_results=True,
    )
    def post(self) -> Any:
        made = publish_lists(actor=self.actor, section_id=self.section.pk, after_round=self.round.number)
        return PublishedListsShape({"results": made}).data


class Ordered(OfSection):
    @property
    def ordered(self) -> dict[str, Any]:
        return {
            "actor": self.actor,
            "section_id": self.section.pk,
            "order": self.sent["order"],
            "seen_revision": self.section.revision,
            "asked": self.answers,
        }


class LotsView(Ordered):
    @writes(
        "Draw the numbers of all players by lot",
        Scope.ROUNDS_WRITE,
        body=LotsBody,
        answer=LotsShape,
        matched=True,
    )
    def post(self) -> Any:
        seed = draw_lots(actor=self.actor, section_id=self.section.pk, seed=self.sent["seed"].strip())
        self.section.refresh_from_db()
        return LotsShape({"seed": seed, "section": self.section}).data

    @writes(
        "Note the numbers that were drawn at the board",
        Scope.ROUNDS_WRITE,
        body=OrderBody,
        answer=SectionShape,
        matched=True,
    )
    def put(self) -> Any:
        set_lots(**self.ordered)
        return self.shown_again()


class EqualsView(Ordered):
    @writes(
        "Order players with the same rating",
        Scope.ENTRIES_WRITE,
        permission=ENTRIES,
        body=OrderBody,
        answer=SectionShape,
        matched=True,
    )
    def put(self) -> Any:
        order_equals(**self.ordered)
        return self.shown_again()
