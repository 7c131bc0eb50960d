"""A section: its settings, tie-breaks, ratings, dates, FIDE mode, its log, and what happens to it as a whole."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers

from evenboard_engine import Colour
from pairing.rounds import draw_initial_colour
from tournaments.actions.new_section import create_section_like
from tournaments.actions.presence import close_check_in, open_check_in
from tournaments.actions.ratings import set_period_ratings, set_rating_method, set_rating_periods
from tournaments.actions.rounds import set_round_starts
from tournaments.actions.sections import (
    close_section,
    edit_section,
    leave_fide_mode,
    reopen_section,
    take_section_away,
)
from tournaments.actions.tie_breaks import set_tie_breaks, set_tie_values
from tournaments.actions.undo import restore_before_round, undo, undo_since
from tournaments.actions.waiting_on_devices import ask_about_waiting
from tournaments.errors import STALE_ROUND
from tournaments.models import ActionLog, Round, RoundStart, Scope, Section, WaitingOnDevice
from tournaments.models.rounds import rounds_paired
from tournaments.queries.published_lists import list_values, published_people, shown_list
from tournaments.queries.sections import settings_sources
from tournaments.queries.standings import standings_table
from tournaments.queries.undo import pairing_of
from web.views.staff.log import refuse_undo_without_right, rights_to_undo

from .bodies import LARGEST, BodySerializer, Confirm
from .operations import DIRECT, MANAGE, SEE, SET_UP, VIEW, reads, writes
from .problems import invalid
from .shapes import (
    ROUNDS,
    CheckInBody,
    CloseBody,
    ColourBody,
    LogQuery,
    LogShape,
    PublishedShape,
    ReopenBody,
    SectionChangeBody,
    SectionShape,
    ShowBody,
    StandingsQuery,
    StandingsShape,
    UndoBody,
)
from .subjects import needs_to_undo
from .view import View

# A section: its settings, its log, and what happens to it as a whole.


class OfSection(View):
    shape = SectionShape


class SectionView(OfSection):
    @reads("Read a section", permission=VIEW, answer=SectionShape)
    def get(self) -> Any:
        return self.section

    @writes(
        "Change the settings of a section",
        Scope.SETTINGS_WRITE,
        SET_UP,
        SectionChangeBody,
        SectionShape,
        matched=True,
    )
    def patch(self) -> Any:
        return edit_section(actor=self.actor, section_id=self.section.pk, **self.sent)


class ColourView(OfSection):
    @writes("Set or draw the initial-colour", Scope.ROUNDS_WRITE, body=ColourBody, answer=SectionShape)
    def post(self) -> Any:
        colour = Colour(self.sent["colour"]) if "colour" in self.sent else None
        return draw_initial_colour(actor=self.actor, section_id=self.section.pk, colour=colour)


class CloseView(OfSection):
    @writes(
        "Close a section",
        Scope.SETTINGS_WRITE,
        DIRECT,
        CloseBody,
        SectionShape,
        after_results=True,
        matched=True,
    )
    def post(self) -> Any:
        return close_section(actor=self.actor, section_id=self.section.pk, proceed=self.answers, **self.sent)


class ReopenView(OfSection):
    @writes(
        "Open a closed section again", Scope.SETTINGS_WRITE, DIRECT, ReopenBody, SectionShape, matched=True
    )
    def post(self) -> Any:
        return reopen_section(actor=self.actor, section_id=self.section.pk, both=self.answers, **self.sent)


class CheckInView(OfSection):
    @writes(
        "Open or close the check-in for the next round",
        Scope.ENTRIES_WRITE,
        body=CheckInBody,
        answer=SectionShape,
    )
    def post(self) -> Any:
        after = self.sent["after_round"]
        if self.sent["open"]:
            return open_check_in(actor=self.actor, section_id=self.section.pk, after_round=after)
        if after != (last := rounds_paired(self.section)):
            raise STALE_ROUND.error(after_round=after, last_round=last)
        ask_about_waiting(self.section, self.answers, but=WaitingOnDevice.Kind.RESULTS)
        return close_check_in(actor=self.actor, section_id=self.section.pk, proceed=self.answers)


class UndoView(OfSection):
    @writes(
        "Undo an action, if no later action depends on it", Scope.ROUNDS_WRITE, SEE, UndoBody, SectionShape
    )
    def post(self) -> Any:
        rows = self.section.log.filter(revision=self.sent["revision"])
        needs_to_undo(self.token, self.section, rows)
        refuse_undo_without_right(rights_to_undo(self.held, self.boards), self.section, rows)
        undo(actor=self.actor, section_id=self.section.pk, both=self.answers, **self.sent)
        self.section.refresh_from_db()
        return self.section


class LogView(View):
    order = "revision"

    def show(self, row: ActionLog) -> Any:
        return LogShape(row, context={"personal": self.personal, "enters": self.enters}).data

    @reads("Read the log of a section, oldest first", answer=LogShape, query=LogQuery, many=True)
    def get(self) -> QuerySet[ActionLog]:
        rows = self.section.log.defer("changes")
        if "after" in self.asked:
            rows = rows.filter(revision__gt=self.asked["after"])
        if "action" in self.asked:
            rows = rows.filter(action=self.asked["action"])
        return rows


class StandingsView(View):
    @reads("Read the standings", answer=StandingsShape, query=StandingsQuery)
    def get(self) -> Any:
        try:
            table = standings_table(self.section, self.asked.get("after_round"))
        except Round.DoesNotExist as missing:
            raise Http404 from missing
        shown = StandingsShape(
            {
                "state": table.state,
                "final": table.final,
                "tie_breaks": [rule.text for rule in table.tie_breaks],
                "rows": table.rows,
            }
        ).data
        return {"revision": self.section.revision, **shown}


class ListView(View):
    @reads("Read the newest list that was published after a round", answer=PublishedShape)
    def get(self) -> Any:
        if not self.section.lists:
            raise Http404
        try:
            shown = shown_list(self.section, self.section.lists[0], None, None)
        except Round.DoesNotExist as missing:
            raise Http404 from missing
        if shown.published is None:
            raise Http404
        return {
            "revision": self.section.revision,
            **list_values(shown.published, published_people(self.section)),
        }


# Settings of a section that have a page of their own: tie-breaks, ratings, dates, FIDE mode; and going back.

KEY: dict[str, Any] = {"min_value": 1, "max_value": LARGEST}


class TieBreaksBody(BodySerializer):
    """tie_breaks: codes in order, such as BH:C1. unrated_left_out: in tie-breaks of ratings. confirm: the list may
    change although round 1 is published, for `reason`.
    """

    tie_breaks = serializers.ListField(child=serializers.CharField(max_length=40), max_length=100)
    unrated_left_out = serializers.BooleanField(required=False, allow_null=True, default=None)
    confirm = Confirm()
    reason = serializers.CharField(max_length=300, allow_blank=True, required=False, default="")


class TieValueBody(BodySerializer):
    """value: higher is better; "" removes it."""

    entry = serializers.IntegerField(**KEY)
    value = serializers.CharField(max_length=20, allow_blank=True)


class TieValuesBody(BodySerializer):
    """code: of a tie-break that is computed elsewhere, such as a play-off. Entries that are not named keep theirs."""

    code = serializers.CharField(max_length=40)
    values = serializers.ListField(child=TieValueBody(), max_length=10_000)


class RatingMethodBody(BodySerializer):
    """Which rating is the tournament rating. All entries get their ratings and numbers by it."""

    rating_method = serializers.ChoiceField(choices=Section.RatingMethod.values)
    rating_federation = serializers.CharField(max_length=3, allow_blank=True, required=False, default="")
    equals_by = serializers.ChoiceField(
        choices=Section.EqualsBy.values, required=False, default=Section.EqualsBy.NAME.value
    )


class RatingPeriodsBody(BodySerializer):
    """period_starts: the first round of each period except the first one."""

    longer_than_30_days = serializers.BooleanField()
    period_starts = serializers.ListField(
        child=serializers.IntegerField(**ROUNDS), required=False, default=list
    )
    period_counted = serializers.ChoiceField(
        choices=Section.PeriodCounted.values, required=False, default=Section.PeriodCounted.FIRST.value
    )


class PeriodRatingBody(BodySerializer):
    """rating: null as in the period before, 0 for none."""

    entry = serializers.IntegerField(**KEY)
    rating = serializers.IntegerField(min_value=0, max_value=3_999, allow_null=True)


class PeriodRatingsBody(BodySerializer):
    """period: from 2 on. Entries that are not named keep theirs."""

    period = serializers.IntegerField(min_value=2, max_value=1_000)
    ratings = serializers.ListField(child=PeriodRatingBody(), max_length=10_000)


class RoundStartBody(BodySerializer):
    """start: 2026-10-17 or 2026-10-17T14:00, by the clock in the hall; "" if it is not known."""

    round = serializers.IntegerField(**ROUNDS)
    start = serializers.RegexField(r"^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$", max_length=16, allow_blank=True)


class ScheduleBody(BodySerializer):
    """Rounds that are not named keep theirs."""

    starts = serializers.ListField(child=RoundStartBody(), max_length=1_000)


class GivenReasonBody(BodySerializer):
    reason = serializers.CharField(max_length=300)


class LeaveFideModeBody(GivenReasonBody):
    """confirm: both answers, because the program asks twice."""

    confirm = Confirm()


class LikeBody(BodySerializer):
    """source: the section whose settings the new one gets, of this event or of another one that you organise."""

    source = serializers.IntegerField(**KEY)  # type: ignore[assignment]  # a field here
    name = serializers.CharField(max_length=80)


class UndoSinceBody(BodySerializer):
    """revision: of the first action to be undone, with everything after it. confirm: as for one action."""

    revision = serializers.IntegerField(**KEY)
    confirm = Confirm()
    reason = serializers.CharField(max_length=300, allow_blank=True, required=False, default="")


class RestoreBody(GivenReasonBody):
    """round: the section goes back to the moment before this round was paired. confirm: as for an undo."""

    confirm = Confirm()
    round = serializers.IntegerField(**ROUNDS)


class Changing(OfSection):
    @property
    def here(self) -> dict[str, Any]:
        return {"actor": self.actor, "section_id": self.section.pk}


class TieBreaksView(Changing):
    @writes("Choose the tie-breaks", Scope.SETTINGS_WRITE, SET_UP, TieBreaksBody, SectionShape, matched=True)
    def put(self) -> Any:
        codes = self.sent.pop("tie_breaks")
        set_tie_breaks(**self.here, codes=codes, asked=self.answers, **self.sent)


class TieValuesView(Changing):
    @writes(
        "Write the values of a tie-break that is computed elsewhere",
        Scope.SETTINGS_WRITE,
        DIRECT,
        TieValuesBody,
        SectionShape,
        matched=True,
    )
    def put(self) -> Any:
        values = {one["entry"]: one["value"] for one in self.sent["values"]}
        set_tie_values(**self.here, code=self.sent["code"], values=values)


class RatingMethodView(Changing):
    @writes(
        "Choose which rating is the tournament rating",
        Scope.SETTINGS_WRITE,
        SET_UP,
        RatingMethodBody,
        SectionShape,
        matched=True,
    )
    def put(self) -> Any:
        set_rating_method(**self.here, **self.sent)


class RatingPeriodsView(Changing):
    @writes(
        "Set the rating periods of a long tournament",
        Scope.SETTINGS_WRITE,
        SET_UP,
        RatingPeriodsBody,
        SectionShape,
        matched=True,
    )
    def put(self) -> Any:
        set_rating_periods(**self.here, **self.sent)


class PeriodRatingsView(Changing):
    @writes(
        "Write the ratings of a later rating period",
        Scope.SETTINGS_WRITE,
        DIRECT,
        PeriodRatingsBody,
        SectionShape,
        matched=True,
    )
    def put(self) -> Any:
        ratings = {one["entry"]: one["rating"] for one in self.sent["ratings"]}
        set_period_ratings(**self.here, period=self.sent["period"], ratings=ratings)


class ScheduleView(Changing):
    @writes(
        "Set when the rounds begin", Scope.SETTINGS_WRITE, SET_UP, ScheduleBody, SectionShape, matched=True
    )
    def put(self) -> Any:
        starts = {}
        for at, one in enumerate(self.sent["starts"]):
            try:
                starts[one["round"]] = RoundStart.read(one["start"])
            except ValueError:
                text = _("There is no such day or time.")
                raise invalid(
                    [{"pointer": f"/starts/{at}/start", "code": "invalid", "detail": text}]
                ) from None
        set_round_starts(**self.here, starts=starts)


class FideModeView(Changing):
    @writes(
        "Leave FIDE mode, for good",
        Scope.SETTINGS_WRITE,
        DIRECT,
        LeaveFideModeBody,
        SectionShape,
        matched=True,
    )
    def post(self) -> Any:
        leave_fide_mode(**self.here, asked=self.answers, **self.sent)


class HideView(Changing):
    @writes(
        "Hide a section that was made by mistake",
        Scope.SETTINGS_WRITE,
        MANAGE,
        answer=SectionShape,
        matched=True,
    )
    def post(self) -> Any:
        take_section_away(**self.here)


class ShowView(Changing):
    @writes("Show a hidden section again", Scope.SETTINGS_WRITE, MANAGE, ShowBody, SectionShape, matched=True)
    def post(self) -> Any:
        take_section_away(**self.here, away=False, both=self.answers)


class LikeView(OfSection):
    @writes(
        "Make a section with the settings of another one",
        Scope.SETTINGS_WRITE,
        MANAGE,
        LikeBody,
        SectionShape,
        made="section",
    )
    def post(self) -> Any:
        sources = settings_sources(self.token.made_by, self.event)
        if self.token.event_id is not None:
            sources = sources.filter(event=self.event)
        source = sources.filter(pk=self.sent["source"]).first()
        if source is None:
            text = _("There is no such section, or this token cannot see it.")
            raise invalid([{"pointer": "/source", "code": "unknown", "detail": text}])
        return create_section_like(actor=self.actor, event=self.event, source=source, name=self.sent["name"])


class UndoSinceView(Changing):
    @writes(
        "Undo an action and everything after it",
        Scope.ROUNDS_WRITE,
        SEE,
        UndoSinceBody,
        SectionShape,
        matched=True,
    )
    def post(self) -> Any:
        rows = self.section.log.filter(revision__gte=self.sent["revision"])
        needs_to_undo(self.token, self.section, rows)
        refuse_undo_without_right(rights_to_undo(self.held, self.boards), self.section, rows)
        undo_since(**self.here, **self.sent, seen_revision=self.section.revision, both=self.answers)


class RestoreView(Changing):
    @writes(
        "Go back to the moment before a round was paired",
        Scope.ROUNDS_WRITE,
        DIRECT,
        RestoreBody,
        SectionShape,
        matched=True,
    )
    def post(self) -> Any:
        first = pairing_of(self.section, self.sent["round"])
        needs_to_undo(self.token, self.section, self.section.log.filter(revision__gte=first))
        restore_before_round(
            **self.here,
            number=self.sent["round"],
            reason=self.sent["reason"],
            seen_revision=self.section.revision,
            both=self.answers,
        )
