"""What becomes of the games of a player who leaves a section whose rounds are fixed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from evenboard_engine import RESULTS, Game, Outcome, Tournament, system_of
from tournaments.models import Participant, Section

from .field import load_field


@dataclass(frozen=True, slots=True)
class Leaving:
    """open: how many games of paired rounds have no result and would be forfeited.

    lost: how many games, won against players who left before, would be lost by both.
    completed, total: how many games the player completed, and of how many. counts: they count for the standings.
    """

    open: int
    lost: int
    completed: int
    total: int
    counts: bool


def leaving(section: Section, entry: Participant) -> Leaving | None:
    """Return what happens if the player leaves now; None where rounds are not fixed. Four queries."""
    if not section.fixed_rounds:
        return None
    field = load_field(section, include_drafts=True)
    lost = _lost(field.engine, entry.pk)
    value = replace(
        field.engine,
        games=tuple(game for game in field.engine.games if game not in lost),
        absent=field.engine.absent | {entry.pk},
    )
    system = system_of(value)
    completed, total = system.completed(value)[entry.pk]
    games = sum(entry.pk in (game.white_id, game.black_id) for game in field.open_games)
    return Leaving(games, len(lost), completed, total, counts=entry.pk not in system.uncounted(value))


def _lost(tournament: Tournament, player: int) -> frozenset[Game]:
    """Return the games won against players who left before, in rounds of which no game has been played yet."""
    begun = {game.round for game in tournament.games if RESULTS[game.result].played}
    return frozenset(
        game
        for game in tournament.games
        for won, other, outcome in (
            (game.white, game.black, RESULTS[game.result].white),
            (game.black, game.white, RESULTS[game.result].black),
        )
        if won == player
        and other in tournament.absent
        and outcome is Outcome.FORFEIT_WIN
        and game.round not in begun
    )
