"""Write a new state, and make or remove the entry in the section that belongs to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import F, QuerySet

from base.text import folded
from ratings.names import same_name
from registrations.models import HistoryLine, Mail, Registration, SectionRegistration, WishedBye
from registrations.models.registration import MANY_FORMS
from registrations.queries.problems import facts_of, needs_provisional
from registrations.refusals import REGISTRATION_KNOWN, REGISTRATION_STARTED, SECTION_HIDDEN
from registrations.states import ALWAYS_A_PLACE, CONFIRMED, OVER, Hand, RegistrationState
from tournaments.actions.entries import (
    add_participant,
    readmit_participant,
    remove_participant,
    remove_participants,
    withdraw_participant,
)
from tournaments.actions.entry_lists import import_entries
from tournaments.actions.ledger import steps_taken
from tournaments.actions.persons_page import join_event
from tournaments.entry_data import EntryData, ImportRow
from tournaments.errors import REFUSALS, SAME_PERSON, DomainError
from tournaments.models import Participant, RatingSource, Section
from tournaments.player_fields import PLAIN, REGISTERED
from tournaments.queries.persons_page import keys_of
from tournaments.questions import says_yes
from tournaments.rights import Right

from .event_lock import EventLock, RegistrationActor
from .money import change_price
from .requested_byes import grant_byes

BATCH = 100
"""Rows in one UPDATE of several values."""
COLUMNS = (
    "state", "takes_place", "deadline", "queued_at", "position", "parked", "correction", "facts", "participant",
    "revision",
)  # fmt: skip
"""What a change of the state writes."""
ENTRY = "entry"
"""In the facts of a registration: what an organiser typed for the entry, see `typed_for_entry`."""
MISSED = "missed"
"""In the facts of a registration: the kind of bye for the rounds before a late entry."""
ONLY_OF_ENTRIES = (
    *("official_rating", "national_rating", "national_id", "team", "pairing_flags", "note", "first_round"),
    "latin_name",
    *(field.name for field in PLAIN if not field.registered),
)
SOURCE = "registrations"
"""Named in the log of the section as the source of entries that came together."""


def write_state(
    lock: EventLock,
    one: Registration,
    to: RegistrationState,
    by: RegistrationActor,
    *,
    reason: str = "",
    fields: tuple[str, ...] = (),
    undoing: bool = False,
    correction: dict[str, Any] | None = None,
) -> None:
    """Put a registration into a state, with its line of history and its mail. Its entry is made or removed before.

    One that is opened again goes to the end of the waiting list, unless an undo opens it. correction: what the player
    was asked to correct, which undo restores.
    Raises DomainError("registration_known") if another one has the FIDE ID meanwhile.
    """
    former = RegistrationState(one.state)
    if former not in CONFIRMED and to in CONFIRMED:
        refuse_known(one)
    price = _price(one, to, by)
    line = _become(lock, one, to, by, reason=reason, fields=fields, undoing=undoing)
    line.before |= price
    if correction:
        one.correction = correction
    one.save(update_fields=COLUMNS)
    _join([one])
    if former in ALWAYS_A_PLACE | {RegistrationState.SUBMITTED} and not one.takes_place:
        lock.freed.add(one.section_id)
    if not (undoing and one.mails.filter(kind=to, state=Mail.State.SENT).exists()):
        lock.mail(one, to, at_once=to == RegistrationState.SUBMITTED)


def let_go(lock: EventLock, one: Registration) -> None:
    """Take the mark of very many forms off. The time to confirm begins now, and a place that ran out comes back."""
    one.problems = one.problems.replace(f" {MANY_FORMS} ", "")
    one.deadline = lock.deadline(RegistrationState.SUBMITTED, one)
    one.takes_place = one.takes_place or lock.places(one.section_id).has_room_for_form
    one.save(update_fields=["problems", "deadline", "takes_place"])


def give_back(lock: EventLock, one: Registration) -> None:
    """Give the place of a form back, which stays as it is otherwise."""
    one.takes_place, one.deadline = False, None
    one.save(update_fields=["takes_place", "deadline"])
    lock.freed.add(one.section_id)
    lock.touched = True


def write_accepted(lock: EventLock, ones: list[Registration], by: RegistrationActor) -> None:
    """Put registrations that have their entries into the state accepted: `write_state` with few queries for many."""
    for one in ones:
        _become(lock, one, RegistrationState.ACCEPTED, by)
    Registration.objects.filter(pk__in=[one.pk for one in ones]).update(
        state=RegistrationState.ACCEPTED,
        takes_place=True,
        deadline=None,
        correction={},
        revision=F("revision") + 1,
    )
    Registration.objects.bulk_update(ones, ["facts", "participant"], batch_size=BATCH)
    _join(ones)
    lock.mail_many(ones, RegistrationState.ACCEPTED)


def _join(ones: Iterable[Registration]) -> None:
    """Put the event on the pages of accepted persons who ticked this in the form."""
    for one in ones:
        entry = one.participant if one.joins and one.state == RegistrationState.ACCEPTED else None
        if entry is not None and keys_of(entry.player):
            join_event(player_id=entry.player_id)


def _price(one: Registration, to: RegistrationState, by: RegistrationActor) -> dict[str, Any]:
    """End the price of a registration that is over: who has paid is to be repaid. Opened again, it costs the same.

    Return what the line of history keeps for that.
    """
    former = RegistrationState(one.state)
    if to in OVER and former not in OVER:
        return {"price": change_price(one, [], by)}
    if former in OVER and to not in OVER:
        ended = one.steps.filter(kind=HistoryLine.Kind.MOVE, to_state__in=OVER).last()
        if ended is not None and ended.before.get("price"):
            change_price(one, [(kind, cents) for kind, cents in ended.before["price"]], by)
    return {}


def _become(
    lock: EventLock,
    one: Registration,
    to: RegistrationState,
    by: RegistrationActor,
    *,
    reason: str = "",
    fields: tuple[str, ...] = (),
    undoing: bool = False,
) -> HistoryLine:
    """Set the columns of COLUMNS for a state, which the caller saves. Return the line of history."""
    former, asked = RegistrationState(one.state), one.correction
    one.state = to
    one.takes_place = to in ALWAYS_A_PLACE
    if (
        to == RegistrationState.WAITING and not undoing
    ):  # undo leaves the mark as it was when the player waited before
        one.parked = by.hand == Hand.ORGANISER and former in ALWAYS_A_PLACE
    one.deadline = lock.deadline(to, one)
    if former in OVER and not undoing:
        one.queued_at, one.position = lock.now, None
    answered = (
        by.hand == Hand.PLAYER and former == RegistrationState.CORRECTION and to == RegistrationState.PENDING
    )
    if to == RegistrationState.CORRECTION:
        one.correction = {"fields": list(fields), "text": reason}
    elif not answered:  # what was asked stays until it is decided: the answer is on top of the pile to check
        one.correction = {}
    if to == RegistrationState.ACCEPTED:
        typed = {name: one.facts[name] for name in (ENTRY, MISSED) if one.facts.get(name)}
        one.facts = facts_of(one, lock.limits(one.section_id)) | typed
    return lock.step(
        one,
        HistoryLine.Kind.MOVE,
        by,
        from_state=former,
        to_state=to,
        reason=reason,
        fields=list(fields),
        before={"correction": asked} if asked else {},
    )


def enter(lock: EventLock, one: Registration, by: RegistrationActor) -> None:
    """Make the entry of an accepted registration, and give the byes that the regulations allow.

    Raises DomainError("registration_started") if round 1 is paired and no arbiter decides; what `add_participant`
    raises.
    """
    _refuse_late(lock, one, by)
    for question in twins([one], one.section_id, by).values():
        raise question
    with steps_taken():  # undo is offered for the registration, not for the entry alone
        if one.participant is not None:
            if not one.participant.is_active:
                readmit_participant(actor=by.actor, participant_id=one.participant.pk, both=by.both)
        else:
            one.participant = add_participant(
                actor=by.actor,
                section_id=one.section_id,
                entry=entry_of(one, lock.limits(one.section_id)),
                missed=one.facts.get(MISSED, ""),
                proceed=True,
                asked=True,
                both=by.both,
            )
    grant_byes(one, by)


def enter_many(lock: EventLock, ones: list[Registration], by: RegistrationActor) -> dict[int, DomainError]:
    """Make the entries of registrations of one section in one step. Return who could not be entered, and why."""
    refused: dict[int, DomainError] = {}
    left = []
    for one in ones:
        try:
            _refuse_late(lock, one, by)
            if one.participant is not None or one.facts.get(MISSED):
                enter(lock, one, by)
            else:
                left.append(one)
        except DomainError as error:
            refused[one.pk] = error
    refused |= twins(left, left[0].section_id, by) if left else {}
    left = [one for one in left if one.pk not in refused]
    while left:
        rows = [ImportRow(entry=entry_of(one, lock.limits(one.section_id))) for one in left]
        try:
            with steps_taken():
                outcome = import_entries(
                    actor=by.actor,
                    section_id=left[0].section_id,
                    rows=rows,
                    source=SOURCE,
                    proceed=True,
                    asked=True,
                    both=by.both,
                )
        except DomainError as error:
            if error.code == "two_sections_to_confirm":
                twice = set(map(folded, error.params["names"]))
                found = [one for one in left if folded(one.name) in twice]
                refused |= dict.fromkeys([one.pk for one in found or left], error)
                left = [one for one in left if one.pk not in refused]
                continue
            if error.code != "import_refused":
                return refused | {one.pk: error for one in left}
            wrong = {problem["row"]: problem for problem in error.params["problems"]}
            for number, problem in wrong.items():
                refused[left[number - 1].pk] = REFUSALS[problem["code"]].error(**problem["params"])
            left = [one for number, one in enumerate(left, start=1) if number not in wrong]
            continue
        asked = WishedBye.objects.filter(registration__in=left, state=WishedBye.State.ASKED)
        with_byes = set(asked.values_list("registration", flat=True))
        for one, participant in zip(left, outcome.added, strict=True):
            one.participant = participant
            if one.pk in with_byes:
                grant_byes(one, by)
        break
    return refused


def twins(ones: Sequence[Registration], section_id: int, by: RegistrationActor) -> dict[int, DomainError]:
    """Return the question "same_person" for each who seems to be entered there already, and about whom nobody agreed.

    That is somebody with the same birth date and the same name, in any order of its words. One query, none without a
    birth date.
    """
    born = {one.birth_date for one in ones if one.birth_date}
    there = Participant.objects.filter(section=section_id, player__birth_date__in=born).select_related(
        "player"
    )
    entries = list(there) if born else []
    found = {}
    for one in ones:
        other = next((entry for entry in entries if _is_twin(one, entry)), None)
        if other is not None:
            about = {"name": one.name, "other": other.player.name, "birth_date": one.birth_date}
            question = SAME_PERSON.error(**about)
            if not says_yes(by.both, question):
                found[one.pk] = question
    return found


def _is_twin(one: Registration, entry: Participant) -> bool:
    ids = one.fide_id is None or entry.player.fide_id is None
    same = ids and entry.player.birth_date == one.birth_date and same_name(entry.player.name, one.name)
    return same and entry.pk != one.participant_id


def _refuse_late(lock: EventLock, one: Registration, by: RegistrationActor) -> None:
    """After round 1 is paired, a registration is a late entry: an arbiter of the section decides about it."""
    if waits_for_arbiter(lock, one, by):
        raise REGISTRATION_STARTED.error()


def waits_for_arbiter(lock: EventLock, one: Registration, by: RegistrationActor) -> bool:
    """Return whether an arbiter of the section must accept the registration, and this person is none."""
    if not lock.limits(one.section_id).paired:
        return False
    return by.hand != Hand.ORGANISER or not (
        by.user is None or by.user.has_perm(Right.RUN.permission, one.section)
    )


def leave(one: Registration, by: RegistrationActor, reason: str = "") -> None:
    """Remove the entry. A player who was paired is withdrawn instead."""
    if one.participant is None:
        ask_byes_again([one])  # an arbiter has removed the entry, and an undo of this makes another one
        return
    with steps_taken():
        try:
            remove_participant(actor=by.actor, participant_id=one.participant.pk, asked=True)
        except DomainError as error:
            if error.code != "already_paired":
                raise
            if one.participant.is_active:
                withdraw_participant(actor=by.actor, participant_id=one.participant.pk, reason=reason)
        else:
            one.participant = None
            ask_byes_again([one])


def leave_many(ones: Sequence[Registration], by: RegistrationActor) -> None:
    """Remove the entries of players who were not paired, in one step for each section. The others keep theirs."""
    entries: dict[int, dict[int, Registration]] = {}
    for one in ones:
        if one.participant_id is not None:
            entries.setdefault(one.section_id, {})[one.participant_id] = one
    for section_id, found in entries.items():
        with steps_taken():
            removed = remove_participants(actor=by.actor, section_id=section_id, participant_ids=found)
        for key in removed:
            found[key].participant = None
        ask_byes_again([found[key] for key in removed])


def entry_state(one: Registration) -> str:
    """Return what the player has in the list of players: none, withdrawn or active."""
    if one.participant is None:
        return "none"
    return "active" if one.participant.is_active else "withdrawn"


def ask_byes_again(ones: Iterable[Registration]) -> None:
    """Ask for the byes again that went with the entries."""
    granted = WishedBye.objects.filter(registration__in=ones, state=WishedBye.State.GRANTED)
    granted.update(state=WishedBye.State.ASKED)


def refuse_known(one: Registration) -> None:
    """Raises DomainError("registration_known") if another registration of the event has the same FIDE ID.

    If the sections play at different times, only another one of the section counts. One that nobody has confirmed does
    not count: it may be made up.
    """
    if one.fide_id is None:
        return
    same = in_the_way(one).filter(fide_id=one.fide_id, state__in=CONFIRMED)
    if same.exclude(pk=one.pk).exists():
        raise REGISTRATION_KNOWN.error()


def refuse_hidden(one: Registration, to: RegistrationState) -> None:
    """Raises DomainError("section_hidden") if a registration that is over would come back in a hidden section."""
    if one.section.taken_away and one.state in OVER and to not in OVER:
        raise SECTION_HIDDEN.error(section=one.section.name)


def in_the_way(one: Registration) -> QuerySet[Registration]:
    """Return the registrations among which a person has only one."""
    if one.event.sections_apart:
        return Registration.objects.filter(section=one.section_id)
    return Registration.objects.filter(event=one.event_id)


def known_there(ones: Iterable[Registration], section: Section) -> dict[int, DomainError]:
    """Return who cannot come to a section, because another registration there has the same FIDE ID."""
    confirmed = [one for one in ones if one.fide_id is not None and one.state in CONFIRMED]
    there = Registration.objects.filter(section=section, state__in=CONFIRMED, fide_id__isnull=False)
    taken = set(there.exclude(pk__in=[one.pk for one in confirmed]).values_list("fide_id", flat=True))
    refused = {}
    for one in confirmed:
        if one.fide_id in taken:
            refused[one.pk] = REGISTRATION_KNOWN.error()
        taken.add(one.fide_id)
    return refused


def entry_of(one: Registration, limits: SectionRegistration) -> EntryData:
    """Return the registration as an entry. Without consent to the public list, visitors see initials.

    A player without a rating has the provisional one of the section, if the section needs ratings.
    """
    provisional = limits.unrated_as if needs_provisional(one) else None
    source = one.rating_source if one.rating_source in RatingSource.values else RatingSource.TYPED
    listed = one.rating_source in (RatingSource.STANDARD, RatingSource.RAPID, RatingSource.BLITZ)
    entry = EntryData(
        name=one.name,
        rating=one.rating or provisional or 0,
        sex=one.sex,
        title=one.title,
        federation=one.federation,
        fide_id=one.fide_id,
        birth_date=one.birth_date,
        rating_source=RatingSource.PROVISIONAL if provisional else source,
        rating_list=one.rating_list,
        official_rating=one.rating if listed and one.rating else None,
        by_initials=not one.consent,
        **{field.name: getattr(one, field.name) for field in REGISTERED},
    )
    return replace(entry, **one.facts.get(ENTRY, {}))


def typed_for_entry(entry: EntryData) -> dict[str, Any]:
    """Return what an organiser typed for an entry and a registration has no column for."""
    return {name: value for name in ONLY_OF_ENTRIES if (value := getattr(entry, name))}
