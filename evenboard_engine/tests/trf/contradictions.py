"""Report files that contradict themselves, with the errors that must be reported."""

from __future__ import annotations

from evenboard_engine.tests.trf.columns import as_file, player_line

GOOD = {
    1: ("3 w 1", "2 b =", "0000 - U"),
    2: ("4 b 1", "1 w =", "3 b 0"),
    3: ("1 b 0", "5 w 1", "2 w 1"),
    4: ("2 w 0", "0000 - U", "5 w ="),
    5: ("0000 - U", "3 b 0", "4 b ="),
}
POINTS = {1: "2.5", 2: "1.5", 3: "2.0", 4: "1.5", 5: "1.5"}
RECORDS = ("142 7", "152 W")


def broken(*changes: tuple[int, int, str], records: tuple[str, ...] = RECORDS, **points: str) -> bytes:
    """Return the good file with changed entries (player, round, entry) and changed points (`of_2="9.5"`)."""
    entries = {player: list(rounds) for player, rounds in GOOD.items()}
    for player, number, entry in changes:
        entries[player][number - 1] = entry
    lines = [
        player_line(
            *rounds,
            starting_rank=player,
            rating=2500 - player,
            points=points.get(f"of_{player}", POINTS[player]),
        )
        for player, rounds in entries.items()
    ]
    return as_file(*records, *lines)


CONTRADICTIONS: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "a result with no partner": (
        broken((3, 1, ""), of_3=""),
        ("line 3, column 92: round 1: 1 has 3 as opponent, but 3 (line 5) has nobody",),
    ),
    "a result without an opponent": (
        broken((3, 1, "0000 - 1")),
        ("line 5, column 99: player 3: round 1: '1' needs an opponent (a bye is H, F, U or Z)",),
    ),
    "a colour clash": (
        broken((2, 2, "1 b =")),
        ("line 4, column 107: round 2: one of 2 and 1 (line 3) must be White, the other Black",),
    ),
    "results that do not fit": (
        broken((2, 2, "1 w 1"), of_2="2.0"),
        ("line 4, column 109: round 2: '1' and '=' for 2 and 1 (line 3) do not make a result together",),
    ),
    "points that do not add up": (
        broken(of_2="9.5"),
        ("line 4, column 81: player 2: the points must be the sum of the results, 1.5, not 9.5",),
    ),
    "an unknown opponent": (
        broken((4, 3, "17 w =")),
        (
            "line 6, column 112: round 3: the opponent 17 of 4 is not in the file",
            "line 7, column 112: round 3: 5 has 4 as opponent, but 4 (line 6) has 17",
        ),
    ),
    "an opponent who plays somebody else": (
        broken((4, 3, "2 w =")),
        (
            "line 6, column 112: round 3: 4 has 2 as opponent, but 2 (line 4) has 3",
            "line 7, column 112: round 3: 5 has 4 as opponent, but 4 (line 6) has 2",
        ),
    ),
    "oneself as opponent": (
        broken((1, 3, "1 w ="), of_1="2.0"),
        ("line 3, column 112: round 3: 1 cannot be their own opponent",),
    ),
    "a round with a hole": (
        broken(*((player, 2, "") for player in GOOD), of_1="", of_2="", of_3="", of_4="", of_5=""),
        ("line 3, column 102: round 2 is empty for all players, but a later round is not",),
    ),
    "a round beyond the last one": (
        broken(records=("142 2", "152 W")),
        ("line 3, column 112: there is a round 3, but the tournament has 2 rounds",),
    ),
    "a bye against somebody": (
        broken((4, 1, "2 w H")),
        ("line 6, column 99: player 4: round 1: 'H' is for a round without an opponent, but 2 is given",),
    ),
    "a game without colours": (
        broken((4, 1, "2 - 0")),
        ("line 6, column 97: player 4: round 1: the game against 2 needs a colour, w or b",),
    ),
    "two numbers of rounds": (
        broken(records=("142 7", "XXR 8")),
        ("line 2, column 5: the number of rounds is 8 here, but 7 in an earlier line",),
    ),
    "two initial-colours": (
        broken(records=("142 7", "152 W", "XXC black1")),
        ("line 3, column 5: the initial-colour 'b' contradicts an earlier line",),
    ),
    "a bye that the player does not have": (
        broken(records=("142 7", "152 W", "240 H 002 0003")),
        ("line 3, column 5: player 3 has the bye 'H' in round 2 here, but '1' in the player's own line",),
    ),
    "an absentee who is not in the file": (
        broken(records=("142 7", "152 W", "XXZ 17")),
        ("line 3, column 5: player 17 is not in the file",),
    ),
}
