"""Undo the last step of a person about registrations: a decision until its mail is sent, anything else for a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from registrations.machine import ALWAYS_A_PLACE, Hand, State
from registrations.models import Mail, Note, Registration, Step
from registrations.models.mail import NOT_READ, OF_NO_STATE
from registrations.queries.places import is_full
from tournaments.errors import DomainError, Stale

from .desk import CLOCK, PART, By, Desk, at_desk, event_of
from .moving import Outcome
from .sections import put_back
from .undoing_facts import KEPT, UNDONE_WITHIN, is_kept, undo_facts
from .writing import enter, leave, leave_many, refuse_hidden, write_state

KNOWN = ~Q(kind__in=OF_NO_STATE) & (
    Q(state__in=[Mail.State.SENT, *NOT_READ]) | Q(sent_at__isnull=False) | Q(attempts__gt=0)
)
"""Mails that have left or are on their way, also those that are queued again as a reminder."""
DECISIONS = (Step.Kind.MOVE, Step.Kind.SECTION)


def undo_move(*, registration_id: int, by: By, seen_revision: int | None = None) -> Registration:
    """Undo what this person did last with a registration; without that, the last decision of another organiser.

    A place that a decision freed comes back, with the offer that followed.
    Raises NotFound; Stale; DomainError: registration_not_undone, registration_known, section_full.
    """
    seen = None if seen_revision is None else {registration_id: seen_revision}
    outcome = undo_many(event_id=event_of(registration_id), keys=[registration_id], by=by, seen=seen)
    for _one, error in outcome.left:
        raise error
    [one] = outcome.moved
    return one


def undo_many(
    *, event_id: int, keys: Sequence[int], by: By, seen: Mapping[int, int] | None = None
) -> Outcome:
    """Undo the last step about each of these registrations, as `undo_move`. One that cannot be undone stays.

    Decisions are undone in parts, so that others wait for one part of them at a time. What else was done with many is
    undone together. seen: the revisions that were seen. `Outcome.undone` has the steps.
    """
    outcome = Outcome()
    with at_desk(event_id) as desk:
        ones = []
        for one in desk.many(keys):
            if seen is not None and seen.get(one.pk) != one.revision:
                outcome.left.append((one, Stale("registration_changed", name=one.name)))
            else:
                ones.append(one)
        steps = last_steps(ones, by, desk.now)
        sections = {one: steps[one.pk] for one in ones if _is(steps, one, Step.Kind.SECTION)}
        facts = {one: steps[one.pk] for one in ones if one.pk in steps and is_kept(steps[one.pk])}
        refused = _put_back(desk, sections, by) | undo_facts(desk, facts, by)
        for one, step in (sections | facts).items():
            if one.pk in refused:
                outcome.left.append((one, refused[one.pk]))
            else:
                outcome.moved.append(one)
                outcome.undone[one.pk] = step
    left = [one.pk for one in ones if one not in sections and one not in facts]
    for start in range(0, len(left), PART):
        with at_desk(event_id) as desk:
            ones = desk.many(left[start : start + PART])
            steps = last_steps(ones, by, desk.now)
            made = [one for one in ones if _is(steps, one, Step.Kind.MOVE)]
            leave_many([one for one in made if one.state == State.ACCEPTED], by)
            for one in ones:
                try:
                    if one not in made:
                        raise DomainError("registration_not_undone", name=one.name)
                    with transaction.atomic():
                        _undo(desk, one, steps[one.pk], by)
                    outcome.moved.append(one)
                    outcome.undone[one.pk] = steps[one.pk]
                except DomainError as error:
                    outcome.left.append((one, error))
    return outcome


def _is(steps: Mapping[int, Step], one: Registration, kind: Step.Kind) -> bool:
    return one.pk in steps and steps[one.pk].kind == kind


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


def last_steps(ones: Sequence[Registration], by: By, now: datetime) -> dict[int, Step]:
    """Return what undo would undo for each of them, by its key. Four queries.

    It is what this person did last. If that was a decision, or was done more than a day ago, it is the last decision
    of any organiser.
    """
    ones = [one for one in ones if one.erased_at is None]
    mine = Step.objects.filter(registration__in=ones, hand=Hand.ORGANISER, who=by.name[:150])
    found = list(mine.filter(Q(kind__in=DECISIONS) | Q(kind__in=KEPT, at__gt=now - UNDONE_WITHIN)))
    notes = Note.objects.filter(pk__in=[step.before["note"] for step in found if "note" in step.before])
    kept = set(notes.values_list("pk", flat=True))
    last = {
        step.registration_id: step
        for step in found
        if step.kind in DECISIONS or (is_kept(step) and step.before.get("note") in {None, *kept})
    }
    facts = {key: step for key, step in last.items() if step.kind not in DECISIONS}
    return _decisions(ones) | facts


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
        if step.hand == Hand.ORGANISER
        and step.from_state
        and known.get(key, -1) < step.revision
        and (step.before or step.kind == Step.Kind.MOVE)  # erasing has emptied it
    }


def _undo(desk: Desk, one: Registration, last: Step, by: By) -> None:
    refuse_hidden(one, State(last.from_state))
    queued = one.mails.filter(state=Mail.State.QUEUED)
    queued.exclude(kind__in=OF_NO_STATE).update(state=Mail.State.DROPPED)
    back = State(last.from_state)
    if back in ALWAYS_A_PLACE and not one.takes_place and is_full(desk.limits(one.section_id)):
        _free_again(desk, one.section_id, last.at)
    if back == State.ACCEPTED:
        enter(desk, one, by)
    elif one.state == State.ACCEPTED:
        leave(one, by)
    write_state(desk, one, back, by, undoing=True, correction=last.before.get("correction"))


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
