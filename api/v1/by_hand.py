"""Pairing by hand: begin, change seats one by one, end; and the round that is offered where the rules give none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from evenboard_engine.findings import Concern
from pairing.by_hand import (
    begin_manual_phase,
    change_by_hand,
    end_by_the_rules,
    end_manual_phase,
    start_by_hand,
)
from pairing.rounds import take_offer
from tournaments.models import Scope
from tournaments.queries.by_hand import hand_comparison, hand_round
from tournaments.queries.why import stopped_round
from tournaments.seating import OF_ALL, SeatingStep, SeatMove

from .bodies import LARGEST, BodySerializer, Confirm
from .operations import RUN, reads, writes
from .problems import invalid
from .rounds import OfRound
from .shapes import RoundShape, Shape, WaitingBody

KEY: dict[str, Any] = {"min_value": 1, "max_value": LARGEST}
AFTER: dict[str, Any] = {"min_value": 0, "max_value": 1_000}


class StartBody(WaitingBody):
    """after_round: the last round that you know of. proposal: begin with the pairs that break the fewest rules.
    confirm: as in `WaitingBody`.
    """

    after_round = serializers.IntegerField(**AFTER)
    proposal = serializers.BooleanField(required=False, default=False)


class BeginBody(BodySerializer):
    """confirm: the pairs are published already, and may still change."""

    confirm = Confirm()


class StepBody(BodySerializer):
    """move: what changes. entry: of which player; `swap` also needs the other one; `engine` and `proposal` have
    none. confirm: a grave concern that the change adds is known.
    """

    move = serializers.ChoiceField(choices=[move.value for move in SeatMove])
    entry = serializers.IntegerField(required=False, **KEY)
    other = serializers.IntegerField(required=False, **KEY)
    confirm = Confirm()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        move = SeatMove(attrs["move"])
        needed = () if move in OF_ALL else ("entry", "other") if move is SeatMove.SWAP else ("entry",)
        if missing := [name for name in needed if name not in attrs]:
            raise invalid([_missing(name) for name in missing])
        return attrs


def _missing(name: str) -> dict[str, str]:
    return {
        "pointer": f"/{name}",
        "code": "required",
        "detail": str(serializers.Field.default_error_messages["required"]),
    }


class EndBody(BodySerializer):
    """reason: why the pairs are not those of the rules. confirm: they are meant. by_the_rules: take those of the
    rules or of the offer instead of all pairs made by hand.
    """

    reason = serializers.CharField(max_length=300, allow_blank=True, required=False, default="")
    confirm = Confirm()
    by_the_rules = serializers.BooleanField(required=False, default=False)


class PairShape(Shape):
    """white, black: entries."""

    white = serializers.IntegerField()
    black = serializers.IntegerField()


class OfferBody(WaitingBody):
    """boards: the pairs that were offered, as you read them. confirm: as in `WaitingBody`."""

    after_round = serializers.IntegerField(**AFTER)
    boards = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(**KEY), min_length=2, max_length=2),
        max_length=5_000,
    )


class ConcernShape(Shape):
    """A rule that a pair breaks. level: 1 to know, 2 to acknowledge, 3 to confirm. articles: of the rules. entries:
    the player concerned comes first.
    """

    code = serializers.CharField()
    level = serializers.IntegerField()
    entries = serializers.ListField(child=serializers.IntegerField())
    articles = serializers.ListField(child=serializers.CharField())
    rounds = serializers.ListField(child=serializers.IntegerField())


class HandShape(Shape):
    """A round that is, or was, paired by hand. unpaired: entries without a board or a bye. impossible: why the
    rules give no pairing, or "". mine, rules: pairs that only this round has, and those that only the rules, or the
    offer, have.
    """

    number = serializers.IntegerField()
    open = serializers.BooleanField()
    unpaired = serializers.ListField(child=serializers.IntegerField())
    concerns = ConcernShape(many=True)
    impossible = serializers.CharField(allow_blank=True)
    mine = PairShape(many=True)
    rules = PairShape(many=True)
    same_bye = serializers.BooleanField()


class OfferShape(Shape):
    """The next round, if the rules cannot pair it. stopped: they cannot. code: why. boards: of the round that is
    offered, null if there is none. bye: the entry with the bye, or null.
    """

    after_round = serializers.IntegerField()
    stopped = serializers.BooleanField()
    code = serializers.CharField(allow_blank=True)
    boards = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), allow_null=True
    )
    bye = serializers.IntegerField(allow_null=True)


class StartView(OfRound):
    @writes(
        "Start the next round by hand, where the rules cannot pair it",
        Scope.ROUNDS_WRITE,
        body=StartBody,
        after_results=True,
        answer=RoundShape,
        made="round",
    )
    def post(self) -> Any:
        return start_by_hand(actor=self.actor, section_id=self.section.pk, **self.sent)


class BeginView(OfRound):
    @writes("Begin to pair a round by hand", Scope.ROUNDS_WRITE, RUN, BeginBody, RoundShape, matched=True)
    def post(self) -> Any:
        return begin_manual_phase(public=self.answers, **self.seen)


class HandView(OfRound):
    @reads("Read the concerns of a round, and where it differs from the rules", answer=HandShape)
    def get(self) -> Any:
        found = hand_round(self.section, self.round.number)
        compared = hand_comparison(found.position)
        mine, rules = compared.mine, compared.engines
        return HandShape(
            {
                "number": self.round.number,
                "open": self.round.manual_phase,
                "unpaired": list(found.position.pool),
                "concerns": _shown(found.concerns),
                "impossible": compared.model.impossible,
                "mine": [{"white": white, "black": black} for white, black in mine],
                "rules": [{"white": white, "black": black} for white, black in rules],
                "same_bye": compared.bye[0] == compared.bye[1],
            }
        ).data

    @writes(
        "Change a round by hand: exchange players, take a board apart, give a bye",
        Scope.ROUNDS_WRITE,
        body=StepBody,
        answer=RoundShape,
        matched=True,
    )
    def post(self) -> Any:
        move = SeatMove(self.sent["move"])
        player, other = self.sent.get("entry", 0), self.sent.get("other", 0)
        step = SeatingStep(move, 0 if move in OF_ALL else player, other if move is SeatMove.SWAP else 0)
        changed, _concerns = change_by_hand(step=step, confirmed=self.answers, **self.seen)
        return changed


class EndView(OfRound):
    @writes("End the pairing by hand", Scope.ROUNDS_WRITE, body=EndBody, answer=RoundShape, matched=True)
    def post(self) -> Any:
        if self.sent["by_the_rules"]:
            return end_by_the_rules(**self.seen)
        asked = {"reason": self.sent["reason"], "confirmed": self.answers}
        return end_manual_phase(**asked, **self.seen)


class OfferView(OfRound):
    @reads("Read which round is offered, if the rules cannot pair the next one", answer=OfferShape)
    def get(self) -> Any:
        found = stopped_round(self.section)
        offered = found.offer if found else None
        pairing = offered.pairing if offered else None
        last = self.section.played_rounds.order_by("-number").values_list("number", flat=True).first()
        return OfferShape(
            {
                "after_round": last or 0,
                "stopped": found is not None,
                "code": found.error.code if found else "",
                "boards": [[pair.white, pair.black] for pair in pairing.pairs] if pairing else None,
                "bye": pairing.bye if pairing else None,
            }
        ).data

    @writes(
        "Take over the round that is offered",
        Scope.ROUNDS_WRITE,
        body=OfferBody,
        after_results=True,
        answer=RoundShape,
        made="round",
    )
    def post(self) -> Any:
        return take_offer(actor=self.actor, section_id=self.section.pk, **self.sent)


def _shown(concerns: Iterable[Concern]) -> list[dict[str, Any]]:
    return [
        {
            "code": one.code,
            "level": int(one.level),
            "entries": list(one.players),
            "articles": list(one.articles),
            "rounds": list(one.rounds),
        }
        for one in concerns
    ]
