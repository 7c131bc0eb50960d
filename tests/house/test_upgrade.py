"""A database of each release is upgraded by the first start of this program, and all its pages open."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests import released
from tests.migrated import migrated_copy

pytestmark = pytest.mark.one_database

RELEASES = sorted(path.name for path in released.KEPT.glob("*"))


def schema(file: Path) -> set[tuple[object, ...]]:
    """Return the columns of all tables, the indexes and the triggers of a database."""
    with closing(sqlite3.connect(file)) as database:
        found = database.execute(
            "SELECT type, name, tbl_name, CASE type WHEN 'trigger' THEN sql ELSE '' END FROM sqlite_master"
        ).fetchall()
        columns = [
            (kind, name, *column[1:])
            for kind, name, _table, _sql in found
            if kind == "table"
            for column in database.execute(f"PRAGMA table_info('{name}')")
        ]
    return {*found, *columns}


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_a_database_of_a_release_is_upgraded_and_all_its_pages_open(
    release: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    released.take(released.KEPT / release, tmp_path)
    released.run("open", tmp_path)
    migrated_copy(tmp_path / "new", tmp_path_factory)
    new, upgraded = schema(tmp_path / "new"), schema(tmp_path / released.DATABASE)
    assert upgraded == new, "a migration that a release has must not be changed: add another one"


START = """
import sys
import django
from django.conf import settings
if sys.argv[1:]:
    settings.MIGRATION_MODULES = {"ratings": sys.argv[1]}
django.setup()
from server import prepare
prepare.refuse_unusable()
prepare.migrate()
"""
LATER = """
from django.db import migrations
class Migration(migrations.Migration):
    dependencies = [("ratings", "%s")]
    operations = [migrations.RunSQL("CREATE TABLE ratings_later (number integer)")]
"""


def test_an_upgrade_copies_the_database_first_and_the_copy_is_the_way_back(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, root: Path
) -> None:
    """The later version is this one with one more migration."""
    var = tmp_path / "var"
    database = var / "evenboard.sqlite3"
    migrated_copy(database, tmp_path_factory)
    later = tmp_path / "later_migrations"
    shutil.copytree(root / "ratings/migrations", later)
    (later / "0999_later.py").write_text(LATER % max(path.stem for path in later.glob("0*.py")))

    def start(*version: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            **released.ENVIRONMENT,
            "VAR_DIR": str(var),
            "PYTHONPATH": str(tmp_path),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        return subprocess.run(
            [sys.executable, "-c", START, *version],
            cwd=root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    assert start().stdout.split() == ["database", "up", "to", "date"]
    with closing(sqlite3.connect(database)) as opened, opened:
        opened.execute("CREATE TABLE ratings_of_before AS SELECT 1 AS kept")
    upgraded = start(later.name)
    assert upgraded.returncode == 0, upgraded.stderr
    (copy,) = var.glob("evenboard-before-*.sqlite3")
    assert copy.name in upgraded.stdout
    assert os.name == "nt" or copy.stat().st_mode & 0o077 == 0
    before = start()
    assert before.returncode != 0
    assert "belongs to a newer version of Evenboard" in before.stderr
    for file in var.glob("evenboard.sqlite3*"):
        file.unlink()
    copy.rename(database)  # as docs/releases.md says
    assert start().stdout.split() == ["database", "up", "to", "date"]
    with closing(sqlite3.connect(database)) as opened:
        assert opened.execute("SELECT kept FROM ratings_of_before").fetchall() == [(1,)]
