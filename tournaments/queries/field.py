"""The field of a section with its games and byes, in four database queries for any number of players."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from itertools import chain
from operator import attrgetter, is_

from django.db.models import F, Q

from evenboard_engine import Tournament, histories, histories_on_demand, system_of
from evenboard_engine import model as played
from evenboard_engine.history import History, without_games_of
from evenboard_engine.preference import Preference
from evenboard_engine.trf import RatingPeriods
from tournaments.models import Bye, Game, Participant, Round, Section
from tournaments.models.journal import NEVER
from tournaments.snapshot import engine_games, engine_open_games, engine_tournament

from .row_cache import CachedRows, MemoBasis, MemoValue, by_pairing_number, cached_rows_of

# The round that people are busy with.


def current_round_of(section: Section, rounds: Sequence[Round], unfinished: Collection[int]) -> Round | None:
    """Return the latest round; where all rounds are fixed, the first that is a draft or lacks a result, if one does.

    rounds: those that the reader may see, in order. unfinished: the keys of rounds that lack results.
    """
    latest = rounds[-1] if rounds else None
    if not section.fixed_rounds:
        return latest
    return next((row for row in rounds if row.is_draft or row.pk in unfinished), latest)


def unfinished_rounds(section: Section) -> frozenset[int]:
    """Return the keys of the rounds that lack a result, or have a slip that was read in two ways. One query."""
    differ = Q(second_result__gt="") & ~Q(second_result=F("result"))
    games = Game.objects.filter(Q(result="") | differ, round__section=section)
    return frozenset(games.values_list("round_id", flat=True))


def round_mark_of(
    section: Section, published: Sequence[Round], unfinished: Collection[int], number: int | None
) -> str:
    """Return the mark of a round, or of the current one without a number; "" if it is not published.

    It changes when the round is published again or changed by hand, and with the current round. A result does not
    change it. The mark of a numbered round also says whether visitors may read why it was paired so: pages about a
    round show this, or lead to it. published, unfinished: as for `current_round_of`.
    """
    if number is None:
        shown = current_round_of(section, published, unfinished)
    else:
        shown = next((row for row in published if row.number == number), None)
    if shown is None:
        return ""
    explained = "-why" if number is not None and section.is_explained else ""
    return f"{shown.number}-{shown.version}-{_second(shown.published_at)}{explained}"


def _second(at: datetime | None) -> int:
    """Return the second of a publication; a round that was paired again may have the former version. 0: imported."""
    return int(at.timestamp()) if at else 0


def round_mark_of_event(event_id: int) -> str:
    """Return the mark of all published rounds of an event. One query."""
    rounds = Round.objects.filter(section__event=event_id).exclude(state=Round.State.DRAFT)
    found = rounds.order_by("section_id", "number").values_list(
        "section_id", "number", "version", "published_at"
    )
    marks = [(section, number, version, _second(at)) for section, number, version, at in found]
    return sha256(repr(marks).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class PlayerCell:
    """One player as lists show them. points: in tenths, before the round of the list."""

    participant_id: int
    tpn: int | None
    name: str
    title: str
    federation: str
    rating: int
    points: int


@dataclass(frozen=True)
class SectionField:
    """A section before a round.

    before_round: games of this round and later ones are not in `histories`, but they can be in `games`.
    participants: by key, in the order of their pairing numbers. rounds: those that the reader may see.
    games, byes: of those rounds, in the order of boards; with drafts also byes requested for later rounds.
    histories: by key of every participant, before `before_round`; an open game is left out.
    rows: those that were read, None if the field has other values than these.
    """

    section: Section
    before_round: int
    participants: Mapping[int, Participant]
    rounds: tuple[Round, ...]
    games: tuple[Game, ...]
    byes: tuple[Bye, ...]
    engine: Tournament
    histories: Mapping[int, History]
    rows: CachedRows | None = None

    def __post_init__(self) -> None:
        """Forget the rows of a field with other games or participants: what was made from the rows is not for it."""
        if self.rows is not None and not self._has_its_rows(self.rows):
            object.__setattr__(self, "rows", None)

    def _has_its_rows(self, rows: CachedRows) -> bool:
        """Compare by identity: a game with another result still equals the one with this key."""
        read = rows.games(self.rounds)
        return (
            self.participants is rows.participants
            and len(read) == len(self.games)
            and all(map(is_, read, self.games))
        )

    def side(self, participant_id: int) -> PlayerCell:
        """The player as lists show them, with the points before `before_round` that count for the standings."""
        participant = self.participants[participant_id]
        player = participant.player
        return PlayerCell(
            participant_id=participant.pk,
            tpn=participant.tpn,
            name=participant.shown_name,
            title=player.title,
            federation=player.federation,
            rating=participant.rating,
            points=self.counted[participant_id].score,
        )

    def aro(self, participant_id: int) -> float:
        """The ARO before `before_round`, as the pairing system reads it: rounded, or with up to three decimals.

        Three decimals distinguish all AROs of 19 games that are never rounded.
        """
        past = self.histories[participant_id]
        if system_of(self.engine).rounds_aro or not past.games:
            return past.aro
        exact = round(sum(self._ratings[key] for key in past.opponents) / past.games, 3)
        return int(exact) if exact == int(exact) else exact

    def preference(self, participant_id: int) -> Preference | None:
        """The due colour before `before_round`; None before round 1, when nobody has played."""
        if self.before_round == 1:
            return None
        return system_of(self.engine).preference(self.histories[participant_id])

    def aro_or_none(self, participant_id: int) -> float | None:
        """The same; None without games."""
        return self.aro(participant_id) if self.histories[participant_id].games else None

    def rating_for_others(self, participant_id: int, number: int) -> int:
        """The rating with which the player counts in tie-breaks of the opponent of a round; 0 if it does not count."""
        if participant_id in self.left_out:
            return 0
        later = self._later.get(participant_id, ())
        found = (rating for start, rating in reversed(later) if start <= number)
        return next(found, self._ratings[participant_id])

    @cached_property
    def periods(self) -> RatingPeriods:
        """The rating periods of the section, by key of the participant."""
        starts = tuple(self.section.period_starts) if self.section.longer_than_30_days else ()
        ratings = {
            key: {start: of[str(number)] for number, start in enumerate(starts, start=2) if str(number) in of}
            for key, entry in self.participants.items()
            if (of := entry.period_ratings) and starts
        }
        return RatingPeriods(starts, ratings, self.section.period_counted)

    @cached_property
    def _later(self) -> Mapping[int, tuple[tuple[int, int], ...]]:
        return {player.id: player.later for player in self.periods.counted_in(self.engine).players}

    @cached_property
    def _ratings(self) -> Mapping[int, int]:
        return {player.id: player.rating for player in self.engine.players}

    def round(self, number: int) -> Round:
        """The round of that number.

        Raises Round.DoesNotExist if there is none, or if the reader may not see it.
        """
        for candidate in self.rounds:
            if candidate.number == number:
                return candidate
        raise Round.DoesNotExist(f"no round {number} to be seen")

    @cached_property
    def latest(self) -> Round | None:
        """The last round that the reader may see."""
        return self.rounds[-1] if self.rounds else None

    @cached_property
    def latest_number(self) -> int:
        return self.rounds[-1].number if self.rounds else 0

    @cached_property
    def current(self) -> Round | None:
        """The round that people are busy with, see `current_round_of`."""
        unfinished = {game.round_id for game in self.games if game.is_open or game.is_in_conflict}
        return current_round_of(self.section, self.rounds, unfinished)

    @cached_property
    def round_in_play(self) -> int:
        """The round that is paired or played, see `tournaments.models.rounds.round_in_play`."""
        in_play = self.latest is not None and any(game.is_open for game in self.games_of(self.latest))
        return self.latest_number if in_play else self.latest_number + 1

    @cached_property
    def uncounted(self) -> Mapping[int, tuple[int, int]]:
        """Return the players whose games do not count for any standings, see `PairingSystem.uncounted`."""
        if not self.section.fixed_rounds or all(entry.is_active for entry in self.participants.values()):
            return {}
        whole = self if self.before_round > self.latest_number else self.before(self.latest_number + 1)
        return system_of(whole.engine).uncounted(whole.engine)

    @cached_property
    def counted(self) -> Mapping[int, History]:
        """The histories of the games that count for the standings. `histories` are those of all games."""
        if not self.uncounted:
            return self.histories
        return histories(without_games_of(self.engine, self.uncounted.keys()))

    @cached_property
    def left_out(self) -> frozenset[int]:
        """Return the players without an official rating, if rating tie-breaks leave them out."""
        if not self.section.unrated_left_out:
            return frozenset()
        return frozenset(key for key, entry in self.participants.items() if not entry.official_rating)

    @cached_property
    def typed(self) -> Mapping[str, Mapping[int, Fraction]]:
        """The values of tie-breaks that were computed elsewhere, by code and key."""
        found: dict[str, dict[int, Fraction]] = {}
        for key, entry in self.participants.items():
            for code, value in entry.tie_values.items():
                found.setdefault(code, {})[key] = Fraction(value)
        return found

    @cached_property
    def open_games(self) -> tuple[Game, ...]:
        """Games of all rounds that still have no result."""
        return self._those("open", attrgetter("is_open"))

    @cached_property
    def adjourned_games(self) -> tuple[Game, ...]:
        return self._those("adjourned", attrgetter("is_adjourned"))

    def games_of(self, row: Round) -> tuple[Game, ...]:
        """Return the games of a round, in the order of boards."""
        if self.rows is not None:
            return self.rows.games_of[row.id]
        return tuple(game for game in self.games if game.round_id == row.id)

    def once_in(self, row: Round, kind: str, make: Callable[[tuple[Game, ...]], MemoValue]) -> MemoValue:
        """Return what `make` makes of the games of a round, made once while none of them has changed."""
        games = self.games_of(row)
        return self.once((kind, row.id), (games,), lambda: make(games))

    def _those(self, kind: str, wanted: Callable[[Game], bool]) -> tuple[Game, ...]:
        """Return the games of all rounds that are wanted."""
        if self.rows is None:
            return tuple(filter(wanted, self.games))
        found = (self.once_in(row, kind, lambda games: tuple(filter(wanted, games))) for row in self.rounds)
        return tuple(chain.from_iterable(found))

    def before(self, number: int) -> SectionField:
        """The same field before another round. No database query."""
        if self.rows is not None:
            engine, past = _worked(self.section, number, self.rows, self.rounds, self.byes)
            return replace(self, before_round=number, engine=engine, histories=past)
        engine = _engine(
            self.section, number, tuple(self.participants.values()), self.rounds, self.games, self.byes
        )
        return replace(self, before_round=number, engine=engine, histories=histories(engine))

    def as_paired(self) -> SectionField:
        """The same field with the results at the time when round `before_round` was paired. Later corrections (GHR 4.3)
        are left out, and games that were adjourned then are adjourned. No database query.
        """
        number = self.before_round
        games = tuple(game.as_of(number) if game.earlier else game for game in self.games)
        return replace(self, games=games, participants=self._ruled_before(number)).before(number)

    def _ruled_before(self, number: int) -> Mapping[int, Participant]:
        """Return the participants without points that the arbiter decided after a round was paired."""
        later = [
            entry
            for entry in self.participants.values()
            if any(row["after"] >= number for row in entry.rulings)
        ]
        if not later:
            return self.participants
        participants = dict(self.participants)
        for entry in later:
            participants[entry.pk] = then = copy(entry)
            then.rulings = [row for row in entry.rulings if row["after"] < number]
        return participants

    def with_entries(self, entries: Mapping[int, tuple[int, int]]) -> SectionField:
        """The same field with other (pairing number, rating) for some participants, by key. No database query."""
        participants = dict(self.participants)
        for key, (tpn, rating) in entries.items():
            participants[key] = copy(participants[key])
            participants[key].tpn, participants[key].rating = tpn, rating
        changed = replace(self, participants=by_pairing_number(participants.values()))
        return changed.before(self.before_round)

    def once(self, kind: Hashable, basis: MemoBasis, make: Callable[[], MemoValue]) -> MemoValue:
        """Return what `make` makes from this basis, see `RowMemo.once`."""
        return make() if self.rows is None else self.rows.worked.once(kind, basis, make)

    def takes_part(self, participant: Participant, number: int) -> bool:
        """Whether the entry is taken into account for round `number` (late entries, GHR 2.4) and not expelled."""
        return participant.first_round <= number and participant.status != Participant.Status.EXPELLED


def load_field(
    section: Section, *, before_round: int | None = None, include_drafts: bool = False
) -> SectionField:
    """Read a section before a round; by default before the next round to be paired.

    include_drafts: for arbiters only; adds rounds that are not published, and byes requested for later rounds.
    Cost: four queries, then linear; of a large section only what was written since the last time (`row_cache`).
    Raises Round.DoesNotExist if `before_round` is later than the round after the last one that the reader may see.
    """
    rows = cached_rows_of(section)
    participants, rounds, byes = rows.participants, rows.rounds, rows.byes
    if not include_drafts:
        rounds = tuple(row for row in rounds if not row.is_draft)
    games = rows.games(rounds)
    latest = rounds[-1].number if rounds else 0
    if not include_drafts:
        byes = tuple(bye for bye in byes if bye.round_number <= latest)
    before = latest + 1 if before_round is None else before_round
    if not 1 <= before <= latest + 1:
        raise Round.DoesNotExist(f"nothing is known before round {before}")
    engine, past = _worked(section, before, rows, rounds, byes)
    return SectionField(
        section=section,
        before_round=before,
        participants=participants,
        rounds=rounds,
        games=games,
        byes=byes,
        engine=engine,
        histories=past,
        rows=rows,
    )


def _worked(
    section: Section, before: int, rows: CachedRows, rounds: tuple[Round, ...], byes: tuple[Bye, ...]
) -> tuple[Tournament, Mapping[int, History]]:
    """Return the engine's value before a round, and the histories; the same as last time if no row has changed that
    they depend on, such as while results of that round come in.
    """
    earlier = tuple(row for row in rounds if row.number < before)
    settings = {name: value for name, value in vars(section).items() if name not in NEVER and name[0] != "_"}
    basis = (repr(settings), rows.participants, *(bye for bye in byes if bye.round_number < before))

    def without_games() -> Tournament:
        return _engine(section, before, tuple(rows.participants.values()), earlier, (), byes)

    def make() -> tuple[Tournament, Mapping[int, History]]:
        parts = [_played(rows, row) for row in earlier]
        engine = replace(
            rows.worked.once(("entries", before), basis, without_games),
            games=tuple(chain.from_iterable(games for games, _open in parts)),
            open_games=tuple(chain.from_iterable(still_open for _games, still_open in parts)),
        )
        return engine, histories_on_demand(engine)

    games = (rows.games_of[row.id] for row in earlier)
    return rows.worked.once(("engine", before), (*basis, *games), make)


def _played(rows: CachedRows, row: Round) -> tuple[tuple[played.Game, ...], tuple[played.OpenGame, ...]]:
    """Return the games of a round for the engine, those with a result and the open ones."""
    games, numbers = rows.games_of[row.id], {row.id: row.number}
    return rows.worked.once(
        ("games", row.id),
        (games, str(row.number)),
        lambda: (engine_games(games, numbers), engine_open_games(games, numbers)),
    )


def _engine(
    section: Section,
    before: int,
    participants: tuple[Participant, ...],
    rounds: tuple[Round, ...],
    games: tuple[Game, ...],
    byes: tuple[Bye, ...],
) -> Tournament:
    """The engine's value before a round: only earlier rounds."""
    return engine_tournament(
        section,
        round_number=before,
        participants=participants,
        rounds=tuple(row for row in rounds if row.number < before),
        games=games,
        byes=tuple(bye for bye in byes if bye.round_number < before),
        forbidden=(),
    )
