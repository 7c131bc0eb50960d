"""A federation's Saturday on one host: `python -m bench.saturday --share 0.1 0.3 1`. docs/scale.md has its figures.

    --share 0.1 0.3 1   parts of the Saturday: of 300 events, 20,000 players, 50,000 phones, and of all rates below
    --web 2             web processes
    --seconds 60        how long is measured, after --warm seconds in which all phones open their page
    --stretch 1         everything takes so many times as long: all people and events, but so much less often
    --past 0            events of the past in the same database
    --quiet 0           seconds before the load, in which nobody asks for anything: what the chores of the program cost
    --saves 1 2 3       instead: how many results a second so many web processes save, and what a save costs
    --each              instead: what one request of each kind costs
    --write PAGE        put the tables into docs/scale.md, in place of those of the same kind

A private PostgreSQL, which writes to the disk as usual, the web processes and the shipped cache (docker/nginx.conf) run
on this machine, and so do the people. Phones ask for news as static/js/poll.js does, arbiters' pages as
static/js/live.js. The rates are those of the busiest hour: results come three times as fast as on average. Every six
seconds an event ends its round: the arbiter types the last results, pairs and publishes. Prints the processor seconds
and the memory of each part, and times by kind.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stdout
from datetime import date
from pathlib import Path
from typing import Any

from bench.arbiters import KilledServer, free_port
from bench.hall import ROOT, empty, load_before, milliseconds, percentile
from bench.publication import cached, pid_of, postmaster
from bench.saturday_load import LOOKS
from tests.machine import find_postgres, private_postgres

EVENTS, PHONES = 300, 50_000
ENDS_EVERY = 6.0  # seconds between two rounds that end: 300 in half an hour
RATES = {  # a second
    "save": 3 * 300 * 33 / (45 * 60),  # 33 boards in 45 minutes, three times as fast at the peak
    "player": 40.0,  # each phone opens another page once in ten minutes
    "other list": 43.0,
    "first page": 5.0,
    "search": 1.0,
    "API": 2.0,
    "registration": 1_000 / 3_600,
    "login": 1 / 6,
}
OPEN_FILES = 15_000  # of one process of the load, and of the cache
ON_DISK = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
SAVES = (
    *("database", "web processes", "saves a second", "median", "95 %", "longest"),
    *("program, each", "PostgreSQL, each", "transactions, each", "bytes of WAL, each", "answers"),
)
BEGIN = 40.0  # seconds until the chores of a new process have begun, and have looked at what was left
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure, and print what was found or write it into the page."""
    options = parse()
    printed = io.StringIO()
    with redirect_stdout(printed) if options.write else nullcontext():
        measure(options)
    if options.write:
        kind = "saves" if options.saves else "each" if options.each else "shares"
        page = options.write.read_text(encoding="utf-8")
        before, begin, rest = page.partition(f"<!-- bench.saturday, {kind} -->\n")
        text = before + begin + printed.getvalue() + "\n<!-- end -->" + rest.partition("<!-- end -->")[2]
        options.write.write_text(text, encoding="utf-8")


def measure(options: argparse.Namespace) -> None:
    print(
        f"Measured on {date.today():%d %B %Y} with Python {platform.python_version()} on {os.cpu_count()} processors"  # noqa: DTZ011
        f" (load before: {load_before()}).\n"
    )
    programs = find_postgres()
    if programs is None:
        raise SystemExit("There is no PostgreSQL on this machine.")
    with private_postgres(programs, **ON_DISK) as url:
        if options.saves:
            print(f"| {' | '.join(SAVES)} |\n|---|{'---:|' * (len(SAVES) - 2)}---|")
            saturate("", 1)
            for web in options.saves:
                saturate(url, web)
        elif options.each:
            each(url)
        else:
            for share in options.share:
                play(url, share, options)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="A federation's Saturday on one host.")
    parser.add_argument("--share", type=float, nargs="+", default=[0.1])
    parser.add_argument("--web", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--warm", type=float, default=30)
    parser.add_argument("--stretch", type=float, default=1)
    parser.add_argument("--past", type=int, default=0)
    parser.add_argument("--quiet", type=float, default=0)
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--saves", type=int, nargs="*")
    return parser.parse_args()


def play(url: str, share: float, options: argparse.Namespace) -> None:
    """Play this share of the Saturday, and print what it cost."""
    events, phones = round(EVENTS * share), round(PHONES * share)
    ending = round(options.seconds / ENDS_EVERY * share / options.stretch)
    with served(url, options.web, events, ending, options.past) as (task, parts):
        print(
            f"\n#### {share:.0%}: {events} events, {phones:,} phones, {options.web} web processes"
            + (f", everything {options.stretch:g} times as slowly\n" if options.stretch != 1 else "\n"),
            flush=True,
        )
        for kind, facts in task["facts"].items():
            print(f"An event ({kind}) in the database: {facts['rows']:,} rows, {facts['bytes']:,} bytes.")
        processes = phones // OPEN_FILES + 1
        with cached(task["ports"], max(processes + 1, os.cpu_count() or 1) if processes > 1 else 0) as (
            port,
            cache,
        ):
            parts["nginx"] = cache
            if options.quiet:
                time.sleep(BEGIN)
                before = written(url)[0]
                costs = cost(parts, options.quiet)
                count = (written(url)[0] - before) / options.quiet
                print(f"Nobody asks for {options.quiet:.0f} s: {count:.1f} transactions a second.\n")
                show_costs(parts, costs, options.quiet)
            begin = time.time() + options.warm
            shared = {name: task[name] for name in ("forms", "password", "all")} | {
                "port": port,
                "begin": begin,
                "seconds": options.seconds,
                "warm": options.warm,
                "phones": phones // processes,
                "stretch": options.stretch,
                "rates": {LOOKS: 1}
                | {kind: rate * share / processes / options.stretch for kind, rate in RATES.items()},
            }
            loads = started(
                [
                    {**shared, "number": number, "host": f"127.0.0.{number + 1}"}
                    | {name: task[name][number::processes] for name in ("events", "logins")}
                    for number in range(processes)
                ]
            )
            time.sleep(max(0.0, begin - time.time()))
            costs = cost(parts, options.seconds)
            connections, *_ = asked(
                url, "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
            )
            show_costs(parts, costs, options.seconds)
            found = ended(loads)
        print(f"| the load itself | {sum(each['own'] for each in found):.2f} | | |\n")
        print(f"{connections - 1} connections to PostgreSQL at the end.\n")
        show(found, options.seconds)


def started(tasks: list[dict[str, Any]]) -> list[subprocess.Popen[str]]:
    """Start a process of people for each task."""
    loads = []
    for task in tasks:
        command = [sys.executable, "-m", "bench.saturday_load"]
        load = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert load.stdin is not None
        json.dump(task, load.stdin)
        load.stdin.close()
        load.stdin = None
        loads.append(load)
    return loads


def ended(loads: list[subprocess.Popen[str]]) -> list[dict[str, Any]]:
    outputs = [load.communicate()[0] for load in loads]
    if any(load.returncode for load in loads):
        raise SystemExit("The load has failed.")
    return [json.loads(each) for each in outputs]


def show(found: list[dict[str, Any]], seconds: float) -> None:
    """Print the times of all people by kind."""
    answers = sum((Counter(each["answers"]) for each in found), Counter[str]())
    print(
        "| request | count | a second | median | 95 % | longest | answers |\n|---|---:|---:|---:|---:|---:|---|"
    )
    for kind in sorted({kind for each in found for kind in each["times"]}):
        times = sorted(time for each in found for time in each["times"].get(kind, ()))
        figures = " | ".join(
            milliseconds(time) for time in (percentile(times, 0.5), percentile(times, 0.95), times[-1])
        )
        codes = ", ".join(
            f"{count} times {name.removeprefix(kind).strip()}"
            for name, count in sorted(answers.items())
            if name.rpartition(" ")[0] == kind
        )
        print(f"| {kind} | {len(times)} | {len(times) / seconds:.1f} | {figures} | {codes} |")
    late, received = max(each["late"] for each in found), sum(each["received"] for each in found)
    print(
        f"\nThe load was late by {milliseconds(late)} at most; phones got {received / 1e6:.0f} MB.\n",
        flush=True,
    )


@contextmanager
def served(
    url: str, web: int, events: int, ending: int, past: int
) -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
    """Fill the database and start the web processes; yield what the load needs, and the processes by name."""
    with tempfile.TemporaryDirectory() as var, ExitStack() as running:
        environment = {
            **os.environ,
            "VAR_DIR": var,
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "of-the-bench-" * 5,
            "PYTHONPATH": str(ROOT),
            "TRUSTED_PROXY": "127.0.0.1",
        }
        if url:
            empty(url)
        command = [sys.executable, "-m", "bench.saturday_database", *map(str, (events, ending, past))]
        done = subprocess.run(command, env=environment, cwd=ROOT, check=True, stdout=subprocess.PIPE)
        task = json.loads(done.stdout)
        servers = [KilledServer(free_port(), environment) for _ in range(web)]
        for server in servers:
            server.start()
            running.callback(server.kill)
        for server in servers:
            server.wait()
        parts = {f"web {number}": pid_of(server) for number, server in enumerate(servers, 1)}
        if url:
            parts["PostgreSQL"] = postmaster(url)
        yield {**task, "ports": [server.port for server in servers]}, parts


def saturate(url: str, web: int) -> None:
    """Let 24 arbiters save without a pause, and print how many results a second were saved, and what one costs."""
    seconds = 15.0
    with served(url, web, 24, 0, 0) as (task, parts):
        before = written(url)
        found, costs = alone(task, parts, {"save": 1e9}, seconds)
        after = written(url)
    times = sorted(time for one in found for time in one["times"]["save"])
    answers = sum((Counter(one["answers"]) for one in found), Counter[str]())
    count = sum(answers.values())
    figures = [
        "PostgreSQL" if url else "SQLite",
        str(web),
        f"{len(times) / seconds:.0f}",
        *(milliseconds(time) for time in (percentile(times, 0.5), percentile(times, 0.95), times[-1])),
        *(f"{1000 * used / count:.1f} ms" for used in shares(costs)),
        f"{(after[0] - before[0]) / count:.1f}",
        f"{(after[1] - before[1]) / count:,.0f}",
        ", ".join(f"{number} times {answer}" for answer, number in sorted(answers.items())),
    ]
    print(f"| {' | '.join(figures)} |", flush=True)


def each(url: str) -> None:
    """Print what one request of each kind costs, alone. Most pages are made for it: each save changes them anyway."""
    seconds = 10.0
    print("| request | count | median | program | PostgreSQL |\n|---|---:|---:|---:|---:|")
    with served(url, 1, 60, 0, 0) as (task, parts):
        time.sleep(BEGIN)
        for kind in (*RATES, LOOKS):
            found, costs = alone(task, parts, {kind: 8}, seconds)
            times = sorted(time for one in found for time in one["times"].get(kind, ()))
            figures = " | ".join(f"{1000 * used / len(times):.1f} ms" for used in shares(costs))
            print(
                f"| {kind} | {len(times)} | {milliseconds(percentile(times, 0.5))} | {figures} |", flush=True
            )


def alone(
    task: dict[str, Any], parts: dict[str, int], rates: dict[str, float], seconds: float
) -> tuple[list[dict[str, Any]], dict[str, float]]:
    """Let people with only these rates ask the web processes directly; return what they say, and what it cost."""
    begin = time.time() + 5
    shared = {name: task[name] for name in ("forms", "password", "all")} | {
        "host": "",
        "stretch": 1,
        "warm": 0,
        "phones": 0,
    }
    shared |= {"begin": begin, "seconds": seconds, "rates": {**dict.fromkeys((*RATES, LOOKS), 0), **rates}}
    web = len(task["ports"])
    loads = started(
        [
            {**shared, "port": port, "number": number}
            | {name: task[name][number::web] for name in ("events", "logins")}
            for number, port in enumerate(task["ports"])
        ]
    )
    time.sleep(max(0.0, begin - time.time()))
    costs = cost(parts, seconds)
    return ended(loads), costs


def shares(costs: dict[str, float]) -> tuple[float, float]:
    """Return what the program used, and PostgreSQL."""
    of_database = costs.get("PostgreSQL", 0.0)
    return sum(costs.values()) - of_database, of_database


def written(url: str) -> tuple[int, int]:
    """Return how many transactions PostgreSQL has committed, and how many bytes of its log it has written."""
    if not url:
        return 0, 0
    commits, size = asked(
        url,
        "SELECT sum(xact_commit)::bigint, (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint FROM pg_stat_database",
    )
    return commits, size


def asked(url: str, question: str) -> Any:
    import psycopg

    with psycopg.connect(url) as connection:
        return connection.execute(question).fetchone()


# What the parts use -----------------------------------------------------------------------------------------


def spent(process: int) -> tuple[float, float]:
    """Return the seconds of processor time of a process, and of all that it has started."""
    own, others = times_of(process)
    return own, others + sum(sum(spent(child)) for child in children(process))


def times_of(process: int) -> tuple[float, float]:
    """Return the seconds of a process, and those of its children that have ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0, 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS, (int(fields[13]) + int(fields[14])) / TICKS


def children(process: int) -> list[int]:
    try:
        lists = [each.read_text() for each in Path(f"/proc/{process}/task").glob("*/children")]
    except OSError:
        return []
    return [int(each) for each in " ".join(lists).split()]


def megabytes(process: int) -> float:
    """Return the memory of a process and all that it has started; what several share counts once."""
    try:
        found = Path(f"/proc/{process}/smaps_rollup").read_text().split("Pss:")[1]
    except (OSError, IndexError):
        return 0.0
    return int(found.split()[0]) / 1024 + sum(megabytes(child) for child in children(process))


def cost(parts: dict[str, int], seconds: float) -> dict[str, float]:
    """Return the processor seconds of each part while so many seconds go by; a chore's process is a part of its own."""
    before = {name: spent(process) for name, process in parts.items()}
    time.sleep(seconds)
    used = {
        name: [b - a for a, b in zip(before[name], spent(process), strict=True)]
        for name, process in parts.items()
    }
    web = {name: own for name, (own, _) in used.items() if name.startswith("web")}
    chores = sum(others for name, (_, others) in used.items() if name in web)
    return {
        **web,
        "their chores": chores,
        **{name: sum(both) for name, both in used.items() if name not in web},
    }


def show_costs(parts: dict[str, int], costs: dict[str, float], seconds: float) -> None:
    print("\n| part | processor seconds | of one processor | memory |\n|---|---:|---:|---:|")
    for name, used in costs.items():
        size = f"{megabytes(parts[name]):.0f} MB" if name in parts else ""
        print(f"| {name} | {used:.2f} | {used / seconds:.3f} | {size} |")


if __name__ == "__main__":
    main()
