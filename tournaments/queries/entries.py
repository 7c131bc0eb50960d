"""The entries: the list for arbiters, the public list without private data, and the players of an event.

Also what becomes of a player in other sections of the event, and of the games of a player who leaves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from django.db.models import F, Max, Q

from evenboard_engine import RESULTS, ByeKind, Outcome, Tournament, system_named, system_of
from evenboard_engine import Game as EngineGame
from ratings.names import searchable
from tournaments.hooks import rating_limits
from tournaments.models import Bye, CheckIn, Event, Game, Participant, Player, Round, Section
from tournaments.models.rounds import round_in_play
from tournaments.player_fields import PLAIN, PUBLIC_PLAIN
from tournaments.queries.pairing_numbers import equal_players, numbers_frozen

from .field import load_field
from .row_cache import entries_and_byes, participants_of

# The rating limit of a section. It keeps nobody out: arbiters are warned of players outside it.


def rating_limit(section: Section) -> tuple[int | None, int | None]:
    """Return the lowest and the highest rating that the section takes; None for no limit. One query."""
    return next((limit(section) for limit in rating_limits), (None, None))


def is_outside(rating: int, lowest: int | None, highest: int | None) -> bool:
    """Return whether a rating is outside a limit. A player without a rating is below any lowest rating."""
    return (lowest is not None and rating < lowest) or (highest is not None and rating > highest)


# The entries: the list for arbiters, and the public list without private data.


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
    next_round: the first round of a player who enters now. here: who is checked in, while the check-in is open.
    """

    rows: tuple[EntryRow, ...]
    active: int
    withdrawn: int
    expelled: int
    numbers_frozen: bool
    equal_ratings: bool
    has_teams: bool
    next_round: int
    here: frozenset[int]

    def in_state(self, state: str) -> list[EntryRow]:
        """Return the players of a state: active, here, bye (in a round to come), withdrawn, expelled, or no-id (those
        without a FIDE ID).
        """
        holds: dict[str, Callable[[EntryRow], bool]] = {
            "active": lambda row: row.active,
            "here": lambda row: row.participant_id in self.here,
            "bye": lambda row: row.active and any(bye.round_number >= self.next_round for bye in row.byes),
            "withdrawn": lambda row: row.withdrawn,
            "expelled": lambda row: not (row.active or row.withdrawn),
            "no-id": lambda row: row.active and not row.fide_id,
        }
        return [row for row in self.rows if holds[state](row)]


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
    """All entries, for arbiters. Four queries, or some more that are short for a large section; one more while the
    check-in is open.
    """
    entries, section_byes = entries_and_byes(section)
    last = section.played_rounds.aggregate(last=Max("number"))["last"] or 0
    now = _shown_round(section, entries)
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
            former_tpn=entry.former_tpn_in(now),
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
        here=_checked_in(section, section.check_in_round),
    )


def _checked_in(section: Section, number: int | None) -> frozenset[int]:
    """Return the keys of the players who are checked in for a round. One query; none without a round."""
    if number is None:
        return frozenset()
    found = CheckIn.objects.filter(participant__section=section, round_number=number)
    return frozenset(found.values_list("participant_id", flat=True))


def numbered_entries(section: Section) -> list[Participant]:
    """All players, in the order of their numbers. One query."""
    return _entries(section)


def equal_entries(section: Section) -> list[list[Participant]]:
    """Players with the same rating, in groups by rating. One query."""
    return equal_players(_entries(section))


def player_list(section: Section) -> tuple[PlayerRow, ...]:
    """All entries for the public, by pairing number. One query, one more while former numbers are shown."""
    entries = participants_of(section)
    now = _shown_round(section, entries)
    return tuple(
        PlayerRow(
            participant_id=entry.pk,
            tpn=entry.tpn,
            former_tpn=entry.former_tpn_in(now),
            name=entry.shown_name,
            title=entry.player.title,
            federation=entry.player.federation,
            rating=entry.rating,
            plain={field.name: field.shown(entry) for field in PUBLIC_PLAIN},
            status=entry.status,
            first_round=entry.first_round,
        )
        for entry in entries
    )


def _shown_round(section: Section, entries: Iterable[Participant]) -> int:
    """Return the round that decides whether former numbers are shown; 0 without a query if no entry has one."""
    return round_in_play(section) if any(entry.former_tpn for entry in entries) else 0


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


# Who of some people already plays in another section of the event.

YEAR = 4


def also_entered(section: Section, people: Iterable[Player]) -> list[tuple[str, str]]:
    """Return name and section of each active entry in another section that is one of these people.

    It is the same person with the same FIDE ID, or with the same name, in any order, and year of birth. A section that
    is closed or hidden does not count. None if the sections play at different times. One query, none without an ID or
    a year.
    """
    people = list(people)
    keys = {player.fide_id for player in people if player.fide_id is not None}
    names = {_known(player.name, player.birth_date) for player in people if player.birth_date[:YEAR]}
    if section.event.sections_apart or not (keys or names):
        return []
    years = Q()
    for year in {year for _name, year in names}:
        years |= Q(player__birth_date__startswith=year)
    rows = Participant.objects.filter(
        Q(player__fide_id__in=keys) | years if names else Q(player__fide_id__in=keys),
        section__event=section.event_id,
        section__status=Section.Status.OPEN,
        section__taken_away=False,
        status=Participant.Status.ACTIVE,
    ).exclude(section=section)
    found = rows.order_by("pk").values_list(
        "player__name", "player__fide_id", "player__birth_date", "section__name"
    )
    return [
        (name, other)
        for name, fide_id, birth_date, other in found
        if fide_id in keys or (birth_date[:YEAR] and _known(name, birth_date) in names)
    ]


def _known(name: str, birth_date: str) -> tuple[str, str]:
    return " ".join(sorted(searchable(name).split())), birth_date[:YEAR]


# The players of all sections of an event, by whom a visitor finds a card from the page of the event.


@dataclass(frozen=True, slots=True)
class EventPlayer:
    """A player who has a card. Number and rating tell namesakes apart."""

    name: str
    title: str
    federation: str
    tpn: int | None
    rating: int | None
    section_name: str
    section_slug: str


def event_players(event: Event) -> list[EventPlayer]:
    """Return the players of the sections that visitors see, by section and number. One query."""
    entries = Participant.objects.filter(section__event=event, tpn__isnull=False)
    entries = entries.exclude(status=Participant.Status.EXPELLED).exclude(section__taken_away=True)
    return [
        EventPlayer(
            name=entry.shown_name,
            title=entry.player.title,
            federation=entry.player.federation,
            tpn=entry.tpn,
            rating=entry.rating,
            section_name=entry.section.name,
            section_slug=entry.section.slug,
        )
        for entry in entries.select_related("player", "section").order_by("section_id", "tpn")
    ]


# What becomes of the games of a player who leaves a section whose rounds are fixed.


@dataclass(frozen=True, slots=True)
class Leaving:
    """open: how many games of paired rounds have no result and would be forfeited.

    lost: how many games, won against players who left before, would be lost by both.
    completed, total: how many games the player completed, and of how many. counts: they count for the standings.
    """

    open: int
    lost: int
    completed: int
    total: int
    counts: bool


def leaving(section: Section, entry: Participant) -> Leaving | None:
    """Return what happens if the player leaves now; None where rounds are not fixed. Four queries."""
    if not section.fixed_rounds:
        return None
    field = load_field(section, include_drafts=True)
    lost = _lost(field.engine, entry.pk)
    value = replace(
        field.engine,
        games=tuple(game for game in field.engine.games if game not in lost),
        absent=field.engine.absent | {entry.pk},
    )
    system = system_of(value)
    completed, total = system.completed(value)[entry.pk]
    games = sum(entry.pk in (game.white_id, game.black_id) for game in field.open_games)
    return Leaving(games, len(lost), completed, total, counts=entry.pk not in system.uncounted(value))


def _lost(tournament: Tournament, player: int) -> frozenset[EngineGame]:
    """Return the games won against players who left before, in rounds of which no game has been played yet."""
    begun = {game.round for game in tournament.games if RESULTS[game.result].played}
    return frozenset(
        game
        for game in tournament.games
        for won, other, outcome in (
            (game.white, game.black, RESULTS[game.result].white),
            (game.black, game.white, RESULTS[game.result].black),
        )
        if won == player
        and other in tournament.absent
        and outcome is Outcome.FORFEIT_WIN
        and game.round not in begun
    )
