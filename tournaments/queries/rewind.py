"""What rows were before some actions, from the journal of these actions: the net effect of an undo."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db import models

from tournaments.models import (
    Bye,
    CheckIn,
    Event,
    EventRole,
    ForbiddenPair,
    Game,
    Participant,
    Player,
    Round,
    Section,
)
from tournaments.models.journal import Change, Journaled, Values, whole

from .numbers import DECIDING

ORDER: tuple[type[Journaled], ...] = (
    Event, EventRole, Section, Player, Participant, Round, Game, Bye, CheckIn, ForbiddenPair,
)  # fmt: skip
"""A model comes before the models that refer to it."""
MODEL = {model.__name__.lower(): model for model in ORDER}
NUMBERS = frozenset({"tpn", "former_tpn"})
RANKING = {"player": DECIDING, "participant": NUMBERS | DECIDING | {"equal_order"}}
"""Columns that affect the order of the entries, and so their pairing numbers."""
VERSION = "version"
FOR_GOOD = frozenset({"fide_mode", "fide_mode_left_in_round"})
"""FIDE mode, once left, does not come back (VCL4THP.13 Q45)."""

Key = tuple[str, int]


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

    rows: dict[Key, RowBack] = field(default_factory=dict)

    @classmethod
    def over(cls, changes: Iterable[Change]) -> Rewind:
        """Find the net effect. changes: in the order in which they were made, complete for these rows."""
        rows: dict[Key, RowBack] = {}
        for model, key, before, after in changes:
            _take(rows, (model, key), before, after)
        return cls({key: row for key, row in rows.items() if row.target != row.expected})

    def without_numbers(self) -> None:
        """Do not put pairing numbers back; entries that come back have none."""
        for (model, _), row in self.rows.items():
            if model != "participant":
                continue
            if row.target is not None and row.expected is None:
                row.target = {**row.target, "tpn": None, "former_tpn": None}
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


def _take(rows: dict[Key, RowBack], key: Key, before: Values | None, after: Values | None) -> None:
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
