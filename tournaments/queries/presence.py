"""Who is in the hall before the next round, and who is not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Q

from base.text import alphabetical
from evenboard_engine import ByeKind
from tournaments.declarations.presence import LATE_CHECK_IN, OPEN_CHECK_IN
from tournaments.models import CheckIn, Section, User
from tournaments.models.log import REGISTRATION

from .byes import too_many_half_byes
from .field import PlayerCell, SectionField
from .log import LogRow, log_rows_of, undone_in
from .row_cache import entries_and_byes


@dataclass(frozen=True, slots=True)
class Presence:
    """Check-in for one round. open: it is open now. here: how many of those who would play were seen. missing: the
    others, by pairing number, while it is open; unmarked: the others after it was closed, or before round 1 if nobody
    was asked. last_at: when the last player was seen.
    """

    round_number: int
    open: bool
    here: int
    missing: tuple[PlayerCell, ...]
    unmarked: tuple[PlayerCell, ...]
    last_at: datetime | None

    @property
    def asked(self) -> bool:
        """Whether there was a check-in."""
        return self.open or self.last_at is not None

    @property
    def expected(self) -> int:
        return self.here + len(self.missing)


@dataclass(frozen=True, slots=True)
class PresenceRow:
    """One entry in the check-in list. here: the player was seen, at what time and by whom. bye: in this round. half:
    whether a half-point bye can be given: "" for yes, "refused", or "ask" if it must be confirmed. shown_name: the name
    for the reader of what is made now.
    """

    participant_id: int
    tpn: int | None
    name: str
    title: str
    federation: str
    rating: int
    club: str
    here: bool
    at: datetime | None
    by: str
    bye: ByeKind | None
    half: str
    shown_name: str


@dataclass(frozen=True)
class PresenceList:
    """Everybody who would play or has a bye in the round, by plain letters of the name: people look without accents."""

    round_number: int
    open: bool
    rows: tuple[PresenceRow, ...]

    @cached_property
    def missing(self) -> tuple[PresenceRow, ...]:
        return tuple(row for row in self.rows if not row.here and row.bye is None)

    @cached_property
    def here(self) -> int:
        return sum(row.here and row.bye is None for row in self.rows)

    @property
    def expected(self) -> int:
        return self.here + len(self.missing)

    @property
    def mostly_here(self) -> bool:
        """Whether more players are here than missing. Until then the missing are late rather than absent."""
        return self.here > len(self.missing)


def presence_list(section: Section, round_number: int) -> PresenceList:
    """Four queries, or some more that are short for a large section."""
    entries, section_byes = entries_and_byes(section)
    marks = CheckIn.objects.filter(participant__section=section, round_number=round_number)
    seen = {key: (at, by) for key, at, by in marks.values_list("participant_id", "at", "by_id")}
    markers = {by for _at, by in seen.values() if by is not None}
    labels = {user.pk: user.label for user in User.objects.filter(pk__in=markers)} if markers else {}
    byes: dict[int, ByeKind] = {}
    halves: Counter[int] = Counter()
    for bye in section_byes:
        if bye.round_number == round_number:
            byes[bye.participant_id] = ByeKind(bye.kind)
        halves[bye.participant_id] += bye.kind == ByeKind.HALF
    late = section.last_bye_round is not None and round_number > section.last_bye_round
    expected = [entry for entry in entries if entry.is_active and entry.first_round <= round_number]
    expected.sort(key=lambda entry: (alphabetical(entry.player.name), entry.player.name, entry.tpn or 0))
    rows = []
    for entry in expected:
        at, by = seen.get(entry.pk, (None, None))
        had = halves[entry.pk]
        asks = had or late or too_many_half_byes(section, had + 1)
        rows.append(
            PresenceRow(
                participant_id=entry.pk,
                tpn=entry.tpn,
                name=entry.player.name,
                title=entry.player.title,
                federation=entry.player.federation,
                rating=entry.rating,
                club=entry.club,
                here=at is not None,
                at=at,
                by=labels.get(by, "") if by is not None else "",
                bye=byes.get(entry.pk),
                half="refused" if not entry.half_bye_allowed else "ask" if asks else "",
                shown_name=entry.shown_name,
            )
        )
    return PresenceList(
        round_number=round_number, open=section.check_in_round == round_number, rows=tuple(rows)
    )


def replaced_marks(section: Section, people: PresenceList) -> list[LogRow]:
    """Return the late marks that replaced the mark of somebody else and still count, newest first.

    A mark no longer counts if it was undone, or if the player was marked again or has a bye since. One query, and at
    most six more if there are such marks.
    """
    marks = section.log.filter(round_number=people.round_number, after__has_key="here").order_by("pk")
    late = marks.filter(action=LATE_CHECK_IN.name, after__has_key="instead_of")
    found = {after["participant"]: revision for revision, after in late.values_list("revision", "after")}
    if not found or not people.open:
        return []
    undone = undone_in(section.pk)
    of_them = marks.filter(after__participant__in=list(found)).values_list("revision", "after")
    last = {
        after["participant"]: (revision, after["here"])
        for revision, after in of_them
        if revision not in undone
    }
    asked = {row.participant_id: row.here for row in people.rows if row.bye is None}
    standing = [
        revision
        for key, revision in found.items()
        if key in asked and last.get(key) == (revision, asked[key])
    ]
    return log_rows_of(section, standing)


def uses_check_in(section: Section) -> bool:
    """Return whether players of a section that is not paired are to be seen before: the check-in was opened before, or
    they have registered and come to a desk. One query.
    """
    if section.fixed_rounds:
        return False
    return section.log.filter(Q(action=OPEN_CHECK_IN.name) | Q(origin=REGISTRATION)).exists()


def presence(field: SectionField, round_number: int) -> Presence:
    """Count who is here for a round. Before the check-in is opened nobody is missing.

    One query, and another one before round 1 while nobody is marked.
    """
    section = field.section
    seen = dict(
        CheckIn.objects.filter(participant__section=section, round_number=round_number).values_list(
            "participant", "at"
        )
    )
    away = {bye.participant_id for bye in field.byes if bye.round_number == round_number}
    expected = [
        key
        for key, entry in field.participants.items()
        if entry.is_active and entry.first_round <= round_number and key not in away
    ]
    is_open = section.check_in_round == round_number
    counts = is_open or seen or (round_number == 1 and not field.rounds and uses_check_in(section))
    others = tuple(field.side(key) for key in expected if key not in seen) if counts else ()
    return Presence(
        round_number=round_number,
        open=is_open,
        here=sum(key in seen for key in expected),
        missing=others if is_open else (),
        unmarked=() if is_open else others,
        last_at=max(seen.values(), default=None),
    )
