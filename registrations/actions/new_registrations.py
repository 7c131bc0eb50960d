"""New registrations: from the form, typed by the organiser, or from a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.db import IntegrityError, transaction
from django.utils import timezone

from base.text import folded
from evenboard_engine import ByeKind
from registrations.models import EventRegistration, HistoryLine, Mail, Registration, SectionRegistration
from registrations.models.registration import MANY_FORMS
from registrations.person_fields import TYPED
from registrations.queries.problems import (
    LIMITS,
    NOT_IN_LIST,
    is_one_name,
    misfits,
    needs_guardian,
    perhaps_one_name,
    problems_of,
    search_text,
)
from registrations.queries.rating_lists import Lists, listed_under, listed_values
from registrations.refusals import (
    FORM_OF_ANOTHER,
    REGISTRATION_CLOSED,
    REGISTRATION_KNOWN,
    REGISTRATION_LIMITS,
    REGISTRATION_LIST_FULL,
)
from registrations.states import LIVE, Hand, RegistrationState
from tournaments.actions.ledger import assign_values, transaction_or_busy
from tournaments.entry_data import EntryData, ImportRow
from tournaments.errors import NAME_REQUIRED, DomainError
from tournaments.models import Event, Section, User
from tournaments.queries.rating_lists import alike

from .clock import accept_by_rule
from .event_lock import CLOCK, PART, EventLock, RegistrationActor, event_lock
from .money import charge_fee
from .persons_page import write_guardian
from .requested_byes import ask_for
from .state_changes import ENTRY, MISSED, in_the_way, let_go, refuse_known, typed_for_entry, write_state
from .transitions import write_transition

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NewRegistration:
    """One new registration. values: of TYPED. byes: rounds with a half-point bye. form_key: of the form.

    held: it is one of very many forms. It has its place, and no mail goes out before one more press (`take_held`).
    joins: the person puts the event on the page across events; of a minor, the guardian is asked.
    agreed: the question about the person in the rating list that was answered with yes; None asks nothing.
    """

    section_id: int
    values: Values
    byes: Sequence[int] = ()
    form_key: UUID | None = None
    held: bool = False
    joins: bool = False
    agreed: str | None = None


@dataclass(slots=True)
class Registered:
    """What became of a file. known: rows of people already registered. refused: the row from 1, its name, why."""

    made: list[Registration] = field(default_factory=list)
    known: int = 0
    refused: list[tuple[int, str, DomainError]] = field(default_factory=list)


def register(*, event: Event, wanted: NewRegistration, by: RegistrationActor) -> Registration:
    """Take a registration. A form that arrives again leads to the same registration, without a second mail.

    A player must confirm it by the mail, if the event asks for that. Without a free place it waits.
    What was not typed comes from the rating list, if it has the FIDE ID.
    Raises NotFound; DomainError: form_of_another if the form came with another name before; listed_otherwise,
    registration_closed, registration_list_full, registration_known, registration_limits, name_required,
    invalid_values, bye_not_in_rules, and others for byes.
    """
    if sent := _sent_before(event, wanted):
        return sent
    [wanted] = with_listed(event, [wanted])
    with event_lock(event.pk) as lock:
        return _sent_before(event, wanted) or _take(lock, wanted, by)


def with_listed(event: Event, wanted: Sequence[NewRegistration]) -> list[NewRegistration]:
    """Return the registrations with what the lists of their sections have under their FIDE IDs.

    Raises DomainError("listed_otherwise").
    """
    ids: dict[int, list[int]] = {}
    for one in wanted:
        if one.values.get("fide_id"):
            ids.setdefault(one.section_id, []).append(one.values["fide_id"])
    sections = Section.objects.select_related("event").filter(event=event, pk__in=ids) if ids else ()
    lists = {section.pk: Lists(section, ids[section.pk]) for section in sections}
    found = []
    for one in wanted:
        fide_id, there = one.values.get("fide_id"), lists.get(one.section_id)
        listed = there.under(fide_id) if fide_id and there else None
        taken = listed_values(listed, one.values, agreed=one.agreed)
        found.append(replace(one, values={**one.values, **taken}) if taken else one)
    return found


def take_held(*, event: Event, registration_id: int, by: RegistrationActor) -> Registration:
    """Go on with one of very many forms, as if it had come alone. One that is not held any more stays as it is.

    Raises NotFound; DomainError as `move`.
    """
    with event_lock(event.pk) as lock:
        one = lock.load(registration_id)
        if one.is_held:
            let_go(lock, one)
            if lock.form.confirm_by_mail:
                lock.mail(one, RegistrationState.SUBMITTED, at_once=True)
                lock.touched = True
            else:
                write_transition(lock, one, RegistrationState.PENDING, by)
    return one


def _sent_before(event: Event, wanted: NewRegistration) -> Registration | None:
    """Return the registration that the form made. Raises DomainError("form_of_another") for another person's."""
    if wanted.form_key is None:
        return None
    sent = Registration.objects.filter(event=event, form_key=wanted.form_key).first()
    if sent is not None and folded(sent.name) != folded(str(wanted.values.get("name", ""))):
        raise FORM_OF_ANOTHER.error(name=wanted.values.get("name", ""))
    return sent


def register_many(
    *, event: Event, wanted: Iterable[NewRegistration], by: RegistrationActor, form_key: UUID
) -> Registered:
    """Take the rows of a file. A row that is refused is left out, with its reason.

    Others wait for one part of the rows at a time: on SQLite even a result in another event waits. A file that arrives
    again makes no second registration of a row, and neither does another file with the same person.
    No mail goes out by itself: the organiser looks at what was taken, and sends the mails from the queue.
    """
    outcome = Registered()
    rows = list(enumerate(wanted, start=1))
    for start in range(0, len(rows), PART):
        part = rows[start : start + PART]
        full = with_listed(event, [row for _number, row in part])
        with event_lock(event.pk) as lock:
            lock.quiet = True
            for (number, _row), row in zip(part, full, strict=True):
                one = replace(row, form_key=uuid5(form_key, f"{event.pk} {number} {row.values['name']}"))
                _take_row(lock, one, number, by, outcome)
            lock.quiet = False
    return outcome


def register_late(*, section: Section, user: User | None, rows: Sequence[ImportRow]) -> int:
    """Register players whom an organiser would enter after round 1 is paired: an arbiter decides. Return how many wait.

    They count as checked by the organiser: no limit of places keeps them from the arbiter, and no mail goes out.
    An event that takes no registrations takes these, and none by its form.
    Raises DomainError as `register`.
    """
    shut = {"confirm_by_mail": False, "shown": EventRegistration.Shown.NUMBERS, "closes_at": timezone.now()}
    with transaction_or_busy():
        EventRegistration.objects.get_or_create(event=section.event, defaults=shut)
        _take_late(section, rows, RegistrationActor(Hand.ORGANISER, user))
    return len(rows)


def _take_late(section: Section, rows: Sequence[ImportRow], by: RegistrationActor) -> None:
    with event_lock(section.event_id) as lock:
        SectionRegistration.objects.get_or_create(section=section, defaults={"open": False})
        lock.quiet = True
        for row in rows:
            entry = row.entry
            values = {name: getattr(entry, name) for name in TYPED if hasattr(entry, name)}
            values |= {"rating": entry.rating or None, "consent": not entry.by_initials}
            wanted = NewRegistration(section.pk, values, byes=row.byes, form_key=uuid4())
            if not _waits_already(section, entry):
                _take(lock, wanted, by, late=row)
        lock.quiet = False


def _waits_already(section: Section, entry: EntryData) -> bool:
    same = {"name": entry.name, "birth_date": entry.birth_date, "fide_id": entry.fide_id}
    return Registration.objects.filter(section=section, state=RegistrationState.PENDING, **same).exists()


def _take_row(
    lock: EventLock, row: NewRegistration, number: int, by: RegistrationActor, outcome: Registered
) -> None:
    if _is_known(lock, row):
        outcome.known += 1
        return
    try:
        with lock.attempt():
            outcome.made.append(_take(lock, row, by))
    except DomainError as error:
        outcome.refused.append((number, row.values["name"], error))


def _is_known(lock: EventLock, row: NewRegistration) -> bool:
    """Return whether the row was taken from this form, or a live registration has the same person, unchanged."""
    mine = Registration.objects.filter(event=lock.event)
    name, same = row.values["name"], ("birth_date", "email", "fide_id")
    there = mine.filter(section=row.section_id) if lock.event.sections_apart else mine
    born = str(row.values.get("birth_date") or "")
    people = there.filter(perhaps_one_name(name, born), state__in=LIVE).values_list("name", *same)
    person = [row.values.get(column) or None for column in same]
    return mine.filter(form_key=row.form_key).exists() or any(
        is_one_name(name, born, other, values[0]) and [value or None for value in values] == person
        for other, *values in people
    )


def _take(
    lock: EventLock, wanted: NewRegistration, by: RegistrationActor, *, late: ImportRow | None = None
) -> Registration:
    """Take a registration. late: the entry that an organiser typed after round 1 was paired."""
    places = lock.places(wanted.section_id)
    of_player = by.hand == Hand.PLAYER
    if of_player:
        if places.closed_because(lock.form, lock.now):
            raise REGISTRATION_CLOSED.error()
        if places.list_is_full:
            raise REGISTRATION_LIST_FULL.error(section=places.section.name)
    one = Registration(event=lock.event, section=places.section, form_key=wanted.form_key)
    assign_values(one, {name: value for name, value in wanted.values.items() if name in TYPED})
    if not one.name:
        raise NAME_REQUIRED.error()
    confirms = of_player and (lock.form.confirm_by_mail or wanted.held)
    if confirms:
        if _replace_unconfirmed(lock, one):
            places = lock.places(wanted.section_id)
    else:
        refuse_known(one)
    if of_player and (codes := [code for code in misfits(one, places.limits) if code in LIMITS]):
        raise REGISTRATION_LIMITS.error(section=places.section.name, problems=codes)
    has_room = places.has_room or late is not None
    one.state = (
        RegistrationState.SUBMITTED
        if confirms
        else RegistrationState.PENDING
        if has_room
        else RegistrationState.WAITING
    )
    one.takes_place = places.has_room_for_form if confirms else has_room
    if late is not None:
        one.facts = {ENTRY: typed_for_entry(late.entry), MISSED: late.missed}
    one.deadline = lock.deadline(RegistrationState(one.state), one)
    one.queued_at = lock.now
    one.search = search_text(one)
    one.problems = problems_of(one, lock.form, places.limits) + (f" {MANY_FORMS} " if wanted.held else "")
    if one.rating and not one.rating_source and NOT_IN_LIST not in one.problem_codes:
        _name_list(one)
    one.joins = wanted.joins and not needs_guardian(one, lock.form)
    _insert(one)
    charge_fee(lock, one, places.limits, by)
    for number in wanted.byes:
        ask_for(one, number, ByeKind.HALF)
    lock.note(one, HistoryLine.Kind.MOVE, by, to_state=one.state)
    if not wanted.held:
        lock.mail(one, one.state, at_once=True)
        write_guardian(lock, one, asked=wanted.joins and not one.joins)
    accept_by_rule(lock, one)
    return one


def _name_list(one: Registration) -> None:
    """Note the rating list that has the typed rating under the FIDE ID: then it is an official rating.

    The name may be spelled otherwise, and the title or the birth date may differ.
    """
    listed = listed_under(one.section, one.fide_id)
    if listed is not None and listed.rating == one.rating and alike(listed.name, one.name):
        one.rating_source, one.rating_list = listed.rating_source, listed.rating_list


def _insert(one: Registration) -> None:
    try:
        with transaction.atomic():
            one.save(force_insert=True)
    except IntegrityError as error:
        raise REGISTRATION_KNOWN.error() from error


def _replace_unconfirmed(lock: EventLock, one: Registration) -> bool:
    """End forms of the same person that were not confirmed: the mail may not have arrived. No mail says so.

    Return whether there was one.
    """
    if one.fide_id is None:
        return False
    former = in_the_way(one).filter(fide_id=one.fide_id, state=RegistrationState.SUBMITTED)
    lock.quiet = True
    replaced = lock.many(former.filter(email__iexact=one.email).values_list("pk", flat=True))
    for each in replaced:
        each.mails.filter(state=Mail.State.QUEUED).update(state=Mail.State.DROPPED)
        write_state(lock, each, RegistrationState.EXPIRED, CLOCK)
    lock.quiet = False
    return bool(replaced)
