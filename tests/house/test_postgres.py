"""A run on SQLite also runs the concurrency tests on PostgreSQL.

CI runs them all in its step on PostgreSQL, so here it only collects those of one module, as such a run begins.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests.conftest import CI

FEW = ("tests/actions/test_ledger.py", "--collect-only")


@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.skipif(connection.vendor == "postgresql", reason="this run is on PostgreSQL already")
def test_concurrency_tests_pass_on_postgresql(request: pytest.FixtureRequest, root: Path) -> None:
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
        *(FEW if CI else ()),
    ]
    url = "postgres://nobody@127.0.0.1:9/none" if CI else request.getfixturevalue("postgres_url")
    done = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, "DATABASE_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
