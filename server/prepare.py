"""Prepare the installation before it serves: migrate, compile the translations, collect static files, make the demo
event in a new database.

Each step first checks whether it has anything to do, so later starts are quick.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import caches
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from evenboard_engine import VERSION
from server.catalogues import compile_catalogues
from server.database import keep_private, refuse_unusable

DEMO_LOGINS = "demo-logins.txt"


def everything(*, demo: bool) -> None:
    """Bring database and static files up to date; with `demo`, add the demo event to a database without users."""
    with only_one(settings.VAR_DIR / "start.lock"):
        refuse_unusable()
        migrate()
        refuse_other_columns()
        keep_private()
        compile_texts()
        collect_static()
        with only_one_host():
            if not get_user_model().objects.exists():
                if demo:
                    make_demo()
                else:
                    _print_step(
                        "logins", "none yet. Make the first one: manage.py createsuperuser (docs/install.md)"
                    )
    _say_who_counts()
    logins = settings.VAR_DIR / DEMO_LOGINS
    if logins.exists():
        shown = logins.relative_to(settings.BASE_DIR) if logins.is_relative_to(settings.BASE_DIR) else logins
        _print_step("demo logins", f"kept in {shown}")


def check() -> None:
    """Compile the translations for a server that only serves. End with a sentence if another step was left out."""
    refuse_unusable()
    keep_private()
    compile_texts()
    left_out = [
        command
        for command, missing in (
            ("manage.py migrate", missing_migrations()),
            ("manage.py collectstatic --noinput", _missing_files()),
        )
        if missing
    ]
    if left_out:
        raise SystemExit(
            f"The server does not start, because a step was left out. Run first: {', then '.join(left_out)}"
        )
    _say_who_counts()


def _say_who_counts() -> None:
    """Say that one process is assumed, where several can serve the database."""
    if connection.vendor == "postgresql" and not hasattr(caches["default"], "silent_since"):
        _print_step("limits", "counted by this process alone. For several processes, set CACHE_URL")


def missing_migrations() -> list[str]:
    """Return the migrations that the database has not seen, such as `tournaments.0001_initial`."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _backwards in plan]


def _missing_files() -> bool:
    """Return whether a static file of the program was never collected."""
    collected: dict[str, str] | None = getattr(staticfiles_storage, "hashed_files", None)
    return collected is not None and any(
        path.relative_to(directory).as_posix() not in collected
        for directory in map(Path, settings.STATICFILES_DIRS)
        for path in directory.rglob("*")
        if path.is_file()
    )


def migrate() -> bool:
    """Apply the migrations that are missing. Returns whether there were any."""
    if not missing_migrations():
        _print_step("database", "up to date")
        return False
    _copy_before_upgrade()
    since = time.monotonic()
    call_command("migrate", interactive=False, verbosity=0)
    _print_step("database", "migrated", since)
    return True


def _copy_before_upgrade() -> None:
    """Copy the file of SQLite before an upgrade, because the program of before refuses what the upgrade makes."""
    if connection.vendor != "sqlite" or not MigrationRecorder(connection).applied_migrations():
        return
    since = time.monotonic()
    main = Path(str(connection.settings_dict["NAME"]))
    copy = main.with_name(f"{main.stem}-before-{VERSION}-{timezone.now():%Y%m%dT%H%M%SZ}.sqlite3")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(copy)])
    _print_step("copy", f"of the database as it was, in {copy.name}", since)


def refuse_other_columns() -> None:
    """End with a sentence if a table lacks a column: before a release, a migration may be changed in place."""
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        for model in apps.get_models():
            meta = model._meta  # noqa: SLF001 - Django's own way to a table
            table = meta.db_table
            known = connection.introspection.get_table_description(cursor, table) if table in tables else ()
            wanted = {str(field.column) for field in meta.local_concrete_fields}
            if meta.managed and (missing := wanted.difference(column.name for column in known)):
                raise SystemExit(
                    f"The database does not fit this program: {table} has no {min(missing)}. A development version "
                    "made it. Save copies of its events with that version, and start with a new database."
                )


def collect_static() -> bool:
    """Collect and compress static files if one has changed since the last time. Returns whether one had."""
    stamp, manifest = settings.VAR_DIR / "static-sources", settings.STATIC_ROOT / "staticfiles.json"
    sources = _fingerprint(Path(directory) for directory in settings.STATICFILES_DIRS)
    if manifest.is_file() and stamp.is_file() and stamp.read_text(encoding="ascii") == sources:
        _print_step("static files", "unchanged")
        return False
    since = time.monotonic()
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(sources, encoding="ascii")
    _print_step("static files", "collected", since)
    return True


def compile_texts() -> bool:
    """Compile the translations that have changed since the last time. Returns whether there were any."""
    since = time.monotonic()
    if not compile_catalogues():
        _print_step("translations", "unchanged")
        return False
    _print_step("translations", "compiled", since)
    return True


def make_demo() -> None:
    """Make the demo event and print its logins."""
    since = time.monotonic()
    logins = settings.VAR_DIR / DEMO_LOGINS
    call_command("make_demo", credentials_file=str(logins), verbosity=0)
    _print_step("demo event", "made", since)
    print("\n  Log in to it as")
    for line in logins.read_text(encoding="utf-8").splitlines():
        user, password, role = line.split(maxsplit=2)
        print(f"    {user:<12}{password:<22}{role}")
    print(flush=True)


@contextmanager
def only_one(path: Path) -> Iterator[None]:
    """Hold the lock of `path`: a second start with the same data waits until the first has finished preparing."""
    with path.open("ab") as file:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            while True:
                try:
                    msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                    break
                except OSError:  # LK_LOCK gives up after ten seconds
                    continue
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


PREPARING = 103
"""The number of the lock in the database."""


@contextmanager
def only_one_host() -> Iterator[None]:
    """Let hosts that start at once prepare PostgreSQL one after another. A host that dies holds nothing."""
    if connection.vendor != "postgresql":
        yield
        return
    with closing(connection.copy()) as own, own.cursor() as cursor:
        while not cursor.execute("SELECT pg_try_advisory_lock(%s)", [PREPARING]).fetchone()[0]:
            time.sleep(0.2)  # a statement that waits itself would end after 8 s
        yield


def _fingerprint(directories: Iterator[Path]) -> str:
    """Return a hash of the names, sizes and times of all files in `directories`."""
    digest = sha256()
    for directory in directories:
        for file in sorted(path for path in directory.rglob("*") if path.is_file()):
            state = file.stat()
            digest.update(f"{file.relative_to(directory)}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _print_step(what: str, outcome: str, since: float | None = None) -> None:
    took = "" if since is None else f"  ({time.monotonic() - since:.1f} s)"
    print(f"  {what:<14}{outcome}{took}", flush=True)
