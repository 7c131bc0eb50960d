"""Several hosts, of which one dies every few seconds: `python -m bench.hosts`.

    --web 3              web processes (at least 3), each with a directory of its own, as on so many hosts
    --clients 500        phones that read pairings, standings and the pages of players, each every --poll 5 seconds
    --opens 100          seconds after which a person opens the whole page again; 600 on a federation's Saturday
    --seconds 60         begin no further round after these
    --rounds 2           but finish so many, however long they take: notices are sent from the second one on
    --boards 100
    --every 5            seconds between two hosts that die (kill -9), and until all answer again
    --pause 1            seconds an arbiter takes for a slip
    --valkey             with a Valkey (or Redis) for what is counted; without it each process counts for itself
    --caddy              Caddy in front of the cache and behind it, as in compose.hosts.yml
    --also-services      PostgreSQL is restarted once without a shutdown, and Valkey is killed once

All processes run on this machine: a private PostgreSQL, the web processes, and the shipped cache (docker/nginx.conf) in
front of them. Ten arbiters type one round after another, as in bench/arbiters.py: two results on a third of the
boards, second readings, one result in ten undone, and one action in ten undone in the log. Beside them players
register, a program reads the API, somebody guesses a password, and a person logs in at one process, reads at another
and logs out at the third. Receivers of mails, webhooks and notices count what comes. Prints the figures, and everything
that is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from bench.arbiters import (
    PATIENCE,
    READERS,
    ROOT,
    TOKEN,
    TYPISTS,
    Arbiter,
    KilledServer,
    arbiter,
    ask_database,
    collect,
    enter_round,
    free_port,
    verdict,
)
from bench.hall import load_before
from bench.hall_load import plain
from bench.hosts_database import FORMS_AN_HOUR
from bench.hosts_receivers import SERVICE, Came, mail_server, receiver
from bench.publication import cached, tls_proxy
from bench.registration_forms import RegisteringPlayer
from bench.servers import answers

DATABASE = "bench.hosts_database"
ROUNDS = 9
CALM, FAILING = 3.0, 10.0
"""Seconds by which an answer may be older than another one, and how much more while a process fails (decision 63)."""
ANSWERS = ("200", "204", "304")
FREE, FIRST = 5, 5  # wrong passwords without a wait, and the first wait in seconds (attempts.py)
READER = 120  # answers of the API in a minute for one network
PLAYERS = 20
REGISTERS, READS = (
    2,
    4,
)  # players who register, and connections of the program that reads the API, at the same time
DELIVERED = (
    150.0  # seconds within which mails and messages must have come: a dead host keeps its work for a minute
)
DRAFT = re.compile(r'/round/(\d+)/publish/".*?name="version" value="(\d+)"', re.DOTALL)


def main() -> None:
    """Run, print the figures, and exit with an error if something is wrong."""
    options = parse()
    from tests.machine import find_postgres, private_postgres

    programs = find_postgres()
    if programs is None:
        raise SystemExit("There is no PostgreSQL on this machine.")
    print(f"load before: {load_before()}", flush=True)
    with private_postgres(programs) as url:
        figures, faults = run(url, programs, options)
    for name, value in figures.items():
        print(f"{name:<62}{value}")
    print("\n".join(faults) or "nothing lost, nothing doubled, no page wrong, no limit forgotten")
    sys.exit(bool(faults))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Several hosts, of which one dies every few seconds.")
    parser.add_argument("--web", type=int, default=3)
    parser.add_argument("--clients", type=int, default=500)
    parser.add_argument("--poll", type=float, default=5.0)
    parser.add_argument("--opens", type=float, default=100.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--every", type=float, default=5.0)
    parser.add_argument("--pause", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    for name in ("--valkey", "--caddy", "--also-services"):
        parser.add_argument(name, action="store_true")
    return parser.parse_args()


def run(url: str, programs: Path, options: argparse.Namespace) -> tuple[dict[str, object], list[str]]:
    """Start everything, let it run, and compare what is in the database with what was acknowledged and shown."""
    with tempfile.TemporaryDirectory() as var, ExitStack() as stack:
        mails, messages = stack.enter_context(mail_server()), stack.enter_context(receiver())
        notices = stack.enter_context(receiver())
        Path(var, "sitecustomize.py").write_text(SERVICE.format(port=notices.port))
        valkey = KilledValkey(free_port(), dict(os.environ)) if options.valkey else None
        if valkey:
            valkey.start()
            stack.callback(valkey.kill)
            valkey.wait()
        environment = {
            **os.environ,
            "VAR_DIR": var,
            "DATABASE_URL": url,
            "CACHE_URL": f"valkey://127.0.0.1:{valkey.port}/0" if valkey else "",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "of-the-bench-" * 5,
            "PUSH_KEY": "of-the-bench-" * 5,
            "EMAIL_URL": f"smtp://127.0.0.1:{mails.port}",
            "WEBHOOK_NETWORKS": "127.0.0.0/8",
            "TRUSTED_PROXY": "127.0.0.1",
            "PYTHONPATH": os.pathsep.join((var, str(ROOT))),
        }
        acknowledged_is_written(url)
        people = TYPISTS + READERS
        hall = ask_database(environment, "prepare", options.boards, people, messages.port, program=DATABASE)
        collect(environment)
        hosts = []
        for _ in range(options.web):
            own = Path(tempfile.mkdtemp(dir=stack.enter_context(tempfile.TemporaryDirectory())))
            shutil.copytree(var, own, dirs_exist_ok=True)
            hosts.append(KilledServer(free_port(), {**environment, "VAR_DIR": str(own)}))
            hosts[-1].start()
            stack.callback(hosts[-1].kill)
        until_all_answer(hosts)
        ports = [host.port for host in hosts]
        if options.caddy:
            chooses = free_port()
            port, _ = stack.enter_context(cached([chooses], hosts="hosts.conf"))
            port, _ = stack.enter_context(tls_proxy(port, chooses, ports, "Caddyfile.hosts"))
        else:
            port, _ = stack.enter_context(cached(ports))
        site = FaultySite(port, hosts, hall, options, random.Random(options.seed))
        load = stack.enter_context(phones(site))
        arbiters = type_rounds(site, url, programs, valkey)
        until_all_answer(hosts)
        seen = last_look(load, hall, site)
        kept = delivered(environment, hall)
    return judged(site, arbiters, seen, kept, Came(mails.came, messages.came, notices.came))


@dataclass
class FaultySite:
    """What is tried. over: says to all who are beside the arbiters that the typing has ended."""

    port: int
    hosts: list[KilledServer]
    hall: dict[str, Any]
    options: argparse.Namespace
    random: random.Random
    over: threading.Event = field(default_factory=threading.Event)
    numbers: Iterator[int] = field(default_factory=count)
    began: float = field(default_factory=time.time)
    rounds: int = 0
    seconds: float = 0.0
    ended: int = 0  # processes that ended by themselves
    guesses: Counter[int] = field(default_factory=Counter)
    read: Counter[tuple[int, int]] = field(default_factory=Counter)  # by minute and status
    players: list[PatientPlayer] = field(default_factory=list)
    travels: Counter[str] = field(default_factory=Counter)


# The faults --------------------------------------------------------------------------------------------------


class KilledValkey(KilledServer):
    """A Valkey without a file: what it counted is gone with it."""

    def command(self) -> list[str]:
        program = shutil.which("valkey-server") or shutil.which("redis-server")
        if program is None:
            raise SystemExit("There is no Valkey on this machine, and no Redis.")
        return [program, f"--port {self.port}", "--bind 127.0.0.1", "--save", "", "--appendonly no"]


def acknowledged_is_written(url: str) -> None:
    """Let PostgreSQL write before it answers; the private server does not, which is quicker."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER DATABASE evenboard SET synchronous_commit = on")


def restart_postgres(url: str, programs: Path) -> None:
    """Restart PostgreSQL as after a crash: it ends at once, and reads its log again."""
    import psycopg

    with psycopg.connect(url) as connection:
        found = connection.execute("SHOW data_directory").fetchone()
    assert found
    user = "postgres" if os.geteuid() == 0 else None
    command = [str(programs / "pg_ctl"), f"--pgdata={found[0]}", "--mode=immediate", "--wait", "restart"]
    quiet = subprocess.DEVNULL
    subprocess.run(command, check=True, cwd="/", user=user, group=user, stdout=quiet, stderr=quiet)


def until_all_answer(hosts: list[KilledServer]) -> None:
    end = time.monotonic() + PATIENCE
    while not all(answers(host.port) for host in hosts):
        again(hosts)
        if time.monotonic() > end:
            raise TimeoutError("a web process does not answer")
        time.sleep(0.2)


def again(hosts: list[KilledServer]) -> int:
    """Start those that have ended by themselves, as systemd and Docker do. Return how many."""
    ended = [host for host in hosts if host.process is not None and host.process.poll() is not None]
    for host in ended:
        host.start()
    return len(ended)


def strike(site: FaultySite) -> None:
    """Kill one host after another, each when the others answer again."""
    due = time.monotonic() + site.options.every
    while not site.over.wait(0.5):
        site.ended += again(site.hosts)
        if time.monotonic() >= due and all(answers(host.port) for host in site.hosts):
            due = time.monotonic() + site.options.every
            host = site.random.choice(site.hosts)
            host.kill()
            host.start()


def strike_services(site: FaultySite, url: str, programs: Path, valkey: KilledValkey | None) -> None:
    if site.over.wait(site.options.seconds / 3):
        return
    restart_postgres(url, programs)
    if valkey and not site.over.wait(site.options.seconds / 3):
        valkey.kill()
        valkey.start()


# The arbiters ------------------------------------------------------------------------------------------------


def type_rounds(site: FaultySite, url: str, programs: Path, valkey: KilledValkey | None) -> list[Arbiter]:
    """Let the arbiters type one round after another, while hosts die and strangers ask."""
    hall, options = site.hall, site.options
    people = [arbiter(person, hall, [site.port], options.seed + n) for n, person in enumerate(hall["people"])]
    for person in people:
        person.pause, person.undoes = options.pause, 0.1
    beside: list[Callable[..., None]] = [strike, guess, travel, *[read_api] * READS, *[register] * REGISTERS]
    with ThreadPoolExecutor(2 * len(people) + len(beside)) as pool:
        jobs = [pool.submit(each, site) for each in beside]
        if options.also_services:
            jobs.append(pool.submit(strike_services, site, url, programs, valkey))
        site.began = time.time()
        games = hall["games"]
        try:
            while True:
                site.rounds += 1
                typing = enter_round(pool, people, games, options.seed + site.rounds, site.rounds)
                for each in typing:
                    each.result()
                settle(people[0], site.rounds)
                late = time.time() - site.began > options.seconds and site.rounds >= options.rounds
                if late or site.rounds == ROUNDS:
                    break
                print(f"round {site.rounds} after {time.time() - site.began:.0f} s", flush=True)
                games = next_round(people[0], site.rounds)
        finally:
            site.seconds = time.time() - site.began
            site.over.set()
        for job in jobs:
            job.result()
    for person in people:
        person.hang_up()
    return people


def boards_of(chief: Arbiter, number: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = chief.ask_json("GET", f"round/{number}/results/?seen=")[1]["boards"]
    return found


def settle(chief: Arbiter, number: int) -> None:
    """Decide where two results differ, and type what was undone and not typed again."""
    while True:
        open_boards = [
            board
            for board in boards_of(chief, number)
            if not board["result"] or board["second"] not in ("", board["result"])
        ]
        if not open_boards:
            return
        for board in open_boards:
            chief.move(board["id"], "result", board["second"] or "1/2", board["version"])


def next_round(chief: Arbiter, number: int) -> list[int]:
    """Pair the next round and publish it, each as often as it takes; return its games."""
    csrf = {"csrfmiddlewaretoken": TOKEN}
    while True:
        chief.ask("POST", "pair/", {"after_round": number, **csrf})
        draft = DRAFT.search(chief.ask("GET", "cockpit/")[1])
        if draft and int(draft.group(1)) == number + 1:
            break
    chief.ask("POST", f"round/{number + 1}/publish/", {"version": draft.group(2), **csrf})
    return [board["id"] for board in boards_of(chief, number + 1)]


# Who else is there -------------------------------------------------------------------------------------------


def ask(
    port: int, path: str, address: str, sent: dict[str, Any] | None = None, cookies: str = ""
) -> tuple[int, Any, bytes]:
    """Ask from an address of its own; status 0 if nobody answers."""
    line = HTTPConnection("127.0.0.1", port, timeout=60, source_address=(address, 0))
    headers = {
        "Cookie": f"csrftoken={TOKEN}; {cookies}",
        "X-Forwarded-For": address,
        "Content-Type": "application/x-www-form-urlencoded",
        "Host": "127.0.0.1",
    }
    form = urlencode({**sent, "csrfmiddlewaretoken": TOKEN}) if sent is not None else None
    try:
        line.request("GET" if form is None else "POST", path, form, headers)
        answer = line.getresponse()
        return answer.status, answer.headers, answer.read()
    except (OSError, HTTPException):
        return 0, {}, b""
    finally:
        line.close()


def guess(site: FaultySite) -> None:
    """Guess the password of one person from one address, one attempt after another at all processes."""
    while not site.over.wait(0.5):
        typed = {"username": "guarded", "password": f"wrong {site.guesses.total()}"}
        site.guesses[ask(site.port, "/login/", "127.0.0.2", typed)[0]] += 1


def most_guesses(seconds: float) -> int:
    """Return how many wrong passwords may be checked within these seconds."""
    checked = FREE
    while (seconds := seconds - FIRST * 2 ** (checked - FREE)) > 0:
        checked += 1
    return checked


def read_api(site: FaultySite) -> None:
    """Read the API as a crawler does, each time something that was never asked for."""
    while not site.over.wait(0.1):
        number = next(site.numbers)
        minute = int(time.time() // 60)
        status = ask(site.port, f"/api/v1/public/events/?search=never{number}", "127.0.0.3")[0]
        if minute == int(time.time() // 60):
            site.read[minute, status] += 1


class PatientPlayer(RegisteringPlayer):
    """A player who presses again until somebody answers. held: one more press is asked for."""

    held = False

    def _ask(self, method: str, path: str, body: str = "", cookies: str = "") -> tuple[int, Any, str]:
        end = time.monotonic() + PATIENCE
        while True:
            found = super()._ask(method, path, body, cookies)
            if 0 < found[0] < 500 or time.monotonic() > end:
                self.held = self.held or "held=" in found[1].get("Location", "")
                return found
            self.refusal = ""
            time.sleep(0.5)


def register(site: FaultySite) -> None:
    """Players of one network register, one after another."""
    while len(site.players) < PLAYERS and not site.over.wait(1):
        one = PatientPlayer(site.port, site.hall["forms"], next(site.numbers), threading.Barrier(1))
        one.register()
        site.players.append(one)


def travel(site: FaultySite) -> None:
    """Log in at one process, read at a second one, log out at a third, and be nobody at the first one."""
    page = f"{site.hall['path']}cockpit/"
    typed = {"username": "traveller", "password": site.hall["password"]}

    def answer(
        port: int, path: str, sent: dict[str, Any] | None = None, cookies: str = ""
    ) -> tuple[int, Any]:
        """Ask this process again until it lives and answers."""
        end = time.monotonic() + PATIENCE
        while True:
            status, headers, _ = ask(port, path, "127.0.0.4", sent, cookies)
            if 0 < status < 500 or time.monotonic() > end:
                return status, headers
            time.sleep(0.5)

    while not site.over.wait(3):
        first, second, third = (host.port for host in site.random.sample(site.hosts, 3))
        status, headers = answer(first, "/login/", typed)
        sent = [each.partition(";")[0] for each in headers.get_all("Set-Cookie", [])] if headers else []
        cookies = next((each for each in sent if each.startswith(site.hall["cookie"])), "")
        steps = [
            status,
            answer(second, page, cookies=cookies)[0],
            answer(third, "/logout/", {}, cookies)[0],
            answer(first, page, cookies=cookies)[0],
        ]
        site.travels["good" if steps == [302, 200, 302, 302] else f"answers: {steps}"] += 1


# What phones, mail servers and other programs get --------------------------------------------------------------


@contextmanager
def phones(site: FaultySite) -> Iterator[subprocess.Popen[str]]:
    task = {
        "port": site.port,
        "path": site.hall["path"],
        "players": 2 * site.options.boards,
        "clients": site.options.clients,
        "poll": site.options.poll,
        "opens": site.options.opens,
    }
    command = [sys.executable, "-m", "bench.hosts_load"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as load:
        assert load.stdin
        print(json.dumps(task), file=load.stdin, flush=True)
        try:
            yield load
        finally:
            load.kill()


def last_look(load: subprocess.Popen[str], hall: dict[str, Any], site: FaultySite) -> dict[str, Any]:
    """Let the phones end, and ask each process for the last pages."""
    state = ask(site.port, f"{hall['path']}pairings/", "127.0.0.5")
    while state[0] != 200:
        time.sleep(0.5)
        state = ask(site.port, f"{hall['path']}pairings/", "127.0.0.5")
    time.sleep(CALM)
    pages = ("pairings/", "standings/", "players/1/", "crosstable/", f"standings/{site.rounds}/")
    ends: dict[str, list[tuple[str, str]]] = {}
    for page in pages:
        found = [ask(host.port, hall["path"] + page, "127.0.0.5") for host in site.hosts]
        ends[page] = [(each[1].get("ETag", ""), sha256(plain(each[2])).hexdigest()) for each in found]
    last = re.search(rb"[?&;]seen=(\d+)", ask(site.hosts[0].port, f"{hall['path']}pairings/", "127.0.0.5")[2])
    assert last
    out, _ = load.communicate(last.group(1).decode() + "\n")
    return {**json.loads(out), "ends": ends}


def delivered(environment: dict[str, str], hall: dict[str, Any]) -> dict[str, Any]:
    """Wait until everything was sent, and return what the database has."""
    end = time.monotonic() + DELIVERED
    while True:
        kept = ask_database(environment, "audit", hall["section"], program=DATABASE)
        states = {state for *_rest, state in (*kept["mails"], *kept["messages"])}
        newest = max(number for number, _board in kept["boards"].values())
        if (states <= {"sent"} and set(kept["notices"].values()) == {newest}) or time.monotonic() > end:
            return kept
        time.sleep(3)


# What is right, and what is wrong ------------------------------------------------------------------------------


def judged(
    site: FaultySite,
    arbiters: list[Arbiter],
    seen: dict[str, Any],
    kept: dict[str, Any],
    came: Came,
) -> tuple[dict[str, object], list[str]]:
    others = site.hall["revision"] + 2 * (site.rounds - 1)  # each further round was paired and published once
    log = verdict({person.name: person.moves for person in arbiters}, kept, others)
    faults = list(log["faults"])
    faults += wrong_pages(seen, kept)
    limits, forgotten = limits_kept(site)
    faults += forgotten
    sent, unsent = everything_sent(site, kept, came)
    faults += unsent
    rows = Counter(row["undoes"] for row in kept["log"] if row["action"] == "undo")
    undone = Counter(each for person in arbiters for each in person.undone)
    faults += [
        f"the undo of {each} is {rows[each]} times in the log"
        for each in rows | undone
        if rows[each] != undone[each]
    ]
    faults += [f"{count} times {what}" for what, count in site.travels.items() if ":" in what]
    failed = {each: times for each, times in seen["answers"].items() if each.split()[-1] not in ANSWERS}
    faults += [
        f"{times} times {each} for a phone"
        for each, times in failed.items()
        if not each.endswith((" 503", " lost"))
    ]
    waits = sorted(wait for person in arbiters for wait in person.waits)
    figures: dict[str, object] = {
        "hosts killed": sum(host.kills for host in site.hosts) - len(site.hosts),
        "processes that ended by themselves": site.ended,
        "rounds, seconds": f"{site.rounds}, {site.seconds:.0f}",
        "moves acknowledged": sum(len(each.moves) for each in arbiters),
        "rows in the log": log["logged"],
        "of them undone in the log": undone.total(),
        "clashes": sum(each.clashes for each in arbiters),
        "requests of arbiters that were sent again": sum(each.tries for each in arbiters),
        "a move (median, 99 %, longest)": ", ".join(
            f"{waits[int(len(waits) * share) - (share == 1)]:.2f} s" for share in (0.5, 0.99, 1)
        ),
        "answers to phones": sum(seen["answers"].values()),
        "of them failed (503: come again; lost: cut off by a kill)": failed or 0,
        "pages looked at, different ones": f"{seen['pages']}, {seen['different']}",
        "revisions of the pairings compared with the log": len(seen["boards"]),
        "older than another answer (times, by more than 3 s, longest)": f"{len(seen['stale'])}"
        f", {sum(each > CALM for each in seen['stale'])}, {(seen['stale'] or [0])[-1]:.1f} s",
        "a reader went back by a revision": seen["back"],
        "all phones show the end after": f"{seen['converged']:.1f} s",
        **{
            f"phones, {kind} (median, 99 %, longest)": ", ".join(f"{each:.2f} s" for each in times)
            for kind, times in seen["times"].items()
        },
        "the phones themselves: share of a processor, late": f"{seen['own']:.2f}, {seen['late']:.1f} s",
        **limits,
        **sent,
        "logged in at one process and out at another": dict(site.travels),
        "load after": load_before(),
    }
    return figures, faults


def wrong_pages(seen: dict[str, Any], kept: dict[str, Any]) -> Iterator[str]:
    """Yield what was wrong with the pages that phones got."""
    if seen["cut"]:
        yield f"{seen['cut']} pages had no end"
    if seen["behind"]:
        yield f"{seen['behind']} phones do not show the end"
    if seen["stale"] and seen["stale"][-1] > CALM + FAILING:
        yield f"an answer was {seen['stale'][-1]:.1f} s older than another one"
    yield from (f"two contents of {each}" for each in seen["two contents"])
    for page, each in seen["ends"].items():
        if len(set(each)) > 1:
            yield f"{page}: the processes answer differently at the end"
        shown = seen["last contents"].get(f"{page} {each[0][0]}")
        if shown and shown != each[0][1]:
            yield f"{page}: phones had another page than the processes"
    stood = states_by_revision(kept)
    for revision, (number, rows) in seen["boards"].items():
        right = stood(int(revision), number)
        for board, result in rows.items():
            if right.get(int(board)) != result:
                yield f"revision {revision}, board {board}: {result}, but the log says {right.get(int(board))}"


def states_by_revision(kept: dict[str, Any]) -> Callable[[int, int], dict[int, str]]:
    """Return what says how the boards of a round stood at a revision, by the log."""
    rows = [row for row in kept["log"] if "game" in row["after"] and "result" in row["after"]]

    def stood(revision: int, number: int) -> dict[int, str]:
        found = {board: "" for at, board in kept["boards"].values() if at == number}
        for row in rows:
            at, board = kept["boards"][str(row["after"]["game"])]
            if row["revision"] <= revision and at == number:
                found[board] = row["after"]["result"]
        return found

    return stood


def limits_kept(site: FaultySite) -> tuple[dict[str, object], list[str]]:
    """Return what was let through in all processes together, and which limit was forgotten."""
    checked, most = site.guesses[200], most_guesses(site.seconds)
    by_minute = Counter({minute: count for (minute, status), count in site.read.items() if status == 200})
    read = max(by_minute.values(), default=0)
    taken = sum(not each.held and not each.refusal for each in site.players)
    hours = (site.began + site.seconds) // 3600 - site.began // 3600 + 1
    most_forms = FORMS_AN_HOUR * int(hours)
    figures: dict[str, object] = {
        "wrong passwords checked, at most, told to wait": f"{checked}, {most}, {site.guesses[429]}",
        "the API in a minute, at most, refused": f"{read}, {READER}, "
        f"{sum(count for (_, status), count in site.read.items() if status == 429)}",
        "registrations taken at once, at most, asked to press again": f"{taken}, {most_forms}, "
        f"{sum(each.held for each in site.players)}",
    }
    faults = [f"{checked} wrong passwords were checked, and not at most {most}"] if checked > most else []
    if site.options.valkey and not site.options.also_services:  # with Valkey its counts are gone
        if read > READER:
            faults.append(f"the API answered {read} times in a minute, and not at most {READER}")
        if taken > most_forms:
            faults.append(f"{taken} registrations were taken at once, and not at most {most_forms}")
    return figures, faults


def everything_sent(
    site: FaultySite, kept: dict[str, Any], sent: Came
) -> tuple[dict[str, object], list[str]]:
    """Return what came, and what came not, or is there twice."""
    faults = [
        f"{address} is registered {times} times" for address, times in kept["registered"].items() if times > 1
    ]
    lost = [each.email for each in site.players if not each.refusal and each.email not in kept["registered"]]
    faults += [f"the registration of {address} is lost" for address in lost]
    for key, kind, state in kept["messages"]:
        if state == "sent" and key not in sent.messages:
            faults.append(f"the message {key} ({kind}) counts as sent and did not come")
        elif state != "sent":
            faults.append(f"the message {key} ({kind}) is {state}")
    faults += [
        f"a mail to {address} ({kind}) is {state}"
        for address, kind, state in kept["mails"]
        if state != "sent"
    ]
    came = Counter(each.partition(" ")[0] for each in sent.mails.elements())
    wanted = Counter(address for address, _kind, _state in kept["mails"])
    faults += [
        f"{address}: {count} mails, and {came[address]} came"
        for address, count in wanted.items()
        if came[address] < count
    ]
    publications = sum(kind == "publication" for _key, kind, _state in kept["messages"])
    if publications != site.rounds - 1:
        faults.append(f"{publications} messages about {site.rounds - 1} publications")
    twice = sum(count - 1 for count in sent.messages.values())
    for endpoint, number in kept["notices"].items():
        if number != site.rounds or not (site.rounds == 1 or sent.notices[urlsplit(endpoint).path]):
            faults.append(f"the phone {endpoint} was told of round {number}, and {site.rounds} is published")
    return {
        "messages to a program, that came more than once": f"{len(kept['messages'])}, {twice}",
        "mails, that came more than once": f"{wanted.total()}, {came.total() - wanted.total()}",
        "phones with notices, notices; one a round": f"{len(kept['notices'])}, {sent.notices.total()}; "
        f"{len(kept['notices']) * (site.rounds - 1)}",
    }, faults


if __name__ == "__main__":
    main()
