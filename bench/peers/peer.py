"""Ask the peer: the Dubov engine of py4swiss (PyPI, MIT), in a temporary environment and a separate process."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

PACKAGE = "py4swiss==0.3.1"
INSTALL_SECONDS = 180
PATIENCE = 4
SCRIPT = Path(__file__).with_name("ask_py4swiss.py")


class NoPeer(Exception):
    """The peer cannot be installed here. The message gives the reason in one line."""


@dataclass(frozen=True, slots=True)
class PeerAnswer:
    """read, pair: seconds of processor time. pairs: (white, black) ids. error: its message if it did not pair."""

    read: float = 0.0
    pair: float = 0.0
    pairs: frozenset[tuple[int, int]] = frozenset()
    bye: int | None = None
    error: str = ""


def install(directory: Path) -> Path:
    """Make the environment in this directory and return its Python. Raises NoPeer."""
    try:
        venv.create(directory, with_pip=True)
        python = directory / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        done = subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE],
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise NoPeer(f"{type(error).__name__}: {error}") from error
    if done.returncode:
        raise NoPeer((done.stderr.strip().splitlines() or ["pip failed"])[-1])
    return python


def ask(python: Path, files: Iterable[Path], limit: float) -> Iterator[PeerAnswer]:
    """Yield its answers to the files, in order, until it has used `limit` seconds of processor time (1 or more).

    On a busy machine it may get less: it is also stopped when PATIENCE times the limit has passed by the clock.
    """
    process = subprocess.Popen(
        [python, "-I", SCRIPT, str(max(1, round(limit)))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    timer = Timer(PATIENCE * limit, process.kill)
    timer.start()
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        for file in files:
            try:
                process.stdin.write(f"{file}\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except BrokenPipeError:
                return
            if not line:
                return
            yield _answer(json.loads(line))
    finally:
        timer.cancel()
        process.kill()
        process.communicate()


def _answer(data: dict[str, object]) -> PeerAnswer:
    if "error" in data:
        return PeerAnswer(error=str(data["error"]))
    pairs = [(int(white), int(black)) for white, black in data["pairs"]]  # type: ignore[attr-defined]
    return PeerAnswer(
        read=float(data["read"]),  # type: ignore[arg-type]
        pair=float(data["pair"]),  # type: ignore[arg-type]
        pairs=frozenset(pair for pair in pairs if pair[1]),
        bye=next((white for white, black in pairs if not black), None),
    )
