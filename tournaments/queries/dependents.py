"""Find the later actions that depend on an earlier one, so that the earlier one cannot be undone alone.

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

A pairing is made from the results and colours of games, byes from their round on, entries, ratings, numbers, statuses,
forbidden pairs from their round on, and the settings that the engine knows; not from names, clubs, notes and dates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from django.db import models

from tournaments.declarations.sections import CLOSE_SECTION
from tournaments.models import ActionLog, Game, Round
from tournaments.models.journal import OPTION, Values, whole

from .rewind import MODEL, NUMBERS, VERSION, Key

BEARS: dict[str, frozenset[str]] = {
    "game": frozenset({"result", "white_id", "black_id"}),
    "participant": frozenset({
        "rating", "tpn", "status", "first_round", "acceleration_group", "virtual_points", "rulings",
        "team", "pairing_flags",
    }),
    "section": frozenset({
        "rounds", "initial_colour", "acceleration", "win_points", "draw_points", "loss_points", "bye_points", "system",
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

    columns: dict[Key, frozenset[str]] = field(default_factory=dict)
    born: set[Key] = field(default_factory=set)
    round_of: dict[int, int] = field(default_factory=dict)
    gone: set[Key] = field(default_factory=set)
    needed: set[Key] = field(default_factory=set)
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
