"""The installed engine as one file that any Python runs: with it, a round is paired again without this program."""

from __future__ import annotations

import hashlib
import io
import zipfile
from functools import lru_cache
from pathlib import Path

import evenboard_engine

FIRST_DAY_OF_ZIP = (1980, 1, 1, 0, 0, 0)
START = "from evenboard_engine.cli.command import run\n\nrun()\n"


@lru_cache(maxsize=1)
def engine_package() -> tuple[str, bytes]:
    """Return the SHA-256 of the modules of the engine, and the engine as a zip archive that Python runs."""
    root = Path(evenboard_engine.__file__).parent
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py"))
    files = {
        f"evenboard_engine/{name}": (root / name).read_text(encoding="utf-8").encode()
        for name in names
        if not name.startswith("tests/")
    }
    files["__main__.py"] = START.encode()
    code, packed = hashlib.sha256(), io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            code.update(f"{name} {len(text)} ".encode() + text)
            archive.writestr(zipfile.ZipInfo(name, FIRST_DAY_OF_ZIP), text, zipfile.ZIP_DEFLATED)
    return code.hexdigest(), packed.getvalue()
