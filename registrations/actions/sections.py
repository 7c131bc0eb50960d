"""Move registrations to another section of the event, and back. Many are written with few queries, as one is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from registrations.machine import LIVE, State
from registrations.models import LateMove, Mail, Registration, Step, WishedBye
from registrations.models.mail import OF_NO_STATE
from registrations.queries.fitting import fee_lines, misfits, problems_of_many
from registrations.queries.places import Places, moves_for_arbiter
from tournaments.actions.entry_import import log_not_accepted, log_waiting
from tournaments.actions.ledger import Actor, transaction_or_busy
from tournaments.actions.moved_entries import move_participant
from tournaments.errors import DomainError, NotFound, Stale
from tournaments.models import Participant, Round, Section, User
from tournaments.models.action_log import REGISTRATION
from tournaments.models.journal import write_each
from tournaments.questions import Answer, says_yes

from .desk import By, Desk, at_desk, event_of
from .following import entries_follow, former_entries
from .money import change_prices
from .moving import Outcome
from .wishes import grant_byes
from .writing import known_there

LATE = frozenset({"late_entry_by_arbiter", "registration_started"})
"""Refusals of a player whom only an arbiter of the section may enter."""

COLUMNS = (
    "section",
    "problems",
    "participant",
    "state",
    "takes_place",
    "position",
    "parked",
    "deadline",
    "balance",
)
"""What a move writes, besides the revision."""


@dataclass(slots=True)
class Change:
    """A registration that goes to a section, and what is written there.

    columns: state, takes_place, position, parked and deadline. price: kinds and cents; None leaves the price as it is.
    byes: that come back, as round and kind. undoing: the player may know the state already.
    """

    one: Registration
    columns: dict[str, Any]
    price: Sequence[tuple[str, int]] | None
    byes: Sequence[tuple[int, str]] = field(default=())
    undoing: bool = False


def move_section(
    *,
    registration_id: int,
    section_id: int,
    by: By,
    seen_revision: int | None = None,
    sure: Answer = False,
) -> Registration:
    """Move a registration to another section of the event. Without a free place there it waits, with its own time.

    An accepted player does not lose the place: the registration stays where it is. A paired player leaves a withdrawn
    entry in the former section. Nothing happens to one that is there already, or is over. The player of somebody who is
    no arbiter there stays too, if round 1 there is paired, until an arbiter agrees (`decide_move`).
    sure: also where the limits of the section are not met.
    Raises NotFound; Stale; DomainError("section_full") for an accepted player without a free place; unless `sure`,
    limits_to_confirm; and what making or removing the entry raises.
    """
    with at_desk(event_of(registration_id)) as desk:
        one = desk.load(registration_id, seen_revision)
        if one.section_id != section_id and one.is_live:
            for error in _move(desk, [one], section_id, by, sure=sure).values():
                if error.code != "move_waits":
                    raise error
    return one


def move_many_to(
    *, event_id: int, wanted: Sequence[tuple[int, int]], section_id: int, by: By, sure: Answer = False
) -> Outcome:
    """Move registrations to a section, as `move_section`, in one transaction.

    wanted: keys and the revisions that were seen. One that is refused stays, with its reason, and so does one that is
    there already or is over, and one that waits for an arbiter (move_waits). Raises NotFound; Busy.
    """
    outcome = Outcome()
    with at_desk(event_id) as desk:
        seen, going = dict(wanted), []
        for one in desk.many(seen):
            if one.revision != seen[one.pk]:
                error: DomainError = Stale("registration_changed", name=one.name)
            elif one.state not in LIVE:
                error = DomainError("registration_over", name=one.name)
            elif one.section_id == section_id:
                error = DomainError("same_section", name=one.name, section=one.section.name)
            else:
                going.append(one)
                continue
            outcome.left.append((one, error))
        refused = _move(desk, going, section_id, by, sure=sure)
        outcome.left += [(one, refused[one.pk]) for one in going if one.pk in refused]
        outcome.moved += [one for one in going if one.pk not in refused]
    return outcome


def refuse_hiding(section: Section) -> None:
    """Raises DomainError("section_has_registrations") if people are registered for a section that nobody has paired.

    They would get no word. They go to another section, or are withdrawn.
    """
    count = Registration.objects.filter(section=section, state__in=LIVE).count()
    if count and not Round.objects.filter(section=section).exists():
        raise DomainError("section_has_registrations", count=count)


def _move(
    desk: Desk, ones: Sequence[Registration], section_id: int, by: By, *, sure: Answer
) -> dict[int, DomainError]:
    """Move those who get a place, or wait. Return why the others stay: each leaves its place to those behind it."""
    there = desk.places(section_id)
    unfit = _unfit_there(ones, there)
    refused = {key: question for key, question in unfit.items() if not says_yes(sure, question)}
    refused |= _refused_there(ones, there.section)
    entered: set[int] = set()
    while True:
        changes, full = _placed([one for one in ones if one.pk not in refused], there)
        players = [
            each for each in changes if each.one.state == State.ACCEPTED and each.one.pk not in entered
        ]
        errors = entries_follow(desk, [each.one for each in players], there.section, by)
        entered |= {each.one.pk for each in players} - set(errors)
        if not errors:
            _write(desk, changes, there, by)
            return refused | full
        refused |= {key: _kept(ones, key, there.section, error, by) for key, error in errors.items()}


def _kept(
    ones: Sequence[Registration], key: int, section: Section, error: DomainError, by: By
) -> DomainError:
    """Let a player whom an arbiter must enter wait for one. Return why the player stays for now."""
    one = next(each for each in ones if each.pk == key)
    if error.code not in LATE or one.participant is None or by.user is None:
        return error
    keep_move(one.participant, section, by.user)
    return DomainError("move_waits", name=one.name, section=section.name)


def keep_move(entry: Participant, section: Section, user: User | None) -> None:
    """Let the move of an entry wait for an arbiter of the section. Until then it stays where it is."""
    same = LateMove.objects.filter(participant=entry, section=section, left_at=None)
    if same.exists():
        return
    values = {"section": section, "user": user, "at": timezone.now(), "left_by": None, "left_at": None}
    LateMove.objects.update_or_create(participant=entry, defaults=values)
    log_waiting(section, Actor(user, origin=REGISTRATION), 1)


def decide_move(*, section: Section, participant_id: int, accept: bool, by: By) -> None:
    """Move an entry for which an arbiter of the section has waited, or leave it where it is.

    Raises NotFound if it no longer waits; DomainError as `move_section` and `move_participant`.
    """
    with transaction_or_busy():
        move = moves_for_arbiter(section).filter(participant=participant_id).first()
        if move is None:
            raise NotFound("not_found", kind="participant", id=participant_id)
        if not accept:
            move.left_by, move.left_at = by.user, timezone.now()
            move.save(update_fields=["left_by", "left_at"])
            log_not_accepted(section, by.actor)
            return
        registration = Registration.objects.filter(participant=participant_id).first()
        if registration is not None:
            move_section(registration_id=registration.pk, section_id=section.pk, by=by, sure=True)
        else:
            move_participant(
                actor=by.actor,
                participant_id=participant_id,
                section_id=section.pk,
                asked=True,
                both=by.both,
            )
        LateMove.objects.filter(pk=move.pk).delete()


def _unfit_there(ones: Sequence[Registration], there: Places) -> dict[int, DomainError]:
    """Return who does not meet the limits of a section, and why."""
    missed = {one.pk: (one.name, list(misfits(one, there.limits))) for one in ones}
    return {
        key: DomainError("limits_to_confirm", name=name, section=there.section.name, problems=codes)
        for key, (name, codes) in missed.items()
        if codes
    }


def _refused_there(ones: Sequence[Registration], section: Section) -> dict[int, DomainError]:
    """Return who cannot come to a section, and why. Nobody comes to a hidden one, where nobody would look."""
    if section.taken_away:
        return {one.pk: DomainError("section_hidden", section=section.name) for one in ones}
    return known_there(ones, section)


def _placed(ones: Sequence[Registration], there: Places) -> tuple[list[Change], dict[int, DomainError]]:
    """Give the free places of a section in the order of these registrations. Return the changes, and who stays."""
    changes, full = [], {}
    for one in ones:
        former = to = State(one.state)
        placed = there.has_room
        if former == State.ACCEPTED and not placed:
            full[one.pk] = DomainError("section_full", section=there.section.name)
            continue
        if former == State.SUBMITTED:
            placed = there.has_room_for_form
        elif not placed:
            to = State.WAITING
        elif former == State.WAITING:
            to = State.PENDING
        columns = {
            "state": to.value,
            "takes_place": placed,
            "position": None,
            "parked": False,
            "deadline": one.deadline if to == former else None,
        }
        changes.append(Change(one, columns, fee_lines(one, there.limits, timezone.localdate(one.created_at))))
        there = there.with_one(to, placed=placed, fits=not any(misfits(one, there.limits)))
    return changes, full


def put_back(desk: Desk, moved: Mapping[Registration, Step], by: By) -> dict[int, DomainError]:
    """Undo moves between sections: the former section, state, place in the list and byes. Return who stays, and why.

    The caller has seen to it that a place is free for each who had one.
    """
    by_section: defaultdict[int, list[Change]] = defaultdict(list)
    for one, step in moved.items():
        before = dict(step.before)
        section, byes = before.pop("section"), [(number, kind) for number, kind in before.pop("byes")]
        price = before.pop("price", None)
        lines = price if price is None else [(kind, cents) for kind, cents in price]
        before["deadline"] = before["deadline"] and datetime.fromisoformat(before["deadline"])
        by_section[section].append(Change(one, before, lines, byes, undoing=True))
    refused: dict[int, DomainError] = {}
    for section_id, changes in by_section.items():
        there = desk.places(section_id)
        errors = _refused_there([each.one for each in changes], there.section)
        players = [
            each.one for each in changes if each.one.state == State.ACCEPTED and each.one.pk not in errors
        ]
        errors |= entries_follow(desk, players, there.section, by)
        _write(desk, [each for each in changes if each.one.pk not in errors], there, by)
        refused |= errors
    return refused


def _write(desk: Desk, changes: Sequence[Change], there: Places, by: By) -> None:
    """Write section and state, with the lines of history from which undo works, and the mails.

    The entries of accepted players are there already.
    """
    if not changes:
        return
    ones = [each.one for each in changes]
    dropped = _change_byes(changes, there)
    prices = change_prices([(each.one, each.price) for each in changes], by)
    known = set(
        Mail.objects.filter(registration__in=ones, state=Mail.State.SENT).values_list("registration", "kind")
    )
    kept = former_entries(ones, there.section)
    mails = defaultdict[str, list[Registration]](list)
    for each in changes:
        one, to = each.one, each.columns["state"]
        before = {
            **{name: getattr(one, name) for name in each.columns},
            "section": one.section_id,
            "deadline": one.deadline and one.deadline.isoformat(),
            "byes": dropped[one.pk],
            "price": prices[one.pk],
        }
        states = {"from_state": one.state, "to_state": to}
        desk.step(one, Step.Kind.SECTION, by, fields=["section"], before=before, **states)
        if one.takes_place:
            desk.freed.add(one.section_id)
        if one.state != State.ACCEPTED:
            one.participant = kept.get(one.pk)
        one.section = there.section
        for name, value in each.columns.items():
            setattr(one, name, value)
        if to != State.SUBMITTED and not (each.undoing and (one.pk, to) in known):
            mails[to].append(one)
    for one, problems in zip(ones, problems_of_many(ones, desk.form, there.limits), strict=True):
        one.problems = problems
    write_each(Registration, ones, (*COLUMNS, "revision"))
    queued = Mail.objects.filter(
        registration__in=[each.one for each in changes if each.undoing], state=Mail.State.QUEUED
    )
    queued.exclude(kind__in=OF_NO_STATE).update(state=Mail.State.DROPPED)
    for kind, players in mails.items():
        desk.mail_many(players, kind)
    asked = WishedBye.objects.filter(registration__in=ones, state=WishedBye.State.ASKED)
    with_byes = set(asked.values_list("registration", flat=True))
    for one in ones:
        if one.state == State.ACCEPTED and one.pk in with_byes:
            grant_byes(one, by)


def _change_byes(changes: Sequence[Change], there: Places) -> dict[int, list[tuple[int, str]]]:
    """Bring wishes back, and delete those for rounds that the section does not have. Return the deleted ones."""
    dropped: dict[int, list[tuple[int, str]]] = {each.one.pk: [] for each in changes}
    rows = WishedBye.objects.filter(registration__in=dropped, round_number__gt=there.section.rounds)
    for key, number, kind in rows.values_list("registration", "round_number", "kind"):
        dropped[key].append((number, kind))
    rows.delete()
    WishedBye.objects.bulk_create(
        [
            WishedBye(registration=each.one, round_number=number, kind=kind)
            for each in changes
            for number, kind in each.byes
        ],
        ignore_conflicts=True,
    )
    return dropped
