"""Events and their sections, and the token itself."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.request import Request

from tournaments.actions.event_life import archive_event
from tournaments.actions.events import create_event, edit_event
from tournaments.actions.sections import create_section
from tournaments.models import Event, Scope, Section
from tournaments.queries.programs import changed_in_log, log_mark
from tournaments.rules import own_sections

from .operations import MANAGE, VIEW, reads, writes
from .problems import Problem
from .shapes import (
    ArchivedBody,
    EventBody,
    EventShape,
    FeedQuery,
    SectionBody,
    SectionShape,
    TokenShape,
)
from .subjects import events_of
from .view import View


class TokenView(View):
    @reads("Read what this token is for", None, "", TokenShape)
    def get(self) -> Any:
        return TokenShape(self.token).data


class OfOneEvent(View):
    shape = EventShape


class OfLog(View):
    """A list whose marks are those of the log of all events."""

    mark_before = ""

    def check_permissions(self, request: Request) -> None:
        """Read the mark before the transaction that reads the rows: what is written between comes twice."""
        if "changed_since" in request.query_params:
            self.mark_before = log_mark()
        super().check_permissions(request)

    def mark(self) -> str:
        return self.mark_before


class EventsView(OfLog, OfOneEvent):
    @reads(
        "List the events of this token",
        answer=EventShape,
        query=FeedQuery,
        many=True,
        feed=True,
        permission="",
    )
    def get(self) -> QuerySet[Event]:
        return events_of(self.token)

    def changed(self, since: str) -> set[int] | None:
        return changed_in_log(since, "event_id", section=None)

    @writes(
        "Make an event", Scope.SETTINGS_WRITE, "tournaments.create_event", EventBody, EventShape, made="event"
    )
    def post(self) -> Any:
        if self.token.event_id is not None:
            raise Problem(
                403,
                "token_of_one_event",
                _(
                    "This token is for one event only. The page Access for programs of your login has tokens for new "
                    "events."
                ),
            )
        return create_event(actor=self.actor, **self.sent)


class EventView(OfOneEvent):
    @reads("Read an event", permission=VIEW, answer=EventShape)
    def get(self) -> Any:
        return self.event

    @writes("Change an event", Scope.SETTINGS_WRITE, MANAGE, EventBody, EventShape, matched=True)
    def patch(self) -> Any:
        return edit_event(actor=self.actor, event=self.event, **self.sent)


class ArchivedView(OfOneEvent):
    @writes(
        "Archive an event, or bring it back from the archive",
        Scope.SETTINGS_WRITE,
        MANAGE,
        ArchivedBody,
        EventShape,
    )
    def put(self) -> Any:
        return archive_event(actor=self.actor, event=self.event, **self.sent)


class SectionsView(OfLog):
    shape = SectionShape

    @reads(
        "List the sections of an event",
        permission=VIEW,
        answer=SectionShape,
        query=FeedQuery,
        many=True,
        feed=True,
    )
    def get(self) -> QuerySet[Section]:
        rows, own = self.event.sections.all(), own_sections(self.token.made_by, self.event)
        return rows if own is None else rows.filter(pk__in=own)

    def changed(self, since: str) -> set[int] | None:
        return changed_in_log(since, "section_id", event=self.event)

    @writes("Make a section", Scope.SETTINGS_WRITE, MANAGE, SectionBody, SectionShape, made="section")
    def post(self) -> Any:
        return create_section(actor=self.actor, event=self.event, **self.sent)
