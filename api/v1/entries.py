"""Entries, byes and the check-in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.actions.byes import cancel_bye, request_bye
from tournaments.actions.decided_points import decide_points
from tournaments.actions.entries import (
    add_participant,
    edit_participant,
    from_list,
    readmit_participant,
    remove_participant,
    withdraw_participant,
)
from tournaments.actions.entry_lists import keep_for_arbiter
from tournaments.actions.moved_entries import move_or_keep
from tournaments.actions.presence import mark_presence
from tournaments.actions.roster import entry_summary, is_late_entry
from tournaments.entry_data import EntryData, ImportRow
from tournaments.errors import DomainError
from tournaments.models import Bye, Participant, Scope
from tournaments.models.rounds import rounds_paired
from tournaments.queries.rating_lists import marked

from .operations import DIRECT, ENTRIES, PRESENCE, reads, writes
from .problems import invalid
from .shapes import (
    ByeBody,
    ByeShape,
    ByesQuery,
    ConfirmQuery,
    EntriesQuery,
    EntryBody,
    EntryShape,
    MoveBody,
    NewEntryBody,
    PointsBody,
    PresenceBody,
    ReadmitBody,
    WaitingShape,
    WithdrawBody,
)
from .subjects import needs
from .view import View

FIELDS = frozenset(EntryData.__dataclass_fields__)
SOURCED = frozenset({"rating", "rating_source", "rating_list"})


class OfEntry(View):
    def show(self, row: Participant) -> Any:
        return EntryShape(row, context={"personal": self.personal and self.enters}).data

    @property
    def entry(self) -> Participant:
        row = self.subject.row
        assert isinstance(row, Participant)
        return row


class EntersPlayers(View):
    """Takes new players. After round 1, those of an organiser wait for an arbiter."""

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Leave the locks to the actions where players wait: registrations are locked before the section."""
        late = is_late_entry(self.section, self.actor, rounds_paired(self.section))
        with nullcontext() if late and self.request.method == "POST" else super().locked():
            yield


class EntriesView(EntersPlayers, OfEntry):
    model = "participant"

    @reads("List the entries of a section", answer=EntryShape, query=EntriesQuery, many=True, feed=True)
    def get(self) -> QuerySet[Participant]:
        rows = self.section.participants.select_related("player")
        if "status" in self.asked:
            rows = rows.filter(status=self.asked["status"])
        if "search" in self.asked or "fide_id" in self.asked:
            needs(self.token, Scope.ENTRIES_READ)  # a search could tell the name behind initials
        if "search" in self.asked:
            rows = rows.filter(player__name__icontains=self.asked["search"])
        if "fide_id" in self.asked:
            rows = rows.filter(player__fide_id=self.asked["fide_id"])
        return rows

    @writes(
        "Enter a player",
        Scope.ENTRIES_WRITE,
        ENTRIES,
        NewEntryBody,
        EntryShape,
        made="entry",
        put_off=WaitingShape,
    )
    def post(self) -> Any:
        missed = self.sent.pop("missed", "")
        entry = marked(self.section, EntryData(**self.sent))
        try:
            made = add_participant(
                actor=self.actor,
                section_id=self.section.pk,
                entry=entry,
                missed=missed,
                proceed=self.answers,
                asked=self.answers,
                both=self.answers,
                person=self.answers,
                listed=self.answers,
            )
        except DomainError as error:
            if error.code != "late_entry_by_arbiter":
                raise
            entry = from_list(self.section, entry, self.answers)
            waiting = keep_for_arbiter(self.section, self.actor, [ImportRow(entry=entry, missed=missed)])
            self.put_off = True
            return {"waiting": waiting}
        return Participant.objects.select_related("section", "player").get(pk=made.pk)


class EntryView(OfEntry):
    @reads("Read an entry", answer=EntryShape)
    def get(self) -> Any:
        return self.entry

    @writes("Change an entry", Scope.ENTRIES_WRITE, ENTRIES, EntryBody, EntryShape, matched=True)
    def patch(self) -> Any:
        stands = {name: value for name, value in entry_summary(self.entry).items() if name in FIELDS}
        data = EntryData(**{**stands, **self.sent})
        if SOURCED & set(
            self.sent
        ):  # a rating that its list does not have is one that was typed (VCL4THP.13 Q134)
            data = marked(self.section, data)
        edit_participant(
            actor=self.actor,
            participant_id=self.entry.pk,
            entry=data,
            asked=self.answers,
            person=self.answers,
            listed=self.answers,
        )

    @writes(
        "Remove an entry that was never paired",
        Scope.ENTRIES_WRITE,
        ENTRIES,
        query=ConfirmQuery,
        status=204,
        matched=True,
    )
    def delete(self) -> None:
        remove_participant(actor=self.actor, participant_id=self.entry.pk, asked=self.answers)


class EntrySectionView(OfEntry):
    @writes(
        "Move an entry that was never paired to another section",
        Scope.ENTRIES_WRITE,
        ENTRIES,
        MoveBody,
        EntryShape,
        put_off=WaitingShape,
        matched=True,
    )
    def post(self) -> Any:
        other = self.event.sections.filter(pk=self.sent["section"], taken_away=False).first()
        if other is None or not self.token.made_by.has_perm(ENTRIES, other):
            text = _("There is no such section, or this token cannot see it.")
            raise invalid([{"pointer": "/section", "code": "unknown", "detail": text}])
        moved = move_or_keep(
            actor=self.actor,
            participant_id=self.entry.pk,
            section_id=other.pk,
            asked=self.answers,
            both=self.answers,
        )
        if moved is None:
            self.put_off = True
            return {"waiting": 1}
        return None


class WithdrawView(OfEntry):
    @writes(
        "Withdraw or expel a player", Scope.ENTRIES_WRITE, ENTRIES, WithdrawBody, EntryShape, matched=True
    )
    def post(self) -> Any:
        withdraw_participant(actor=self.actor, participant_id=self.entry.pk, **self.sent)


class PointsView(OfEntry):
    @writes(
        "Add points to a player by decision of the arbiter, or take them away",
        Scope.RESULTS_WRITE,
        DIRECT,
        PointsBody,
        EntryShape,
        matched=True,
    )
    def post(self) -> Any:
        decide_points(
            actor=self.actor,
            participant_id=self.entry.pk,
            round_number=self.sent["after_round"],
            points=self.sent["points"],
            reason=self.sent["reason"],
            confirmed=self.answers,
        )


class ReadmitView(OfEntry):
    @writes("Let a player play again", Scope.ENTRIES_WRITE, ENTRIES, ReadmitBody, EntryShape, matched=True)
    def post(self) -> Any:
        readmit_participant(actor=self.actor, participant_id=self.entry.pk, both=self.answers, **self.sent)


class PresenceView(OfEntry):
    @writes("Mark a player as here or not here", Scope.ENTRIES_WRITE, PRESENCE, PresenceBody, EntryShape)
    def post(self) -> Any:
        mark_presence(
            actor=self.actor,
            participant_id=self.entry.pk,
            round_number=self.sent["round"],
            here=self.sent["here"],
        )


class OfBye(View):
    shape = ByeShape


class ByesView(OfBye):
    model = "bye"

    @reads("List the byes of a section", answer=ByeShape, query=ByesQuery, many=True, feed=True)
    def get(self) -> QuerySet[Bye]:
        rows = Bye.objects.filter(participant__section=self.section)
        return rows.filter(round_number=self.asked["round"]) if "round" in self.asked else rows


class EntryByesView(OfBye):
    @writes("Give a bye", Scope.ENTRIES_WRITE, body=ByeBody, answer=ByeShape, made="bye")
    def post(self) -> Any:
        return request_bye(
            actor=self.actor,
            participant_id=self.subject.row.pk,
            round_number=self.sent["round"],
            kind=self.sent["kind"],
            proceed=self.answers,
            instead=self.answers,
        )


class ByeView(OfBye):
    @reads("Read a bye", answer=ByeShape)
    def get(self) -> Any:
        return self.subject.row

    @writes("Cancel a bye", Scope.ENTRIES_WRITE, status=204, matched=True)
    def delete(self) -> None:
        cancel_bye(actor=self.actor, bye_id=self.subject.row.pk)
