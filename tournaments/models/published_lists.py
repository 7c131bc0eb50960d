"""Lists that were published after a round, each kept as it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import models
from django.utils import timezone

from .sections import Section

ARO, STANDINGS, CROSSTABLE = "aro", "standings", "crosstable"
"""The lists that the rules of a pairing system may ask to publish (`PairingSystem.lists`)."""
MOST_ROWS = 10_000
LONGEST_VALUE = 40


class PublishedList(models.Model):
    """A list that was published after a round. Its content never changes; a correction is a new edition.

    kind: one of `PairingSystem.lists`. edition: 1, 2, 3 among the lists of this kind after this round.
    made_at: when it was published. of_revision: the revision of the section that it shows. who: published it; "" if it
    was published by itself. withdrawn_at: when it stopped being true while no new edition could be made.
    content: as `tournaments.queries.published_lists` writes it. It names players by their keys, without their names.

    An undo of the action that published a list withdraws the list and does not delete it, so the journal does not have
    these rows.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="published_lists")
    kind = models.CharField(max_length=20)
    after_round = models.PositiveSmallIntegerField()
    edition = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    of_revision = models.PositiveIntegerField()
    who = models.CharField(max_length=150, blank=True)
    content = models.JSONField(default=dict)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["section_id", "kind", "after_round", "edition"]
        constraints = [
            models.UniqueConstraint(
                fields=["section", "kind", "after_round", "edition"], name="one_list_an_edition"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} after round {self.after_round}, edition {self.edition}"

    @property
    def before_round(self) -> int:
        return self.after_round + 1

    @property
    def by_itself(self) -> bool:
        return not self.who

    @property
    def withdrawn(self) -> bool:
        return self.withdrawn_at is not None


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1_000_000


def _is_optional(value: Any) -> bool:
    return value is None or _is_number(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_VALUE and value.isprintable()


def _is_value(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < 1_000_000


def _is_flag(value: Any) -> bool:
    return type(value) is bool


def _is_colour(value: Any) -> bool:
    return value in ("w", "b", "")


def _each(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and len(value) <= MOST_ROWS and all(map(check, value))


def _in_order(*checks: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, list)
        and len(value) == len(checks)
        and all(check(one) for check, one in zip(checks, value, strict=True))
    )


def _or_none(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or check(value)


def _is_points(value: Any) -> bool:
    return type(value) is int and abs(value) < 1_000_000


def _shaped(
    checks: Mapping[str, Callable[[Any], bool]], optional: frozenset[str] = frozenset()
) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, dict)
        and set(checks) - optional <= set(value) <= set(checks)
        and all(checks[name](found) for name, found in value.items())
    )


_PLAYER: Mapping[str, Callable[[Any], bool]] = {
    "player": _is_number,
    "tpn": _is_optional,
    "rating": _is_number,
    "points": _is_points,
    "withdrawn": _is_flag,
}
_BOARDS = _each(_in_order(_is_number, _is_number))
_ARO_ROW = _shaped(
    {
        **_PLAYER,
        "former_tpn": _is_optional,
        "pairing_points": _is_points,
        "games": _is_number,
        "aro": _is_value,
        "met": _each(_in_order(_is_number, _is_optional, _is_number)),
        "colours": _each(_is_colour),
        "due": _or_none(_in_order(_is_colour, lambda value: value in (0, 1, 2, 3))),
        "upfloats": _each(_is_number),
        "bye": _is_flag,
    }
)
_TABLE_ROW = _shaped(
    {
        **_PLAYER,
        "place": _is_optional,
        "values": _each(_is_text),
        "cells": _each(_in_order(_is_number, _is_optional, _is_colour, _is_text)),
        "decisions": _each(_in_order(_is_number, _is_points, _is_flag)),
    },
    optional=frozenset({"decisions"}),
)
_CONTENT: Mapping[str, Callable[[Any], bool]] = {
    ARO: _shaped({"rows": _each(_ARO_ROW), "adjourned": _BOARDS}),
    STANDINGS: _shaped({"rows": _each(_TABLE_ROW), "adjourned": _BOARDS, "tie_breaks": _each(_is_text)}),
}
_CONTENT = {**_CONTENT, CROSSTABLE: _CONTENT[STANDINGS]}


def is_content(kind: str, value: Any) -> bool:
    """Return whether a list of this kind can have this content. A copy of a section may hold anything."""
    return kind in _CONTENT and _CONTENT[kind](value)


def with_other_keys(content: Mapping[str, Any], key_of: Callable[[int], int | None]) -> dict[str, Any]:
    """Return the content with other keys of players; 0 for a player whose entry was removed."""

    def row(found: Mapping[str, Any]) -> dict[str, Any]:
        named = {**found, "player": key_of(found["player"]) or 0}
        for column in ("met", "cells"):
            if column in named:
                named[column] = [[key_of(cell[0]) or 0, *cell[1:]] for cell in named[column]]
        return named

    return {**content, "rows": [row(found) for found in content["rows"]]}
