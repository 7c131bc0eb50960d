"""Make and keep the signing key of an installation without SECRET_KEY."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path


def secret_key(path: Path) -> str:
    """Return the key kept in `path`; if there is none, make one that only its owner can read.

    Two processes may start at once: each writes a complete key to a file beside `path` and then links it to `path`. The
    first one wins, so both return the same key and neither can read half a key.
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
    """Give `draft` the name `path`, unless a file with a key already has this name."""
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
