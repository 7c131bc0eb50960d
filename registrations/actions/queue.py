"""Do something with chosen registrations of the queue: order the waiting list; charge, check or enter again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from uuid import uuid4

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from registrations.models import HistoryLine, Registration, SectionRegistration
from registrations.queries.places import waiting_list
from registrations.queries.problems import fee_lines, problems_of_many
from registrations.refusals import (
    REGISTRATION_CHANGED,
    REGISTRATION_MOVE,
    REGISTRATION_NOT_UNDONE,
    REGISTRATION_OVER,
    REGISTRATION_STARTED,
)
from registrations.states import LIVE, RegistrationState
from tournaments.actions.entry_lists import log_waiting
from tournaments.errors import DomainError, Refusal
from tournaments.models import Event
from tournaments.models.journal import write_each

from .clock import accept_by_rule
from .event_lock import EventLock, RegistrationActor, event_lock
from .money import change_prices
from .state_changes import ask_byes_again, enter_many, entry_state, waits_for_arbiter, write_state
from .transitions import ManyMoved

# Refusals
PRICE_IS_CHARGED = Refusal("price_is_charged", _("%(name)s has this fee already."))
WAITING_ORDER = Refusal("waiting_order", _("Choose people who wait for the same section."))


# The order of a waiting list by hand. Who comes later is behind those whom the organiser has ordered.


def put_in_order(
    *, event: Event, keys: Iterable[int], number: int, by: RegistrationActor
) -> list[Registration]:
    """Put registrations that wait at a number of their waiting list, 1 for the next, in the order in which they wait.

    number: 0 orders the whole list by the setting of the section again. Return the registrations that were put there.
    Raises DomainError("waiting_order") if nobody of them waits, or if they wait for several sections.
    """
    with event_lock(event.pk) as lock:
        chosen = [one for one in lock.many(keys) if one.state == RegistrationState.WAITING]
        sections = {one.section_id for one in chosen}
        if len(sections) != 1:
            raise WAITING_ORDER.error()
        limits = SectionRegistration.objects.get(section=sections.pop())
        listed = list(waiting_list(limits))
        moving = {one.pk for one in chosen}
        rest = [one for one in listed if one.pk not in moving]
        put = [one for one in listed if one.pk in moving]
        ordered = [*rest[: number - 1], *put, *rest[number - 1 :]] if number else listed
        places = {one.pk: place for place, one in enumerate(ordered, start=1)} if number else {}
        _write(lock, listed, places, put, by)
    return put


def _write(
    lock: EventLock,
    listed: Sequence[Registration],
    places: Mapping[int, int],
    put: Sequence[Registration],
    by: RegistrationActor,
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
        lock.line(
            one,
            HistoryLine.Kind.ORDER,
            by,
            fields=["position"],
            before={"order": key, "section": one.section_id},
        )
        for one in put
    ]
    lines[0].before["places"] = former


def undo_orders(
    lock: EventLock, steps: Mapping[Registration, HistoryLine], by: RegistrationActor
) -> dict[int, DomainError]:
    """Restore the former order of waiting lists, unless one has been ordered again since. Return who stays, and why."""
    by_order: dict[str, list[Registration]] = {}
    for one, step in steps.items():
        by_order.setdefault(step.before["order"], []).append(one)
    refused: dict[int, DomainError] = {}
    for key, ones in by_order.items():
        section_id = steps[ones[0]].before["section"]
        of_section = HistoryLine.objects.filter(
            registration__event=lock.event, kind=HistoryLine.Kind.ORDER, before__section=section_id
        )
        last = of_section.last()
        kept = of_section.filter(before__order=key, before__has_key="places").first()
        if kept is None or last is None or last.before["order"] != key:
            refused |= {one.pk: REGISTRATION_NOT_UNDONE.error(name=one.name) for one in ones}
            continue
        places = dict(kept.before["places"])
        listed = Registration.objects.filter(
            Q(state=RegistrationState.WAITING) | Q(pk__in=places), section=section_id
        )
        _write(lock, list(listed), places, ones, by)
    return refused


# Do something again with chosen registrations: charge the price, find what to look at, enter the player.


def price_again(*, event_id: int, wanted: Sequence[tuple[int, int]], by: RegistrationActor) -> ManyMoved:
    """Charge what the sections cost now, for registrations of their days. What people have typed stays.

    wanted: keys and the revisions that were seen. One that has the price already, or is over, stays.
    """
    outcome = ManyMoved()
    with event_lock(event_id) as lock:
        ones = live_ones(lock, wanted, outcome)
        new = {
            one.pk: fee_lines(one, lock.limits(one.section_id), timezone.localdate(one.created_at))
            for one in ones
        }
        outcome.moved = write_prices(lock, [(one, new[one.pk]) for one in ones], by)
        charged = set(outcome.moved)
        same = [one for one in ones if one not in charged]
        outcome.left += [(one, PRICE_IS_CHARGED.error(name=one.name)) for one in same]
        for one in outcome.moved:
            accept_by_rule(lock, one)
    return outcome


def write_prices(
    lock: EventLock, wanted: Sequence[tuple[Registration, list[tuple[str, int]]]], by: RegistrationActor
) -> list[Registration]:
    """Charge prices, with lines of the history from which undo works. Return who had another price."""
    former = change_prices(wanted, by)
    changed = [(one, new) for one, new in wanted if former[one.pk] != new]
    for one, new in changed:
        before = {"price": former[one.pk], "now": new}
        lock.step(one, HistoryLine.Kind.MONEY, by, fields=["fee"], before=before)
    ones = [one for one, _new in changed]
    write_each(Registration, ones, ["balance", "revision"])
    return ones


def check_again(*, event_id: int, wanted: Sequence[tuple[int, int]], by: RegistrationActor) -> ManyMoved:
    """Find again what there is to look at, such as after a new rating list. Return those where it has changed.

    wanted: as in `price_again`. No data is changed, and nobody is moved, except that a place may be free for somebody
    who waits.
    """
    outcome = ManyMoved()
    with event_lock(event_id) as lock:
        by_section: defaultdict[int, list[Registration]] = defaultdict(list)
        for one in live_ones(lock, wanted, outcome):
            by_section[one.section_id].append(one)
        for section_id, ones in by_section.items():
            found = problems_of_many(ones, lock.form, lock.limits(section_id))
            for one, problems in zip(ones, found, strict=True):
                if problems != one.problems:
                    one.problems = problems
                    outcome.moved.append(one)
                    if one.state == RegistrationState.WAITING:
                        lock.freed.add(section_id)
        for one in outcome.moved:
            lock.step(one, HistoryLine.Kind.EDIT, by, fields=["problems"])
        write_each(Registration, outcome.moved, ["problems", "revision"])
    return outcome


def enter_again(*, event_id: int, wanted: Sequence[tuple[int, int]], by: RegistrationActor) -> ManyMoved:
    """Make the entries of accepted players again, which an arbiter has removed or withdrawn. They get their byes again.

    wanted: as in `price_again`. One that is not accepted, or plays, stays. After round 1 is paired, the registration
    waits for an arbiter instead (registration_started), unless this person is one.
    """
    outcome = ManyMoved()
    with event_lock(event_id) as lock:
        by_section: defaultdict[int, list[Registration]] = defaultdict(list)
        for one in live_ones(lock, wanted, outcome):
            if one.state == RegistrationState.ACCEPTED and entry_state(one) != "active":
                if waits_for_arbiter(lock, one, by) and not one.section.is_closed:
                    outcome.left.append((one, _let_wait(lock, one, by)))
                    continue
                by_section[one.section_id].append(one)
            else:
                error = REGISTRATION_MOVE.error(
                    name=one.name, state=one.state, to=RegistrationState.ACCEPTED.value
                )
                outcome.left.append((one, error))
        for ones in by_section.values():
            before = {one.pk: entry_state(one) for one in ones}
            ask_byes_again(ones)
            refused = enter_many(lock, ones, by)
            outcome.left += [(one, refused[one.pk]) for one in ones if one.pk in refused]
            outcome.moved += note_entries(lock, [one for one in ones if one.pk not in refused], before, by)
    return outcome


def note_entries(
    lock: EventLock, ones: list[Registration], before: Mapping[int, str], by: RegistrationActor
) -> list[Registration]:
    """Write lines of the history about entries that were made, withdrawn or removed. before: as in `entry_state`."""
    for one in ones:
        lock.step(one, HistoryLine.Kind.ENTRY, by, fields=["entry"], before={"entry": before[one.pk]})
    write_each(Registration, ones, ["participant", "revision"])
    return ones


def _let_wait(lock: EventLock, one: Registration, by: RegistrationActor) -> DomainError:
    """Put an accepted registration without an entry where an arbiter finds it. The player gets no mail."""
    quiet, lock.quiet = lock.quiet, True
    ask_byes_again([one])
    write_state(lock, one, RegistrationState.PENDING, by)
    lock.quiet = quiet
    log_waiting(one.section, by.actor, 1)
    return REGISTRATION_STARTED.error()


def live_ones(lock: EventLock, wanted: Sequence[tuple[int, int]], outcome: ManyMoved) -> list[Registration]:
    """Return the registrations that are neither over nor changed since they were seen. The others stay."""
    seen, found = dict(wanted), []
    for one in lock.many(seen):
        if one.revision != seen[one.pk]:
            outcome.left.append((one, REGISTRATION_CHANGED.error(name=one.name)))
        elif one.state not in LIVE:
            outcome.left.append((one, REGISTRATION_OVER.error(name=one.name)))
        else:
            found.append(one)
    return found
