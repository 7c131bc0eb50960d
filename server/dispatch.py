"""The door of the program: which task of a lane a request is, and what it says to those who must come again."""

from __future__ import annotations

import logging
import random
import re
import secrets
from collections.abc import Callable, Hashable, Iterable
from functools import cache, lru_cache
from time import monotonic
from typing import Any

from csp.middleware import CSPMiddleware
from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.security import SecurityMiddleware
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import override
from waitress.parser import HTTPRequestParser

from base.measures import REQUEST_TIME
from base.networks import network
from server.connections import Connection
from server.console import REQUEST_ID
from server.priority_queues import PAGES, PUBLIC, SENT_AWAY
from tournaments.spare_messages import PATH
from web.languages import divided, language_of
from web.page_cache import is_shared
from web.recent_logins import COOKIE as DEVICE
from web.recent_logins import browser_in, device_in, known, login_of_token
from web.response_cache import ready

AGAIN = (3, 8)  # seconds: not all come again at the same time
MONITORS = {
    "/healthz": "health",
    "/readyz": "ready",
    "/metrics": "ready",
    PATH: "files",
}  # PATH: the spare, never behind visitors
COMPARES = re.compile(r"/(?:round/[0-9]+|fairness)/compare[/.]").search
EXPLAINS = re.compile(r"/(?:round|rounds)/[0-9]+/explained/").search
READS = re.compile(
    r"/(?:entries/import|-/report|new/-/load|registration/upload|(?:site|-)/rating-lists/(?:file|columns)"
    r"|import-(?:list|report)|copies/[^/]+/load)/"
).search
SAVES = re.compile(r"/game/[0-9]+/(?:result|confirm|over)/").search
REGISTERS = re.compile(r"/[^/]+/-/(?:register|entry|entry-address|joined)/").match
CONFIRMS = re.compile(r"/[^/]+/[^/]+/board/").match
SAFE = ("GET", "HEAD")
requests_log = logging.getLogger("evenboard.requests")
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def task_of(request: HTTPRequestParser) -> str:
    """Return the task of a request, in one of the lanes.

    Logging in is possible while visitors fill their lane, and monitors get an answer; /healthz gets it even while
    /readyz waits for a database that hangs. Each of these tasks has one thread, so nobody gains anything by asking for
    them often. Static files are quick, and do not wait behind pages. A session that this
    process does not know may be that of an arbiter after a new start, who should not wait behind all visitors.
    What is the same for all visitors is quick, so it does not wait for what one visitor wants made. A page that
    compares pairing systems pairs a round several times, so there is one at a time, and none while arbiters work. So it
    is with a file that is read: a list, a report, a copy. The
    first visitor who asks why a round was paired in this way has it explained, which may take as long. Players who
    register come in a crowd when registration opens, and nobody has typed a form for nothing. Players who press results
    on their phones come in a crowd when a round ends, and wait behind no form. A result that an arbiter saves waits
    behind no page that another arbiter reads.
    """
    if "X_SENT_AWAY" in request.headers:  # the shared cache has no place for this visitor (docker/nginx.conf)
        return SENT_AWAY
    _language, path = divided(request.path)
    if path in MONITORS:
        return MONITORS[path]
    form = path.startswith(login_address())
    if form and request.command not in SAFE:
        return "login"
    if path.startswith(settings.STATIC_URL):
        return "files"
    key = token(request) or cookie(request, settings.SESSION_COOKIE_NAME)
    login = known.get(key)
    if EXPLAINS(path) and not (login and login.works):
        return "explanations"
    if REGISTERS(path) and not (login and login.works):
        return "registration" if request.command in SAFE else "sending"
    if CONFIRMS(path) and not (login and login.works):
        return "board" if request.command in SAFE else "press"
    if key:
        if login is None:
            return "returning"
        if not login.works:
            return "other"
        return task_of_arbiter(path, request.command)
    if form:
        return "form"
    same_for_all = (
        request.command in SAFE
        and request.body_rcv is None  # a request with a body cannot move to another task
        and not cookie(request, "messages")
        and is_shared(path, request.query)
    )
    return PUBLIC if same_for_all else "other"


def task_of_arbiter(path: str, method: str) -> str:
    """Return the task of a request of a login that works here."""
    if READS(path) and (method not in SAFE or path.endswith("/check/")):
        return "reading"
    if SAVES(path):
        return "results"
    return "comparisons" if COMPARES(path) else "arbiters"


def party_of(channel: Connection) -> Hashable:
    """Return the party of a request: that of a login, of a browser that has logged in before, or of an address.

    Whoever logs in from a hall shares its address with all phones. So there the browser counts, if it is known.
    """
    request = channel.requests[0]
    login = known.get(token(request) or cookie(request, settings.SESSION_COOKIE_NAME))
    if login is not None:
        return login.user
    device = (
        device_in(cookie(request, DEVICE)) if divided(request.path)[1].startswith(login_address()) else ""
    )
    return device or address_of(channel)


def browser_of(request: HTTPRequestParser) -> str:
    """Return the browser that sends a form to log in, "" for one that has not loaded the form from us.

    A phone that opens a player's board needs no cookie: its link says who asks.
    """
    path = divided(request.path)[1]
    return path if CONFIRMS(path) else browser_in(cookie(request, DEVICE))


def address_of(channel: Connection) -> str:
    """Return the network of the client. A trusted proxy writes the address of its client last."""
    address = str(channel.addr[0])
    if channel.server.trusted in ("*", address):
        address = channel.requests[0].headers.get("X_FORWARDED_FOR", "").rpartition(",")[2].strip() or address
    return network(address) or address


def cookie(request: HTTPRequestParser, name: str) -> str:
    """Return the value of a cookie, "" if it was not sent. Of several with this name the last one counts."""
    found = re.findall(rf"(?:^|[;,])\s*{name}=([^;,\s]+)", request.headers.get("COOKIE", ""))
    return found[-1] if found else ""


def token(request: HTTPRequestParser) -> str:
    """Return the key of the access token that a program sends to the API, "" without one."""
    kind, _space, text = request.headers.get("AUTHORIZATION", "").partition(" ")
    return (
        login_of_token(text.strip())
        if kind.lower() == "bearer" and request.path.startswith("/api/v1/")
        else ""
    )


@cache
def login_address() -> str:
    return reverse("login")


def route_of(path: str) -> str:
    """Return the pattern of an address for the log: the address itself may have the secret of a personal link."""
    try:
        return f"/{resolve(divided(path)[1]).route}"
    except Resolver404:
        return settings.STATIC_URL if path.startswith(settings.STATIC_URL) else "(no such address)"


class Door:
    """Answers those whom a full lane sent away, and sends ready answers again; the application answers the others.

    What must be made is answered later, in the task PAGES, so that nobody who asks for a ready answer waits for it.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer, and give the answer a number, which stands in all lines of the log about this request."""
        number = secrets.token_hex(8)
        REQUEST_ID.set(number)
        path = environ["PATH_INFO"]  # Django moves the language of an address to another place

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            seconds = monotonic() - environ["evenboard.came"]
            REQUEST_TIME.labels(environ["evenboard.lane"], environ["evenboard.task"], status[:3]).observe(
                seconds
            )
            if requests_log.isEnabledFor(logging.INFO):
                requests_log.info(
                    "%s %s %s in %.3f s", environ["REQUEST_METHOD"], route_of(path), status[:3], seconds
                )
            return start_response(status, [*headers, ("X-Request-ID", number)], *more)

        return self._answered(environ, start)

    def _answered(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        task = environ["evenboard.task"]
        if task in (PUBLIC, PAGES) and (found := ready.find(environ)) is not None:
            start_response(*found[:2])
            return [found[2]]
        if (move := environ.get("evenboard.move")) is not None:
            move()
            return []
        if task != SENT_AWAY:
            return self._noted(environ, start_response)
        seconds = random.randint(*AGAIN)  # noqa: S311
        whole_page = environ["REQUEST_METHOD"] in ("GET", "HEAD") and "HTTP_HX_REQUEST" not in environ
        request = WSGIRequest(environ)
        logging_in = not whole_page and divided(environ["PATH_INFO"])[1].startswith(login_address())
        template = "logins/busy.html" if logging_in else "busy.html"
        body = page(language_of(environ), seconds, whole_page, template)
        headers = {"Retry-After": str(seconds), "Cache-Control": "no-store", "Content-Length": str(len(body))}
        answer = protected(request, HttpResponse(body, headers=headers))
        start_response("503 Service Unavailable", list(answer.items()))
        return [body]

    def _noted(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Let the application answer, and keep the answer if it is the same for all visitors."""
        sent: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            sent[:] = status, headers
            return start_response(status, headers, *more)

        asked = environ.copy()  # Django moves the language of an address to another place
        answer = self.application(environ, start)
        if len(sent) == 2:
            ready.keep(asked, answer, *sent)
        return answer


def protected(request: WSGIRequest, answer: HttpResponse) -> HttpResponse:
    """Add the headers that protect visitors, as the same middleware does for all pages."""
    for middleware in (SecurityMiddleware, XFrameOptionsMiddleware, CSPMiddleware):
        middleware(lambda _: answer).process_response(request, answer)
    return answer


@lru_cache(maxsize=100)
def page(language: str, seconds: int, again: bool, template: str = "busy.html") -> bytes:
    """Return the page that asks to wait; with `again`, it loads itself again after so many seconds."""
    with override(language):
        return render_to_string(template, {"seconds": seconds, "again": again}).encode()
