"""A run on SQLite also runs the concurrency tests on PostgreSQL.

CI runs all tests that depend on the database on PostgreSQL anyway, so one module of them is enough there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests.conftest import CI

FEW = "tests/actions/test_ledger.py"


@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.skipif(connection.vendor == "postgresql", reason="this run is on PostgreSQL already")
def test_concurrency_tests_pass_on_postgresql(postgres_url: str, root: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-m",
        "concurrency",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        *([FEW] if CI else []),
    ]
    done = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, "DATABASE_URL": postgres_url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
