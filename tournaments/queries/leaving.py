"""What becomes of the games of a player who leaves a section whose rounds are fixed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pairing.engine import system_of
from tournaments.models import Participant, Section

from .field import load_field


@dataclass(frozen=True, slots=True)
class Leaving:
    """open: how many games of paired rounds have no result and would be forfeited.

    completed, total: how many games the player completed, and of how many, if these games would not count for the
    standings; None if they would.
    """

    open: int
    completed: int | None
    total: int | None


def leaving(section: Section, entry: Participant) -> Leaving | None:
    """Return what happens if the player leaves now; None where rounds are not fixed. Four queries."""
    if not section.fixed_rounds:
        return None
    field = load_field(section, include_drafts=True)
    value = replace(field.engine, absent=field.engine.absent | {entry.pk})
    completed, total = system_of(value).uncounted(value).get(entry.pk, (None, None))
    games = sum(entry.pk in (game.white_id, game.black_id) for game in field.open_games)
    return Leaving(games, completed, total)
