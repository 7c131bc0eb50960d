"""What becomes of the games of a player who leaves a round robin (FIDE Handbook C.05, 6.6).

The games that are left are forfeited. If the player completed fewer than half of the games, no game of the player
counts for the final standings; all stay in the crosstable and in the report.
"""

from __future__ import annotations

from evenboard_engine.model import RESULTS, Colour, Game, Outcome, Result, Tournament

from .field import Field


def forfeit(tournament: Tournament, white: int, black: int) -> Result | None:
    """Return the result of a game that cannot be played because somebody has left; None if it can be played."""
    gone = white in tournament.absent, black in tournament.absent
    return {
        (True, True): Result.DOUBLE_FORFEIT,
        (True, False): Result.BLACK_WINS_BY_FORFEIT,
        (False, True): Result.WHITE_WINS_BY_FORFEIT,
    }.get(gone)


def uncounted(tournament: Tournament) -> dict[int, tuple[int, int]]:
    """Return those of `completed` who left before they had completed half of their games. Exactly half is enough."""
    return {player: (count, of) for player, (count, of) in completed(tournament).items() if 2 * count < of}


def completed(tournament: Tournament) -> dict[int, tuple[int, int]]:
    """Return the players who left. For each of them: how many games were completed, and of how many.

    Reading: a game is completed if it was played, is adjourned, or was won because the opponent did not appear.
    """
    if not tournament.absent:
        return {}
    needed = Field.of(tournament).schedule.games_of_one
    counts = dict.fromkeys(tournament.absent, 0)
    for game in tournament.games:
        for player, colour in ((game.white, Colour.WHITE), (game.black, Colour.BLACK)):
            if player in counts and is_completed(game, colour):
                counts[player] += 1
    return {player: (count, needed) for player, count in counts.items()}


def is_completed(game: Game, colour: Colour) -> bool:
    meaning = RESULTS[game.result]
    return (meaning.white if colour is Colour.WHITE else meaning.black) is not Outcome.FORFEIT_LOSS
