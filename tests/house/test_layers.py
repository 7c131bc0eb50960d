"""The engine and its command line need only Python; import-linter cannot check this."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest


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
    files = [*(root / "pairing" / "engine").rglob("*.py"), root / "pairing" / "__main__.py"]
    strangers = {
        file.relative_to(root).as_posix(): names
        for file in files
        if (names := imported(file) - set(sys.stdlib_module_names) - {"pairing"})
    }
    assert strangers == {}


@pytest.mark.parametrize("module", ["pairing.engine", "pairing.__main__"])
def test_engine_starts_without_the_installed_packages(root: Path, module: str) -> None:
    """`-S` hides site-packages: other tournament programs call the engine with a plain Python."""
    command = [sys.executable, "-S", "-c", f"import {module}"]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
