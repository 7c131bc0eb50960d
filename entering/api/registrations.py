"""Registrations: the queue, decisions one by one or many at once, the desk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404

from entering.actions.changing import add_note, change, label_many, set_present, take_changes
from entering.actions.desk import By
from entering.actions.money import charge
from entering.actions.moving import move, move_many
from entering.actions.registering import Wanted, register
from entering.actions.sections import move_section
from entering.actions.undoing import undo_move
from entering.actions.wishes import decide_bye
from entering.machine import Hand, State
from entering.models import EventRegistration, Registration, Step
from entering.queries.queue import QueueFilter, found_by
from tournaments.api.v1.operations import reads, writes
from tournaments.api.v1.subjects import BIGGEST, Subject
from tournaments.api.v1.view import View
from tournaments.errors import DomainError, NotFound
from tournaments.models import Scope
from tournaments.rights import Right
from tournaments.web.words.refusals import explain

from .shapes import (
    AtDeskBody,
    ChargeBody,
    DecideBody,
    DecisionsShape,
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
        rows = Registration.objects.select_related("event", "section").filter(pk=min(key, BIGGEST))
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

    def show(self, row: Registration) -> Any:
        return RegistrationShape(row).data

    def in_list(self, row: Registration) -> Any:
        return RegistrationRow(row).data

    @property
    def by(self) -> By:
        return By(Hand.ORGANISER, self.token.made_by)

    @property
    def key(self) -> int:
        """Return the key of the registration. Its version was compared behind the lock."""
        return int(self.subject.row.pk)

    def shown_again(self, key: int | None = None) -> Any:
        """Return the registration as it is after an action."""
        return self.shown(Registration.objects.select_related("event", "section").get(pk=key or self.key))


class RegistrationsView(OfRegistration):
    @reads(
        "List the registrations of an event",
        scope=READ,
        permission=SEE,
        answer=RegistrationRow,
        query=RegistrationsQuery,
        many=True,
    )
    def get(self) -> QuerySet[Registration]:
        rows = found_by(self.event, QueueFilter(pile="all", search=self.asked.get("search", "")))
        for name in ("state", "section"):
            if name in self.asked:
                rows = rows.filter(**{name: self.asked[name]})
        if "label" in self.asked:
            rows = rows.filter(labels__name=self.asked["label"])
        if "changed_since" in self.asked:
            steps = Step.objects.filter(registration=OuterRef("pk"), at__gte=self.asked["changed_since"])
            rows = rows.filter(Exists(steps))
        return rows.prefetch_related("labels", "byes")

    @writes(
        "Register a player",
        WRITE,
        permission=DECIDE,
        body=NewRegistrationBody,
        answer=RegistrationShape,
        status=201,
    )
    def post(self) -> Any:
        section, byes = self.sent.pop("section"), self.sent.pop("byes")
        made = register(event=self.event, wanted=Wanted(section, self.sent, byes), by=self.by)
        return self.shown_again(made.pk)


class RegistrationView(OfRegistration):
    @reads("Read a registration", scope=READ, permission=SEE, answer=RegistrationShape)
    def get(self) -> Any:
        return self.shown(self.subject.row)

    @writes(
        "Change the data of a registration",
        WRITE,
        permission=DECIDE,
        body=RegistrationBody,
        answer=RegistrationShape,
        matched=True,
    )
    def patch(self) -> Any:
        change(registration_id=self.key, values=self.sent, by=self.by)
        return self.shown_again()


class StateView(OfRegistration):
    @writes(
        "Accept a registration, ask to correct it, put it on the waiting list, offer a place, refuse or withdraw it",
        WRITE,
        permission=DECIDE,
        body=StateBody,
        answer=RegistrationShape,
        matched=True,
    )
    def post(self) -> Any:
        by = By(Hand.ORGANISER, self.token.made_by, both=self.sent["both"])
        move(registration_id=self.key, to=State(self.sent["state"]), by=by, reason=self.sent["reason"])
        return self.shown_again()


class MoveView(OfRegistration):
    @writes(
        "Move a registration to another section",
        WRITE,
        permission=DECIDE,
        body=ToSectionBody,
        answer=RegistrationShape,
        matched=True,
    )
    def post(self) -> Any:
        move_section(registration_id=self.key, section_id=self.sent["section"], by=self.by)
        return self.shown_again()


class DecideView(OfRegistration):
    @writes(
        "Decide about many registrations, with an answer for each",
        WRITE,
        permission=DECIDE,
        body=DecideBody,
        answer=DecisionsShape,
    )
    def post(self) -> Any:
        wanted = {one["id"]: one["revision"] for one in self.sent["registrations"]}
        mine = set(Registration.objects.filter(event=self.event, pk__in=wanted).values_list("pk", flat=True))
        refused: dict[int, DomainError] = {
            key: NotFound("not_found", kind="registration", id=key) for key in wanted if key not in mine
        }
        known = {key: revision for key, revision in wanted.items() if key in mine}
        if "state" in self.sent:
            by = By(Hand.ORGANISER, self.token.made_by, both=self.sent["both"])
            outcome = move_many(
                event_id=self.event.pk,
                wanted=list(known.items()),
                to=State(self.sent["state"]),
                by=by,
                reason=self.sent["reason"],
            )
            refused |= {one.pk: error for one, error in outcome.left}
        else:
            refused |= self._moved(known)
        answers = [
            {
                "id": key,
                "code": refused[key].code if key in refused else "",
                "detail": str(explain(refused[key])) if key in refused else "",
            }
            for key in wanted
        ]
        return {"decided": len(wanted) - len(refused), "registrations": answers}

    def _moved(self, wanted: dict[int, int]) -> dict[int, DomainError]:
        """Move registrations to the section. Return why others stay."""
        refused: dict[int, DomainError] = {}
        for key, revision in wanted.items():
            try:
                with transaction.atomic():
                    move_section(
                        registration_id=key,
                        section_id=self.sent["section"],
                        by=self.by,
                        seen_revision=revision,
                    )
            except DomainError as error:
                refused[key] = error
        return refused


class UndoDecisionView(OfRegistration):
    @writes(
        "Undo the last decision, until its mail is sent",
        WRITE,
        permission=DECIDE,
        answer=RegistrationShape,
        matched=True,
    )
    def post(self) -> Any:
        undo_move(registration_id=self.key, by=self.by)
        return self.shown_again()


class ChangesView(OfRegistration):
    @writes(
        "Take what an accepted player has changed, or leave it",
        WRITE,
        permission=DECIDE,
        body=TakeBody,
        answer=RegistrationShape,
        matched=True,
    )
    def post(self) -> Any:
        take_changes(registration_id=self.key, by=self.by, take=self.sent["take"])
        return self.shown_again()


class WishView(OfRegistration):
    @writes(
        "Give or refuse a bye that the player asks for",
        WRITE,
        permission=DECIDE,
        body=GrantBody,
        answer=RegistrationShape,
        matched=True,
    )
    def post(self) -> Any:
        decide_bye(
            registration_id=self.key, round_number=self.sent["round"], grant=self.sent["grant"], by=self.by
        )
        return self.shown_again()


class ChargesView(OfRegistration):
    @writes(
        "Add a payment or another line to the account",
        WRITE,
        permission=DECIDE,
        body=ChargeBody,
        answer=RegistrationShape,
        matched=True,
    )
    def post(self) -> Any:
        charge(registration_id=self.key, by=self.by, **self.sent)
        return self.shown_again()


class DeskView(OfRegistration):
    @writes(
        "Mark a registered player as here or not here",
        WRITE,
        permission=DESK,
        body=AtDeskBody,
        answer=RegistrationShape,
    )
    def put(self) -> Any:
        set_present(registration_id=self.key, present=self.sent["here"], by=self.by)
        return self.shown_again()


class LabelView(OfRegistration):
    @writes(
        "Put a label on a registration, or take it off",
        WRITE,
        permission=DECIDE,
        body=LabelBody,
        answer=RegistrationShape,
    )
    def put(self) -> Any:
        label_many(event=self.event, keys=[self.key], **self.sent)
        return self.shown_again()


class NotesView(OfRegistration):
    @writes(
        "Write a note that only people of the event see",
        WRITE,
        permission=DECIDE,
        body=NoteBody,
        answer=RegistrationShape,
    )
    def post(self) -> Any:
        add_note(event=self.event, registration_id=self.key, by=self.by, text=self.sent["text"])
        return self.shown_again()
