"""Run the tests of the scripts (*.test.js) by Deno, which comes as a wheel: without a browser, Node.js or a network."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import deno
import pytest

from tests.waiting import LONG

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SCRIPTS = sorted(path.name for path in HERE.glob("*.test.js"))


@pytest.mark.one_database
@pytest.mark.parametrize("name", SCRIPTS)
def test_script(name: str, tmp_path: Path) -> None:
    """Every test of the file passes. The scripts are also read from the disk while the tests run, each time anew."""
    run = subprocess.run(
        [
            deno.find_deno_bin(),
            "test",
            "--no-check",  # `make lint` checks the types
            "--no-remote",
            "--no-npm",
            "--no-prompt",
            "--allow-read=static/js",
            f"tests/scripts/{name}",
        ],
        cwd=ROOT,
        env={**os.environ, "DENO_DIR": str(tmp_path), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=LONG,
        check=False,
    )
    output = run.stdout + run.stderr
    assert run.returncode == 0, output
    assert re.search(r"^ok \| [1-9]\d* passed \| 0 failed", output, re.MULTILINE), output
