"""Ten arbiters enter one round at once while servers are killed: `python -m bench.arbiters`.

    --boards 100 --kills 3        size of the round; how often a server is killed (kill -9) and started again
    --database URL                a PostgreSQL database for two servers; without it SQLite with one server
    --postgres                    a private PostgreSQL in a temporary directory, deleted at the end

Seven arbiters type results; a third of the boards get two different results. Three arbiters read the slips a second
time and sometimes read another result. Each of them does what the page does: sends one move after another, repeats it
until the server has answered, and chooses where somebody else was faster. Afterwards the log is checked row by row:
every acknowledged move must be in it exactly once.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bench.hall_load import read_json

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ("1-0", "1/2", "0-1")
TYPISTS, READERS = 7, 3
TOKEN = "evenboardevenboardevenboard12345"  # noqa: S105 (the CSRF token in the cookie and in the header)
UNDO = re.compile(r"log/(\d+)/undo/")
PATIENCE = 60.0  # seconds within which a server must answer again


@dataclass
class KilledServer:
    """A server process on its own port, which can be killed and started again."""

    port: int
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    kills: int = 0
    root: Path = ROOT

    def command(self) -> list[str]:
        return [sys.executable, "-m", "server.main", "--only-serve", f"--port={self.port}"]

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.command(),
            env=self.environment,
            cwd=self.root,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )

    def kill(self) -> None:
        """Kill the process without warning, as a power cut would."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(timeout=20)
            self.kills += 1

    def wait(self) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                    return
            except OSError:
                time.sleep(0.05)
        raise TimeoutError(f"no server on port {self.port}")


@dataclass
class Arbiter:
    """A person at a browser. moves: acknowledged moves. clashes: refused moves. tries: requests without an answer.

    pause: seconds between two slips. undoes: the share of results that are undone and typed again, and of those after
    which the log is opened and something undone there. undone: these rows of the log, by revision.
    """

    name: str
    headers: dict[str, str]
    user: int
    path: str
    ports: list[int]
    seed: int
    moves: list[LoggedMove] = field(default_factory=list)
    undone: list[int] = field(default_factory=list)
    clashes: int = 0
    tries: int = 0
    waits: list[float] = field(default_factory=list)
    pause: float = 0.0
    undoes: float = 0.0

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.port = self.ports[self.seed % len(self.ports)]
        self.line: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, sent: dict[str, Any] | None = None) -> tuple[int, Any]:
        """Send a request until a server answers; after a failure try again, or try the other server."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if self.line is None:
                    self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=25)
                body = urlencode(sent) if sent else None
                self.line.request(method, self.path + path, body, self.headers)
                answer = self.line.getresponse()
                text = answer.read()
                if answer.status < 500:
                    is_json = answer.headers.get_content_type() == "application/json"
                    return answer.status, read_json(answer.status, text) if is_json else text.decode()
                problem: object = answer.status
            except (OSError, http.client.HTTPException) as error:
                problem = error
                self.hang_up()
                self.port = self.ports[(self.ports.index(self.port) + 1) % len(self.ports)]
            self.tries += 1
            if time.monotonic() > end:
                raise TimeoutError(f"{self.name}: {problem}")
            time.sleep(0.1)

    def ask_json(self, method: str, path: str, sent: dict[str, Any] | None = None) -> tuple[int, Any]:
        """Ask for an answer in JSON; the error about another answer shows how it begins."""
        status, answer = self.ask(method, path, sent)
        if isinstance(answer, str):
            raise AssertionError(f"{self.name}: {method} {path}: {status} {answer[:300]!r}")
        return status, answer

    def hang_up(self) -> None:
        if self.line is not None:
            self.line.close()
        self.line = None

    def move(self, game: int, kind: str, value: str, version: int, *, insists: bool = False) -> None:
        """Send one move; if somebody else was faster, keep our value or take theirs. insists: keep ours."""
        began = time.monotonic()
        path = f"game/{game}/{'result' if kind == 'result' else 'confirm'}/"
        while True:
            sent = {"result": value, "version": version, "user": self.user}
            status, answer = self.ask_json("POST", path, sent)
            if status == 200:
                self.moves.append(LoggedMove(game, kind, answer[kind], answer["version"]))
                self.waits.append(time.monotonic() - began)
                return
            if status == 422 and answer["code"] == "nothing_to_confirm":
                return
            if status != 409:
                raise AssertionError(f"{self.name}: {status} {answer}")
            self.clashes += 1
            if not insists and self.random.random() < 0.5:
                return
            version = answer["version"]

    def type_results(self, work: list[tuple[int, str]]) -> None:
        for game, value in work:
            self.move(game, "result", value, 0)  # version 0: the page was opened before anybody typed
            if self.moves and self.moves[-1].game == game and self.random.random() < self.undoes:
                for again in ("", value):
                    self.move(game, "result", again, self.moves[-1].version)
            if self.moves and self.moves[-1].game == game and self.random.random() < self.undoes:
                self.undo_in_log()
                self.move(game, "result", value, self.moves[-1].version + 1, insists=True)
            time.sleep(self.pause)

    def undo_in_log(self) -> None:
        """Undo the newest own action that the log offers to undo."""
        rows = self.ask("GET", "log/")[1].split("<tr")
        found = next((undo for row in rows if self.name in row and (undo := UNDO.search(row))), None)
        if found is None:
            return
        status, answer = self.ask("POST", found.group(), {"reason": "a slip of another board"})
        refused = answer["code"] if isinstance(answer, dict) else ""
        if status == 302 or refused == "undone_already":  # by the request whose answer was lost
            self.undone.append(int(found.group(1)))
        elif refused != "undo_depends":
            raise AssertionError(f"{self.name}: {status} {answer}")

    def read_slips(self, games: int, number: int) -> None:
        """Confirm each result that is in once, and read one in ten wrongly."""
        read: set[int] = set()
        end = time.monotonic() + PATIENCE
        while len(read) < games and time.monotonic() < end:
            _status, answer = self.ask_json("GET", f"round/{number}/results/?seen=")
            ready = [board for board in answer["boards"] if board["result"] and board["id"] not in read]
            for board in self.random.sample(ready, min(5, len(ready))):
                read.add(board["id"])
                wrong = self.random.random() < 0.1
                value = self.random.choice(RESULTS) if wrong else board["result"]
                self.move(board["id"], "second", value, board["version"])
                time.sleep(self.pause)
            time.sleep(0.02)


def run(url: str, *, boards: int, kills: int, seed: int = 1, migrated: Path | None = None) -> ArbitersReport:
    """Let the arbiters enter a round, kill servers `kills` times, and check what was kept. migrated: a database of
    SQLite with all migrations, whose copy saves them.
    """
    with tempfile.TemporaryDirectory() as var, ExitStack() as stack:
        if migrated:
            shutil.copyfile(migrated, Path(var, "evenboard.sqlite3"))
        environment = {
            **os.environ,
            "VAR_DIR": var,
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        hall = ask_database(environment, "prepare", boards, TYPISTS + READERS)
        collect(environment)
        servers = [KilledServer(free_port(), environment) for _ in range(2 if url else 1)]
        for server in servers:
            server.start()
            stack.callback(server.kill)
        for server in servers:
            server.wait()
        people = [
            arbiter(person, hall, [server.port for server in servers], seed + n)
            for n, person in enumerate(hall["people"])
        ]
        began = time.monotonic()
        with ThreadPoolExecutor(len(people) + 1) as pool:
            jobs = enter_round(pool, people, hall["games"], seed)
            pool.submit(strike, servers, people, boards, kills).result()
            for job in jobs:
                job.result()
        seconds = time.monotonic() - began
        for person in people:
            person.hang_up()
        kept = ask_database(environment, "audit", hall["section"])
        struck = sum(server.kills for server in servers)
    return ArbitersReport(
        acknowledged=sum(len(person.moves) for person in people),
        clashes=sum(person.clashes for person in people),
        tries=sum(person.tries for person in people),
        kills=struck,
        seconds=seconds,
        slowest=max(wait for person in people for wait in person.waits),
        **verdict({person.name: person.moves for person in people}, kept, hall["revision"]),
    )


def arbiter(person: dict[str, Any], hall: dict[str, Any], ports: list[int], seed: int) -> Arbiter:
    headers = {
        "Cookie": f"{hall['cookie']}={person['session']}; csrftoken={TOKEN}",
        "X-CSRFToken": TOKEN,
        "Content-Type": "application/x-www-form-urlencoded",
        "Accept": "application/json",
    }
    return Arbiter(person["name"], headers, person["user"], hall["path"], ports, seed)


def shares(
    people: list[Arbiter], games: list[int], seed: int
) -> Iterator[tuple[Arbiter, list[tuple[int, str]]]]:
    """Yield the boards and results of each typist; a second typist has every third board with another result."""
    work: list[list[tuple[int, str]]] = [[] for _ in people]
    source = random.Random(seed)
    for number, game in enumerate(games):
        first, second = source.sample(RESULTS, 2)
        work[number % len(people)].append((game, first))
        if number % 3 == 0:
            work[(number + 1) % len(people)].append((game, second))
    return zip(people, work, strict=True)


def enter_round(
    pool: ThreadPoolExecutor, people: list[Arbiter], games: list[int], seed: int, number: int = 1
) -> list[Future[None]]:
    """Let the arbiters type the results of a round and read its slips again."""
    typing = shares(people[:TYPISTS], games, seed)
    jobs = [pool.submit(person.type_results, work) for person, work in typing]
    return [*jobs, *(pool.submit(person.read_slips, len(games), number) for person in people[TYPISTS:])]


def strike(servers: list[KilledServer], people: list[Arbiter], boards: int, kills: int) -> None:
    """Kill the servers in turn, spread over the round, and start each again."""
    for number in range(kills):
        wanted = boards * (number + 1) // (kills + 1)
        end = time.monotonic() + PATIENCE
        while sum(len(person.moves) for person in people) < wanted and time.monotonic() < end:
            time.sleep(0.002)
        server = servers[number % len(servers)]
        server.kill()
        time.sleep(0.3)
        server.start()
        if len(servers) == 1:
            server.wait()


def ask_database(
    environment: dict[str, str], *arguments: object, program: str = "bench.arbiters_database"
) -> dict[str, Any]:
    command = [sys.executable, "-m", program, *map(str, arguments)]
    done = subprocess.run(command, env=environment, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def collect(environment: dict[str, str]) -> None:
    """Collect static files: the pages that refuse a request use them."""
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity=0"]
    subprocess.run(command, env=environment, cwd=ROOT, check=True)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def database(options: argparse.Namespace) -> Iterator[str]:
    from tests.machine import find_postgres, private_postgres

    programs = find_postgres() if options.postgres else None
    with private_postgres(programs) if programs else nullcontext(options.database) as url:
        yield url


def main() -> None:
    """Run and print the figures; exit with an error if anything was lost or stored twice."""
    parser = argparse.ArgumentParser(
        description="Ten arbiters enter a round at once while servers are killed."
    )
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="")
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()
    with database(options) as url:
        report = run(url, boards=options.boards, kills=options.kills, seed=options.seed)
    for name in ("acknowledged", "logged", "clashes", "tries", "kills", "agreed"):
        print(f"{name.replace('_', ' '):<14}{getattr(report, name):>8}")
    print(f"{'seconds':<14}{report.seconds:>8.1f}\n{'slowest move':<14}{report.slowest:>8.2f}")
    print("\n".join(report.faults) or "nothing lost, nothing stored twice")
    sys.exit(bool(report.faults))


# Check row by row that everything acknowledged to an arbiter is in the log exactly once.

State = tuple[str, str]  # the result, and the second reading of the slip


@dataclass
class LoggedMove:
    """An acknowledged move: at this version the game has this value."""

    game: int
    kind: str
    value: str
    version: int


@dataclass(frozen=True)
class ArbitersReport:
    """The figures of one round.

    acknowledged: moves that the server accepted. agreed: accepted moves that changed nothing: somebody else had typed
    the same, or the same person had before a server was killed. clashes: refused moves. tries: requests without an
    answer. slowest: the longest time in seconds until a move was acknowledged, including restarts of the server.
    faults: errors found; empty if nothing was lost and nothing was stored twice.
    """

    acknowledged: int
    logged: int
    clashes: int
    tries: int
    kills: int
    agreed: int
    seconds: float
    slowest: float
    faults: tuple[str, ...]


def verdict(
    moves: Mapping[str, Sequence[LoggedMove]], kept: Mapping[str, Any], before: int
) -> dict[str, Any]:
    """Compare the moves acknowledged to each person with the games and the log; return logged, agreed and faults.

    before: how many rows of the log are none of the moves.
    """
    rows = [row for row in kept["log"] if row["action"] in {"record_result", "confirm_result", "undo"}]
    states: dict[int, list[State]] = {int(game): [("", "")] for game in kept["games"]}
    authors: Counter[tuple[str, int, int]] = Counter()
    faults: list[str] = []
    for row in rows:
        game = row["after"]["game"]
        faults += _step(row, states[game])
        authors[row["who"], game, len(states[game]) - 1] += 1
    faults += _games(kept["games"], states)
    numbers = [row["revision"] for row in kept["log"]]
    if numbers != list(range(1, kept["revision"] + 1)):
        faults.append(f"the revisions of the log do not count up to {kept['revision']}")
    if kept["revision"] != before + len(rows):
        faults.append(f"{kept['revision'] - before} revisions for {len(rows)} rows")
    agreed = 0
    for who, each in moves.items():
        for move in each:
            state = states[move.game][move.version : move.version + 1]
            if not state or state[0][0 if move.kind == "result" else 1] != move.value:
                faults.append(f"{who}: {move} was acknowledged and is not in the log")
            elif not authors[who, move.game, move.version]:
                agreed += 1
    return {"logged": len(rows), "agreed": agreed, "faults": tuple(faults)}


def _step(row: Mapping[str, Any], chain: list[State]) -> list[str]:
    """Append the state that a row of the log gives to its game, and return the row's errors."""
    result, second = chain[-1]
    before, after = row["before"], row["after"]
    chain.append((after.get("result", result), after.get("second_result", second)))
    stood = before.get("result", result) == result and before.get("second_result", second) == second
    return [] if stood else [f"revision {row['revision']}: before it, the state was not {before}"]


def _games(games: Mapping[str, Sequence[Any]], states: Mapping[int, list[State]]) -> list[str]:
    faults = []
    for game, (result, second, version) in games.items():
        chain = states[int(game)]
        if version != len(chain) - 1:
            faults.append(f"game {game}: version {version}, and {len(chain) - 1} rows in the log")
        if chain[-1] != (result, second):
            faults.append(f"game {game}: the row has {result} {second}, but the log ends with {chain[-1]}")
        if not result:
            faults.append(f"game {game}: no result")
    return faults


if __name__ == "__main__":
    main()
