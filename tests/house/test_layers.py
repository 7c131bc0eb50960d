"""The engine and its command line need only Python, which import-linter cannot check. The drawing of the imports.

Programs start below everything that they use.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bench.imports import drawing, imports_between_rooms, room_of, upward
from tests.house.packages import PACKAGES


def imported(file: Path) -> set[str]:
    """Return the top-level names of the modules that a file imports, without relative imports."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(str(node.module).split(".")[0])
    return names


def test_engine_imports_only_the_standard_library_and_itself(root: Path) -> None:
    files = [
        *(file for file in (root / "evenboard_engine").rglob("*.py") if "tests" not in file.parts),
        root / "pairing" / "__main__.py",
    ]
    strangers = {
        file.relative_to(root).as_posix(): names
        for file in files
        if (names := imported(file) - set(sys.stdlib_module_names) - {"evenboard_engine"})
    }
    assert strangers == {}


@pytest.mark.parametrize("module", ["evenboard_engine", "pairing.__main__"])
def test_engine_starts_without_the_installed_packages(root: Path, module: str) -> None:
    """`-S` hides site-packages: other tournament programs call the engine with a plain Python."""
    command = [sys.executable, "-S", "-c", f"import {module}"]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_tests_of_the_engine_import_only_what_its_extra_installs(root: Path) -> None:
    """They run in an environment without Django."""
    engine = root / "evenboard_engine"
    project = tomllib.loads((engine / "pyproject.toml").read_text("utf-8"))["project"]
    extra = {re.split("[^a-z]", one)[0] for one in project["optional-dependencies"]["test"]}
    found = set[str]().union(*map(imported, (engine / "tests").rglob("*.py")))
    assert found - set(sys.stdlib_module_names) == {"evenboard_engine", *extra}


def test_no_import_between_rooms_points_up(root: Path) -> None:
    found = imports_between_rooms(root)
    assert found["tournaments.queries", "tournaments.models"] > 0
    assert upward(found) == []


def test_drawing_has_an_import_that_points_up_in_red() -> None:
    pairs = {("web", "tournaments.actions"): 3, ("tournaments.queries", "tournaments.actions"): 1}
    assert upward(pairs) == [("tournaments.queries", "tournaments.actions")]
    svg = drawing(pairs)
    assert "3 rooms, 2 kinds of imports, 1 of them up" in svg
    assert (svg.count('class="down"'), svg.count('<path class="up"')) == (1, 1)
    assert ">tournaments.queries imports tournaments.actions</text>" in svg


@pytest.mark.parametrize(
    ("module", "room"),
    [
        ("evenboard_engine.systems.dubov.pairing.bye", "evenboard_engine.systems"),
        ("evenboard_engine.model", "evenboard_engine (shared)"),
        ("evenboard_engine", None),
        ("pairing.by_hand", "pairing"),
        ("tournaments.migrations.0001_initial", None),
        ("web.views.events", "web"),
    ],
)
def test_room_of_a_module(module: str, room: str | None) -> None:
    assert room_of(module) == room


def test_a_program_starts_below_everything_that_it_uses(root: Path) -> None:
    """What stands below the start of a program is not defined yet when it runs."""
    found = {}
    for file in (
        path for package in (*PACKAGES, "bench", "tests") for path in (root / package).rglob("*.py")
    ):
        body = ast.parse(file.read_text("utf-8")).body
        starts = [at for at, one in enumerate(body) if "__name__ == '__main__'" in head_of(one)]
        if starts:
            found[file.relative_to(root).as_posix()] = starts == [len(body) - 1]
    assert found["bench/attacks.py"]
    assert [name for name, last in found.items() if not last] == []


def head_of(statement: ast.stmt) -> str:
    """Return the condition of an `if`, and nothing of any other statement."""
    return ast.unparse(statement.test) if isinstance(statement, ast.If) else ""
