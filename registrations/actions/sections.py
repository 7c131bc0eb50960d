"""Move registrations to another section of the event, and back; the entries of accepted players go first.

Many are written with few queries, as one is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import ngettext_lazy

from registrations.models import HistoryLine, LateMove, Mail, Registration, SectionRegistration, WishedBye
from registrations.models.mail import OF_NO_STATE
from registrations.queries.places import SectionPlaces, moves_for_arbiter
from registrations.queries.problems import fee_lines, misfits, problems_of_many
from registrations.refusals import REGISTRATION_CHANGED, REGISTRATION_OVER, SECTION_FULL, SECTION_HIDDEN
from registrations.states import LIVE, RegistrationState
from tournaments.actions.entry_lists import log_not_accepted, log_waiting
from tournaments.actions.ledger import Actor, steps_taken, transaction_or_busy
from tournaments.actions.moved_entries import move_participant, move_participants
from tournaments.errors import MOVE_WAITS, NOT_FOUND, SAME_SECTION, DomainError, Refusal
from tournaments.models import Participant, RatingSource, Round, Section, User
from tournaments.models.journal import write_each
from tournaments.models.log import REGISTRATION
from tournaments.questions import Answer, says_yes

from .event_lock import EventLock, RegistrationActor, event_lock, event_of
from .money import change_prices
from .requested_byes import grant_byes
from .state_changes import enter_many, known_there, leave, leave_many, twins
from .transitions import ManyMoved

# Refusals
SECTION_HAS_REGISTRATIONS = Refusal(
    "section_has_registrations",
    ngettext_lazy(
        "%(count)s registration is in this section. Move it to another section or withdraw it, so that the player "
        "gets a mail. Then hide the section.",
        "%(count)s registrations are in this section. Move them to another section or withdraw them, so that the "
        "players get a mail. Then hide the section.",
        "count",
    ),
    ("count",),
)
LIMITS_TO_CONFIRM = Refusal("limits_to_confirm", params=("name", "section", "problems"))


# The entries of accepted players go to another section, in front of their registrations.


class _Refused(Exception):
    """Ends an attempt to enter players together. errors: why some of them are refused, by their keys."""

    def __init__(self, errors: dict[int, DomainError]) -> None:
        super().__init__()
        self.errors = errors


def entries_follow(
    lock: EventLock, ones: Sequence[Registration], section: Section, by: RegistrationActor
) -> dict[int, DomainError]:
    """Move the entries of accepted players with what arbiters have written there. Return who stays, and why.

    An entry that was paired stays, and one whose rating depends on the section is made again. Byes that were asked for
    in the form are asked for again, for the rules of the other section. The registrations are not written.
    """
    kept = former_entries(ones, section)
    again: list[Registration] = []
    together: defaultdict[int, list[Registration]] = defaultdict(list)
    for one in ones:
        entry = one.participant
        whole = entry is not None and entry.is_active and one.pk not in kept
        rated = entry is not None and entry.rating and entry.rating_source != RatingSource.PROVISIONAL
        if whole and rated:
            together[one.section_id].append(one)
        else:
            again.append(one)
    refused: dict[int, DomainError] = {}
    for former, players in together.items():
        refused |= _following_move(players, former, section, by)
    paired = [one for players in together.values() for one in players if _was_paired(refused, one)]
    refused = {key: error for key, error in refused.items() if error.code != "already_paired"}
    return refused | _enter_again(lock, [*again, *paired], section, kept, by)


def _was_paired(refused: dict[int, DomainError], one: Registration) -> bool:
    return one.pk in refused and refused[one.pk].code == "already_paired"


def _following_move(
    ones: Sequence[Registration], former: int, section: Section, by: RegistrationActor
) -> dict[int, DomainError]:
    """Move entries of one section. Return who stays, and why."""
    if refused := twins(ones, section.pk, by):
        left = [one for one in ones if one.pk not in refused]
        return refused | (_following_move(left, former, section, by) if left else {})
    granted = WishedBye.objects.filter(registration__in=ones, state=WishedBye.State.GRANTED)
    without: dict[int, list[int]] = {one.participant_id or 0: [] for one in ones}
    for key, number in granted.values_list("registration__participant", "round_number"):
        without[key].append(number)
    of_entry = {one.participant_id or 0: one for one in ones}
    errors: dict[int, DomainError] = {}
    moved: dict[int, Participant] = {}
    try:
        with steps_taken(), transaction.atomic():
            if len(ones) == 1:
                [(key, rounds)] = without.items()
                moved[key] = move_participant(
                    actor=by.actor,
                    participant_id=key,
                    section_id=section.pk,
                    registered=True,
                    without=rounds,
                    asked=True,
                    both=by.both,
                )
            else:
                moved, errors = move_participants(
                    actor=by.actor,
                    from_section_id=former,
                    section_id=section.pk,
                    entries=without,
                    registered=True,
                    asked=True,
                    both=by.both,
                )
    except DomainError as error:
        return {one.pk: error for one in ones}
    for key, entry in moved.items():
        of_entry[key].participant = entry
    granted.filter(registration__in=[of_entry[key] for key in moved]).update(state=WishedBye.State.ASKED)
    return {of_entry[key].pk: error for key, error in errors.items()}


def _enter_again(
    lock: EventLock,
    ones: Sequence[Registration],
    section: Section,
    kept: dict[int, Participant],
    by: RegistrationActor,
) -> dict[int, DomainError]:
    """Remove entries, withdraw those who were paired, and enter the players there. Return who stays, and why."""
    refused: dict[int, DomainError] = {}
    while left := [one for one in ones if one.pk not in refused]:
        former = [(one, one.section, one.participant) for one in left]
        try:
            with transaction.atomic():
                leave_many(left, by)
                for one in left:
                    leave(one, by)  # paired, so the entry stays
                    one.section, one.participant = section, kept.get(one.pk)
                if errors := enter_many(lock, left, by):
                    raise _Refused(errors)
        except _Refused as stay:  # what was done is rolled back, and the others are tried again
            refused |= stay.errors
            for one, _section, entry in former:
                one.participant = entry
        finally:
            for one, of_registration, _entry in former:
                one.section = of_registration
        if not refused.keys() & {one.pk for one in left}:
            break
    return refused


def former_entries(ones: Sequence[Registration], section: Section) -> dict[int, Participant]:
    """Return the entries that players left behind in a section, after playing there, by the key of the registration."""
    left = Participant.objects.filter(
        section=section, status=Participant.Status.WITHDRAWN, registration=None
    ).select_related("player")
    people = {
        (entry.player.name, entry.player.fide_id, entry.player.birth_date): entry
        for entry in left.order_by("-pk")
    }
    found = {one.pk: people.get((one.name, one.fide_id, one.birth_date)) for one in ones}
    return {key: entry for key, entry in found.items() if entry is not None}


# Move registrations to another section of the event, and back. Many are written with few queries, as one is.

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
class SectionChange:
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
    *, registration_id: int, section_id: int, by: RegistrationActor, sure: Answer = False
) -> Registration:
    """Move a registration to another section of the event. Without a free place there it waits, with its own time.

    An accepted player does not lose the place: the registration stays where it is. A paired player leaves a withdrawn
    entry in the former section. Nothing happens to one that is there already, or is over. The player of somebody who is
    no arbiter there stays too, if round 1 there is paired, until an arbiter agrees (`decide_move`).
    sure: also where the limits of the section are not met.
    Raises NotFound; DomainError("section_full") for an accepted player without a free place; unless `sure`,
    limits_to_confirm; and what making or removing the entry raises.
    """
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id, None)
        if one.section_id != section_id and one.is_live:
            for error in _sections_move(lock, [one], section_id, by, sure=sure).values():
                if error.code != "move_waits":
                    raise error
    return one


def move_many_to(
    *,
    event_id: int,
    wanted: Sequence[tuple[int, int]],
    section_id: int,
    by: RegistrationActor,
    sure: Answer = False,
) -> ManyMoved:
    """Move registrations to a section, as `move_section`, in one transaction.

    wanted: keys and the revisions that were seen. One that is refused stays, with its reason, and so does one that is
    there already or is over, and one that waits for an arbiter (move_waits). Raises NotFound; Busy.
    """
    outcome = ManyMoved()
    with event_lock(event_id) as lock:
        seen, going = dict(wanted), []
        for one in lock.many(seen):
            if one.revision != seen[one.pk]:
                error: DomainError = REGISTRATION_CHANGED.error(name=one.name)
            elif one.state not in LIVE:
                error = REGISTRATION_OVER.error(name=one.name)
            elif one.section_id == section_id:
                error = SAME_SECTION.error(name=one.name, section=one.section.name)
            else:
                going.append(one)
                continue
            outcome.left.append((one, error))
        refused = _sections_move(lock, going, section_id, by, sure=sure)
        outcome.left += [(one, refused[one.pk]) for one in going if one.pk in refused]
        outcome.moved += [one for one in going if one.pk not in refused]
    return outcome


def keep_rating_limit(section: Section, lowest: int | None, highest: int | None) -> None:
    """Keep the rating limit of a new section. It takes no registrations until an organiser says so."""
    SectionRegistration.objects.create(section=section, open=False, rating_from=lowest, rating_to=highest)


def refuse_hiding(section: Section) -> None:
    """Raises DomainError("section_has_registrations") if people are registered for a section that nobody has paired.

    They would get no word. They go to another section, or are withdrawn.
    """
    count = Registration.objects.filter(section=section, state__in=LIVE).count()
    if count and not Round.objects.filter(section=section).exists():
        raise SECTION_HAS_REGISTRATIONS.error(count=count)


def _sections_move(
    lock: EventLock, ones: Sequence[Registration], section_id: int, by: RegistrationActor, *, sure: Answer
) -> dict[int, DomainError]:
    """Move those who get a place, or wait. Return why the others stay: each leaves its place to those behind it."""
    there = lock.places(section_id)
    unfit = _unfit_there(ones, there)
    refused = {key: question for key, question in unfit.items() if not says_yes(sure, question)}
    refused |= _refused_there(ones, there.section)
    entered: set[int] = set()
    while True:
        changes, full = _placed([one for one in ones if one.pk not in refused], there)
        players = [
            each
            for each in changes
            if each.one.state == RegistrationState.ACCEPTED and each.one.pk not in entered
        ]
        errors = entries_follow(lock, [each.one for each in players], there.section, by)
        entered |= {each.one.pk for each in players} - set(errors)
        if not errors:
            _write(lock, changes, there, by)
            return refused | full
        refused |= {key: _kept(ones, key, there.section, error, by) for key, error in errors.items()}


def _kept(
    ones: Sequence[Registration], key: int, section: Section, error: DomainError, by: RegistrationActor
) -> DomainError:
    """Let a player whom an arbiter must enter wait for one. Return why the player stays for now."""
    one = next(each for each in ones if each.pk == key)
    if error.code not in LATE or one.participant is None or by.user is None:
        return error
    keep_move(one.participant, section, by.user)
    return MOVE_WAITS.error(name=one.name, section=section.name)


def keep_move(entry: Participant, section: Section, user: User | None) -> None:
    """Let the move of an entry wait for an arbiter of the section. Until then it stays where it is."""
    same = LateMove.objects.filter(participant=entry, section=section, left_at=None)
    if same.exists():
        return
    values = {"section": section, "user": user, "at": timezone.now(), "left_by": None, "left_at": None}
    LateMove.objects.update_or_create(participant=entry, defaults=values)
    log_waiting(section, Actor(user, origin=REGISTRATION), 1)


def decide_move(*, section: Section, participant_id: int, accept: bool, by: RegistrationActor) -> LateMove:
    """Move an entry for which an arbiter of the section has waited, or leave it where it is. Return who waited.

    Raises NotFound if it no longer waits; DomainError as `move_section` and `move_participant`.
    """
    with transaction_or_busy():
        move = moves_for_arbiter(section).filter(participant=participant_id).first()
        if move is None:
            raise NOT_FOUND.error(kind="participant", id=participant_id)
        if not accept:
            move.left_by, move.left_at = by.user, timezone.now()
            move.save(update_fields=["left_by", "left_at"])
            log_not_accepted(section, by.actor)
            return move
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
    return move


def _unfit_there(ones: Sequence[Registration], there: SectionPlaces) -> dict[int, DomainError]:
    """Return who does not meet the limits of a section, and why."""
    missed = {one.pk: (one.name, list(misfits(one, there.limits))) for one in ones}
    return {
        key: LIMITS_TO_CONFIRM.error(name=name, section=there.section.name, problems=codes)
        for key, (name, codes) in missed.items()
        if codes
    }


def _refused_there(ones: Sequence[Registration], section: Section) -> dict[int, DomainError]:
    """Return who cannot come to a section, and why. Nobody comes to a hidden one, where nobody would look."""
    if section.taken_away:
        return {one.pk: SECTION_HIDDEN.error(section=section.name) for one in ones}
    return known_there(ones, section)


def _placed(
    ones: Sequence[Registration], there: SectionPlaces
) -> tuple[list[SectionChange], dict[int, DomainError]]:
    """Give the free places of a section in the order of these registrations. Return the changes, and who stays."""
    changes, full = [], {}
    for one in ones:
        former = to = RegistrationState(one.state)
        placed = there.has_room
        if former == RegistrationState.ACCEPTED and not placed:
            full[one.pk] = SECTION_FULL.error(section=there.section.name)
            continue
        if former == RegistrationState.SUBMITTED:
            placed = there.has_room_for_form
        elif not placed:
            to = RegistrationState.WAITING
        elif former == RegistrationState.WAITING:
            to = RegistrationState.PENDING
        columns = {
            "state": to.value,
            "takes_place": placed,
            "position": None,
            "parked": False,
            "deadline": one.deadline if to == former else None,
        }
        changes.append(
            SectionChange(one, columns, fee_lines(one, there.limits, timezone.localdate(one.created_at)))
        )
        there = there.with_one(to, placed=placed, fits=not any(misfits(one, there.limits)))
    return changes, full


def put_back(
    lock: EventLock, moved: Mapping[Registration, HistoryLine], by: RegistrationActor
) -> dict[int, DomainError]:
    """Undo moves between sections: the former section, state, place in the list and byes. Return who stays, and why.

    The caller has seen to it that a place is free for each who had one.
    """
    by_section: defaultdict[int, list[SectionChange]] = defaultdict(list)
    for one, step in moved.items():
        before = dict(step.before)
        section, byes = before.pop("section"), [(number, kind) for number, kind in before.pop("byes")]
        price = before.pop("price", None)
        lines = price if price is None else [(kind, cents) for kind, cents in price]
        before["deadline"] = before["deadline"] and datetime.fromisoformat(before["deadline"])
        by_section[section].append(SectionChange(one, before, lines, byes, undoing=True))
    refused: dict[int, DomainError] = {}
    for section_id, changes in by_section.items():
        there = lock.places(section_id)
        errors = _refused_there([each.one for each in changes], there.section)
        players = [
            each.one
            for each in changes
            if each.one.state == RegistrationState.ACCEPTED and each.one.pk not in errors
        ]
        errors |= entries_follow(lock, players, there.section, by)
        _write(lock, [each for each in changes if each.one.pk not in errors], there, by)
        refused |= errors
    return refused


def _write(
    lock: EventLock, changes: Sequence[SectionChange], there: SectionPlaces, by: RegistrationActor
) -> None:
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
        lock.step(one, HistoryLine.Kind.SECTION, by, fields=["section"], before=before, **states)
        if one.takes_place:
            lock.freed.add(one.section_id)
        if one.state != RegistrationState.ACCEPTED:
            one.participant = kept.get(one.pk)
        one.section = there.section
        for name, value in each.columns.items():
            setattr(one, name, value)
        if to != RegistrationState.SUBMITTED and not (each.undoing and (one.pk, to) in known):
            mails[to].append(one)
    for one, problems in zip(ones, problems_of_many(ones, lock.form, there.limits), strict=True):
        one.problems = problems
    write_each(Registration, ones, (*COLUMNS, "revision"))
    queued = Mail.objects.filter(
        registration__in=[each.one for each in changes if each.undoing], state=Mail.State.QUEUED
    )
    queued.exclude(kind__in=OF_NO_STATE).update(state=Mail.State.DROPPED)
    for kind, players in mails.items():
        lock.mail_many(players, kind)
    asked = WishedBye.objects.filter(registration__in=ones, state=WishedBye.State.ASKED)
    with_byes = set(asked.values_list("registration", flat=True))
    for one in ones:
        if one.state == RegistrationState.ACCEPTED and one.pk in with_byes:
            grant_byes(one, by)


def _change_byes(changes: Sequence[SectionChange], there: SectionPlaces) -> dict[int, list[tuple[int, str]]]:
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
