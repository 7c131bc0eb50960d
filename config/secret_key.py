"""The signing key of an installation that was given none."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path


def secret_key(path: Path) -> str:
    """Return the key kept in `path`; make one, readable by its owner alone, if there is none.

    Safe when two processes start at once: the key is written beside `path` and moved there whole, and the
    first to arrive wins, so both return the same text and neither can read half of it.
    """
    with contextlib.suppress(FileNotFoundError):
        if kept := path.read_text(encoding="ascii").strip():
            return kept
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(50) + "\n")
            file.flush()
            os.fsync(file.fileno())
        _place(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    return path.read_text(encoding="ascii").strip()


def _place(draft: Path, path: Path) -> None:
    """Give `draft` the name `path`, unless a file with a key in it has the name already."""
    if path.exists() and not path.stat().st_size:
        draft.replace(path)
        return
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    except OSError:  # a file system without hard links, such as exFAT on a memory stick
        if not path.exists():
            draft.replace(path)
