"""Results besides the first reading of one slip: second readings, corrections, absent players, many boards at once."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from evenboard_engine import Colour
from tournaments.actions.corrections import correct_for_rating, correct_result
from tournaments.actions.player_results import renew_player_link
from tournaments.actions.presence import Absent, forfeit_absent
from tournaments.actions.results import confirm_result, mark_over, record_result
from tournaments.models import Game, Scope

from .bodies import BodySerializer, Confirm
from .operations import DIRECT, TYPE_RESULTS, writes
from .problems import invalid
from .rounds import OfGame, OfRound
from .shapes import RESULTS, GameShape, RoundShape

BOARDS = 5_000


class BoardResultBody(BodySerializer):
    """result: null removes it."""

    board = serializers.IntegerField(min_value=1, max_value=BOARDS)
    result = serializers.ChoiceField(choices=RESULTS, allow_null=True)


class BoardResultsBody(BodySerializer):
    """results: of any boards of the round, each once. All are written, or none. confirm: as for one result."""

    results = serializers.ListField(child=BoardResultBody(), min_length=1, max_length=BOARDS)
    confirm = Confirm()


class ReadingBody(BodySerializer):
    """result: as it was read from the slip the second time; null removes this reading."""

    result = serializers.ChoiceField(choices=RESULTS, allow_null=True)


class OverBody(BodySerializer):
    """over: the game is over, but its result is not known yet."""

    over = serializers.BooleanField()


class PlayerLinkBody(BodySerializer):
    """colour: the player who gets a new link. The former link opens nothing any more."""

    colour = serializers.ChoiceField(choices=[colour.value for colour in Colour])


class AbsentBody(BodySerializer):
    """absent: who did not come. withdraw: the player also leaves the tournament."""

    absent = serializers.ChoiceField(choices=[side.value for side in Absent])
    withdraw = serializers.BooleanField(required=False, default=False)
    reason = serializers.CharField(max_length=300, allow_blank=True, required=False, default="")


class CorrectionBody(BodySerializer):
    """result: with the colours as they really were. turned: the colours of the game are the wrong way round.
    rating_only: only the report for rating changes. confirm: pairings or standings may change.
    """

    result = serializers.ChoiceField(choices=RESULTS)
    turned = serializers.BooleanField(required=False, default=False)
    rating_only = serializers.BooleanField(required=False, default=False)
    reason = serializers.CharField(max_length=300)
    confirm = Confirm()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["turned"] and attrs["rating_only"]:
            wrong = serializers.ErrorDetail(
                _("A correction for rating only does not turn colours."), "turned"
            )
            raise serializers.ValidationError({"turned": [wrong]})
        return attrs


class RoundResultsView(OfRound):
    @writes(
        "Enter, change or remove results of many boards, all or none",
        Scope.RESULTS_WRITE,
        TYPE_RESULTS,
        BoardResultsBody,
        RoundShape,
        matched=True,
    )
    def put(self) -> Any:
        games = {game.board: game for game in Game.objects.filter(round=self.round)}
        boards = [one["board"] for one in self.sent["results"]]
        wrong = [
            {"pointer": f"/results/{at}/board", "code": code, "detail": text}
            for at, board in enumerate(boards)
            for code, text, found in (
                ("unknown_board", _("The round has no such board."), board not in games),
                ("twice", _("This board is in the list twice."), board in boards[:at]),
            )
            if found
        ]
        if wrong:
            raise invalid(wrong)
        for one in self.sent["results"]:
            game = games[one["board"]]
            record_result(
                actor=self.actor,
                game_id=game.pk,
                result=one["result"] or "",
                seen_version=game.version,
                confirmed=self.answers,
            )


class OfOneGame(OfGame):
    @property
    def game(self) -> Game:
        row = self.subject.row
        assert isinstance(row, Game)
        return row

    @property
    def seen(self) -> dict[str, Any]:
        return {"actor": self.actor, "game_id": self.game.pk, "seen_version": self.game.version}


class ReadingView(OfOneGame):
    @writes(
        "Note the second reading of a slip",
        Scope.RESULTS_WRITE,
        TYPE_RESULTS,
        ReadingBody,
        GameShape,
        matched=True,
    )
    def put(self) -> Any:
        confirm_result(result=self.sent["result"] or "", **self.seen)


class OverView(OfOneGame):
    @writes(
        "Mark a game as over while its result is not known",
        Scope.RESULTS_WRITE,
        TYPE_RESULTS,
        OverBody,
        GameShape,
        matched=True,
    )
    def put(self) -> Any:
        mark_over(over=self.sent["over"], **self.seen)


class PlayerLinkView(OfOneGame):
    @writes(
        "Make the link of a player worthless, with what was pressed by it",
        Scope.RESULTS_WRITE,
        TYPE_RESULTS,
        PlayerLinkBody,
        GameShape,
        matched=True,
    )
    def post(self) -> Any:
        renew_player_link(actor=self.actor, game_id=self.game.pk, colour=Colour(self.sent["colour"]))


class AbsentView(OfOneGame):
    @writes(
        "Forfeit the game of a player who did not come",
        Scope.RESULTS_WRITE,
        body=AbsentBody,
        answer=GameShape,
        matched=True,
    )
    def post(self) -> Any:
        forfeit_absent(**self.sent, **self.seen)


class CorrectionView(OfOneGame):
    @writes(
        "Correct a result of an earlier round, exchanged colours, or a result for rating only",
        Scope.RESULTS_WRITE,
        DIRECT,
        CorrectionBody,
        GameShape,
        matched=True,
    )
    def post(self) -> Any:
        rating_only, turned = self.sent.pop("rating_only"), self.sent.pop("turned")
        asked = {**self.sent, **self.seen, "confirmed": self.answers}
        if rating_only:
            correct_for_rating(**asked)
        else:
            correct_result(turned=turned, **asked)
