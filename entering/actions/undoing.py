"""Undo the last decision of an organiser about a registration, until its mail is sent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from entering.machine import ALWAYS_A_PLACE, Hand, State
from entering.models import Mail, Registration, Step
from entering.models.mail import OF_NO_STATE
from entering.queries.places import is_full
from tournaments.errors import DomainError

from .desk import CLOCK, PART, By, Desk, at_desk, event_of
from .moving import Outcome
from .sections import put_back
from .writing import enter, leave, leave_many, write_state

DECISIONS = (Step.Kind.MOVE, Step.Kind.SECTION)


def undo_move(*, registration_id: int, by: By, seen_revision: int | None = None) -> Registration:
    """Put a registration back as it was before the last decision of an organiser, unless its mail is sent.

    A place that the decision freed comes back, with the offer that followed.
    Raises NotFound; Stale; DomainError: registration_not_undone, registration_known, section_full.
    """
    with at_desk(event_of(registration_id)) as desk:
        one = desk.load(registration_id, seen_revision)
        _undo(desk, one, _last(one), by)
    return one


def undo_many(*, event_id: int, keys: Sequence[int], by: By) -> Outcome:
    """Undo the last decision about each of these registrations, as `undo_move`. One that cannot be undone stays.

    Others wait for one part of them at a time, not for all.
    """
    outcome = Outcome()
    for start in range(0, len(keys), PART):
        with at_desk(event_id) as desk:
            decisions = []
            for one in desk.many(keys[start : start + PART]):
                try:
                    decisions.append((one, _last(one)))
                except DomainError as error:
                    outcome.left.append((one, error))
            accepted = [
                one for one, last in decisions if one.state == State.ACCEPTED and last.kind == Step.Kind.MOVE
            ]
            leave_many(accepted, by)
            for one, last in decisions:
                try:
                    with transaction.atomic():
                        _undo(desk, one, last, by)
                    outcome.moved.append(one)
                except DomainError as error:
                    outcome.left.append((one, error))
    return outcome


def _last(one: Registration) -> Step:
    """Return the decision that can be undone. Raises DomainError("registration_not_undone")."""
    last = one.steps.filter(kind__in=DECISIONS).last()
    if last is None or last.hand != Hand.ORGANISER or not last.from_state or is_mailed(last):
        raise DomainError("registration_not_undone", name=one.name)
    return last


def _undo(desk: Desk, one: Registration, last: Step, by: By) -> None:
    queued = one.mails.filter(state=Mail.State.QUEUED)
    queued.exclude(kind__in=OF_NO_STATE).update(state=Mail.State.DROPPED)
    if last.kind == Step.Kind.SECTION:
        if last.before["takes_place"]:
            _free_again(desk, last.before["section"], last.at)
        put_back(desk, one, last, by)
        return
    back = State(last.from_state)
    if back in ALWAYS_A_PLACE and not one.takes_place:
        _free_again(desk, one.section_id, last.at)
    if back == State.ACCEPTED:
        enter(desk, one, by)
    elif one.state == State.ACCEPTED:
        leave(one, by)
    write_state(desk, one, back, by, undoing=True)


def is_mailed(step: Step) -> bool:
    """Return whether the player knows of the step."""
    known = step.registration.mails.filter(revision__gte=step.revision).exclude(kind__in=OF_NO_STATE)
    sent = Q(state__in=[Mail.State.SENT, Mail.State.FAILED]) | Q(
        sent_at__isnull=False
    )  # a reminder is queued again
    return known.filter(sent).exists()


def _free_again(desk: Desk, section_id: int, since: datetime) -> None:
    """Take back the last offer that the program made in the section since then, if no place is free otherwise.

    Raises DomainError("section_full") if each such offer is mailed or answered.
    """
    limits = desk.limits(section_id)
    if not is_full(limits):
        return
    offers = Step.objects.filter(
        registration__section=section_id,
        registration__state=State.OFFERED,
        kind=Step.Kind.MOVE,
        hand=Hand.CLOCK,
        to_state=State.OFFERED,
        at__gte=since,
    )
    for offer in offers.select_related("registration").order_by("-pk"):
        if is_mailed(offer):
            continue
        other = desk.load(offer.registration_id)
        other.mails.filter(state=Mail.State.QUEUED).update(state=Mail.State.DROPPED)
        write_state(desk, other, State.WAITING, CLOCK, undoing=True)
        return
    raise DomainError("section_full", section=limits.section.name)
