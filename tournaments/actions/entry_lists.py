"""Import a list of entries: all rows or none. What a person chose for its columns is kept for the next such list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from base.text import one_line
from evenboard_engine import ByeKind
from tournaments.declarations.entries import IMPORT_ENTRIES, KEEP_FOR_ARBITER, LEAVE_LATE_PLAYER
from tournaments.entry_data import ImportRow
from tournaments.errors import ALREADY_ENTERED, IMPORT_REFUSED, DomainError, Refusal
from tournaments.hooks import keeps_for_arbiter
from tournaments.models import Bye, ColumnLayout, Participant, Player, Section, User
from tournaments.models.rounds import rounds_paired
from tournaments.queries.byes import ASK_FIRST, bye_warnings
from tournaments.queries.entries import also_entered
from tournaments.questions import Answer, ask

from .byes import ask_about_byes, refuse_bye
from .ledger import Actor, LogEntry, act, transaction_or_busy
from .roster import Roster, is_late_entry

# Refusals
TWO_SECTIONS_TO_CONFIRM = Refusal("two_sections_to_confirm", params=("names", "sections"))


MOST_SHAPES = 100
"""Kept for each person; the oldest ones go."""


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """The entries that the import added and changed. Entries that stayed the same are in neither."""

    added: tuple[Participant, ...]
    changed: tuple[Participant, ...]


def import_entries(
    *,
    actor: Actor,
    section_id: int,
    rows: Sequence[ImportRow],
    source: str = "",
    seen_revision: int | None = None,
    proceed: Answer = False,
    asked: Answer = False,
    both: Answer = False,
) -> ImportOutcome:
    """Add and change entries, with their half-point byes. source: the name of the file, for the log.

    Existing byes stay. Byes in rounds that are already paired are refused.
    proceed: as for `request_bye`. asked: as for `Roster.renumber`. both: as for `add_participant`.
    Raises DomainError, and nothing is written: import_refused with what is wrong with each row (rows from 1); unless
    `proceed`, byes_to_confirm; unless `asked`, numbers_to_confirm; unless `both`, two_sections_to_confirm.
    """
    with act(
        section_id=section_id,
        actor=actor,
        action=IMPORT_ENTRIES,
        seen_revision=seen_revision,
        with_event=True,
    ) as log:
        roster = Roster.load(log.section)
        work = _Import(roster)
        for number, row in enumerate(rows, start=1):
            work.take(number, row)
        work.raise_if_refused()
        elsewhere = also_entered(log.section, [participant.player for participant in work.added])
        refuse_two_sections(elsewhere, both=both)
        work.ask_about_byes(proceed)
        log.subject = one_line(source)
        roster.save(log, actor, asked=asked)
        work.save_byes()
        if not (work.added or work.changed or work.byes):
            log.unchanged = True
        log.before = {"entries": [[p.pk, before] for p, before, _ in work.changed]}
        log.after |= {
            "changed": [p.pk for p, _, _ in work.changed],
            "added": [[p.pk, p.tpn, p.player.name, p.rating] for p in work.added],
            "entries": [[p.pk, after] for p, _, after in work.changed],
            "byes": [[p.pk, round_number] for p, round_number in work.byes],
        }
        if elsewhere:
            log.after["also_in"] = [f"{name}: {section}" for name, section in elsewhere]
    return ImportOutcome(tuple(work.added), tuple(p for p, _, _ in work.changed))


def import_or_keep(
    *, actor: Actor, section: Section, rows: Sequence[ImportRow], **options: Any
) -> tuple[ImportOutcome, int]:
    """Import entries. Players who are new wait for an arbiter, if this person may not enter them any more.

    options: as for `import_entries`. Return also how many wait. Raises as `import_entries` and `keep_for_arbiter`.
    """
    if not is_late_entry(section, actor, rounds_paired(section)):
        return import_entries(actor=actor, section_id=section.pk, rows=rows, **options), 0
    new = [row for row in rows if row.participant_id is None]
    known = [row for row in rows if row.participant_id is not None]
    with transaction_or_busy():
        waiting = _keep(section, actor, new)
        outcome = ImportOutcome((), ())
        if known or not new:
            outcome = import_entries(actor=actor, section_id=section.pk, rows=known, **options)
        if waiting:  # last, because it raises the revision
            log_waiting(section, actor, waiting)
    return outcome, waiting


def keep_for_arbiter(section: Section, actor: Actor, rows: Sequence[ImportRow]) -> int:
    """Keep new players until an arbiter of the section decides about them. Return how many of them wait.

    Raises DomainError, such as registration_known.
    """
    with transaction_or_busy():
        waiting = _keep(section, actor, rows)
        if waiting:
            log_waiting(section, actor, waiting)
    return waiting


def _keep(section: Section, actor: Actor, rows: Sequence[ImportRow]) -> int:
    return sum(keep(section, actor.user, rows) for keep in keeps_for_arbiter) if rows else 0


def log_waiting(section: Section, actor: Actor, count: int) -> None:
    """Note in the log that new players wait for an arbiter, without their names. Open pages then show it."""
    with act(section_id=section.pk, actor=actor, action=KEEP_FOR_ARBITER) as log:
        log.after = {"count": count}


def log_not_accepted(section: Section, actor: Actor) -> None:
    """Note in the log that a player who waited was not accepted."""
    with act(section_id=section.pk, actor=actor, action=LEAVE_LATE_PLAYER, allow_closed=True):
        pass


def refuse_two_sections(elsewhere: Sequence[tuple[str, str]], *, both: Answer) -> None:
    """Raise DomainError("two_sections_to_confirm") for people of other sections, unless the arbiter has agreed.

    elsewhere: their names and sections.
    """
    if elsewhere:
        names, sections = (list(dict.fromkeys(column)) for column in zip(*elsewhere, strict=True))
        ask(TWO_SECTIONS_TO_CONFIRM.error(names=names, sections=sections), both)


def note_two_sections(entry: LogEntry, section: Section, people: Iterable[Player], *, both: Answer) -> None:
    """Note in the log who of these people also plays in another section. Raises DomainError as `refuse_two_sections`.

    In a section that is closed or hidden nobody plays.
    """
    if section.is_closed or section.taken_away:
        return
    elsewhere = also_entered(section, people)
    refuse_two_sections(elsewhere, both=both)
    if elsewhere:
        entry.after["also_in"] = [f"{name}: {other}" for name, other in elsewhere]


def ask_about_all(entry: LogEntry, section: Section, *, both: Answer) -> None:
    """Ask as `note_two_sections` about everybody who plays in the section."""
    active = section.participants.filter(status=Participant.Status.ACTIVE).select_related("player")
    note_two_sections(entry, section, [each.player for each in active], both=both)


class _Import:
    """Takes rows one by one into a roster, and collects the results."""

    def __init__(self, roster: Roster) -> None:
        self.added: list[Participant] = []
        self.changed: list[tuple[Participant, dict[str, Any], dict[str, Any]]] = []
        self.byes: list[tuple[Participant, int]] = []
        self._roster = roster
        self._problems: list[dict[str, Any]] = []
        self._seen: set[int] = set()
        section = roster.section
        standing = Bye.objects.filter(participant__section=section)
        found = list(standing.values_list("participant_id", "round_number", "kind"))
        self._standing = {(participant, number) for participant, number, _kind in found}
        self._half_byes = Counter(participant for participant, _number, kind in found if kind == ByeKind.HALF)

    def take(self, number: int, row: ImportRow) -> None:
        try:
            participant = self._enter(row) if row.participant_id is None else self._change(row)
            for round_number in sorted(set(row.byes)):
                if (participant.pk, round_number) not in self._standing:
                    refuse_bye(
                        participant, round_number, ByeKind.HALF, rounds_paired=self._roster.rounds_paired
                    )
                    self.byes.append((participant, round_number))
        except DomainError as error:
            name = one_line(row.entry.name)
            self._problems.append({"row": number, "name": name, "code": error.code, "params": error.params})

    def raise_if_refused(self) -> None:
        if self._problems:
            raise IMPORT_REFUSED.error(problems=self._problems)

    def ask_about_byes(self, proceed: Answer) -> None:
        """Raises DomainError("byes_to_confirm") where byes go beyond what the competition rules give."""
        section = self._roster.section
        given: Counter[int] = Counter()
        doubtful = []
        for participant, number in self.byes:
            had = given[id(participant)] + (self._half_byes[participant.pk] if participant.pk else 0)
            codes = [
                code for code in bye_warnings(participant, ByeKind.HALF, number, had=had) if code in ASK_FIRST
            ]
            given[id(participant)] += 1
            if codes:
                doubtful.append({"name": participant.player.name, "round": number, "warnings": codes})
        if doubtful:
            ask_about_byes(section, doubtful, proceed)

    def save_byes(self) -> None:
        Bye.objects.bulk_create(
            Bye(participant=participant, round_number=number, kind=ByeKind.HALF.value)
            for participant, number in self.byes
        )

    def _enter(self, row: ImportRow) -> Participant:
        participant = self._roster.enter(row.entry)
        self.added.append(participant)
        return participant

    def _change(self, row: ImportRow) -> Participant:
        assert row.participant_id is not None
        participant = self._roster.find(row.participant_id)
        if participant.pk in self._seen:
            raise ALREADY_ENTERED.error(name=participant.player.name)
        self._seen.add(participant.pk)
        entry = row.entry
        if entry.first_round == 1:  # a list does not say the first round
            entry = replace(entry, first_round=participant.first_round)
        before, after = self._roster.change(participant, entry)
        if after:
            self.changed.append((participant, before, after))
        return participant


def remember_layout(person: User, shape: str, layout: Mapping[str, str]) -> None:
    """Keep how the person read a list. Without a shape, nothing is kept."""
    if not shape:
        return
    values = {"layout": dict(layout), "used_at": timezone.now()}
    ColumnLayout.objects.update_or_create(person=person, shape=shape, defaults=values)
    kept = person.column_layouts.order_by("-used_at", "-pk").values_list("pk", flat=True)[:MOST_SHAPES]
    person.column_layouts.exclude(pk__in=list(kept)).delete()


def forget_layout(person: User, shape: str) -> None:
    person.column_layouts.filter(shape=shape).delete()


def layout_of(person: User, shape: str) -> dict[str, str]:
    """Return what the person chose for lists of this shape, by the names of the options. One query."""
    found = person.column_layouts.filter(shape=shape).first()
    return dict(found.layout) if found is not None else {}
