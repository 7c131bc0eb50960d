"""Say each row of the log: its sentence, what changed, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournaments.declarations import ACTIONS, names_of
from tournaments.log_seal import shown
from tournaments.queries.log import LogRow
from web.words.copies import Brought, brought_of
from web.words.log_sentences import sentence_of
from web.words.log_values import in_order, is_setting, name_of, value_text
from web.words.values import actor_words, name_words, origin_words


@dataclass(frozen=True, slots=True)
class Value:
    """A value that changed; "" before or after means nothing."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Change:
    """A row in words. values: what changed, if the sentence does not say it all."""

    at: datetime
    who: str
    origin: str
    sentence: str
    values: tuple[Value, ...]
    reason: str
    integrity: str
    revision: int
    undone_by: int | None = None
    undone_who: str = ""
    undoable: bool = False
    details: tuple[Value, ...] = ()
    brought: Brought | None = None
    seal: str = ""


def change_of(row: LogRow) -> Change:
    """Return the row in words."""
    return Change(
        at=row.at,
        who=actor_words(row),
        origin=origin_words(row),
        sentence=sentence_of(row),
        values=_values(row) if row.action in SHOW_VALUES else (),
        reason=row.reason,
        integrity=row.integrity_label,
        revision=row.revision,
        undone_by=row.undone_by,
        undone_who=name_words(row.undone_who, row.undone_origin),
        undoable=row.undoable,
        details=_details(row),
        brought=brought_of(row.brought),
        seal=shown(row.seal),
    )


SHOW_VALUES = names_of(action for action in ACTIONS.values() if action.shows_values)
KEYS = frozenset({
    "participant", "game", "changed", "revision", "actions", "board", "turned", "move", "round", "version", "ranks",
})  # fmt: skip
"""Values that the details leave out: keys of rows, and what the sentence says (board, round, kind of move)."""


def _values(row: LogRow) -> tuple[Value, ...]:
    before, after = _mapping(row.before), _mapping(row.after)
    return tuple(
        Value(name_of(name), value_text(name, before.get(name)), value_text(name, after.get(name)))
        for name in in_order({**before, **after})
        if is_setting(name)
    )


def _details(row: LogRow) -> tuple[Value, ...]:
    """Return all values that the log keeps, except those that are nothing before and after."""
    before, after = _mapping(row.before), _mapping(row.after)
    hidden = KEYS if row.back_to is None else {*before, *after}  # the sentence about going back says it all
    if (row.undone_row or row).action == "confirm_result":
        hidden = {*hidden, "result"}  # a second reading changes no result
    values = (
        Value(
            name_of(name),
            value_text(name, before.get(name), people=row.people, of=before),
            value_text(name, after.get(name), people=row.people, of=after),
        )
        for name in in_order({**before, **after})
        if name not in hidden
    )
    return tuple(value for value in values if value.before or value.after)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
