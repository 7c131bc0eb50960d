"""Two machines with PostgreSQL and its streaming replication, and the first one is killed: `python -m
bench.spare_streaming`.

    --boards 60    size of the round
    --seed 1       the moment of the kill

It does what docs/copies.md says. The first machine is one PostgreSQL and one web process; the second one is a standby
that follows. While an arbiter types results, all processes of the first machine are killed (kill -9). The standby is
promoted and served, and the first machine comes back, first while the second one is off.
"""

from __future__ import annotations

import argparse
import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bench.arbiters import PATIENCE, RESULTS, ROOT, KilledServer, ask_database, collect, free_port
from bench.spare import Machines, Spare, SpareReport, Typed, ask, check_only_there, lost_of
from tests.machine import find_postgres

PASSWORD = secrets.token_hex(16)


@dataclass
class DatabaseServer:
    """A PostgreSQL server in a directory of its own. As root it runs as the user `postgres`."""

    programs: Path
    home: Path
    port: int

    @property
    def data(self) -> Path:
        return self.home / "data"

    @property
    def url(self) -> str:
        return f"postgres://evenboard:{PASSWORD}@127.0.0.1:{self.port}/evenboard"

    def run(self, program: str, *arguments: str) -> None:
        user = "postgres" if os.geteuid() == 0 else None
        if user:
            shutil.chown(self.home, user)
        with Path(self.home, "output").open("w+") as output:
            subprocess.run(
                [str(self.programs / program), *arguments],
                cwd=self.home,
                env={**os.environ, "PGPASSWORD": PASSWORD, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                user=user,
                group=user,
                extra_groups=[] if user else None,
                check=True,
            )

    def start(self) -> None:
        options = f"-c port={self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        log = f"--log={self.home / 'log'}"
        self.run("pg_ctl", f"--pgdata={self.data}", log, "--wait", f"--options={options}", "start")

    def ask(self, sql: str) -> object:
        with psycopg.connect(self.url, autocommit=True) as line:
            found = line.execute(sql)
            return found.fetchone() if found.description else None

    def kill(self) -> None:
        """Kill the server and all processes that it has started."""
        first = (self.data / "postmaster.pid").read_text().split()[0]
        family = [first]
        for status in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                if status.read_text().rpartition(")")[2].split()[1] == first:
                    family.append(status.parent.name)
        for pid in family:
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)


def wait(is_so: Callable[[], bool], problem: str) -> float:
    """Wait, and return how many seconds it took."""
    began = time.monotonic()
    while not is_so():
        if time.monotonic() > began + PATIENCE:
            raise TimeoutError(problem)
        time.sleep(0.1)
    return time.monotonic() - began


def streaming(boards: int, seed: int = 1) -> SpareReport:
    """Follow, kill, promote, go on, and let the first machine come back."""
    report, programs, lot = SpareReport(), find_postgres(), random.Random(seed)
    assert programs
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place, ExitStack() as ends:
        Path(place).chmod(0o755)
        primary, standby = (DatabaseServer(programs, Path(place, name), free_port()) for name in "ab")
        for each in (primary, standby):
            each.home.mkdir()
        (primary.home / "password").write_text(PASSWORD)
        (primary.home / "password").chmod(0o644)
        login = ("--username=evenboard", "--auth=scram-sha-256", f"--pwfile={primary.home / 'password'}")
        primary.run("initdb", f"--pgdata={primary.data}", "--encoding=UTF8", *login)
        primary.start()
        ends.callback(_stop, primary)
        primary.run(
            "createdb", "--host=127.0.0.1", f"--port={primary.port}", "--username=evenboard", "evenboard"
        )
        primary.ask(f"CREATE ROLE standby REPLICATION LOGIN PASSWORD '{PASSWORD}'")

        own = {
            name: value
            for name, value in {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}.items()
            if name not in ("SECRET_KEY", "PUSH_KEY", "BACKUP_TO")
        }
        of_first = {**own, "VAR_DIR": f"{place}/first", "DATABASE_URL": primary.url}
        hall = ask_database(of_first, "prepare", boards, 1)
        ask_database(of_first, "spare_key")
        collect(of_first)
        keys = {"SECRET_KEY": "secret-key", "PUSH_KEY": "push-key"}
        keys = {name: Path(place, "first", file).read_text().strip() for name, file in keys.items()}
        of_second = {**own, **keys, "VAR_DIR": f"{place}/second", "DATABASE_URL": standby.url}
        collect(of_second)

        source = ("--host=127.0.0.1", f"--port={primary.port}", "--username=standby")
        standby.run(
            "pg_basebackup",
            *source,
            f"--pgdata={standby.data}",
            "--wal-method=stream",
            "--checkpoint=fast",
            "--write-recovery-conf",
        )
        standby.start()
        ends.callback(_stop, standby)
        first, second = KilledServer(free_port(), of_first), KilledServer(free_port(), of_second)
        for server in (first, second):
            ends.callback(_end, server)
        pair = Machines(first, Spare(second.port, of_second, Path(place, "log")), hall)
        games = iter(hall["games"])
        first.start()
        first.wait()
        follows = "SELECT spares::text LIKE '%postgresql%' FROM tournaments_writingterm"
        wait(lambda: primary.ask(follows) == (True,), "the first server does not see the standby")
        first.kill()
        first.start()
        first.wait()
        if pair.type(first.port, next(games), "1-0")[0] != 200:
            report.faults.append(
                "after a start beside a standby that follows, the first server does not write"
            )

        struck, typed = [0.0], Typed()

        def strike() -> None:
            time.sleep(lot.uniform(2.0, 5.0))
            primary.kill()
            first.kill()
            struck[0] = time.monotonic()

        killer = threading.Thread(target=strike)
        killer.start()
        for game in games:
            value = lot.choice(RESULTS)
            if pair.type(first.port, game, value)[0] != 200:
                break
            typed.append((time.monotonic(), game, value))
        killer.join()
        began = time.monotonic()
        standby.run("pg_ctl", "promote", "--wait", f"--pgdata={standby.data}")
        promoted = time.monotonic() - began
        command = [sys.executable, "manage.py", "go_on_here", "--promoted", pair.address]
        subprocess.run(command, env=of_second, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        second.start()
        wait(
            lambda: ask(second.port, "GET", f"{hall['path']}pairings/")[0] == 200, "the second does not serve"
        )
        report.served = time.monotonic() - began
        report.acknowledged = len(typed)
        lost = lost_of(pair, typed)
        report.lost = len(lost)
        report.lost_seconds = max((struck[0] - at for at, _game, _value in lost), default=0.0)
        if standby.ask("SELECT number FROM tournaments_writingterm") != (1,):
            report.faults.append("the term has not risen")
        left = reversed(hall["games"])
        if pair.type(second.port, next(left), "1-0")[0] != 200:
            report.faults.append("the second server does not write")

        second.kill()
        primary.start()
        first.start()
        first.wait()
        found = pair.type(first.port, next(left), "1-0")
        if found[::2] != (503, "spare_silent"):
            report.faults.append(f"the first server, back while the second is off: {found[0]} {found[2]}")
        second.start()
        waited = wait(
            lambda: pair.type(first.port, next(left), "1-0")[2] == "taken_over", "the first is not told"
        )
        gone = {(game, value) for _at, game, value in lost}
        check_only_there(pair, gone, {(game, value) for game in hall["games"] for value in RESULTS}, report)
        print(
            f"promoted in {promoted:.2f} s; the first server knew {waited:.1f} s after the start of the second one"
        )
    return report


def _stop(server: DatabaseServer) -> None:
    with suppress(OSError, subprocess.CalledProcessError):
        server.run("pg_ctl", f"--pgdata={server.data}", "--wait", "--mode=immediate", "stop")


def _end(server: KilledServer) -> None:
    with suppress(ProcessLookupError):
        server.kill()


def main() -> None:
    """Walk and print the figures; exit with an error if something happened that must not."""
    parser = argparse.ArgumentParser(description="Two machines with PostgreSQL that streams.")
    parser.add_argument("--boards", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report = streaming(options.boards, options.seed)
    print(report)
    sys.exit(bool(report.faults))


if __name__ == "__main__":
    main()
