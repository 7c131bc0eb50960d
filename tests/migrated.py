"""An SQLite database with all migrations, kept while these are the same: to make it takes five seconds of a core."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import django
import pytest
from django.apps import apps

from tests.waiting import until

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache" / "migrated"
MOST = 8  # databases that are kept, those that were used last


def migrated_copy(target: Path, directories: pytest.TempPathFactory) -> None:
    """Copy the database to `target`. The first process of a run that asks makes it, and the others wait."""
    base = directories.getbasetemp()
    shared = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "migrated"
    ready = shared / "ready.sqlite3"
    try:
        shared.mkdir()
    except FileExistsError:
        until(ready.exists, ready)
    else:
        shutil.copyfile(_kept(), shared / "copy")
        (shared / "copy").rename(ready)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ready, target)


def _kept() -> Path:
    """Return the database that these migrations and models make, of this run or an earlier one."""
    kept = KEPT / f"{_basis()}.sqlite3"
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=KEPT) as directory:
            environment = {**os.environ, "DATABASE_URL": "", "VAR_DIR": directory}
            if before := os.environ.get("MIGRATED"):  # a database to begin with
                shutil.copyfile(before, Path(directory, "evenboard.sqlite3"))
            command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
            Path(directory, "evenboard.sqlite3").replace(kept)
        for old in sorted(KEPT.glob("*.sqlite3"), key=lambda file: file.stat().st_mtime)[:-MOST]:
            old.unlink(missing_ok=True)
    kept.touch()
    return kept


def _basis() -> str:
    """Return a hash of what a migrated database follows from: Django, and the migrations and models of each app."""
    found = sha256(django.__version__.encode())
    for app in apps.get_app_configs():
        here = Path(app.path)
        for file in sorted(here.rglob("*.py")):
            if {"migrations", "models", "models.py"} & {*file.relative_to(here).parts}:
                found.update(file.read_bytes())
    return found.hexdigest()
