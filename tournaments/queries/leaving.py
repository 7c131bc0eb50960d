"""What becomes of the games of a player who leaves a section whose rounds are fixed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pairing.engine import RESULTS, Tournament, system_of
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
    value = _without(field.engine, entry.pk)
    completed, total = system_of(value).uncounted(value).get(entry.pk, (None, None))
    games = sum(entry.pk in (game.white_id, game.black_id) for game in field.open_games)
    return Leaving(games, completed, total)


def _without(tournament: Tournament, player: int) -> Tournament:
    """Return the tournament as it is when the player has left.

    Wins against players who left before, in rounds of which no game has been played yet, are no wins then.
    """
    begun = {game.round for game in tournament.games if RESULTS[game.result].played}
    games = tuple(
        game for game in tournament.games if game.round in begun or player not in (game.white, game.black)
    )
    return replace(tournament, games=games, absent=tournament.absent | {player})
