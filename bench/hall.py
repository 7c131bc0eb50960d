"""A hall full of phones while an arbiter saves results: `python -m bench.hall`.

    --postgres         also on a private PostgreSQL in a temporary directory, deleted at the end
    --seconds 60       how long each measurement takes
    --together         all pages ask for news at the same moment
    --program DIR      another version of the program to serve
    --beside DIR       another version to serve in turns with this one, to compare both in one run; it needs a
                       bench/hall_database.py of its own if its actions are called in another way
    --only NAME ...    only these loads: hall, hall while a round is prepared, hammer, three arbiters, confirm
    --write PAGE       also put the table into docs/performance.md

The server of `run.py` serves 201 players in its own process. The load comes from a second process: (hall) 500 open
pages that ask for news every 5 seconds, (hammer) 40 connections that ask for the crosstable without a pause. In both,
an arbiter saves a result every 1.2 seconds and has the page Results open. (confirm) Three arbiters do so in a section
of 1,200 players at the end of a round, while 1,000 phones at one address open the board of their players within 30
seconds and press its result, until the last one has seen it; what the server accepted is compared with the database.
(three arbiters) The same without the phones. (hall while a round of so many players is prepared) The load "hall", while
a process with low priority pairs another section ahead for 27 combinations, again and again. Prints a table.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from bench.arbiters import KilledServer, free_port
from bench.public_pages import processor_time
from bench.servers import memory

ROOT = Path(__file__).resolve().parent.parent
LOADS: dict[str, dict[str, Any]] = {
    "hall": {"pages": 500, "connections": 0, "warm": 10},
    **{
        f"hall while a round of {count} players is prepared": {
            "pages": 500,
            "connections": 0,
            "warm": 10,
            "ahead": count,
        }
        for count in (200, 1_000)
    },
    "hammer": {"pages": 0, "connections": 40, "warm": 10},
    "three arbiters": {"arbiters": 3, "warm": 10, "players": 1_200},
    "confirm": {"arbiters": 3, "phones": 1_000, "warm": 10, "players": 1_200},
}
GOALS = {("hall", "save"): 0.1, ("hall", "poll"): 0.5, ("hammer", "save"): 0.2}
BEGIN, END = "<!-- written by bench/hall.py -->", "<!-- end -->"
HEAD = ("database", "load", "requests", "a second", "median", "99 %", "longest", "goal", "answers")


def main() -> None:
    """Measure both loads on each database and print the table."""
    parser = argparse.ArgumentParser(description="A hall full of phones while an arbiter saves results.")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--program", type=Path, default=ROOT)
    parser.add_argument("--beside", type=Path)
    parser.add_argument("--only", choices=list(LOADS), nargs="+", default=list(LOADS))
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    lines: list[str] = []

    def print_line(line: str) -> None:
        print(line, flush=True)
        lines.append(line)

    print_line(
        f"Measured on {date.today():%d %B %Y} with Python {platform.python_version()} on {os.cpu_count()} processors"  # noqa: DTZ011
        f" (load before: {load_before()}), {options.seconds:.0f} s each.\n"
    )
    print_line(f"| {' | '.join(HEAD)} |\n|---|---|{'---:|' * 6}---|")
    programs = {"": options.program} | ({", the other version": options.beside} if options.beside else {})
    for name, url in databases(options.postgres):
        for load, numbers in LOADS.items():
            for version, program in programs.items() if load in options.only else ():
                measured, size = measure(
                    url, numbers, seconds=options.seconds, together=options.together, program=program
                )
                for line in rows(name + version, load, measured, measured["seconds"]):
                    print_line(f"| {' | '.join(line)} |")
                print_line(f"| {name}{version} | {load}: memory of the server | {size:.0f} MB |{' |' * 6}")
                print_line(
                    f"| {name}{version} | {load}: processor time of the server | {measured['busy']:.0f} s |{' |' * 6}"
                )
                if numbers.get("ahead"):
                    print_line(f"| {name}{version} | {load}: times | {measured['prepared']} |{' |' * 6}")
                if phones := numbers.get("phones"):
                    for what, figure in (
                        ("seconds until the last player saw the result", f"{measured['seconds']:.0f}"),
                        ("boards with both players' result", f"{measured['stands']} of {phones // 2}"),
                        (
                            "accepted presses: all, lost, doubled",
                            "{accepted}, {lost}, {doubled}".format(**measured),
                        ),
                    ):
                        print_line(f"| {name}{version} | {load}: {what} | {figure} |{' |' * 6}")
    if options.write:
        before, begin, rest = options.write.read_text(encoding="utf-8").partition(BEGIN)
        _former, end, after = rest.partition(END)
        page = before + begin + "\n".join(["", *lines, ""]) + end + after
        options.write.write_text(page, encoding="utf-8")


def load_before() -> str:
    """Return how many processes wanted to run in the last minute, if the system tells."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def databases(postgres: bool) -> Iterator[tuple[str, str]]:
    """Yield the name and the address of each database; SQLite has none."""
    from tests.machine import find_postgres, private_postgres

    yield "SQLite", ""
    if postgres:
        programs = find_postgres()
        if programs is None:
            raise SystemExit("There is no PostgreSQL on this machine.")
        with private_postgres(programs) as url:
            yield "PostgreSQL", url


def measure(
    url: str,
    numbers: dict[str, Any],
    *,
    seconds: float,
    together: bool = False,
    program: Path = ROOT,
    migrated: Path | None = None,
) -> tuple[dict[str, Any], float]:
    """Serve a new section, let the load come, and return its times and the memory of the server in MB. migrated: a
    database of SQLite with all migrations, whose copy saves them.
    """
    sizes = (numbers.get("players", 201), numbers.get("ahead", 0))
    with prepared(url, program, *sizes, migrated=migrated) as (environment, hall):
        server = KilledServer(free_port(), environment, root=program)
        server.start()
        beside = None
        try:
            server.wait()
            task = {
                "port": server.port,
                "hall": hall,
                "seconds": seconds,
                "together": together,
                "hammer": "crosstable/",
                **numbers,
            }
            if numbers.get("ahead"):
                again = [sys.executable, "-m", "bench.hall_database", "ahead"]
                beside = subprocess.Popen(again, env=environment, cwd=program, stdout=subprocess.PIPE)
            done = subprocess.run(
                [sys.executable, "-m", "bench.hall_load"],
                cwd=ROOT,
                check=True,
                input=json.dumps(task),
                text=True,
                stdout=subprocess.PIPE,
            )
            times = 0
            if beside is not None:
                beside.terminate()
                times = len(beside.communicate()[0].splitlines())
            assert server.process is not None
            size, busy = memory(server.process.pid), processor_time(server.process.pid)
        finally:
            server.kill()
            if beside is not None:
                beside.kill()
        measured: dict[str, Any] = {**json.loads(done.stdout), "busy": busy, "prepared": times}
        if numbers.get("phones"):
            measured |= compared(measured["pressed"], database_says(environment, program, "pressed"))
    return measured, size


def compared(accepted: dict[str, str], stored: dict[str, list[Any]]) -> dict[str, int]:
    """Compare what the server accepted, by link, with what the database has, by the start of the link.

    Return how many presses were accepted, how many of these are lost, how many are in the log more than once, and how
    many are there although the end of the load came before the answer.
    """
    by_player = {re.match("[0-9]+[wb]", link)[0]: result for link, result in accepted.items()}  # type: ignore[index]
    lost = sum(stored.get(player, ["", 0])[0] != result for player, result in by_player.items())
    return {
        "accepted": len(accepted),
        "lost": lost,
        "doubled": sum(lines > 1 for _result, lines in stored.values()),
        "unanswered": sum(player not in by_player for player in stored),
    }


@contextmanager
def prepared(
    url: str, program: Path, *sizes: int, migrated: Path | None = None
) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """Make the section; on PostgreSQL the former one is deleted first. sizes: as for `prepare` of hall_database.py."""
    with tempfile.TemporaryDirectory() as var:
        if migrated:
            shutil.copyfile(migrated, Path(var, "evenboard.sqlite3"))
        environment = {
            **os.environ,
            "VAR_DIR": var,
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(program),
        }
        if url:
            empty(url)
        yield environment, database_says(environment, program, *map(str, sizes))


def database_says(environment: dict[str, str], program: Path, *asked: str) -> dict[str, Any]:
    """Run bench/hall_database.py of the program that is served."""
    own = program / "bench" / "hall_database.py"
    command = [sys.executable, str(own if own.exists() else ROOT / "bench" / own.name), *asked]
    done = subprocess.run(command, env=environment, cwd=program, check=True, stdout=subprocess.PIPE)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def empty(url: str) -> None:
    """Delete all tables of a PostgreSQL database."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


def rows(database: str, load: str, measured: dict[str, Any], seconds: float) -> Iterator[tuple[str, ...]]:
    """Yield a line of the table for each kind of request."""
    for name, times in sorted(measured["times"].items()):
        times.sort()
        slow = percentile(times, 0.99)
        goal = GOALS.get((load, name))
        verdict = "" if goal is None else f"{'met' if slow < goal else 'missed'}: {goal * 1000:.0f} ms"
        answers = ", ".join(
            f"{count} times {answer.removeprefix(name).strip()}"
            for answer, count in sorted(measured["answers"].items())
            if answer.startswith(f"{name} ")
        )
        figures = [milliseconds(value) for value in (percentile(times, 0.5), slow, times[-1])]
        yield (
            database,
            f"{load}: {name}",
            str(len(times)),
            f"{len(times) / seconds:.1f}",
            *figures,
            verdict,
            answers,
        )


def percentile(times: list[float], share: float) -> float:
    """Return the smallest time that at least `share` of the sorted times do not exceed."""
    return times[max(0, math.ceil(share * len(times)) - 1)]


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"


if __name__ == "__main__":
    main()
