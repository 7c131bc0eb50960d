"""Undo the last decision of an organiser about a registration, until its mail is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

KNOWN = ~Q(kind__in=OF_NO_STATE) & (
    Q(state__in=[Mail.State.SENT, Mail.State.FAILED]) | Q(sent_at__isnull=False) | Q(attempts__gt=0)
)
"""Mails that have left or are on their way, also those that are queued again as a reminder."""
DECISIONS = (Step.Kind.MOVE, Step.Kind.SECTION)


def undo_move(*, registration_id: int, by: By, seen_revision: int | None = None) -> Registration:
    """Put a registration back as it was before the last decision of an organiser, unless its mail is sent.

    A place that the decision freed comes back, with the offer that followed.
    Raises NotFound; Stale; DomainError: registration_not_undone, registration_known, section_full.
    """
    with at_desk(event_of(registration_id)) as desk:
        one = desk.load(registration_id, seen_revision)
        decision = _decisions([one]).get(one.pk)
        if decision is None:
            raise DomainError("registration_not_undone", name=one.name)
        _undo(desk, one, decision, by)
    return one


def undo_many(*, event_id: int, keys: Sequence[int], by: By) -> Outcome:
    """Undo the last decision about each of these registrations, as `undo_move`. One that cannot be undone stays.

    Moves to another section are undone together. The others are undone in parts, so that others wait for one part of
    them at a time.
    """
    outcome = Outcome()
    with at_desk(event_id) as desk:
        ones = desk.many(keys)
        decisions = _decisions(ones)
        moved = [one for one in ones if one.pk in decisions and decisions[one.pk].kind == Step.Kind.SECTION]
        errors = _put_back(desk, {one: decisions[one.pk] for one in moved}, by)
        outcome.left += [(one, errors[one.pk]) for one in moved if one.pk in errors]
        outcome.moved += [one for one in moved if one.pk not in errors]
    left = [one.pk for one in ones if one not in moved]
    for start in range(0, len(left), PART):
        with at_desk(event_id) as desk:
            ones = desk.many(left[start : start + PART])
            decisions = _decisions(ones)
            made = [one for one in ones if one.pk in decisions and decisions[one.pk].kind == Step.Kind.MOVE]
            leave_many([one for one in made if one.state == State.ACCEPTED], by)
            for one in ones:
                try:
                    if one.pk not in decisions:
                        raise DomainError("registration_not_undone", name=one.name)
                    with transaction.atomic():
                        _undo(desk, one, decisions[one.pk], by)
                    outcome.moved.append(one)
                except DomainError as error:
                    outcome.left.append((one, error))
    return outcome


def _put_back(desk: Desk, moved: Mapping[Registration, Step], by: By) -> dict[int, DomainError]:
    """Undo moves between sections. Offers that took the places since are taken back. Return who stays, and why."""
    free: dict[int, int | None] = {}
    refused: dict[int, DomainError] = {}
    for one, step in moved.items():
        section_id = step.before["section"]
        if not step.before["takes_place"]:
            continue
        if section_id not in free:
            free[section_id] = desk.places(section_id).free
        left = free[section_id]
        if left:
            free[section_id] = left - 1
        elif left == 0:
            try:
                _free_again(desk, section_id, step.at)
            except DomainError as error:
                refused[one.pk] = error
    back = {one: step for one, step in moved.items() if one.pk not in refused}
    return refused | put_back(desk, back, by)


def _decisions(ones: Sequence[Registration]) -> dict[int, Step]:
    """Return the last decision about each of them, by its key, where it can be undone. Two queries."""
    steps = Step.objects.filter(registration__in=ones, kind__in=DECISIONS)
    last = {step.registration_id: step for step in steps}
    mails = Mail.objects.filter(KNOWN, registration__in=ones).values_list("registration", "revision")
    known: dict[int, int] = {}
    for key, revision in mails:
        known[key] = max(revision, known.get(key, -1))
    return {
        key: step
        for key, step in last.items()
        if step.hand == Hand.ORGANISER and step.from_state and known.get(key, -1) < step.revision
    }


def _undo(desk: Desk, one: Registration, last: Step, by: By) -> None:
    if last.kind == Step.Kind.SECTION:
        for error in _put_back(desk, {one: last}, by).values():
            raise error
        return
    queued = one.mails.filter(state=Mail.State.QUEUED)
    queued.exclude(kind__in=OF_NO_STATE).update(state=Mail.State.DROPPED)
    back = State(last.from_state)
    if back in ALWAYS_A_PLACE and not one.takes_place and is_full(desk.limits(one.section_id)):
        _free_again(desk, one.section_id, last.at)
    if back == State.ACCEPTED:
        enter(desk, one, by)
    elif one.state == State.ACCEPTED:
        leave(one, by)
    write_state(desk, one, back, by, undoing=True)


def is_mailed(step: Step) -> bool:
    """Return whether the player knows of the step."""
    known = Mail.objects.filter(KNOWN, registration=step.registration_id, revision__gte=step.revision)
    return known.exists()


def _free_again(desk: Desk, section_id: int, since: datetime) -> None:
    """Take back the last offer that the program made in the section since then.

    Raises DomainError("section_full") if each such offer is mailed or answered.
    """
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
    raise DomainError("section_full", section=desk.limits(section_id).section.name)
