"""The rows of large sections, kept in the memory of the process and changed by what the log says was written.

To read 5,000 players and 15,000 games takes half a second. A save changes one of these rows, and its row in the log
says which. So the rows that were read before are kept, and only those that were written since are read again. The
revision and the seal of the log say whether the kept rows can be brought up to date in this way; if not, all rows are
read. Rows are never changed in memory: they are shared by all requests.

Lists of such sections are `LazyRows`: a page shows a hundred of five thousand, and makes only these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter, eq
from typing import Any, Generic, TypeVar, overload

from django.db import models
from django.db.models import QuerySet

from base.cache import Cache
from base.consistent_read import consistent_read
from tournaments.declarations.entries import ERASE_PLAYER
from tournaments.models import ActionLog, Bye, Game, Participant, Round, Section, User
from tournaments.models.journal import BATCH, is_noting

# Rows of a long list that are made when somebody looks at them: a page shows a hundred of five thousand.

LazyItem = TypeVar("LazyItem")
LazyRow = TypeVar("LazyRow")


class LazyRows(Sequence[LazyRow], Generic[LazyItem, LazyRow]):
    """The rows that `make` returns for these items, in the same order. Each is made once."""

    def __init__(self, items: Sequence[LazyItem], make: Callable[[LazyItem], LazyRow]) -> None:
        self._items, self._make = items, make
        self._made: dict[int, LazyRow] = {}

    def __len__(self) -> int:
        return len(self._items)

    def of(self, wanted: Callable[[LazyItem], bool]) -> LazyRows[LazyItem, LazyRow]:
        """Return the rows of the items that are wanted. The others are not made."""
        return LazyRows([item for item in self._items if wanted(item)], self._make)

    @overload
    def __getitem__(self, at: int) -> LazyRow: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[LazyRow, ...]: ...

    def __getitem__(self, at: int | slice) -> LazyRow | tuple[LazyRow, ...]:
        places = range(len(self._items))[at]
        return self._row(places) if isinstance(places, int) else tuple(map(self._row, places))

    def __iter__(self) -> Iterator[LazyRow]:
        return map(self._row, range(len(self._items)))

    def __eq__(self, other: object) -> bool:
        """Two lists are equal if their rows are, whichever of them were made already."""
        return isinstance(other, LazyRows) and len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]  # rows need not be hashable

    def _row(self, place: int) -> LazyRow:
        if place not in self._made:
            self._made[place] = self._make(self._items[place])
        return self._made[place]


LARGE = 300
"""Players of the largest section whose rows are not kept."""
MOST_ROWS = 100_000
"""Participants and games of all sections that are kept together; about 1 KB each."""
MOST_CHANGES = 2_000
"""With more rows that were written since, all rows are read again."""

BY_BOARD = attrgetter("board")
CachedRow = TypeVar("CachedRow", bound=models.Model)
MemoValue = TypeVar("MemoValue")
MemoBasis = tuple[object, ...]
RowState = tuple[int, int, str]
"""Revision, revision of people, and seal of the log of a section."""
CachedPerson = tuple[int, str, str, str]
"""Key and names of a login."""


class RowMemo:
    """What was made from the rows of a section, at most a hundred things. Threads may share it."""

    def __init__(self) -> None:
        self._made: Cache[Hashable, tuple[MemoBasis, Any]] = Cache(100)

    def once(self, kind: Hashable, basis: MemoBasis, make: Callable[[], MemoValue]) -> MemoValue:
        """Return what `make` makes, made once while the basis is the same: the same objects, or equal texts.

        Objects are compared by identity, because a row that was read again equals the one before.
        """
        done = self._made.get(kind)
        if done is not None and len(done[0]) == len(basis) and all(map(_same, done[0], basis)):
            found: MemoValue = done[1]
            return found
        made = make()
        self._made.put(kind, (basis, made))
        return made

    def renewed(self, kind: Hashable, make: Callable[[MemoValue | None], MemoValue]) -> MemoValue:
        """Return what `make` makes from what it made last time, which is None the first time."""
        former = self._made.get(kind)
        made = make(None if former is None else former[1])
        self._made.put(kind, ((), made))
        return made


def _same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, str) and one == other)


@dataclass(frozen=True, slots=True)
class CachedRows:
    """All rows of a section. participants: by key, in the order of their pairing numbers. rounds: drafts too.

    games_of: by the key of the round, in the order of boards. byes: by round and player; also those requested for later
    rounds. worked: what was made from these or earlier rows.
    """

    participants: Mapping[int, Participant]
    rounds: tuple[Round, ...]
    games_of: Mapping[int, tuple[Game, ...]]
    byes: tuple[Bye, ...]
    worked: RowMemo

    @property
    def count(self) -> int:
        return len(self.participants) + sum(map(len, self.games_of.values()))

    def games(self, rounds: Iterable[Round]) -> tuple[Game, ...]:
        """Return the games of these rounds, in the order of rounds and boards."""
        return tuple(chain.from_iterable(self.games_of[row.id] for row in rounds))


@dataclass(frozen=True, slots=True)
class _Kept:
    """states: of all sections of the event when the rows were read, by key. people: logins that the games name."""

    rows: CachedRows
    states: Mapping[int, RowState]
    people: frozenset[CachedPerson]


def _weight(kept: _Kept) -> int:
    """Return how many rows these are. A section with more than all may have together is kept alone."""
    return min(kept.rows.count, MOST_ROWS)


row_cache: Cache[int, _Kept] = Cache(lambda: MOST_ROWS, weight=_weight)
"""The rows of the large sections that were asked for last."""


def cached_rows_of(section: Section) -> CachedRows:
    """Return the rows of a section as they are now. Four queries, or some more that are short for a large section.

    Inside an action everything is read, because the log does not say yet what the action has written.
    """
    if is_noting():
        return _all_rows(section)
    kept = row_cache.get(section.id)
    if kept is None and (participants := _few_participants(section)) is not None:
        return _all_rows(section, participants)
    with consistent_read():
        return _now(section, kept)


def participants_of(section: Section) -> Collection[Participant]:
    """Return the participants in the order of their pairing numbers. One query, if the rows are not kept."""
    kept = not is_noting() and row_cache.get(section.id) is not None
    return (cached_rows_of(section).participants if kept else _participants(section)).values()


def entries_and_byes(section: Section) -> tuple[Collection[Participant], Collection[Bye]]:
    """Return the participants in the order of their pairing numbers, and all byes. Two queries. The rows of a large
    section are read with its games and kept, because an open page asks for them again.
    """
    if is_noting() or row_cache.get(section.id) is None:
        participants = _participants(section) if is_noting() else _few_participants(section)
        if participants is not None:
            return participants.values(), _in_order(_bye_rows(section), participants)
    rows = cached_rows_of(section)
    return rows.participants.values(), rows.byes


def _now(section: Section, kept: _Kept | None) -> CachedRows:
    states = _states(section)
    people = _people({row[0] for row in kept.people}) if kept is not None else frozenset()
    if kept is not None and kept.people == people:
        if kept.states == states:
            return kept.rows
        found = _brought_up_to_date(section, kept, states)
        if found is not None:
            rows, games = found
            _keep(section, rows, states, {key for key, *_names in people}, games)
            return rows
    rows = _all_rows(section)
    _keep(section, rows, states, set(), chain.from_iterable(rows.games_of.values()))
    return rows


def _keep(
    section: Section,
    rows: CachedRows,
    states: Mapping[int, RowState],
    people: set[int],
    games: Iterable[Game],
) -> None:
    """Keep the rows. people, games: logins that are known, and games that may name more."""
    if states[section.id][2]:  # without a seal, nothing tells later what was written
        logins = people.union(*((game.entered_by_id, game.second_by_id, game.over_by_id) for game in games))
        row_cache.put(section.id, _Kept(rows, states, _people(logins)))


def _states(section: Section) -> dict[int, RowState]:
    """Return the states of all sections of the event, because their players may be the same. One query."""
    columns = ("pk", "revision", "people_revision", "log_head")
    found = Section.objects.filter(event=section.event_id).order_by().values_list(*columns)
    return {key: (revision, people, head) for key, revision, people, head in found}


def _people(keys: Collection[int | None]) -> frozenset[CachedPerson]:
    """Return keys and names of logins as they are now. Their names are in no log of a section. One query at most."""
    if not any(keys):
        return frozenset()
    rows = User.objects.filter(pk__in=[key for key in keys if key]).order_by()
    return frozenset(rows.values_list("pk", "username", "first_name", "last_name"))


# What was written since ---------------------------------------------------------------------------------------------


def _brought_up_to_date(
    section: Section, kept: _Kept, states: Mapping[int, RowState]
) -> tuple[CachedRows, list[Game]] | None:
    """Return the kept rows with those that were written since, and the games among these; None if all must be read."""
    if kept.states.keys() != states.keys():
        return None
    written: dict[str, set[int]] = defaultdict(set)
    for key, now in states.items():
        then = kept.states[key]
        if now == then or (key != section.id and now[1] == then[1]):
            continue
        if not _note_written(key, then, now, written, None if key == section.id else ("player",)):
            return None
    if sum(map(len, written.values())) > MOST_CHANGES:
        return None
    return _with(section, kept.rows, written)


def _note_written(
    section_id: int, then: RowState, now: RowState, written: dict[str, set[int]], only: Collection[str] | None
) -> bool:
    """Add the keys of the rows that a section's log says were written since, by model. only: models; None for all.

    Return whether the log goes on from the seal of that time, and says everything.
    """
    if now[0] < then[0]:
        return False  # another reader sees a later moment
    log = ActionLog.objects.filter(section=section_id, revision__range=(then[0], now[0])).order_by("revision")
    rows = list(log.values_list("seal", "action", "changes"))
    if len(rows) != now[0] - then[0] + 1 or rows[0][0] != then[2] or rows[-1][0] != now[2]:
        return False
    for _seal, action, changes in rows[1:]:
        if action == ERASE_PLAYER.name:  # keeps no names of what it writes
            return False
        for model, key, *_values in changes:
            if only is None or model in only:
                written[model].add(key)
    return True


def _with(
    section: Section, rows: CachedRows, written: Mapping[str, set[int]]
) -> tuple[CachedRows, list[Game]]:
    """Return the rows after reading those again that were written, by model, and the games among these."""
    participants, rounds, games_of, byes = rows.participants, rows.rounds, rows.games_of, rows.byes
    entries = set(written.get("participant", ()))
    if people := written.get("player"):
        entries |= {key for key, entry in participants.items() if entry.player_id in people}
    if entries:
        participants = by_pairing_number(_again(participants.values(), entries, _participant_rows(section)))
    if changed := written.get("round"):
        rounds = _rounds(section)
        known = {row.id for row in rows.rounds} - changed
        games_of = {
            row.id: games_of[row.id] if row.id in known else _copied(games_of.get(row.id, ()), row)
            for row in rounds
        }
    games: list[Game] = []
    if changed := written.get("game"):
        games = _read_again(_game_rows(section), changed)
        games_of = {row.id: _played(row, games_of[row.id], games, changed) for row in rounds}
    if entries or written.get("bye"):
        byes = _in_order(_again(byes, written.get("bye", ()), _bye_rows(section)), participants)
    return CachedRows(participants, rounds, games_of, byes, rows.worked), games


def _again(rows: Iterable[CachedRow], written: Collection[int], read: QuerySet[CachedRow]) -> list[CachedRow]:
    """Return the rows, those with these keys as `read` finds them now, if it does."""
    return [*(row for row in rows if row.pk not in written), *_read_again(read, written)]


def _read_again(read: QuerySet[CachedRow], keys: Collection[int]) -> list[CachedRow]:
    ordered = sorted(keys)
    batches = (ordered[at : at + BATCH] for at in range(0, len(ordered), BATCH))
    return [row for batch in batches for row in read.filter(pk__in=batch)]


def _copied(games: Iterable[Game], row: Round) -> tuple[Game, ...]:
    """Return the games with their round as it is now. Others may be reading the old ones."""
    copies = tuple(map(copy, games))
    for game in copies:
        game.round = row
    return copies


def _played(
    row: Round, former: tuple[Game, ...], fresh: Iterable[Game], written: Collection[int]
) -> tuple[Game, ...]:
    """Return the games of a round, by board, after some were read again; the same tuple if none was in this round."""
    now = [game for game in fresh if game.round_id == row.id]
    if not now and not any(game.id in written for game in former):
        return former
    for game in now:
        game.round = row
    return tuple(sorted((*(game for game in former if game.id not in written), *now), key=BY_BOARD))


# Reading ------------------------------------------------------------------------------------------------------------


def _all_rows(section: Section, participants: dict[int, Participant] | None = None) -> CachedRows:
    participants = _participants(section) if participants is None else participants
    rounds = _rounds(section)
    return CachedRows(
        participants=participants,
        rounds=rounds,
        games_of=_by_round(_game_rows(section), rounds),
        byes=_in_order(_bye_rows(section), participants),
        worked=RowMemo(),
    )


def _participants(section: Section) -> dict[int, Participant]:
    return by_pairing_number(_participant_rows(section))


def _few_participants(section: Section) -> dict[int, Participant] | None:
    """Return the participants; None if the section is large, after reading as few of them as show this."""
    found = by_pairing_number(_participant_rows(section)[: LARGE + 1])
    return found if len(found) <= LARGE else None


# Rows are put in order here: to order many columns by a few, the database compares all of them, a quarter of the time.


def _participant_rows(section: Section) -> QuerySet[Participant]:
    return section.participants.order_by().select_related("player")


def _rounds(section: Section) -> tuple[Round, ...]:
    return tuple(sorted(section.played_rounds.order_by(), key=lambda row: row.number))


def _game_rows(section: Section) -> QuerySet[Game]:
    rows = Game.objects.filter(round__section=section).select_related("entered_by", "second_by", "over_by")
    return rows.order_by()


def _bye_rows(section: Section) -> QuerySet[Bye]:
    return Bye.objects.filter(participant__section=section).order_by()


def _by_round(games: Iterable[Game], rounds: Iterable[Round]) -> dict[int, tuple[Game, ...]]:
    """Return the games of each round by boards, each with its round."""
    by_key = {row.id: row for row in rounds}
    found: dict[int, list[Game]] = {key: [] for key in by_key}
    for game in games:
        if game.round_id in by_key:
            game.round = by_key[game.round_id]
            found[game.round_id].append(game)
    return {key: tuple(sorted(row, key=BY_BOARD)) for key, row in found.items()}


def _in_order(byes: Iterable[Bye], participants: Mapping[int, Participant]) -> tuple[Bye, ...]:
    place = {key: number for number, key in enumerate(participants)}
    return tuple(sorted(byes, key=lambda bye: (bye.round_number, place.get(bye.participant_id, 0))))


def by_pairing_number(participants: Iterable[Participant]) -> dict[int, Participant]:
    """Return the participants by key, in the order of their pairing numbers."""
    ordered = sorted(participants, key=lambda entry: (entry.tpn is None, entry.tpn or 0, entry.id))
    return {entry.id: entry for entry in ordered}
