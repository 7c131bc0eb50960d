"""A plugin of pytest that runs the tests of each mutant in a child of a process that has loaded everything.

The child puts the changed code into the functions, so that no file changes and nothing is loaded again. A change
outside of functions needs a process of its own: there, the file is compiled with the change (the plan has `loaded`).
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import select
import shutil
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from bench.mutants.changes import few_of_each, mutated

PLAN = json.loads(Path(os.environ["MUTANTS_PLAN"]).read_text())
ROOT = Path.cwd()


def _changed(path: str, number: int) -> CodeType:
    source = (ROOT / path).read_text(encoding="utf-8")
    return compile(mutated(source, number), str(ROOT / path), "exec", dont_inherit=True)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from _codes(part)


class Functions:
    """Every function of the watched files that exists in this process."""

    def __init__(self, paths: list[str]) -> None:
        for path in paths:
            importlib.import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        wanted = {str(ROOT / path) for path in paths}
        self.found: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
        for one in gc.get_objects():  # isinstance would wake Django's lazy objects
            if type(one) is FunctionType and one.__code__.co_filename in wanted:
                code = one.__code__
                self.found[code.co_filename, code.co_qualname, code.co_firstlineno].append(one)

    def change(self, path: str, number: int) -> int:
        """Put the changed code into the functions, and return how many differ."""
        count = 0
        for code in _codes(_changed(path, number)):
            for function in self.found[code.co_filename, code.co_qualname, code.co_firstlineno]:
                if function.__code__ != code and function.__code__.co_freevars == code.co_freevars:
                    function.__code__ = code
                    count += 1
        return count


class Database:
    """The file of the test database. Each child begins with the same one."""

    def __init__(self) -> None:
        from django.db import connections

        self.connections = connections
        self.file = Path(connections["default"].settings_dict["NAME"])
        self.close()
        self.kept = self.file.with_suffix(".kept")
        shutil.copy(self.file, self.kept)

    def close(self) -> None:
        """A connection is not for two processes."""
        self.connections.close_all()

    def restore(self) -> None:
        for end in ("-wal", "-shm"):
            self.file.with_name(self.file.name + end).unlink(missing_ok=True)
        shutil.copy(self.kept, self.file)


class MutantJudge:
    def __init__(self, session: pytest.Session) -> None:
        self.items = {item.nodeid: item for item in session.items}
        self.order = session.items
        self.functions = Functions(PLAN["files"])
        self.database = self._warm_up()
        self.sound: dict[str, bool] = {}
        self.kills: Counter[tuple[str, str]] = Counter()
        gc.collect()
        gc.freeze()  # children then share the memory of everything that is loaded

    def _warm_up(self) -> Database | None:
        """Run one test with a database, so that the database is made once and not in each child.

        What it shares with the next test stays set up, and must be part of every test: as little as possible.
        """
        for item in self.order:
            if item.get_closest_marker("django_db"):
                mine = set(item.listchain())
                following = min(self.order, key=lambda other: len(mine & set(other.listchain())))
                reports = runtestprotocol(item, nextitem=following, log=False)
                assert all(report.passed for report in reports), reports
                return Database()
        return None

    def verdict(self, mutant: dict[str, Any]) -> tuple[str, str]:
        """Return "killed" and the test, "timeout" and the test before it, or "survived".

        "unsound" is no verdict: tests fail without a change too, and no other test notices the change.
        """
        tests = [test for test in mutant["tests"] if test in self.items]
        count = len(tests)
        tests = [test for test in tests if self.sound.get(test, True)]
        tests.sort(
            key=lambda test: -self.kills[mutant["path"], test]
        )  # those that found something here come first
        while True:
            word, test = self._in_child(tests, mutant, seconds=mutant["seconds"])
            if word == "survived" and len(tests) < count:
                return "unsound", ""
            if word != "killed" or test not in self.items:
                return word, test
            if self._is_sound(test):
                self.kills[mutant["path"], test] += 1
                return word, test
            tests.remove(test)
            if not tests:
                return "unsound", test

    def _is_sound(self, test: str) -> bool:
        """Return whether the test passes without a change."""
        if test not in self.sound:
            self.sound[test] = self._in_child([test], None, seconds=120)[0] == "survived"
        return self.sound[test]

    def _in_child(self, tests: list[str], mutant: dict[str, Any] | None, seconds: float) -> tuple[str, str]:
        """seconds: of processor time, because the machine may be busy."""
        if self.database:
            self.database.restore()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            limit = int(seconds)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
            self._work(tests, mutant, writing)
        os.close(writing)
        output, late = _read_all(reading, time.monotonic() + 20 * seconds)
        os.close(reading)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        lines = output.decode().splitlines()
        if late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
            return "timeout", lines[-1] if lines else ""
        if lines and lines[-1] == "survived":
            return "survived", ""
        return "killed", next((line[7:] for line in lines if line.startswith("killed ")), "?")

    def _work(self, tests: list[str], mutant: dict[str, Any] | None, writing: int) -> None:
        try:
            os.setpgid(0, 0)
            if mutant and not PLAN.get("loaded"):
                self.functions.change(mutant["path"], mutant["number"])
            items = [self.items[test] for test in tests]
            for item, following in zip(items, [*items[1:], items[-1]] if items else [], strict=True):
                reports = runtestprotocol(item, nextitem=following, log=False)
                if any(report.failed for report in reports):
                    os.write(writing, f"killed {item.nodeid}\n".encode())
                    break
                os.write(writing, f"{item.nodeid}\n".encode())
            else:
                os.write(writing, b"survived\n")
        except BaseException as error:  # noqa: BLE001  # the changed program may raise anything, and ends here
            os.write(writing, f"killed {type(error).__name__}\n".encode())
        finally:
            os._exit(0)


def _read_all(reading: int, ends: float) -> tuple[bytes, bool]:
    """Read until the other side closes the pipe. Return what it wrote, and whether it was too late."""
    output = b""
    while (left := ends - time.monotonic()) > 0:
        ready, _, _ = select.select([reading], [], [], left)
        part = os.read(reading, 65536) if ready else b""
        if not part:
            break
        output += part
    return output, time.monotonic() >= ends


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = few_of_each(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    judge = MutantJudge(session)
    with Path(PLAN["results"]).open("a") as results:
        for mutant in PLAN["mutants"]:
            if time.time() > PLAN["ends"]:
                break
            began = time.monotonic()
            word, test = judge.verdict(mutant)
            if word == "unsound":
                continue
            verdict = {
                "key": mutant["key"],
                "digest": mutant["digest"],
                "word": word,
                "test": test,
                "seconds": time.monotonic() - began,
            }
            results.write(json.dumps(verdict) + "\n")
            results.flush()
    return True


def get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
    """Load a module as Python does, the changed one with its change."""
    name = PLAN["loaded"]["path"]
    if loader.get_filename(fullname) == str(ROOT / name):
        return _changed(name, PLAN["loaded"]["number"])
    return as_usual(loader, fullname)


as_usual = SourceFileLoader.get_code
if PLAN.get("loaded"):
    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
