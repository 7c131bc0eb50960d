"""Who is in the hall before the next round, and who is not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pairing.engine import ByeKind
from tournaments.declarations.presence import LATE_CHECK_IN
from tournaments.models import Bye, CheckIn, Section

from .bye_limits import too_many_half_byes
from .field import SectionField, Side
from .log import LogRow, rows_of
from .undone import undone_in


@dataclass(frozen=True, slots=True)
class Presence:
    """Check-in for one round. open: it is open now. here: how many of those who would play were seen. missing: the
    others, by pairing number. last_at: when the last player was seen.
    """

    round_number: int
    open: bool
    here: int
    missing: tuple[Side, ...]
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
    whether a half-point bye can be given: "" for yes, "refused", or "ask" if it must be confirmed.
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


@dataclass(frozen=True, slots=True)
class PresenceList:
    """Everybody who would play or has a bye in the round, by name."""

    round_number: int
    open: bool
    rows: tuple[PresenceRow, ...]

    @property
    def missing(self) -> tuple[PresenceRow, ...]:
        return tuple(row for row in self.rows if not row.here and row.bye is None)

    @property
    def here(self) -> int:
        return sum(row.here and row.bye is None for row in self.rows)

    @property
    def expected(self) -> int:
        return sum(row.bye is None for row in self.rows)

    @property
    def mostly_here(self) -> bool:
        """Whether more players are here than missing. Until then the missing are late rather than absent."""
        return self.here > len(self.missing)


def presence_list(section: Section, round_number: int) -> PresenceList:
    """Three queries."""
    seen = {
        row.participant_id: row
        for row in CheckIn.objects.filter(
            participant__section=section, round_number=round_number
        ).select_related("by")
    }
    byes: dict[int, ByeKind] = {}
    halves: dict[int, int] = {}
    for bye in Bye.objects.filter(participant__section=section):
        if bye.round_number == round_number:
            byes[bye.participant_id] = ByeKind(bye.kind)
        halves[bye.participant_id] = halves.get(bye.participant_id, 0) + (bye.kind == ByeKind.HALF)
    rows = []
    for entry in section.participants.select_related("player"):
        if not entry.is_active or entry.first_round > round_number:
            continue
        row = seen.get(entry.pk)
        had = halves.get(entry.pk, 0)
        late = section.last_bye_round is not None and round_number > section.last_bye_round
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
                here=row is not None,
                at=row.at if row else None,
                by=row.by.label if row and row.by else "",
                bye=byes.get(entry.pk),
                half="refused" if not entry.half_bye_allowed else "ask" if asks else "",
            )
        )
    return PresenceList(
        round_number=round_number,
        open=section.check_in_round == round_number,
        rows=tuple(sorted(rows, key=lambda row: (row.name.casefold(), row.tpn or 0))),
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
    return rows_of(section, standing)


def presence(field: SectionField, round_number: int) -> Presence:
    """Count who is here for a round. Before the check-in is opened nobody is missing. One query."""
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
    return Presence(
        round_number=round_number,
        open=is_open,
        here=sum(key in seen for key in expected),
        missing=tuple(field.side(key) for key in expected if key not in seen) if is_open else (),
        last_at=max(seen.values(), default=None),
    )
