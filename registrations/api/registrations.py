"""Registrations: reading them, decisions one by one, the desk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import DateTimeField

from api.v1.operations import reads, writes
from api.v1.problems import invalid
from api.v1.shapes import WaitingShape
from api.v1.subjects import BIGGEST, Subject
from api.v1.view import View
from registrations.actions.desk import set_present
from registrations.actions.edits import add_note, change_registration, label_many, take_changes
from registrations.actions.event_lock import RegistrationActor
from registrations.actions.mails import new_link
from registrations.actions.money import charge, pay_all
from registrations.actions.new_registrations import NewRegistration, register
from registrations.actions.requested_byes import decide_bye
from registrations.actions.sections import move_section
from registrations.actions.transitions import move_registration
from registrations.actions.undo import undo_move
from registrations.models import EventRegistration, Label, Registration
from registrations.queries.conflict_check import LONGEST_ACTION, changed_registrations
from registrations.queries.queue import QueueFilter, found_by, read_words
from registrations.states import Hand, RegistrationState
from tournaments.models import Scope
from tournaments.rights import Right

from .shapes import (
    AtDeskBody,
    ChargeBody,
    GrantBody,
    LabelBody,
    NewRegistrationBody,
    NoteBody,
    RegistrationBody,
    RegistrationRow,
    RegistrationShape,
    RegistrationsQuery,
    StateBody,
    TakeBody,
    ToSectionBody,
)

READ, WRITE = Scope.REGISTRATIONS_READ, Scope.REGISTRATIONS_WRITE
SEE = Right.SEE_REGISTRATIONS.permission
DECIDE = Right.REGISTRATIONS.permission
DESK = Right.DESK.permission


class OfRegistration(View):
    """Registrations belong to the whole event: a role in one section opens none."""

    def find(self) -> Subject:
        if "registration" not in self.kwargs:
            return super().find()
        key = self.kwargs["registration"]
        rows = Registration.objects.select_related("event", "section", "news").filter(pk=min(key, BIGGEST))
        row = rows.first()
        if row is None:
            raise Http404
        return Subject(row, row.event)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the registrations of the event before the event, in the order of all actions on registrations."""
        EventRegistration.objects.select_for_update(of=("self",), no_key=True).filter(
            event=self.event
        ).first()
        with super().locked():
            yield

    @property
    def opened(self) -> dict[str, bool]:
        """Return whether the token may read contacts, for shapes: to write is less than to read them."""
        may_see = self.token.made_by.has_perm(SEE, self.event)
        return {"contacts": READ in self.token.scopes and may_see}

    @cached_property
    def questions(self) -> list[str]:
        """Return what the form asks, in the order in which a registration keeps the answers."""
        found = EventRegistration.objects.filter(event=self.event).values_list("questions", flat=True).first()
        return found or []

    def show(self, row: Registration) -> Any:
        return RegistrationShape(row, context={**self.opened, "questions": self.questions}).data

    def in_list(self, row: Registration) -> Any:
        return RegistrationRow(row, context={"questions": self.questions}).data

    def order_answers(self, former: Sequence[str] = ()) -> None:
        """Put the answers that were sent in the order of the questions. Raises Problem for another question."""
        if "answers" not in self.sent:
            return
        answers = dict(zip(self.questions, former, strict=False))
        for at, one in enumerate(self.sent["answers"]):
            if one["question"] not in self.questions:
                text = _("The form does not ask this question.")
                raise invalid([{"pointer": f"/answers/{at}/question", "code": "unknown", "detail": text}])
            answers[one["question"]] = one["answer"]
        self.sent["answers"] = [answers.get(question, "") for question in self.questions]

    @property
    def by(self) -> RegistrationActor:
        return RegistrationActor(Hand.ORGANISER, self.token.made_by)

    @property
    def key(self) -> int:
        """Return the key of the registration. Its version was compared behind the lock."""
        return int(self.subject.row.pk)


class RegistrationsView(OfRegistration):
    @reads(
        "List the registrations of an event",
        READ,
        SEE,
        RegistrationRow,
        query=RegistrationsQuery,
        many=True,
        feed=True,
    )
    def get(self) -> QuerySet[Registration]:
        conditions = self.asked.get("conditions", [])
        labels = Label.objects.filter(event=self.event).values_list("name", "pk") if conditions else ()
        wanted = QueueFilter(
            pile="all",
            search=self.asked.get("search", ""),
            conditions=tuple(read_words(conditions, dict(labels))),
            any_of=self.asked["any"],
        )
        rows = found_by(self.event, wanted)
        for name in ("state", "section"):
            if name in self.asked:
                rows = rows.filter(**{name: self.asked[name]})
        if "label" in self.asked:
            rows = rows.filter(labels__name=self.asked["label"])
        return rows.select_related("news").prefetch_related("labels", "byes")

    def mark(self) -> str:
        """Return the time, before any action that may be writing now began."""
        return (timezone.now() - LONGEST_ACTION).isoformat(timespec="seconds").replace("+00:00", "Z")

    def changed(self, since: str) -> set[int] | None:
        try:
            moment = DateTimeField().to_internal_value(since)
        except ValidationError:
            return None
        return changed_registrations(self.event, moment)

    @writes("Register a player", WRITE, DECIDE, NewRegistrationBody, RegistrationShape, made="registration")
    def post(self) -> Any:
        self.order_answers()
        section, byes, agreed = (self.sent.pop(name) for name in ("section", "byes", "agreed"))
        wanted = NewRegistration(section, self.sent, byes, agreed=agreed)
        made = register(event=self.event, wanted=wanted, by=self.by)
        return Registration.objects.select_related("event", "section", "news").get(pk=made.pk)


class RegistrationView(OfRegistration):
    @reads("Read a registration", READ, SEE, RegistrationShape)
    def get(self) -> Any:
        return self.subject.row

    @writes(
        "Change the data of a registration", WRITE, DECIDE, RegistrationBody, RegistrationShape, matched=True
    )
    def patch(self) -> Any:
        self.order_answers(self.subject.row.answers)
        agreed = self.sent.pop("agreed", "")
        change_registration(registration_id=self.key, values=self.sent, by=self.by, agreed=agreed)


class RegistrationStateView(OfRegistration):
    @writes(
        "Accept a registration, ask to correct it, put it on the waiting list, offer a place, refuse or withdraw it",
        WRITE,
        DECIDE,
        StateBody,
        RegistrationShape,
        matched=True,
    )
    def post(self) -> Any:
        by = RegistrationActor(Hand.ORGANISER, self.token.made_by, both=self.answers)
        move_registration(
            registration_id=self.key,
            to=RegistrationState(self.sent["state"]),
            by=by,
            reason=self.sent["reason"],
            fields=tuple(self.sent["marked"]),
        )


class MoveView(OfRegistration):
    @writes(
        "Move a registration to another section",
        WRITE,
        DECIDE,
        ToSectionBody,
        RegistrationShape,
        put_off=WaitingShape,
        matched=True,
    )
    def post(self) -> Any:
        section = self.sent["section"]
        one = move_section(registration_id=self.key, section_id=section, by=self.by, sure=self.answers)
        if one.is_live and one.section_id != section:
            self.put_off = True
            return {"waiting": 1}
        return None


class UndoDecisionView(OfRegistration):
    @writes(
        "Undo what you did last with a registration: a decision until its mail is sent, anything else for 24 hours",
        WRITE,
        DECIDE,
        answer=RegistrationShape,
        matched=True,
    )
    def post(self) -> Any:
        undo_move(registration_id=self.key, by=self.by)


class ChangesView(OfRegistration):
    @writes(
        "Take what an accepted player has changed, or leave it",
        WRITE,
        DECIDE,
        TakeBody,
        RegistrationShape,
        matched=True,
    )
    def post(self) -> Any:
        take_changes(registration_id=self.key, by=self.by, take=self.sent["take"])


class WishView(OfRegistration):
    @writes(
        "Give or refuse a bye that the player asks for",
        WRITE,
        DECIDE,
        GrantBody,
        RegistrationShape,
        matched=True,
    )
    def post(self) -> Any:
        decide_bye(
            registration_id=self.key, round_number=self.sent["round"], grant=self.sent["grant"], by=self.by
        )


class ChargesView(OfRegistration):
    @writes(
        "Add a payment or another line to the account",
        WRITE,
        DECIDE,
        ChargeBody,
        RegistrationShape,
        matched=True,
    )
    def post(self) -> Any:
        charge(registration_id=self.key, by=self.by, **self.sent)


class PaidView(OfRegistration):
    @writes(
        "Note that the player has paid what is owed, if anything is", WRITE, DESK, answer=RegistrationShape
    )
    def post(self) -> Any:
        pay_all(registration_id=self.key, by=self.by)


class LinkView(OfRegistration):
    @writes(
        "Make all personal links void, and send the player a new one by mail",
        WRITE,
        DECIDE,
        answer=RegistrationShape,
    )
    def post(self) -> Any:
        new_link(registration_id=self.key, by=self.by)


class DeskView(OfRegistration):
    @writes("Mark a registered player as here or not here", WRITE, DESK, AtDeskBody, RegistrationShape)
    def put(self) -> Any:
        set_present(registration_id=self.key, present=self.sent["here"], by=self.by)


class LabelView(OfRegistration):
    @writes("Put a label on a registration, or take it off", WRITE, DECIDE, LabelBody, RegistrationShape)
    def put(self) -> Any:
        label_many(event=self.event, keys=[self.key], by=self.by, **self.sent)


class NotesView(OfRegistration):
    @writes("Write a note that only people of the event see", WRITE, DECIDE, NoteBody, RegistrationShape)
    def post(self) -> Any:
        add_note(event=self.event, registration_id=self.key, by=self.by, text=self.sent["text"])
