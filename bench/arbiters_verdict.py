"""Check row by row that everything acknowledged to an arbiter is in the log exactly once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

State = tuple[str, str]  # the result, and the second reading of the slip


@dataclass
class Move:
    """An acknowledged move: at this version the game has this value."""

    game: int
    kind: str
    value: str
    version: int


@dataclass(frozen=True)
class Report:
    """The figures of one round.

    acknowledged: moves that the server accepted. agreed: accepted moves that changed nothing: somebody else had typed
    the same, or the same person had before a server was killed. clashes: refused moves. tries: requests without an
    answer. slowest: the longest time in seconds until a move was acknowledged, including restarts of the server.
    faults: errors found; empty if nothing was lost and nothing was stored twice.
    """

    acknowledged: int
    logged: int
    clashes: int
    tries: int
    kills: int
    agreed: int
    seconds: float
    slowest: float
    faults: tuple[str, ...]


def verdict(moves: Mapping[str, Sequence[Move]], kept: Mapping[str, Any], before: int) -> dict[str, Any]:
    """Compare the moves acknowledged to each person with the games and the log; return logged, agreed and faults.

    before: the revision of the section before the first move.
    """
    rows = [row for row in kept["log"] if row["action"] in {"record_result", "confirm_result"}]
    states: dict[int, list[State]] = {int(game): [("", "")] for game in kept["games"]}
    authors: Counter[tuple[str, int, int]] = Counter()
    faults: list[str] = []
    for row in rows:
        game = row["after"]["game"]
        faults += _step(row, states[game])
        authors[row["who"], game, len(states[game]) - 1] += 1
    faults += _games(kept["games"], states)
    numbers = [row["revision"] for row in kept["log"]]
    if numbers != list(range(1, kept["revision"] + 1)):
        faults.append(f"the revisions of the log do not count up to {kept['revision']}")
    if kept["revision"] != before + len(rows):
        faults.append(f"{kept['revision'] - before} revisions for {len(rows)} rows")
    agreed = 0
    for who, each in moves.items():
        for move in each:
            state = states[move.game][move.version : move.version + 1]
            if not state or state[0][0 if move.kind == "result" else 1] != move.value:
                faults.append(f"{who}: {move} was acknowledged and is not in the log")
            elif not authors[who, move.game, move.version]:
                agreed += 1
    return {"logged": len(rows), "agreed": agreed, "faults": tuple(faults)}


def _step(row: Mapping[str, Any], chain: list[State]) -> list[str]:
    """Append the state that a row of the log gives to its game, and return the row's errors."""
    result, second = chain[-1]
    before, after = row["before"], row["after"]
    if row["action"] == "record_result":
        chain.append((after["result"], after.get("second_result", second)))
        stood = before["result"] == result
    else:
        chain.append((result, after["second_result"]))
        stood = before["second_result"] == second
    return [] if stood else [f"revision {row['revision']}: before it, the state was not {before}"]


def _games(games: Mapping[str, Sequence[Any]], states: Mapping[int, list[State]]) -> list[str]:
    faults = []
    for game, (result, second, version) in games.items():
        chain = states[int(game)]
        if version != len(chain) - 1:
            faults.append(f"game {game}: version {version}, and {len(chain) - 1} rows in the log")
        if chain[-1] != (result, second):
            faults.append(f"game {game}: the row has {result} {second}, but the log ends with {chain[-1]}")
        if not result:
            faults.append(f"game {game}: no result")
    return faults
