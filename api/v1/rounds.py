"""Rounds and games: pairing the next round or all at once, lots, a check, publishing, results."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from rest_framework import serializers

from pairing.rounds import (
    check_round,
    pair_again,
    pair_again_without,
    pair_all_rounds,
    pair_next_round,
    publish_all_rounds,
    publish_round,
    unpair_round,
    unpublish_round,
)
from tournaments.actions.ledger import found_row
from tournaments.actions.pairing_numbers import draw_lots, order_equals, set_lots
from tournaments.actions.results import record_result
from tournaments.actions.rounds import publish_lists
from tournaments.models import Bye, Game, Round, Scope

from .bodies import LARGEST, BodySerializer, Confirm
from .operations import ENTRIES, RUN, SEE_RESULTS, TYPE_RESULTS, reads, writes
from .sections import OfSection
from .shapes import (
    GameShape,
    GamesQuery,
    ListShape,
    PairBody,
    ResultBody,
    RoundRow,
    RoundShape,
    SectionShape,
    Shape,
    WaitingBody,
    WithdrawBody,
)
from .subjects import games_with_players
from .view import View

# Rounds and games: pairing, publishing, results.

ROW = ("number", "state", "paired_at", "published_at", "version", "manual_phase", "manual")


class OfRound(View):
    def show(self, row: Round) -> Any:
        row.section = self.section
        boards = games_with_players().filter(round=row).order_by("board")
        byes = Bye.objects.filter(participant__section=self.section, round_number=row.number).order_by("pk")
        shown = {name: getattr(row, name) for name in ROW}
        return RoundShape({**shown, "games": boards, "byes": byes}).data

    @property
    def round(self) -> Round:
        row = self.subject.row
        assert isinstance(row, Round)
        return row

    def place_of(self, name: str, made: dict[str, Any]) -> str:
        number = [made["number"]] if name == "round" else []  # all rounds are a list
        return reverse(f"api:v1:{name}", args=[self.section.pk, *number])

    @property
    def seen(self) -> dict[str, Any]:
        return {"actor": self.actor, "round_id": self.round.pk, "seen_version": self.round.version}


class RoundsView(OfRound):
    order = "number"

    @reads("List the rounds of a section", permission=SEE_RESULTS, answer=RoundRow, many=True)
    def get(self) -> QuerySet[Round]:
        rows = self.section.played_rounds.all()
        return rows if self.sees else rows.exclude(state=Round.State.DRAFT)

    def in_list(self, row: Round) -> Any:
        return RoundRow(row).data

    @writes(
        "Pair the next round, as a draft",
        Scope.ROUNDS_WRITE,
        body=PairBody,
        answer=RoundShape,
        made="round",
        after_results=True,
    )
    def post(self) -> Any:
        return pair_next_round(
            actor=self.actor, section_id=self.section.pk, proceed=self.answers, **self.sent
        )


class OneRoundView(OfRound):
    @reads("Read a round with its games and byes", permission=SEE_RESULTS, answer=RoundShape)
    def get(self) -> Any:
        return self.round

    @writes("Unpair the last round, which is a draft", Scope.ROUNDS_WRITE, status=204, matched=True)
    def delete(self) -> None:
        unpair_round(**self.seen)


class PublishView(OfRound):
    @writes(
        "Publish a round",
        Scope.ROUNDS_WRITE,
        body=WaitingBody,
        answer=RoundShape,
        matched=True,
        after_results=True,
    )
    def post(self) -> Any:
        return publish_round(**self.seen)


class UnpublishView(OfRound):
    @writes("Make a round without results a draft again", Scope.ROUNDS_WRITE, answer=RoundShape, matched=True)
    def post(self) -> Any:
        return unpublish_round(**self.seen)


class OfGame(View):
    shape = GameShape


class GamesView(OfGame):
    model = "game"

    @reads(
        "List the games of a section",
        permission=SEE_RESULTS,
        answer=GameShape,
        query=GamesQuery,
        many=True,
        feed=True,
    )
    def get(self) -> QuerySet[Game]:
        rows = games_with_players().filter(round__section=self.section)
        if not self.sees:
            rows = rows.exclude(round__state=Round.State.DRAFT)
        if "round" in self.asked:
            rows = rows.filter(round__number=self.asked["round"])
        if "entry" in self.asked:
            rows = rows.filter(Q(white=self.asked["entry"]) | Q(black=self.asked["entry"]))
        wanted = self.asked["open"]
        return rows if wanted is None else rows.filter(result="") if wanted else rows.exclude(result="")


class GameView(OfGame):
    @reads("Read a game", permission=SEE_RESULTS, answer=GameShape)
    def get(self) -> Any:
        return self.subject.row


class ResultView(OfGame):
    @writes(
        "Enter, change or remove a result",
        Scope.RESULTS_WRITE,
        TYPE_RESULTS,
        ResultBody,
        GameShape,
        matched=True,
    )
    def put(self) -> Any:
        game = self.subject.row
        return record_result(
            actor=self.actor,
            game_id=game.pk,
            result=self.sent["result"] or "",
            seen_version=game.version,
            confirmed=self.answers,
        )


# Pairing besides the next round: all rounds at once, a round again, a check, lots, numbers of equal players,
# lists.

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
    @writes("Publish all drafts", Scope.ROUNDS_WRITE, RUN, WaitingBody, RoundsShape, after_results=True)
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
        return pair_again(**self.seen)


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
        found_row(self.section.participants.all(), "participant", entry)
        return pair_again_without(participant_id=entry, **self.sent, **self.seen)


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


class EqualsView(Ordered):
    @writes(
        "Order players with the same rating",
        Scope.ENTRIES_WRITE,
        ENTRIES,
        OrderBody,
        SectionShape,
        matched=True,
    )
    def put(self) -> Any:
        order_equals(**self.ordered)
