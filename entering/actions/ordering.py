"""The order of a waiting list by hand. Who comes later is behind those whom the organiser has ordered."""

from __future__ import annotations

from collections.abc import Iterable

from entering.machine import State
from entering.models import Registration, SectionRegistration, Step
from entering.queries.places import waiting_list
from tournaments.errors import DomainError
from tournaments.models import Event

from .desk import By, at_desk


def put_in_order(*, event: Event, keys: Iterable[int], number: int, by: By) -> int:
    """Put registrations that wait at a number of their waiting list, 1 for the next, in the order in which they wait.

    number: 0 orders the whole list by the setting of the section again. Return how many registrations were put there.
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
        for place, one in enumerate(ordered, start=1):
            one.position = place if number else None
        Registration.objects.bulk_update(ordered, ["position"], batch_size=500)
        for one in put:
            desk.note(one, Step.Kind.EDIT, by, fields=["position"])
    return len(put)
