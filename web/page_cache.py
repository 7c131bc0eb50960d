"""Finished public pages in memory: each is made once a revision and given to all visitors who are not logged in.

The page store keeps pages, all makers of one page wait for the first of them, and the oldest page goes first. The
middleware decides which requests are served from it.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from itertools import count
from operator import attrgetter
from threading import Lock
from time import monotonic
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.handlers.wsgi import WSGIRequest
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    HttpResponsePermanentRedirect,
    HttpResponseRedirect,
    QueryDict,
)
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import Resolver404, get_script_prefix, resolve, reverse
from django.utils.http import parse_etags
from django.utils.translation import get_language, override

from base.cache import Cache, CacheBusyError, register
from base.consistent_read import consistent_read
from base.zones import in_zone
from tournaments.queries.public_facts import PublicFacts
from web.qr import own_host
from web.recent_logins import known
from web.requests import Middleware
from web.views.public.public_page import (
    PublicPage,
    add_headers,
    asks_for_news,
    headers_of_visitor,
    nothing_new,
    other_round,
    page_tag,
    send_time,
    shown_round,
)

# Finished pages in the memory of this process: made once, shared by all who ask, the oldest dropped first.

PATIENCE = 10.0
"""Seconds that a request waits for another one that makes the same page."""
REMEMBERED = 20
"""Addresses of a shelf that are known after its pages were dropped."""


@dataclass(frozen=True, slots=True)
class PageAddress:
    """What a visitor asked for. language: as a browser writes it."""

    path: str
    query: str
    language: str


@dataclass(frozen=True, slots=True)
class Page:
    """A finished answer. body: compressed if `gzipped`. shown_round: as in views/public/public_page.py.

    lasting: also right for other visitors who ask the same while the facts are the same. asked: by the first of them.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    gzipped: bool
    shown_round: str
    lasting: bool
    asked: PageAddress | None = None

    @property
    def size(self) -> int:
        """Return about how many bytes the page takes in memory, with what Python needs for it."""
        return len(self.body) + sum(len(name) + len(value) + 120 for name, value in self.headers) + 1_000


Facts = TypeVar("Facts", bound=Hashable)
Shelf = Hashable
Key = Hashable


@dataclass(slots=True)
class _Reading(Generic[Facts]):
    """The newest facts of a shelf. ticket: of their last reading. read_at: when it began.

    former: what visitors asked for while the facts were others, oldest first. keys: of the pages from these facts.
    """

    facts: Facts
    ticket: int
    read_at: float
    former: tuple[PageAddress, ...] = ()
    keys: set[Key] = field(default_factory=set)


class PageStore(Generic[Facts]):
    """Pages by shelf, such as a section, and by what was asked. limit: returns how many bytes they may take."""

    def __init__(self, limit: Callable[[], int]) -> None:
        self._lock = Lock()
        self._tickets = count()
        self._readings: dict[Shelf, _Reading[Facts]] = {}
        self._pages: Cache[tuple[Shelf, Key], Page] = Cache(
            limit, weight=attrgetter("size"), dropped=self._note_dropped
        )
        register(self)

    def __len__(self) -> int:
        return len(self._pages)

    @property
    def size(self) -> int:
        return self._pages.weight

    def facts(self, shelf: Shelf, came: float | None, read: Callable[[], Facts | None]) -> Facts | None:
        """Return facts of a shelf that were right at some moment since the request came in; None if there are none.

        came: when it came, by `monotonic`. If the facts were read later than that, they are not read again. So requests
        that wait in a line share one reading, and an answer is never older than its question. None: read them now.
        """
        with self._lock:
            held = self._readings.get(shelf)
            if held is not None and came is not None and came < held.read_at:
                return held.facts
            ticket = next(self._tickets)
        read_at = monotonic()
        found = read()
        return None if found is None else self._newest(shelf, found, ticket, read_at)

    def _newest(self, shelf: Shelf, facts: Facts, ticket: int, read_at: float) -> Facts:
        """Take note of facts that were read, and drop what was made from others. Return the newest facts.

        A slow request may come with facts that are older than those of the store. The store's facts were read after a
        later ticket was drawn, so they were right at some moment since the slow request came in.
        """
        with self._lock:
            held = self._readings.get(shelf)
            if held is not None and ticket < held.ticket:
                return held.facts
            if held is not None and held.facts == facts:
                held.ticket, held.read_at = ticket, read_at
                return held.facts
            former = self._asked(shelf)[-REMEMBERED:]
            self._drop(shelf)
            self._readings[shelf] = _Reading(facts, ticket, read_at, former)
            return facts

    def asked(self, shelf: Shelf) -> list[PageAddress]:
        """Return what visitors of a shelf asked for, last first, also before its facts changed."""
        with self._lock:
            return list(reversed(self._asked(shelf)))

    def adopt(self, other: PageStore[Facts], shelf: Shelf, read: Callable[[], Facts | None]) -> None:
        """Take over the pages of another store, if the facts are still those from which it made them."""
        theirs = other._readings.get(shelf)
        if theirs is None or self.facts(shelf, None, read) != theirs.facts:
            return
        for key, page in other._of(shelf):
            if self._note(shelf, theirs.facts, key):
                self._pages.put((shelf, key), page, basis=theirs.facts)

    def forget(self, shelf: Shelf) -> None:
        """Drop all pages of a shelf."""
        with self._lock:
            self._drop(shelf)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._readings.clear()
            self._pages.clear()

    def page(self, shelf: Shelf, facts: Facts, key: Key, make: Callable[[], Page]) -> Page:
        """Return the page from these facts. One request makes it, and the others wait for that.

        Raises CacheBusyError after PATIENCE seconds, and whatever `make` raises.
        """

        def is_right(made: Page) -> bool:
            return made.lasting and self._note(shelf, facts, key)

        return self._pages.make((shelf, key), make, basis=facts, keep=is_right, patience=PATIENCE)

    def held(self, shelf: Shelf, facts: Facts, key: Key) -> Page | None:
        return self._pages.get((shelf, key), basis=facts)

    def _note(self, shelf: Shelf, facts: Facts, key: Key) -> bool:
        """Note that a page from these facts is put here. Return False if there are newer facts."""
        held = self._readings.get(shelf)
        if held is None or held.facts != facts:
            return False
        held.keys.add(key)
        return True

    def _note_dropped(self, place: tuple[Shelf, Key]) -> None:
        held = self._readings.get(place[0])
        if held is not None:
            held.keys.discard(place[1])

    def _of(self, shelf: Shelf) -> list[tuple[Key, Page]]:
        """Return the pages of a shelf, the one that was asked for longest ago first."""
        held = self._readings.get(shelf)
        keys = list(held.keys) if held else []
        return [(key, page) for (_shelf, key), page in self._pages.items((shelf, key) for key in keys)]

    def _asked(self, shelf: Shelf) -> tuple[PageAddress, ...]:
        held = self._readings.get(shelf)
        now = (page.asked for _key, page in self._of(shelf) if page.asked is not None)
        return () if held is None else tuple(dict.fromkeys((*held.former, *now)))

    def _drop(self, shelf: Shelf) -> None:
        held = self._readings.pop(shelf, None)
        for key in list(held.keys) if held else ():
            self._pages.discard((shelf, key))


# Makes each public page once a revision, and gives it to all visitors who are not logged in.
#
# The facts of the page are read for each request (one light query), so the database decides whether a page is
# still right. No process needs a message when something changes: see docs/decisions/0040-public-pages-made-
# once.md.

SHORTEST = 200  # bytes; compressing less gains nothing
ACCEPTS_GZIP = re.compile(r"\bgzip\b")
LONGEST_ADDRESS = 300
LATER = 5  # seconds
# A browser asks each time. A shared cache gives the same answer for a second, and for ten more if the program fails.
# While it asks, it gives the former answer for one more second (docs/decisions/0063-shared-caches.md).
FOR_ALL = "public, max-age=0, s-maxage=1, stale-if-error=10"
FOR_ALL_BY_CACHE = f"{FOR_ALL}, stale-while-revalidate=1"
FOR_ONE = "private, no-cache"
VARY = "Accept-Encoding"  # LanguageOfAddress adds the language, where the address has none
TRIES = 4
OF_ONE = ("RateLimit",)  # headers that say something of the visitor for whom the page was made
CAME = "evenboard.came"  # in the environment of a request: when it came, by time.monotonic()
PERSONAL = re.compile(r"HTTP_(?!HOST$|X_FORWARDED_PROTO$)")

Response = TypeVar("Response", bound=HttpResponseBase)


class OvertakenError(Exception):
    """The facts have changed since they were read."""


def new_store() -> PageStore[PublicFacts]:
    return PageStore(lambda: settings.PAGE_STORE_MB * 1024**2)


store = new_store()
_apart: ContextVar[PageStore[PublicFacts] | None] = ContextVar("apart", default=None)


@contextmanager
def kept_in(other: PageStore[PublicFacts]) -> Iterator[None]:
    """Keep the pages that are made inside in another store, and look for them there. See prewarm.py."""
    token = _apart.set(other)
    try:
        yield
    finally:
        _apart.reset(token)


def store_now() -> PageStore[PublicFacts]:
    apart = _apart.get()
    return store if apart is None else apart


class MadeOnce(Middleware):
    """Answers for public pages. It comes before all middleware that a finished page does not need again."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method not in ("GET", "HEAD") or settings.DEBUG:
            return self._for_one(request)
        address = public_address(request.path_info)
        if address is not None and address.usual != request.path_info:
            return usually(request, address)
        if address is None or is_known(request):
            return self._for_one(request)
        request.get_host()  # refuses hosts that are not allowed
        came = request.META.get(CAME)
        for _ in range(TRIES):
            facts = store_now().facts(address.shelf, came, address.facts)
            if facts is None or not facts.public:
                store_now().forget(address.shelf)
                return self._for_one(request)
            try:
                return through_caches(request, self._timed(request, address, facts))
            except OvertakenError:
                came = None
        return come_back(request, current_language())

    def _for_one(self, request: HttpRequest) -> HttpResponseBase:
        """Make an answer for this visitor alone. No shared cache may keep it, whatever it is."""
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", FOR_ONE)
        return response

    def _timed(self, request: HttpRequest, address: Address, facts: PublicFacts) -> HttpResponse:
        response = self._answer(request, address, facts)
        add_headers(response, address.page, facts)
        for name, value in headers_of_visitor(address.page, request.META).items():
            response.headers[name] = value
        if address.page.clock:
            with in_zone(facts.time_zone):
                send_time(response)
        return response

    def _answer(self, request: HttpRequest, address: Address, facts: PublicFacts) -> HttpResponse:
        language = current_language()
        seen, number = asks_for_news(request, address.page)
        tag = page_tag(facts.everything, language)
        if seen == str(facts.revision):
            return from_source(for_all(nothing_new(), address), PageSource(address, facts))
        if not address.page.leads and has_current(request, tag):
            unchanged = for_all(HttpResponseNotModified(headers={"ETag": tag}), address)
            return from_source(unchanged, PageSource(address, facts))
        parameters = address.page.parameters(request.GET)
        lasting = not address.page.typed(parameters)
        key = (request.path, request.scheme, language, *parameters.items())
        if address.page.absolute:
            key = (own_host(request), *key)

        def make() -> Page:
            visit = from_anybody(request, parameters, language)
            visit.public_facts = facts  # type: ignore[attr-defined]  # read by visit_of
            with consistent_read():
                if address.facts() != facts:
                    raise OvertakenError
                response = self.get_response(visit)
            found = response.status_code == address.page.usual_status
            missing = response.status_code == 404 and address.named  # such as all rounds of a Swiss
            if found and lasting:
                for_all(response, address)
            else:
                response.headers["Cache-Control"] = FOR_ONE
            asked = PageAddress(request.path, urlencode(parameters), language)
            return page_of(response, lasting=lasting and (found or missing), asked=asked)

        try:
            if lasting:
                page = store_now().page(address.shelf, facts, key, make)
                if page.lasting:
                    shared.put(request.path_info, True)
            else:
                page = make()
        except CacheBusyError:
            return come_back(request, language)
        gone = page.status == 404 and not address.page.clock
        if seen is not None and (gone or (page.status == 200 and number != page.shown_round)):
            return from_source(for_all(other_round(), address), PageSource(address, facts))
        response = response_with(request, page)
        if page.status == 200:
            response.headers["ETag"] = tag
        return from_source(response, PageSource(address, facts, key)) if lasting else response


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a public page. subject: the section or the event that it is about, () for all events.

    usual: as the program itself writes it, without numbers such as 01. named: it says no more than the subject, such
    as a round, so there are few of these addresses, and nobody can invent one.
    """

    page: PublicPage
    subject: tuple[str | int, ...]
    usual: str
    named: bool

    def facts(self) -> PublicFacts | None:
        return self.page.facts(*self.subject)

    @property
    def shelf(self) -> Shelf:
        """Return what the pages from the same facts have in common."""
        return (self.page.facts, self.subject)


@dataclass(frozen=True, slots=True)
class PageSource:
    """From which facts an answer was made. page: its key in the store; None if it has no body."""

    address: Address
    facts: PublicFacts
    page: Key | None = None


def from_source(response: HttpResponse, source: PageSource) -> HttpResponse:
    """Note where an answer for all visitors is from, for response_cache.py."""
    if response.headers["Cache-Control"] == FOR_ALL:
        response.source = source  # type: ignore[attr-defined]
    return response


def public_address(path: str) -> Address | None:
    """Return what is known about an address; None if it is not that of a public page."""
    return _resolved(path) if len(path) <= LONGEST_ADDRESS else None


@lru_cache(maxsize=2_000)
def _resolved(path: str) -> Address | None:
    try:
        match = resolve(path)
    except Resolver404:
        return None
    page = getattr(match.func, "public_page", None)
    if page is None:
        return None
    usual = "/" + reverse(match.view_name, kwargs=match.kwargs).removeprefix(get_script_prefix())
    named = match.kwargs.keys() == set(page.parts)
    return Address(page, tuple(match.kwargs[part] for part in page.parts), usual, named)


shared: Cache[str, bool] = Cache(10_000)
"""Addresses at which pages for all have been found, those of the last visits.

An address at which nothing was found yet may be invented, and then each visit has to look again.
"""


def is_shared(path: str, query: str) -> bool:
    """Return whether strangers who ask for this get an answer that is the same for all, as far as is known."""
    address = public_address(path)
    if address is None or len(query) > LONGEST_ADDRESS:
        return False
    if address.usual != path:
        return True
    return path in shared and not address.page.typed(address.page.parameters(QueryDict(query)))


def usually(request: HttpRequest, address: Address) -> HttpResponse:
    """Lead to the same page at its usual address, so that nobody has pages made by writing 007 for 7."""
    request.get_host()  # refuses hosts that are not allowed
    query = request.META.get("QUERY_STRING", "")
    usual = f"{get_script_prefix().rstrip('/')}{address.usual}"
    return HttpResponsePermanentRedirect(f"{usual}?{query}" if query else usual)


def is_known(request: HttpRequest) -> bool:
    """Return whether the visitor is logged in or has a message waiting: then the page is made for this visitor alone.

    A cookie of a session that does not exist makes nobody known, and neither does a message that we did not sign.
    Otherwise anybody could have pages made by inventing one. A session that this process has served needs no query: if
    it has ended since, the page is made once more, and the session is forgotten (web/recent_logins.py).
    """
    if "messages" in request.COOKIES and len(CookieStorage(request)):
        return True
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    return bool(key and (key in known or import_module(settings.SESSION_ENGINE).SessionStore().exists(key)))


def has_current(request: HttpRequest, tag: str) -> bool:
    """Return whether the browser already has the page with this tag.

    `*` stands for any page that exists. It counts as no tag, because only making the page shows whether it exists.
    """
    sent = request.META.get("HTTP_IF_NONE_MATCH", "")
    return bool(sent) and (sent == tag or tag in parse_etags(sent))


def from_anybody(request: HttpRequest, parameters: dict[str, str], language: str) -> HttpRequest:
    """Return a request for the same page without anything that only this visitor sent.

    Then no page that is given to others can depend on it.
    """
    environ = impersonal(request.META)
    environ |= {
        "REQUEST_METHOD": "GET",
        "QUERY_STRING": urlencode(parameters),
        "HTTP_ACCEPT_LANGUAGE": language,
    }
    return WSGIRequest(environ)


def impersonal(environ: Mapping[str, Any]) -> dict[str, Any]:
    """Return the environment of a request without what only its sender sent."""
    return {name: value for name, value in environ.items() if not PERSONAL.match(name) and name != CAME}


def page_of(response: HttpResponseBase, *, lasting: bool, asked: PageAddress | None = None) -> Page:
    """Turn an answer into a page that can be given to others. Only an answer without cookies lasts."""
    assert isinstance(response, HttpResponse)
    body = response.content
    packed = gzip.compress(body, mtime=0) if len(body) >= SHORTEST else body
    left_out = {"Content-Length", *(OF_ONE if lasting else ())}
    gzipped = len(packed) < len(body)
    return Page(
        status=response.status_code,
        headers=tuple((name, value) for name, value in response.items() if name not in left_out),
        body=packed if gzipped else body,
        gzipped=gzipped,
        shown_round=shown_round(response),
        lasting=lasting and not response.cookies,
        asked=asked,
    )


def response_with(request: HttpRequest, page: Page) -> HttpResponse:
    """Return the answer for this request: compressed if the browser accepts that, without a body for HEAD."""
    packed = page.gzipped and ACCEPTS_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", ""))
    body = page.body if packed or not page.gzipped else gzip.decompress(page.body)
    response = HttpResponse(b"" if request.method == "HEAD" else body, status=page.status)
    if page.status == 302:
        response = HttpResponseRedirect(dict(page.headers)["Location"])
    for name, value in page.headers:
        response.headers[name] = value
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Length"] = str(len(body))
    return response


def for_all(response: Response, address: Address) -> Response:
    """Say that the answer is the same for all visitors. One with the server's time would be late in a shared cache."""
    response.headers["Cache-Control"] = FOR_ONE if address.page.clock else FOR_ALL
    response.headers["Vary"] = VARY
    return response


def through_caches(request: HttpRequest, response: Response) -> Response:
    """Let a cache in front of this program answer others while it asks for news. Via is what a proxy sends.

    A browser would do it too, and would show an open page the former answer.
    """
    if "HTTP_VIA" in request.META and response.headers["Cache-Control"] == FOR_ALL:
        response.headers["Cache-Control"] = FOR_ALL_BY_CACHE
    return response


def current_language() -> str:
    """Return the language of this request: of its address, else that which the browser asks for."""
    return get_language() or settings.LANGUAGE_CODE


def come_back(request: HttpRequest, language: str) -> HttpResponse:
    """Ask the visitor to wait, because the page is not ready in time. A whole page loads itself again."""
    again = "HX-Request" not in request.headers
    with override(language):
        page = render_to_string("busy.html", {"seconds": LATER, "again": again})
    headers = {"Retry-After": str(LATER), "Cache-Control": "no-store"}
    return HttpResponse(page, status=503, headers=headers)
