"""A plugin of pytest that notes which blocks of the watched files each test runs. See `python -m bench.mutants`.

The files are compiled with a note at the start of each block; nothing else changes. What a test starts in another
process is not noted. What fixtures of a module do counts for all tests of the module: each of them would do it alone.
"""

from __future__ import annotations

import builtins
import json
import os
import signal
from collections import defaultdict
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from time import process_time
from types import CodeType

import pytest

from bench.mutants.changes import few_of_each, watched

PLAN = json.loads(Path(os.environ["MUTANTS_PLAN"]).read_text())
ROOT = Path.cwd()
MOST_SECONDS_OF_A_TEST = 2.0
FIRST: dict[str, int] = {}


def _first_numbers() -> int:
    count = 0
    for path in PLAN["files"]:
        FIRST[path] = count
        _tree, count = watched(Path(path).read_text(encoding="utf-8"), count)
    return count


hits = bytearray(_first_numbers())
builtins.__hits__ = hits  # type: ignore[attr-defined]


def get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
    """Load a module as Python does, a watched one with its notes."""
    name = Path(loader.get_filename(fullname))
    relative = name.relative_to(ROOT).as_posix() if name.is_relative_to(ROOT) else ""
    if relative not in FIRST:
        return as_usual(loader, fullname)
    tree, _ = watched(name.read_text(encoding="utf-8"), FIRST[relative])
    return compile(tree, str(name), "exec", dont_inherit=True)


as_usual = SourceFileLoader.get_code
SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = few_of_each(items)


TOO_SLOW = "too slow to be run for each mutant"


class Notes:
    def __init__(self) -> None:
        self.called: dict[str, bytes] = {}
        self.of_modules: dict[str, bytearray] = defaultdict(lambda: bytearray(len(hits)))
        self.seconds: dict[str, float] = defaultdict(float)
        self.failed: set[str] = set()
        self.too_slow = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        hits[:] = bytes(len(hits))
        began = process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] += process_time() - began
            kept = self.of_modules[item.nodeid.split("::")[0]]
            for number, hit in enumerate(hits):
                if hit:
                    kept[number] = 1

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        hits[:] = bytes(len(hits))
        self.too_slow = False
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS_OF_A_TEST)
        began = process_time()
        try:
            return (yield)
        except BaseException:
            if self.too_slow:  # Hypothesis reports an error of its own, if it is stopped while it draws
                pytest.skip(TOO_SLOW)
            raise
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self.seconds[item.nodeid] += process_time() - began
            self.called[item.nodeid] = bytes(hits)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        tests = {
            test: {
                "seconds": round(self.seconds[test], 4),
                "called": [number for number, hit in enumerate(called) if hit],
            }
            for test, called in self.called.items()
            if test not in self.failed
        }
        modules = {
            name: [number for number, hit in enumerate(kept) if hit] for name, kept in self.of_modules.items()
        }
        found = {"first": FIRST, "tests": tests, "modules": modules, "failed": sorted(self.failed)}
        Path(PLAN["map"]).write_text(json.dumps(found))

    def stop(self, *_: object) -> None:
        self.too_slow = True
        pytest.skip(TOO_SLOW)


def pytest_configure(config: pytest.Config) -> None:
    notes = Notes()
    config.pluginmanager.register(notes)
    signal.signal(signal.SIGVTALRM, notes.stop)
