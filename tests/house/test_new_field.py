"""A plain field of a player, added as CONTRIBUTING says, is everywhere where one is typed, shown, read or erased."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.migrated import migrated_copy

ROOT = Path(__file__).resolve().parents[2]
COLUMN = '    school = models.CharField("school", max_length=60, blank=True)\n'
ROW = """    PlayerField(
        name="school", of=Participant, label="School", names_person=True, plain=True, headings="school, schule",
        registered=True, at_desk=True,
    ),
"""


@pytest.mark.slow
@pytest.mark.one_database
def test_a_new_plain_field_needs_a_column_a_migration_and_a_row(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The migration changes a database of today."""
    migrated_copy(tmp_path / "today.sqlite3", tmp_path_factory)
    for room in ("tournaments", "registrations"):
        shutil.copytree(ROOT / room, tmp_path / room)
    shutil.copytree(settings.LOCALE_PATHS[0], tmp_path / "var/locale")
    _insert(tmp_path / "tournaments/models/entries.py", COLUMN, before="    team = models")
    _insert(tmp_path / "registrations/models/registration.py", COLUMN, before="    email = models")
    _insert(tmp_path / "tournaments/player_fields.py", ROW, before='    PlayerField(name="team"')
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
        "DATABASE_URL": "",
        "VAR_DIR": str(tmp_path / "var"),
        "MIGRATED": str(tmp_path / "today.sqlite3"),
        "PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT))),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }

    def run(*command: str) -> None:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    run("-m", "django", "makemigrations", "--verbosity=0", "--name=school", "tournaments", "registrations")
    [migration] = tmp_path.glob("tournaments/migrations/*_school.py")
    _keep_triggers(migration)
    run(
        *(
            "-m",
            "pytest",
            "-q",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            f"--rootdir={ROOT}",
            f"-c{ROOT / 'pyproject.toml'}",
        ),
        *(
            "-o",
            f"pythonpath={tmp_path}",
            "-o",
            "django_find_project=false",
            str(ROOT / "tests/house/new_field.py"),
        ),
    )


def _insert(file: Path, text: str, *, before: str) -> None:
    source = file.read_text()
    assert source.count(before) == 1
    file.write_text(source.replace(before, text + before))


def _keep_triggers(migration: Path) -> None:
    """Let a migration of a table with triggers drop them before it and make them again (docs/decisions/0020)."""
    source = migration.read_text()
    begins, ends = "    operations = [\n", "    ]\n"
    assert source.endswith(ends)
    source = source.removesuffix(ends) + "        migrations.RunPython(install, drop),\n" + ends
    source = source.replace(begins, begins + "        migrations.RunPython(drop, install),\n")
    migration.write_text("from tournaments.migrations._triggers import drop, install\n" + source)
