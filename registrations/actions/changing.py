"""Change the data of a registration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from django.db.models import Q, QuerySet

from registrations.machine import Hand, State
from registrations.models import Registration, Step
from registrations.models.mail import MailKind
from registrations.person_fields import FIELDS, TYPED
from registrations.queries.fitting import LIMITS, problems_of, search_text
from registrations.queries.rating_lists import listed_under, listed_values
from tournaments.actions.entries import edit_participant
from tournaments.actions.fields import assign, plain
from tournaments.actions.ledger import steps_taken
from tournaments.actions.overtaken import refuse_overtaken
from tournaments.actions.roster import summary
from tournaments.entry_data import EntryData
from tournaments.errors import DomainError, Stale
from tournaments.models import Participant

from .desk import By, Desk, at_desk, event_of
from .mails import is_reached
from .moving import step
from .writing import entry_of, refuse_known

FREE = frozenset(field.name for field in FIELDS if field.free)
"""What a player may change at any time: nothing in the section depends on it."""


def change(
    *,
    registration_id: int,
    values: Mapping[str, Any],
    by: By,
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
    with at_desk(event_of(registration_id)) as desk:
        one = desk.load(registration_id)
        if seen_revision is not None and _is_other(one, seen_revision, data=seen is None):
            raise Stale("registration_changed", name=one.name)
        _refuse_overtaken(one, values, seen, seen_revision)
        if by.hand == Hand.PLAYER and not one.is_live:
            raise DomainError("registration_move", name=one.name, state=one.state, to=one.state)
        values = {**values, **_listed(one, values, agreed)}
        before = {name: getattr(one, name) for name in values if name in TYPED}
        entry, former = entry_of(one, desk.limits(one.section_id)), _values(one)
        _before, after = assign(one, {name: value for name, value in values.items() if name in TYPED})
        if not one.name:
            raise DomainError("name_required")
        refuse_known(one)
        if by.hand == Hand.PLAYER and one.state == State.ACCEPTED:
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
        _write(desk, one, after, by, entry, former if by.hand == Hand.ORGANISER else None)
        if reached:
            desk.mail(one, MailKind.LINK, at_once=True)
        if by.hand == Hand.PLAYER and one.state == State.CORRECTION:
            step(desk, one, State.PENDING, by)
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
    kinds = [Step.Kind.SECTION, Step.Kind.EDIT] if data else [Step.Kind.SECTION]
    other = Q(kind__in=kinds) | Q(to_state=State.CORRECTION)
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
        since = one.steps.filter(kind=Step.Kind.EDIT, revision__gt=seen_revision)
        changed = {name for step in since for name in step.fields}
        known |= {name: None if name in changed else plain(stands[name]) for name in unseen}
    refuse_overtaken(stands, {name: values[name] for name in stands}, known)


def _mark_rating(one: Registration) -> None:
    """Note the rating list that has the changed rating; without one, the rating is one that was typed."""
    listed = listed_under(one.section, one.fide_id)
    of_list = listed is not None and listed.rating == one.rating
    one.rating_source = listed.rating_source if listed is not None and of_list else ""
    one.rating_list = listed.rating_list if listed is not None and of_list else ""


def write_values(
    desk: Desk, one: Registration, values: Mapping[str, Any], by: By, before: Mapping[str, Any]
) -> None:
    """Write what an organiser corrects. before: for the line of the history.

    Raises DomainError: invalid_values, name_required, registration_known; as `edit_participant`.
    """
    entry, former = entry_of(one, desk.limits(one.section_id)), _values(one)
    _before, after = assign(one, values)
    if not one.name:
        raise DomainError("name_required")
    refuse_known(one)
    _write(desk, one, after, by, entry, former, before)


def _write(
    desk: Desk,
    one: Registration,
    changed: Iterable[str],
    by: By,
    entry_before: EntryData,
    former: Mapping[str, Any] | None,
    before: Mapping[str, Any] | None = None,
) -> None:
    """Save the data, with what follows from it: the search, the problems, and the entry.

    entry_before: the entry that the registration gave before. Only what is different now is written into the entry:
    arbiters may have changed the rest there. former: the values before, if undo may restore them. before: for the line
    of the history.
    """
    limits = desk.limits(one.section_id)
    one.search = search_text(one)
    one.problems = problems_of(one, desk.form, limits)
    if by.hand == Hand.PLAYER and one.state != State.ACCEPTED:
        codes = [code for code in one.problem_codes if code in LIMITS]
        if codes:
            raise DomainError("registration_limits", section=one.section.name, problems=codes)
    if not changed:
        return
    one.save(update_fields=[*TYPED, "search", "problems", "proposed", "email_proved", "link_counter"])
    forget_values([one])
    kept: dict[str, Any] = dict(before or {})
    if former is not None:
        kept["values"] = {name: value for name, value in former.items() if value != _values(one)[name]}
    desk.note(one, Step.Kind.EDIT, by, fields=sorted(changed), before=kept)
    if one.state == State.WAITING:
        desk.freed.add(one.section_id)  # a place may be free for the player, who fits only now
    entry = entry_of(one, limits)
    if one.participant is not None and entry != entry_before:
        now = asdict(entry)
        same = {name: plain(value) for name, value in asdict(entry_before).items() if value == now[name]}
        with steps_taken():
            edit_participant(
                actor=by.actor, participant_id=one.participant.pk, entry=entry, seen=same, asked=True
            )


def take_changes(
    *, registration_id: int, by: By, take: bool, seen_revision: int | None = None
) -> Registration:
    """Take what the player changed after acceptance, or leave it. Raises NotFound; Stale; as `edit_participant`."""
    with at_desk(event_of(registration_id)) as desk:
        one = desk.load(registration_id, seen_revision)
        entry, former = entry_of(one, desk.limits(one.section_id)), _values(one)
        proposed, one.proposed = one.proposed, {}
        if take:
            assign(one, proposed)
            refuse_known(one)
            if one.rating != former["rating"]:
                _mark_rating(one)
        _write(desk, one, proposed, by, entry, former)
    return one


def _values(one: Registration) -> dict[str, Any]:
    """Return what undo of a change may restore."""
    return {name: plain(getattr(one, name)) for name in (*TYPED, "email_proved", "proposed")}


def forget_values(ones: Iterable[Registration]) -> None:
    """Empty the values of earlier changes: only the last one can be undone, and the history has no values."""
    edits = Step.objects.filter(registration__in=ones, kind=Step.Kind.EDIT, before__has_key="values")
    for former in edits:
        kept = {name: value for name, value in former.before.items() if name == "mark"}
        QuerySet(Step).filter(pk=former.pk).update(before=kept)


def undo_edit(desk: Desk, one: Registration, step: Step, by: By) -> None:
    """Write the data as they were before a change of an organiser, or before the organiser took what a player changed.

    Raises DomainError: registration_not_undone if an arbiter has changed the same in the entry; registration_known;
    as `edit_participant`.
    """
    entry, former = entry_of(one, desk.limits(one.section_id)), _values(one)
    values = dict(step.before["values"])
    one.proposed = {**values.pop("proposed", one.proposed)}
    one.email_proved = values.pop("email_proved", one.email_proved)
    assign(one, values)
    refuse_known(one)
    if one.participant is not None and is_edited(
        one.participant, entry, asdict(entry_of(one, desk.limits(one.section_id)))
    ):
        raise DomainError("registration_not_undone", name=one.name)
    reached = "email" in values and is_reached(one)
    one.link_counter += reached
    _write(desk, one, step.fields, by, entry, former)
    if reached:
        desk.mail(one, MailKind.LINK, at_once=True)


def is_edited(participant: Participant, gave: EntryData, new: Mapping[str, Any]) -> bool:
    """Return whether the entry has something else than the registration gave it, where new values would be written."""
    stands, given = summary(participant), asdict(gave)
    return any(given[name] != value and stands[name] != given[name] for name, value in new.items())
