"""The entries: the list for arbiters, and the public list without private data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import F, Max, Q

from evenboard_engine import ByeKind, system_named
from tournaments.models import Bye, Game, Participant, Round, Section
from tournaments.player_fields import PLAIN, PUBLIC_PLAIN
from tournaments.queries.numbers import equals, numbers_frozen

from .kept_rows import entries_and_byes, participants_of


@dataclass(frozen=True, slots=True)
class RequestedBye:
    bye_id: int
    round_number: int
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry as the arbiter sees it. latin_name: as somebody has typed it. plain: the plain fields, by their names.
    visitors_name: the name for visitors, if it is another. byes: all except
    allocated ones. paired: a round names the player, so the entry can only be withdrawn, not removed.
    """

    participant_id: int
    tpn: int | None
    former_tpn: int | None
    name: str
    latin_name: str
    visitors_name: str
    sex: str
    title: str
    federation: str
    fide_id: int | None
    birth_date: str
    rating: int
    rating_source: str
    rating_list: str
    official_rating: int | None
    national_rating: int | None
    plain: Mapping[str, str]
    team: str
    pairing_flags: str
    note: str
    status: str
    first_round: int
    half_bye_allowed: bool
    byes: tuple[RequestedBye, ...]
    paired: bool

    @property
    def club(self) -> str:
        return self.plain["club"]

    @property
    def active(self) -> bool:
        return self.status == Participant.Status.ACTIVE

    @property
    def withdrawn(self) -> bool:
        return self.status == Participant.Status.WITHDRAWN


@dataclass(frozen=True, slots=True)
class EntryList:
    """rows: by pairing number. numbers_frozen: round 4 is paired, so the order of the numbers is fixed (GHR 2.3).
    equal_ratings: some players have the same rating. has_teams: the pairing system asks for teams, or somebody has one.
    next_round: the first round of a player who enters now.
    """

    rows: tuple[EntryRow, ...]
    active: int
    withdrawn: int
    expelled: int
    numbers_frozen: bool
    equal_ratings: bool
    has_teams: bool
    next_round: int


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One entry as the public sees it: no birth date, no note. plain: the plain fields for everybody, by name."""

    participant_id: int
    tpn: int | None
    former_tpn: int | None
    name: str
    title: str
    federation: str
    rating: int
    plain: Mapping[str, str]
    status: str
    first_round: int

    @property
    def club(self) -> str:
        return self.plain["club"]


def entry_list(section: Section) -> EntryList:
    """All entries, for arbiters. Four queries, or some more that are short for a large section."""
    entries, section_byes = entries_and_byes(section)
    last = section.played_rounds.aggregate(last=Max("number"))["last"] or 0
    paired = _in_games(section)
    byes: dict[int, list[RequestedBye]] = defaultdict(list)
    for bye in section_byes:
        if bye.source != Bye.Source.ALLOCATED:
            byes[bye.participant_id].append(RequestedBye(bye.pk, bye.round_number, ByeKind(bye.kind)))
        if bye.round_number <= last:
            paired.add(bye.participant_id)
    rows = tuple(
        EntryRow(
            participant_id=entry.pk,
            tpn=entry.tpn,
            former_tpn=entry.former_tpn,
            name=entry.player.name,
            visitors_name=entry.visitors_name if entry.player.by_initials else "",
            sex=entry.player.sex,
            title=entry.player.title,
            federation=entry.player.federation,
            fide_id=entry.player.fide_id,
            latin_name=entry.player.latin_name,
            birth_date=entry.player.birth_date,
            rating=entry.rating,
            rating_source=entry.rating_source,
            rating_list=entry.rating_list,
            official_rating=entry.official_rating,
            national_rating=entry.national_rating,
            plain={field.name: field.value(entry) for field in PLAIN},
            team=entry.team,
            pairing_flags=entry.pairing_flags,
            note=entry.note,
            status=entry.status,
            first_round=entry.first_round,
            half_bye_allowed=entry.half_bye_allowed,
            byes=tuple(byes[entry.pk]),
            paired=entry.pk in paired,
        )
        for entry in entries
    )
    status = Participant.Status
    return EntryList(
        rows=rows,
        active=sum(row.status == status.ACTIVE for row in rows),
        withdrawn=sum(row.status == status.WITHDRAWN for row in rows),
        expelled=sum(row.status == status.EXPELLED for row in rows),
        numbers_frozen=numbers_frozen(last, by_lot=section.fixed_rounds),
        equal_ratings=not section.fixed_rounds and len({row.rating for row in rows}) < len(rows),
        has_teams="team" in system_named(section.system).player_facts or any(row.team for row in rows),
        next_round=min(last + 1, section.rounds),
    )


def numbered_entries(section: Section) -> list[Participant]:
    """All players, in the order of their numbers. One query."""
    return _entries(section)


def equal_entries(section: Section) -> list[list[Participant]]:
    """Players with the same rating, in groups by rating. One query."""
    return equals(_entries(section))


def player_list(section: Section) -> tuple[PlayerRow, ...]:
    """All entries for the public, by pairing number. One query."""
    return tuple(
        PlayerRow(
            participant_id=entry.pk,
            tpn=entry.tpn,
            former_tpn=entry.former_tpn,
            name=entry.shown_name,
            title=entry.player.title,
            federation=entry.player.federation,
            rating=entry.rating,
            plain={field.name: field.shown(entry) for field in PUBLIC_PLAIN},
            status=entry.status,
            first_round=entry.first_round,
        )
        for entry in participants_of(section)
    )


def _entries(section: Section) -> list[Participant]:
    return list(section.participants.select_related("player").order_by(F("tpn").asc(nulls_last=True), "pk"))


def is_paired(entry: Participant) -> bool:
    """Whether a paired round names the entry, so that it can only be withdrawn. Two queries at most."""
    if Game.objects.filter(Q(white=entry) | Q(black=entry)).exists():
        return True
    paired = Round.objects.filter(section=entry.section_id).values("number")
    return Bye.objects.filter(participant=entry, round_number__in=paired).exists()


def other_sections(entry: Participant) -> list[str]:
    """Return the names of the other sections in which the player is entered. One query."""
    others = Participant.objects.filter(player=entry.player_id).exclude(pk=entry.pk)
    return list(others.order_by("section__name").values_list("section__name", flat=True))


def _in_games(section: Section) -> set[int]:
    """Keys of the participants with a board in any round. One query."""
    games = Game.objects.filter(round__section=section).order_by()
    return {key for (key,) in games.values_list("white_id").union(games.values_list("black_id"))}
