"""Play opens until the time is over, and keep each one in a file, so that a later run can go on."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .play import play

Row = dict[str, Any]


def played_before(data: Path) -> list[Row]:
    """Return the opens in a file, by seed. A last line that was not finished is left out."""
    lines = data.read_text(encoding="utf-8").splitlines(keepends=True) if data.exists() else ()
    rows = [json.loads(line) for line in lines if line.endswith("\n")]
    return sorted(rows, key=lambda row: row["seed"])


def go_on(data: Path, opens: int, minutes: float) -> Iterator[Row]:
    """Play the opens of the seeds 1, 2, ... that are not in the file yet, and add each to it. Yield each new one.

    It ends with open number `opens`, or with the first one that ends after this many minutes.
    """
    done = played_before(data)
    data.write_text("".join(json.dumps(row) + "\n" for row in done), encoding="utf-8")
    known = {row["seed"] for row in done}
    until = time.monotonic() + 60 * minutes
    with data.open("a", encoding="utf-8") as file:
        for seed in range(1, opens + 1):
            if time.monotonic() >= until:
                return
            if seed not in known:
                row = play(seed)
                file.write(json.dumps(row) + "\n")
                file.flush()
                yield row
