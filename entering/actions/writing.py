"""Write a new state, and make or remove the entry in the section that belongs to it."""

from __future__ import annotations

from entering.machine import ALWAYS_A_PLACE, OVER, Hand, State
from entering.models import Mail, Registration, SectionRegistration, Step
from entering.queries.fitting import facts_of, needs_provisional
from tournaments.actions.entries import (
    add_participant,
    readmit_participant,
    remove_participant,
    withdraw_participant,
)
from tournaments.actions.entry_import import import_entries
from tournaments.actions.ledger import steps_taken
from tournaments.entry_data import EntryData
from tournaments.errors import DomainError
from tournaments.imports.rows import ImportRow
from tournaments.models import RatingSource, Round

from .desk import By, Desk
from .wishes import grant_byes

SOURCE = "registrations"
"""Named in the log of the section as the source of entries that came together."""


def write_state(
    desk: Desk,
    one: Registration,
    to: State,
    by: By,
    *,
    reason: str = "",
    fields: tuple[str, ...] = (),
    undoing: bool = False,
) -> None:
    """Put a registration into a state, with its line of history and its mail. Its entry is made or removed before.

    One that is opened again goes to the end of the waiting list, unless an undo opens it.
    """
    former = State(one.state)
    one.state = to
    one.takes_place = to in ALWAYS_A_PLACE
    one.parked = to == State.WAITING and by.hand == Hand.ORGANISER and former in ALWAYS_A_PLACE
    one.deadline = desk.deadline(to)
    if former in OVER and not undoing:
        one.queued_at, one.position = desk.now, None
    one.correction = {"fields": list(fields), "text": reason} if to == State.CORRECTION else {}
    if to == State.ACCEPTED:
        one.facts = facts_of(one, desk.limits(one.section_id))
    one.save(
        update_fields=[
            "state",
            "takes_place",
            "deadline",
            "queued_at",
            "position",
            "parked",
            "correction",
            "facts",
            "participant",
        ]
    )
    desk.note(one, Step.Kind.MOVE, by, from_state=former, to_state=to, reason=reason, fields=list(fields))
    if former in ALWAYS_A_PLACE | {State.SUBMITTED} and not one.takes_place:
        desk.freed.add(one.section_id)
    if not (undoing and one.mails.filter(kind=to, state=Mail.State.SENT).exists()):
        desk.mail(one, to, at_once=to == State.SUBMITTED)


def enter(desk: Desk, one: Registration, by: By) -> None:
    """Make the entry of an accepted registration, and give the byes that the regulations allow.

    Raises DomainError("registration_started") if round 1 is paired and nobody of the event decides; what
    `add_participant` raises.
    """
    _refuse_late(one, by)
    with steps_taken():  # undo is offered for the registration, not for the entry alone
        if one.participant is not None:
            if not one.participant.is_active:
                readmit_participant(actor=by.actor, participant_id=one.participant.pk)
        else:
            one.participant = add_participant(
                actor=by.actor,
                section_id=one.section_id,
                entry=entry_of(one, desk.limits(one.section_id)),
                proceed=True,
                asked=True,
            )
    grant_byes(one, by)


def enter_many(desk: Desk, ones: list[Registration], by: By) -> dict[int, DomainError]:
    """Make the entries of registrations of one section in one step. Return who could not be entered, and why."""
    refused: dict[int, DomainError] = {}
    left = []
    for one in ones:
        try:
            _refuse_late(one, by)
            if one.participant is not None:
                enter(desk, one, by)
            else:
                left.append(one)
        except DomainError as error:
            refused[one.pk] = error
    while left:
        rows = [ImportRow(entry=entry_of(one, desk.limits(one.section_id))) for one in left]
        try:
            with steps_taken():
                outcome = import_entries(
                    actor=by.actor,
                    section_id=left[0].section_id,
                    rows=rows,
                    source=SOURCE,
                    proceed=True,
                    asked=True,
                )
        except DomainError as error:
            if error.code != "import_refused":
                return refused | {one.pk: error for one in left}
            wrong = {problem["row"]: problem for problem in error.params["problems"]}
            for number, problem in wrong.items():
                refused[left[number - 1].pk] = _as_refusal(problem["code"], problem["params"])
            left = [one for number, one in enumerate(left, start=1) if number not in wrong]
            continue
        for one, participant in zip(left, outcome.added, strict=True):
            one.participant = participant
            grant_byes(one, by)
        break
    return refused


def _as_refusal(code: str, params: dict[str, object]) -> DomainError:
    return DomainError(code, **params)


def _refuse_late(one: Registration, by: By) -> None:
    if by.hand != Hand.ORGANISER and Round.objects.filter(section=one.section_id).exists():
        raise DomainError("registration_started")


def leave(one: Registration, by: By, reason: str = "") -> None:
    """Remove the entry. A player who was paired is withdrawn instead."""
    if one.participant is None:
        return
    with steps_taken():
        try:
            remove_participant(actor=by.actor, participant_id=one.participant.pk, asked=True)
        except DomainError as error:
            if error.code != "already_paired":
                raise
            if one.participant.is_active:
                withdraw_participant(actor=by.actor, participant_id=one.participant.pk, reason=reason)
        else:
            one.participant = None


def entry_of(one: Registration, limits: SectionRegistration) -> EntryData:
    """Return the registration as an entry. Without consent to the public list, visitors see initials.

    A player without a rating has the provisional one of the section, if the section needs ratings.
    """
    provisional = limits.unrated_as if needs_provisional(one) else None
    source = one.rating_source if one.rating_source in RatingSource.values else RatingSource.TYPED
    listed = one.rating_source in (RatingSource.STANDARD, RatingSource.RAPID, RatingSource.BLITZ)
    return EntryData(
        name=one.name,
        rating=one.rating or provisional or 0,
        sex=one.sex,
        title=one.title,
        federation=one.federation,
        fide_id=one.fide_id,
        birth_date=one.birth_date,
        rating_source=RatingSource.PROVISIONAL if provisional else source,
        rating_list=one.rating_list,
        official_rating=one.rating if listed and one.rating else None,
        club=one.club,
        by_initials=not one.consent,
    )
