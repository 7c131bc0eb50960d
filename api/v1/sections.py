"""A section: its settings, its log, and what happens to it as a whole."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404

from evenboard_engine import Colour
from pairing.actions import draw_initial_colour
from tournaments.actions.presence import close_check_in, open_check_in
from tournaments.actions.sections import close_section, edit_section, reopen_section
from tournaments.actions.undo import undo
from tournaments.actions.waiting_on_devices import ask_about_waiting
from tournaments.errors import Stale
from tournaments.exports.published_list import list_values
from tournaments.models import ActionLog, Round, Scope, Section, WaitingOnDevice
from tournaments.models.round import rounds_paired
from tournaments.queries.published import people_of
from tournaments.queries.shown_list import shown_list
from tournaments.queries.standings import standings_table
from web.views.staff.undo_rights import refuse_undo_without_right, rights_to_undo

from .operations import DIRECT, SEE, SET_UP, VIEW, reads, writes
from .requests import CheckInBody, CloseBody, ColourBody, LogQuery, ReopenBody, StandingsQuery, UndoBody
from .shapes import LogShape, PublishedShape, SectionChangeBody, SectionShape, StandingsShape
from .subjects import needs_to_undo
from .view import View


class OfSection(View):
    def show(self, row: Section) -> Any:
        return SectionShape(row).data

    def shown_again(self) -> Any:
        """Return the section as it is after an action."""
        return self.shown(Section.objects.get(pk=self.section.pk))


class SectionView(OfSection):
    @reads("Read a section", permission=VIEW, answer=SectionShape)
    def get(self) -> Any:
        return self.shown(self.section)

    @writes(
        "Change the settings of a section",
        Scope.SETTINGS_WRITE,
        permission=SET_UP,
        body=SectionChangeBody,
        answer=SectionShape,
        matched=True,
    )
    def patch(self) -> Any:
        return self.shown(edit_section(actor=self.actor, section_id=self.section.pk, **self.sent))


class ColourView(OfSection):
    @writes("Set or draw the initial-colour", Scope.ROUNDS_WRITE, body=ColourBody, answer=SectionShape)
    def post(self) -> Any:
        colour = Colour(self.sent["colour"]) if "colour" in self.sent else None
        return self.shown(draw_initial_colour(actor=self.actor, section_id=self.section.pk, colour=colour))


class CloseView(OfSection):
    @writes(
        "Close a section",
        Scope.SETTINGS_WRITE,
        permission=DIRECT,
        body=CloseBody,
        after_results=True,
        answer=SectionShape,
        matched=True,
    )
    def post(self) -> Any:
        return self.shown(
            close_section(actor=self.actor, section_id=self.section.pk, proceed=self.answers, **self.sent)
        )


class ReopenView(OfSection):
    @writes(
        "Open a closed section again",
        Scope.SETTINGS_WRITE,
        permission=DIRECT,
        body=ReopenBody,
        answer=SectionShape,
        matched=True,
    )
    def post(self) -> Any:
        return self.shown(
            reopen_section(actor=self.actor, section_id=self.section.pk, both=self.answers, **self.sent)
        )


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
            return self.shown(open_check_in(actor=self.actor, section_id=self.section.pk, after_round=after))
        if after != (last := rounds_paired(self.section)):
            raise Stale("stale_round", after_round=after, last_round=last)
        ask_about_waiting(self.section, self.answers, but=WaitingOnDevice.Kind.RESULTS)
        closed = close_check_in(actor=self.actor, section_id=self.section.pk, proceed=self.answers)
        return self.shown(closed)


class UndoView(OfSection):
    @writes(
        "Undo an action, if no later action depends on it",
        Scope.ROUNDS_WRITE,
        permission=SEE,
        body=UndoBody,
        answer=SectionShape,
    )
    def post(self) -> Any:
        rows = self.section.log.filter(revision=self.sent["revision"])
        needs_to_undo(self.token, self.section, rows)
        refuse_undo_without_right(rights_to_undo(self.held, self.boards), self.section, rows)
        undo(actor=self.actor, section_id=self.section.pk, both=self.answers, **self.sent)
        self.section.refresh_from_db()
        return self.shown(self.section)


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
        return {"revision": self.section.revision, **list_values(shown.published, people_of(self.section))}
