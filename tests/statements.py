"""Which statements each test sends to the database, and few tests that together send them all.

If MEASURED names a directory, each process of a run writes there what its tests sent, without values. If SENT names
such a directory, a run leaves out each test whose statements others of the run send too. So CI repeats on PostgreSQL
what the suite sent to SQLite, each statement at least once.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from heapq import heapify, heappop, heappush
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

ALWAYS = ("both_databases", "concurrency", "postgres")  # marks
MODELS = Path("tests/models")  # constraints and triggers are written for each kind of database
LEAST = 0.01  # seconds that count for each test: what pytest itself needs


@dataclass(frozen=True)
class Sent:
    """What a test sent: its statements, shortened, and its seconds of processor time."""

    statements: frozenset[str]
    seconds: float


@dataclass
class Recorder:
    """Notes the statements of one test after the other, and writes them into a file of this process."""

    file: Path
    _statements: set[str] = field(default_factory=set)
    _began: float = 0

    def watch(self) -> None:
        """See every statement on each connection that is opened from now on."""
        connection_created.connect(self._opened, weak=False)

    def _opened(self, connection: BaseDatabaseWrapper, **_signal: Any) -> None:
        if self.note not in connection.execute_wrappers:
            connection.execute_wrappers.append(self.note)

    def note(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        try:
            found = execute(sql, params, many, context)
        except Exception as error:
            self._statements.add(shortened(f"{type(error).__name__} {error}: {sql}"))
            raise
        self._statements.add(shortened(sql))
        return found

    def begin(self) -> None:
        self._statements.clear()
        self._began = process_time()

    def end(self, test: str) -> None:
        line = json.dumps([test, process_time() - self._began, sorted(self._statements)])
        with self.file.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


def recorder_of_this_run() -> Recorder | None:
    """Return what writes down the statements of this process, None if MEASURED names no directory."""
    directory = os.environ.get("MEASURED")
    return Recorder(Path(directory, f"statements-{os.getpid()}.jsonl")) if directory else None


@cache
def shortened(sql: str) -> str:
    """Return the same short text for statements that differ only in values, in how many there are, or in the names of
    savepoints.
    """
    sql = re.sub(r"'[^']*'|\b\d+\b|%s|\b[st]\d+_x\d+\b", "?", sql)
    sql = re.sub(r"\?(?:\s*,\s*\?)+", "?", sql)
    sql = re.sub(r"\(\?\)(?:\s*,\s*\(\?\))+", "(?)", sql)
    return sha256(sql.encode()).hexdigest()[:12]


def read_sent(directory: Path) -> dict[str, Sent]:
    """Return what each test sent in the runs that wrote into this directory."""
    lines = [
        line
        for file in directory.glob("statements-*.jsonl")
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    return {test: Sent(frozenset(sent), seconds) for test, seconds, sent in map(json.loads, lines)}


def few_that_send_all(sent: dict[str, Sent], already: Iterable[str] = ()) -> set[str]:
    """Return tests that together send each statement which is not sent `already`: always the next test with the most
    new statements for its seconds. These are few, not the fewest.
    """
    missing = {statement for one in sent.values() for statement in one.statements} - set(already)
    chosen = set()

    def price(test: str) -> float:
        new = len(sent[test].statements & missing)
        return (sent[test].seconds + LEAST) / new if new else float("inf")

    waiting = [(price(test), test) for test in sent]
    heapify(waiting)
    while missing:
        before, test = heappop(waiting)
        if (now := price(test)) > before:
            heappush(waiting, (now, test))
        else:
            chosen.add(test)
            missing -= sent[test].statements
    return chosen


def leave_out_repeated(config: pytest.Config, items: list[pytest.Item]) -> None:
    """If SENT names a directory, keep only the tests that are needed to send every statement of all of them."""
    directory = os.environ.get("SENT")
    if not directory:
        return
    sent = read_sent(Path(directory))
    kept = {item.nodeid for item in items if item.nodeid not in sent or _runs_always(item)}
    of_kept = {statement for test in kept if test in sent for statement in sent[test].statements}
    kept |= few_that_send_all(
        {item.nodeid: sent[item.nodeid] for item in items if item.nodeid not in kept}, of_kept
    )
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in kept])
    items[:] = [item for item in items if item.nodeid in kept]


def _runs_always(item: pytest.Item) -> bool:
    of_models = item.path.is_relative_to(item.config.rootpath / MODELS)
    return of_models or any(item.get_closest_marker(mark) for mark in ALWAYS)
