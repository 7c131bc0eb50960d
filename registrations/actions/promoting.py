"""What follows by itself behind the lock: places that are free are offered, and who lacks nothing is accepted."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from registrations.machine import State
from registrations.models import Registration
from registrations.queries.fitting import misfits
from registrations.queries.places import FULL, MISFITS, waiting_list
from registrations.queries.queue import UNWRITTEN
from tournaments.errors import DomainError

from .desk import CLOCK, Desk
from .writing import enter, write_state


def promote(desk: Desk, section_id: int) -> int:
    """Offer each free place to the next person in the list who still fits the section. Return how many offers.

    A player of a file who waits for the first mail gets no mail before the organiser sends it.
    """
    places = desk.places(section_id)
    still = places.stands_still(desk.form, desk.now)
    free = places.free
    if not places.waiting or still not in ("", FULL, MISFITS) or free == 0:
        return 0
    offered = 0
    for row in waiting_list(places.limits).filter(parked=False).annotate(unwritten=Q(UNWRITTEN)):
        if free is not None and offered >= free:
            break
        one = desk.load(row.pk)
        if any(misfits(one, places.limits)):
            continue
        desk.quiet = row.unwritten
        write_state(desk, one, State.OFFERED, CLOCK)
        desk.quiet = False
        offered += 1
    return offered


def accept_by_rule(desk: Desk, one: Registration) -> None:
    """Accept a registration without problems, if the section does so by itself. Otherwise it is checked."""
    limits = desk.limits(one.section_id)
    by_itself = limits.acceptance == limits.Acceptance.COMPLETE or (
        limits.acceptance == limits.Acceptance.PAID and one.balance <= 0
    )
    if not by_itself or one.problems or one.state != State.PENDING:
        return
    try:
        with transaction.atomic():
            enter(desk, one, CLOCK)
    except DomainError:
        return
    write_state(desk, one, State.ACCEPTED, CLOCK)
