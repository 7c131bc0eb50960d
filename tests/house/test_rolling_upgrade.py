"""Two versions side by side on one database for the time of an upgrade: the last release, and this program with one
more migration.

No migration after the first may take away what the last release uses (docs/releases.md).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.cookiejar import CookieJar
from math import inf
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import psycopg
import pytest
from django.db import models
from django.db.migrations import Migration, operations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from tests import released
from tests.house.serving import Started

OURS = ("ratings", "registrations", "tournaments")

# The rule for migrations. What a migration takes away, the release before must not use any more.

TAKES_AWAY = (operations.RemoveField, operations.RenameField, operations.DeleteModel, operations.RenameModel,
              operations.AlterModelTable)  # fmt: skip
SQL_THAT_TAKES_AWAY = re.compile(r"\b(DROP|RENAME|NOT\s+NULL|TRUNCATE|DELETE)\b", re.IGNORECASE)


def breaks_the_last_release(migration: Migration, before: ProjectState, releases: set[str]) -> list[str]:
    """Return the operations of a migration with which the program of the last release cannot work.

    `unused_since` of a migration names the release that no longer uses what the migration takes away.
    """
    if getattr(migration, "unused_since", None) in releases:
        return []
    return [one.describe() for one in migration.operations if _breaks(one, migration.app_label, before)]


def _breaks(one: operations.base.Operation, app: str, before: ProjectState) -> bool:
    if isinstance(one, operations.SeparateDatabaseAndState):  # what is only in the state changes no table
        return any(_breaks(each, app, before) for each in one.database_operations)
    if isinstance(one, operations.RunSQL):
        return SQL_THAT_TAKES_AWAY.search(str(one.sql)) is not None
    if isinstance(one, operations.AddField):  # the old program does not name the column when it adds a row
        found = one.field
        return not (found.null or found.has_db_default() or found.many_to_many or found.generated)
    if isinstance(one, operations.AddConstraint | operations.AlterUniqueTogether):
        return True  # the old program may write what the new one no longer allows
    if isinstance(one, operations.AlterField):
        return _narrows(before.models[app, one.model_name_lower].fields[one.name], one.field)
    return isinstance(one, TAKES_AWAY)


def _narrows(old: models.Field[Any, Any], new: models.Field[Any, Any]) -> bool:
    return (
        type(old) is not type(new)
        or (old.null and not new.null)
        or (new.unique and not old.unique)
        or (old.has_db_default() and not new.has_db_default())
        or (new.max_length or inf) < (old.max_length or inf)
    )


def later(*listed: operations.base.Operation, **named: object) -> Migration:
    made = Migration("0002_later", "tournaments")
    made.operations = list(listed)
    vars(made).update(named)
    return made


def test_no_migration_takes_away_what_the_last_release_uses() -> None:
    releases = {path.name for path in released.KEPT.glob("*")}
    loader = MigrationLoader(None)
    for key, migration in loader.disk_migrations.items():
        if key[0] in OURS and key[1] != "0001_initial":
            before = loader.project_state(key, at_end=False)
            found = breaks_the_last_release(migration, before, releases)
            assert found == [], f"{key}: docs/releases.md, Rolling upgrade"


GOES = operations.RemoveField("Game", "board")
BREAK = {
    "a column goes": GOES,
    "a column is renamed": operations.RenameField("Game", "board", "place"),
    "a table goes": operations.DeleteModel("Game"),
    "a column that the old program leaves empty": operations.AddField(
        "Game", "note", models.TextField(default="")
    ),
    "a narrower column": operations.AlterField("Event", "name", models.CharField(max_length=20)),
    "a rule that old rows break": operations.AddConstraint(
        "Game", models.CheckConstraint(condition=models.Q(board__gt=0), name="board")
    ),
    "SQL": operations.RunSQL("ALTER TABLE tournaments_game DROP COLUMN board"),
    "SQL in two parts": operations.SeparateDatabaseAndState([GOES], []),
}
ADDS = {
    "a column with a value of the database": operations.AddField(
        "Game", "note", models.TextField(default="", db_default="")
    ),
    "a column that may be empty": operations.AddField("Game", "note", models.TextField(null=True)),
    "a table": operations.CreateModel("Later", [("id", models.BigAutoField(primary_key=True))]),
    "a wider column": operations.AlterField("Event", "name", models.CharField(max_length=500)),
    "an index": operations.AddIndex("Game", models.Index(fields=["board"], name="of_board")),
    "what the program alone forgets": operations.SeparateDatabaseAndState([], [GOES]),
}


def test_the_rule_finds_what_would_break_the_last_release() -> None:
    before = MigrationLoader(None).project_state(("tournaments", "0001_initial"))

    def breaks(one: operations.base.Operation, **named: object) -> bool:
        return breaks_the_last_release(later(one, **named), before, {"1.0.0"}) != []

    assert [name for name, one in BREAK.items() if not breaks(one)] == []
    assert [name for name, one in ADDS.items() if breaks(one)] == []
    assert not breaks(GOES, unused_since="1.0.0")
    assert breaks(GOES, unused_since="1.1.0")


# The last release and this program on one database.

NEW = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
from django.conf import settings
settings.MIGRATION_MODULES = {"tournaments": "later_migrations"}
from server.main import main
sys.exit(main(["--no-demo", "--port=0"]))
"""
LATER = """
from django.db import migrations, models
class Migration(migrations.Migration):
    dependencies = [("tournaments", "%s")]
    operations = [
        migrations.AddField("game", "note", models.TextField(default="", db_default="")),
        migrations.CreateModel("Later", [("id", models.BigAutoField(primary_key=True))]),
    ]
"""
OPEN = "/harvenmouth-open/open/"


class Browser:
    """A browser that keeps its cookies, whichever server answers."""

    def __init__(self) -> None:
        self._cookies = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self._cookies))

    def get(self, address: str) -> str:
        with self._opener.open(address) as answer:
            text: str = answer.read().decode()
        return text

    def post(self, address: str, **fields: object) -> str:
        token = next((cookie.value for cookie in self._cookies if cookie.name == "csrftoken"), "")
        data = urlencode({"csrfmiddlewaretoken": token or "", **fields}).encode()
        try:
            with self._opener.open(Request(address, data)) as answer:  # noqa: S310
                text: str = answer.read().decode()
        except HTTPError as error:
            with error:
                pytest.fail(f"{address}: {error.code} {error.read().decode()}")
        return text


def less(old: Any, new: Any, at: str) -> list[str]:
    """Return where an answer of the API to the old program has a value that the new one does not give."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [each for key in old for each in less(old[key], new.get(key), f"{at}.{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            each
            for place, pair in enumerate(zip(old, new, strict=True))
            for each in less(*pair, f"{at}.{place}")
        ]
    return [] if old == new else [f"{at}: {old} {new}"]


@contextmanager
def server(command: list[str], root: Path, var: Path, url: str, **more: str) -> Iterator[str]:
    environment = {
        **os.environ,
        **released.ENVIRONMENT,
        "ALLOWED_HOSTS": "127.0.0.1",
        "DATABASE_URL": url,
        "VAR_DIR": str(var),
        "HOST": "127.0.0.1",
        **more,
    }
    running = Started(command, root, environment)
    try:
        assert running.url, running.printed
        yield running.url
    finally:
        running.process.kill()
        running.process.communicate()


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.one_database
def test_two_versions_work_side_by_side_on_one_database(
    tmp_path: Path, postgres_url: str, root: Path
) -> None:
    url = f"{postgres_url.rpartition('/')[0]}/rolling"
    old_code = released.last_code(tmp_path / "old-code")
    migrations = tmp_path / "later_migrations"
    shutil.copytree(root / "tournaments/migrations", migrations)
    last = max(path.stem for path in migrations.glob("0*.py"))
    (migrations / "0999_later.py").write_text(LATER % last)
    with ExitStack() as stack:
        owner = stack.enter_context(psycopg.connect(postgres_url, autocommit=True))
        owner.execute("CREATE DATABASE rolling")
        stack.callback(owner.execute, "DROP DATABASE rolling WITH (FORCE)")
        main = [sys.executable, "-m", "server.main", "--port=0"]
        old = stack.enter_context(server(main, old_code, tmp_path / "old", url))
        arbiter, visitor = Browser(), Browser()
        logins = dict(
            line.split()[:2]
            for line in (tmp_path / "old/demo-logins.txt").read_text(encoding="utf-8").splitlines()
        )
        arbiter.get(f"{old}/login/")
        arbiter.post(f"{old}/login/", username="arbiter", password=logins["arbiter"])
        assert "arbiter" in arbiter.get(f"{old}/account/")

        (tmp_path / "new").mkdir()
        shutil.copy(tmp_path / "old/push-key", tmp_path / "new")  # as docs/install.md says for several hosts
        new = stack.enter_context(
            server([sys.executable, "-c", NEW], root, tmp_path / "new", url, PYTHONPATH=str(tmp_path))
        )
        database = stack.enter_context(psycopg.connect(url, autocommit=True))

        def ask(sql: str, *values: object) -> list[tuple[object, ...]]:
            return database.execute(sql, values).fetchall()

        assert ask("SELECT 1 FROM django_migrations WHERE name = '0999_later'")

        def publish(at: str, number: int) -> None:
            ((version,),) = ask("SELECT version FROM tournaments_round WHERE number = %s", number)
            arbiter.post(f"{at}{OPEN}round/{number}/publish/", version=version)
            assert ask("SELECT state FROM tournaments_round WHERE number = %s", number) == [("published",)]

        publish(new, 4)
        games = ask(
            "SELECT g.id, g.version FROM tournaments_game g JOIN tournaments_round r ON r.id = g.round_id "
            "WHERE r.number = 4 AND g.result = ''"
        )
        before = ask("SELECT count(*) FROM tournaments_actionlog WHERE action = 'record_result'")[0][0]
        for place, (game, version) in enumerate(games):
            at = (old, new)[place % 2]
            answer = json.loads(arbiter.post(f"{at}{OPEN}game/{game}/result/", result="1-0", version=version))
            assert "refused" not in answer, answer
        assert ask("SELECT count(*) FROM tournaments_actionlog WHERE action = 'record_result'") == [
            (before + len(games),)
        ]
        arbiter.post(f"{old}{OPEN}pair/", after_round=4)
        publish(new, 5)
        game, version = ask(
            "SELECT g.id, g.version FROM tournaments_game g JOIN tournaments_round r ON r.id = g.round_id "
            "WHERE r.number = 5 AND g.board = 1"
        )[0]
        arbiter.post(f"{new}{OPEN}game/{game}/result/", result="1/2", version=version)
        ((section,),) = ask("SELECT section_id FROM tournaments_round WHERE number = 5")
        for what in ("rounds/4/", "rounds/5/", "standings/", "entries/"):
            address = f"/api/v1/public/sections/{section}/{what}"
            shown = [json.loads(visitor.get(f"{at}{address}").replace(at, "")) for at in (old, new)]
            assert len(str(shown[0])) > 1000
            assert less(*shown, what) == []
        for at in (old, new):
            for page in ("pairings/", "standings/", "players/", "log/"):
                assert "</html>" in arbiter.get(f"{at}{OPEN}{page}")
        checked = subprocess.run(
            [sys.executable, "manage.py", "check_logs"],
            cwd=root,
            env={**os.environ, **released.ENVIRONMENT, "DATABASE_URL": url, "VAR_DIR": str(tmp_path / "new")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert checked.returncode == 0, checked.stdout + checked.stderr
