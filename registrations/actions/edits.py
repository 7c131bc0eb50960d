"""Change the data of a registration, its mail address, and what organisers note beside it: labels and notes.

A new address counts once the player has pressed the button behind the link in a mail to it. Labels and notes change no
revision, so open forms can be saved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop as _

from base.text import one_line
from registrations.models import HistoryLine, Label, Mail, Note, Registration
from registrations.models.mail import MailKind
from registrations.person_fields import FIELDS, TYPED
from registrations.queries.problems import LIMITS, problems_of, search_text
from registrations.queries.rating_lists import listed_under, listed_values
from registrations.refusals import (
    REGISTRATION_ADDRESS_OFTEN,
    REGISTRATION_CHANGED,
    REGISTRATION_LIMITS,
    REGISTRATION_MOVE,
    REGISTRATION_NOT_UNDONE,
)
from registrations.states import Hand, RegistrationState
from tournaments.actions.entries import edit_participant
from tournaments.actions.ledger import assign_values, plain_value, refuse_overtaken, steps_taken
from tournaments.actions.roster import entry_summary
from tournaments.entry_data import EntryData
from tournaments.errors import NAME_REQUIRED, Refusal
from tournaments.models import Event, Participant

from .event_lock import PLAYER, EventLock, RegistrationActor, event_lock, event_of
from .mails import is_reached
from .state_changes import entry_of, refuse_known
from .transitions import write_transition

# Refusals
TOO_MANY_LABELS = Refusal(
    "too_many_labels", _("An event has at most %(most)s labels. Use a label that the event has already.")
)


# Note that a mail address is that of the player, who opened the link in a mail and pressed the button.


def prove_mail(*, registration_id: int) -> None:
    Registration.objects.filter(pk=registration_id).update(email_proved=True)


# A player's new e-mail address: it counts once the player has pressed the button behind the link in a mail to
# it.

MOST_A_DAY = 5


def ask_new_address(*, registration_id: int, address: str) -> None:
    """Write to the new address with a link that confirms it, and tell the old one. The current address asks nothing.

    Raises DomainError("registration_address_often").
    """
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id)
        if address.casefold() == one.email.casefold():
            return
        asked = one.mails.filter(kind=MailKind.ADDRESS, not_before__gt=lock.now - timedelta(days=1))
        if asked.count() >= MOST_A_DAY:
            raise REGISTRATION_ADDRESS_OFTEN.error()
        one.new_email = address
        one.save(update_fields=["new_email"])
        lock.note(one, HistoryLine.Kind.EDIT, PLAYER, fields=["new_email"])
        for kind, to in ((MailKind.TOLD, one.email), (MailKind.ADDRESS, address)):
            if to:
                Mail.objects.create(
                    registration=one, kind=kind, address=to, revision=one.revision, not_before=lock.now
                )


def take_new_address(*, registration_id: int, address: str) -> Registration:
    """Let the new address count. All former personal links are void, and a new one goes to the new address.

    A button that is pressed twice does it once. Raises Stale if the player has asked for another address since.
    """
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id)
        if one.new_email != address:
            if one.email != address:
                raise REGISTRATION_CHANGED.error(name=one.name)
            return one
        one.email, one.new_email, one.email_proved = one.new_email, "", True
        one.link_counter += 1
        one.search = search_text(one)
        one.problems = problems_of(one, lock.form, lock.limits(one.section_id))
        one.save(update_fields=["email", "new_email", "email_proved", "link_counter", "search", "problems"])
        forget_values([one])
        lock.note(one, HistoryLine.Kind.EDIT, PLAYER, fields=["email"])
        lock.mail(one, MailKind.LINK, at_once=True)
    return one


# Change the data of a registration.

FREE = frozenset(field.name for field in FIELDS if field.free)
"""What a player may change at any time: nothing in the section depends on it."""


def change_registration(
    *,
    registration_id: int,
    values: Mapping[str, Any],
    by: RegistrationActor,
    seen_revision: int | None = None,
    seen: Mapping[str, Any] | None = None,
    agreed: str | None = None,
) -> Registration:
    """Change the data. What a player changes after acceptance waits for the organiser, except harmless fields.

    A correction that the player was asked for puts the registration back to be checked. One that only got another
    state since seen_revision, such as an offered place, takes the data nevertheless. A mail address that the organiser
    corrects makes the personal links void that went to the wrong one.
    seen: the values that the form showed, by column. A value that somebody else has changed since is not overwritten,
    nor one that the form did not show and that has changed since seen_revision.
    With another FIDE ID, what was not typed comes from the rating list, and a rating of a list is that of this person.
    agreed: as for `listed_values`.
    Raises NotFound; Stale: registration_changed, overtaken; DomainError: listed_otherwise, invalid_values,
    name_required, registration_known, registration_limits, registration_move if the registration is over.
    """
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id)
        if seen_revision is not None and _is_other(one, seen_revision, data=seen is None):
            raise REGISTRATION_CHANGED.error(name=one.name)
        _refuse_overtaken(one, values, seen, seen_revision)
        if by.hand == Hand.PLAYER and not one.is_live:
            raise REGISTRATION_MOVE.error(name=one.name, state=one.state, to=one.state)
        values = {**values, **_listed(one, values, agreed)}
        before = {name: getattr(one, name) for name in values if name in TYPED}
        entry, former = entry_of(one, lock.limits(one.section_id)), _values(one)
        _before, after = assign_values(one, {name: value for name, value in values.items() if name in TYPED})
        if not one.name:
            raise NAME_REQUIRED.error()
        refuse_known(one)
        if by.hand == Hand.PLAYER and one.state == RegistrationState.ACCEPTED:
            waits = {name: value for name, value in after.items() if name not in FREE}
            if waits:
                one.proposed = {**one.proposed, **waits}
            for name in waits:
                setattr(one, name, before[name])
        if any(getattr(one, name) != before.get(name, getattr(one, name)) for name in ("rating", "fide_id")):
            _mark_rating(one)
        readdressed = by.hand == Hand.ORGANISER and "email" in after
        reached = readdressed and is_reached(one)
        if readdressed:
            one.email_proved = False
            one.link_counter += reached
        _write(lock, one, after, by, entry, former if by.hand == Hand.ORGANISER else None)
        if reached:
            lock.mail(one, MailKind.LINK, at_once=True)
        if by.hand == Hand.PLAYER and one.state == RegistrationState.CORRECTION:
            write_transition(lock, one, RegistrationState.PENDING, by)
    return one


def _listed(one: Registration, values: Mapping[str, Any], agreed: str | None) -> dict[str, Any]:
    """Return what the list has under a new FIDE ID, where nothing was typed.

    The rating that came from a list under another FIDE ID is not typed. Raises DomainError("listed_otherwise").
    """
    fide_id = values.get("fide_id")
    if fide_id is None or fide_id == one.fide_id:
        return {}
    person = {name: values.get(name, getattr(one, name)) for name in TYPED}
    if one.rating_list and "rating" not in values:
        person["rating"] = None
    taken = listed_values(listed_under(one.section, fide_id), person, agreed=agreed)
    return {name: value for name, value in taken.items() if name not in ("rating_source", "rating_list")}


def _is_other(one: Registration, seen_revision: int, *, data: bool) -> bool:
    """Return whether the section is another one than was seen, or the player has been asked to correct something since.

    data: also whether the data are not those that were seen.
    """
    if seen_revision == one.revision:
        return False
    kinds = [HistoryLine.Kind.SECTION, HistoryLine.Kind.EDIT] if data else [HistoryLine.Kind.SECTION]
    other = Q(kind__in=kinds) | Q(to_state=RegistrationState.CORRECTION)
    since = one.steps.filter(revision__gt=seen_revision)
    return not 0 <= seen_revision <= one.revision or since.filter(other).exists()


def _refuse_overtaken(
    one: Registration, values: Mapping[str, Any], seen: Mapping[str, Any] | None, seen_revision: int | None
) -> None:
    """Raises Stale("overtaken") if somebody else has changed one of the values since the form showed it."""
    if seen is None:
        return
    stands = {name: getattr(one, name) for name in values if name in TYPED}
    known = dict(seen)
    unseen = [name for name in stands if name not in seen]
    if unseen and seen_revision is not None:
        since = one.steps.filter(kind=HistoryLine.Kind.EDIT, revision__gt=seen_revision)
        changed = {name for step in since for name in step.fields}
        known |= {name: None if name in changed else plain_value(stands[name]) for name in unseen}
    refuse_overtaken(stands, {name: values[name] for name in stands}, known)


def _mark_rating(one: Registration) -> None:
    """Note the rating list that has the changed rating; without one, the rating is one that was typed."""
    listed = listed_under(one.section, one.fide_id)
    of_list = listed is not None and listed.rating == one.rating
    one.rating_source = listed.rating_source if listed is not None and of_list else ""
    one.rating_list = listed.rating_list if listed is not None and of_list else ""


def write_values(
    lock: EventLock,
    one: Registration,
    values: Mapping[str, Any],
    by: RegistrationActor,
    before: Mapping[str, Any],
) -> None:
    """Write what an organiser corrects. before: for the line of the history.

    Raises DomainError: invalid_values, name_required, registration_known; as `edit_participant`.
    """
    entry, former = entry_of(one, lock.limits(one.section_id)), _values(one)
    _before, after = assign_values(one, values)
    if not one.name:
        raise NAME_REQUIRED.error()
    refuse_known(one)
    _write(lock, one, after, by, entry, former, before)


def _write(
    lock: EventLock,
    one: Registration,
    changed: Iterable[str],
    by: RegistrationActor,
    entry_before: EntryData,
    former: Mapping[str, Any] | None,
    before: Mapping[str, Any] | None = None,
) -> None:
    """Save the data, with what follows from it: the search, the problems, and the entry.

    entry_before: the entry that the registration gave before. Only what is different now is written into the entry:
    arbiters may have changed the rest there. former: the values before, if undo may restore them. before: for the line
    of the history.
    """
    limits = lock.limits(one.section_id)
    one.search = search_text(one)
    one.problems = problems_of(one, lock.form, limits)
    if by.hand == Hand.PLAYER and one.state != RegistrationState.ACCEPTED:
        codes = [code for code in one.problem_codes if code in LIMITS]
        if codes:
            raise REGISTRATION_LIMITS.error(section=one.section.name, problems=codes)
    if not changed:
        return
    one.save(update_fields=[*TYPED, "search", "problems", "proposed", "email_proved", "link_counter"])
    forget_values([one])
    kept: dict[str, Any] = dict(before or {})
    if former is not None:
        kept["values"] = {name: value for name, value in former.items() if value != _values(one)[name]}
    lock.note(one, HistoryLine.Kind.EDIT, by, fields=sorted(changed), before=kept)
    if one.state == RegistrationState.WAITING:
        lock.freed.add(one.section_id)  # a place may be free for the player, who fits only now
    entry = entry_of(one, limits)
    if one.participant is not None and entry != entry_before:
        now = asdict(entry)
        same = {
            name: plain_value(value) for name, value in asdict(entry_before).items() if value == now[name]
        }
        with steps_taken():
            edit_participant(
                actor=by.actor, participant_id=one.participant.pk, entry=entry, seen=same, asked=True
            )


def take_changes(
    *, registration_id: int, by: RegistrationActor, take: bool, seen_revision: int | None = None
) -> Registration:
    """Take what the player changed after acceptance, or leave it. Raises NotFound; Stale; as `edit_participant`."""
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id, seen_revision)
        entry, former = entry_of(one, lock.limits(one.section_id)), _values(one)
        proposed, one.proposed = one.proposed, {}
        if take:
            assign_values(one, proposed)
            refuse_known(one)
            if one.rating != former["rating"]:
                _mark_rating(one)
        _write(lock, one, proposed, by, entry, former)
    return one


def _values(one: Registration) -> dict[str, Any]:
    """Return what undo of a change may restore."""
    return {name: plain_value(getattr(one, name)) for name in (*TYPED, "email_proved", "proposed")}


def forget_values(ones: Iterable[Registration]) -> None:
    """Empty the values of earlier changes: only the last one can be undone, and the history has no values."""
    edits = HistoryLine.objects.filter(
        registration__in=ones, kind=HistoryLine.Kind.EDIT, before__has_key="values"
    )
    for former in edits:
        kept = {name: value for name, value in former.before.items() if name == "mark"}
        QuerySet(HistoryLine).filter(pk=former.pk).update(before=kept)


def undo_edit(lock: EventLock, one: Registration, step: HistoryLine, by: RegistrationActor) -> None:
    """Write the data as they were before a change of an organiser, or before the organiser took what a player changed.

    Raises DomainError: registration_not_undone if an arbiter has changed the same in the entry; registration_known;
    as `edit_participant`.
    """
    entry, former = entry_of(one, lock.limits(one.section_id)), _values(one)
    values = dict(step.before["values"])
    one.proposed = {**values.pop("proposed", one.proposed)}
    one.email_proved = values.pop("email_proved", one.email_proved)
    assign_values(one, values)
    refuse_known(one)
    if one.participant is not None and is_edited(
        one.participant, entry, asdict(entry_of(one, lock.limits(one.section_id)))
    ):
        raise REGISTRATION_NOT_UNDONE.error(name=one.name)
    reached = "email" in values and is_reached(one)
    one.link_counter += reached
    _write(lock, one, step.fields, by, entry, former)
    if reached:
        lock.mail(one, MailKind.LINK, at_once=True)


def is_edited(participant: Participant, gave: EntryData, new: Mapping[str, Any]) -> bool:
    """Return whether the entry has something else than the registration gave it, where new values would be written."""
    stands, given = entry_summary(participant), asdict(gave)
    return any(given[name] != value and stands[name] != given[name] for name, value in new.items())


# What organisers note beside a registration: labels and notes. It changes no revision, so open forms can be
# saved.

MOST_LABELS = 40


def label_many(
    *, event: Event, keys: Iterable[int], name: str, by: RegistrationActor, on: bool = True, colour: str = ""
) -> list[Registration]:
    """Put a label on registrations, or take it off. A label that nothing has any more disappears.

    colour: of `Label.Colour`, for the label wherever it is; "" leaves it as it is. Return those that have changed.
    Raises DomainError("too_many_labels").
    """
    name = one_line(name)[:30]
    if not name:
        return []
    with event_lock(event.pk) as lock:
        return write_label(lock, lock.many(keys), name, by, on=on, colour=colour)


def write_label(
    lock: EventLock,
    ones: Iterable[Registration],
    name: str,
    by: RegistrationActor,
    *,
    on: bool,
    colour: str = "",
) -> list[Registration]:
    """Put on or take off a label, as `label_many`. Few queries for any number."""
    label = Label.objects.filter(event=lock.event, name=name).first()
    if label is None:
        if not on:
            return []
        if Label.objects.filter(event=lock.event).count() >= MOST_LABELS:
            raise TOO_MANY_LABELS.error(most=MOST_LABELS)
        label = Label.objects.create(event=lock.event, name=name)
    former, recoloured = label.colour, False
    if on and colour in Label.Colour.values and colour != former:
        label.colour, recoloured = colour, True
        label.save(update_fields=["colour"])
    have = set(label.registrations.values_list("pk", flat=True))
    changed = [one for one in ones if recoloured or (one.pk in have) != on]
    (label.registrations.add if on else label.registrations.remove)(*changed)
    for one in changed:
        before = {"label": name, "on": one.pk in have, "colour": former}
        lock.line(one, HistoryLine.Kind.LABEL, by, fields=["labels", "on" if on else "off"], before=before)
    if not label.registrations.exists():
        label.delete()
    return changed


def add_note(*, event: Event, registration_id: int, by: RegistrationActor, text: str) -> None:
    """Write a note that only organisers see."""
    text = one_line(text)[:500]
    with event_lock(event.pk) as lock:
        one = lock.load(registration_id)
        if text:
            note = Note.objects.create(registration=one, user=by.user, text=text)
            lock.line(one, HistoryLine.Kind.NOTE, by, fields=["notes"], before={"note": note.pk})
