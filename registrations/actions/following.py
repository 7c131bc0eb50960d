"""The entries of accepted players go to another section, in front of their registrations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.db import transaction

from registrations.models import Registration, WishedBye
from tournaments.actions.ledger import steps_taken
from tournaments.actions.moved_entries import move_participant, move_participants
from tournaments.errors import DomainError
from tournaments.models import Participant, RatingSource, Section

from .desk import By, Desk
from .writing import enter_many, leave, leave_many, twins


class _Refused(Exception):
    """Ends an attempt to enter players together. errors: why some of them are refused, by their keys."""

    def __init__(self, errors: dict[int, DomainError]) -> None:
        super().__init__()
        self.errors = errors


def entries_follow(
    desk: Desk, ones: Sequence[Registration], section: Section, by: By
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
        refused |= _move(players, former, section, by)
    paired = [one for players in together.values() for one in players if _was_paired(refused, one)]
    refused = {key: error for key, error in refused.items() if error.code != "already_paired"}
    return refused | _enter_again(desk, [*again, *paired], section, kept, by)


def _was_paired(refused: dict[int, DomainError], one: Registration) -> bool:
    return one.pk in refused and refused[one.pk].code == "already_paired"


def _move(ones: Sequence[Registration], former: int, section: Section, by: By) -> dict[int, DomainError]:
    """Move entries of one section. Return who stays, and why."""
    if refused := twins(ones, section.pk, by):
        left = [one for one in ones if one.pk not in refused]
        return refused | (_move(left, former, section, by) if left else {})
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
    desk: Desk, ones: Sequence[Registration], section: Section, kept: dict[int, Participant], by: By
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
                if errors := enter_many(desk, left, by):
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
