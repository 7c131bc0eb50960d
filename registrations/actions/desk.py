"""What is noted at the desk: here, paid, corrected. It may have waited on a device without a network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from registrations.models import Charge, HistoryLine, Registration
from registrations.refusals import REGISTRATION_MOVE
from registrations.states import RegistrationState
from tournaments.actions.ledger import steps_taken
from tournaments.actions.presence import Overtaken, mark_presence, open_check_in
from tournaments.declarations.presence import CLOSE_CHECK_IN
from tournaments.models.rounds import rounds_paired
from tournaments.player_fields import AT_DESK

from .edits import write_values
from .event_lock import EventLock, RegistrationActor, event_lock, event_of
from .money import write_charge

CORRECTED = ("name", "federation", "fide_id", *(field.name for field in AT_DESK))
"""What everybody at the desk may correct. Nobody's rating or title: pairings depend on them."""


@dataclass(frozen=True, slots=True)
class DeskMark:
    """What was noted about a player, and what the device showed at that moment.

    key: of the device, so that a mark that arrives twice is noted once. ago: how long before it arrived it was made.
    waited: the device could not send it at once. here: None if it is not about presence. paid: cents that the
    player gave, while the device showed `owed`. undoes: the key of a mark whose payment was a mistake.
    fields: what was corrected, with the value that the device showed and the new one.
    """

    key: str = ""
    ago: timedelta = timedelta(0)
    waited: bool = False
    here: bool | None = None
    paid: int = 0
    owed: int = 0
    undoes: str = ""
    fields: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Differs:
    """A part of a mark that was not written, because somebody else changed the same thing since.

    fact: here, paid, or a column. now: what stands. typed: what the mark would write. by, at: who changed it, and when.
    """

    fact: str
    now: Any
    typed: Any
    by: str = ""
    at: datetime | None = None
    overtaken: Overtaken | None = None


def mark_at_desk(
    *, registration_id: int, mark: DeskMark, by: RegistrationActor
) -> tuple[Registration, list[Differs]]:
    """Note what happened at the desk. Return the registration, and what was not written because it had changed.

    The later of two marks about presence counts. A payment counts if the player owes what the device showed.
    Raises NotFound; DomainError: registration_move if the registration is no longer accepted; as `write_values`.
    """
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id)
        if one.state != RegistrationState.ACCEPTED:
            raise REGISTRATION_MOVE.error(name=one.name, state=one.state, to=one.state)
        parts = (
            _presence(lock, one, mark, by) if mark.here is not None else None,
            _payment(lock, one, mark, by) if mark.paid else None,
            *_corrections(lock, one, mark, by),
        )
        if mark.undoes:
            _undo_payment(lock, one, mark, by)
    return one, [part for part in parts if part is not None]


def set_present(*, registration_id: int, present: bool, by: RegistrationActor) -> Registration:
    """Note that the player is here, or is not, whatever the state of the registration."""
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id)
        _presence(lock, one, DeskMark(here=present), by)
    return one


def _is_written(one: Registration, mark: DeskMark, kind: HistoryLine.Kind) -> bool:
    """Return whether this part of the mark arrived before, and its answer was lost."""
    return bool(mark.key) and one.steps.filter(kind=kind, before__mark=mark.key).exists()


def _last(one: Registration, kind: HistoryLine.Kind, **more: Any) -> HistoryLine | None:
    return one.steps.filter(kind=kind, **more).order_by("-pk").first()


def _who(last: HistoryLine | None) -> tuple[str, datetime | None]:
    return (last.who, last.at) if last else ("", None)


def _presence(lock: EventLock, one: Registration, mark: DeskMark, by: RegistrationActor) -> Differs | None:
    """Note presence, also in the check-in of the section for round 1.

    From the day before the first day, the first player who is here opens the check-in, unless the arbiter has closed
    it. Then nobody is forgotten: round 1 cannot be paired before the arbiter has decided about those who are missing.
    """
    if _is_written(one, mark, HistoryLine.Kind.PRESENT):
        return None
    present, made = bool(mark.here), lock.now - mark.ago
    word = "present" if present else "absent"
    if one.section.check_in_round == 1:
        later = _check_in(lock, one, mark, by)
    else:
        last = _last(one, HistoryLine.Kind.PRESENT)
        is_later = last is not None and last.at > made and last.fields != [word]
        later = Overtaken(one.name, not present, last.who, last.at) if last is not None and is_later else None
        if later is None:
            _check_in(lock, one, mark, by)
    if later is not None:
        return Differs("here", later.here, present, later.by, later.at, later)
    one.present_at = made if present else None
    one.save(update_fields=["present_at"])
    lock.note(one, HistoryLine.Kind.PRESENT, by, fields=[word], before={"mark": mark.key} if mark.key else {})
    return None


def _check_in(lock: EventLock, one: Registration, mark: DeskMark, by: RegistrationActor) -> Overtaken | None:
    """Mark the entry in the check-in for round 1, if there is one. Return a later mark, which counts."""
    section, entry = one.section, one.participant
    if (
        entry is None
        or not entry.is_active
        or section.is_closed
        or section.taken_away
        or section.fixed_rounds
    ):
        return None
    begins = mark.here and section.check_in_round is None and not rounds_paired(section)
    begins = begins and lock.today >= lock.event.start - timedelta(days=1)
    begins = begins and not section.log.filter(action=CLOSE_CHECK_IN.name).exists()
    if not begins and section.check_in_round != 1:
        return None
    with steps_taken():
        if begins:
            one.section = open_check_in(actor=by.actor, section_id=section.pk, after_round=0)
        return mark_presence(
            actor=by.actor,
            participant_id=entry.pk,
            round_number=1,
            here=bool(mark.here),
            ago=mark.ago,
            waited=mark.waited,
        )


def _payment(lock: EventLock, one: Registration, mark: DeskMark, by: RegistrationActor) -> Differs | None:
    if _is_written(one, mark, HistoryLine.Kind.MONEY):
        return None
    if one.balance != mark.owed:
        last = _last(one, HistoryLine.Kind.MONEY)
        return Differs("paid", one.balance, mark.paid, *_who(last))
    before = {"mark": mark.key} if mark.key else {}
    write_charge(lock, one, Charge.Kind.PAYMENT, mark.paid, by, before=before)
    return None


def _undo_payment(lock: EventLock, one: Registration, mark: DeskMark, by: RegistrationActor) -> None:
    """Give back what this person noted by mistake, once. Lines of an account are never deleted."""
    paid = _last(one, HistoryLine.Kind.MONEY, before__mark=mark.undoes, who=by.name[:150])
    undone = Q(kind=HistoryLine.Kind.MONEY, before__undoes=mark.undoes)
    if paid is None or one.steps.filter(undone).exists():
        return
    write_charge(lock, one, Charge.Kind.REPAYMENT, paid.before["cents"], by, before={"undoes": mark.undoes})
    if one.balance > 0:
        one.paid_at = None
        one.save(update_fields=["paid_at"])


def _corrections(lock: EventLock, one: Registration, mark: DeskMark, by: RegistrationActor) -> list[Differs]:
    if not mark.fields or _is_written(one, mark, HistoryLine.Kind.EDIT):
        return []
    values, differs = {}, []
    for name, (shown, typed) in mark.fields.items():
        now = getattr(one, name)
        if (now or "") == (typed or ""):
            continue
        if (now or "") == (shown or ""):
            values[name] = typed
        else:
            edits = one.steps.filter(kind=HistoryLine.Kind.EDIT).order_by("-pk")
            last = next((step for step in edits if name in step.fields), None)
            differs.append(Differs(name, now, typed, *_who(last)))
    if values:
        write_values(lock, one, values, by, {"mark": mark.key} if mark.key else {})
    return differs
