"""The packages of the repository, as pyproject.toml names them for import-linter."""

from __future__ import annotations

import tomllib
from pathlib import Path

PACKAGES: tuple[str, ...] = tuple(
    tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text("utf-8"))["tool"][
        "importlinter"
    ]["root_packages"]
)
SITE = tuple(name for name in PACKAGES if name not in {"evenboard_client", "evenboard_engine"})
"""Those that need Django."""
PROGRAM = tuple(name for name in PACKAGES if name != "evenboard_client")
"""Those that an installation needs."""
