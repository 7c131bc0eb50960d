"""The hall: who is here, who is absent, and the screens."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from tournaments.actions.entries import allow_half_byes
from tournaments.actions.fixed_boards import fix_board
from tournaments.actions.hall import (
    LIMITS,
    make_screen,
    remove_screen,
    set_countdown,
    set_hall_message,
    set_screen,
    turn_screen,
)
from tournaments.actions.presence import Absence, check_in_all, settle_absences
from tournaments.models import Scope, Screen
from tournaments.models.rounds import rounds_paired
from tournaments.queries.presence import presence_list

from .bodies import LARGEST, BodySerializer, Confirm, ModelBody, names
from .entries import OfEntry
from .operations import RUN, SEE_PRESENCE, reads, writes
from .sections import OfSection
from .shapes import BYES, ROUNDS, EntryShape, ListShape, ModelShape, SectionShape, Shape
from .view import View

WITHIN: dict[str, Any] = {
    name: {"min_value": least, "max_value": most} for name, (least, most) in LIMITS.items()
}


class HereBody(BodySerializer):
    round = serializers.IntegerField(**ROUNDS)


class AbsentEntryBody(BodySerializer):
    """choice: H half-point bye, Z zero-point bye, W withdrawn."""

    entry = serializers.IntegerField(min_value=1, max_value=LARGEST)
    choice = serializers.ChoiceField(choices=[choice.value for choice in Absence])


class AbsencesBody(BodySerializer):
    """round: the next one. All absences are noted, or none. Players who came meanwhile are left out. confirm: a bye
    may be more than the rules of the tournament give.
    """

    round = serializers.IntegerField(**ROUNDS)
    absences = serializers.ListField(child=AbsentEntryBody(), min_length=1, max_length=10_000)
    confirm = Confirm()


class HereShape(Shape):
    """A player who would play or has a bye in the round. at: when the player was seen."""

    entry = serializers.IntegerField(source="participant_id")
    tpn = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(source="shown_name")
    here = serializers.BooleanField()
    at = serializers.DateTimeField(allow_null=True)
    bye = serializers.ChoiceField(choices=BYES, allow_null=True)


class PresenceShape(ListShape):
    """round: the next one. open: its check-in is open."""

    round = serializers.IntegerField()
    open = serializers.BooleanField()
    results = HereShape(many=True)


class SettledShape(Shape):
    """How many got a bye, were withdrawn, or were left out because they came or have a bye already."""

    byes = serializers.IntegerField()
    withdrawn = serializers.IntegerField()
    left_out = serializers.IntegerField()


class AllowedBody(BodySerializer):
    """allowed: the player may ask for half-point byes."""

    allowed = serializers.BooleanField()


class FixedBoardBody(BodySerializer):
    """board: at which the player plays in all rounds; null for any. step_free: nobody needs steps to reach it."""

    board = serializers.IntegerField(allow_null=True)
    step_free = serializers.BooleanField(default=False)


class CountdownBody(BodySerializer):
    """to: null ends it."""

    to = serializers.DateTimeField(allow_null=True)


class MessageBody(BodySerializer):
    """message: at the foot of the screens; an empty one removes it."""

    message = serializers.CharField(max_length=120, allow_blank=True)


class PresencesView(View):
    @reads("Read who is here for the next round", permission=SEE_PRESENCE, answer=PresenceShape)
    def get(self) -> Any:
        people = presence_list(self.section, rounds_paired(self.section) + 1)
        shown = {"round": people.round_number, "open": people.open, "results": people.rows}
        return PresenceShape(shown).data


class HereAllView(OfSection):
    @writes("Mark all others as here", Scope.ENTRIES_WRITE, body=HereBody, answer=SectionShape, matched=True)
    def post(self) -> Any:
        check_in_all(actor=self.actor, section_id=self.section.pk, round_number=self.sent["round"])


class AbsencesView(View):
    @writes(
        "Give absent players a bye, or withdraw them, before the next round",
        Scope.ENTRIES_WRITE,
        body=AbsencesBody,
        answer=SettledShape,
    )
    def post(self) -> Any:
        choices = {one["entry"]: one["choice"] for one in self.sent["absences"]}
        settled = settle_absences(
            actor=self.actor,
            section_id=self.section.pk,
            round_number=self.sent["round"],
            choices=choices,
            proceed=self.answers,
        )
        done = len(settled.byes), len(settled.withdrawn)
        return {"byes": done[0], "withdrawn": done[1], "left_out": len(choices) - sum(done)}


class HalfByesView(OfEntry):
    @writes(
        "Set whether a player may ask for half-point byes",
        Scope.ENTRIES_WRITE,
        body=AllowedBody,
        answer=EntryShape,
        matched=True,
    )
    def put(self) -> Any:
        allow_half_byes(actor=self.actor, participant_id=self.entry.pk, **self.sent)


class FixedBoardView(OfEntry):
    @writes(
        "Set the fixed board of a player",
        Scope.ENTRIES_WRITE,
        body=FixedBoardBody,
        answer=EntryShape,
        matched=True,
    )
    def put(self) -> Any:
        fix_board(actor=self.actor, participant_id=self.entry.pk, **self.sent)


class CountdownView(OfSection):
    @writes("Set or end the countdown in the hall", Scope.ROUNDS_WRITE, RUN, CountdownBody, SectionShape)
    def put(self) -> Any:
        set_countdown(actor=self.actor, section_id=self.section.pk, **self.sent)


class MessageView(OfSection):
    @writes("Set the message in the hall", Scope.ROUNDS_WRITE, body=MessageBody, answer=SectionShape)
    def put(self) -> Any:
        set_hall_message(actor=self.actor, section_id=self.section.pk, **self.sent)


class NewScreenBody(ModelBody):
    class Meta:
        model = Screen
        fields = ("name",)


class ScreenBody(ModelBody):
    """section: null for all of the event. seconds: for which a page stays. part, parts: of a list that screens
    share. turn: so many pages on, or back.
    """

    section = serializers.IntegerField(min_value=1, max_value=LARGEST, allow_null=True, required=False)
    turn = serializers.IntegerField(min_value=-100, max_value=100, required=False)

    class Meta:
        model = Screen
        fields = names("section show theme rows seconds parts part message paused turn")
        extra_kwargs = WITHIN


class ScreenShape(ModelShape):
    """code: the last part of its address."""

    class Meta:
        model = Screen
        fields = names("id name code section show theme rows seconds part parts message paused version")


class OfScreen(View):
    shape = ScreenShape


class ScreensView(OfScreen):
    @reads("List the screens of an event", answer=ScreenShape, many=True)
    def get(self) -> QuerySet[Screen]:
        return self.event.screens.all()

    @writes("Make a screen", Scope.ROUNDS_WRITE, body=NewScreenBody, answer=ScreenShape, made="screen")
    def post(self) -> Any:
        return make_screen(actor=self.actor, event=self.event, **self.sent)


class ScreenView(OfScreen):
    @reads("Read a screen", answer=ScreenShape)
    def get(self) -> Any:
        return self.subject.row

    @writes("Change what a screen shows", Scope.ROUNDS_WRITE, RUN, ScreenBody, ScreenShape, matched=True)
    def patch(self) -> Any:
        screen, turn = self.subject.row, self.sent.pop("turn", 0)
        if self.sent:
            set_screen(event=self.event, screen_id=screen.pk, **self.sent)
        if turn:
            turn_screen(event=self.event, screen_id=screen.pk, pages=turn)
        return Screen.objects.get(pk=screen.pk)

    @writes("Remove a screen", Scope.ROUNDS_WRITE, status=204, matched=True)
    def delete(self) -> None:
        remove_screen(actor=self.actor, event=self.event, screen_id=self.subject.row.pk)
