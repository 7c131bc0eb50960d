"""What every public page begins with: the section, the visitor, and the parameters that the page may read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, wraps
from typing import Any
from urllib.parse import quote, urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from base.consistent_read import consistent_read
from base.reader import date_format
from base.zones import use_zone
from tournaments.models import Round, Section
from tournaments.models.entries import names_for_visitors
from tournaments.queries.public_facts import PublicFacts, public_facts
from web.middleware import allow_in_search_engines


@dataclass(frozen=True)
class Visit:
    """A visitor in a section. staff: works on the event and sees drafts. facts: those from which its pages are made,
    read before anything else.
    """

    section: Section
    staff: bool
    facts: PublicFacts | None = None


View = Callable[..., HttpResponse]
Headers = Callable[[PublicFacts | None], Mapping[str, str]]
OfVisitor = Callable[[Mapping[str, Any]], Mapping[str, str]]
Read = Callable[[str], str]


@dataclass(frozen=True)
class PublicPage:
    """What `web.page_cache` must know about a page.

    reads: the parameters of the address that the page reads. A function for each returns the value that the page uses,
    "" if the page ignores it. polled: open pages ask for news. clock: answers tell the server's time.
    facts: the query for the facts from which the page is made. parts: the parts of the address that it takes.
    leads: the answer is the address of another page. headers: those that every answer has, also one of 304.
    absolute: the answer has whole addresses, so there is one for each name under which visitors reach the server.
    of_visitor: the headers that say something of the visitor alone, from the environment of the request. They are added
    to each answer and never kept.
    """

    reads: Mapping[str, Read] = field(default_factory=dict)
    polled: bool = False
    clock: bool = False
    facts: Callable[..., PublicFacts | None] = public_facts
    parts: tuple[str, ...] = ("event", "section")
    leads: bool = False
    headers: Headers | None = None
    absolute: bool = False
    of_visitor: OfVisitor | None = None

    @property
    def usual_status(self) -> int:
        """Return the status of an answer that is right for all; others, such as 404, are made for each visitor."""
        return 302 if self.leads else 200

    def parameters(self, typed: QueryDict) -> dict[str, str]:
        """Return the parameters that the page reads, as it uses them, in a fixed order."""
        found = {name: read(typed.get(name, "")) for name, read in self.reads.items() if name in typed}
        return {name: value for name, value in found.items() if value}

    def typed(self, parameters: Mapping[str, str]) -> bool:
        """Return whether the visitor typed one of these parameters, so that the page is made for this visitor alone."""
        return any(self.reads[name] is any_text for name in parameters)


class RedirectTo(Exception):
    """Raised by a page that leads to another address."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


POLICY = "Content-Security-Policy"
PRIVATE = {"Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex", "Cache-Control": "no-store, private"}
"""Headers of a page whose address is a secret, or that shows personal data. Other sites do not learn the address. With
"no-referrer" browsers would hide the origin of a form from us too.
"""


def one_of(*values: str) -> Read:
    """Read one of these values; ignore others."""
    return lambda typed: typed if typed in values else ""


def between(least: int, most: int) -> Read:
    """Read a number, and take the nearest one that is allowed; ignore other texts."""

    def read(typed: str) -> str:
        number = typed.isascii() and typed.isdigit() and len(typed) < 6
        return str(min(max(int(typed), least), most)) if number else ""

    return read


def any_text(typed: str) -> str:
    """Read what the visitor typed. A page with such a parameter is made for this visitor alone."""
    return typed


def visitor_page(
    *,
    polled: bool = False,
    clock: bool = False,
    absolute: bool = False,
    headers: Headers | None = None,
    **reads: Read,
) -> Callable[[View], View]:
    """Turn `view(request, visit, ...)` into a page of /<event>/<section>/ for everybody who may see the event.

    A page that does not exist is 404, and so is one that this visitor may not see: nobody learns that a
    private event exists. request.GET has the parameters in `reads` and no others, because
    `web.page_cache` gives the same answer to all visitors who ask with the same values of these.
    """
    about = PublicPage(reads, polled=polled, clock=clock, headers=headers, absolute=absolute)

    def decorate(view: View) -> View:
        @require_safe
        @wraps(view)
        @reload_if_gone(about)
        def page(request: HttpRequest, event: str, section: str, **more: Any) -> HttpResponse:
            seen, number = asks_for_news(request, about)
            parameters = about.parameters(QueryDict(request.META.get("QUERY_STRING", "")))
            request.GET = QueryDict(urlencode(parameters))
            with consistent_read(), names_for_visitors():
                visit = visit_of(request, event, section)
                if seen == str(visit.section.revision):
                    response = nothing_new()
                else:
                    try:
                        response = view(request, visit, **more)
                        allow_in_search_engines(response, visit.section.event)
                    except RedirectTo as other:
                        response = HttpResponseRedirect(other.address)
                    except Round.DoesNotExist:
                        response = not_there(request, visit) if seen is None else other_round()
            response = whole_or_reload(response, seen, number)
            if clock:
                send_time(response)
            add_headers(response, about, visit.facts)
            return only_for_this_visitor(response)

        page.public_page = about  # type: ignore[attr-defined]  # read by made_once
        return page

    return decorate


def public_answer(
    facts: Callable[..., PublicFacts | None],
    *parts: str,
    polled: bool = False,
    leads: bool = False,
    absolute: bool = False,
    headers: Headers | None = None,
    of_visitor: OfVisitor | None = None,
    **reads: Read,
) -> Callable[[View], View]:
    """Turn `view(request, ...)` into a page for everybody. See `PublicPage`."""
    about = PublicPage(
        reads,
        polled=polled,
        facts=facts,
        parts=parts,
        leads=leads,
        headers=headers,
        absolute=absolute,
        of_visitor=of_visitor,
    )

    def decorate(view: View) -> View:
        @wraps(view)
        @reload_if_gone(about)
        def page(request: HttpRequest, **more: Any) -> HttpResponse:
            seen, number = asks_for_news(request, about)
            request.GET = QueryDict(urlencode(about.parameters(request.GET)))
            with consistent_read(), names_for_visitors():
                response = view(request, **more)
            response = whole_or_reload(response, seen, number)
            add_headers(response, about, None)
            return only_for_this_visitor(response)

        page.public_page = about  # type: ignore[attr-defined]  # read by made_once
        return page

    return decorate


def headers_of_visitor(about: PublicPage, environ: Mapping[str, Any]) -> Mapping[str, str]:
    """Return what an answer says of this visitor alone; nothing for a proxy, which may give it to others (Via)."""
    return about.of_visitor(environ) if about.of_visitor and "HTTP_VIA" not in environ else {}


def add_headers(response: HttpResponseBase, about: PublicPage, facts: PublicFacts | None) -> None:
    """Add the headers of the page. Where a header says who may frame the page, the older header against all frames is
    left out.
    """
    if about.headers is None:
        return
    for name, value in about.headers(facts).items():
        response.headers[name] = value
    response.xframe_options_exempt = POLICY in response.headers  # type: ignore[attr-defined]  # read by Django


def visit_of(request: HttpRequest, event: str, section: str) -> Visit:
    """Return the section and the visitor. Raises Http404 if the section does not exist or is not for this
    visitor.
    """
    facts = getattr(request, "public_facts", None) or public_facts(event, section)
    found = get_object_or_404(Section.objects.select_related("event"), event__slug=event, slug=section)
    if not request.user.has_perm("tournaments.view_section", found):
        raise Http404
    use_zone(found.event.time_zone)
    staff = request.user.has_perm("tournaments.see_section", found)
    return Visit(section=found, staff=staff, facts=facts)


# Open pages that ask for news -------------------------------------------------------------------------------


def asks_for_news(request: HttpRequest, about: PublicPage) -> tuple[str | None, str]:
    """Return what an open page shows: its revision `seen` and its `round`. For an ordinary request `seen` is None.

    The address alone makes the difference, so that a shared cache need not look at headers.
    """
    if not about.polled:
        return None, ""
    typed = QueryDict(request.META.get("QUERY_STRING", ""))
    return typed.get("seen"), typed.get("round", "")


def reload_if_gone(about: PublicPage) -> Callable[[View], View]:
    """Decorate a page: if an open page asks for news of what this visitor may not see, its browser loads it again.

    So its content goes at once. The answer is the same for what never was. A screen goes on asking instead, because in
    the hall nobody could bring it back.
    """

    def decorate(page: View) -> View:
        @wraps(page)
        def answer(request: HttpRequest, **more: Any) -> HttpResponse:
            try:
                return page(request, **more)
            except Http404:
                if about.clock or asks_for_news(request, about)[0] is None:
                    raise
                return only_for_this_visitor(other_round())

        return answer

    return decorate


def not_there(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Answer that what is at this address is not published, and lead to the pairings that are. No query: anybody
    can invent such addresses.
    """
    context = {"event": visit.section.event, "section": visit.section}
    return render(request, "public/not_there.html", context, status=404)


def nothing_new() -> HttpResponse:
    """Answer an open page that shows the current revision."""
    return HttpResponse(status=204)


def whole_or_reload(response: HttpResponse, seen: str | None, number: str) -> HttpResponse:
    """Return the answer; if an open page asked that shows another round, one that reloads it."""
    other = response.status_code == 200 and seen is not None and number != shown_round(response)
    return other_round() if other else response


def other_round() -> HttpResponse:
    """Reload an open page, because the page is now about another round, or is not there any more."""
    response = HttpResponseClientRefresh()
    response.headers["Content-Length"] = "0"
    return response


def about_round(response: HttpResponse, number: int | str | None) -> HttpResponse:
    """Note the round or the list that the page shows, by which an open page notices another one. None: none yet."""
    response.shown_round = str(number or "")  # type: ignore[attr-defined]  # read by shown_round
    return response


def shown_round(response: HttpResponse) -> str:
    return getattr(response, "shown_round", "")


def send_time(response: HttpResponse) -> None:
    """Send the server's time in milliseconds since 1970, and the same time as the clock of the hall shows it."""
    now = timezone.now()
    response["X-Now"] = str(round(now.timestamp() * 1000))
    response["X-Clock"] = date_format(timezone.localtime(now), "H:i")


# Caches of browsers -----------------------------------------------------------------------------------------


SHOWN = frozenset({".css", ".html", ".js", ".json", ".md", ".po", ".py", ".svg", ".toml"})
"""Kinds of files that a page is made of."""


@cache
def program_version() -> str:
    """Return a text that changes with each file that can change a page, and that all processes of one installation
    share: the packages, the templates, the scripts and styles, the translations, the manual.
    """
    packages = (folder for folder in settings.BASE_DIR.iterdir() if (folder / "__init__.py").exists())
    shown = (settings.BASE_DIR / name for name in ("templates", "static", "locale"))
    files = sorted(
        file for folder in (*packages, *shown) for file in folder.rglob("*.*") if file.suffix in SHOWN
    )
    marks = repr([(str(file), (found := file.stat()).st_mtime_ns, found.st_size) for file in files])
    return hashlib.sha256(marks.encode()).hexdigest()


def page_tag(*facts: object) -> str:
    """Return the ETag of a page that was made from these facts by this version of the program."""
    text = repr((*facts, program_version()))
    return f'W/"{hashlib.sha256(text.encode()).hexdigest()[:24]}"'


def only_for_this_visitor(response: HttpResponse) -> HttpResponse:
    """Let the browser keep the page but ask each time. Shared caches must not keep what one visitor sees.

    `web.page_cache` says so differently of a page that it gives to all.
    """
    if response.status_code == 200:
        response["Cache-Control"] = "private, no-cache"
    elif response.status_code == 204:
        response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ["Cookie"])
    return response


def poll_query(section: Section, number: int | str, shown: Mapping[str, str]) -> str:
    """Return the query by which an open page of a round asks for news: what it has seen, and the parameters of what it
    shows.
    """
    return urlencode({**shown, "seen": section.revision, "round": number}, quote_via=quote)
