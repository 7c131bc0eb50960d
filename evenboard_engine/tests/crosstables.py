"""Read a tournament from a crosstable in a test.

A line is a player: number, rating, and after `|` each round: opponent, colour and result (`3w1`, `7b=`, `9b-`), or a
bye (`U`, `H`, `F`, `Z`).
"""

from __future__ import annotations

from evenboard_engine import Bye, ByeKind, Game, Player, Result, Tournament

RESULTS_OF_WHITE = {
    ("1", "0"): Result.WHITE_WINS,
    ("=", "="): Result.DRAW,
    ("0", "1"): Result.BLACK_WINS,
    ("+", "-"): Result.WHITE_WINS_BY_FORFEIT,
    ("-", "+"): Result.BLACK_WINS_BY_FORFEIT,
    ("-", "-"): Result.DOUBLE_FORFEIT,
}


def crosstable(text: str, **more: object) -> Tournament:
    """Return the tournament after all rounds of the table. more: of `Tournament`."""
    players, byes, rows = [], [], {}
    for line in text.strip().splitlines():
        head, cells = line.split("|")
        number, rating = map(int, head.split())
        players.append(Player(number, number, rating))
        rows[number] = cells.split()
    games = []
    for number, cells in rows.items():
        for at, cell in enumerate(cells, start=1):
            if cell in tuple(ByeKind):
                byes.append(Bye(at, number, ByeKind(cell)))
            elif cell[-2] == "w":
                opponent = int(cell[:-2])
                answer = rows[opponent][at - 1]
                assert answer[:-1] == f"{number}b", (number, at)
                games.append(Game(at, number, opponent, RESULTS_OF_WHITE[cell[-1], answer[-1]]))
    rounds = max(map(len, rows.values()))
    return Tournament(rounds, rounds + 1, tuple(players), tuple(games), tuple(byes), **more)  # type: ignore[arg-type]
