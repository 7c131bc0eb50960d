"""What the machine below the program refused, in words: a full disk, a database that is stopped, slow or busy.

The page needs no database. Nothing is half written: each action is one transaction, which the database undoes.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from django import db
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.defaults import server_error

from api.v1.problems import Problem, problem_response
from tournaments.models.spare import SPARE, TAKEN_OVER, UNSURE, MayNotWrite

UNAVAILABLE, INSUFFICIENT_STORAGE = 503, 507
AGAIN = 5  # seconds
API = "/api/"
OUR_ERROR = Problem(
    500,
    "server_error",
    _(  # type: ignore[arg-type]  # said in the language of the request
        "The server could not finish the request because of an error in the program. Nothing was changed. The log of "
        "the server has the details."
    ),
)
OF_DATABASE = (db.OperationalError, db.InterfaceError, db.InternalError)


@dataclass(frozen=True, slots=True)
class Failure:
    """code: for programs. happened: what, for everybody. todo: the way out."""

    code: str
    status: int
    title: Promise
    happened: Promise
    todo: Promise


FULL = Failure(
    "disk_full",
    INSUFFICIENT_STORAGE,
    _("The disk is full"),
    _("The server has no room left on its disk, so it cannot save."),
    _(
        "The person who runs the server must free space: delete files that are not needed, or move old copies from "
        "the directory for backups to another disk. No restart is needed."
    ),
)
STOPPED = Failure(
    "database_stopped",
    UNAVAILABLE,
    _("The database does not run"),
    _("The program runs, but its database cannot be reached."),
    _(
        "The person who runs the server must start the database, or repair the connection to it. The program then "
        "continues without a restart."
    ),
)
SLOW = Failure(
    "database_slow",
    UNAVAILABLE,
    _("The database does not answer"),
    _("The program asked its database and got no answer in time."),
    _("Try again in a minute. If this continues, the person who runs the server must look at the database."),
)
BUSY = Failure(
    "database_busy",
    UNAVAILABLE,
    _("Too much is saved at once"),
    _("Other requests kept the database busy for too long, so nothing was done."),
    _("Try again."),
)
UNWRITABLE = Failure(
    "not_writable",
    UNAVAILABLE,
    _("The server cannot write to its disk"),
    _("The disk of the server refuses to write, or the database file cannot be opened."),
    _(
        "The person who runs the server must look whether the disk is attached, sound and not write-protected. The "
        "log of the server names the error."
    ),
)

READ_ONLY = Failure(
    "database_read_only",
    UNAVAILABLE,
    _("The database is read-only"),
    _("The database can be read, but it accepts no changes."),
    _(
        "The person who runs the server must find out why: DATABASE_URL may name a copy of the database, or somebody "
        "has set default_transaction_read_only. The program then continues without a restart."
    ),
)
DAMAGED = Failure(
    "database_damaged",
    UNAVAILABLE,
    _("The database is damaged"),
    _("The file of the database is damaged, or another file is in its place."),
    _(
        "The person who runs the server must stop the program and start it again: the start says where the newest "
        "copies are and how to load them."
    ),
)

WITHOUT_TERM = {
    TAKEN_OVER: Failure(
        "taken_over",
        UNAVAILABLE,
        _("Another machine has taken over"),
        _(
            "The spare of this server has taken over, so this server accepts no changes. Its pages can be read."
        ),
        _(
            "Use the server that has taken over. Results that wait in a browser are sent when it reaches that "
            "server at the same address. If this server is to go on instead, a site owner decides it on the page Spare."
        ),
    ),
    UNSURE: Failure(
        "spare_silent",
        UNAVAILABLE,
        _("The spare does not answer"),
        _(
            "This server was started again and cannot ask its spare whether it has taken over. Until somebody decides, "
            "this server accepts no changes. Its pages can be read."
        ),
        _(
            "Start the spare, or connect it to the network. If nobody has taken over, a site owner says so on the "
            "page Spare."
        ),
    ),
    SPARE: Failure(
        "is_spare",
        UNAVAILABLE,
        _("This is the spare"),
        _("This server keeps the state of another one and accepts no changes."),
        _("Use the first server. If it is gone, press “Take over” on the page of the spare."),
    ),
}
"""By the reason of `MayNotWrite`."""
SQLITE = {
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_NOTADB": DAMAGED,
    "SQLITE_IOERR_SHORT_READ": DAMAGED,
    "SQLITE_FULL": FULL,
    "SQLITE_BUSY": BUSY,
    "SQLITE_LOCKED": BUSY,
    "SQLITE_IOERR": UNWRITABLE,
    "SQLITE_CANTOPEN": UNWRITABLE,
    "SQLITE_READONLY": UNWRITABLE,
}
POSTGRESQL = {
    "25006": READ_ONLY,
    "53100": FULL,
    "53200": BUSY,  # out of memory
    "53300": BUSY,  # too many connections
    "40001": BUSY,
    "40P01": BUSY,
    "55P03": BUSY,  # lock_timeout
    "57014": SLOW,  # statement_timeout
    "57P01": STOPPED,
    "57P02": STOPPED,
    "57P03": STOPPED,
    "58030": UNWRITABLE,
    "58P01": DAMAGED,  # a file of the database is missing
    "XX001": DAMAGED,
    "XX002": DAMAGED,
    "42P01": DAMAGED,  # no such table: it is the database of another program
}
OF_SYSTEM = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EROFS: UNWRITABLE,
    errno.EIO: UNWRITABLE,
}


def failure_of(error: BaseException | None) -> Failure | None:
    """Return what an exception means, None if it is an error in the program."""
    for each in _chain(error):
        if isinstance(each, MayNotWrite):
            return WITHOUT_TERM[str(each)]
        if isinstance(each, OSError) and each.errno in OF_SYSTEM:
            return OF_SYSTEM[each.errno]
        if isinstance(each, db.Error):
            cause = each.__cause__ or each
            found = _by_code(cause)
            if found or isinstance(each, OF_DATABASE):
                return found or _without_code(cause)
    return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _by_code(cause: BaseException) -> Failure | None:
    if name := getattr(cause, "sqlite_errorname", ""):
        if name == "SQLITE_ERROR" and str(cause).startswith("no such table"):
            return DAMAGED
        return next((failure for start, failure in SQLITE.items() if name.startswith(start)), None)
    state = getattr(cause, "sqlstate", None) or ""
    return POSTGRESQL.get(state) or (STOPPED if state.startswith("08") else None)


def _without_code(cause: BaseException) -> Failure | None:
    """Return what an error of PostgreSQL means that has no code: the connection failed."""
    if not type(cause).__module__.startswith("psycopg") or getattr(cause, "sqlstate", None):
        return None
    text = str(cause).lower()
    return SLOW if "timeout" in text or "in time" in text else STOPPED


def failed(request: HttpRequest) -> HttpResponse:
    """Answer a request that ended with an exception (handler500)."""
    error = sys.exc_info()[1]
    failure = failure_of(error)
    of_api = request.path_info.startswith(API)
    if failure is None:
        return problem_response(OUR_ERROR, request.path) if of_api else server_error(request)
    sent = request.method not in ("GET", "HEAD")
    context = {"failure": failure, "sent": sent, "again": AGAIN}
    answer: HttpResponse
    if of_api:
        detail = f"{failure.happened} {failure.todo}"
        answer = problem_response(Problem(failure.status, failure.code, detail), request.path)
    elif "application/json" in request.headers.get("Accept", ""):
        content = {"title": str(failure.title), "message": f"{failure.happened} {failure.todo}"}
        answer = JsonResponse({"code": failure.code, **content}, status=failure.status)
    else:
        answer = HttpResponse(render_to_string("failure.html", context), status=failure.status)
    answer["Retry-After"] = str(AGAIN)
    answer["Cache-Control"] = "no-store"
    answer["X-Failure"] = failure.code
    return answer
