"""A spare beside a server that is killed: `python -m bench.spare`.

    --boards 100            size of the round
    --kills 3               how often the spare is killed while it takes over, at a moment by lot
    --seed 1
    --walk folder           the spare reads a folder
    --walk planned          instead: the first server still runs when somebody presses "Take over"
    --cost 20               instead: CPU time of the first server with and without a spare, for so many seconds each

An arbiter types results at the first server until it is killed (kill -9). The spare takes over; it may be killed
meanwhile. Then the arbiter goes on there with the same session, and the first server comes back. What the first server
acknowledged and the spare does not have is the loss. No two servers may accept a result after the takeover.
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
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bench.arbiters import PATIENCE, RESULTS, ROOT, KilledServer, arbiter, ask_database, collect, free_port

TOLD = 8.0  # seconds until the spare has told the first server with which action it began
WALKS = ("killed", "folder", "planned")


@dataclass
class SpareReport:
    """acknowledged: results that the first server accepted before it was killed. lost: those that the spare lacks.

    lost_seconds: how long before the kill the oldest lost one was acknowledged. served: seconds from the press of "Take
    over" to the first answer. kills: of the spare. faults: what must not be.
    """

    acknowledged: int = 0
    lost: int = 0
    lost_seconds: float = 0.0
    served: float = 0.0
    kills: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass
class Spare:
    """A spare process. log: what it printed."""

    port: int
    environment: dict[str, str]
    log: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self, address: str) -> None:
        with self.log.open("wb") as log:
            command = [sys.executable, "-m", "server.spare", address, f"--port={self.port}"]
            self.process = subprocess.Popen(
                command, env=self.environment, cwd=ROOT, stdout=log, start_new_session=True
            )

    def kill(self) -> None:
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(timeout=20)

    def page(self) -> str:
        """Return the address of its page, "" if it is a server already."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            text = self.log.read_text()
            if found := re.search(r"http://127\.0\.0\.1:\d+(/\S+/)", text):
                if ask(self.port, "GET", found[1])[0] == 200:
                    return found[1]
            elif "Ready" in text or "Stop it with" in text:
                return ""
            time.sleep(0.05)
        raise TimeoutError(self.log.read_text())


def ask(
    port: int,
    method: str,
    path: str,
    sent: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
) -> tuple[int, str, http.client.HTTPMessage | None]:
    """Return the status, the text and the headers; status 0 without an answer."""
    try:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            line.request(method, path, urlencode(sent) if sent else None, headers or {})
            answer = line.getresponse()
            return answer.status, answer.read().decode(), answer.headers
        finally:
            line.close()
    except (OSError, http.client.HTTPException):
        return 0, "", None


@dataclass
class Machines:
    """A first server and its spare, each with a directory of its own. hall: as `bench.arbiters_database` made it.
    share: the folder that the spare reads, "" if it asks the first server.
    """

    first: KilledServer
    spare: Spare
    hall: dict[str, Any]
    share: str = ""

    @property
    def address(self) -> str:
        return self.share or f"http://127.0.0.1:{self.first.port}"

    @property
    def headers(self) -> dict[str, str]:
        return arbiter(self.hall["people"][0], self.hall, [0], 0).headers

    def type(self, port: int, game: int, value: str, version: int = 0) -> tuple[int, str, str]:
        """Type a result. Return the status, the answer and the reason of a failure."""
        sent = {"result": value, "version": version, "user": self.hall["people"][0]["user"]}
        path = f"{self.hall['path']}game/{game}/result/"
        headers = {**self.headers, "Content-Type": "application/x-www-form-urlencoded"}
        status, text, about = ask(port, "POST", path, sent, headers)
        return status, text, about.get("X-Failure", "") if about else ""

    def has_state(self) -> bool:
        """Return whether the spare has received the round."""
        path = self.spare.page()
        return "/paper/" in ask(self.spare.port, "GET", path)[1]

    def wait_for_state(self) -> None:
        end = time.monotonic() + PATIENCE
        while not self.has_state():
            if time.monotonic() > end:
                raise TimeoutError("the spare has no state")
            time.sleep(0.1)

    def take_over(self) -> float:
        """Press the button, and return the seconds until the spare serves."""
        began = time.monotonic()
        ask(self.spare.port, "POST", f"{self.spare.page()}take-over/")
        self.wait_for_spare(began)
        return time.monotonic() - began

    def wait_for_spare(self, began: float) -> None:
        """Wait until the spare serves."""
        while ask(self.spare.port, "GET", f"{self.hall['path']}pairings/")[0] != 200:
            if time.monotonic() > began + PATIENCE:
                raise TimeoutError("the spare does not serve")
            time.sleep(0.1)


@contextmanager
def machines(boards: int, migrated: Path | None = None, *, folder: bool = False) -> Iterator[Machines]:
    """Start both. migrated: a database with all migrations, whose copy saves them. folder: the spare reads a folder."""
    with tempfile.TemporaryDirectory() as place:
        own = {**os.environ, "DATABASE_URL": "", "DJANGO_SETTINGS_MODULE": "config.settings"}
        own = {
            name: value for name, value in own.items() if name not in ("SECRET_KEY", "PUSH_KEY", "BACKUP_TO")
        }
        first_var, spare_var, share = Path(place, "first"), Path(place, "spare"), Path(place, "share")
        first_var.mkdir()
        spare_var.mkdir()
        if migrated:
            shutil.copyfile(migrated, first_var / "evenboard.sqlite3")
        of_first = {**own, "VAR_DIR": str(first_var), **({"BACKUP_TO": str(share)} if folder else {})}
        hall = ask_database(of_first, "prepare", boards, 1)
        key = str(ask_database(of_first, "spare_key"))
        collect(of_first)
        first = KilledServer(free_port(), of_first)
        spare = Spare(
            free_port(), {**own, "VAR_DIR": str(spare_var), "SPARE_KEY": key}, Path(place, "spare.log")
        )
        first.start()
        try:
            first.wait()
            made = Machines(first, spare, hall, str(share) if folder else "")
            spare.start(made.address)
            made.wait_for_state()
            yield made
        finally:
            for each in (first, spare):
                with suppress(ProcessLookupError):
                    each.kill()


def planned(*, boards: int, migrated: Path | None = None) -> SpareReport:
    """Press "Take over" while results are typed at the first server. Nothing may be lost, and it must stop."""
    report = SpareReport()
    with machines(boards, migrated) as pair:
        page, games = pair.spare.page(), iter(pair.hall["games"])
        pressed: list[Any] = []
        press = threading.Thread(
            target=lambda: pressed.append(ask(pair.spare.port, "POST", f"{page}take-over/"))
        )
        typed: list[tuple[float, int, str]] = []
        for game in games:
            status, _text, why = pair.type(pair.first.port, game, "1-0")
            if status != 200:
                if (status, why) != (503, "taken_over"):
                    report.faults.append(f"the first server, after the takeover: {status} {why}")
                break
            typed.append((time.monotonic(), game, "1-0"))
            if len(typed) == boards // 3:
                press.start()
        else:
            report.faults.append("the first server did not stop")
        press.join()
        if "nothing is missing" not in pressed[0][1]:
            report.faults.append("the page of the spare does not say that nothing is missing")
        began = time.monotonic()
        pair.wait_for_spare(began)
        report.served = time.monotonic() - began
        report.acknowledged = len(typed)
        report.lost = len(lost_of(pair, typed))
        if report.lost:
            report.faults.append(f"{report.lost} results are lost")
        time.sleep(TOLD)
        check_only_there(pair, set(), set(), report)
    return report


def run(
    *, boards: int, kills: int = 0, seed: int = 1, folder: bool = False, migrated: Path | None = None
) -> SpareReport:
    """Kill the first server while results are typed, let the spare take over, and let the first server come back.
    folder: the spare reads a folder, and has no other line to the first server.
    """
    lot, report = random.Random(seed), SpareReport()
    with machines(boards, migrated, folder=folder) as pair:
        games = pair.hall["games"]
        struck, typed, unanswered = [0.0], [], set[tuple[int, str]]()
        stop_at = lot.uniform(2.0, 5.0) + (10.0 if folder else 0.0)

        def strike() -> None:
            time.sleep(stop_at)
            struck[0] = time.monotonic()
            pair.first.kill()

        killer = threading.Thread(target=strike)
        killer.start()
        for game in games[: len(games) * 3 // 4]:
            value = lot.choice(RESULTS)
            if pair.type(pair.first.port, game, value)[0] != 200:
                unanswered = {(game, value)}
                break
            typed.append((time.monotonic(), game, value))
            time.sleep(stop_at * 1.5 / len(games))
        killer.join()
        report.acknowledged = len(typed)
        for _ in range(kills):
            _kill_while_taking_over(pair, lot, report)
        report.served = pair.take_over() if pair.spare.page() else 0.0
        lost = lost_of(pair, typed)
        report.lost = len(lost)
        report.lost_seconds = max((struck[0] - at for at, _game, _value in lost), default=0.0)
        if lost != typed[len(typed) - len(lost) :]:
            report.faults.append("a later result is there, and an earlier one is not")
        _check_first(pair, report)
        acknowledged = {(game, value) for _at, game, value in lost}
        check_only_there(pair, acknowledged, acknowledged | unanswered, report)
    return report


Typed = list[tuple[float, int, str]]


def lost_of(pair: Machines, typed: Typed) -> Typed:
    """Return the results that the spare does not have."""
    games = ask_database(pair.spare.environment, "audit", pair.hall["section"])["games"]
    return [(at, game, value) for at, game, value in typed if games[str(game)][0] != value]


def check_only_there(
    pair: Machines, least: set[tuple[int, str]], most: set[tuple[int, str]], report: SpareReport
) -> None:
    """The first server must list exactly the results that the spare never got, on its page and as a file."""
    page = ask(pair.first.port, "GET", "/site/spare/", headers=pair.headers)[1]
    rows = json.loads(ask(pair.first.port, "GET", "/site/spare/log/", headers=pair.headers)[1])
    rows = [row for row in rows if "game" in row.get("after", ())]
    named = {(row["after"]["game"], row["after"]["result"]) for row in rows}
    if not least <= named <= most or len(named) != len(rows):
        report.faults.append(f"only at the first server: {sorted(least)}, and its file has {sorted(named)}")
    if page.count('<td class="when">') != len(rows):
        report.faults.append(f"its page does not show these {len(rows)} actions")


def _kill_while_taking_over(pair: Machines, lot: random.Random, report: SpareReport) -> None:
    """Kill the spare at a moment of its takeover by lot, and start it again."""
    if not (page := pair.spare.page()):
        return
    press = threading.Thread(target=ask, args=(pair.spare.port, "POST", f"{page}take-over/"))
    press.start()
    time.sleep(lot.uniform(0.0, 2.5))
    pair.spare.kill()
    press.join()
    report.kills += 1
    pair.spare.start(pair.address)


def _check_first(pair: Machines, report: SpareReport) -> None:
    """Let the first server come back: it must refuse results, and the spare must accept them."""
    open_games = pair.hall["games"][-4:]
    status, text, why = pair.type(pair.spare.port, open_games[0], "1-0")
    if status != 200:
        report.faults.append(
            f"the spare does not accept a result with the session of before: {status} {text[:200]}"
        )
    pair.first.start()
    pair.first.wait()
    for game in open_games[1:]:
        status, _text, why = pair.type(pair.first.port, game, "1-0")
        if (status, why) != (503, "taken_over"):
            report.faults.append(f"the first server, when it came back: {status} {why}")
    if ask(pair.first.port, "GET", f"{pair.hall['path']}pairings/")[0] != 200:
        report.faults.append("the first server does not show its pages")


def cost(boards: int, seconds: float) -> list[float]:
    """Return the CPU seconds of the first server a second while results are typed: without a spare, then with one."""
    found: list[float] = []
    with machines(boards) as pair:
        for with_spare in (True, False):
            if not with_spare:
                pair.spare.kill()
            assert pair.first.process is not None
            began, used, count = time.monotonic(), cpu_of(pair.first.process.pid), 0
            while time.monotonic() < began + seconds:
                game = pair.hall["games"][count % len(pair.hall["games"])]
                pair.type(pair.first.port, game, RESULTS[count % 3], count // len(pair.hall["games"]))
                count += 1
                time.sleep(max(0.0, began + count * 0.25 - time.monotonic()))
            found.insert(0, (cpu_of(pair.first.process.pid) - used) / seconds)
            size = (Path(pair.first.environment["VAR_DIR"]) / "evenboard.sqlite3").stat().st_size
            print(f"spare: {with_spare}, {count} results, database {size / 1024**2:.1f} MB")
    return found


def cpu_of(pid: int) -> float:
    """Return the CPU seconds of a process so far."""
    numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def _walk(options: argparse.Namespace) -> SpareReport:
    match options.walk:
        case "planned":
            return planned(boards=options.boards)
        case walk:
            folder = walk == "folder"
            return run(boards=options.boards, kills=options.kills, seed=options.seed, folder=folder)


def main() -> None:
    """Run and print the figures; exit with an error if something happened that must not."""
    parser = argparse.ArgumentParser(description="A spare takes over from a server that is killed.")
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--walk", choices=WALKS, default=WALKS[0])
    parser.add_argument("--cost", type=float, default=0)
    options = parser.parse_args()
    if options.cost:
        without, beside = cost(options.boards, options.cost)
        print(f"CPU of the first server: {without:.3f} s a second without a spare, {beside:.3f} with one")
        return
    report = _walk(options)
    for name in ("acknowledged", "lost", "kills"):
        print(f"{name:<20}{getattr(report, name):>8}")
    print(f"{'seconds lost':<20}{report.lost_seconds:>8.2f}\n{'seconds to serve':<20}{report.served:>8.2f}")
    print("\n".join(report.faults) or "nothing happened that must not")
    sys.exit(bool(report.faults))


if __name__ == "__main__":
    main()
