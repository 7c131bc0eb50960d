"""Rounds and games: pairing, publishing, results."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse

from pairing.actions import pair_next_round, publish_round, unpair_round, unpublish_round
from tournaments.actions.results import record_result
from tournaments.models import Bye, Game, Round, Scope

from .operations import SEE_RESULTS, TYPE_RESULTS, reads, writes
from .requests import GamesQuery, PageQuery, PairBody, ResultBody, WaitingBody
from .shapes import GameShape, RoundRow, RoundShape
from .subjects import games_with_players
from .view import View

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

    def shown_again(self) -> Any:
        """Return the round as it is after an action."""
        return self.shown(Round.objects.get(pk=self.round.pk))

    @property
    def seen(self) -> dict[str, Any]:
        return {"actor": self.actor, "round_id": self.round.pk, "seen_version": self.round.version}


class RoundsView(OfRound):
    order = "number"

    @reads(
        "List the rounds of a section",
        permission=SEE_RESULTS,
        answer=RoundRow,
        query=PageQuery,
        many=True,
    )
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
        return self.shown(
            pair_next_round(actor=self.actor, section_id=self.section.pk, proceed=self.answers, **self.sent)
        )


class RoundView(OfRound):
    @reads("Read a round with its games and byes", permission=SEE_RESULTS, answer=RoundShape)
    def get(self) -> Any:
        return self.shown(self.round)

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
        return self.shown(publish_round(**self.seen))


class UnpublishView(OfRound):
    @writes("Make a round without results a draft again", Scope.ROUNDS_WRITE, answer=RoundShape, matched=True)
    def post(self) -> Any:
        return self.shown(unpublish_round(**self.seen))


class OfGame(View):
    def show(self, row: Game) -> Any:
        return GameShape(row).data


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
        return self.shown(self.subject.row)


class ResultView(OfGame):
    @writes(
        "Enter, change or remove a result",
        Scope.RESULTS_WRITE,
        permission=TYPE_RESULTS,
        body=ResultBody,
        answer=GameShape,
        matched=True,
    )
    def put(self) -> Any:
        game = self.subject.row
        changed = record_result(
            actor=self.actor,
            game_id=game.pk,
            result=self.sent["result"] or "",
            seen_version=game.version,
            confirmed=self.answers,
        )
        return self.shown(changed)
