"""Byes that players ask for: noted, given within the regulations, taken back until the round is paired."""

from __future__ import annotations

from django.db import transaction

from evenboard_engine import ByeKind
from registrations.models import HistoryLine, Registration, WishedBye
from registrations.refusals import REGISTRATION_CHANGED, REGISTRATION_NOT_UNDONE
from registrations.states import Hand
from tournaments.actions.byes import cancel_bye, request_bye
from tournaments.actions.ledger import steps_taken
from tournaments.errors import (
    NO_BYES_HERE,
    ROUND_ALREADY_PAIRED,
    ROUND_OUT_OF_RANGE,
    DomainError,
    Refusal,
)
from tournaments.models import Bye, Section
from tournaments.models.rounds import rounds_paired
from tournaments.queries.byes import gives_half_bye

from .event_lock import EventLock, RegistrationActor, event_lock, event_of

# Refusals
BYE_NOT_IN_RULES = Refusal("bye_not_in_rules", params=("round", "limit", "last_round"))


Wish = WishedBye.State


def wish_bye(
    *,
    registration_id: int,
    round_number: int,
    by: RegistrationActor,
    kind: ByeKind = ByeKind.HALF,
    seen_revision: int | None = None,
) -> WishedBye:
    """Ask for a bye. It is given at once if the player has an entry and the regulations allow it.

    What the organiser has refused, the player does not ask for again: it would be given by itself.
    Raises NotFound; Stale; DomainError: round_out_of_range, round_already_paired, bye_not_in_rules, no_byes_here.
    """
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id, seen_revision)
        if by.hand == Hand.PLAYER and one.byes.filter(round_number=round_number, state=Wish.REFUSED).exists():
            raise REGISTRATION_CHANGED.error(name=one.name)
        ask_for(one, round_number, kind)
        lock.note(one, HistoryLine.Kind.BYE, by, fields=[str(round_number), Wish.ASKED.value])
        if one.participant is not None:
            grant_byes(one, by)
        return one.byes.get(round_number=round_number)


def ask_for(one: Registration, round_number: int, kind: ByeKind = ByeKind.HALF) -> WishedBye:
    """Note a wish that the regulations allow. Raises DomainError as `wish_bye`."""
    refuse_wish(one, one.section, round_number, kind)
    wish, _made = WishedBye.objects.update_or_create(
        registration=one, round_number=round_number, defaults={"kind": kind.value, "state": Wish.ASKED}
    )
    return wish


def refuse_wish(one: Registration, section: Section, round_number: int, kind: ByeKind) -> None:
    """Raises DomainError unless the regulations of the section allow the bye."""
    if section.fixed_rounds:
        raise NO_BYES_HERE.error()
    if not 1 <= round_number <= section.rounds:
        raise ROUND_OUT_OF_RANGE.error(round=round_number, rounds=section.rounds)
    if round_number <= rounds_paired(section):
        raise ROUND_ALREADY_PAIRED.error(round=round_number)
    if kind is not ByeKind.HALF:
        return
    had = (
        one.byes.filter(kind=ByeKind.HALF)
        .exclude(state=Wish.REFUSED)
        .exclude(round_number=round_number)
        .count()
    )
    if not gives_half_bye(section, round_number, had + 1):
        raise BYE_NOT_IN_RULES.error(
            round=round_number,
            limit=section.half_bye_limit,
            last_round=section.last_bye_round,
        )


def grant_byes(one: Registration, by: RegistrationActor) -> None:
    """Give the byes that were asked for. One that the section refuses stays as asked, for the organiser to decide."""
    if one.participant is None:
        return
    for wish in one.byes.filter(state=Wish.ASKED):
        try:
            with transaction.atomic(), steps_taken():
                request_bye(
                    actor=by.actor,
                    participant_id=one.participant.pk,
                    round_number=wish.round_number,
                    kind=wish.kind,
                )
        except DomainError:
            continue
        wish.state = Wish.GRANTED
        wish.save(update_fields=["state"])


def decide_bye(*, registration_id: int, round_number: int, grant: bool, by: RegistrationActor) -> None:
    """Give or refuse a bye by hand, also beyond the regulations.

    Raises Stale("registration_changed") if the player no longer asks for it; DomainError as `request_bye`.
    """
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id)
        wish = one.byes.filter(round_number=round_number).first()
        if wish is None:
            raise REGISTRATION_CHANGED.error(name=one.name)
        if grant and one.participant is not None:
            with steps_taken():
                request_bye(
                    actor=by.actor,
                    participant_id=one.participant.pk,
                    round_number=round_number,
                    kind=wish.kind,
                    proceed=True,
                )
        _decided(lock, one, wish, Wish.GRANTED if grant else Wish.REFUSED, by)


TAKEN_BACK = "taken back"
"""What the history says of a wish that is gone; of other wishes it says their state."""


def _decided(lock: EventLock, one: Registration, wish: WishedBye, state: Wish, by: RegistrationActor) -> None:
    before = {"round": wish.round_number, "bye": wish.state}
    wish.state = state
    wish.save(update_fields=["state"])
    lock.note(one, HistoryLine.Kind.BYE, by, fields=[str(wish.round_number), state.value], before=before)


def undo_bye(lock: EventLock, one: Registration, step: HistoryLine, by: RegistrationActor) -> None:
    """Undo the decision about a bye. A bye that it gave is taken away, unless its round is paired.

    A wish about which something was done since stays as it is, and so does a bye that an arbiter has given.

    Raises DomainError: registration_not_undone, round_already_paired; as `request_bye`.
    """
    number, state = step.before["round"], Wish(step.before["bye"])
    wish = one.byes.filter(round_number=number).first()
    since = one.steps.filter(kind=HistoryLine.Kind.BYE, pk__gt=step.pk)
    if wish is None or any(str(number) in later.fields for later in since):
        raise REGISTRATION_NOT_UNDONE.error(name=one.name)
    if number <= rounds_paired(one.section):
        raise ROUND_ALREADY_PAIRED.error(round=number)
    given = Bye.objects.filter(participant=one.participant, round_number=number).first()
    granted = wish.state == Wish.GRANTED
    with steps_taken():
        if state == Wish.GRANTED and one.participant is not None and given is None:
            request_bye(
                actor=by.actor,
                participant_id=one.participant.pk,
                round_number=number,
                kind=wish.kind,
                proceed=True,
            )
        elif granted and state != Wish.GRANTED and given is not None:
            cancel_bye(actor=by.actor, bye_id=given.pk)
    _decided(lock, one, wish, state, by)


def drop_bye(
    *, registration_id: int, round_number: int, by: RegistrationActor, seen_revision: int | None = None
) -> None:
    """Take a wish back. Possible until the round is paired. Raises NotFound; Stale; round_already_paired.

    A player takes back only what the player asked for and nobody has refused: other byes are the arbiter's.
    """
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id, seen_revision)
        if round_number <= rounds_paired(one.section):
            raise ROUND_ALREADY_PAIRED.error(round=round_number)
        wish = one.byes.filter(round_number=round_number).exclude(state=Wish.REFUSED)
        if by.hand == Hand.PLAYER and not wish.exists():
            raise REGISTRATION_CHANGED.error(name=one.name)
        given = Bye.objects.filter(participant=one.participant, round_number=round_number).first()
        if one.participant is not None and given is not None and given.kind != ByeKind.ALLOCATED:
            with steps_taken():
                cancel_bye(actor=by.actor, bye_id=given.pk)
        one.byes.filter(round_number=round_number).delete()
        lock.note(one, HistoryLine.Kind.BYE, by, fields=[str(round_number), TAKEN_BACK])
