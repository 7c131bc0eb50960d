"""What a spare holds, and the step with which it takes over.

The state is a file that is opened only to read. A state that is half received is never named, and until the last line
of `take_over` the machine is a spare, whenever it is killed.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, connections

from server.spare import DATABASE, STATE
from tournaments.actions import spare
from tournaments.actions.stored_copies import write_whole
from tournaments.models.spare import SPARE, MachineTerm, guard
from tournaments.spare_messages import (
    FILE,
    LINES,
    ForgedError,
    SilentError,
    SpareLine,
    changed_state,
    divided,
    opened,
)

PATIENCE = 4.0  # seconds for an answer
LAST_PATIENCE = 20.0  # seconds for the last state of a first server that has just answered
OLD = 10  # seconds without an answer after which the first server counts as gone
DRAFT = "taking-over.sqlite3"


@dataclass(frozen=True, slots=True)
class HeldState:
    """What the spare has. at: when the first server sent it, by its clock. heard: the highest term that it knew.

    count: of the state in a folder, which rises with each.
    """

    version: str = ""
    at: str = ""
    heard: str = ""
    count: int = 0


class StateReceiver:
    """Keeps the newest state in a folder. `held` names it; a state that is half written is never named.

    source: the address of the first server, or a folder. received: when it last answered, by `monotonic`. error: why
    it did not at the last try.
    """

    def __init__(self, source: str, key: str, folder: Path, port: int) -> None:
        self.folder, self.key, self.port = folder, key, port
        self.line = SpareLine(key, source) if source.startswith(LINES) else None
        self.source = source if self.line else str(Path(source).resolve())
        self.lock = threading.RLock()
        self.held, self.received, self.error = HeldState(), 0.0, ""
        self._state, self._read = b"", (0, 0, 0)
        self.name = _name_in(folder)
        if (folder / STATE).is_file():
            self.held = HeldState(**json.loads((folder / STATE).read_text(encoding="utf-8")))
            self._state = self.path.read_bytes()

    @property
    def path(self) -> Path:
        return self.folder / f"state-{self.held.version}.sqlite3"

    @property
    def age(self) -> int | None:
        """Return how many seconds ago the first server last answered, None if it has not since this start. Through a
        folder it never answers.
        """
        return round(time.monotonic() - self.received) if self.received else None

    @property
    def is_gone(self) -> bool:
        """Return whether nothing says that the first server still runs."""
        return self.age is None or self.age > OLD

    def receive(self, term: str = "") -> None:
        """Ask for what has changed. term: with which this machine takes over. Raises SilentError, ForgedError."""
        with self.lock:
            if (answer := self._ask(term)) is None:
                self.error = ""
                return
            head, data = answer
            if head.get("kind", "sqlite") != "sqlite":
                raise SilentError("the first server uses PostgreSQL: see docs/copies.md")
            if "version" not in head:
                raise SilentError("the computer with that address is a spare itself")
            if head["version"] != self.held.version:
                state = changed_state(self._state, head, data)
                self._keep(_held(head), state, head["keys"])
            else:
                self.held = _held(head)
            self.received, self.error = time.monotonic() if self.line else 0.0, ""

    def _ask(self, term: str) -> tuple[dict[str, Any], bytes] | None:
        """Return the answer; None if the file in the folder is the one that was read last."""
        if self.line is not None:
            answer = self.line.ask(
                {
                    "term": term or str(max(guard.term, spare.contact.rumour)),
                    "holds": self.held.version,
                    "name": self.name,
                    "port": self.port,
                    "process": spare.OF_PROCESS,
                },
                patience=LAST_PATIENCE if term and not self.is_gone else PATIENCE,
            )
            spare.contact.process, spare.contact.answered = answer[0]["process"], time.monotonic()
            return answer
        folder = Path(self.source)
        try:
            if term:  # also if there is no state that can be read
                spare.write_term_file(folder, self.key, term)
            file = (folder / FILE).stat()
            mark = (file.st_mtime_ns, file.st_size, file.st_ino)
            if mark == self._read and self.held.version:
                return None
            head, data = divided(opened(self.key, "file", (folder / FILE).read_bytes()))
            if spare.term_in_folder(folder, self.key) is None:
                spare.write_term_file(folder, self.key, str(guard.term))
        except OSError as error:
            raise SilentError(f"{error.strerror}: {error.filename}") from error
        if head["count"] < self.held.count:
            raise SilentError("the state in the folder is older than this one")
        self._read = mark
        return head, data

    def _keep(self, held: HeldState, state: bytes, keys: dict[str, str]) -> None:
        former = self.path
        write_whole(self.folder / f"state-{held.version}.sqlite3", state)
        for name, key in keys.items():
            write_whole(Path(settings.VAR_DIR) / name, f"{key}\n".encode())
        settings.SECRET_KEY, settings.PUSH_KEY = keys["secret-key"], keys["push-key"]
        write_whole(self.folder / STATE, json.dumps(asdict(held)).encode())
        self.held, self._state = held, state
        for path in self.folder.glob("state-*.sqlite3"):
            if path not in (self.path, former):  # a page may still read the former one
                with suppress(PermissionError):  # on Windows, which deletes no file that is open: next time
                    path.unlink(missing_ok=True)

    def try_to_receive(self, term: str = "") -> None:
        """Receive, and note why there was no answer."""
        try:
            self.receive(term)
        except SilentError as error:
            self.error = str(error) or "no answer"
        except ForgedError:
            self.error = "the key is not valid"
        except OSError as error:  # this disk is full
            self.error = f"{error.strerror}: {error.filename or self.folder}"

    def write_to(self, path: Path) -> None:
        """Write the state to a file of its own."""
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
            path.with_name(name).unlink(missing_ok=True)
        path.write_bytes(self._state)
        path.chmod(0o600)


def _held(head: Mapping[str, Any]) -> HeldState:
    return HeldState(head["version"], head["at"], str(head.get("heard", "")), int(head.get("count", 0)))


def _name_in(folder: Path) -> str:
    """Return the name of this spare, which stays the same when its address changes."""
    kept = folder / "name"
    if not kept.is_file():
        write_whole(kept, secrets.token_hex(8).encode())
    return kept.read_text(encoding="ascii")


class Database:
    """Django's database: the state that the receiver holds, opened only to read, or a file that is written."""

    def __init__(self, receiver: StateReceiver) -> None:
        self._settings = connections.settings["default"]
        self._usual = {name: self._settings[name] for name in ("NAME", "OPTIONS")}
        self._receiver = receiver
        self._version = ""

    def show_state(self) -> None:
        """Open the newest state."""
        if (version := self._receiver.held.version) != self._version:
            self._open(f"{self._receiver.path.as_uri()}?immutable=1", {})
            self._version = version
        guard.load()

    def write(self, path: Path) -> None:
        self._open(str(path), self._usual["OPTIONS"])
        self._version = ""

    def close(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()

    def _open(self, name: str, options: dict[str, Any]) -> None:
        connection.close()
        self._settings.update(NAME=name, OPTIONS=options)


def take_over(receiver: StateReceiver, database: Database, var: Path) -> bool:
    """Make the state that this spare holds the database of this machine, with a higher term. Return whether the first
    server has stopped and sent its last state.

    The first server is told before, if it answers: it stops, and sends what it wrote last. Until the last line this
    machine is a spare, whatever happens; after it, the machine that writes.
    """
    with receiver.lock:
        database.show_state()
        term = spare.next_term(MachineTerm.read(receiver.held.heard))
        receiver.try_to_receive(str(term))
        complete = receiver.line is not None and not receiver.error
        draft = var / DRAFT
        receiver.write_to(draft)
        database.write(draft)
        try:
            spare.take_over(term=term, state=receiver.held.at, peer=receiver.source)
            database.close()
        finally:
            guard.refused = SPARE
        _sync(draft)
        draft.replace(var / DATABASE)
        _sync(var)
    return complete


def _sync(path: Path) -> None:
    """Let a file or a directory be on the disk."""
    if path.is_dir() and os.name != "posix":
        return
    number = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
