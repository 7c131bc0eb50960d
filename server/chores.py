"""What the server does by itself beside serving: copies in another place, test restores of stored copies, notices for
phones, and rating lists.

A thread looks every few seconds whether there is something to do. Another process with low priority does the work, so
that no arbiter waits for it. If several servers use one database, one of them at a time does each kind of work: it has
a lease, and renews it while it works. The process of a server that is killed ends too, and after the lease another
server goes on (docs/decisions/0103-more-than-one-machine.md).
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile

from django.conf import settings
from django.db import DatabaseError, connection, connections
from django.utils import timezone

from pairing.ahead import asked_ahead
from registrations.actions.clock import clock_is_due, somebody_waits
from registrations.actions.clock import forget as forget_contacts
from registrations.actions.list_news import lists_are_new
from registrations.web.words.mails import mail_announcement
from server.database import LONGEST_CHECK, pages
from server.frames import with_room
from server.hosts import note_process
from tournaments.actions import chores
from tournaments.actions.chores import sure_now
from tournaments.actions.event_life import delete_for_good
from tournaments.actions.notices import notices_are_due
from tournaments.actions.personal_data import empty_log_of_sqlite, forget_what_is_over, log_to_empty
from tournaments.actions.persons_page import note_final_places
from tournaments.actions.programs import webhooks_are_due
from tournaments.actions.rehearsal_clock import rehearsals_run
from tournaments.actions.restore_tests import all_unproved
from tournaments.actions.spare import IN_FOLDER, ask_others, contact, states, write_state_file
from tournaments.actions.stored_copies import add_up_changes, copies_changed, note_place
from tournaments.models.spare import guard
from web.prewarm import first_pages

logger = logging.getLogger(__name__)
MANAGE = Path(__file__).resolve().parent.parent / "manage.py"
FIRST = 30.0  # seconds after the start: the pages come first
EVERY = 10.0  # seconds between two looks
UNASKED = 600.0  # seconds until copies are looked at that another program wrote
FORGETS = 3_600.0  # seconds between two looks for what is kept for a time only
CHECKS = 86_400.0  # seconds between two checks of all pages of the database
LONGEST = 900.0  # seconds; a share that does not answer must not hold the work without end
MOST_ERRORS = 1_000_000  # bytes of what a process prints about its errors
LEASE = timedelta(seconds=60)
WATCHES = 1.0  # seconds between two looks at the term
FINDS_KEY = 10.0  # seconds until a server without a key looks for one that another process has made
TELLS = 5.0  # seconds without another machine until it is asked
FORGETS_STATES = 60.0  # seconds without a spare
A_FEW = 20  # copies proved in one go
AHEAD = "pair ahead"
"""Rounds that are prepared while the last games before them are played."""
REGISTRATIONS = "registrations"
"""Mails about registrations, and what runs out."""
PATIENCE = 5.0  # seconds for a process to end when the server stops


class Chores:
    """The thread. first, every: seconds before the first look, and between two looks. always: also while this machine
    does not write, because another one has taken over.
    """

    always = False

    def __init__(self, *, first: float = FIRST, every: float = EVERY) -> None:
        self.holder = f"{socket.gethostname()[:40]}-{os.getpid()}-{secrets.token_hex(4)}"
        self._first = first
        self._every = every
        self._stop = threading.Event()
        self._thread = threading.Thread(target=with_room, args=(self._work,), name="chores", daemon=True)
        self._looked = -UNASKED
        self._forgot = -FORGETS
        # the start has checked a file that is not large
        self._checked = time.monotonic() if pages.at else -CHECKS

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the work that is being done, and the thread. A copy that is being written disappears."""
        self._stop.set()
        self._thread.join(timeout=2 * PATIENCE)

    def _work(self) -> None:
        wait = self._first
        while not self._stop.wait(wait):
            wait = self._every
            try:
                if self.always or not guard.refused:
                    self.look()
            except DatabaseError:
                logger.exception("the work beside serving waits for the database")
            finally:
                connections.close_all()

    def look(self) -> None:
        sure = sure_now()
        if chores.copies_are_due():
            self._do(chores.COPIES, self._copy, settings.BACKUP_TO)
        now = time.monotonic()
        changed = [copies_changed.pop() for _ in range(len(copies_changed))]
        if changed or now - self._looked >= UNASKED:
            if now - self._looked >= UNASKED:
                self._looked, changed = now, []  # all
                if connection.vendor == "postgresql":
                    note_place(socket.gethostname())
            if next(all_unproved(changed), None) is not None and not self._stop.is_set():
                self._do(chores.PROOFS, partial(self._prove, changed), "")
        if now - self._forgot >= FORGETS:
            self._forgot = now
            forget_what_is_over(now=sure)
            delete_for_good(now=sure)
            note_final_places(sure)
            add_up_changes()
            log_to_empty.set()
        if log_to_empty.is_set():
            empty_log_of_sqlite()
        if connection.vendor == "postgresql":
            if now - self._checked >= UNASKED:
                self._checked = now
                self._check_postgresql()
        elif now - self._checked >= CHECKS:
            self._checked = now
            pages.check(self._stop.is_set)

    def _check_postgresql(self) -> None:
        """Check all pages once a day, and again after a fault, in one of the processes of all hosts. The others learn
        what it has found.
        """
        found = chores.chore_named(chores.PAGES)
        last = max(filter(None, (found.done_at, found.error_at)), default=None)
        if last is not None:
            pages.know(last, found.error, int(found.place or 0))
            if not found.error and timezone.now() - last < timedelta(seconds=CHECKS):
                return
        if chores.take_chore(chores.PAGES, self.holder, timedelta(seconds=LONGEST_CHECK) + LEASE):
            pages.check(self._stop.is_set)
            if self._stop.is_set():
                chores.give_back_chore(chores.PAGES, self.holder)
            else:
                chores.finish_chore(chores.PAGES, self.holder, error=pages.fault, place=str(pages.unread))

    def _do(self, name: str, work: Callable[[], str | None], place: str) -> None:
        if not chores.take_chore(name, self.holder, LEASE):
            return
        began = timezone.now()
        error = work()
        if error is None:
            chores.give_back_chore(name, self.holder)
            return
        if error:
            logger.error("%s: %s", name, error)
        chores.finish_chore(name, self.holder, error=error, place=place, began=began)

    def _copy(self) -> str | None:
        keep = str(settings.BACKUP_TO_KEEP)
        return self._run(
            chores.COPIES, "copy_tournaments", settings.BACKUP_TO, "--keep", keep, "--must-exist", "--prove"
        )

    def _prove(self, sections: list[int]) -> str | None:
        only = ["--sections", *map(str, sections)] if sections else []
        while True:
            before = next(all_unproved(sections), None)
            if before is None:
                return ""
            error = self._run(chores.PROOFS, "prove_copies", "--most", str(A_FEW), *only)
            if error is None or next(all_unproved(sections), None) == before:
                return error  # stopped, or it makes no progress

    def _run(self, name: str, *command: str, prints: bool = False) -> str | None:
        """Run a command of manage.py with low priority. Return its error, "" if there was none, None if stopped.

        name: of the lease, "" for work without one. prints: what it prints stands on the console of the server.
        """
        connections.close_all()  # none is kept open meanwhile
        with TemporaryFile() as errors:  # a pipe that is full would hold up the process
            process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, str(MANAGE), *command, "--gently", "--verbosity", "0"],
                cwd=MANAGE.parent,
                env={**os.environ, chores.BY_SERVER: "1"},
                stdin=subprocess.PIPE,  # it closes also if this server is killed
                stdout=None if prints else subprocess.DEVNULL,
                stderr=errors,
                creationflags=getattr(subprocess, "IDLE_PRIORITY_CLASS", 0),
            )
            try:
                stopped = self._watch(process, name)
            finally:
                _end(process)
            if stopped != "":
                return stopped
            errors.seek(0)
            lines = errors.read(MOST_ERRORS).decode("utf-8", "replace")
        return "" if process.returncode == 0 else _first_line(lines) or f"exit code {process.returncode}"

    def _watch(self, process: subprocess.Popen[bytes], name: str) -> str | None:
        """Wait until the process ends. Return "", or why it must end: None if the server stops or lost the lease."""
        ends = time.monotonic() + LONGEST
        leased = time.monotonic()
        while process.poll() is None:
            if self._stop.wait(0.2):
                return None
            if time.monotonic() > ends:
                return f"stopped after {LONGEST:.0f} seconds"
            if name and time.monotonic() - leased > LEASE.total_seconds() / 3:
                leased = time.monotonic()
                if not chores.take_chore(name, self.holder, LEASE):
                    return None  # this server slept, and another one does the work
                connections.close_all()
        return ""


class FirstPages(Chores):
    """A thread that makes some pages once, soon after the start."""

    def look(self) -> None:
        first_pages()
        self._stop.set()


class Notices(Chores):
    """A thread of its own for notices on phones, which must not wait until copies are made."""

    def look(self) -> None:
        if notices_are_due():
            self._do(chores.NOTICES, self._send, "")

    def _send(self) -> str | None:
        return self._run(chores.NOTICES, "send_notices")


class Webhooks(Chores):
    """A thread of its own for messages to other programs, whose servers may be slow."""

    def look(self) -> None:
        if webhooks_are_due():
            self._do(chores.WEBHOOKS, self._send, "")

    def _send(self) -> str | None:
        return self._run(chores.WEBHOOKS, "send_webhooks")


class PairAhead(Chores):
    """A thread of its own for rounds that are prepared: an arbiter waits for them. No server does the work of another
    one, because nobody is wrong if two do it.
    """

    def look(self) -> None:
        if asked_ahead.is_set():
            asked_ahead.clear()
            if error := self._run("", "pair_ahead"):
                logger.error("%s: %s", AHEAD, error)


class Rehearsals(Chores):
    """A thread of its own for rehearsals. Its process lasts as long as a clock runs."""

    def look(self) -> None:
        if rehearsals_run():
            self._do(chores.REHEARSALS, self._play, "")

    def _play(self) -> str | None:
        return self._run(chores.REHEARSALS, "play_rehearsals")


class SpareWatch(Chores):
    """A thread of its own for the term: whether another machine has a higher one (`tournaments.actions.spare`)."""

    always = True

    def __init__(self, port: int) -> None:
        super().__init__(first=WATCHES, every=WATCHES)
        self._port = port
        self._written = self._asked = self._loaded = 0.0

    def look(self) -> None:
        now = time.monotonic()
        if not (guard.has_key or guard.refused) and now - self._loaded < FINDS_KEY:
            return
        self._loaded = now
        guard.load()
        if not guard.has_key:
            states.forget()
            return
        if now - self._asked >= TELLS:
            self._asked = now
            ask_others(self._port, silent=TELLS)
        if now - contact.newest >= FORGETS_STATES and not settings.BACKUP_TO:
            states.forget()
        if settings.BACKUP_TO and now - self._written >= IN_FOLDER:
            self._written = now
            try:
                write_state_file()
            except OSError as error:
                logger.warning("The state for the spare was not written to %s: %s", settings.BACKUP_TO, error)


class HostNotes(Chores):
    """A thread of its own that notes what all hosts must have in common. With SQLite there is one."""

    def look(self) -> None:
        if connection.vendor == "postgresql":
            note_process(self.holder)


class RatingLists(Chores):
    """A thread of its own for rating lists, whose import takes minutes."""

    def look(self) -> None:
        if chores.lists_are_due():
            self._do(chores.RATING_LISTS, self._import, "")

    def _import(self) -> str | None:
        return self._run(chores.RATING_LISTS, "import_rating_lists")


class Registrations(Chores):
    """A thread of its own for registrations: their mails must not wait until copies are made."""

    def look(self) -> None:
        now, sure = time.monotonic(), sure_now()
        hourly = now - self._forgot >= FORGETS
        if (
            clock_is_due(sure)
            or (hourly and somebody_waits())  # a date may let a list move, and nothing else says so
            or lists_are_new()
        ):
            self._do(REGISTRATIONS, self._work_off, "")
        if hourly:
            self._forgot = now
            for form in forget_contacts(sure):
                mail_announcement(form)

    def _work_off(self) -> str | None:
        # without a mail server the console has the mails
        return self._run(REGISTRATIONS, "work_registrations", prints=not settings.MAIL_IS_SET_UP)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)
    if process.poll() is None:
        process.kill()
        process.wait()
    if process.stdin:
        process.stdin.close()


def _first_line(errors: str) -> str:
    """Return the first line; of an error of Python itself, the last."""
    lines = [line for line in errors.splitlines() if line.strip()]
    if not lines:
        return ""
    line = lines[-1] if lines[0].startswith("Traceback") else lines[0]
    return line.removeprefix("CommandError: ")
