"""A first start and a round where Python has only what it has on Windows (docs/windows-macos.md)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.house.serving import Start
from tests.waiting import LONG

pytestmark = pytest.mark.one_database

AS_ON_WINDOWS = {
    "PYTHONIOENCODING": "cp1252",
    "PYTHONUTF8": "0",
    "LC_ALL": "C",
    "PYTHONTZPATH": "",  # no zones of the system
    "TZ": "",
    "PORT": "0",
}


@pytest.mark.slow
def test_first_start_works_with_what_windows_has(start: Start, root: Path, tmp_path: Path) -> None:
    """No fork, fcntl or poll; few signals; a file that is open is neither replaced nor deleted; cp1252."""
    environment = {**AS_ON_WINDOWS, "PYTHONPATH": str(root / "tests/house/windows")}
    lacks = "import os, sys; assert sys.platform == 'win32' and not hasattr(os, 'fork')"
    subprocess.run([sys.executable, "-c", lacks], env={**os.environ, **environment}, check=True)
    first = start(**environment)
    assert "Stop it with Ctrl-C" in first.printed
    for page in ("/", "/harvenmouth-open/open/pairings/", "/healthz"):
        with urlopen(f"{first.url}{page}", timeout=LONG) as answer:  # noqa: S310
            assert answer.status == 200
    assert [*(tmp_path / "var/backups").rglob("*.json.gz")], "copies are written and renamed"
    assert "Traceback" not in first.printed
