"""Undo what a person has noted beside the state of registrations: labels, notes, order, entries, money, byes, data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction

from registrations.machine import LIVE, State
from registrations.models import Charge, Label, Note, Registration, Step
from registrations.queries.account import price_in
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import steps_taken
from tournaments.errors import DomainError
from tournaments.models.journal import write_each

from .changing import undo_edit
from .desk import By, Desk
from .labelling import write_label
from .list_news import undo_left, undo_taken
from .money import change_prices, undo_charge
from .ordering import undo_orders
from .wishes import undo_bye
from .writing import ask_byes_again, enter_many, entry_state, leave_many

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


def is_kept(step: Step) -> bool:
    """Return whether the step has what undo needs."""
    return any(name in step.before for name in KEPT.get(Step.Kind(step.kind), ()))


def undo_facts(desk: Desk, steps: Steps, by: By) -> dict[int, DomainError]:
    """Undo these steps. Return which registrations stay as they are, and why."""
    by_kind: defaultdict[str, dict[Registration, Step]] = defaultdict(dict)
    for one, step in steps.items():
        by_kind[step.kind][one] = step
    refused: dict[int, DomainError] = {}
    for kind, found in by_kind.items():
        refused |= UNDO[kind](desk, found, by)
    return refused


def _labels(desk: Desk, steps: Steps, by: By) -> dict[int, DomainError]:
    together: defaultdict[tuple[str, bool, str], list[Registration]] = defaultdict(list)
    for one, step in steps.items():
        together[step.before["label"], step.before["on"], step.before["colour"]].append(one)
    refused: dict[int, DomainError] = {}
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


def _notes(desk: Desk, steps: Steps, by: By) -> dict[int, DomainError]:
    """Delete the notes. Their texts are kept nowhere, so this is not undone again."""
    Note.objects.filter(pk__in=[step.before["note"] for step in steps.values()]).delete()
    Step.objects.bulk_create(desk.line(one, Step.Kind.NOTE, by, fields=["notes"]) for one in steps)
    return {}


def _entries(desk: Desk, steps: Steps, by: By) -> dict[int, DomainError]:
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
    made = [one for one in left if one.pk not in refused]
    lines = [
        desk.step(one, Step.Kind.ENTRY, by, fields=["entry"], before={"entry": before[one.pk]})
        for one in made
    ]
    write_each(Registration, made, ["participant", "revision"])
    Step.objects.bulk_create(lines)
    return refused


def _money(desk: Desk, steps: Steps, by: By) -> dict[int, DomainError]:
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
    former = {one.pk: [(kind, cents) for kind, cents in step.before["price"]] for one, step in same.items()}
    charged = change_prices([(one, former[one.pk]) for one in same], by)
    lines = [
        desk.step(
            one, Step.Kind.MONEY, by, fields=["fee"], before={"price": charged[one.pk], "now": former[one.pk]}
        )
        for one in same
    ]
    write_each(Registration, list(same), ["balance", "revision"])
    Step.objects.bulk_create(lines)
    return refused


def _edits(desk: Desk, steps: Steps, by: By) -> dict[int, DomainError]:
    left = {one: step for one, step in steps.items() if "left" in step.before}
    taken = {one: step for one, step in steps.items() if "news" in step.before}
    others = {one: step for one, step in steps.items() if one not in left and one not in taken}
    return undo_left(desk, left, by) | undo_taken(desk, taken, by) | _each(desk, others, by, undo_edit)


def _each(
    desk: Desk, steps: Steps, by: By, undo: Callable[[Desk, Registration, Step, By], None]
) -> dict[int, DomainError]:
    """Undo one after another. Return who stays, and why."""
    refused: dict[int, DomainError] = {}
    for one, step in steps.items():
        try:
            with transaction.atomic():
                undo(desk, one, step, by)
        except DomainError as error:
            refused[one.pk] = error
    return refused


def _not_undone(ones: Sequence[Registration]) -> dict[int, DomainError]:
    return {one.pk: DomainError("registration_not_undone", name=one.name) for one in ones}


UNDO: dict[str, Callable[[Desk, Any, By], dict[int, DomainError]]] = {
    Step.Kind.LABEL: _labels,
    Step.Kind.NOTE: _notes,
    Step.Kind.ORDER: undo_orders,
    Step.Kind.ENTRY: _entries,
    Step.Kind.MONEY: _money,
    Step.Kind.BYE: lambda desk, steps, by: _each(desk, steps, by, undo_bye),
    Step.Kind.EDIT: _edits,
}
