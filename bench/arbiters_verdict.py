"""Whether everything that arbiters were told is in the log, once: the log followed row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

State = tuple[str, str]  # what stands, and what was read the second time


@dataclass
class Move:
    """What was acknowledged: in the state of this version the game has this value."""

    game: int
    kind: str
    value: str
    version: int


@dataclass(frozen=True)
class Report:
    """What came of a round.

    acknowledged: moves that the server took. agreed: those of them that stood already, because somebody else had
    typed the same, or the same person before a server died with its answer. clashes: politely refused. tries:
    questions that nobody answered. slowest: seconds until a move was acknowledged, with the server killed meanwhile.
    faults: what must not be; empty when nothing was lost and nothing doubled.
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
    """Hold what was acknowledged to each person against the games and the log: logged, agreed, faults.

    before: the revision of the section when the first of them began.
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
        faults.append(f"the revisions of the log do not count to {kept['revision']}")
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
    """Take a row of the log as the next state of its game; return what is wrong with it."""
    result, second = chain[-1]
    before, after = row["before"], row["after"]
    if row["action"] == "record_result":
        chain.append((after["result"], after.get("second_result", second)))
        stood = before["result"] == result
    else:
        chain.append((result, after["second_result"]))
        stood = before["second_result"] == second
    return [] if stood else [f"revision {row['revision']}: before it, {before} did not stand"]


def _games(games: Mapping[str, Sequence[Any]], states: Mapping[int, list[State]]) -> list[str]:
    faults = []
    for game, (result, second, version) in games.items():
        chain = states[int(game)]
        if version != len(chain) - 1:
            faults.append(f"game {game}: version {version}, and {len(chain) - 1} rows in the log")
        if chain[-1] != (result, second):
            faults.append(f"game {game}: {result} {second} stands, the log ends with {chain[-1]}")
        if not result:
            faults.append(f"game {game}: no result")
    return faults
