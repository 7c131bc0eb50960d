"""Answers for visitors, sent again as they were sent before: while the facts are the same, nothing else is asked.

A finished page (page_cache.py) still passes Django and the middleware that adds headers. In a crowd this costs ten
times what it takes to find the page. So the server's door keeps the last answers and sends them again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpResponse

from base.cache import Cache
from tournaments.queries.public_facts import PublicFacts
from web import page_cache
from web.page_cache import ACCEPTS_GZIP, CAME, LONGEST_ADDRESS, OF_ONE, PageSource
from web.views.public.public_page import headers_of_visitor

MOST = 5_000
Headers = list[tuple[str, str]]
PERSONAL = re.compile(rf"(?:^|[;,])\s*(?:{settings.SESSION_COOKIE_NAME}|messages)=")
ASKED = (
    "PATH_INFO",
    "QUERY_STRING",
    "wsgi.url_scheme",
    "HTTP_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_IF_NONE_MATCH",
)
"""What an answer for all visitors depends on, besides compression and a cache in front of the program."""


@dataclass(frozen=True, slots=True)
class Ready:
    """An answer that was sent. source: from which facts and which page."""

    source: PageSource
    status: str
    headers: Headers


class ReadyAnswers:
    """The last answers for all visitors, by what was asked. Their bodies are those of the page store."""

    def __init__(self, most: int = MOST) -> None:
        self._kept: Cache[tuple[object, ...], Ready] = Cache(most)

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, environ: Mapping[str, Any]) -> tuple[str, Headers, bytes] | None:
        """Return status, headers and body, if they are still right; None if Django must answer."""
        key = key_of(environ)
        kept = self._kept.get(key) if key else None
        if kept is None:
            return None
        source = kept.source
        try:
            facts: PublicFacts | None = page_cache.store.facts(
                source.address.shelf, environ.get(CAME), source.address.facts
            )
        except DatabaseError:
            return None  # Django closes the connection, and says what is wrong
        if facts is None or not facts.public or facts != source.facts:
            return None
        headers = [*kept.headers, *headers_of_visitor(source.address.page, environ).items()]
        if source.page is None:
            return kept.status, headers, b""
        page = page_cache.store.held(source.address.shelf, facts, source.page)
        return None if page is None else (kept.status, headers, page.body)

    def keep(self, environ: Mapping[str, Any], answer: object, status: str, headers: Headers) -> None:
        """Keep an answer if it is one for all visitors. Its page must be stored as it was sent."""
        source: PageSource | None = getattr(answer, "source", None)
        key = key_of(environ)
        if source is None or key is None or not isinstance(answer, HttpResponse) or answer.cookies:
            return
        if source.page is not None:
            page = page_cache.store.held(source.address.shelf, source.facts, source.page)
            if page is None or page.body != answer.content:
                return
        for_all = [(name, value) for name, value in headers if name not in OF_ONE]
        self._kept.put(key, Ready(source, status, for_all))


def key_of(environ: Mapping[str, Any]) -> tuple[object, ...] | None:
    """Return what was asked; None if the answer is not one for all visitors."""
    if environ["REQUEST_METHOD"] != "GET" or PERSONAL.search(environ.get("HTTP_COOKIE", "")):
        return None
    asked = [environ.get(name, "") for name in ASKED]
    if sum(map(len, asked)) > 2 * LONGEST_ADDRESS:
        return None
    return (
        *asked,
        ACCEPTS_GZIP.search(environ.get("HTTP_ACCEPT_ENCODING", "")) is not None,
        "HTTP_VIA" in environ,
    )


ready = ReadyAnswers()
