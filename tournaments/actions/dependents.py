"""Which later actions rest on an earlier one, so that it cannot be taken back from under them.

A later action that stands rests on an earlier one
    same        if both wrote the same columns of a row, or one of them made or deleted it,
    names       if it made something that names a row which the earlier one made,
    gone        if it deleted a row that one which would come back names,
    place       if it put something where a row stood that the earlier one deleted,
    paired      if it paired a round that still stands, from what the earlier one wrote,
    round       if it put results or pairs into a round that would be a draft again,
    published   if it published a round whose pairs the earlier one changed,
    changed     if it changed what a round was paired from that would come back,
    closed      if it closed the section.
What bears on a pairing: results and colours of games, byes from their round on, entries, ratings, numbers, statuses,
forbidden pairs from their round on, and the settings that the engine knows; not names, clubs, notes and the schedule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from django.db import models

from tournaments.models import ActionLog, Game, Round
from tournaments.models.journal import Change, Values, whole

from .rewind import MODEL, NUMBERS, VERSION, Key

BEARS: dict[str, frozenset[str]] = {
    "game": frozenset({"result", "white_id", "black_id"}),
    "participant": frozenset({"rating", "tpn", "status", "first_round", "acceleration_group"}),
    "tournament": frozenset({
        "rounds", "initial_colour", "acceleration", "upfloats", "win_points", "draw_points", "loss_points",
        "bye_points", "edition", "system",
    }),
}  # fmt: skip
"""Columns of rows that are changed; bringing or taking away such a row bears on the pairings in any case."""
FIRST_ROUND = {"bye": "round_number", "forbiddenpair": "first_round"}
"""Rows that bear on the pairings from a round on."""
DERIVED = NUMBERS | {VERSION}
"""Columns that are made anew after an undo."""


@dataclass(frozen=True, slots=True)
class Dependent:
    """An action that rests on another. reason: a word of the list above."""

    log_id: int
    tournament_id: int | None
    revision: int
    reason: str


@dataclass(slots=True)
class Footing:
    """What some changes wrote, in the ways in which later actions may rest on it."""

    columns: dict[Key, frozenset[str]] = field(default_factory=dict)
    born: set[Key] = field(default_factory=set)
    gone: set[Key] = field(default_factory=set)
    needed: set[Key] = field(default_factory=set)
    places: set[tuple[object, ...]] = field(default_factory=set)
    bears_from: int | None = None
    returning: int | None = None
    drafts: set[int] = field(default_factory=set)
    paired: set[int] = field(default_factory=set)
    rounds_left: int | None = None

    @classmethod
    def of(cls, changes: Iterable[Change]) -> Footing:
        """changes: of the actions that would be taken back."""
        made = cls()
        for model, key, before, after in changes:
            made._add(model, key, before, after)
        made.drafts -= {key for model, key in made.born if model == "round"}
        made.paired -= {key for model, key in made.born | made.gone if model == "round"}
        return made

    def _add(self, model: str, key: int, before: Values | None, after: Values | None) -> None:
        for column, named in _named(model).items():
            if before is not None and before.get(column) is not None:
                self.needed.add((named, before[column]))
        if before is None:
            self.born.add((model, key))
        elif after is None:
            self.gone.add((model, key))
            self.places |= set(_places(model, before))
            if model == "round":
                self.returning = max(self.returning or 0, before["number"])
        else:
            self.columns[model, key] = self.columns.get((model, key), frozenset()) | (set(after) - DERIVED)
            if model == "round" and (before.get("state") == Round.State.DRAFT or "manual_phase" in before):
                self.drafts.add(key)
            if model == "tournament" and "rounds" in before:
                self.rounds_left = before["rounds"]
        bears = bears_from(model, before, after)
        if bears is not None:
            self.bears_from = bears if self.bears_from is None else min(bears, self.bears_from)
        if model == "game" and (before is None or after is None or {"white_id", "black_id"} & set(after)):
            self.paired |= {side["round_id"] for side in (before, after) if side and "round_id" in side}
            self.paired |= _rounds_of({key}) if before and after else set()


def dependents(
    changes: Iterable[Change],
    later: Iterable[ActionLog],
    *,
    closed: bool = False,
) -> Iterator[Dependent]:
    """Those of the later actions that rest on these changes. later: those that stand, in any order.

    closed: the section is closed, by one of the later actions.
    """
    footing = Footing.of(changes)
    rows = list(later)
    standing = Round.objects.filter(tournament__in={row.tournament_id for row in rows})
    # rounds that were paired later and are gone: they rest on nothing
    passed = _rounds_made(rows) - set(standing.values_list("pk", flat=True))
    of_drafts = _games_of(footing.drafts)
    for row in rows:
        reason = _reason(row, footing, passed, of_drafts, closed=closed)
        if reason:
            yield Dependent(row.pk, row.tournament_id, row.revision, reason)


def bears_from(model: str, before: Values | None, after: Values | None) -> int | None:
    """The first round whose pairing such a change bears on, 0 for every one; None if on none."""
    whole_row = before if after is None else after if before is None else None
    if model in FIRST_ROUND:
        return whole_row.get(FIRST_ROUND[model], 1) if whole_row is not None else 0
    if model not in BEARS:
        return None
    if whole_row is not None:
        return 0
    return 0 if BEARS[model] & set(after or ()) else None


def _reason(row: ActionLog, footing: Footing, passed: set[int], of_drafts: set[int], *, closed: bool) -> str:
    if closed and row.action == "close_tournament":
        return "closed"
    for model, key, before, after in row.changes:
        if reason := _rests(model, key, before, after, footing, passed, of_drafts):
            return reason
    return ""


def _rests(
    model: str,
    key: int,
    before: Values | None,
    after: Values | None,
    footing: Footing,
    passed: set[int],
    of_drafts: set[int],
) -> str:
    ghost = model == "round" and (before is None or after is None) and key in passed
    if not ghost and _same(model, key, before, after, footing):
        return "same"
    if after is None and (model, key) in footing.needed:
        return "gone"
    if before is None and after is not None and not ghost:
        if any((name, after.get(column)) in footing.born for column, name in _named(model).items()):
            return "names"
        if footing.places and footing.places & set(_places(model, after)):
            return "place"
        if model == "round" and footing.bears_from is not None and after["number"] >= footing.bears_from:
            return "paired"
        if footing.rounds_left is not None and after.get("round_number", 0) > footing.rounds_left:
            return "names"
    if model == "game" and key in of_drafts:
        return "round"
    if model == "round" and key in footing.paired and "state" in (after or {}):
        return "published"
    bears = bears_from(model, before, after)
    if footing.returning is not None and bears is not None and bears <= footing.returning:
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
    """The columns of a model that name rows of other models, and which."""
    fields = MODEL[model]._meta.concrete_fields  # noqa: SLF001 - public, whatever its name
    return {
        found.attname: str(found.related_model._meta.model_name)  # noqa: SLF001
        for found in fields
        if found.is_relation
    }


def _places(model: str, values: Values) -> Iterator[tuple[object, ...]]:
    """What a row has for itself alone: its values under each unique constraint."""
    kind = MODEL[model]
    row = whole(kind, values)
    options = kind._meta  # noqa: SLF001 - public, whatever its name
    for constraint in options.constraints:
        if isinstance(constraint, models.UniqueConstraint):
            columns = [options.get_field(name).attname for name in constraint.fields]
            if not DERIVED & set(columns) and all(row[column] is not None for column in columns):
                yield (constraint.name, *(row[column] for column in columns))


def _rounds_made(rows: Iterable[ActionLog]) -> set[int]:
    changes = (change for row in rows for change in row.changes)
    return {key for model, key, before, _ in changes if model == "round" and before is None}


def _games_of(rounds: set[int]) -> set[int]:
    return set(Game.objects.filter(round__in=rounds).values_list("pk", flat=True)) if rounds else set()


def _rounds_of(games: set[int]) -> set[int]:
    return set(Game.objects.filter(pk__in=games).values_list("round_id", flat=True))
