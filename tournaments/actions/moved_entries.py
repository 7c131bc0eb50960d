"""Move an entry that was not paired to another section of its event."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _

from base.text import folded
from evenboard_engine import ByeKind
from tournaments.declarations.entries import (
    MOVE_ENTRIES_AWAY,
    MOVE_ENTRIES_HERE,
    MOVE_ENTRY_AWAY,
    MOVE_ENTRY_HERE,
)
from tournaments.entry_data import EntryData
from tournaments.errors import ALREADY_WITHDRAWN, NOT_FOUND, REFUSALS, SAME_SECTION, DomainError, Refusal
from tournaments.hooks import keeps_move
from tournaments.models import Bye, Participant, Section
from tournaments.queries.byes import AFTER_LAST_BYE_ROUND, OVER_BYE_LIMIT, bye_warnings
from tournaments.queries.entries import also_entered
from tournaments.questions import Answer

from .entries import ask_person, paired_of, refuse_paired
from .entry_lists import refuse_two_sections
from .ledger import Actor, SectionEntry, act, section_of, transaction_or_busy
from .roster import Roster, entry_summary, follow_table, label_of_entry

# Refusals
REGISTRATION_MOVES = Refusal(
    "registration_moves",
    _(
        "%(name)s has a registration, which moves with the entry: choose the section on the page Registrations."
    ),
)


FIELDS = frozenset(EntryData.__dataclass_fields__)
Byes = Sequence[tuple[int, str, str]]


def move_participant(
    *,
    actor: Actor,
    participant_id: int,
    section_id: int,
    registered: bool = False,
    without: Collection[int] = (),
    asked: Answer = False,
    both: Answer = False,
) -> Participant:
    """Move an entry with its rating, note, and the byes that the other section allows.

    It is a step in both sections, and the row keeps its key. So the log of the former section names the other one if
    somebody undoes the first step without the second (docs/decisions/0024).
    registered: the caller moves the registration too. without: rounds whose byes do not come along. asked: as for
    `Roster.renumber`. both: as for `add_participant`.
    Raises NotFound; DomainError: already_paired, already_withdrawn, same_section, registration_moves, what
    `Roster.enter` raises; unless `asked`, numbers_to_confirm; unless `both`, two_sections_to_confirm.
    """
    with transaction_or_busy():
        former = section_of(participant_id)
        with act(section_id=former, actor=actor, action=MOVE_ENTRY_AWAY, with_event=True) as log:
            other = log.section.event.sections.filter(pk=section_id, taken_away=False).first()
            if other is None:
                raise NOT_FOUND.error(kind="section", id=section_id)
            entry, byes = _take_out(log, participant_id, other, registered=registered, asked=asked)
        with act(section_id=section_id, actor=actor, action=MOVE_ENTRY_HERE, with_event=True) as log:
            kept = [bye for bye in byes if bye[0] not in without]
            return _put_in(log, actor, entry, kept, asked=asked, both=both)


def move_or_keep(
    *, actor: Actor, participant_id: int, section_id: int, asked: Answer, both: Answer
) -> Participant | None:
    """Move an entry, or let the move wait for an arbiter of the section, if this person may not enter players there.

    Return the entry, None if the move waits. Raises as `move_participant`.
    """
    try:
        return move_participant(
            actor=actor, participant_id=participant_id, section_id=section_id, asked=asked, both=both
        )
    except DomainError as error:
        if error.code != "late_entry_by_arbiter" or not keeps_move:
            raise
    entry, section = Participant.objects.get(pk=participant_id), Section.objects.get(pk=section_id)
    for keep in keeps_move:
        keep(entry, section, actor.user)
    return None


def _take_out(
    log: SectionEntry, participant_id: int, other: Section, *, registered: bool, asked: Answer
) -> tuple[Participant, Byes]:
    """Delete the row, and keep its player. Return it as it was, with the byes as round, kind and source."""
    roster = Roster.load(log.section)
    entry = roster.find(participant_id)
    name = entry.player.name
    if other == log.section:
        raise SAME_SECTION.error(name=name, section=other.name)
    if not entry.is_active:
        raise ALREADY_WITHDRAWN.error(name=name)
    if not registered and Participant.objects.filter(pk=participant_id, registration__isnull=False).exists():
        raise REGISTRATION_MOVES.error(name=name)  # of the application above
    refuse_paired(entry, roster)
    byes = list(entry.byes.order_by("round_number").values_list("round_number", "kind", "source"))
    log.subject = label_of_entry(entry)
    log.before = {**entry_summary(entry), "byes": [[number, kind] for number, kind, _source in byes]}
    log.after = {"section": other.name}
    roster.discard(entry, keeps_player=True)
    roster.renumber(log, asked=asked)
    follow_table(log)
    entry.pk = participant_id
    return entry, byes


def _put_in(
    log: SectionEntry, actor: Actor, former: Participant, byes: Byes, *, asked: Answer, both: Answer
) -> Participant:
    roster = Roster.load(log.section)
    entry = _entered(roster, former)
    ask_person(roster, entry, both)
    elsewhere = also_entered(log.section, [entry.player])
    refuse_two_sections(elsewhere, both=both)
    roster.save(log, actor, asked=asked)
    brought, dropped = _bring_byes({entry: byes})[entry.pk]
    log.subject = label_of_entry(entry)
    log.after = {
        **entry_summary(entry),
        **log.after,
        "byes": brought,
        "dropped": dropped,
        "section": former.section.name,
    }
    if elsewhere:
        log.after["also_in"] = [section for _name, section in elsewhere]
    return entry


def _entered(roster: Roster, former: Participant) -> Participant:
    """Enter the player of another section, with everything but the byes."""
    values: dict[str, Any] = {name: value for name, value in entry_summary(former).items() if name in FIELDS}
    entry = roster.enter(EntryData(**{**values, "first_round": 1}), moved=former)
    entry.half_bye_allowed, entry.created_at = former.half_bye_allowed, former.created_at
    return entry


def _bring_byes(entries: Mapping[Participant, Byes]) -> dict[int, tuple[list[list[Any]], list[list[Any]]]]:
    """Give the byes that the section allows. Return round and kind of those that it gave, and of the others."""
    rows, found = [], {}
    for entry, byes in entries.items():
        kept = list(_allowed(entry, byes))
        rows += [
            Bye(participant=entry, round_number=number, kind=kind, source=source)
            for number, kind, source in kept
        ]
        numbers = {bye[0] for bye in kept}
        dropped = [[number, kind] for number, kind, _source in byes if number not in numbers]
        found[entry.pk] = [[number, kind] for number, kind, _source in kept], dropped
    Bye.objects.bulk_create(rows)
    return found


def _allowed(entry: Participant, byes: Byes) -> Iterator[tuple[int, str, str]]:
    """Yield the byes of rounds that the section pairs for this player, as far as its limits give them."""
    section, halves = entry.section, 0
    for number, kind, source in byes:
        if section.fixed_rounds or not entry.first_round <= number <= section.rounds:
            continue
        if {OVER_BYE_LIMIT, AFTER_LAST_BYE_ROUND} & set(bye_warnings(entry, kind, number, had=halves)):
            continue
        halves += kind == ByeKind.HALF
        yield number, kind, source


class _Stay(Exception):
    """Ends an attempt to move entries together. errors: why some of them stay, by their keys."""

    def __init__(self, errors: dict[int, DomainError]) -> None:
        super().__init__()
        self.errors = errors


def move_participants(
    *,
    actor: Actor,
    from_section_id: int,
    section_id: int,
    entries: Mapping[int, Collection[int]],
    registered: bool = False,
    asked: Answer = False,
    both: Answer = False,
) -> tuple[dict[int, Participant], dict[int, DomainError]]:
    """Move entries of one section as `move_participant` does, in one step of each section.

    entries: keys, with the rounds whose byes do not come along. Return who moved, and why the others stay.
    Raises NotFound; Busy; DomainError: section_closed; unless `asked`, numbers_to_confirm.
    """
    refused: dict[int, DomainError] = {}
    while going := {key: without for key, without in entries.items() if key not in refused}:
        try:
            with transaction_or_busy():
                with act(
                    section_id=from_section_id, actor=actor, action=MOVE_ENTRIES_AWAY, with_event=True
                ) as log:
                    other = log.section.event.sections.filter(pk=section_id, taken_away=False).first()
                    if other is None or other == log.section:
                        raise NOT_FOUND.error(kind="section", id=section_id)
                    leaving = _take_many_out(log, going, other, registered=registered, asked=asked)
                with act(
                    section_id=section_id, actor=actor, action=MOVE_ENTRIES_HERE, with_event=True
                ) as log:
                    return _put_many_in(log, actor, leaving, asked=asked, both=both), refused
        except _Stay as stay:  # what was done is rolled back, and the others are tried again
            refused |= stay.errors
    return {}, refused


def _take_many_out(
    log: SectionEntry, keys: Mapping[int, Collection[int]], other: Section, *, registered: bool, asked: Answer
) -> dict[Participant, Byes]:
    """Delete the rows, and keep their players. Return them as they were, with the byes that come along."""
    roster = Roster.load(log.section)
    leaving = [each for each in roster.participants if each.pk in keys]
    paired = paired_of(leaving, roster)
    of_registration = Participant.objects.filter(pk__in=keys, registration__isnull=False)
    bound = set() if registered else set(of_registration.values_list("pk", flat=True))
    errors: dict[int, DomainError] = {
        key: NOT_FOUND.error(kind="participant", id=key) for key in set(keys) - {e.pk for e in leaving}
    }
    for each in leaving:
        code = "" if each.is_active else "already_withdrawn"
        code = code or (
            "registration_moves" if each.pk in bound else "already_paired" if each.pk in paired else ""
        )
        if code:
            errors[each.pk] = REFUSALS[code].error(name=each.player.name)
    if errors:
        raise _Stay(errors)
    byes: dict[int, list[tuple[int, str, str]]] = {each.pk: [] for each in leaving}
    of_leaving = Bye.objects.filter(participant__in=leaving).order_by("round_number")
    for bye in of_leaving:
        byes[bye.participant_id].append((bye.round_number, bye.kind, bye.source))
    log.before = {
        "entries": [
            [
                each.pk,
                {**entry_summary(each), "byes": [[number, kind] for number, kind, _source in byes[each.pk]]},
            ]
            for each in leaving
        ]
    }
    log.after = {"section": other.name}
    roster.discard_many(leaving, keeps_players=True)
    roster.renumber(log, asked=asked)
    follow_table(log)
    return {each: [bye for bye in byes[each.pk] if bye[0] not in keys[each.pk]] for each in leaving}


def _put_many_in(
    log: SectionEntry, actor: Actor, leaving: Mapping[Participant, Byes], *, asked: Answer, both: Answer
) -> dict[int, Participant]:
    roster = Roster.load(log.section)
    errors: dict[int, DomainError] = {}
    entered: dict[Participant, Byes] = {}
    for former, byes in leaving.items():
        try:
            entered[_entered(roster, former)] = byes
        except DomainError as error:
            errors[former.pk] = error
    elsewhere = also_entered(log.section, [entry.player for entry in entered])
    try:
        refuse_two_sections(elsewhere, both=both)
    except DomainError as error:
        twice = {folded(name) for name, _section in elsewhere}
        found = [entry.pk for entry in entered if folded(entry.player.name) in twice]
        errors |= dict.fromkeys(found or [entry.pk for entry in entered], error)
    if errors:
        raise _Stay(errors)
    roster.save(log, actor, asked=asked)
    brought = _bring_byes(entered)
    log.after |= {
        "entries": [
            [
                entry.pk,
                {**entry_summary(entry), "byes": brought[entry.pk][0], "dropped": brought[entry.pk][1]},
            ]
            for entry in entered
        ],
        "section": next(iter(leaving)).section.name,
    }
    if elsewhere:
        log.after["also_in"] = [f"{name}: {section}" for name, section in elsewhere]
    return {entry.pk: entry for entry in entered}
