"""Databases of releases. One is made at each tag and kept; tests/house/test_upgrade.py upgrades them.

    python -m tests.released keep            make the database of this version and keep it: a step of a release
    python -m tests.released make FOLDER     make it in FOLDER: the database, and the addresses of its pages
    python -m tests.released open FOLDER     upgrade the database in FOLDER as a start does, and open each page

`make` and `open` run in a process of their own, with FOLDER as VAR_DIR (`run`).
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "tests" / "databases"
DATABASE, PAGES = "evenboard.sqlite3", "pages.json"
ENVIRONMENT = {
    "SECRET_KEY": "of-databases-that-tests-keep-0123456789-abcdefghijklmnopq",  # it signs links in the list of pages
    "DATABASE_URL": "",
    "ALLOWED_HOSTS": "testserver",
}


def run(command: str, folder: Path) -> None:
    """Run a command of this module on a folder."""
    environment = {**os.environ, **ENVIRONMENT, "VAR_DIR": str(folder)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.released", command, str(folder)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def keep() -> None:
    """Keep the database of this version, compressed, with the addresses of its pages."""
    from evenboard_engine import VERSION

    with TemporaryDirectory() as directory:
        run("make", Path(directory))
        kept = KEPT / VERSION
        kept.mkdir(parents=True)
        packed = gzip.compress((Path(directory) / DATABASE).read_bytes(), mtime=0)
        (kept / f"{DATABASE}.gz").write_bytes(packed)
        shutil.copy(Path(directory) / PAGES, kept)
    print(f"{kept} has {len(packed) // 1024} kB")


def take(kept: Path, folder: Path) -> None:
    """Write a kept database and its list of pages into a folder."""
    (folder / DATABASE).write_bytes(gzip.decompress((kept / f"{DATABASE}.gz").read_bytes()))
    shutil.copy(kept / PAGES, folder)


def last_code(folder: Path) -> Path:
    """Return the folder with the program of the last release, from the commit that keeps its database: a clone may have
    no tags.
    """
    found = subprocess.run(
        ["git", "log", "-1", "--format=%H", "--diff-filter=A", "--", str(KEPT)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert found, "commit the kept database first"
    folder.mkdir()
    packed = subprocess.run(["git", "archive", found], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        # Python 3.11.2 has no filters
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _path: member)
        archive.extractall(folder)  # noqa: S202 - our own source
    return folder


def make(folder: Path) -> None:
    """Make a database with an event that uses every page, and the demo. Note the pages that open."""
    from django.core.management import call_command
    from django.db import connection

    from tests.web.test_access import routes, site
    from tournaments.models import User

    call_command("migrate", verbosity=0)
    call_command("make_demo", credentials_file=str(folder / "logins"), verbosity=0)
    User.objects.filter(username="arbiter").update(username="arbiter-of-the-demo")
    made = site(public=True)
    User.objects.filter(pk=made.logins["superuser"].pk).update(username="superuser")
    shutil.rmtree(folder / "backups")  # a kept database comes without its copies
    demo: dict[str, object] = {"event": "harvenmouth-open", "section": "open", "number": 3, "tpn": 5}
    demo |= {"document": "standings", "kind": "csv"}
    pages = {one.path for one in made.addresses}
    for route in routes():
        try:
            pages.add(route.path.format_map(demo))
        except KeyError:  # it has a part that the demo has not
            continue
    opened = sorted(set(pages) - set(failing(pages)))
    (folder / PAGES).write_text(json.dumps(opened, indent=0))
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("VACUUM")
    connection.close()


def failing(pages: list[str]) -> dict[str, int]:
    """Return the pages that a superuser cannot open, with the status of the answer. Nothing is changed.

    Static files are not collected. An error in the program is raised: such a page would not be opened at all.
    """
    from django.conf import settings
    from django.db import transaction
    from django.test import Client, override_settings

    from tests.once import columns_written_once, found_at_once
    from tournaments.models import User

    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    found = {}
    at_once = found_at_once(), columns_written_once()
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": plain}), at_once[0], at_once[1]:
        client = Client()
        client.force_login(User.objects.get(username="superuser"))
        for page in pages:
            with transaction.atomic():
                status = client.get(page).status_code
                transaction.set_rollback(True)
            if status >= 400:
                found[page] = status
    return found


def open_all(folder: Path) -> None:
    """Upgrade the database as the first start after an update does, and open each page of the list."""
    from server import prepare

    prepare.refuse_unusable()
    prepare.migrate()
    prepare.refuse_other_columns()
    pages = json.loads((folder / PAGES).read_text())
    if found := failing(pages):
        raise SystemExit(f"These pages opened before the upgrade: {found}")


def main(command: str, *folder: str) -> None:
    """Run a command."""
    if command == "keep":
        keep()
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    {"make": make, "open": open_all}[command](Path(folder[0]))


if __name__ == "__main__":
    main(*sys.argv[1:])
