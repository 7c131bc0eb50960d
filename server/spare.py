"""The spare: receive the state of another server every two seconds, and take over: `python -m server.spare ADDRESS`.

ADDRESS is that of the first server, such as http://192.168.1.20:8000, or a folder in which it writes its state
(BACKUP_TO). The key comes from SPARE_KEY, or is asked for once and kept.

    --port N    the port of the page of the spare, and of Evenboard after a takeover (8000)
    --aside     move a database that is here into a folder of its own, so that this computer can become a spare

The spare opens the state only to read. Its page is below a secret address, which only the console shows. After "Take
over" this process becomes the server (server/main.py). See docs/decisions/0100-a-spare.md.
"""

from __future__ import annotations

import argparse
import getpass
import os
import socket
import subprocess
import sys
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from server.console import write_every_letter
from server.main import EVERYWHERE, USUAL_PORT, allowed_hosts, lan_addresses, listen

if TYPE_CHECKING:
    from server.paper_files import PaperFiles
    from server.spare_state import StateReceiver

DATABASE = "evenboard.sqlite3"
STATE = "state.json"
EVERY = 2.0  # seconds between two questions
WAIT = 0.5  # seconds for the last answer of the page before this process becomes the server


def main(arguments: list[str] | None = None) -> int:
    """Receive until somebody presses "Take over", then serve. Return the exit status."""
    options = _parse(arguments)
    write_every_letter()
    os.environ["ALLOWED_HOSTS"] = ",".join(allowed_hosts(EVERYWHERE[0], os.environ.get("ALLOWED_HOSTS", "")))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.conf import settings

    var = Path(settings.VAR_DIR)
    folder = var / "spare"
    if (var / DATABASE).exists() and not options.aside:
        if (folder / STATE).exists():
            print("This computer has taken over before.")
            return _become_server(options.port)
        print(
            f"{var} has a database of its own. A spare needs an empty directory: set VAR_DIR, or use --aside."
        )
        return 1
    if not options.address:
        print(
            "Name the address of the first server, such as http://192.168.1.20:8000, or the folder with its state."
        )
        return 2
    try:
        listening = listen(EVERYWHERE[0], options.port, 1)
    except OSError as error:
        print(f"Cannot listen on port {options.port}: {error}. Choose another port with --port.")
        return 1
    if (var / DATABASE).exists():  # --aside, and no server has this port
        _move_aside(var)
    folder.mkdir(mode=0o700, exist_ok=True)
    try:
        return _run(options, var, folder, listening)
    except KeyboardInterrupt:
        print("\nStopped.")
        return 0


def _run(options: argparse.Namespace, var: Path, folder: Path, listening: socket.socket) -> int:
    import django
    from django.conf import settings

    settings.ROOT_URLCONF = "server.spare_pages"
    settings.MIDDLEWARE = [
        *(name for name in settings.MIDDLEWARE if name in KEPT),
        "server.spare_pages.OnlySpare",
    ]
    django.setup()
    from waitress.server import create_server
    from waitress.wasyncore import close_all

    from server import prepare, spare_pages
    from server.paper_files import PaperFiles
    from server.spare_state import Database, StateReceiver
    from tournaments.models.spare import SPARE, guard

    guard.refused = SPARE
    prepare.compile_texts()
    prepare.collect_static()
    receiver = StateReceiver(options.address.rstrip("/"), _key(folder), folder, options.port)
    _wait_for_state(receiver)
    from server.wsgi import application  # it looks for the static files

    papers = PaperFiles(receiver)
    spare_pages.desk.begin(receiver, Database(receiver), var, papers)
    lines: dict[int, Any] = {}
    server = create_server(application, lines, sockets=[listening], threads=1)
    stop = threading.Event()
    threading.Thread(target=_go_on, args=(receiver, papers, stop), daemon=True).start()
    after = (spare_pages.desk.taken, server.trigger.pull_trigger)
    threading.Thread(target=_end_when, args=after, daemon=True).start()
    for host in ("127.0.0.1", *lan_addresses()):
        print(f"  The page of the spare:  http://{host}:{options.port}/{spare_pages.desk.token}/", flush=True)
    print(f"  The papers of the current rounds are kept in  {papers.folder}", flush=True)
    try:
        server.run()
    finally:
        stop.set()
    close_all(lines)
    return _become_server(options.port) if spare_pages.desk.taken.is_set() else 0


KEPT = {
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "web.languages.LanguageOfAddress",
    "django_htmx.middleware.HtmxMiddleware",
    "web.middleware.TimesOfTheServer",
}
"""Middleware that needs no session: the spare has none."""


def _wait_for_state(receiver: StateReceiver) -> None:
    """Ask until there is a state: without one there is nothing to show, and nothing to take over with."""
    shown = ""
    while not receiver.held.version:
        receiver.try_to_receive()
        if receiver.error and receiver.error != shown:
            shown = receiver.error
            print(f"  No state yet: {shown}. It is asked for again and again.", flush=True)
        if receiver.error:
            time.sleep(EVERY)


def _go_on(receiver: StateReceiver, papers: PaperFiles, stop: threading.Event) -> None:
    """Receive, and keep the papers up to date, until the end."""
    while not stop.wait(EVERY):
        receiver.try_to_receive()
        papers.look()


def _end_when(taken: threading.Event, wake: Callable[[], None]) -> None:
    """End the spare once this machine has taken over, and the answer that says so has been sent."""
    taken.wait()
    time.sleep(WAIT)
    interrupt_main()
    wake()


def _become_server(port: int) -> int:
    """Replace this process by the server; on Windows, which cannot, run it to its end."""
    os.environ["HOST"] = EVERYWHERE[0]
    command = [sys.executable, "-m", "server.main", f"--port={port}", "--no-demo"]
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(command[0], command)  # noqa: S606 - our own program
    return subprocess.call(command)  # noqa: S603


def _key(folder: Path) -> str:
    from tournaments.actions.stored_copies import write_whole
    from tournaments.spare_messages import as_typed

    kept = folder / "key"
    given = os.environ.get("SPARE_KEY", "")
    if not given and kept.is_file():
        return kept.read_text(encoding="ascii").strip()
    key = as_typed(given or getpass.getpass("The key of the spare (page Spare of the first server): "))
    write_whole(kept, key.encode("ascii", "replace"))
    return key


def _move_aside(var: Path) -> None:
    """Move the database, its keys and what a spare had into a folder of their own."""
    place = var / f"aside-{time.strftime('%Y%m%dT%H%M%S')}"
    place.mkdir(mode=0o700)
    for path in [*var.glob(f"{DATABASE}*"), var / "secret-key", var / "push-key", var / "spare"]:
        if path.exists():
            path.replace(place / path.name)
    print(f"What was here is now in {place}.")


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="run.py spare", description="Keep the state of another server, and take over."
    )
    parser.add_argument("address", nargs="?", default="")
    parser.add_argument("--port", type=int, default=os.environ.get("PORT") or USUAL_PORT)
    parser.add_argument("--aside", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
