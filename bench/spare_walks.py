"""More walks with a server and its spare: `python -m bench.spare_walks WALK`.

address     results typed in Chromium while no server answers reach the spare, at the same address
decided     the spare does not answer when the first server starts: `manage.py go_on_here`, beside it and before it
cut         the spare is killed while it receives, at six moments; then the first server while it sends
back        the first server comes back while the spare takes over
copied      a copy of the directory of the first server is started beside it
both        two spares take over at the same moment
postgres    both servers have PostgreSQL; the second database is a dump of the first one
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import psycopg

from bench.arbiters import PATIENCE, ROOT, TOKEN, KilledServer, ask_database, collect, free_port
from bench.spare import TOLD, Machines, Spare, SpareReport, ask, check_only_there, lost_of, machines


def address(boards: int, migrated: Path | None = None) -> SpareReport:
    """Type results in Chromium; kill the first server, type on, and let the spare take over at the same address."""
    from playwright.sync_api import expect, sync_playwright

    from tests.machine import find_chromium

    report = SpareReport()
    with machines(boards, migrated) as pair, sync_playwright() as playwright:
        site = pair.address
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        context = browser.new_context(base_url=site)
        cookies = {pair.hall["cookie"]: pair.hall["people"][0]["session"], "csrftoken": TOKEN}
        context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies.items()])
        page = context.new_page()
        page.goto(f"{pair.hall['path']}round/1/results/")
        page.keyboard.type("15")
        expect(page.locator("#queue")).to_be_hidden()
        _wait(lambda: f"2 of {boards}" in _page_of(pair), "the spare does not get two results")
        pair.first.kill()
        page.keyboard.type("010")
        expect(page.locator("#queue")).to_contain_text("3 kept only in this browser", timeout=PATIENCE * 1000)
        pair.spare.kill()
        pair.spare.port = pair.first.port
        pair.spare.start(site)
        secret = pair.spare.page()
        time.sleep(3.0)  # the browser tries again, and meets a spare
        waiting = page.locator("#queue").inner_text()
        if "3 kept only in this browser" not in waiting:
            report.faults.append(f"at a spare that has not taken over: {waiting}")
        taking = context.new_page()
        taking.goto(secret)
        taking.get_by_role("button", name="Take over").click()
        expect(taking.get_by_role("heading", level=1)).to_have_text("This computer has taken over")
        if "is missing here" not in taking.locator("main").inner_text():
            report.faults.append("the page does not say what is missing")
        began = time.monotonic()
        expect(page.locator("#queue")).to_be_hidden(timeout=PATIENCE * 1000)
        report.served = time.monotonic() - began
        page.keyboard.type("5")
        expect(page.locator("#queue")).to_be_hidden()
        context.close()
        browser.close()
        games = ask_database(pair.spare.environment, "audit", pair.hall["section"])["games"]
        found = [games[str(game)][0] for game in pair.hall["games"][:6]]
        if found != ["1-0", "1/2", "0-1", "1-0", "0-1", "1/2"]:
            report.faults.append(f"the results at the spare: {found}")
        report.acknowledged = 6
    return report


def _page_of(pair: Machines) -> str:
    return " ".join(ask(pair.spare.port, "GET", pair.spare.page())[1].split())


def _wait(is_so: Callable[[], bool], problem: str, seconds: float = PATIENCE) -> float:
    """Wait, and return how many seconds it took."""
    began = time.monotonic()
    while not is_so():
        if time.monotonic() > began + seconds:
            raise TimeoutError(problem)
        time.sleep(0.25)
    return time.monotonic() - began


def decided(boards: int, migrated: Path | None = None) -> SpareReport:
    """Start the first server again and again without its spare, and decide by the command."""
    report = SpareReport()
    with machines(boards, migrated) as pair:
        games = iter(pair.hall["games"])

        def expect(wanted: tuple[int, str], when: str, patience: float = 0.0) -> None:
            end, game = time.monotonic() + patience, next(games)
            while (found := pair.type(pair.first.port, game, "1-0"))[::2] != wanted:
                if time.monotonic() > end:
                    report.faults.append(f"{when}: {found[0]} {found[2]}")
                    return
                time.sleep(0.1)

        def again() -> None:
            pair.first.kill()
            pair.first.start()
            pair.first.wait()

        pair.spare.kill()
        again()
        expect((503, "spare_silent"), "the spare does not answer")
        _manage(pair.first.environment, "go_on_here")
        expect((200, ""), "go_on_here beside the server", patience=3.0)
        again()
        expect((200, ""), "the next start after the decision")
        pair.spare.start(pair.address)
        _wait(lambda: "The first server answered" in _page_of(pair), "the spare does not ask")
        pair.spare.kill()
        again()
        expect((503, "spare_silent"), "the spare has received the state once more")
        pair.first.kill()
        _manage(pair.first.environment, "go_on_here")
        pair.first.start()
        pair.first.wait()
        expect((200, ""), "go_on_here before the start")
    return report


def cut(boards: int, migrated: Path | None = None) -> SpareReport:
    """Kill the spare after so many bytes of an answer, or so long after its end; then the first server."""
    report = SpareReport()
    moments = ((400, 0.0), (3_000, 0.0), (WHOLE, 0.0), (WHOLE, 0.005), (WHOLE, 0.02), (WHOLE, 0.05))
    with machines(boards, migrated) as pair:
        wire = Wire(pair.first.port)
        games, typed = iter(pair.hall["games"]), list[tuple[float, int, str]]()

        def type_three() -> None:
            for game, _number in zip(games, range(3), strict=False):
                if pair.type(pair.first.port, game, "1-0")[0] == 200:
                    typed.append((time.monotonic(), game, "1-0"))

        pair.spare.kill()
        for size, after in moments:
            pair.spare.start(wire.address)
            pair.wait_for_state()
            wire.arm(size, after, pair.spare.kill)
            type_three()
            if not wire.struck.wait(PATIENCE):
                raise TimeoutError("nothing was killed")
            report.kills += 1
        pair.spare.start(wire.address)
        _wait(lambda: f"{len(typed)} of {boards}" in _page_of(pair), "the spare does not get all results")
        wire.arm(2_000, 0.0, pair.first.kill)
        type_three()
        if not wire.struck.wait(PATIENCE):
            raise TimeoutError("the first server was not killed")
        if f"{len(typed) - 3} of {boards}" not in _page_of(pair):
            report.faults.append("the spare does not have the state of before the answer that was cut")
        report.served = pair.take_over()
        lost = lost_of(pair, typed)
        report.acknowledged, report.lost = len(typed), len(lost)
        if lost != typed[len(typed) - len(lost) :] or len(lost) > 3:
            report.faults.append(f"lost: {lost}")
        database = Path(pair.spare.environment["VAR_DIR"]) / "evenboard.sqlite3"
        with closing(sqlite3.connect(database)) as file:
            if file.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                report.faults.append("the database of the spare is damaged")
        wire.stop()
        pair.first.start()
        pair.first.wait()
        gone = {(game, value) for _at, game, value in lost}
        check_only_there(pair, gone, gone, report)
    return report


def back(boards: int, migrated: Path | None = None) -> SpareReport:
    """Start the first server, and press "Take over" so long after: what both accept must be noticed."""
    report = SpareReport()
    for after in (0.0, 1.5, 3.0, 5.0):
        with machines(boards, migrated) as pair:
            games = iter(pair.hall["games"])
            pair.first.kill()
            pair.first.start()
            taken = list[float]()

            def press(pair: Machines = pair, after: float = after, taken: list[float] = taken) -> None:
                time.sleep(after)
                pair.take_over()
                taken.append(time.monotonic())

            thread = threading.Thread(target=press)
            thread.start()
            accepted, late = set[tuple[int, str]](), 0
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                status, _text, why = pair.type(pair.first.port, game := next(games), "1-0")
                if status == 200:
                    accepted.add((game, "1-0"))
                    late += bool(taken)
                elif why == "taken_over":
                    break
                time.sleep(0.2)
            else:
                report.faults.append(f"{after} s: the first server does not refuse")
            thread.join()
            report.lost += late
            time.sleep(TOLD)
            least = {(game, value) for _at, game, value in lost_of(pair, [(0.0, *each) for each in accepted])}
            check_only_there(pair, least, least, report)
            print(
                f"after {after} s: the first server accepted {len(accepted)}, {late} of them after the takeover"
            )
    return report


def copied(boards: int, migrated: Path | None = None) -> SpareReport:
    """Start a copy of the first directory beside the first server: it must not write."""
    report = SpareReport()
    with machines(boards, migrated) as pair, ExitStack() as ends:
        var = Path(pair.spare.environment["VAR_DIR"]).parent
        _wait(lambda: "The first server answered" in _page_of(pair), "the spare does not ask")
        shutil.copytree(var / "first", var / "copy")
        copy = KilledServer(free_port(), {**pair.first.environment, "VAR_DIR": str(var / "copy")})
        ends.callback(_end, copy)
        copy.start()
        copy.wait()
        end = time.monotonic() + 3 * TOLD
        while time.monotonic() < end:
            status, _text, why = pair.type(copy.port, pair.hall["games"][-1], "1-0")
            if (status, why) != (503, "spare_silent"):
                report.faults.append(f"the copy of the directory: {status} {why}")
            time.sleep(1.0)
        _accepts(pair, pair.first.port, pair.hall["games"][0], report)
    return report


def both(boards: int, migrated: Path | None = None) -> SpareReport:
    """Let two spares take over at the same moment. One of them must stop."""
    report = SpareReport()
    with machines(boards, migrated) as pair, ExitStack() as ends:
        games = iter(pair.hall["games"])
        var = Path(pair.spare.environment["VAR_DIR"]).parent
        (var / "other").mkdir()
        environment = {**pair.spare.environment, "VAR_DIR": str(var / "other")}
        other = Machines(pair.first, Spare(free_port(), environment, var / "other.log"), pair.hall)
        ends.callback(_end, other.spare)
        other.spare.start(other.address)
        other.wait_for_state()
        time.sleep(TOLD)  # until the state of the first spare names the second one
        pair.first.kill()
        threads = [threading.Thread(target=each.take_over) for each in (pair, other)]
        for thread in threads:
            thread.start()
        accepted: dict[int, set[tuple[int, str]]] = {pair.spare.port: set(), other.spare.port: set()}
        began, stopped = time.monotonic(), 0
        while not stopped and time.monotonic() < began + PATIENCE:
            for port, results in accepted.items():
                status, _text, why = pair.type(port, game := next(games), "1-0")
                if status == 200:
                    results.add((game, "1-0"))
                if why == "taken_over":
                    stopped = port
            time.sleep(0.2)
        for thread in threads:
            thread.join()
        if not stopped:
            report.faults.append("both spares write")
            return report
        report.acknowledged, report.lost = sum(map(len, accepted.values())), len(accepted[stopped])
        report.served = time.monotonic() - began
        time.sleep(TOLD)
        for port in accepted:
            if (pair.type(port, next(games), "1-0")[0] == 200) == (port == stopped):
                report.faults.append(f"port {port}, after one of them has stopped")
        page = ask(stopped, "GET", "/site/spare/", headers=pair.headers)[1]
        if page.count('<td class="when">') < report.lost:
            report.faults.append("the one that stopped does not list what only it has")
    return report


def _end(server: KilledServer | Spare) -> None:
    with suppress(ProcessLookupError):
        server.kill()


def postgres(boards: int, _migrated: Path | None = None) -> SpareReport:
    """Promote a second database, and see when the first server stops; then decide for the first one."""
    from tests.machine import find_postgres, private_postgres

    report, programs = SpareReport(), find_postgres()
    assert programs
    with private_postgres(programs) as url, tempfile.TemporaryDirectory() as place, ExitStack() as ends:
        own = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
        own = {
            name: value for name, value in own.items() if name not in ("SECRET_KEY", "PUSH_KEY", "BACKUP_TO")
        }
        base = url.rpartition("/")[0]
        with psycopg.connect(url, autocommit=True) as server:
            for name in ("first", "second"):
                server.execute(f"CREATE DATABASE {name}")
        of_first = {**own, "VAR_DIR": f"{place}/first", "DATABASE_URL": f"{base}/first"}
        Path(place, "first").mkdir()
        Path(place, "second").mkdir()
        hall = ask_database(of_first, "prepare", boards, 1)
        ask_database(of_first, "spare_key")
        collect(of_first)
        keys = {
            name: Path(place, "first", file).read_text().strip()
            for name, file in (("SECRET_KEY", "secret-key"), ("PUSH_KEY", "push-key"))
            if Path(place, "first", file).exists()
        }
        of_second = {**own, **keys, "VAR_DIR": f"{place}/second", "DATABASE_URL": f"{base}/second"}
        collect(of_second)
        first, second = KilledServer(free_port(), of_first), KilledServer(free_port(), of_second)
        pair = Machines(first, Spare(second.port, of_second, Path(place, "log")), hall)
        games = iter(hall["games"])
        ends.callback(first.kill)
        first.start()
        first.wait()
        _accepts(pair, first.port, next(games), report)
        dump = subprocess.run(
            [programs / "pg_dump", f"{base}/first"], check=True, stdout=subprocess.PIPE
        ).stdout
        subprocess.run(
            [programs / "psql", "--quiet", f"{base}/second"],
            check=True,
            input=dump,
            stdout=subprocess.DEVNULL,
        )
        alone = {(late := next(games), "1-0")}
        _accepts(pair, first.port, late, report)
        _manage(of_second, "go_on_here", "--promoted", pair.address)
        ends.callback(second.kill)
        second.start()
        second.wait()
        _accepts(pair, second.port, hall["games"][-1], report)
        began = time.monotonic()
        while (found := pair.type(first.port, game := next(games), "1-0"))[0] == 200:
            alone.add((game, "1-0"))
            time.sleep(0.3)
        report.served = time.monotonic() - began
        if found[2] != "taken_over":
            report.faults.append(f"the first server: {found[0]} {found[2]}")
        check_only_there(pair, alone, alone, report)
        report.lost = len(alone)
        first.kill()
        first.start()
        first.wait()
        if pair.type(first.port, next(games), "1-0")[2] != "taken_over":
            report.faults.append("the first server writes after a start")
        _manage(of_first, "go_on_here")
        game = next(games)
        wait = _wait(
            lambda: pair.type(first.port, game, "1-0")[0] == 200, "the first server does not go on", 5
        )
        other = reversed(hall["games"][:-1])
        stop = _wait(
            lambda: pair.type(second.port, next(other), "1-0")[2] == "taken_over",
            "the second does not stop",
            8,
        )
        print(
            f"the first server stopped after {report.served:.1f} s; decided: it went on after {wait:.1f} s, ",
            end="",
        )
        print(f"and the second one stopped {stop:.1f} s later")
    return report


def _accepts(pair: Machines, port: int, game: int, report: SpareReport) -> None:
    status, text, why = pair.type(port, game, "1-0")
    if status != 200:
        report.faults.append(f"port {port}: {status} {why} {text[:200]}")


def _manage(environment: dict[str, str], *command: str) -> None:
    subprocess.run(
        [sys.executable, "manage.py", *command],
        env=environment,
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )


WHOLE = 10**9
SMALL = 1_000  # bytes: an answer without a state is smaller


class Wire:
    """Stands between the spare and a server, and kills somebody while an answer passes."""

    def __init__(self, to: int) -> None:
        self._to, self._door = to, socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        self.struck = threading.Event()
        self.struck.set()
        threading.Thread(target=self._serve, daemon=True).start()

    def arm(self, size: int, after: float, kill: Callable[[], None]) -> None:
        """Kill once: after so many bytes of an answer with a state, or WHOLE, so many seconds after its end."""
        self._size, self._after, self._kill = size, after, kill
        self.struck.clear()

    def stop(self) -> None:
        self._door.close()

    def _serve(self) -> None:
        while True:
            try:
                client = self._door.accept()[0]
            except OSError:
                return
            threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _pass(self, client: socket.socket) -> None:
        with (
            client,
            suppress(OSError),
            socket.create_connection(("127.0.0.1", self._to), timeout=30) as server,
        ):
            client.settimeout(30)
            threading.Thread(target=self._forward, args=(client, server), daemon=True).start()
            passed = 0
            while part := server.recv(200):
                passed += len(part)
                head = part if passed == len(part) else b""
                if head and (found := re.search(rb"Content-Length: (\d+)", head, re.IGNORECASE)):
                    length = int(found[1]) + head.find(b"\r\n\r\n") + 4
                if length > SMALL and not self.struck.is_set() and passed >= min(self._size, length):
                    if self._size == WHOLE:
                        client.sendall(part)
                        time.sleep(self._after)
                    self._kill()
                    self.struck.set()
                    return
                client.sendall(part)

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while part := client.recv(4_096):
                server.sendall(part)


WALKS = {walk.__name__: walk for walk in (address, decided, cut, back, copied, both, postgres)}


def main() -> None:
    """Walk and print the figures; exit with an error if something happened that must not."""
    parser = argparse.ArgumentParser(description="A server and its spare.")
    parser.add_argument("walk", choices=WALKS)
    parser.add_argument("--boards", type=int, default=40)
    options = parser.parse_args()
    report = WALKS[options.walk](options.boards)
    print(report)
    sys.exit(bool(report.faults))


if __name__ == "__main__":
    main()
