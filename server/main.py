"""Bring the installation up to date and serve it: `python -m server.main`.

One process does everything, so Django is started only once: server/prepare.py migrates, collects static files and makes
the demo event if needed, then waitress serves.

    --lan           listen on the whole network, and print the addresses for phones
    --port N        exactly this port; 0 takes any free port
    --no-demo       make no demo event in a new database
    --version       only print the version
    --only-serve    only serve, if migrate and collectstatic are separate steps, as in the image

From the environment: HOST (127.0.0.1), PORT (8000), THREADS for arbiters (4), PUBLIC_THREADS for visitors (2), and
TRUSTED_PROXY, the address of the proxy whose X-Forwarded-* headers are trusted (`*` if nothing else can reach the
port).
"""

from __future__ import annotations

import argparse
import gc
import os
import signal
import socket
import sys
import time
from types import FrameType
from typing import NoReturn

from evenboard_engine import PROGRAM
from server.console import write_every_letter

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
USUAL_PORT = 8000
PORTS_TO_TRY = 20
# Seconds until a thread that computes must let another one run. A save waits for the database some thirty times, and
# each time this long for a page that is being made. With the usual 0.005 it takes twice as long (decision 41).
SWITCH = 0.0005
# Python looks for objects that refer to each other in circles. Among the rows of a large section (queries/row_cache.py)
# this takes 0.15 s and finds nothing, so it looks more rarely: first after this many new objects, then after this many
# such looks, and among all objects after this many of these.
COLLECTOR = (50_000, 20, 50)


def main(arguments: list[str] | None = None) -> int:
    """Prepare, serve until SIGTERM or Ctrl-C, and return the exit status."""
    options = _parse(arguments)
    write_every_letter()
    port, tries = (USUAL_PORT, PORTS_TO_TRY) if options.port is None else (options.port, 1)
    try:
        # a proxy asks another process until this one can answer; without a proxy, the first request waits
        listening = listen(options.host, port, tries, at_once=not options.only_serve)
    except (OSError, OverflowError) as error:
        print(f"Cannot listen on {options.host}, port {port}: {error}.")
        print("Another program, or another Evenboard, may use this port. Choose another port with --port.")
        return 1
    os.environ["ALLOWED_HOSTS"] = ",".join(allowed_hosts(options.host, os.environ.get("ALLOWED_HOSTS", "")))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    signal.signal(signal.SIGTERM, _end)
    gc.set_threshold(*COLLECTOR)  # what is loaded now stays, and to look at it again and again takes time
    try:
        import django

        django.setup()
        from django.db import Error

        from server import prepare
        from server.database import stop_with

        try:
            if options.only_serve:
                prepare.check()
            else:
                prepare.everything(demo=not options.no_demo)
            _serve(listening, options.host)
        except Error as error:  # also if the database ends while the server starts
            stop_with(error)
            raise
    except KeyboardInterrupt:
        pass
    print("\nStopped.", flush=True)
    return 0


def listen(host: str, port: int, tries: int, *, at_once: bool = True) -> socket.socket:
    """Return a socket bound to the first free port of `host`: `port` or one of the next, `tries` ports in all.

    at_once: connections are accepted now, and wait until the server runs. Raises OSError if none is free, or if `host`
    is not an address of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, port + tries):
        listening = socket.socket(family, socket.SOCK_STREAM)
        if sys.platform == "win32":  # SO_REUSEADDR would let two programs share the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, candidate))
            if at_once:
                listening.listen(128)
        except OSError:
            listening.close()
            if candidate == port + tries - 1:
                raise
        else:
            return listening
    raise ValueError("no ports to try")


def allowed_hosts(host: str, configured: str) -> list[str]:
    """Return the host names that browsers may use: the configured ones, and those that the server listens on."""
    names = [name.strip() for name in configured.split(",") if name.strip()]
    if host in EVERYWHERE:
        names.extend([*LOOPBACK, *lan_addresses(), *_own_names()])
    elif host.startswith("127.") and not names:
        names.extend(LOOPBACK)
    else:
        names.append(f"[{host}]" if ":" in host else host)
    return list(dict.fromkeys(names))


def lan_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine; the one with the default route comes first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))  # sends nothing; only finds out which address would be used
            found.append(probe.getsockname()[0])
        except OSError:
            pass  # no default route: a hall without a router
    try:
        entries = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found.extend(str(entry[4][0]) for entry in entries)
    except OSError:
        pass
    return [address for address in dict.fromkeys(found) if not address.startswith(("127.", "0."))]


def _own_names() -> list[str]:
    name = socket.gethostname().lower()
    return [name] if "." in name else [name, f"{name}.local"]


def _serve(listening: socket.socket, host: str) -> None:
    from django.db import connection
    from django.urls import get_resolver

    from server.chores import (
        Chores,
        FirstPages,
        HostNotes,
        Notices,
        PairAhead,
        RatingLists,
        Registrations,
        Rehearsals,
        SpareWatch,
        Webhooks,
    )
    from server.connections import MOST_CONNECTIONS, Limits, make_server
    from server.dispatch import Door, browser_of, party_of, task_of
    from server.hosts import NOTES
    from server.metrics import now
    from server.priority_queues import Lanes, usual_lanes
    from server.wsgi import application
    from tournaments.actions.spare import begin_duty

    limits = Limits.of(_limit_of_connections(MOST_CONNECTIONS))
    arbiters, public = int(os.environ.get("THREADS") or 4), int(os.environ.get("PUBLIC_THREADS") or 2)
    lanes = Lanes(usual_lanes(arbiters, public), task_of, party_of, browser_of)
    now.lanes = lanes
    proxy = os.environ.get("TRUSTED_PROXY") or None
    _ = get_resolver().url_patterns  # loads all views now: an error shows here, and the first page is quick
    sys.setswitchinterval(SWITCH)
    calm_collector()
    port = listening.getsockname()[1]
    begin_duty(port)
    server = make_server(Door(application), listening, limits, lanes, proxy=proxy)
    _announce(host, port)
    beside = (
        Chores(),
        Notices(),
        RatingLists(every=3),
        Registrations(),
        Webhooks(every=5),
        PairAhead(every=0.3),
        Rehearsals(every=1),
        SpareWatch(port),
        HostNotes(first=5, every=NOTES),
    )
    threads = (FirstPages(first=0.5), *beside)
    for thread in threads:
        thread.start()
    try:
        server.run()
    finally:
        for thread in threads:
            thread.stop()
    if connection.vendor == "sqlite":  # moves the write-ahead log into the file, so that a copy is complete
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def calm_collector() -> None:
    """Let Python's collector of garbage leave alone what was loaded at the start, and look rarely at the rest."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR)


def _limit_of_connections(wanted: int) -> int:
    """Return how many connections may be open at once: `wanted`, or fewer if the system allows too few open files.

    The limit of open files is 256 on macOS and 1024 on some Linux systems. It is raised if the system allows it.
    Half of the files are left for the database, static files and large uploads.
    """
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = 2 * wanted if hard == resource.RLIM_INFINITY else min(2 * wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return min(wanted, files // 2)


def _announce(host: str, port: int) -> None:
    here = "127.0.0.1" if host in EVERYWHERE else host
    print(f"\n  {PROGRAM} is at  http://{f'[{here}]' if ':' in here else here}:{port}/")
    if host in EVERYWHERE:
        for address in lan_addresses():
            print(f"  for phones       http://{address}:{port}/")
    started = os.environ.get("EVENBOARD_STARTED")
    ready = f"Ready after {time.time() - float(started):.1f} s. " if started else ""
    print(f"  {ready}Stop it with Ctrl-C.\n", flush=True)


def _end(_signum: int, _frame: FrameType | None) -> NoReturn:
    """Turn SIGTERM into KeyboardInterrupt, so that the requests in progress are answered first."""
    raise KeyboardInterrupt


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m server.main", description="Serve Evenboard.")
    parser.add_argument("--version", action="version", version=PROGRAM)
    parser.add_argument("--lan", action="store_true")
    parser.add_argument("--port", type=int, default=os.environ.get("PORT") or None)
    parser.add_argument("--no-demo", action="store_true")
    parser.add_argument("--only-serve", action="store_true")
    options = parser.parse_args(arguments)
    options.host = EVERYWHERE[0] if options.lan else os.environ.get("HOST") or "127.0.0.1"
    return options


if __name__ == "__main__":
    sys.exit(main())
