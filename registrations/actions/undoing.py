"""Undo the last step of a person about registrations: a decision until its mail is sent, anything else for a day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from registrations.machine import ALWAYS_A_PLACE, LIVE, Hand, State
from registrations.models import Charge, Label, Mail, Note, Registration, Step
from registrations.models.mail import NOT_READ, OF_NO_STATE
from registrations.queries.account import price_in
from registrations.queries.places import is_full
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import steps_taken
from tournaments.errors import DomainError, Stale

from .again import note_entries, write_prices
from .changing import undo_edit
from .desk import CLOCK, PART, By, Desk, at_desk, event_of
from .labelling import write_label
from .list_news import undo_left, undo_taken
from .money import undo_charge
from .moving import Outcome
from .ordering import undo_orders
from .sections import put_back
from .wishes import undo_bye
from .writing import (
    ask_byes_again,
    enter,
    enter_many,
    entry_state,
    leave,
    leave_many,
    refuse_hidden,
    write_state,
)

KNOWN = ~Q(kind__in=OF_NO_STATE) & (
    Q(state__in=[Mail.State.SENT, *NOT_READ]) | Q(sent_at__isnull=False) | Q(attempts__gt=0)
)
"""Mails that have left or are on their way, also those that are queued again as a reminder."""
DECISIONS = (Step.Kind.MOVE, Step.Kind.SECTION)
UNDONE_WITHIN = timedelta(hours=24)
"""What mails nobody can be undone for this time."""
KEPT = {
    Step.Kind.LABEL: ("label",),
    Step.Kind.NOTE: ("note",),
    Step.Kind.ORDER: ("order",),
    Step.Kind.ENTRY: ("entry",),
    Step.Kind.MONEY: ("charge", "now"),
    Step.Kind.BYE: ("bye",),
    Step.Kind.EDIT: ("values", "left"),
}
"""What `Step.before` has if the step can be undone; one of these."""

Steps = Mapping[Registration, Step]
Refused = dict[int, DomainError]
"""Which registrations stay as they are, by key, and why."""


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
        last = last_steps(ones, by, desk.now)
        facts = [one for one in ones if one.pk in last and last[one.pk].kind != Step.Kind.MOVE]
        together = {one: last[one.pk] for one in facts}
        refused = _together(desk, together, by)
        outcome.left += [(one, refused[one.pk]) for one in together if one.pk in refused]
        outcome.moved += [one for one in together if one.pk not in refused]
        outcome.undone |= {one.pk: together[one] for one in outcome.moved}
    left = [one.pk for one in ones if one not in together]
    for start in range(0, len(left), PART):
        with at_desk(event_id) as desk:
            ones = desk.many(left[start : start + PART])
            last = last_steps(ones, by, desk.now)
            made = [one for one in ones if one.pk in last and last[one.pk].kind == Step.Kind.MOVE]
            leave_many([one for one in made if one.state == State.ACCEPTED], by)
            for one in ones:
                try:
                    if one not in made:
                        raise DomainError("registration_not_undone", name=one.name)
                    with desk.attempt():
                        _undo(desk, one, last[one.pk], by)
                    outcome.moved.append(one)
                    outcome.undone[one.pk] = last[one.pk]
                except DomainError as error:
                    outcome.left.append((one, error))
    return outcome


def _together(desk: Desk, steps: Steps, by: By) -> Refused:
    """Undo these steps. Return which registrations stay as they are, and why."""
    by_kind: defaultdict[str, dict[Registration, Step]] = defaultdict(dict)
    for one, step in steps.items():
        by_kind[step.kind][one] = step
    refused: Refused = {}
    for kind, found in by_kind.items():
        refused |= UNDO[kind](desk, found, by)
    return refused


def _put_back(desk: Desk, moved: Mapping[Registration, Step], by: By) -> Refused:
    """Undo moves between sections. Offers that took the places since are taken back. Return who stays, and why."""
    free: dict[int, int | None] = {}
    refused: Refused = {}
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
        if step.kind in DECISIONS or (_is_kept(step) and step.before.get("note") in {None, *kept})
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


def _is_kept(step: Step) -> bool:
    """Return whether the step has what undo needs."""
    return any(name in step.before for name in KEPT.get(Step.Kind(step.kind), ()))


def _labels(desk: Desk, steps: Steps, by: By) -> Refused:
    together: defaultdict[tuple[str, bool, str], list[Registration]] = defaultdict(list)
    for one, step in steps.items():
        together[step.before["label"], step.before["on"], step.before["colour"]].append(one)
    refused: Refused = {}
    for (name, on, colour), ones in sorted(together.items(), key=lambda each: not each[0][1]):
        try:
            changed = write_label(desk, ones, name, by, on=on, colour=colour if on else "")
        except DomainError as error:
            refused |= {one.pk: error for one in ones}
            continue
        if changed:
            Label.objects.filter(event=desk.event, name=name).update(colour=colour)
        refused |= _not_undone([one for one in ones if one not in changed])
    return refused


def _notes(desk: Desk, steps: Steps, by: By) -> Refused:
    """Delete the notes. Their texts are kept nowhere, so this is not undone again."""
    Note.objects.filter(pk__in=[step.before["note"] for step in steps.values()]).delete()
    for one in steps:
        desk.line(one, Step.Kind.NOTE, by, fields=["notes"])
    return {}


def _entries(desk: Desk, steps: Steps, by: By) -> Refused:
    """Remove, withdraw or make the entries of players who are still accepted."""
    refused = _not_undone([one for one in steps if one.state != State.ACCEPTED])
    left = {one: step for one, step in steps.items() if one.pk not in refused}
    before = {one.pk: entry_state(one) for one in left}
    removed = [one for one, step in left.items() if step.before["entry"] == "none"]
    leave_many(removed, by)
    refused |= {one.pk: DomainError("already_paired", name=one.name) for one in removed if one.participant}
    by_section: defaultdict[int, list[Registration]] = defaultdict(list)
    for one, step in left.items():
        if step.before["entry"] == "active":
            by_section[one.section_id].append(one)
        elif step.before["entry"] == "withdrawn" and one.participant and one.participant.is_active:
            with steps_taken():
                one.participant = withdraw_participant(actor=by.actor, participant_id=one.participant.pk)
    for ones in by_section.values():
        ask_byes_again(ones)
        refused |= enter_many(desk, ones, by)
    note_entries(desk, [one for one in left if one.pk not in refused], before, by)
    return refused


def _money(desk: Desk, steps: Steps, by: By) -> Refused:
    refused = _each(
        desk, {one: step for one, step in steps.items() if "charge" in step.before}, by, undo_charge
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
    write_prices(desk, former, by)
    return refused


def _edits(desk: Desk, steps: Steps, by: By) -> Refused:
    left = {one: step for one, step in steps.items() if "left" in step.before}
    taken = {one: step for one, step in steps.items() if "news" in step.before}
    others = {one: step for one, step in steps.items() if one not in left and one not in taken}
    return undo_left(desk, left, by) | undo_taken(desk, taken, by) | _each(desk, others, by, undo_edit)


def _each(desk: Desk, steps: Steps, by: By, undo: Callable[[Desk, Registration, Step, By], None]) -> Refused:
    """Undo one after another. Return who stays, and why."""
    refused: Refused = {}
    for one, step in steps.items():
        try:
            with desk.attempt():
                undo(desk, one, step, by)
        except DomainError as error:
            refused[one.pk] = error
    return refused


def _not_undone(ones: Sequence[Registration]) -> Refused:
    return {one.pk: DomainError("registration_not_undone", name=one.name) for one in ones}


UNDO: dict[str, Callable[[Desk, Any, By], Refused]] = {
    Step.Kind.SECTION: _put_back,
    Step.Kind.LABEL: _labels,
    Step.Kind.NOTE: _notes,
    Step.Kind.ORDER: undo_orders,
    Step.Kind.ENTRY: _entries,
    Step.Kind.MONEY: _money,
    Step.Kind.BYE: lambda desk, steps, by: _each(desk, steps, by, undo_bye),
    Step.Kind.EDIT: _edits,
}
