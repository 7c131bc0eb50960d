"""A lost machine: one command brings back on a new one what a directory of copies has, on either database."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from django.conf import settings as of_site
from django.core.management import call_command
from django.db import connection

from server.site_copies import PURPOSE, _key, copy_site
from tests.factories import UserFactory, section_of
from tests.migrated import migrated_copy
from tests.web.staff.conftest import enter, paired
from tests.web.test_access import site
from tournaments.actions.event_life import archive_event
from tournaments.actions.ledger import Actor
from tournaments.actions.stored_copies import site_copies
from tournaments.models import Event
from tournaments.models.events import EventState
from tournaments.spare_messages import divided, opened

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


class NewMachine:
    """A machine with an empty database."""

    def __init__(self, url: str, folder: Path, root: Path, secret: str = "") -> None:
        self._environment = {
            **os.environ,
            "DATABASE_URL": url,
            "VAR_DIR": str(folder),
            "SECRET_KEY": secret or of_site.SECRET_KEY,
        }
        self._root = root

    def run(self, *command: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=self._root,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


def rows(directory: Path) -> set[str]:
    """Return every row of the newest copy of the site, with the name of its table."""
    head, data = divided(opened(_key(of_site.SECRET_KEY), PURPOSE, site_copies(directory)[0].read_bytes()))
    found, model = set(), ""
    for line in zlib.decompress(data).decode().split("\n")[:-1]:
        row = json.loads(line)
        model = row["model"] if isinstance(row, dict) else model
        found.add(f"{model} {json.dumps(row, sort_keys=True)}")  # PostgreSQL has its own order of keys
    assert head["migrations"]
    return found


@pytest.mark.slow
@pytest.mark.one_database  # both kinds are in it
def test_site_comes_back_on_a_new_machine_with_every_row(
    tmp_path: Path, root: Path, postgres_url: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copies = tmp_path / "copies"
    made = site(public=True)
    kept = section_of(4, event__name="Archived", event__slug="archived").event
    archive_event(actor=Actor.command(), event=kept)
    changed = paired(section_of(4, event__name="Changed", event__slug="changed"))
    password = UserFactory(username="ada", is_superuser=True).password
    call_command("copy_tournaments", str(copies), verbosity=0)
    assert password.encode() not in site_copies(copies)[0].read_bytes()

    urls = {"sqlite": f"sqlite:///{tmp_path / 'new.sqlite3'}"}
    if connection.vendor == "sqlite":
        urls["postgresql"] = f"{postgres_url.rpartition('/')[0]}/restored"
        with closing(psycopg.connect(postgres_url, autocommit=True)) as server:
            server.execute("CREATE DATABASE restored")
    for kind, url in urls.items():
        machine = NewMachine(url, tmp_path / kind, root)
        status, printed = machine.run("restore", str(copies))
        assert status == 0, printed
        assert f"{Event.objects.count()} events" in printed
        assert "as a new event" not in printed
        assert machine.run("copy_tournaments", str(tmp_path / f"back-{kind}"))[0] == 0
        assert rows(tmp_path / f"back-{kind}") ^ rows(copies) == set()
        assert machine.run("check_logs")[0] == 0
        status, printed = machine.run("restore", str(copies))
        assert status == 1
        assert "into an empty database only" in printed
    for name in (f'"{made.logins["superuser"].username}"', password, f'"{EventState.ARCHIVED}"', '"changed"'):
        assert any(name in row for row in rows(copies)), name

    # Since the copy of the site, one event has changed. Its last copy is damaged, and so is a copy of the site.
    for board, result in ((1, "1-0"), (2, "0-1")):
        enter(changed.games.get(board=board), result)
        call_command("copy_tournaments", str(copies), event=["changed"], verbosity=0)
    newest = max(copies.glob("changed-*"))
    newest.write_bytes(newest.read_bytes()[:-40])
    broken = copies / "evenboard-site-29990101T000000000000Z.sealed"
    broken.write_bytes(site_copies(copies)[0].read_bytes()[:-1])
    for name in ("later", "other"):
        migrated_copy(tmp_path / f"{name}.sqlite3", tmp_path_factory)
    later = NewMachine(f"sqlite:///{tmp_path / 'later.sqlite3'}", tmp_path / "later", root)
    status, printed = later.run("restore", str(copies))
    assert status == 0, printed
    assert f"Not restored: {newest.name}" in printed
    assert f"Not restored: {broken.name}: it is damaged" in printed
    assert f"as a new event /changed-2/, from {sorted(copies.glob('changed-*'))[-2].name}" in printed

    # Without the key of the lost server, the events come back alone.
    other = NewMachine(f"sqlite:///{tmp_path / 'other.sqlite3'}", tmp_path / "other", root, "x" * 60)
    status, printed = other.run("restore", str(copies))
    assert status == 0, printed
    assert "another SECRET_KEY" in printed
    assert "/archived/" in printed
    assert f"There are {Event.objects.count()} events and 0 logins" in printed


@pytest.mark.one_database
def test_one_copy_of_the_site_an_hour_and_one_a_day_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.utils import timezone

    now = timezone.now()
    for hour in range(24 * 9, -1, -6):
        monkeypatch.setattr("server.site_copies.timezone.now", lambda hour=hour: now - timedelta(hours=hour))
        assert copy_site(tmp_path)
        assert copy_site(tmp_path) is None
    days = [path.name[15:23] for path in site_copies(tmp_path)]
    assert len(set(days)) == 7
    assert len(days) in {8, 9}
