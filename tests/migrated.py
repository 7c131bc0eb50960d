"""An SQLite database with all migrations, made once a run: from nothing they take each process five seconds."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import until

ROOT = Path(__file__).resolve().parent.parent


def migrated_copy(target: Path, directories: pytest.TempPathFactory) -> None:
    """Copy the database to `target`. The first process that asks makes it, and the others wait."""
    base = directories.getbasetemp()
    shared = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "migrated"
    ready = shared / "ready.sqlite3"
    try:
        shared.mkdir()
    except FileExistsError:
        until(ready.exists, ready)
    else:
        environment = {**os.environ, "DATABASE_URL": "", "VAR_DIR": str(shared)}
        command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
        (shared / "evenboard.sqlite3").rename(ready)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ready, target)
