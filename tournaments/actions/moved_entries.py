"""Move an entry that was not paired to another section of its event."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from pairing.engine import ByeKind
from tournaments.entry_data import EntryData
from tournaments.errors import DomainError, NotFound
from tournaments.models import Bye, Participant, Section
from tournaments.queries.bye_limits import AFTER_LAST_BYE_ROUND, OVER_BYE_LIMIT, bye_warnings
from tournaments.queries.elsewhere import also_entered

from .entries import refuse_paired
from .entry_import import refuse_two_sections
from .found import section_of
from .ledger import Actor, SectionEntry, act, transaction_or_busy
from .numbers import follow_table
from .roster import Roster, label, summary

FIELDS = frozenset(EntryData.__dataclass_fields__)
Byes = Sequence[tuple[int, str, str]]


def move_participant(
    *,
    actor: Actor,
    participant_id: int,
    section_id: int,
    registered: bool = False,
    without: Collection[int] = (),
    asked: bool = False,
    both: bool = False,
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
        with act(section_id=former, actor=actor, action="move_entry_away", with_event=True) as log:
            other = log.section.event.sections.filter(pk=section_id, taken_away=False).first()
            if other is None:
                raise NotFound("not_found", kind="section", id=section_id)
            entry, byes = _take_out(log, participant_id, other, registered=registered, asked=asked)
        with act(section_id=section_id, actor=actor, action="move_entry_here", with_event=True) as log:
            kept = [bye for bye in byes if bye[0] not in without]
            return _put_in(log, actor, entry, kept, asked=asked, both=both)


def _take_out(
    log: SectionEntry, participant_id: int, other: Section, *, registered: bool, asked: bool
) -> tuple[Participant, Byes]:
    """Delete the row, and keep its player. Return it as it was, with the byes as round, kind and source."""
    roster = Roster.load(log.section)
    entry = roster.find(participant_id)
    name = entry.player.name
    if other == log.section:
        raise DomainError("same_section", name=name, section=other.name)
    if not entry.is_active:
        raise DomainError("already_withdrawn", name=name)
    if not registered and Participant.objects.filter(pk=participant_id, registration__isnull=False).exists():
        raise DomainError("registration_moves", name=name)  # of the application above
    refuse_paired(entry, roster)
    byes = list(entry.byes.order_by("round_number").values_list("round_number", "kind", "source"))
    log.subject = label(entry)
    log.before = {**summary(entry), "byes": [[number, kind] for number, kind, _source in byes]}
    log.after = {"section": other.name}
    roster.discard(entry, keeps_player=True)
    roster.renumber(log, asked=asked)
    follow_table(log)
    entry.pk = participant_id
    return entry, byes


def _put_in(
    log: SectionEntry, actor: Actor, former: Participant, byes: Byes, *, asked: bool, both: bool
) -> Participant:
    values: dict[str, Any] = {name: value for name, value in summary(former).items() if name in FIELDS}
    data = EntryData(**{**values, "first_round": 1})
    roster = Roster.load(log.section)
    entry = roster.enter(data, moved=former)
    entry.half_bye_allowed, entry.created_at = former.half_bye_allowed, former.created_at
    elsewhere = also_entered(log.section, [entry.player])
    refuse_two_sections(elsewhere, both=both)
    roster.save(log, actor, asked=asked)
    kept = list(_allowed(entry, byes))
    Bye.objects.bulk_create(
        Bye(participant=entry, round_number=number, kind=kind, source=source) for number, kind, source in kept
    )
    log.subject = label(entry)
    log.after = {
        **summary(entry),
        **log.after,
        "byes": [[number, kind] for number, kind, _source in kept],
        "dropped": [
            [number, kind] for number, kind, _source in byes if number not in {bye[0] for bye in kept}
        ],
        "section": former.section.name,
    }
    if elsewhere:
        log.after["also_in"] = [section for _name, section in elsewhere]
    return entry


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
