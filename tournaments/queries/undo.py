"""What an undo would change, and which later actions do not let it.

The rows as they were before come from the journal of the actions: the net effect of an undo. Nothing is undone here.

A later action depends on an earlier one, for one of these reasons:
    in_round    it changed a round that the earlier one made, or a game of this round
    made        it changed another row that the earlier one made
    same        both wrote the same columns of a row, or one of them deleted the row
    names       it made a row that refers to a row which the earlier one made
    gone        it deleted a row to which a row refers that would come back
    place       it put a row where the earlier one had deleted one (the same unique values)
    paired      it paired a round, still there, from what the earlier one wrote
    round       it put results or pairs into a round that would become a draft again
    published   it published a round whose pairs the earlier one changed
    changed     it changed what a round was paired from, and that round would come back
    closed      it closed the section

Sections of an event share their players. Apart from a row that both wrote, the rounds of a section depend only on
rows of the same section, and on names and titles of players if an undo would change its numbers (`paired_in`).

A pairing is made from the results and colours of games, byes from their round on, entries, ratings, numbers,
statuses, forbidden pairs from their round on, and the settings that the engine knows; not from names, clubs, notes
and dates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from django.db import models
from django.db.models import Q

from tournaments.declarations import ActionKind, Undo, names_with
from tournaments.declarations.entries import ERASE_PLAYER
from tournaments.declarations.sections import CLOSE_SECTION
from tournaments.errors import (
    NOT_FOUND,
    RESTORE_UNKNOWN,
    UNDO_BEGINNING,
    UNDO_ELSEWHERE,
    UNDO_ERASED,
    UNDO_FOR_GOOD,
    UNDO_NOT_KEPT,
    UNDONE_ALREADY,
)
from tournaments.models import (
    ActionLog,
    Bye,
    CheckIn,
    Event,
    EventRole,
    ForbiddenPair,
    Game,
    Incident,
    Participant,
    Player,
    Round,
    Section,
)
from tournaments.models.journal import OPTION, Change, Journaled, Values, whole
from tournaments.models.rounds import rounds_paired

from .log import undone_in
from .pairing_numbers import DECIDING, in_number_order

# What rows were before some actions, from the journal of these actions: the net effect of an undo.

ORDER: tuple[type[Journaled], ...] = (
    Event, EventRole, Section, Player, Participant, Round, Game, Bye, CheckIn, ForbiddenPair,
    Incident,
)  # fmt: skip
"""A model comes before the models that refer to it."""
MODEL = {model.__name__.lower(): model for model in ORDER}
NUMBERS = frozenset({"tpn", "former_tpn", "renumbered_before"})
RANKING = {"player": DECIDING, "participant": NUMBERS | DECIDING | {"equal_order"}}
"""Columns that affect the order of the entries, and so their pairing numbers."""
VERSION = "version"
FOR_GOOD = frozenset({"fide_mode", "fide_mode_left_in_round"})
"""FIDE mode, once left, does not come back (VCL4THP.13 Q45)."""

RowKey = tuple[str, int]


@dataclass(slots=True)
class RowBack:
    """A row to put back. target: its values afterwards. expected: its values now. None: there is no row.

    If the row exists before and after, both hold the same columns, those that change. version: the last one known.
    """

    target: Values | None
    expected: Values | None
    version: int = 0


@dataclass(slots=True)
class Rewind:
    """The way back over some changes. rows: the rows that differ."""

    rows: dict[RowKey, RowBack] = field(default_factory=dict)

    @classmethod
    def over(cls, changes: Iterable[Change]) -> Rewind:
        """Find the net effect. changes: in the order in which they were made, complete for these rows."""
        rows: dict[RowKey, RowBack] = {}
        for model, key, before, after in changes:
            _take(rows, (model, key), before, after)
        return cls({key: row for key, row in rows.items() if row.target != row.expected})

    def without_numbers(self) -> None:
        """Do not put pairing numbers back; entries that come back have none."""
        for (model, _), row in self.rows.items():
            if model != "participant":
                continue
            if row.target is not None and row.expected is None:
                row.target = {**row.target, **dict.fromkeys(NUMBERS)}
            elif row.target is not None and row.expected is not None:
                row.target = {name: value for name, value in row.target.items() if name not in NUMBERS}
                row.expected = {name: row.expected[name] for name in row.target}
        self.rows = {key: row for key, row in self.rows.items() if row.target != row.expected}

    def numbers(self, participants: Iterable[Participant]) -> list[int | None]:
        """Return the pairing numbers of the section afterwards. participants: the current ones."""
        after = {participant.pk: participant.tpn for participant in participants}
        for (model, key), row in self.rows.items():
            if model != "participant":
                continue
            if row.target is None:
                after.pop(key, None)
            elif row.expected is None or "tpn" in row.target:
                after[key] = row.target["tpn"]
        return list(after.values())

    def touches(self, *models_named: str) -> set[int]:
        """Return the keys of the rows of these models."""
        return {key for model, key in self.rows if model in models_named}

    def ranked_players(self) -> set[int]:
        """Return the keys of the players whose title or name changes."""
        return {
            key
            for (model, key), row in self.rows.items()
            if model == "player" and ranks([[model, key, row.expected, row.target]])
        }


def ranks(changes: Iterable[Change]) -> bool:
    """Return whether one of the changes affects the order of the entries, and so their pairing numbers."""
    return any(
        model in RANKING and (before is None or after is None or not RANKING[model].isdisjoint(after))
        for model, _, before, after in changes
    )


def _take(rows: dict[RowKey, RowBack], key: RowKey, before: Values | None, after: Values | None) -> None:
    model = MODEL[key[0]]
    full_before = whole(model, before) if after is None and before is not None else before
    row = rows.get(key)
    if row is None:
        row = rows[key] = RowBack(target=full_before, expected=None)
        row.expected = whole(model, after) if before is None and after is not None else after
    elif after is None:
        if row.target is not None and row.expected is not None and not _is_whole(model, row.target):
            row.target = {**(full_before or {}), **row.target}
        row.expected = None
    elif before is None:
        row.expected = whole(model, after)
    else:
        if row.target is not None and not _is_whole(model, row.target):
            row.target = {**before, **row.target}
        row.expected = {**(row.expected or {}), **after}
    if row.target is not None and row.expected is not None and not _is_whole(model, row.target):
        row.expected = {name: row.expected[name] for name in row.target}
    row.version = max(row.version, *((side or {}).get(VERSION, 0) for side in (full_before, after)))


def _is_whole(model: type[models.Model], values: Values) -> bool:
    return len(values) == len(whole(model, {}))


# Find out whether an undo would change pairing numbers, in memory, before anything is undone.


def renumbered(rewind: Rewind, section: Section, *, itself: bool) -> set[int]:
    """Return the open sections of the event in which the order of the remaining entries would change.

    itself: whether the section of the undo would be numbered again. Other sections are, if a person in them changes.
    """
    people = rewind.touches("player")
    sections = Section.objects.filter(participants__player__in=people).distinct() if people else ()
    found = [other for other in sections if other.pk != section.pk and not other.is_closed]
    if itself:
        found.append(section)
    return {other.pk for other in found if _reordered(other, rewind)}


def _reordered(section: Section, rewind: Rewind) -> bool:
    paired = rounds_paired(section)
    if not paired:
        return False
    entries = [
        entry
        for entry in section.participants.select_related("player")
        if not _goes(rewind, "participant", entry.pk)
    ]
    by_lot = section.fixed_rounds
    now = in_number_order(entries, paired, by_lot=by_lot)
    for entry in entries:
        for name, value in _values(rewind, "player", entry.player_id).items():
            setattr(entry.player, name, value)
        for name, value in _values(rewind, "participant", entry.pk).items():
            if name in {"rating", "equal_order"}:
                setattr(entry, name, value)
    return in_number_order(entries, paired, by_lot=by_lot) != now


def _goes(rewind: Rewind, model: str, key: int) -> bool:
    row = rewind.rows.get((model, key))
    return row is not None and row.target is None


def _values(rewind: Rewind, model: str, key: int) -> Values:
    """Return the columns of a remaining row that would change, with their new values."""
    row = rewind.rows.get((model, key))
    return row.target if row is not None and row.target is not None else {}


# Find the later actions that depend on an earlier one, so that the earlier one cannot be undone alone.
#
# A later action depends on an earlier one, for one of these reasons:
#     in_round    it changed a round that the earlier one made, or a game of this round
#     made        it changed another row that the earlier one made
#     same        both wrote the same columns of a row, or one of them deleted the row
#     names       it made a row that refers to a row which the earlier one made
#     gone        it deleted a row to which a row refers that would come back
#     place       it put a row where the earlier one had deleted one (the same unique values)
#     paired      it paired a round, still there, from what the earlier one wrote
#     round       it put results or pairs into a round that would become a draft again
#     published   it published a round whose pairs the earlier one changed
#     changed     it changed what a round was paired from, and that round would come back
#     closed      it closed the section
#
# Sections of an event share their players. Apart from a row that both wrote, the rounds of a section depend
# only on rows of the same section, and on names and titles of players if an undo would change its numbers
# (`paired_in`).
#
# A pairing is made from the results and colours of games, byes from their round on, entries, ratings,
# numbers, statuses, forbidden pairs from their round on, and the settings that the engine knows; not from
# names, clubs, notes and dates.

BEARS: dict[str, frozenset[str]] = {
    "game": frozenset({"result", "white_id", "black_id"}),
    "participant": frozenset({
        "rating", "tpn", "status", "first_round", "acceleration_group", "virtual_points", "rulings",
        "team", "pairing_flags",
    }),
    "section": frozenset({
        "rounds", "initial_colour", "acceleration", "win_points", "draw_points", "loss_points", "bye_points", "system",
        "apart_rules",
    }),
}  # fmt: skip
"""Columns that the pairing uses, besides the options of its system. The pairing always uses rows of these models that
are added or deleted.
"""
FIRST_ROUND = {"bye": "round_number", "forbiddenpair": "first_round"}
"""Rows that count for the pairings from a round on, and the column that says from which."""
DERIVED = NUMBERS | {VERSION}
"""Columns that are calculated again after an undo."""


@dataclass(frozen=True, slots=True)
class Dependent:
    """An action that depends on another. reason: a word of the list above."""

    log_id: int
    section_id: int | None
    revision: int
    reason: str


@dataclass(slots=True)
class _Rounds:
    """What some changes mean for the rounds of one section.

    changed_from: the first round whose pairing uses what was changed, 0 for every round. returning: the last round that
    would come back. rounds_left: how many rounds the section would have.
    """

    changed_from: int | None = None
    returning: int | None = None
    rounds_left: int | None = None


@dataclass(slots=True)
class Footing:
    """What some actions wrote, in the ways in which later actions may depend on it.

    round_of: the round of each game that they made, by keys. sections: by their keys.
    """

    columns: dict[RowKey, frozenset[str]] = field(default_factory=dict)
    born: set[RowKey] = field(default_factory=set)
    round_of: dict[int, int] = field(default_factory=dict)
    gone: set[RowKey] = field(default_factory=set)
    needed: set[RowKey] = field(default_factory=set)
    places: set[tuple[object, ...]] = field(default_factory=set)
    drafts: set[int] = field(default_factory=set)
    paired: set[int] = field(default_factory=set)
    sections: dict[int | None, _Rounds] = field(default_factory=lambda: defaultdict(_Rounds))

    @classmethod
    def of(cls, rows: Iterable[ActionLog]) -> Footing:
        """Collect what these actions wrote. rows: the actions that would be undone."""
        made = cls()
        for row in rows:
            for model, key, before, after in row.changes:
                made._add(model, key, before, after)
                made._add_to_rounds(made.sections[row.section_id], model, before, after)
        made.drafts -= {key for model, key in made.born if model == "round"}
        made.paired -= {key for model, key in made.born | made.gone if model == "round"}
        return made

    def tie(self, model: str, key: int) -> str:
        """Return the reason why a later action that wrote this row depends on these: in_round, made or same."""
        if (model, key) not in self.born:
            return "same"
        number = key if model == "round" else self.round_of.get(key) if model == "game" else None
        return "in_round" if number is not None and ("round", number) in self.born else "made"

    def _add(self, model: str, key: int, before: Values | None, after: Values | None) -> None:
        for column, named in _named(model).items():
            if before is not None and before.get(column) is not None:
                self.needed.add((named, before[column]))
        if before is None:
            self.born.add((model, key))
            if model == "game" and after is not None:
                self.round_of[key] = after["round_id"]
        elif after is None:
            self.gone.add((model, key))
            self.places |= set(_places(model, before))
        else:
            if written := set(after) - DERIVED:
                self.columns[model, key] = self.columns.get((model, key), frozenset()) | written
            if model == "round" and (before.get("state") == Round.State.DRAFT or "manual_phase" in before):
                self.drafts.add(key)
        if model == "game" and (before is None or after is None or {"white_id", "black_id"} & set(after)):
            self.paired |= {side["round_id"] for side in (before, after) if side and "round_id" in side}
            self.paired |= _rounds_of({key}) if before and after else set()

    def _add_to_rounds(
        self, rounds: _Rounds, model: str, before: Values | None, after: Values | None
    ) -> None:
        if model == "round" and before is not None and after is None:
            rounds.returning = max(rounds.returning or 0, before["number"])
        if model == "section" and before is not None and "rounds" in before:
            rounds.rounds_left = before["rounds"]
        first = bears_from(model, before, after)
        if first is not None:
            rounds.changed_from = first if rounds.changed_from is None else min(first, rounds.changed_from)


def dependents(
    rows: Iterable[ActionLog], later: Iterable[ActionLog], *, closed: int | None = None
) -> Iterator[Dependent]:
    """Yield the later actions that depend on some actions. later: actions that were not undone, in any order.

    closed: the section, if one of the later actions closed it.
    """
    footing = Footing.of(rows)
    later = list(later)
    standing = Round.objects.filter(section__in={row.section_id for row in later})
    # a later round that no longer exists depends on nothing
    passed = _rounds_made(later) - set(standing.values_list("pk", flat=True))
    of_drafts = _games_of(footing.drafts)
    for row in later:
        reason = _reason(row, footing, passed, of_drafts, closed=closed)
        if reason:
            yield Dependent(row.pk, row.section_id, row.revision, reason)


def paired_in(sections: Collection[int], later: Iterable[ActionLog]) -> Iterator[Dependent]:
    """Yield the later actions that paired an existing round of one of these sections."""
    if not sections:
        return
    standing = set(Round.objects.filter(section__in=sections).values_list("pk", flat=True))
    for row in later:
        if row.section_id in sections and _rounds_made([row]) & standing:
            yield Dependent(row.pk, row.section_id, row.revision, "paired")


def bears_from(model: str, before: Values | None, after: Values | None) -> int | None:
    """Return the first round whose pairing uses such a change: 0 for every round, None for no round."""
    whole_row = before if after is None else after if before is None else None
    if model in FIRST_ROUND:
        return whole_row.get(FIRST_ROUND[model], 1) if whole_row is not None else 0
    if model not in BEARS:
        return None
    if whole_row is not None:
        return 0
    written = after or ()
    return 0 if BEARS[model] & set(written) or any(name.startswith(OPTION) for name in written) else None


def _reason(
    row: ActionLog, footing: Footing, passed: set[int], of_drafts: set[int], *, closed: int | None
) -> str:
    if row.action == CLOSE_SECTION.name and closed is not None and row.section_id == closed:
        return "closed"
    rounds = footing.sections.get(row.section_id, _Rounds())
    for model, key, before, after in row.changes:
        if reason := _rests(model, key, before, after, footing, rounds, passed, of_drafts):
            return reason
    return ""


def _rests(
    model: str,
    key: int,
    before: Values | None,
    after: Values | None,
    footing: Footing,
    rounds: _Rounds,
    passed: set[int],
    of_drafts: set[int],
) -> str:
    """Return the reason, or "". rounds: those of the section of this change."""
    ghost = model == "round" and (before is None or after is None) and key in passed
    if not ghost and _same(model, key, before, after, footing):
        return footing.tie(model, key)
    if after is None and (model, key) in footing.needed:
        return "gone"
    if before is None and after is not None and not ghost:
        if any((name, after.get(column)) in footing.born for column, name in _named(model).items()):
            return "names"
        if footing.places and footing.places & set(_places(model, after)):
            return "place"
        if model == "round" and rounds.changed_from is not None and after["number"] >= rounds.changed_from:
            return "paired"
        if rounds.rounds_left is not None and after.get("round_number", 0) > rounds.rounds_left:
            return "names"
    if model == "game" and key in of_drafts:
        return "round"
    if model == "round" and key in footing.paired and "state" in (after or {}):
        return "published"
    first = bears_from(model, before, after)
    if rounds.returning is not None and first is not None and first <= rounds.returning:
        return "changed"
    return ""


def _same(model: str, key: int, before: Values | None, after: Values | None, footing: Footing) -> bool:
    row = (model, key)
    if row in footing.born or row in footing.gone:
        return before is None or after is None or bool(set(after) - DERIVED)
    if row not in footing.columns:
        return False
    return before is None or after is None or bool(footing.columns[row] & set(after))


def _named(model: str) -> Mapping[str, str]:
    """Return the columns that refer to rows of other models, and the names of those models."""
    fields = MODEL[model]._meta.concrete_fields  # noqa: SLF001 - Django documents _meta as public
    return {
        found.attname: str(found.related_model._meta.model_name)  # noqa: SLF001
        for found in fields
        if found.is_relation and found.related_model
    }


def _places(model: str, values: Values) -> Iterator[tuple[object, ...]]:
    """Yield the values of a row that no other row may have: those of each unique constraint."""
    kind = MODEL[model]
    row = whole(kind, values)
    options = kind._meta  # noqa: SLF001 - Django documents _meta as public
    fields = {field.name: field for field in options.concrete_fields}
    for constraint in options.constraints:
        if isinstance(constraint, models.UniqueConstraint):
            columns = [fields[name].attname for name in constraint.fields]
            if not DERIVED & set(columns) and all(row[column] is not None for column in columns):
                yield (constraint.name, *(row[column] for column in columns))


def _rounds_made(rows: Iterable[ActionLog]) -> set[int]:
    changes = (change for row in rows for change in row.changes)
    return {key for model, key, before, _ in changes if model == "round" and before is None}


def _games_of(rounds: set[int]) -> set[int]:
    return set(Game.objects.filter(round__in=rounds).values_list("pk", flat=True)) if rounds else set()


def _rounds_of(games: set[int]) -> set[int]:
    return set(Game.objects.filter(pk__in=games).values_list("round_id", flat=True))


# Plan an undo: which rows it would change, and which later actions do not let it.

ELSEWHERE = names_with(Undo.FOLLOWS)


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What an undo would change.

    rows: the actions to undo, oldest first, including those that are already undone. dependents: later actions that
    depend on them and are not in `rows`; if there are any, nothing is undone. outside: the same in other sections of
    the event or in the event itself. numbers_moved_on: something that is not undone has changed the ranking since, so
    the old pairing numbers would be wrong.
    """

    rows: tuple[ActionLog, ...]
    rewind: Rewind
    dependents: tuple[Dependent, ...]
    outside: tuple[Dependent, ...]
    numbers_moved_on: bool = False


def plan_undo(section: Section, revision: int) -> UndoPlan:
    """Return what undoing one action would change. Raises NotFound, DomainError as `undo` does."""
    row = section.log.filter(revision=revision).first()
    if row is None:
        raise NOT_FOUND.error(kind="action", id=revision)
    undone = undone_in(section.pk)
    if revision in undone:
        raise UNDONE_ALREADY.error(revision=revision)
    _refuse_row(section, row)
    later = _standing(ActionLog.objects.filter(event=section.event_id, pk__gt=row.pk))
    closed = section.pk if section.is_closed else None
    here = (one for one in later if one.section_id == section.pk)
    return _plan(section, [row], [row], later, closed=closed, numbers_moved_on=any(map(_moves_numbers, here)))


def plan_since(section: Section, revision: int) -> UndoPlan:
    """Return what restoring the section to `revision` would change. Raises DomainError as `undo_since` does."""
    rows = list(section.log.filter(revision__gt=revision).order_by("revision"))
    if not rows or revision < 0:
        raise NOT_FOUND.error(kind="action", id=revision + 1)
    _refuse_row(section, rows[0])
    elsewhere = ActionLog.objects.filter(event=section.event_id, pk__gt=rows[0].pk)
    others = elsewhere.filter(~Q(section=section.pk) | Q(section=None))
    # actions that followed a change in another section stay, because that change is not undone
    moved = any(row.action in ELSEWHERE for row in rows)
    return _plan(section, rows, _standing(rows), _standing(others), numbers_moved_on=moved)


def pairing_of(section: Section, number: int) -> int:
    """Return the revision of the action that paired an existing round. Raises DomainError("restore_unknown")."""
    if number not in (known := pairings_of(section)):
        raise RESTORE_UNKNOWN.error(round=number)
    return known[number]


def pairings_of(section: Section) -> dict[int, int]:
    """Return the revision of the action that paired each round, by number, for rounds that the log has. Two queries.

    An undo that brought a round back does not count: it may have removed another pairing of the same round.
    """
    number_of = dict(section.played_rounds.order_by("number").values_list("pk", "number"))
    return {
        number_of[key]: row.revision
        for row in section.log.filter(action__in=names_with(ActionKind.PAIRING))
        .order_by("pk")
        .only("changes", "revision")
        for model, key, before, _after in row.changes
        if model == "round" and before is None and key in number_of
    }


def _moves_numbers(row: ActionLog) -> bool:
    """Return whether this action, or the change in another section that it followed, may change numbers here."""
    return row.action in ELSEWHERE or ranks(row.changes)


def _plan(
    section: Section,
    rows: Sequence[ActionLog],
    standing: Sequence[ActionLog],
    later: Sequence[ActionLog],
    *,
    numbers_moved_on: bool,
    closed: int | None = None,
) -> UndoPlan:
    """Make a plan. rows: the actions to undo. standing: those not undone already. closed: as for `dependents`."""
    rewind = Rewind.over(chain.from_iterable(row.changes for row in rows))
    resting = list(dependents(standing, later, closed=closed))
    known = {found.log_id for found in resting}
    moved = renumbered(rewind, section, itself=numbers_moved_on)
    resting += [found for found in paired_in(moved, later) if found.log_id not in known]
    outside = tuple(found for found in resting if found.section_id != section.pk)
    inside = tuple(found for found in resting if found.section_id == section.pk)
    return UndoPlan(tuple(rows), rewind, inside, outside, numbers_moved_on)


def _refuse_row(section: Section, row: ActionLog) -> None:
    if any(model == "section" and before is None for model, _, before, _ in row.changes):
        raise UNDO_BEGINNING.error()
    if row.action in ELSEWHERE:
        raise UNDO_ELSEWHERE.error()
    if row.action == ERASE_PLAYER.name:
        raise UNDO_ERASED.error()
    if not row.changes and not section.log.filter(revision__lt=row.revision).exclude(changes=[]).exists():
        raise UNDO_NOT_KEPT.error()
    settings = [set(after or ()) for model, _, _, after in row.changes if model == "section"]
    if row.changes and len(settings) == len(row.changes) and set().union(*settings) <= FOR_GOOD:
        raise UNDO_FOR_GOOD.error()


def _standing(rows: Iterable[ActionLog]) -> list[ActionLog]:
    """Return the rows that were not undone, without those that only undid some of the others.

    rows: all rows of the sections and of the event since some moment.
    """
    sections: dict[int | None, list[ActionLog]] = defaultdict(list)
    for row in rows:
        sections[row.section_id].append(row)
    found: list[ActionLog] = []
    for section, since in sections.items():
        undone, first = undone_in(section) if section else {}, min(row.revision for row in since)
        found += [
            row
            for row in since
            if row.revision not in undone
            and not (row.undoes is not None and row.undoes >= first)
            and not (row.back_to is not None and row.back_to >= first - 1)
        ]
    return found
