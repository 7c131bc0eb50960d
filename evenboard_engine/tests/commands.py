"""The command line as a process of its own, and report files for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from evenboard_engine.tests.trf.columns import as_file, player_line

ROOT = Path(__file__).resolve().parents[2]
LONG = 120.0  # seconds, for a busy machine; a test waits that long only if it fails


def field(size: int) -> list[str]:
    return [player_line(starting_rank=rank, rating=2500 - rank) for rank in range(1, size + 1)]


FOUR = as_file(*field(4), "XXR 5", "XXC white1")
FIVE = as_file(*field(5), "142 5", "152 B")
MET = as_file(
    player_line("2 w 1", starting_rank=1, rating=2000),
    player_line("1 b 0", starting_rank=2, rating=1900),
    "XXR 5",
)


def run(*arguments: str | Path, stdin: bytes = b"", cwd: Path = ROOT) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "evenboard_engine", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=LONG,
        check=False,
    )
