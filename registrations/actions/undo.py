"""Undo the last step of a person about registrations: a decision until its mail is sent, anything else for a day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from registrations.models import Charge, HistoryLine, Label, Mail, Note, Registration
from registrations.models.mail import NOT_READ, OF_NO_STATE
from registrations.queries.places import is_full
from registrations.queries.problems import price_in
from registrations.refusals import REGISTRATION_CHANGED, REGISTRATION_NOT_UNDONE, SECTION_FULL
from registrations.states import ALWAYS_A_PLACE, LIVE, Hand, RegistrationState
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import steps_taken
from tournaments.errors import ALREADY_PAIRED, DomainError

from .edits import undo_edit, write_label
from .event_lock import CLOCK, PART, EventLock, RegistrationActor, event_lock, event_of
from .list_news import undo_left, undo_taken
from .money import undo_charge
from .queue import note_entries, undo_orders, write_prices
from .requested_byes import undo_bye
from .sections import put_back
from .state_changes import (
    ask_byes_again,
    enter,
    enter_many,
    entry_state,
    leave,
    leave_many,
    refuse_hidden,
    write_state,
)
from .transitions import ManyMoved

KNOWN = ~Q(kind__in=OF_NO_STATE) & (
    Q(state__in=[Mail.State.SENT, *NOT_READ]) | Q(sent_at__isnull=False) | Q(attempts__gt=0)
)
"""Mails that have left or are on their way, also those that are queued again as a reminder."""
DECISIONS = (HistoryLine.Kind.MOVE, HistoryLine.Kind.SECTION)
UNDONE_WITHIN = timedelta(hours=24)
"""What mails nobody can be undone for this time."""
KEPT = {
    HistoryLine.Kind.LABEL: ("label",),
    HistoryLine.Kind.NOTE: ("note",),
    HistoryLine.Kind.ORDER: ("order",),
    HistoryLine.Kind.ENTRY: ("entry",),
    HistoryLine.Kind.MONEY: ("charge", "now"),
    HistoryLine.Kind.BYE: ("bye",),
    HistoryLine.Kind.EDIT: ("values", "left"),
}
"""What `HistoryLine.before` has if the step can be undone; one of these."""

Steps = Mapping[Registration, HistoryLine]
Refused = dict[int, DomainError]
"""Which registrations stay as they are, by key, and why."""


def undo_move(
    *, registration_id: int, by: RegistrationActor, seen_revision: int | None = None
) -> Registration:
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
    *, event_id: int, keys: Sequence[int], by: RegistrationActor, seen: Mapping[int, int] | None = None
) -> ManyMoved:
    """Undo the last step about each of these registrations, as `undo_move`. One that cannot be undone stays.

    Decisions are undone in parts, so that others wait for one part of them at a time. What else was done with many is
    undone together. seen: the revisions that were seen. `Outcome.undone` has the steps.
    """
    outcome = ManyMoved()
    with event_lock(event_id) as lock:
        ones = []
        for one in lock.many(keys):
            if seen is not None and seen.get(one.pk) != one.revision:
                outcome.left.append((one, REGISTRATION_CHANGED.error(name=one.name)))
            else:
                ones.append(one)
        last = last_steps(ones, by, lock.now)
        facts = [one for one in ones if one.pk in last and last[one.pk].kind != HistoryLine.Kind.MOVE]
        together = {one: last[one.pk] for one in facts}
        refused = _together(lock, together, by)
        outcome.left += [(one, refused[one.pk]) for one in together if one.pk in refused]
        outcome.moved += [one for one in together if one.pk not in refused]
        outcome.undone |= {one.pk: together[one] for one in outcome.moved}
    left = [one.pk for one in ones if one not in together]
    for start in range(0, len(left), PART):
        with event_lock(event_id) as lock:
            ones = lock.many(left[start : start + PART])
            last = last_steps(ones, by, lock.now)
            made = [one for one in ones if one.pk in last and last[one.pk].kind == HistoryLine.Kind.MOVE]
            leave_many([one for one in made if one.state == RegistrationState.ACCEPTED], by)
            for one in ones:
                try:
                    if one not in made:
                        raise REGISTRATION_NOT_UNDONE.error(name=one.name)
                    with lock.attempt():
                        _undo(lock, one, last[one.pk], by)
                    outcome.moved.append(one)
                    outcome.undone[one.pk] = last[one.pk]
                except DomainError as error:
                    outcome.left.append((one, error))
    return outcome


def _together(lock: EventLock, steps: Steps, by: RegistrationActor) -> Refused:
    """Undo these steps. Return which registrations stay as they are, and why."""
    by_kind: defaultdict[str, dict[Registration, HistoryLine]] = defaultdict(dict)
    for one, step in steps.items():
        by_kind[step.kind][one] = step
    refused: Refused = {}
    for kind, found in by_kind.items():
        refused |= UNDO[kind](lock, found, by)
    return refused


def _put_back(lock: EventLock, moved: Mapping[Registration, HistoryLine], by: RegistrationActor) -> Refused:
    """Undo moves between sections. Offers that took the places since are taken back. Return who stays, and why."""
    free: dict[int, int | None] = {}
    refused: Refused = {}
    for one, step in moved.items():
        section_id = step.before["section"]
        if not step.before["takes_place"]:
            continue
        if section_id not in free:
            free[section_id] = lock.places(section_id).free
        left = free[section_id]
        if left:
            free[section_id] = left - 1
        elif left == 0:
            try:
                _free_again(lock, section_id, step.at)
            except DomainError as error:
                refused[one.pk] = error
    back = {one: step for one, step in moved.items() if one.pk not in refused}
    return refused | put_back(lock, back, by)


def last_steps(ones: Sequence[Registration], by: RegistrationActor, now: datetime) -> dict[int, HistoryLine]:
    """Return what undo would undo for each of them, by its key. Four queries.

    It is what this person did last. If that was a decision, or was done more than a day ago, it is the last decision
    of any organiser.
    """
    ones = [one for one in ones if one.erased_at is None]
    mine = HistoryLine.objects.filter(registration__in=ones, hand=Hand.ORGANISER, who=by.name[:150])
    found = list(mine.filter(Q(kind__in=DECISIONS) | Q(kind__in=KEPT, at__gt=now - UNDONE_WITHIN)))
    notes = Note.objects.filter(pk__in=[step.before["note"] for step in found if "note" in step.before])
    kept = set(notes.values_list("pk", flat=True))
    last = {
        step.registration_id: step
        for step in found
        if step.kind in DECISIONS or (_is_kept(step) and step.before.get("note") in {None, *kept})
    }
    facts = {key: step for key, step in last.items() if step.kind not in DECISIONS}
    return _decisions(ones) | facts


def _decisions(ones: Sequence[Registration]) -> dict[int, HistoryLine]:
    """Return the last decision about each of them, by its key, where it can be undone. Two queries."""
    steps = HistoryLine.objects.filter(registration__in=ones, kind__in=DECISIONS)
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
        and (step.before or step.kind == HistoryLine.Kind.MOVE)  # erasing has emptied it
    }


def _undo(lock: EventLock, one: Registration, last: HistoryLine, by: RegistrationActor) -> None:
    refuse_hidden(one, RegistrationState(last.from_state))
    queued = one.mails.filter(state=Mail.State.QUEUED)
    queued.exclude(kind__in=OF_NO_STATE).update(state=Mail.State.DROPPED)
    back = RegistrationState(last.from_state)
    if back in ALWAYS_A_PLACE and not one.takes_place and is_full(lock.limits(one.section_id)):
        _free_again(lock, one.section_id, last.at)
    if back == RegistrationState.ACCEPTED:
        enter(lock, one, by)
    elif one.state == RegistrationState.ACCEPTED:
        leave(one, by)
    write_state(lock, one, back, by, undoing=True, correction=last.before.get("correction"))


def is_mailed(step: HistoryLine) -> bool:
    """Return whether the player knows of the step."""
    known = Mail.objects.filter(KNOWN, registration=step.registration_id, revision__gte=step.revision)
    return known.exists()


def _free_again(lock: EventLock, section_id: int, since: datetime) -> None:
    """Take back the last offer that the program made in the section since then.

    Raises DomainError("section_full") if each such offer is mailed or answered.
    """
    offers = HistoryLine.objects.filter(
        registration__section=section_id,
        registration__state=RegistrationState.OFFERED,
        kind=HistoryLine.Kind.MOVE,
        hand=Hand.CLOCK,
        to_state=RegistrationState.OFFERED,
        at__gte=since,
    )
    for offer in offers.select_related("registration").order_by("-pk"):
        if is_mailed(offer):
            continue
        other = lock.load(offer.registration_id)
        other.mails.filter(state=Mail.State.QUEUED).update(state=Mail.State.DROPPED)
        write_state(lock, other, RegistrationState.WAITING, CLOCK, undoing=True)
        return
    raise SECTION_FULL.error(section=lock.limits(section_id).section.name)


def _is_kept(step: HistoryLine) -> bool:
    """Return whether the step has what undo needs."""
    return any(name in step.before for name in KEPT.get(HistoryLine.Kind(step.kind), ()))


def _labels(lock: EventLock, steps: Steps, by: RegistrationActor) -> Refused:
    together: defaultdict[tuple[str, bool, str], list[Registration]] = defaultdict(list)
    for one, step in steps.items():
        together[step.before["label"], step.before["on"], step.before["colour"]].append(one)
    refused: Refused = {}
    for (name, on, colour), ones in sorted(together.items(), key=lambda each: not each[0][1]):
        try:
            changed = write_label(lock, ones, name, by, on=on, colour=colour if on else "")
        except DomainError as error:
            refused |= {one.pk: error for one in ones}
            continue
        if changed:
            Label.objects.filter(event=lock.event, name=name).update(colour=colour)
        refused |= _not_undone([one for one in ones if one not in changed])
    return refused


def _notes(lock: EventLock, steps: Steps, by: RegistrationActor) -> Refused:
    """Delete the notes. Their texts are kept nowhere, so this is not undone again."""
    Note.objects.filter(pk__in=[step.before["note"] for step in steps.values()]).delete()
    for one in steps:
        lock.line(one, HistoryLine.Kind.NOTE, by, fields=["notes"])
    return {}


def _entries(lock: EventLock, steps: Steps, by: RegistrationActor) -> Refused:
    """Remove, withdraw or make the entries of players who are still accepted."""
    refused = _not_undone([one for one in steps if one.state != RegistrationState.ACCEPTED])
    left = {one: step for one, step in steps.items() if one.pk not in refused}
    before = {one.pk: entry_state(one) for one in left}
    removed = [one for one, step in left.items() if step.before["entry"] == "none"]
    leave_many(removed, by)
    refused |= {one.pk: ALREADY_PAIRED.error(name=one.name) for one in removed if one.participant}
    by_section: defaultdict[int, list[Registration]] = defaultdict(list)
    for one, step in left.items():
        if step.before["entry"] == "active":
            by_section[one.section_id].append(one)
        elif step.before["entry"] == "withdrawn" and one.participant and one.participant.is_active:
            with steps_taken():
                one.participant = withdraw_participant(actor=by.actor, participant_id=one.participant.pk)
    for ones in by_section.values():
        ask_byes_again(ones)
        refused |= enter_many(lock, ones, by)
    note_entries(lock, [one for one in left if one.pk not in refused], before, by)
    return refused


def _money(lock: EventLock, steps: Steps, by: RegistrationActor) -> Refused:
    refused = _each(
        lock, {one: step for one, step in steps.items() if "charge" in step.before}, by, undo_charge
    )
    prices = {one: step for one, step in steps.items() if "charge" not in step.before}
    accounts: dict[int, list[Charge]] = {one.pk: [] for one in prices}
    for line in Charge.objects.filter(registration__in=accounts).order_by("pk"):
        accounts[line.registration_id].append(line)
    same = {
        one: step
        for one, step in prices.items()
        if one.state in LIVE and [list(line) for line in price_in(accounts[one.pk])] == step.before["now"]
    }
    refused |= _not_undone([one for one in prices if one not in same])
    former = [(one, [(kind, cents) for kind, cents in step.before["price"]]) for one, step in same.items()]
    write_prices(lock, former, by)
    return refused


def _edits(lock: EventLock, steps: Steps, by: RegistrationActor) -> Refused:
    left = {one: step for one, step in steps.items() if "left" in step.before}
    taken = {one: step for one, step in steps.items() if "news" in step.before}
    others = {one: step for one, step in steps.items() if one not in left and one not in taken}
    return undo_left(lock, left, by) | undo_taken(lock, taken, by) | _each(lock, others, by, undo_edit)


def _each(
    lock: EventLock,
    steps: Steps,
    by: RegistrationActor,
    undo: Callable[[EventLock, Registration, HistoryLine, RegistrationActor], None],
) -> Refused:
    """Undo one after another. Return who stays, and why."""
    refused: Refused = {}
    for one, step in steps.items():
        try:
            with lock.attempt():
                undo(lock, one, step, by)
        except DomainError as error:
            refused[one.pk] = error
    return refused


def _not_undone(ones: Sequence[Registration]) -> Refused:
    return {one.pk: REGISTRATION_NOT_UNDONE.error(name=one.name) for one in ones}


UNDO: dict[str, Callable[[EventLock, Any, RegistrationActor], Refused]] = {
    HistoryLine.Kind.SECTION: _put_back,
    HistoryLine.Kind.LABEL: _labels,
    HistoryLine.Kind.NOTE: _notes,
    HistoryLine.Kind.ORDER: undo_orders,
    HistoryLine.Kind.ENTRY: _entries,
    HistoryLine.Kind.MONEY: _money,
    HistoryLine.Kind.BYE: lambda lock, steps, by: _each(lock, steps, by, undo_bye),
    HistoryLine.Kind.EDIT: _edits,
}
