"""A second machine that keeps the state of this one and can take over, and the term by which one machine writes.

The spare asks every few seconds and gets the pages of the database that have changed. Each question and each answer
carries the term of its machine, so two machines that can reach each other notice at once if both would write.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from django.conf import settings
from django.core import signing
from django.db import connection
from django.db.models import F, Max
from django.utils import timezone

from base.cache import Cache
from tournaments.declarations.site import END_SPARE_KEY, GO_ON_HERE, MAKE_SPARE_KEY, SPARE_TAKES_OVER
from tournaments.models import ActionLog, Section, WritingTerm
from tournaments.models.spare import SALT, SPARE, TAKEN_OVER, UNSURE, MachineTerm, guard
from tournaments.spare_messages import (
    FILE,
    LINES,
    TERM_FILE,
    ForgedError,
    SilentError,
    SpareLine,
    difference,
    divided,
    joined,
    made_key,
    opened,
    sealed,
)

from .ledger import Actor, transaction_or_busy
from .site import note
from .stored_copies import write_whole

AFTER_TAKEOVER = 1_000
"""By so much a takeover raises the revision of each section: pages that show an action which the spare never received
must not seem current when the spare reaches that revision with another action."""
LASTS = 60  # seconds for which a challenge counts
IN_FOLDER = 10.0  # seconds between two states in BACKUP_TO
OF_PROCESS = secrets.token_hex(8)

_used: Cache[str, bool] = Cache(1_000, seconds=LASTS)


@contextmanager
def _locked() -> Iterator[WritingTerm]:
    """Change the row of the term, and let this process know it."""
    with transaction_or_busy():
        WritingTerm.objects.get_or_create(pk=WritingTerm.ONLY)
        row = WritingTerm.objects.select_for_update().get(pk=WritingTerm.ONLY)
        yield row
    guard.take(row)


# The key.


def make_spare_key(*, actor: Actor) -> str:
    """Make a key for a spare, and return it. A former key no longer works."""
    with _locked() as row:
        row.key, row.peer, row.spared = secrets.token_hex(16), "", False
        row.save()
        note(actor, MAKE_SPARE_KEY)
    return made_key(settings.SECRET_KEY, row.key)


def end_spare_key(*, actor: Actor) -> None:
    """Let no spare receive this site any more."""
    with _locked() as row:
        row.key, row.peer, row.spared = "", "", False
        row.save()
        note(actor, END_SPARE_KEY)


def term_row() -> WritingTerm:
    """Return the row of the term; one that is not saved if there is none."""
    return WritingTerm.objects.filter(pk=WritingTerm.ONLY).first() or WritingTerm()


def key_of(row: WritingTerm) -> str:
    return made_key(settings.SECRET_KEY, row.key) if row.key else ""


# Who writes.


def hear(term: MachineTerm) -> None:
    """Stop writing if another machine has a higher term. What is being written is finished before this returns."""
    known = max(guard.term, guard.heard)
    news = term > known or (term == guard.heard and term.base != guard.heard.base)
    if guard.refused == SPARE or not news:
        return
    guard.refused = TAKEN_OVER  # before the lock: whoever comes after this change of the row is refused
    with _locked() as row:
        row.heard = str(term)
        row.save()


def hear_browser(signed: str) -> None:
    """Do the same for the term that a browser got from a machine with the same secret key."""
    try:
        hear(MachineTerm.read(signing.Signer(salt=SALT).unsign(signed)))
    except signing.BadSignature:
        return


def go_on_here(*, actor: Actor) -> None:
    """Let this machine write, with a term above all that it knows: somebody has decided that no other one does.

    The decision counts also for later starts, until a spare has received the state again.
    """
    with transaction_or_busy():
        with _locked() as row:
            row.number = max(row.number, MachineTerm.read(row.heard).number) + 1
            row.holder, row.base, row.heard = secrets.token_hex(4), row.base or newest_log_key(), ""
            row.spared = False
            row.save()
        guard.refused = ""
        note(actor, GO_ON_HERE)


def newest_log_key() -> int:
    return ActionLog.objects.aggregate(newest=Max("pk"))["newest"] or 0


def next_term(heard: MachineTerm) -> MachineTerm:
    """Return the term with which this spare would write. heard: the highest that the first machine knows."""
    return MachineTerm(max(guard.term.number, heard.number) + 1, secrets.token_hex(4), newest_log_key())


def take_over(*, term: MachineTerm, state: str, peer: str) -> None:
    """Raise the term in the database of this spare. state: when the first machine sent it, for the log."""
    guard.refused = ""
    with transaction_or_busy():
        with _locked() as row:
            row.number, row.holder, row.base = term.number, term.holder, newest_log_key()
            row.heard, row.peer, row.spared = "", peer, False
            row.save()
        Section.objects.update(revision=F("revision") + AFTER_TAKEOVER)
        note(Actor.command(), SPARE_TAKES_OVER, subject=state)


# What the other machine asks, and what it is told.


class Contact:
    """When another machine was last heard, by `monotonic`; 0 for never. at: the time. held: the state that it has."""

    def __init__(self) -> None:
        self.monotonic, self.at, self.held = 0.0, "", ""

    def note(self, held: str = "") -> None:
        self.monotonic, self.at = time.monotonic(), timezone.now().isoformat()
        self.held = held or self.held


contact = Contact()


class States:
    """The newest state, and the one that the spare has: so that only pages that differ are sent.

    written: the version of the state that was last written into BACKUP_TO.
    """

    def __init__(self) -> None:
        self.written = ""
        self._lock = Lock()
        self._mark: object = None
        self._held: dict[str, bytes] = {}

    def newest(self, held: str) -> tuple[str, bytes, bytes | None]:
        """Return the version of the newest state, the state, and the state `held` if it is known here."""
        with self._lock:
            connection.ensure_connection()
            raw: Any = connection.connection
            mark = (id(raw), raw.execute("PRAGMA data_version").fetchone(), raw.total_changes)
            if mark != self._mark or not self._held:
                state = _serialized(raw)
                if state != next(reversed(self._held.values()), None):
                    former = {held: self._held[held]} if held in self._held else {}
                    self._held = {**former, secrets.token_hex(8): state}
                self._mark = mark
            version, state = next(reversed(self._held.items()))
            return version, state, self._held.get(held)

    def forget(self) -> None:
        """Keep nothing in memory: no spare has asked for a while."""
        with self._lock:
            self._held = {}


states = States()


def _serialized(raw: Any) -> bytes:
    """Return the database as it is at one moment. This waits for nobody, and nobody waits for it."""
    alone = not raw.in_transaction
    if alone:
        raw.execute("BEGIN")
    try:
        raw.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        state: bytes = raw.serialize()
    finally:
        if alone:
            raw.execute("COMMIT")
    return state


def new_challenge() -> str:
    return signing.dumps(secrets.token_hex(8), salt=f"evenboard.challenge {OF_PROCESS}")


def _is_fresh(challenge: str) -> bool:
    if challenge in _used:
        return False
    try:
        signing.loads(challenge, salt=f"evenboard.challenge {OF_PROCESS}", max_age=LASTS)
    except signing.BadSignature:
        return False
    return True


def answer_question(body: bytes, challenge: str, address: str) -> tuple[int, bytes]:
    """Return the status and the answer to the other machine. address: from which it asks.

    401 with a challenge if the question has none that counts; 403 without a key here, or with another one; 409 if this
    process asks itself: a spare that got the address of the first server must not take itself for it.
    """
    if not _is_fresh(challenge):
        return 401, new_challenge().encode()
    row = term_row()
    try:
        key = key_of(row)
        if not key:
            raise ForgedError
        asked, _data = divided(opened(key, f"question {challenge}", body))
    except ForgedError:
        return 403, b""
    _used.put(challenge, True)
    if asked.get("process") == OF_PROCESS:
        return 409, b""
    hear(MachineTerm.read(str(asked.get("term", ""))))
    held = asked.get("holds")
    contact.note(str(held or ""))
    if (
        guard.refused == UNSURE and held != ""
    ):  # a machine that has nothing yet cannot have taken over, and says nothing
        guard.refused = ""
    _note_peer(row, address, int(asked.get("port") or 0), receives=held is not None)
    head, data = {"term": str(guard.term), "heard": str(guard.heard), "next": new_challenge()}, b""
    if held is not None and guard.refused != SPARE:
        more, data = _state_for(str(held))
        head |= more
    return 200, sealed(key, f"answer {challenge}", joined(head, data))


def _state_for(held: str) -> tuple[dict[str, Any], bytes]:
    head: dict[str, Any] = {"at": timezone.now().isoformat(), "kind": connection.vendor}
    if connection.vendor != "sqlite":
        return head, b""
    version, state, former = states.newest(held)
    head["version"] = version
    if version == held:
        return head, b""
    more, data = difference(state, former)
    return {**head, **more, "keys": own_keys()}, data


def own_keys() -> dict[str, str]:
    """Return what the spare needs beside the database, so that sessions, links and notices keep working."""
    return {"secret-key": settings.SECRET_KEY, "push-key": settings.PUSH_KEY}


def _note_peer(row: WritingTerm, address: str, port: int, *, receives: bool) -> None:
    """Keep where the other machine answers, for the next start."""
    host = f"[{address}]" if ":" in address else address
    peer = f"http://{host}:{port}" if port else row.peer
    if guard.refused == SPARE or (row.peer == peer and (row.spared or not receives)):
        return
    with _locked() as now:
        now.peer = peer
        if receives and not now.spared:
            now.spared, now.base = True, 0  # from here on both machines have the same rows
        now.save()


# What this machine asks.


def ask_peer(port: int, *, patience: float = 2.0) -> bool:
    """Tell the other machine our term, and hear its own. Return whether one answered, or left its term in BACKUP_TO."""
    row = term_row()
    if not (key := key_of(row)):
        return False
    by_line = row.peer.startswith(LINES)
    folders = {settings.BACKUP_TO, "" if by_line else row.peer} - {""}
    answered = True in [_meet_in_folder(Path(folder), key) for folder in folders]
    if by_line:
        try:
            head, _data = SpareLine(key, row.peer).ask(
                {"term": str(row.term), "port": port, "process": OF_PROCESS}, patience=patience
            )
        except (SilentError, ForgedError):
            return answered
        contact.note()
        hear(MachineTerm.read(str(head.get("term", ""))))
        answered = True
    if answered and guard.refused == UNSURE:
        guard.refused = ""
    return answered


def begin_duty(port: int) -> None:
    """At the start: find out whether this machine may write. With a spare that does not answer, it may not."""
    guard.load()
    row = term_row()
    if row.key and row.spared and not guard.refused:
        guard.refused = UNSURE
        ask_peer(port)


# The same through a folder.


def write_state_file() -> None:
    """Write the newest state into BACKUP_TO, for a spare in another place. Raises OSError."""
    if not (key := key_of(term_row())) or connection.vendor != "sqlite" or guard.refused:
        return
    at = timezone.now().isoformat()  # before the state: what came later may be missing in it
    version, state, former = states.newest(states.written)
    if former is not None and version == states.written:
        return
    more, data = difference(state, None)
    head = {
        "at": at,
        "version": version,
        "heard": str(guard.heard),
        "keys": own_keys(),
        **more,
    }
    write_whole(Path(settings.BACKUP_TO) / FILE, sealed(key, "file", joined(head, data)))
    states.written = version


def _meet_in_folder(folder: Path, key: str) -> bool:
    """Hear the term that the other machine left in a folder, and leave ours if it is higher. Return whether a term was
    there: a spare leaves one with the first state that it reads.
    """
    if (term := term_in_folder(folder, key)) is None:
        return False
    hear(term)
    if not guard.refused:
        if guard.term > term:
            with suppress(OSError):  # a share that is full or read-only: five seconds later again
                write_term_file(folder, key, str(guard.term))
        if not term_row().spared:
            with _locked() as row:
                row.spared = True
                row.save()
    return True


def term_in_folder(folder: Path, key: str) -> MachineTerm | None:
    try:
        found = opened(key, "term", (folder / TERM_FILE).read_bytes())
    except (OSError, ForgedError):
        return None
    return MachineTerm.read(found.decode("ascii", "replace"))


def write_term_file(folder: Path, key: str, term: str) -> None:
    """Leave a term for the other machine. Raises OSError."""
    write_whole(folder / TERM_FILE, sealed(key, "term", term.encode()))
