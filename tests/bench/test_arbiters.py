"""Ten arbiters at once while a server is killed; and the check of the log finds lost and doubled rows."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bench.arbiters import LoggedMove, run, verdict

KEPT: dict[str, Any] = {
    "revision": 5,
    "games": {"7": ["1/2", "1/2", 2], "8": ["1-0", "", 1]},
    "log": [
        {"revision": 1, "action": "pair_next_round", "who": "command", "before": {}, "after": {}},
        {"revision": 2, "action": "publish_round", "who": "command", "before": {}, "after": {}},
        {
            "revision": 3,
            "action": "record_result",
            "who": "ada",
            "before": {"result": ""},
            "after": {"result": "1/2", "game": 7},
        },
        {
            "revision": 4,
            "action": "record_result",
            "who": "ada",
            "before": {"result": ""},
            "after": {"result": "1-0", "game": 8},
        },
        {
            "revision": 5,
            "action": "confirm_result",
            "who": "bo",
            "before": {"second_result": ""},
            "after": {"second_result": "1/2", "game": 7},
        },
    ],
}
MOVES = {
    "ada": [LoggedMove(7, "result", "1/2", 1), LoggedMove(8, "result", "1-0", 1)],
    "bo": [LoggedMove(7, "second", "1/2", 2), LoggedMove(8, "result", "1-0", 1)],
}


def test_complete_log_has_no_faults() -> None:
    assert verdict(MOVES, KEPT, before=2) == {"logged": 3, "agreed": 1, "faults": ()}


def faults(change: Any) -> tuple[str, ...]:
    kept = copy.deepcopy(KEPT)
    change(kept)
    return verdict(MOVES, kept, before=2)["faults"]


def test_move_missing_from_the_log_is_found() -> None:
    moves = {"cy": [LoggedMove(8, "result", "0-1", 1), LoggedMove(8, "result", "0-1", 2)]}
    found = verdict(moves, KEPT, before=2)["faults"]
    assert [line.startswith("cy: ") for line in found] == [True, True]


def test_doubled_or_lost_row_of_the_log_is_found() -> None:
    doubled = faults(lambda kept: kept["log"].append({**kept["log"][3], "revision": 6}))
    assert any("before it" in line for line in doubled)
    assert any("game 8: version 1, and 2 rows in the log" in line for line in doubled)
    assert any("3 revisions for 4 rows" in line for line in doubled)
    lost = faults(lambda kept: kept["log"].pop(3))
    assert any("game 8: version 1, and 0 rows in the log" in line for line in lost)
    assert any("do not count" in line for line in lost)


def test_game_that_differs_from_its_log_is_found() -> None:
    assert faults(lambda kept: kept["games"].update({"8": ["0-1", "", 1]})) == (
        "game 8: the row has 0-1 , but the log ends with ('1-0', '')",
    )


@pytest.fixture
def fresh_postgres(postgres_url: str) -> Iterator[str]:
    """Yield the URL of an empty database on the PostgreSQL server of this run."""
    name = f"hall_{secrets.token_hex(4)}"
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
    yield f"{postgres_url.rpartition('/')[0]}/{name}"
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.slow
def test_killed_server_loses_and_doubles_nothing(migrated: Path) -> None:
    report = run("", boards=15, kills=1, migrated=migrated)
    assert report.faults == ()
    assert (report.kills, report.clashes > 0) == (1, True)
    assert report.tries > 0


@pytest.mark.slow
@pytest.mark.postgres
def test_killed_server_beside_another_one_loses_and_doubles_nothing(fresh_postgres: str) -> None:
    report = run(fresh_postgres, boards=15, kills=1)
    assert report.faults == ()
    assert (report.kills, report.clashes > 0) == (1, True)
