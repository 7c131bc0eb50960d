"""A second machine that keeps the state of this one and can take over, and the term by which one machine writes.

The spare asks every few seconds and gets the pages of the database that have changed. Each question and each answer
carries the term of its machine, so two machines that can reach each other notice at once if both would write.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from django.conf import settings
from django.core import signing
from django.db import connection
from django.db.models import F
from django.utils import timezone

from base.cache import Cache
from tournaments.declarations.site import END_SPARE_KEY, GO_ON_HERE, MAKE_SPARE_KEY, SPARE_TAKES_OVER
from tournaments.models import Section, WritingTerm
from tournaments.models.spare import (
    AFTER_TAKEOVER,
    POSTGRESQL,
    SALT,
    SPARE,
    TAKEN_OVER,
    UNSURE,
    MachineTerm,
    guard,
)
from tournaments.queries.spare import newest_log_keys
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

LASTS = 60  # seconds for which a challenge counts
IN_FOLDER = 10.0  # seconds between two states in BACKUP_TO
MOST_PEERS = 6
"""So many other machines are told of the term of this one."""
RECENT = 3.0  # seconds: a server that has just answered the spare runs
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
        row.key, row.peers, row.spares = secrets.token_hex(16), [], {}
        row.save()
        note(actor, MAKE_SPARE_KEY)
    return made_key(settings.SECRET_KEY, row.key)


def end_spare_key(*, actor: Actor) -> None:
    """Let no spare receive this site any more."""
    with _locked() as row:
        row.key, row.peers, row.spares = "", [], {}
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
    if guard.refused == SPARE:
        contact.rumour = max(contact.rumour, term)
        return
    if not (term > max(guard.term, guard.heard) or (term == guard.heard and term.line != guard.heard.line)):
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
            _raise(row, max(row.number, MachineTerm.read(row.heard).number) + 1, secrets.token_hex(4))
            row.save()
        guard.refused = ""
        note(actor, GO_ON_HERE)


def _raise(row: WritingTerm, number: int, holder: str) -> None:
    """Raise the term of this machine. It need not hear its spares at a start until one has received its state again."""
    row.number, row.holder, row.line = number, holder, row.term.raised(number, holder, newest_log_keys()).line
    row.heard, row.spares = "", {}


def next_term(heard: MachineTerm) -> MachineTerm:
    """Return the term with which this spare would write. heard: the highest that the first machine knows."""
    number = max(guard.term.number, heard.number, contact.rumour.number) + 1
    return guard.term.raised(number, secrets.token_hex(4), newest_log_keys())


def take_over(*, term: MachineTerm, state: str, peer: str) -> None:
    """Raise the term in the database of this spare. state: when the first machine sent it, for the log."""
    guard.refused = ""
    with transaction_or_busy():
        with _locked() as row:
            _raise(row, term.number, term.holder)
            row.peers = _with(row.peers, peer)
            row.save()
        Section.objects.update(revision=F("revision") + AFTER_TAKEOVER)
        note(Actor.command(), SPARE_TAKES_OVER, subject=state)


# What the other machine asks, and what it is told.


class Contact:
    """When other machines were last heard, by `monotonic`, by address or folder. at: the time when one was last heard.

    Of a spare: rumour is the highest term of any other machine; process is the one of the first server, at `answered`.
    """

    def __init__(self) -> None:
        self.heard: dict[str, float] = {}
        self.at, self.rumour = "", MachineTerm()
        self.process, self.answered = "", 0.0

    @property
    def newest(self) -> float:
        return max(self.heard.values(), default=0.0)

    def note(self, peer: str) -> None:
        self.heard[peer], self.at = time.monotonic(), timezone.now().isoformat()
        if guard.refused == UNSURE and all(each in self.heard for each in term_row().spares.values()):
            guard.refused = ""

    def is_twin(self, term: MachineTerm, process: str) -> bool:
        """Return whether a server other than the first one writes with its term: its directory was copied."""
        runs = time.monotonic() - self.answered < RECENT
        return runs and term == guard.term and process != self.process


contact = Contact()


class States:
    """The newest state, and the one that the spare has: so that only pages that differ are sent.

    written: the version of the state that was last written into BACKUP_TO, with the number `count`.
    """

    def __init__(self) -> None:
        self.written, self.count = "", 0
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
    term, process, held = (
        MachineTerm.read(str(asked.get("term", ""))),
        asked.get("process"),
        asked.get("holds"),
    )
    hear(term)
    host = f"[{address}]" if ":" in address else address
    peer = f"http://{host}:{asked['port']}"
    _note_peer(row, peer, str(asked.get("name", peer)) if held is not None else "")
    if held != "":  # a machine that has nothing yet cannot have taken over, and says nothing
        contact.note(peer)
    heard = max(guard.heard, contact.rumour)
    head, data = (
        {"term": str(guard.term), "heard": str(heard), "next": new_challenge(), "process": OF_PROCESS},
        b"",
    )
    if guard.refused == SPARE:
        head["twin"] = str(contact.is_twin(term, str(process)))
    elif held is not None:
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


def _note_peer(row: WritingTerm, peer: str, spare: str) -> None:
    """Keep where another machine answers. spare: its name if it receives the state, else ""."""
    spares = {**row.spares, spare: peer} if spare else row.spares
    if guard.refused == SPARE or (row.spares == spares and peer in row.peers):
        return
    with _locked() as now:
        now.peers = _with(now.peers, peer)
        if spare:
            now.spares[spare] = peer
        now.save()


def _with(peers: list[str], peer: str) -> list[str]:
    return [*(each for each in peers if each != peer), peer][-MOST_PEERS:]


# What this machine asks.


def ask_others(port: int, *, silent: float = 0.0, patience: float = 2.0) -> None:
    """Tell the other machines our term, and hear theirs, also in folders.

    silent: leave out those that were heard within so many seconds.
    """
    row = term_row()
    if not (key := key_of(row)):
        return
    if connection.vendor == "postgresql" and _standby_follows():
        _note_spare(row, POSTGRESQL)
    for folder in {settings.BACKUP_TO, *(peer for peer in row.peers if not peer.startswith(LINES))} - {""}:
        _meet_in_folder(row, folder, key)
    lines = [
        SpareLine(key, peer)
        for peer in row.peers
        if peer.startswith(LINES) and time.monotonic() - contact.heard.get(peer, float("-inf")) >= silent
    ]
    question = {"term": str(row.term), "port": port, "process": OF_PROCESS}

    def answer(line: SpareLine) -> dict[str, Any]:
        try:
            return line.ask(question, patience=patience)[0]
        except (SilentError, ForgedError):
            return {}

    with ThreadPoolExecutor(MOST_PEERS) as pool:
        heads = list(pool.map(answer, lines))
    for line, head in zip(lines, heads, strict=True):
        for term in ("term", "heard"):
            hear(MachineTerm.read(str(head.get(term, ""))))
        if head.get("twin") == "True":
            guard.refused = guard.refused or UNSURE
        elif head:
            contact.note(line.address)


def _note_spare(row: WritingTerm, name: str) -> None:
    """Note that a spare has been heard that sends no questions here."""
    contact.note(name)
    if name not in row.spares and not guard.refused:
        with _locked() as now:
            now.spares[name] = name
            now.save()


def _standby_follows() -> bool:
    """Return whether another PostgreSQL receives what this one writes: one that was promoted does not."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_stat_replication)")
        return bool(cursor.fetchone()[0])


def begin_duty(port: int) -> None:
    """At the start: find out whether this machine may write. With a spare that does not answer, it may not."""
    guard.load()
    contact.heard.clear()
    row = term_row()
    if row.key and row.spares and not guard.refused:
        guard.refused = UNSURE
        ask_others(port)


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
    path = Path(settings.BACKUP_TO) / FILE
    if not states.count and path.exists():
        with suppress(ForgedError):  # of a former key
            states.count = divided(opened(key, "file", path.read_bytes()))[0]["count"]
    states.count = max(states.count + 1, int(time.time()))  # rises also if somebody sets the clock back
    head = {
        "at": at,
        "count": states.count,
        "version": version,
        "heard": str(guard.heard),
        "keys": own_keys(),
        **more,
    }
    write_whole(path, sealed(key, "file", joined(head, data)))
    states.written = version


def _meet_in_folder(row: WritingTerm, folder: str, key: str) -> None:
    """Hear the term that another machine left in a folder, and leave ours if it is higher. A spare leaves one with the
    first state that it reads.
    """
    if (term := term_in_folder(Path(folder), key)) is None:
        return
    hear(term)
    if not guard.refused and guard.term > term:
        with suppress(OSError):  # a share that is full or read-only: five seconds later again
            write_term_file(Path(folder), key, str(guard.term))
    _note_spare(row, folder)


def term_in_folder(folder: Path, key: str) -> MachineTerm | None:
    try:
        found = opened(key, "term", (folder / TERM_FILE).read_bytes())
    except (OSError, ForgedError):
        return None
    return MachineTerm.read(found.decode("ascii", "replace"))


def write_term_file(folder: Path, key: str, term: str) -> None:
    """Leave a term for the other machine. Raises OSError."""
    write_whole(folder / TERM_FILE, sealed(key, "term", term.encode()))
