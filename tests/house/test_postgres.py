"""A run on SQLite also runs the concurrency tests on PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection


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
