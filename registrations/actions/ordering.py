"""The order of a waiting list by hand. Who comes later is behind those whom the organiser has ordered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import uuid4

from django.db.models import Q

from registrations.machine import State
from registrations.models import Registration, SectionRegistration, Step
from registrations.queries.places import waiting_list
from tournaments.errors import DomainError
from tournaments.models import Event

from .desk import By, Desk, at_desk


def put_in_order(*, event: Event, keys: Iterable[int], number: int, by: By) -> list[Registration]:
    """Put registrations that wait at a number of their waiting list, 1 for the next, in the order in which they wait.

    number: 0 orders the whole list by the setting of the section again. Return the registrations that were put there.
    Raises DomainError("waiting_order") if nobody of them waits, or if they wait for several sections.
    """
    with at_desk(event.pk) as desk:
        chosen = [one for one in desk.many(keys) if one.state == State.WAITING]
        sections = {one.section_id for one in chosen}
        if len(sections) != 1:
            raise DomainError("waiting_order")
        limits = SectionRegistration.objects.get(section=sections.pop())
        listed = list(waiting_list(limits))
        moving = {one.pk for one in chosen}
        rest = [one for one in listed if one.pk not in moving]
        put = [one for one in listed if one.pk in moving]
        ordered = [*rest[: number - 1], *put, *rest[number - 1 :]] if number else listed
        places = {one.pk: place for place, one in enumerate(ordered, start=1)} if number else {}
        _write(desk, listed, places, put, by)
    return put


def _write(
    desk: Desk, listed: Sequence[Registration], places: Mapping[int, int], put: Sequence[Registration], by: By
) -> None:
    """Give the places, and none to those who have none in `places`. put: who gets a line of history.

    The first line keeps the whole former order, which undo restores; the others lead to it by their key.
    """
    former = [[one.pk, one.position] for one in listed if one.position is not None]
    for one in listed:
        one.position = places.get(one.pk)
    Registration.objects.bulk_update(listed, ["position"], batch_size=500)
    key = uuid4().hex
    lines = [
        desk.line(
            one, Step.Kind.ORDER, by, fields=["position"], before={"order": key, "section": one.section_id}
        )
        for one in put
    ]
    lines[0].before["places"] = former


def undo_orders(desk: Desk, steps: Mapping[Registration, Step], by: By) -> dict[int, DomainError]:
    """Restore the former order of waiting lists, unless one has been ordered again since. Return who stays, and why."""
    by_order: dict[str, list[Registration]] = {}
    for one, step in steps.items():
        by_order.setdefault(step.before["order"], []).append(one)
    refused: dict[int, DomainError] = {}
    for key, ones in by_order.items():
        section_id = steps[ones[0]].before["section"]
        of_section = Step.objects.filter(
            registration__event=desk.event, kind=Step.Kind.ORDER, before__section=section_id
        )
        last = of_section.last()
        kept = of_section.filter(before__order=key, before__has_key="places").first()
        if kept is None or last is None or last.before["order"] != key:
            refused |= {one.pk: DomainError("registration_not_undone", name=one.name) for one in ones}
            continue
        places = dict(kept.before["places"])
        listed = Registration.objects.filter(Q(state=State.WAITING) | Q(pk__in=places), section=section_id)
        _write(desk, list(listed), places, ones, by)
    return refused
