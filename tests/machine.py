"""Find the programs that tests need on this machine: Chromium and PostgreSQL. Uses only the standard library.

`python -m tests.machine COMMAND ...` runs a command with DATABASE_URL set to a private PostgreSQL server, which is
deleted when the command ends.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server.chromium import find_chromium

__all__ = ["find_chromium", "find_postgres", "private_postgres"]
POSTGRES_PLACES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin",
    "C:/Program Files/PostgreSQL/*/bin",
)


def find_postgres() -> Path | None:
    """Return the directory of the newest PostgreSQL programs, or None."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    directories = [
        directory
        for pattern in POSTGRES_PLACES
        for directory in Path(Path(pattern).anchor or "/").glob(
            str(Path(pattern).relative_to(Path(pattern).anchor))
        )
        if (directory / "pg_ctl").exists() or (directory / "pg_ctl.exe").exists()
    ]
    return max(directories, key=_version, default=None)


def _version(directory: Path) -> int:
    digits = "".join(character for character in directory.parent.name if character.isdigit())
    return int(digits or 0)


@contextmanager
def private_postgres(programs: Path, **own: str) -> Iterator[str]:
    """Run a private PostgreSQL server on a free port of 127.0.0.1 and yield its DATABASE_URL. own: further settings.

    PostgreSQL refuses to run as root; then the server runs as the user `postgres`, which Debian's package makes.
    """
    user = "postgres" if hasattr(os, "geteuid") and os.geteuid() == 0 else None
    password = secrets.token_hex(16)
    with tempfile.TemporaryDirectory(prefix="evenboard-pg-", ignore_cleanup_errors=True) as home:
        data, log, password_file = Path(home, "data"), Path(home, "log"), Path(home, "password")
        password_file.write_text(password)
        if user:
            shutil.chown(home, user)
            shutil.chown(password_file, user)

        def run(program: str, *arguments: str) -> None:
            # Files, not pipes: the server inherits them and would never close a pipe.
            with Path(home, "output").open("w+") as output:
                done = subprocess.run(
                    [str(programs / program), *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    cwd=home,
                    user=user,
                    group=user,
                    extra_groups=[] if user else None,
                    env={**os.environ, "PGPASSWORD": password, "LC_ALL": "C"},
                    check=False,
                )
                if done.returncode:
                    output.seek(0)
                    server_log = log.read_text(errors="replace") if log.exists() else ""
                    raise RuntimeError(f"{program} failed:\n{output.read()}\n{server_log}")

        run(
            "initdb",
            f"--pgdata={data}",
            "--username=evenboard",
            f"--pwfile={password_file}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--no-sync",
        )
        port = _free_port()
        settings = {
            "port": port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": "off",
            "synchronous_commit": "off",
            "full_page_writes": "off",
            **own,
        }
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        run("pg_ctl", f"--pgdata={data}", f"--log={log}", "--wait", f"--options={options}", "start")
        try:
            run("createdb", "--host=127.0.0.1", f"--port={port}", "--username=evenboard", "evenboard")
            yield f"postgres://evenboard:{password}@127.0.0.1:{port}/evenboard"
        finally:
            run("pg_ctl", f"--pgdata={data}", "--wait", "--mode=immediate", "stop")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main(command: list[str]) -> int:
    """Run `command` with a private PostgreSQL server and return its exit status."""
    programs = find_postgres()
    if programs is None:
        print("PostgreSQL's programs (initdb, pg_ctl) are not on this machine.", file=sys.stderr)
        return 2
    with private_postgres(programs) as url:
        return subprocess.run(command, env={**os.environ, "DATABASE_URL": url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
