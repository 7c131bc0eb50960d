"""The last drawing of lots of a section."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.declarations.rounds import DRAW_LOTS, SET_LOTS
from tournaments.models import Section

from .undone import undone_in


@dataclass(frozen=True, slots=True)
class LastDraw:
    """seed: repeats the draw; "" if the numbers were typed. restricted: federations were kept apart."""

    seed: str
    restricted: bool


def last_draw(section: Section) -> LastDraw | None:
    """Return the last draw that was not undone. Two queries."""
    rows = section.log.filter(action__in=(DRAW_LOTS.name, SET_LOTS.name)).order_by("-pk").defer("changes")
    undone = undone_in(section.pk)
    row = next((row for row in rows if row.revision not in undone), None)
    if row is None:
        return None
    return LastDraw(str(row.after.get("seed", "")), bool(row.after.get("restricted")))
