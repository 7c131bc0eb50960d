"""Undo the last decision of an organiser about a registration, until its mail is sent."""

from __future__ import annotations

from datetime import datetime

from entering.machine import ALWAYS_A_PLACE, Hand, State
from entering.models import Mail, Registration, Step
from entering.models.mail import OF_NO_STATE
from tournaments.errors import DomainError

from .desk import CLOCK, By, Desk, at_desk, event_of
from .sections import put_back
from .writing import enter, leave, write_state

DECISIONS = (Step.Kind.MOVE, Step.Kind.SECTION)


def undo_move(*, registration_id: int, by: By, seen_revision: int | None = None) -> Registration:
    """Put a registration back as it was before the last decision of an organiser, unless its mail is sent.

    A place that the decision freed comes back, with the offer that followed.
    Raises NotFound; Stale; DomainError: registration_not_undone, registration_known, section_full.
    """
    with at_desk(event_of(registration_id)) as desk:
        one = desk.load(registration_id, seen_revision)
        last = one.steps.filter(kind__in=DECISIONS).last()
        if last is None or last.hand != Hand.ORGANISER or not last.from_state or is_mailed(last):
            raise DomainError("registration_not_undone", name=one.name)
        one.mails.filter(state=Mail.State.QUEUED).exclude(kind__in=OF_NO_STATE).update(
            state=Mail.State.DROPPED
        )
        if last.kind == Step.Kind.SECTION:
            if last.before["takes_place"]:
                _free_again(desk, last.before["section"], last.at)
            put_back(desk, one, last, by)
            return one
        back = State(last.from_state)
        if back in ALWAYS_A_PLACE and not one.takes_place:
            _free_again(desk, one.section_id, last.at)
        if back == State.ACCEPTED:
            enter(desk, one, by)
        elif one.state == State.ACCEPTED:
            leave(one, by)
        write_state(desk, one, back, by, undoing=True)
    return one


def is_mailed(step: Step) -> bool:
    """Return whether the player knows of the step."""
    known = step.registration.mails.filter(revision__gte=step.revision).exclude(kind__in=OF_NO_STATE)
    return known.filter(state__in=[Mail.State.SENT, Mail.State.FAILED]).exists()


def _free_again(desk: Desk, section_id: int, since: datetime) -> None:
    """Take back the last offer that the program made in the section since then, if no place is free otherwise.

    Raises DomainError("section_full") if each such offer is mailed or answered.
    """
    places = desk.places(section_id)
    if places.free != 0:
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
    raise DomainError("section_full", section=places.section.name)
