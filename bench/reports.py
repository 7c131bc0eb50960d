"""Play random sections, and check that every report file of them is true after each round.

    python -m bench.reports [--sections 2000] [--first 0] [--workers 2]

Each section is played through the actions of an arbiter (tests/exports/played_sections.py). Both reports are checked
like `python -m pairing FILE -c`, imported again and written again. Prints each fault with its seed. Exits 1 if there is
any.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import django

CHUNK = 10


def main() -> int:
    """Play, print, and return the exit code."""
    parser = argparse.ArgumentParser(description="Check the report files of random sections.")
    parser.add_argument("--sections", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    end = arguments.first + arguments.sections
    chunks = [range(first, min(first + CHUNK, end)) for first in range(arguments.first, end, CHUNK)]
    started, looks, wrong = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        play = partial(_play, folder)
        with ProcessPoolExecutor(arguments.workers) as workers:
            for chunk, (looked, faults) in zip(chunks, workers.map(play, chunks), strict=True):
                looks += looked
                print(f"\r{chunk.stop - arguments.first} sections", end="", file=sys.stderr, flush=True)
                wrong += len({seed for seed, _fault in faults})
                for seed, fault in faults:
                    print(f"seed {seed}: {fault}", flush=True)
    print(file=sys.stderr)
    seconds = time.monotonic() - started
    print(
        f"{arguments.sections} sections, reports checked {looks} times: {wrong} sections with faults; {seconds:.0f} s"
    )
    return 1 if wrong else 0


def _play(folder: str, seeds: range) -> tuple[int, list[tuple[int, str]]]:
    """Play sections; return how often their reports were checked, and the faults by seed."""
    _prepare(folder)
    from tests.exports.played_sections import Arbiter
    from tests.exports.report_truth import faults
    from tournaments.actions.ledger import Actor
    from tournaments.models import Section

    looks = 0
    found: list[tuple[int, str]] = []
    for seed in seeds:

        def look(section: Section, seed: int = seed) -> None:
            nonlocal looks
            looks += 1
            found.extend((seed, fault) for fault in faults(section, Actor.command()))

        try:
            Arbiter(seed, Actor.command()).play(look)
        except Exception as error:  # noqa: BLE001 - a section that cannot be played is a fault, too
            found.append((seed, f"{type(error).__name__}: {error}"))
    return looks, found


def _prepare(folder: str) -> None:
    """Make the database of this process once."""
    own = Path(folder, str(os.getpid()))
    if own.exists():
        return
    own.mkdir()
    os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "VAR_DIR": str(own), "DATABASE_URL": ""}
    django.setup()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous=OFF")


if __name__ == "__main__":
    sys.exit(main())
