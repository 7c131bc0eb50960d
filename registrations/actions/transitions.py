"""Move registrations from state to state. Every page, command and job goes through `move` or `move_many`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_noop as _

from registrations.models import HistoryLine, Mail, Registration
from registrations.queries.places import SectionPlaces, late_registrations
from registrations.queries.problems import lacks_rating
from registrations.refusals import (
    REGISTRATION_CHANGED,
    REGISTRATION_LIST_FULL,
    REGISTRATION_MOVE,
    REGISTRATION_STARTED,
    SECTION_FULL,
)
from registrations.states import MOVES, Hand, RegistrationState
from tournaments.actions.entry_lists import log_not_accepted
from tournaments.actions.ledger import transaction_or_busy
from tournaments.errors import NOT_FOUND, DomainError, Refusal
from tournaments.models import Section
from tournaments.questions import Answer, says_yes

from .clock import accept_by_rule
from .event_lock import EventLock, RegistrationActor, event_lock, event_of
from .state_changes import (
    enter,
    enter_many,
    leave,
    refuse_hidden,
    waits_for_arbiter,
    write_accepted,
    write_state,
)

# Refusals
REGISTRATION_REASON_REQUIRED = Refusal(
    "registration_reason_required", _("Give a reason. The player reads it.")
)


Limits = dict[int, SectionPlaces]
ABOUT_PEOPLE = frozenset({"two_sections_to_confirm", "same_person"})
"""Questions about a player who is entered already."""


def move_registration(
    *,
    registration_id: int,
    to: RegistrationState,
    by: RegistrationActor,
    seen_revision: int | None = None,
    reason: str = "",
    fields: tuple[str, ...] = (),
) -> Registration:
    """Move a registration. It may land on the waiting list instead of being checked, and be accepted by itself.

    fields: what the player is asked to correct.
    Raises NotFound; Stale("registration_changed"); DomainError: registration_move, section_full,
    registration_reason_required, registration_started, registration_known, registration_list_full, and what making
    or removing the entry raises.
    """
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id, seen_revision)
        write_transition(lock, one, to, by, reason=reason, fields=fields)
    return one


def decide_late(
    *,
    section: Section,
    registration_id: int,
    accept: bool,
    by: RegistrationActor,
    seen_revision: int | None,
    reason: str,
) -> Registration:
    """Accept or refuse a registration that waits for an arbiter of the section, because round 1 is paired.

    Raises NotFound if it no longer waits; as `move`.
    """
    if not late_registrations(section).filter(pk=registration_id).exists():
        raise NOT_FOUND.error(kind="registration", id=registration_id)
    to = RegistrationState.ACCEPTED if accept else RegistrationState.REFUSED
    with transaction_or_busy():
        one = move_registration(
            registration_id=registration_id, to=to, by=by, seen_revision=seen_revision, reason=reason
        )
        if not accept:
            log_not_accepted(section, by.actor)
    return one


def write_transition(
    lock: EventLock,
    one: Registration,
    to: RegistrationState,
    by: RegistrationActor,
    *,
    reason: str = "",
    fields: tuple[str, ...] = (),
) -> None:
    """Move one registration behind the lock. See `move`."""
    to = allowed_transition(lock, one, to, by, reason)
    if to == RegistrationState.ACCEPTED and by.hand == Hand.PLAYER:
        places = lock.places(one.section_id)
        if places.paired or lacks_rating(one, places.limits):
            to = RegistrationState.PENDING  # the player keeps the place, and the organiser decides
    if (
        to == RegistrationState.ACCEPTED
        and one.state != RegistrationState.PENDING
        and waits_for_arbiter(lock, one, by)
    ):
        to = RegistrationState.PENDING  # where the arbiter finds it
    if to == RegistrationState.ACCEPTED:
        try:
            with transaction.atomic():
                enter(lock, one, by)
        except DomainError as error:
            if error.code not in ABOUT_PEOPLE or by.hand == Hand.ORGANISER:
                raise
            to = (
                RegistrationState.PENDING
            )  # an organiser decides whether it is one person, or may play in both sections
    elif one.state == RegistrationState.ACCEPTED:
        leave(one, by, reason)
    write_state(lock, one, to, by, reason=reason, fields=fields)
    if to == RegistrationState.PENDING:
        accept_by_rule(lock, one)


def allowed_transition(
    lock: EventLock, one: Registration, to: RegistrationState, by: RegistrationActor, reason: str
) -> RegistrationState:
    """Return where the registration goes: the waiting list if it has no place. Raises DomainError as `move`."""
    if to == RegistrationState.PENDING and not one.takes_place and not lock.places(one.section_id).has_room:
        to = RegistrationState.WAITING
    rule = MOVES.get((RegistrationState(one.state), to))
    if rule is None or by.hand not in rule.hands:
        raise REGISTRATION_MOVE.error(name=one.name, state=one.state, to=to.value)
    if rule.needs_reason and not reason.strip():
        raise REGISTRATION_REASON_REQUIRED.error()
    refuse_hidden(one, to)
    if (
        to in (RegistrationState.OFFERED, RegistrationState.ACCEPTED)
        and not one.takes_place
        and lock.places(one.section_id).free == 0
    ):
        raise SECTION_FULL.error(section=one.section.name)
    if (
        by.hand == Hand.PLAYER
        and to == RegistrationState.WAITING
        and lock.places(one.section_id).list_is_full
    ):
        raise REGISTRATION_LIST_FULL.error(section=one.section.name)
    return to


@dataclass(slots=True)
class ManyMoved:
    """What became of many registrations. left: those that stayed as they were, with the reason.

    undone: the step that undo has undone for each registration, by its key. offered: who gets an offer of a place that
    becomes free; mails: how many mails are made. question: must be answered first, so nothing was done (`if_agreed`).
    """

    moved: list[Registration] = field(default_factory=list)
    left: list[tuple[Registration, DomainError]] = field(default_factory=list)
    undone: dict[int, HistoryLine] = field(default_factory=dict)
    offered: list[Registration] = field(default_factory=list)
    mails: int = 0
    question: DomainError | None = None


def move_many(
    *,
    event_id: int,
    wanted: Sequence[tuple[int, int]],
    to: RegistrationState,
    by: RegistrationActor,
    reason: str = "",
) -> ManyMoved:
    """Move several registrations of an event in one transaction. wanted: keys and the revisions that were seen.

    One that cannot be moved stays, with its reason, and the others are moved.
    """
    outcome = ManyMoved()
    with event_lock(event_id) as lock:
        seen = dict(wanted)
        together: dict[int, list[Registration]] = {}
        for one in lock.many(seen):
            try:
                if one.revision != seen[one.pk]:
                    raise REGISTRATION_CHANGED.error(name=one.name)
                late = (
                    to == RegistrationState.ACCEPTED
                    and one.state != RegistrationState.PENDING
                    and waits_for_arbiter(lock, one, by)
                )
                if to != RegistrationState.ACCEPTED or late:
                    with lock.attempt():
                        write_transition(lock, one, to, by, reason=reason)
                    if late:
                        outcome.left.append((one, REGISTRATION_STARTED.error()))
                    else:
                        outcome.moved.append(one)
                else:
                    allowed_transition(lock, one, to, by, reason)
                    together.setdefault(one.section_id, []).append(one)
            except DomainError as error:
                outcome.left.append((one, error))
        for section_id, ones in together.items():
            _accept(lock, section_id, ones, by, outcome)
    return outcome


def if_agreed(
    event_id: int,
    do: Callable[[], ManyMoved],
    question: Callable[[ManyMoved], DomainError | None],
    answer: Answer,
) -> ManyMoved:
    """Return what an action did, with the offers and mails that follow. It is done once, and asked about inside.

    If the answer does not agree to the question about what was done, it is rolled back, and the outcome has the
    question.
    """
    offered = Registration.objects.filter(event=event_id, state=RegistrationState.OFFERED)
    mails = Mail.objects.filter(registration__event=event_id, state=Mail.State.QUEUED)
    with transaction_or_busy():
        former = set(offered.values_list("pk", flat=True))
        last = Mail.objects.aggregate(last=Max("pk"))["last"] or 0
        outcome = do()
        former |= {one.pk for one in outcome.moved}
        outcome.offered = [one for one in offered.select_related("section") if one.pk not in former]
        outcome.mails = mails.filter(pk__gt=last).count()
        asked = question(outcome)
        if asked is not None and not says_yes(answer, asked):
            outcome.question = asked
            transaction.set_rollback(True)
    return outcome


def _accept(
    lock: EventLock, section_id: int, ones: list[Registration], by: RegistrationActor, outcome: ManyMoved
) -> None:
    """Accept several registrations of a section. Those who wait are taken while there are free places."""
    free = lock.places(section_id).free
    fitting = []
    for one in ones:
        if not one.takes_place and free is not None:
            if free == 0:
                outcome.left.append((one, SECTION_FULL.error(section=one.section.name)))
                continue
            free -= 1
        fitting.append(one)
    refused = enter_many(lock, fitting, by)
    for one in fitting:
        if one.pk in refused:
            outcome.left.append((one, refused[one.pk]))
    entered = [one for one in fitting if one.pk not in refused]
    write_accepted(lock, entered, by)
    outcome.moved += entered
