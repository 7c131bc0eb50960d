"""Ratings that were used for earlier rounds and edited since, as comment lines of the report file.

The log has them: each row about an entry has its rating before and after.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Q

from evenboard_engine.trf import rating_lines
from tournaments.declarations import names_of
from tournaments.declarations.entries import (
    ADD_PARTICIPANT,
    EDIT_PARTICIPANT,
    IMPORT_ENTRIES,
    REMOVE_PARTICIPANT,
)
from tournaments.declarations.sections import SET_RATING_METHOD
from tournaments.models import ActionLog
from tournaments.queries.field import SectionField

_ENTERS = names_of((ADD_PARTICIPANT, EDIT_PARTICIPANT, IMPORT_ENTRIES, REMOVE_PARTICIPANT, SET_RATING_METHOD))


def rates() -> Q:
    """Return the condition for rows of the log that may change ratings, or undo such a change."""
    return Q(action__in=_ENTERS) | Q(undoes__isnull=False) | Q(back_to__isnull=False)


def earlier_rating_lines(
    field: SectionField, rows: Iterable[ActionLog], paired_at: Mapping[int, int]
) -> Iterator[str]:
    """Yield the lines, by round. rows: of the log, oldest first, at least those of `rates`.

    paired_at: the revision of the action that paired each round. A round of an imported file has none: it has the
    ratings of the import, or those of the comments that are kept with it. Fixed rounds were paired without ratings, and
    a substitute there has the number of somebody else: no line.
    """
    if field.section.fixed_rounds:
        return
    history = _Ratings(rows)
    later = {key: entry.rating for key, entry in field.participants.items()}
    lines: list[tuple[str, ...]] = []
    for played in reversed(field.rounds):
        then = {
            key: history.at(key, paired_at.get(played.number, 0), now=entry.rating)
            for key, entry in field.participants.items()
        }
        found = {
            field.participants[key].tpn or 0: rating
            for key, rating in then.items()
            if rating is not None and rating != later[key]
        }
        later = {key: rating or later[key] for key, rating in then.items()}
        lines.append(tuple(rating_lines(found, played.number)))
    for of_round in reversed(lines):
        yield from of_round


class _Ratings:
    """The ratings of the entries at any revision of the section."""

    def __init__(self, rows: Iterable[ActionLog]) -> None:
        self._steps: dict[int, list[tuple[int, int | None, int | None]]] = defaultdict(list)
        self._back: dict[int, int] = {}
        for row in rows:
            before, after = _ratings(row.before), _ratings(row.after)
            for key in {**before, **after}:
                self._steps[key].append((row.revision, before.get(key), after.get(key)))
            if row.back_to is not None:
                self._back[row.revision] = row.back_to
            elif row.undoes in self._back:
                self._back[row.revision] = row.undoes - 1

    def at(self, key: int, revision: int, *, now: int) -> int | None:
        """Return the rating of an entry after an action; None before it was entered. now: if the log has no change."""
        steps = self._steps.get(key, [])
        if not steps:
            return now
        while True:
            earlier = [step for step in steps if step[0] <= revision]
            last = earlier[-1][0] if earlier else -1
            back = max((at for at in self._back if last < at <= revision), default=None)
            if back is None:
                return earlier[-1][2] if earlier else steps[0][1]
            revision = self._back[back]


def _ratings(values: Any) -> dict[int, int]:
    """Return the ratings in one side of a row, by participant. The log of a copy from elsewhere may hold anything."""
    content = values if isinstance(values, dict) else {}
    entries = [[content.get("participant"), content], *(content.get("entries") or ())]
    return {
        entry[0]: entry[1]["rating"]
        for entry in entries
        if isinstance(entry[0], int)
        and isinstance(entry[1], dict)
        and isinstance(entry[1].get("rating"), int)
    }
