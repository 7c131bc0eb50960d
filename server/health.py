"""What monitors ask: `/healthz`, whether the process answers, and `/readyz`, whether it can work.

`/readyz` runs all checks at once, each in a thread of its own, and answers within LIMIT seconds even if one hangs: then
it says so. A check that is only late counts as it last was. A check that hangs is not started again before it has
ended. Others add a check with `register`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.db import DatabaseError, connection, connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evenboard_engine import PROGRAM
from registrations.actions.mails import mails_waiting
from server.catalogues import untranslated
from server.database import pages
from server.hosts import differences, processes
from server.prepare import missing_migrations
from tournaments.actions.chores import doubted_from
from tournaments.actions.notices import notices_waiting
from tournaments.actions.programs import webhooks_waiting
from tournaments.queries.copies import copies_state
from tournaments.queries.site import MB, disks, last_backup

LIMIT = 1.5  # seconds
KEPT = 15.0  # seconds for which a check that is late counts as it was, so that a busy host stays in the proxy
SIZE = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}
MAIL_LATE = 900  # seconds that a mail which is due may wait


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. ok: whether the program can work. warning: what somebody should look at, "" for nothing."""

    facts: Mapping[str, Any] = field(default_factory=dict)
    ok: bool = True
    warning: str = ""


Check = Callable[[], Finding]


class _Probe:
    """Runs one check, at most once at a time."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._lock = threading.Lock()
        self._done: threading.Event | None = None
        self._found, self._at = Finding(), float("-inf")

    def start(self) -> None:
        with self._lock:
            if self._done is None or self._done.is_set():
                self._done = threading.Event()
                threading.Thread(target=self._run, args=(self._done,), daemon=True).start()

    def found(self, until: float) -> Finding:
        """Return what was found; a check that has not ended by then, nor a short time ago, is not ok."""
        assert self._done is not None
        in_time = self._done.wait(max(0.0, until - time.monotonic()))
        if in_time or time.monotonic() - self._at < KEPT:
            return self._found
        return Finding({"answer": "none in time"}, ok=False)

    def _run(self, done: threading.Event) -> None:
        try:
            self._found = self._check()
        except Exception as error:  # noqa: BLE001 - a monitor must get an answer, whatever happens
            self._found = Finding({"error": type(error).__name__}, ok=False)
        finally:
            connections.close_all()  # those of this thread
            self._at = time.monotonic()
            done.set()


_probes: dict[str, _Probe] = {}


def register(name: str, check: Check) -> None:
    """Add a check, or replace the one with this name. It runs in a thread of its own and may use the database."""
    _probes[name] = _Probe(check)


def findings() -> dict[str, Finding]:
    """Run all checks, and return what each has found within LIMIT seconds."""
    for probe in _probes.values():
        probe.start()
    until = time.monotonic() + LIMIT
    return {name: probe.found(until) for name, probe in _probes.items()}


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Answer 200 `ok`: the process runs. The database is not asked, because a restart would not repair it."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001
    """Answer 200 if the program can work, 503 if not, with what each check found."""
    found = findings()
    ready = all(one.ok for one in found.values())
    return JsonResponse(
        {
            "ready": ready,
            "program": PROGRAM,
            "warnings": [one.warning for one in found.values() if one.warning],
            **{name: {"ok": one.ok, **one.facts} for name, one in found.items()},
        },
        status=200 if ready else 503,
    )


def database() -> Finding:
    """Ask the database for a number, and for its size."""
    began = time.monotonic()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
            milliseconds = round((time.monotonic() - began) * 1000)
            cursor.execute(SIZE[connection.vendor])
            size = cursor.fetchone()[0]
    except DatabaseError as error:
        return Finding({"kind": connection.vendor, "error": type(error).__name__}, ok=False)
    return Finding({"kind": connection.vendor, "milliseconds": milliseconds, "bytes": size})


def disk() -> Finding:
    """Look how much room is left where the program writes. A disk that is full is no place to work."""
    found = disks()
    low = [one for one in found if one.is_low]
    return Finding(
        {"free_mb": {" ".join(one.holds): one.free // MB for one in found}},
        ok=not any(one.is_full for one in found),
        warning="little disk space" if low else "",
    )


def backup() -> Finding:
    """Return when the last copy of a section was written."""
    at = last_backup()
    if at is None:
        return Finding({"at": None})
    return Finding({"at": at.isoformat(), "age_seconds": round((timezone.now() - at).total_seconds())})


def copies() -> Finding:
    """Return whether all stored copies passed the test restore, and whether those in another place are up to date."""
    well, facts = copies_state()
    return Finding(facts, warning="" if well else "copies need attention")


def translations() -> Finding:
    """Return the languages whose pages are in English because their catalogue was not compiled before the start."""
    missing = untranslated()
    return Finding({"missing": missing}, warning="translations are missing" if missing else "")


def clock() -> Finding:
    """Return whether the clock of the server has jumped, so that nothing is deleted or ends because of the time."""
    before = doubted_from()
    if before is None:
        return Finding({"sure": True})
    return Finding({"sure": False, "before_the_jump": before.isoformat()}, warning="the clock has jumped")


def migrations() -> Finding:
    """Return whether the tables are those of this program."""
    missing = missing_migrations()
    return Finding({"missing": missing}, ok=not missing)


def mail() -> Finding:
    """Return whether mails go out: whether a mail server is set up, and for how long the oldest mail has waited."""
    now = timezone.now()
    waiting, oldest = mails_waiting(now)
    late = round((now - oldest).total_seconds()) if oldest else 0
    facts = {"set_up": settings.MAIL_IS_SET_UP, "waiting": waiting, "oldest_seconds": late}
    return Finding(facts, warning="mails do not go out" if late > MAIL_LATE else "")


def work() -> Finding:
    """Count what is due and not sent yet."""
    return Finding({"webhooks": webhooks_waiting(), "notices": notices_waiting()})


def limits() -> Finding:
    """Return where is counted how often a network or a program asks: by each process, or by all together in Valkey."""
    ask = getattr(caches["default"], "silent_since", None)
    if ask is None:
        return Finding({"counted": "by each process"})
    since = ask()
    if since is None:
        return Finding({"counted": "together"})
    facts = {"counted": "by each process", "silent_since": since.isoformat()}
    return Finding(facts, warning="the common cache does not answer")


def hosts() -> Finding:
    """Return whether all processes of the site have in common what they must, and which of them differ in what."""
    found = processes()
    differ = {name: [[one.host, one.number] for one in ones] for name, ones in differences(found).items()}
    warning = f"hosts differ: {', '.join(differ)}" if differ else ""
    return Finding({"processes": len(found), "differ": differ}, warning=warning)


def integrity() -> Finding:
    """Return what the last check of all pages of the database found, "" before the first one."""
    facts = {"checked_at": pages.at, "fault": pages.fault, "unread": pages.unread}
    warning = "the database was not checked wholly" if pages.unread else ""
    return Finding(facts, ok=not pages.fault, warning=warning)


register("database", database)
register("disk", disk)
register("last_backup", backup)
register("copies", copies)
register("translations", translations)
register("clock", clock)
register("integrity", integrity)
register("migrations", migrations)
register("mail", mail)
register("work", work)
register("limits", limits)
register("hosts", hosts)
