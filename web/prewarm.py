"""Makes the pages of a round before visitors can see it, so that nobody waits for them when it is published; and some
pages after the start of the server.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from time import monotonic

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.db import transaction
from django.http import HttpRequest
from django.urls import get_script_prefix, set_script_prefix
from django.utils import timezone

from tournaments.actions.ledger import transaction_or_busy
from tournaments.models import Section
from tournaments.queries.public_facts import public_facts
from web import page_cache
from web.context import section_url
from web.languages import divided
from web.page_cache import PageAddress

logger = logging.getLogger(__name__)

LONGEST = 0.1
"""Seconds after which no further page is begun. The section is locked meanwhile, on SQLite the whole database."""
USUAL = ("pairings", "names")
FIRST = (*USUAL, "standings")
"""What is asked for most. They read all rows, templates and texts that the other pages need too."""
SECTIONS = 5


@contextmanager
def pages_prepared(request: HttpRequest, section: Section) -> Iterator[None]:
    """Run an action that shows a round, and make the pages of the section before its transaction ends.

    Only this transaction sees the round until then. Its pages are kept apart, and are given to visitors once it has
    ended well. They are the list of boards and that of names, in each language in which visitors asked for them, and
    what visitors asked for last.
    """
    shelf = (public_facts, (section.event.slug, section.slug))
    apart = page_cache.new_store()
    with transaction_or_busy():
        transaction.on_commit(lambda: page_cache.store.adopt(apart, shelf, lambda: public_facts(*shelf[1])))
        yield
        try:
            with transaction.atomic(), page_cache.kept_in(apart):
                _make(request, section)
        except Exception:
            logger.exception("The pages of a round were not made before it was published.")
            apart.clear()


def first_pages() -> None:
    """Make pages of sections that are played today, as if a visitor asked for them.

    A process that has just started reads the rows of a large section, the templates and the texts for its first page,
    which takes up to a second. So no visitor waits for this.
    """
    today = timezone.localdate()
    open_now = Section.objects.filter(status=Section.Status.OPEN, taken_away=False, event__public=True)
    running = open_now.filter(event__start__lte=today, event__end__gte=today).select_related("event")
    set_script_prefix("/")
    for section in running.order_by("-revision")[:SECTIONS]:
        for name in FIRST:
            _handler().get_response(_own_visit(section_url(name, section)))


def _own_visit(path: str) -> HttpRequest:
    """Return the request of a visitor who uses a name of this server."""
    names = [name for name in settings.ALLOWED_HOSTS if name.strip(".*")]
    name = names[0].lstrip(".") if names else "localhost"
    return WSGIRequest(
        {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "SERVER_NAME": name,
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": name,
            "HTTP_X_FORWARDED_PROTO": "https" if settings.HTTPS else "http",
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(),
        }
    )


def wanted(section: Section) -> Iterator[PageAddress]:
    """Yield what visitors will ask for: first boards and names, then what they asked for last."""
    shelf = (public_facts, (section.event.slug, section.slug))
    usual = [PageAddress(section_url(name, section), "", "") for name in USUAL]
    asked = page_cache.store.asked(shelf)
    paths = {each.path for each in usual}
    first = [each for each in asked if divided(each.path)[1] in paths and not each.query]
    yield from dict.fromkeys([*first, *usual, *asked])


def _make(request: HttpRequest, section: Section) -> None:
    until = monotonic() + LONGEST
    asked = list(wanted(section))
    former = get_script_prefix()
    set_script_prefix("/")  # as a server does for each request
    try:
        for each in asked:
            if monotonic() > until:
                return
            _handler().get_response(_visit(request, each))
    finally:
        set_script_prefix(former)


def _visit(request: HttpRequest, asked: PageAddress) -> HttpRequest:
    """Return the request of a visitor, by the same name and protocol of this server as the arbiter's."""
    found = page_cache.impersonal(request.META)
    server = {name: value for name, value in found.items() if not name.startswith("evenboard.")}
    return WSGIRequest(
        server
        | {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": "",
            "PATH_INFO": asked.path,
            "QUERY_STRING": asked.query,
            "HTTP_ACCEPT_LANGUAGE": asked.language,
            "CONTENT_LENGTH": "",
        }
    )


@cache
def _handler() -> BaseHandler:
    """Return what answers requests in this process. It has no signals, which would close the connection."""
    handler = BaseHandler()
    handler.load_middleware()
    return handler
