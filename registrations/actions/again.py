"""Do something again with chosen registrations: charge the price, find what to look at, enter the player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.utils import timezone

from registrations.machine import LIVE, State
from registrations.models import Registration, Step
from registrations.queries.fitting import fee_lines, problems_of_many
from tournaments.actions.entry_import import log_waiting
from tournaments.errors import DomainError, Stale
from tournaments.models.journal import write_each

from .desk import By, Desk, at_desk
from .money import change_prices
from .moving import Outcome
from .promoting import accept_by_rule
from .writing import ask_byes_again, enter_many, entry_state, waits_for_arbiter, write_state


def price_again(*, event_id: int, wanted: Sequence[tuple[int, int]], by: By) -> Outcome:
    """Charge what the sections cost now, for registrations of their days. What people have typed stays.

    wanted: keys and the revisions that were seen. One that has the price already, or is over, stays.
    """
    outcome = Outcome()
    with at_desk(event_id) as desk:
        ones = live_ones(desk, wanted, outcome)
        new = {
            one.pk: fee_lines(one, desk.limits(one.section_id), timezone.localdate(one.created_at))
            for one in ones
        }
        outcome.moved = write_prices(desk, [(one, new[one.pk]) for one in ones], by)
        charged = set(outcome.moved)
        same = [one for one in ones if one not in charged]
        outcome.left += [(one, DomainError("price_is_charged", name=one.name)) for one in same]
        for one in outcome.moved:
            accept_by_rule(desk, one)
    return outcome


def write_prices(
    desk: Desk, wanted: Sequence[tuple[Registration, list[tuple[str, int]]]], by: By
) -> list[Registration]:
    """Charge prices, with lines of the history from which undo works. Return who had another price."""
    former = change_prices(wanted, by)
    changed = [(one, new) for one, new in wanted if former[one.pk] != new]
    for one, new in changed:
        before = {"price": former[one.pk], "now": new}
        desk.step(one, Step.Kind.MONEY, by, fields=["fee"], before=before)
    ones = [one for one, _new in changed]
    write_each(Registration, ones, ["balance", "revision"])
    return ones


def check_again(*, event_id: int, wanted: Sequence[tuple[int, int]], by: By) -> Outcome:
    """Find again what there is to look at, such as after a new rating list. Return those where it has changed.

    wanted: as in `price_again`. No data is changed, and nobody is moved, except that a place may be free for somebody
    who waits.
    """
    outcome = Outcome()
    with at_desk(event_id) as desk:
        by_section: defaultdict[int, list[Registration]] = defaultdict(list)
        for one in live_ones(desk, wanted, outcome):
            by_section[one.section_id].append(one)
        for section_id, ones in by_section.items():
            found = problems_of_many(ones, desk.form, desk.limits(section_id))
            for one, problems in zip(ones, found, strict=True):
                if problems != one.problems:
                    one.problems = problems
                    outcome.moved.append(one)
                    if one.state == State.WAITING:
                        desk.freed.add(section_id)
        for one in outcome.moved:
            desk.step(one, Step.Kind.EDIT, by, fields=["problems"])
        write_each(Registration, outcome.moved, ["problems", "revision"])
    return outcome


def enter_again(*, event_id: int, wanted: Sequence[tuple[int, int]], by: By) -> Outcome:
    """Make the entries of accepted players again, which an arbiter has removed or withdrawn. They get their byes again.

    wanted: as in `price_again`. One that is not accepted, or plays, stays. After round 1 is paired, the registration
    waits for an arbiter instead (registration_started), unless this person is one.
    """
    outcome = Outcome()
    with at_desk(event_id) as desk:
        by_section: defaultdict[int, list[Registration]] = defaultdict(list)
        for one in live_ones(desk, wanted, outcome):
            if one.state == State.ACCEPTED and entry_state(one) != "active":
                if waits_for_arbiter(desk, one, by) and not one.section.is_closed:
                    outcome.left.append((one, _let_wait(desk, one, by)))
                    continue
                by_section[one.section_id].append(one)
            else:
                error = DomainError(
                    "registration_move", name=one.name, state=one.state, to=State.ACCEPTED.value
                )
                outcome.left.append((one, error))
        for ones in by_section.values():
            before = {one.pk: entry_state(one) for one in ones}
            ask_byes_again(ones)
            refused = enter_many(desk, ones, by)
            outcome.left += [(one, refused[one.pk]) for one in ones if one.pk in refused]
            outcome.moved += note_entries(desk, [one for one in ones if one.pk not in refused], before, by)
    return outcome


def note_entries(
    desk: Desk, ones: list[Registration], before: Mapping[int, str], by: By
) -> list[Registration]:
    """Write lines of the history about entries that were made, withdrawn or removed. before: as in `entry_state`."""
    for one in ones:
        desk.step(one, Step.Kind.ENTRY, by, fields=["entry"], before={"entry": before[one.pk]})
    write_each(Registration, ones, ["participant", "revision"])
    return ones


def _let_wait(desk: Desk, one: Registration, by: By) -> DomainError:
    """Put an accepted registration without an entry where an arbiter finds it. The player gets no mail."""
    quiet, desk.quiet = desk.quiet, True
    ask_byes_again([one])
    write_state(desk, one, State.PENDING, by)
    desk.quiet = quiet
    log_waiting(one.section, by.actor, 1)
    return DomainError("registration_started")


def live_ones(desk: Desk, wanted: Sequence[tuple[int, int]], outcome: Outcome) -> list[Registration]:
    """Return the registrations that are neither over nor changed since they were seen. The others stay."""
    seen, found = dict(wanted), []
    for one in desk.many(seen):
        if one.revision != seen[one.pk]:
            outcome.left.append((one, Stale("registration_changed", name=one.name)))
        elif one.state not in LIVE:
            outcome.left.append((one, DomainError("registration_over", name=one.name)))
        else:
            found.append(one)
    return found
