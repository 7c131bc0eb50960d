"""Move registrations to another section of the event, and back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from entering.machine import LIVE, State
from entering.models import Mail, Registration, Step, WishedBye
from entering.queries.account import price_of
from entering.queries.fitting import fee_lines, problems_of
from entering.queries.places import Places
from tournaments.actions.ledger import steps_taken
from tournaments.actions.moved_entries import move_participant
from tournaments.errors import DomainError
from tournaments.models import Participant, RatingSource, Section

from .desk import PART, By, Desk, at_desk, event_of
from .money import change_price
from .moving import Outcome
from .wishes import grant_byes
from .writing import enter, leave


def move_section(
    *, registration_id: int, section_id: int, by: By, seen_revision: int | None = None
) -> Registration:
    """Move a registration to another section of the event. Without a free place there it waits, with its own time.

    An accepted player does not lose the place: the registration stays where it is. A paired player leaves a withdrawn
    entry in the former section.
    Raises NotFound; Stale; DomainError("section_full") for an accepted player without a free place; and what making
    or removing the entry raises.
    """
    with at_desk(event_of(registration_id)) as desk:
        one = desk.load(registration_id, seen_revision)
        _move(desk, one, section_id, by)
    return one


def move_many_to(*, event_id: int, keys: Sequence[int], section_id: int, by: By) -> Outcome:
    """Move registrations to a section, as `move_section`. One that is refused stays, with its reason.

    Others wait for one part of them at a time, not for all.
    """
    outcome = Outcome()
    for start in range(0, len(keys), PART):
        with at_desk(event_id) as desk:
            for one in desk.many(keys[start : start + PART]):
                try:
                    with transaction.atomic():
                        _move(desk, one, section_id, by)
                    outcome.moved.append(one)
                except DomainError as error:
                    outcome.left.append((one, error))
    return outcome


def _move(desk: Desk, one: Registration, section_id: int, by: By) -> None:
    places = desk.places(section_id)
    if one.section_id == section_id or one.state not in LIVE:
        return
    former = State(one.state)
    if former == State.ACCEPTED and not places.has_room:
        raise DomainError("section_full", section=places.section.name)
    to, placed = former, places.has_room
    if former == State.SUBMITTED:
        placed = places.has_room_for_form
    elif not places.has_room:
        to = State.WAITING
    elif former == State.WAITING:
        to = State.PENDING
    until = one.deadline if to == former else None
    columns = {"state": to, "takes_place": placed, "position": None, "parked": False, "deadline": until}
    _change(desk, one, places, by, columns)


def put_back(desk: Desk, one: Registration, moved: Step, by: By) -> None:
    """Undo a move between sections: the former section, state, place in the list and byes.

    The caller has seen to it that a place is free if the registration had one.
    """
    before = dict(moved.before)
    places, byes = desk.places(before.pop("section")), before.pop("byes")
    price = [(kind, cents) for kind, cents in before.pop("price", price_of(one))]
    until = before["deadline"]
    _change(
        desk, one, places, by, {**before, "deadline": until and datetime.fromisoformat(until)}, byes, price
    )


def _change(
    desk: Desk,
    one: Registration,
    places: Places,
    by: By,
    columns: dict[str, Any],
    byes: list[tuple[int, str]] | None = None,
    price: list[tuple[str, int]] | None = None,
) -> None:
    """Write section and state, with the entry, the line of history from which undo works, and the mail.

    byes: that come back, as round and kind, where the section has the round. price: that was charged there; without it,
    the price of the section for a registration of that day.
    """
    former, to = State(one.state), State(columns["state"])
    before = {
        "section": one.section_id,
        "byes": [],
        **{name: getattr(one, name) for name in columns},
        "deadline": one.deadline and one.deadline.isoformat(),
    }
    moved = to == former == State.ACCEPTED and _move_entry(one, places, by)
    if former == State.ACCEPTED and not moved:
        leave(one, by)
    if one.takes_place:
        desk.freed.add(one.section_id)
    one.section = places.section
    if not moved:
        one.participant = _former_entry(one, places.section)
    dropped = one.byes.filter(round_number__gt=places.section.rounds)
    before["byes"] = list(dropped.values_list("round_number", "kind"))
    dropped.delete()
    for round_number, kind in byes or []:
        WishedBye.objects.get_or_create(registration=one, round_number=round_number, defaults={"kind": kind})
    if price is None:
        price = fee_lines(one, places.limits, timezone.localdate(one.created_at))
    before["price"] = change_price(one, price, by)
    one.problems = problems_of(one, desk.form, places.limits)
    if moved:
        grant_byes(one, by)
    elif to == State.ACCEPTED:
        enter(desk, one, by)
    for name, value in columns.items():
        setattr(one, name, value)
    one.save(update_fields=["section", "problems", "participant", *columns])
    desk.note(one, Step.Kind.SECTION, by, fields=["section"], from_state=former, to_state=to, before=before)
    undoing = byes is not None
    if to != State.SUBMITTED and not (undoing and one.mails.filter(kind=to, state=Mail.State.SENT).exists()):
        desk.mail(one, to)


def _move_entry(one: Registration, places: Places, by: By) -> bool:
    """Move the entry with what arbiters have written there. Return whether it moved.

    An entry that was paired stays, and one whose rating depends on the section is made again. Byes that were asked for
    in the form are granted again, by the rules of the other section.
    """
    entry = one.participant
    if entry is None or not entry.is_active or _former_entry(one, places.section):
        return False
    if not entry.rating or entry.rating_source == RatingSource.PROVISIONAL:
        return False
    granted = one.byes.filter(state=WishedBye.State.GRANTED)
    try:
        with steps_taken(), transaction.atomic():
            one.participant = move_participant(
                actor=by.actor,
                participant_id=entry.pk,
                section_id=places.section.pk,
                registered=True,
                without=list(granted.values_list("round_number", flat=True)),
                asked=True,
                both=by.both,
            )
    except DomainError as error:
        if error.code != "already_paired":
            raise
        return False
    granted.update(state=WishedBye.State.ASKED)
    return True


def _former_entry(one: Registration, section: Section) -> Participant | None:
    """Return the entry that the player left behind in a section, after playing there."""
    return Participant.objects.filter(
        section=section,
        status=Participant.Status.WITHDRAWN,
        registration=None,
        player__name=one.name,
        player__fide_id=one.fide_id,
        player__birth_date=one.birth_date,
    ).first()
